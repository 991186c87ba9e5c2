import { afterEach, describe, expect, test } from 'vitest';
import type { JournalEntry } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

afterEach(closeAll);

const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const THING = { type: 'object', required: ['made'], properties: { made: { type: 'string' } } };

/** The responses with these codes, each without content. */
function empty(codes: readonly string[]): object {
  return Object.fromEntries(codes.map((code) => [code, { description: code }]));
}

/** An operation at `/do` with a parameter and a body. */
function withInput(codes: readonly string[]): object {
  const parameters = [{ name: 'n', in: 'query', schema: { type: 'integer' } }];
  const requestBody = { content: { 'application/json': { schema: NAMED } } };
  return documentOf({ '/do': { post: { parameters, requestBody, responses: empty(codes) } } });
}

/** An operation at `/do` without parameters. */
function plain(responses: object, more: object = {}): object {
  return documentOf({ '/do': { get: { responses, ...more }, post: { responses, ...more } } });
}

describeAdapters('A wrong request', (adapter) => {
  test.each<[declared: string, inParameters: number, inBody: number, malformed: number]>([
    ['200 400 422', 400, 422, 400],
    ['200 422', 422, 422, 422],
    ['200 400', 400, 400, 400],
    ['200 422 default', 422, 422, 422],
    ['200 400 4XX', 400, 400, 400],
    ['200 4XX', 400, 422, 400],
    ['200 4xx', 400, 422, 400],
    ['200 default', 400, 422, 400],
    ['200', 422, 422, 400],
    ['200 404 5XX', 422, 422, 400],
  ])('of an operation with %s is answered %i, %i and %i', async (declared, ...statuses) => {
    const { ask } = await adapter.open({ spec: withInput(declared.split(' ')) });
    const headers = { 'Content-Type': 'application/json' };
    const answers = [
      await ask('/do?n=x', json('POST', { name: 'a' })),
      await ask('/do', json('POST', {})),
      await ask('/do', { method: 'POST', body: '{', headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    const codes = ['invalid_parameter', 'validation_failed', 'malformed_json'];
    for (const [index, answer] of answers.entries()) {
      expect(await answer.json()).toMatchObject({ status: statuses[index], code: codes[index] });
    }
  });

  test('keeps the status that a fault names', async () => {
    const { ask } = await adapter.open({ spec: withInput(['200', '400', '422']), errors: ['POST /do=400'] });
    expect((await ask('/do', json('POST', { name: 'a' }))).status).toBe(400);
  });
});

describeAdapters('The own answer', (adapter) => {
  test.each<[declared: string, status: number]>([
    ['405', 405],
    ['404 503', 404],
    ['5XX', 500],
    ['4XX', 400],
    ['404 302', 302],
    ['3XX', 302],
    ['405 default', 200],
    ['2XX', 200],
    ['2XX 201', 201],
    ['201 2XX', 201],
    ['2XX 204 202', 202],
  ])('of an operation with %s is %i', async (declared, status) => {
    const { ask } = await adapter.open({ spec: plain(empty(declared.split(' '))), stateless: true });
    for (const method of ['GET', 'POST'])
      expect((await ask('/do', { method, redirect: 'manual' })).status).toBe(status);
  });

  test('with an undeclared status that is asked for is that of `default`', async () => {
    const content = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
    const { ask } = await adapter.open({ spec: plain({ 200: content(NAMED), default: content(THING) }) });
    const answer = await ask('/do', { headers: { Prefer: 'code=201' } });
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([201, ['made']]);
    expect(Object.keys((await (await ask('/do')).json()) as object)).toEqual(['name']);
  });
});

describeAdapters('A declared error without a schema', (adapter) => {
  const security = { security: [{ key: [] }] };
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } };
  const secured = (answer: object) => ({
    ...documentOf({ '/do': { get: { responses: { 200: { description: '' }, 401: answer }, ...security } } }),
    components,
  });
  const containing = (content: object) => ({ description: '', content });

  test.each<[name: string, content: object, type: string, body: string | RegExp]>([
    [
      'JSON with an example',
      { 'application/json': { example: { oh: 'no' } } },
      'application/json',
      '{"oh":"no"}',
    ],
    ['text with an example', { 'text/plain': { example: 'Go away.' } }, 'text/plain', 'Go away.'],
    ['XML with an example', { 'application/xml': { example: '<no/>' } }, 'application/xml', '<no/>'],
    ['HTML', { 'text/html': {} }, 'text/html', /^<!DOCTYPE html>[\s\S]*<p>.*X-Key/],
    [
      'HTML with an example',
      { 'text/html': { schema: { type: 'string' }, example: '<b>No</b>' } },
      'text/html',
      '<b>No</b>',
    ],
    ['text beside HTML', { 'text/html': {}, 'text/plain': {} }, 'text/plain', /X-Key/],
    ['JSON beside HTML', { 'text/html': {}, 'application/json': {} }, 'application/json', /X-Key/],
  ])('is %s', async (_, content, type, body) => {
    const { ask } = await adapter.open({ spec: secured(containing(content)) });
    const answer = await ask('/do');
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([401, type]);
    expect(await answer.text()).toMatch(typeof body === 'string' ? new RegExp(`^${body}$`) : body);
  });

  test('shows what a client sent as text, not as HTML', async () => {
    const spec = plain(
      { 200: { description: '' }, 422: containing({ 'text/html': {} }) },
      { parameters: [{ name: 'of', in: 'query', schema: { enum: ['<b>'] } }] },
    );
    const { ask } = await adapter.open({ spec });
    expect(await (await ask('/do?of=x')).text()).toMatch(/<p>query\.of: .*&lt;b&gt;/);
  });
});

describe('A 404 with an example and no schema', () => {
  describeAdapters('of a resource', (adapter) => {
    test('is that example', async () => {
      const id = { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } };
      const pet = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
      const answer = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
      const missing = { description: '', content: { 'application/json': { example: { gone: true } } } };
      const spec = documentOf({
        '/pets': { get: { responses: { 200: answer({ type: 'array', items: pet }) } } },
        '/pets/{petId}': { get: { parameters: [id], responses: { 200: answer(pet), 404: missing } } },
      });
      const { ask } = await adapter.open({ spec, empty: true });
      const response = await ask('/pets/7');
      expect([response.status, await response.json()]).toEqual([404, { gone: true }]);
    });
  });
});

describeAdapters('A body that no operation declares', (adapter) => {
  test.each<[declared: string, status: number, notice: RegExp | undefined]>([
    ['200 415', 415, undefined],
    ['200', 200, /^POST \/do takes no body/],
    ['200 4XX', 200, /takes no body/],
    ['200 default', 200, /takes no body/],
  ])('is, where %s is declared, answered %i', async (declared, status, notice) => {
    const entries: JournalEntry[] = [];
    const onExchange = (entry: JournalEntry) => void entries.push(entry);
    const { ask } = await adapter.open({ spec: plain(empty(declared.split(' '))), onExchange });
    expect((await ask('/do', json('POST', {}))).status).toBe(status);
    expect((await ask('/do', { method: 'POST' })).status).toBe(200);
    expect(entries.map((entry) => entry.notice)).toEqual([
      notice && expect.stringMatching(notice),
      undefined,
    ]);
  });
});
