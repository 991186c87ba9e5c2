import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

describeAdapters('An ETag', ({ open }) => {
  test('changes with the bytes of the answer, and with nothing else', async () => {
    const { ask, mock } = await open();
    const tagOf = async (path: string, init?: RequestInit) => (await ask(path, init)).headers.get('etag');
    const first = await tagOf('/categories/1');
    expect(first).toMatch(/^"[\w-]+"$/);
    await ask('/categories', json('POST', { name: 'Dragons' }));
    expect(await tagOf('/categories/1')).toBe(first);
    expect(await tagOf('/categories/1', { method: 'HEAD' })).toBe(first);
    await ask('/categories/1', json('PUT', { name: 'Hounds' }));
    const second = await tagOf('/categories/1');
    expect(second).not.toBe(first);
    mock.reset();
    expect(await tagOf('/categories/1')).toBe(first);
    expect(await tagOf('/categories/99')).toBeNull();
  });

  test('that the client has already is answered with 304 and no content', async () => {
    const { ask } = await open();
    const { headers } = await ask('/pets/1');
    const tag = headers.get('etag') as string;
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await ask('/pets/1', { headers: { 'If-None-Match': known } });
      expect([known, answer.status, await answer.text()]).toEqual([known, 304, '']);
      for (const name of ['etag', 'vary', 'sunset']) expect(answer.headers.get(name)).toBe(headers.get(name));
      expect(answer.headers.get('content-type')).toBeNull();
    }
    expect((await ask('/pets/1', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    expect((await ask('/pets/99', { headers: { 'If-None-Match': '*' } })).status).toBe(404);
  });
});

describeAdapters('A change with If-Match', ({ open }) => {
  const put = (headers: Record<string, string>, name = 'Hounds') => json('PUT', { name }, headers);

  test('is carried out while the client knows the entity as it is', async () => {
    const { ask } = await open();
    const tag = (await ask('/categories/1')).headers.get('etag') as string;
    expect((await ask('/categories/1', put({ 'If-Match': tag }))).status).toBe(200);
    const refused = await ask('/categories/1', put({ 'If-Match': tag }));
    expect([refused.status, await refused.json()]).toMatchObject([412, { code: 'precondition_failed' }]);
    expect((await ask('/categories/1', put({ 'If-Match': '*' }))).status).toBe(200);
    expect((await ask('/categories/8', { method: 'DELETE', headers: { 'If-Match': tag } })).status).toBe(412);
    expect((await ask('/categories/8')).status).toBe(200);
  });

  test('knows the entity as its path shows it, whatever the query was', async () => {
    const { ask } = await open();
    const weak = `W/${(await ask('/categories/1')).headers.get('etag')}`;
    expect((await ask('/categories/1', put({ 'If-Match': weak }))).status).toBe(412);
    expect((await ask('/categories/1', put({ 'If-Match': 'nonsense' }))).status).toBe(412);
  });

  test('is refused for other reasons first', async () => {
    const { ask } = await open();
    expect((await ask('/categories/99', put({ 'If-Match': '"x"' }))).status).toBe(404);
    expect((await ask('/categories/1', json('PUT', { name: 7 }, { 'If-Match': '"x"' }))).status).toBe(422);
  });

  test('creates only what is missing with If-None-Match: *', async () => {
    const { ask } = await open();
    expect((await ask('/categories/1', put({ 'If-None-Match': '*' }))).status).toBe(412);
    expect((await ask('/categories/1', put({ 'If-None-Match': '"other"' }))).status).toBe(200);
  });
});

describe('A document that declares 428', () => {
  const thing = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const spec = documentOf({
    '/things': {
      post: {
        requestBody: { content: { 'application/json': { schema: thing } } },
        responses: jsonAnswer(thing),
      },
    },
    '/things/{id}': {
      get: { parameters, responses: jsonAnswer(thing) },
      delete: {
        parameters,
        responses: { 204: { description: 'Gone' }, 428: { description: 'Say what you know' } },
      },
    },
  });

  test('wants the ETag for a change', async () => {
    const mock = await createMock({ spec });
    const { headers } = await mock.fetch('/things/1');
    const refused = await mock.fetch('/things/1', { method: 'DELETE' });
    expect([refused.status, await refused.json()]).toMatchObject([428, { code: 'precondition_required' }]);
    const known = { 'If-Match': headers.get('etag') as string };
    expect((await mock.fetch('/things/1', { method: 'DELETE', headers: known })).status).toBe(204);
  });
});

test('No precondition does harm, whatever its bytes are', async () => {
  const mock = await createMock();
  const pieces = fc.constantFrom('"', 'W/', ',', ' ', '*', 'a', '\\', ';', '"a"', '\u00ff');
  const value = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('').trim());
  await fc.assert(
    fc.asyncProperty(
      value,
      value,
      fc.constantFrom('GET', 'PUT', 'DELETE', 'HEAD'),
      async (match, none, method) => {
        const headers = { 'If-Match': match, 'If-None-Match': none, 'Content-Type': 'application/json' };
        const body = method === 'PUT' ? { body: '{"name":"X"}' } : {};
        const { status } = await mock.fetch('/categories/2', { method, headers, ...body });
        expect([200, 204, 304, 404, 409, 412]).toContain(status);
      },
    ),
    { numRuns: 300 },
  );
});

test('A precondition changes nothing, even below a GET that does', async () => {
  const thing = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const marked = (action: string) => ({
    parameters,
    'x-mock-resource': { name: 'things', action },
    responses: jsonAnswer(thing),
  });
  const body = { content: { 'application/json': { schema: thing } } };
  const spec = documentOf({
    '/things': { post: { requestBody: body, responses: jsonAnswer(thing) } },
    '/things/{id}': { get: { parameters, responses: jsonAnswer(thing) } },
    '/things/{id}/archive': { get: marked('remove'), post: marked('read') },
  });
  const mock = await createMock({ spec });
  const asked = await mock.fetch('/things/1/archive', { method: 'POST', headers: { 'If-Match': '"old"' } });
  expect(asked.status).toBe(412);
  expect((await mock.fetch('/things/1')).status).toBe(200);
  expect((await mock.fetch('/things/1/archive')).status).toBe(200);
  expect((await mock.fetch('/things/1')).status).toBe(404);
});
