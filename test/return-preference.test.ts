import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type MockOptions } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
};
const CONTENT = { content: { 'application/json': { schema: NOTE } } };
const WHOLE = { description: 'The note', ...CONTENT };
const EMPTY = { description: 'Done' };

/** Notes whose operations declare these responses. */
function notes(responses: { post?: object; put?: object; patch?: object; delete?: object }): MockOptions {
  const operationOf = (declared: object | undefined) =>
    declared && { requestBody: CONTENT, responses: { ...declared, 404: EMPTY } };
  const { post, put, patch, delete: remove } = responses;
  const spec = documentOf({
    '/notes': { get: { responses: jsonAnswer({ type: 'array', items: NOTE }) }, post: operationOf(post) },
    '/notes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { ...jsonAnswer(NOTE), 404: EMPTY } },
      put: operationOf(put),
      patch: operationOf(patch),
      delete: remove && { responses: { ...remove, 404: EMPTY } },
    },
  });
  return { spec: JSON.parse(JSON.stringify(spec)), fixtures: { notes: [{ id: 1, text: 'First' }] } };
}

/** Sends a change, and returns the status, whether the answer has content, and the preference that was applied. */
async function send(ask: Ask, method: string, path: string, prefer: string) {
  const init =
    method === 'DELETE'
      ? { method, headers: { Prefer: prefer } }
      : json(method, { text: 'New' }, { Prefer: prefer });
  const answer = await ask(path, init);
  const text = await answer.text();
  return [answer.status, text !== '', answer.headers.get('preference-applied')];
}

const MINIMAL = 'return=minimal';
const REPRESENTATION = 'return=representation';

describeInProcess('Prefer: return=', ({ open }) => {
  test.each<[string, string, object, string, unknown[]]>([
    ['POST', '/notes', { post: { 201: WHOLE, 204: EMPTY } }, MINIMAL, [204, false, MINIMAL]],
    ['POST', '/notes', { post: { 201: WHOLE } }, MINIMAL, [201, true, null]],
    ['POST', '/notes', { post: { 201: WHOLE, default: EMPTY } }, MINIMAL, [201, true, null]],
    ['POST', '/notes', { post: { 201: EMPTY } }, MINIMAL, [201, false, MINIMAL]],
    ['POST', '/notes', { post: { 201: EMPTY, 204: EMPTY } }, MINIMAL, [201, false, MINIMAL]],
    ['POST', '/notes', { post: { 201: EMPTY } }, REPRESENTATION, [201, true, REPRESENTATION]],
    ['POST', '/notes', { post: { 201: WHOLE, 204: EMPTY } }, REPRESENTATION, [201, true, REPRESENTATION]],
    ['PUT', '/notes/1', { put: { 200: WHOLE, 204: EMPTY } }, MINIMAL, [204, false, MINIMAL]],
    ['PUT', '/notes/1', { put: { 200: WHOLE, 204: EMPTY } }, REPRESENTATION, [200, true, REPRESENTATION]],
    ['PUT', '/notes/1', { put: { 204: EMPTY } }, MINIMAL, [204, false, MINIMAL]],
    ['PUT', '/notes/1', { put: { 204: EMPTY } }, REPRESENTATION, [204, false, null]],
    ['PUT', '/notes/9', { put: { 201: WHOLE, 200: WHOLE, 204: EMPTY } }, MINIMAL, [201, true, null]],
    ['PATCH', '/notes/1', { patch: { 200: WHOLE, 204: EMPTY } }, MINIMAL, [204, false, MINIMAL]],
    ['PATCH', '/notes/1', { patch: { 200: WHOLE } }, MINIMAL, [200, true, null]],
    ['PATCH', '/notes/9', { patch: { 200: WHOLE, 204: EMPTY } }, MINIMAL, [404, true, null]],
    ['DELETE', '/notes/1', { delete: { 200: WHOLE, 204: EMPTY } }, MINIMAL, [204, false, MINIMAL]],
  ])('%s %s with %j and %s', async (method, path, responses, prefer, expected) => {
    const { ask } = await open(notes(responses));
    expect(await send(ask, method, path, prefer)).toEqual(expected);
  });

  test('minimal keeps the Location and carries the change out', async () => {
    const { ask } = await open(notes({ post: { 201: WHOLE, 204: EMPTY } }));
    const answer = await ask('/notes', json('POST', { text: 'Second' }, { Prefer: MINIMAL }));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([204, null]);
    const location = answer.headers.get('location') ?? '';
    expect(await (await ask(location)).json()).toEqual({ id: 2, text: 'Second' });
    expect(answer.headers.get('vary')).toContain('Prefer');
  });

  test.each<[string, number]>([
    ['RETURN=minimal', 204],
    ['return="minimal"', 204],
    ['return = minimal; foo=bar', 204],
    ['return=minimal, return=minimal', 204],
    ['wait=10, return=minimal', 204],
    ['return=Minimal', 200],
    ['return', 200],
    ['return=most, return=minimal', 200],
    ['return=minimal, return=representation', 200],
    ['return=representation, return=minimal', 200],
    ['foo; return=minimal', 200],
    ['foo="a, return=minimal"', 200],
  ])('is read from %s', async (prefer, status) => {
    const { ask } = await open(notes({ patch: { 200: WHOLE, 204: EMPTY } }));
    const [answered, , applied] = await send(ask, 'PATCH', '/notes/1', prefer);
    expect([answered, applied]).toEqual([status, status === 204 ? MINIMAL : null]);
  });
});

describe('Prefer: return=minimal', () => {
  test('is answered as before where the pet store declares content alone', async () => {
    const mock = await createMock();
    const answer = await mock.fetch('/categories', json('POST', { name: 'Dragons' }, { Prefer: MINIMAL }));
    expect([answer.status, answer.headers.get('preference-applied'), await answer.json()]).toEqual([
      ...[201, null, { id: expect.any(Number), name: 'Dragons' }],
    ]);
    expect(answer.headers.get('x-mock-warnings')).toBeNull();
  });

  test('means nothing for a GET', async () => {
    const mock = await createMock(notes({}));
    const answer = await mock.fetch('/notes/1', { headers: { Prefer: MINIMAL } });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
  });

  test('does no harm, whatever stands beside it', async () => {
    const mock = await createMock(notes({ patch: { 200: WHOLE, 204: EMPTY } }));
    const words = [
      'return',
      '=',
      'minimal',
      'representation',
      ',',
      ';',
      '"',
      '\\',
      ' ',
      '\u00ff',
      'code',
      '200',
      'x'.repeat(99),
    ];
    const header = fc
      .array(fc.constantFrom(...words), { maxLength: 20 })
      .map((parts) => parts.join('').trim());
    await fc.assert(
      fc.asyncProperty(header, async (prefer) => {
        const { status } = await mock.fetch('/notes/1', json('PATCH', { text: 'New' }, { Prefer: prefer }));
        expect([200, 204]).toContain(status);
      }),
      { numRuns: 500 },
    );
  });
});
