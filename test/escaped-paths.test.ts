import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

afterEach(closeAll);

/** Answers 200 with the name of its path. */
function named(path: string): object {
  const content = { 'text/plain': { example: path } };
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return { get: { parameters, responses: { 200: { description: '', content } } } };
}

describeAdapters('A path whose characters a URL must escape', (adapter) => {
  const PATHS = [
    '/a path > with | characters',
    '/größe/{id}/x y',
    '/{any}',
    '/enc%20oded',
    '/what?',
    '/pets:search',
    '/plain',
  ];
  const spec = documentOf(Object.fromEntries(PATHS.map((path) => [path, named(path)])));

  test.each<[requested: string, path: string]>([
    ['/a%20path%20%3E%20with%20%7C%20characters', '/a path > with | characters'],
    ['/a%20path%20%3e%20with%20|%20characters', '/a path > with | characters'],
    ['/gr%C3%B6%C3%9Fe/7/x%20y', '/größe/{id}/x y'],
    ['/gr%c3%b6%c3%9fe/a%2Fb/x%20y', '/größe/{id}/x y'],
    ['/enc%20oded', '/enc%20oded'],
    ['/what%3F', '/what?'],
    ['/pets:search', '/pets:search'],
    ['/pets%3Asearch', '/pets:search'],
    ['/plain', '/plain'],
    ['/other%20', '/{any}'],
  ])('is found at %s', async (requested, path) => {
    const { ask } = await adapter.open({ spec });
    const answer = await ask(requested);
    expect([answer.status, await answer.text()]).toEqual([200, path]);
  });

  test.each<[path: string, requests: readonly string[]]>([
    [
      '/discount/50%/items/{id}',
      ['/discount/50%/items/1', '/discount/50%25/items/1', '/discount/50%25/items/a%2Fb'],
    ],
    ['/a%b', ['/a%b', '/a%25b']],
    ['/100%25', ['/100%25', '/100%']],
    ['/{id}%/%zz', ['/4%/%zz', '/4%25/%25zz', '/4%25/%zz']],
    ['/latin-%f6', ['/latin-%F6', '/latin-%f6']],
    ['/a%2Fb', ['/a%2Fb', '/a%2fb']],
    ['/x y/{id}', ['/x%20y/1']],
    ['/größe', ['/gr%C3%B6%C3%9Fe', '/gr%c3%b6%c3%9fe', '/%67r%C3%B6%C3%9Fe']],
    ['/gr%C3%B6%c3%9Fe', ['/gr%C3%B6%C3%9Fe']],
    ['/a+b', ['/a+b', '/a%2Bb']],
    ['/a;b=1,2', ['/a;b=1,2', '/a%3Bb%3d1%2C2']],
    ["/it's", ["/it's", '/it%27s']],
    ['/"q"', ['/"q"', '/%22q%22']],
    ['/(a)*~!$&@', ['/(a)*~!$&@', '/%28a%29%2A%7E%21%24%26%40']],
    ['/p:find', ['/p:find', '/p%3Afind']],
    ['/items({id})', ['/items(1)', '/items%281%29']],
    ['/plain', ['/plain', '/pl%61in', '/%70lain']],
    ['/v1.0', ['/v1.0', '/v1%2E0']],
  ])('is found in every spelling, also beside a parameter: %s', async (path, requests) => {
    const { ask } = await adapter.open({
      spec: documentOf({ [path]: named(path), '/{any}': named('/{any}') }),
    });
    for (const requested of requests) {
      const answer = await ask(requested);
      expect([requested, answer.status, await answer.text()]).toEqual([requested, 200, path]);
    }
  });

  test.each<[path: string, requested: string, other: string]>([
    ['/a%2Fb', '/a/b', '/{one}/{two}'],
    ['/a+b', '/a%20b', '/{any}'],
    ['/a%20b', '/a+b', '/{any}'],
    ['/a%25b', '/a%2525b', '/{any}'],
  ])('is not found where the text is another: %s at %s', async (path, requested, other) => {
    const { ask } = await adapter.open({ spec: documentOf({ [path]: named(path), [other]: named(other) }) });
    const answer = await ask(requested);
    expect([answer.status, await answer.text()]).toEqual([200, other]);
  });

  test('leads to its parameters as they were sent, and a "%" of its own spoils none', async () => {
    const id = { type: 'string' };
    const thing = { type: 'object', required: ['id'], properties: { id } };
    const path = '/50%/things';
    const parameters = [{ name: 'id', in: 'path', required: true, schema: id }];
    const content = { 'application/json': { schema: thing } };
    const responses = { 200: { description: '', content } };
    const list = { 'application/json': { schema: { type: 'array', items: thing } } };
    const made = { 201: { description: '', content } };
    const spec = documentOf({
      [path]: {
        get: { responses: { 200: { description: '', content: list } } },
        post: { requestBody: { content }, responses: made },
      },
      [`${path}/{id}`]: { parameters, get: { responses } },
    });
    const { ask } = await adapter.open({ spec, empty: true });
    const created = await ask(path, json('POST', { id: '5%/x' }));
    expect([created.status, created.headers.get('Location')]).toEqual([201, '/50%25/things/5%25%2Fx']);
    for (const start of ['/50%/things', '/50%25/things'])
      expect(await (await ask(`${start}/5%25%2Fx`)).json()).toEqual({ id: '5%/x' });
    const malformed = await ask('/50%/things/5%');
    expect(malformed.status).toBe(400);
    expect(await malformed.json()).toMatchObject({ detail: expect.stringContaining('"5%" is not') });
  });

  test('takes a parameter as a client escapes it, and refuses a malformed one', async () => {
    const { ask } = await adapter.open({ spec });
    expect((await ask('/a%2Fb')).status).toBe(200);
    expect((await ask('/%E0%A4')).status).toBe(400);
  });

  test('is asked for by `check`', async () => {
    const { violations, skipped } = await (await createMock({ spec })).check();
    expect(violations).toEqual([]);
    expect(skipped.filter((each) => !each.includes('?'))).toEqual([]);
  });
});

