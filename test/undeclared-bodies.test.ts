import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { inPath, TEXT, toAnswer, toDocument, toOperation } from './support/small-documents.ts';

const SPEC = fileURLToPath(new URL('./documents/undeclared-bodies.yaml', import.meta.url));
const FORM = 'application/x-www-form-urlencoded';

afterEach(closeAll);

function send(method: string, body: string | FormData | Uint8Array<ArrayBuffer>, type?: string): RequestInit {
  return { method, body, ...(type !== undefined && { headers: { 'Content-Type': type } }) };
}

/** Expects an answer to a creation, and reads the new entity. */
async function create(ask: Ask, path: string, init: RequestInit): Promise<unknown> {
  const answer = await ask(path, init);
  expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
  return (await ask(answer.headers.get('Location') ?? '')).json();
}

async function statusOf(ask: Ask, path: string, init: RequestInit): Promise<number> {
  const answer = await ask(path, init);
  await answer.text();
  return answer.status;
}

describeAdapters('A body that the document does not declare', ({ open }) => {
  test.each<[string, RequestInit, object]>([
    ['JSON', json('POST', { name: 'Tom', age: 3, toys: ['ball'] }), { name: 'Tom', age: 3, toys: ['ball'] }],
    ['JSON of another type', send('POST', '{"name":"Tom"}', 'application/vnd.cat+json'), { name: 'Tom' }],
    [
      'JSON with a byte order mark',
      send('POST', '\ufeff{"name":"Tom"}', 'application/json'),
      { name: 'Tom' },
    ],
    ['bytes without a type', send('POST', new TextEncoder().encode('{"name":"Tom"}')), { name: 'Tom' }],
    ['a form', send('POST', 'name=Tom&owner[name]=Ann', FORM), { name: 'Tom', owner: { name: 'Ann' } }],
    [
      'a member named like a prototype',
      send('POST', '{"__proto__":{"a":1}}', 'application/json'),
      JSON.parse('{"__proto__":{"a":1}}') as object,
    ],
    ['a member given twice', send('POST', '{"a":1,"a":2}', 'application/json'), { a: 2 }],
    ['a key of its own', json('POST', { id: 'tom', name: 'Tom' }), { id: 'tom', name: 'Tom' }],
  ])('becomes an entity: %s', async (_, init, members) => {
    const { ask } = await open({ spec: SPEC, empty: true });
    expect(await create(ask, '/cats', init)).toEqual({ id: expect.any(String), ...members });
    const [listed] = (await (await ask('/cats')).json()) as object[];
    expect(listed).toMatchObject(members);
  });

  test('keeps every digit of a number', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    const created = await ask('/cats', send('POST', '{"chip":9007199254740993}', 'application/json'));
    expect(await created.text()).toContain('"chip":9007199254740993');
  });

  test('changes an entity, and leaves what it omits', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    await create(ask, '/cats', json('POST', { id: 'tom', name: 'Tom', age: 3 }));
    const replaced = await ask('/cats/tom', json('PUT', { name: 'Tim' }));
    expect(await replaced.json()).toEqual({ id: 'tom', name: 'Tim', age: 3 });
    const changed = await ask('/cats/tom', json('PATCH', { age: 4, coat: 'grey' }));
    expect(await changed.json()).toEqual({ id: 'tom', name: 'Tim', age: 4, coat: 'grey' });
  });

  test('is read by the schema of its entity, which requires nothing there', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    const guest = { id: expect.any(String), joinedAt: expect.any(String) };
    const form = send('POST', 'name=7&nights=2&paid=1.5', FORM);
    expect(await create(ask, '/guests', form)).toEqual({ ...guest, name: '7', nights: 2, paid: 1.5 });
    const sent = json('POST', { name: 7, nights: '2', joinedAt: '2001-01-01T00:00:00Z', other: [1] });
    const shown = await create(ask, '/guests', sent);
    expect(shown).toMatchObject({ name: '7', nights: 2 });
    expect(shown).not.toMatchObject({ joinedAt: '2001-01-01T00:00:00Z' });
    expect(await create(ask, '/guests', json('POST', { name: 'Ann' }))).toMatchObject({
      name: 'Ann',
      nights: expect.any(Number),
    });
  });

  test('gives its fields to an entity, but no files', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    const form = new FormData();
    form.append('name', 'Ann');
    form.append('nights', '3');
    form.append('photo', new Blob(['\u0089PNG']), 'ann.png');
    const shown = await create(ask, '/guests', send('POST', form));
    expect(shown).toMatchObject({ name: 'Ann', nights: 3 });
    expect(JSON.stringify(shown)).not.toContain('PNG');
  });

  test('goes into the item that operations below it change', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    await create(ask, '/guests', json('POST', { id: 'ann', name: 'Ann', nights: 1, fed: false }));
    const fed = await ask('/guests/ann/feed', json('POST', { fed: true }));
    expect(await fed.json()).toMatchObject({ id: 'ann', fed: true });
    expect(await statusOf(ask, '/guests/ann/cancel', json('POST', { paid: 2.5, reason: 'ill' }))).toBe(204);
    expect(await statusOf(ask, '/guests/ann/cancel', json('POST', ['ill']))).toBe(204);
    expect(await (await ask('/guests/ann')).json()).toMatchObject({ fed: true, paid: 2.5 });
  });

  test.each<[string, RequestInit, number]>([
    ['malformed JSON', send('POST', '{"name":', 'application/json'), 400],
    ['JSON that is not UTF-8', send('POST', new Uint8Array([0x22, 0xff, 0x22]), 'application/json'), 400],
    ['a list', json('POST', [{ name: 'Tom' }]), 422],
    ['null', json('POST', null), 422],
    ['deep nesting', send('POST', '['.repeat(5000) + ']'.repeat(5000), 'application/json'), 422],
    ['a number beyond a double', send('POST', '{"age":1e400}', 'application/json'), 422],
    ['a text', send('POST', '{"name":"Tom"}', 'text/plain'), 415],
    ['another charset', send('POST', '{"name":"Tom"}', 'application/json; charset=latin1'), 415],
    ['more than is read', send('POST', `"${'x'.repeat(2 ** 20)}"`, 'application/json'), 413],
  ])('is refused like a declared one, and leaves nothing behind: %s', async (_, init, status) => {
    const { ask } = await open({ spec: SPEC, empty: true });
    expect(await statusOf(ask, '/cats', init)).toBe(status);
    expect(await (await ask('/cats')).json()).toEqual([]);
  });

  test('is refused where it breaks the schema of its entity', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    const answer = await ask('/guests', json('POST', { name: 'Ann', nights: 0 }));
    expect([answer.status, answer.headers.get('X-Mock-Violations')]).toEqual([
      422,
      expect.stringContaining('body.nights'),
    ]);
    await answer.text();
  });

  test('is not looked at where it is a file', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    expect(await create(ask, '/cats', send('POST', '\u0089PNG', 'image/png'))).toEqual({
      id: expect.any(String),
    });
  });

  test('is not looked at by an operation without state', async () => {
    const { ask } = await open({ spec: SPEC });
    expect(await statusOf(ask, '/alarm', send('POST', '{', 'application/json'))).toBe(204);
    const stateless = await open({ spec: SPEC, stateless: true });
    expect(await statusOf(stateless.ask, '/cats', send('POST', '{', 'application/json'))).toBe(201);
    expect(await statusOf(stateless.ask, '/cats', send('POST', 'Tom', 'text/plain'))).toBe(201);
  });

  test('may be missing', async () => {
    const { ask } = await open({ spec: SPEC, empty: true });
    expect(await create(ask, '/cats', { method: 'POST' })).toEqual({ id: expect.any(String) });
  });
});

describe('A body without a schema', () => {
  test.each([
    ['no schema', { content: { 'application/json': {} } }],
    ['an empty schema', { content: { 'application/json': { schema: {} } } }],
    ['a form without a schema', { content: { [FORM]: {} } }],
    ['no content', { content: {} }],
  ])('becomes an entity: %s', async (_, requestBody) => {
    const id = inPath('id', TEXT);
    const spec = toDocument({
      '/cats': {
        get: toOperation(toAnswer(200)),
        post: { ...toOperation(toAnswer(201)), requestBody },
      },
      '/cats/{id}': { get: toOperation(toAnswer(200), undefined, [id]) },
    });
    const mock = await createMock({ spec, empty: true });
    const init = FORM in requestBody.content ? send('POST', 'name=Tom', FORM) : json('POST', { name: 'Tom' });
    expect(await create((path, own) => mock.fetch(path, own), '/cats', init)).toMatchObject({ name: 'Tom' });
  });
});
