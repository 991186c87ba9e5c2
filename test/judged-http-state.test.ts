import { afterEach, expect, test } from 'vitest';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf } from './support/documents.ts';
import { createJudge } from './support/judge.ts';

afterEach(closeAll);

const NOTE = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'text', 'updatedAt'],
  properties: {
    id: { type: 'integer', readOnly: true },
    text: { type: 'string' },
    updatedAt: { type: 'string', format: 'date-time', readOnly: true },
  },
};
const CONTENT = { content: { 'application/json': { schema: NOTE } } };
const WHOLE = { description: 'The note', ...CONTENT };
const EMPTY = { description: 'Done' };
const KEY = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const SPEC = JSON.stringify(
  documentOf({
    '/notes': { post: { requestBody: CONTENT, responses: { 201: WHOLE, 204: EMPTY, ...DEFAULT_ERROR } } },
    '/notes/{id}': {
      get: { parameters: [KEY], responses: { 200: WHOLE, 304: EMPTY, ...DEFAULT_ERROR } },
      patch: {
        parameters: [KEY],
        requestBody: CONTENT,
        responses: { 200: WHOLE, 204: EMPTY, ...DEFAULT_ERROR },
      },
    },
  }),
);

describeAdapters("HTTP's own state", ({ open }) => {
  test('is answered as the document allows, as Prism reads it', async () => {
    const fixtures = { notes: [{ id: 1, text: 'First', updatedAt: '2026-01-01T00:00:00Z' }] };
    const { ask } = await open({ spec: JSON.parse(SPEC), fixtures });
    const judge = await createJudge(JSON.parse(SPEC));
    const text = { text: 'New' };
    const one = { 'Idempotency-Key': '"one"' };
    const two = { 'Idempotency-Key': 'two', Prefer: 'return=minimal' };
    const known = { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' };
    const before = { 'If-Unmodified-Since': 'Wed, 31 Dec 2025 00:00:00 GMT' };
    const cases: readonly (readonly [string, RequestInit, number])[] = [
      ['/notes', json('POST', text, one), 201],
      ['/notes', json('POST', text, one), 201],
      ['/notes', json('POST', { text: 'Other' }, one), 422],
      ['/notes', json('POST', text, { 'Idempotency-Key': 'a b' }), 400],
      ['/notes', json('POST', text, two), 204],
      ['/notes', json('POST', text, two), 204],
      ['/notes/1', { headers: known }, 304],
      ['/notes/1', json('PATCH', text, before), 412],
      ['/notes/1', json('PATCH', text, { Prefer: 'return=minimal' }), 204],
      ['/notes/1', json('PATCH', text, { Prefer: 'return=representation' }), 200],
      ['/notes/1', { headers: known }, 200],
      ['/notes/9', json('PATCH', text, { 'Idempotency-Key': 'three' }), 404],
      ['/notes/9', json('PATCH', text, { 'Idempotency-Key': 'three' }), 404],
    ];
    for (const [path, init, status] of cases) {
      const response = await ask(path, init);
      const operation = { method: init.method ?? 'GET', path: path.replace(/\d+$/, '{id}') };
      const label = `${operation.method} ${path} ${JSON.stringify(init.headers)}`;
      expect([label, response.status, await judge(operation, response)]).toEqual([label, status, []]);
    }
  });
});