describeAdapters('QUERY', (adapter) => {
  const get = { responses: { 200: { description: '' } } };
  const send = { method: 'QUERY', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } };

  test('is not allowed where the document does not declare it', async () => {
    const { ask } = await adapter.open({ spec: documentOf({ '/a': { get } }) });
    const answer = await ask('/a', send);
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('is served where a document of OpenAPI 3.2 declares it', async () => {
    const requestBody = {
      content: { 'application/json': { schema: { type: 'object', required: ['a'] } } },
    };
    const query = { requestBody, responses: { 200: { description: '' } } };
    const spec = { ...documentOf({ '/a': { get, query } }), openapi: '3.2.0' };
    const { ask } = await adapter.open({ spec });
    expect((await ask('/a', send)).status).toBe(200);
    expect((await ask('/a', { ...send, body: '{}' })).status).toBe(422);
    const answer = await ask('/a', { method: 'PUT' });
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS, QUERY');
  });
});

describe('A document of OpenAPI 3.2', () => {
  test('is served as one of 3.1, with a note', async () => {
    const schema = { type: ['integer', 'null'], exclusiveMinimum: 5, examples: [6] };
    const content = { 'application/json': { schema } };
    const paths = { '/a': { get: { responses: { 200: { description: '', content } } } } };
    const mock = await createMock({ spec: { ...documentOf(paths), openapi: '3.2.0' } });
    expect(mock.document.notes.map(({ code, what }) => [code, what])).toEqual([['version-newer', 'openapi']]);
    expect(await (await mock.fetch('/a')).json()).toBe(6);
  });
});

describe('A document without an operation', () => {
  test.each<[openapi: string, paths: object | undefined]>([
    ['3.0.3', {}],
    ['3.1.0', {}],
    ['3.2.0', {}],
    ['3.1.0', undefined],
    ['3.0.3', { '/a': {} }],
    ['3.0.3', { 'x-note': 1 }],
  ])('is refused: %s, %j', async (openapi, paths) => {
    const spec = { openapi, info: { title: 'A', version: '1' }, ...(paths && { paths }) };
    await expect(createMock({ spec })).rejects.toThrow('the document has no operation');
  });
});
