import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters } from './support/adapters.ts';
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
