import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const NOTE = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'integer' }, text: { type: 'string' } },
};
const PAGE = {
  type: 'object',
  required: ['items', 'next'],
  properties: {
    items: { type: 'array', items: NOTE },
    next: { type: 'string', format: 'uri', nullable: true },
  },
};

/** Notes whose creation answers with this header. */
function notesWith(location: object, servers: readonly object[] = []) {
  const body = { content: { 'application/json': { schema: { ...NOTE, required: ['text'] } } } };
  const created = {
    content: { 'application/json': { schema: NOTE } },
    headers: { Location: { schema: location } },
  };
  const paging = ['limit', 'offset'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  return {
    ...documentOf({
      '/notes': {
        get: { parameters: paging, responses: jsonAnswer(PAGE) },
        post: { requestBody: body, responses: { 201: created } },
      },
      '/notes/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: jsonAnswer(NOTE),
        },
      },
    }),
    servers,
  };
}

interface Overview {
  readonly links: { readonly openapi: string };
  readonly resources: readonly { readonly path: string }[];
  readonly operations: readonly { readonly curl: string }[];
}

const POST = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"text":"Buy bread"}',
};

afterEach(closeAll);

describeAdapters('The address of a new entity', ({ open }) => {
  test.each([
    ['a path where any text will do', { type: 'string' }, /^\/notes\/11$/],
    [
      'a path where the document declares a reference',
      { type: 'string', format: 'uri-reference' },
      /^\/notes\/11$/,
    ],
    [
      'a URL where the document declares one',
      { type: 'string', format: 'uri' },
      /^http:\/\/[\w.:]+\/notes\/11$/,
    ],
    [
      'a URL where a pattern asks for one',
      { type: 'string', pattern: '^http' },
      /^http:\/\/[\w.:]+\/notes\/11$/,
    ],
  ])('is %s', async (_, schema, expected) => {
    const { ask } = await open({ spec: notesWith(schema) });
    expect((await ask('/notes', POST)).headers.get('location')).toMatch(expected);
  });

  test('leads to the entity', async () => {
    const { ask } = await open({ spec: notesWith({ type: 'string', format: 'uri' }) });
    const location = (await ask('/notes', POST)).headers.get('location') as string;
    expect(await (await ask(new URL(location).pathname)).json()).toEqual({ id: 11, text: 'Buy bread' });
  });
});

const FORWARDED: readonly (readonly [headers: Readonly<Record<string, string>>, location: string])[] = [
  [{ 'X-Forwarded-Prefix': '/api' }, 'http://mock.test/api/notes/11'],
  [{ 'X-Forwarded-Prefix': '/api/' }, 'http://mock.test/api/notes/11'],
  [{ 'X-Forwarded-Prefix': '/shop, /api' }, 'http://mock.test/shop/api/notes/11'],
  [{ 'X-Forwarded-Proto': 'https' }, 'https://mock.test/notes/11'],
  [
    { 'X-Forwarded-Proto': 'https, http', 'X-Forwarded-Host': 'app.test, inner' },
    'https://app.test/notes/11',
  ],
  [{ 'X-Forwarded-Host': 'app.test', 'X-Forwarded-Port': '8443' }, 'http://app.test:8443/notes/11'],
  [{ 'X-Forwarded-Host': 'app.test:1', 'X-Forwarded-Port': '2' }, 'http://app.test:1/notes/11'],
  [
    { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'app.test', 'X-Forwarded-Port': '443' },
    'https://app.test/notes/11',
  ],
  [{ Forwarded: 'for=192.0.2.1;proto=https;host=app.test' }, 'https://app.test/notes/11'],
  [
    { Forwarded: 'For="[2001:db8::1]:4711"; Proto=HTTPS; Host="app.test:8443", for=10.0.0.1' },
    'https://app.test:8443/notes/11',
  ],
  [{ Forwarded: 'host=app.test', 'X-Forwarded-Host': 'other.test' }, 'http://app.test/notes/11'],
  // Texts that are neither a host nor a path change nothing.
  [{ 'X-Forwarded-Prefix': '//evil.test' }, 'http://mock.test/notes/11'],
  [{ 'X-Forwarded-Prefix': 'api' }, 'http://mock.test/notes/11'],
  [{ 'X-Forwarded-Prefix': '/api?x=1#y' }, 'http://mock.test/notes/11'],
  [{ 'X-Forwarded-Host': 'evil.test/path' }, 'http://mock.test/notes/11'],
  [{ 'X-Forwarded-Host': '' }, 'http://mock.test/notes/11'],
  [{ 'X-Forwarded-Proto': 'javascript' }, 'http://mock.test/notes/11'],
  [{ Forwarded: ';;=;proto;host=' }, 'http://mock.test/notes/11'],
  [{ 'X-Forwarded-Prefix': '/"<b>' }, 'http://mock.test/%22%3Cb%3E/notes/11'],
];

describe('A proxy', () => {
  test.each(FORWARDED)('that announces %o leads to %s', async (headers, expected) => {
    const mock = await createMock({ spec: notesWith({ type: 'string', format: 'uri' }) });
    const sent = { ...POST, headers: { ...POST.headers, Host: 'mock.test', ...headers } };
    expect((await mock.fetch('/notes', sent)).headers.get('location')).toBe(expected);
  });

  test('finds its prefix in every link', async () => {
    const mock = await createMock();
    const ask = (path: string, init: RequestInit = {}) =>
      mock.fetch(path, { ...init, headers: { ...POST.headers, 'X-Forwarded-Prefix': '/api' } });
    const created = await ask('/pets', { method: 'POST', body: '{"name":"Nori","categoryId":2}' });
    expect(created.headers.get('location')).toBe('/api/pets/29');
    expect((await ask('/pets?limit=2')).headers.get('link')).toContain(
      '</api/pets?limit=2&offset=2>; rel="next"',
    );
    expect((await ask('/pets/1')).headers.get('link')).toContain(
      '</api/pets/1/profile>; rel="successor-version"',
    );
    const overview = (await (await ask('/')).json()) as Overview;
    expect(overview.links.openapi).toBe('/api/openapi.json');
    expect(overview.resources[0]?.path).toBe('/api/pets');
    expect(overview.operations[0]?.curl).toContain('http://localhost/api/');
  });

  test('that passes its prefix on finds it once', async () => {
    const servers = [{ url: 'https://app.test/api' }];
    const mock = await createMock({ spec: notesWith({ type: 'string' }, servers) });
    const headers = { ...POST.headers, 'X-Forwarded-Prefix': '/api' };
    const { headers: answered } = await mock.fetch('/api/notes', { ...POST, headers });
    expect(answered.get('location')).toBe('/api/notes/11');
  });

  test('is known for each request, whatever was asked before', async () => {
    const mock = await createMock({ spec: notesWith({ type: 'string' }) });
    const next = async (url: string, headers: Record<string, string> = {}) =>
      ((await (await mock.fetch(url, { headers })).json()) as { readonly next: string }).next;
    expect(await next('http://one.test/notes?limit=2')).toBe('http://one.test/notes?limit=2&offset=2');
    expect(await next('https://two.test/notes?limit=2')).toBe('https://two.test/notes?limit=2&offset=2');
    const forwarded = { Forwarded: 'proto=https;host=three.test' };
    expect(await next('/notes?limit=2', forwarded)).toBe('https://three.test/notes?limit=2&offset=2');
  });

  test('cannot send anything that breaks an answer', async () => {
    const mock = await createMock({ spec: notesWith({ type: 'string', format: 'uri' }) });
    const names = [
      'Forwarded',
      'Host',
      ...['Prefix', 'Host', 'Proto', 'Port'].map((name) => `X-Forwarded-${name}`),
    ];
    const pieces = fc.constantFrom(
      ...'/ , ; = " \\ : a 1 % # ? [ ] @ < \u00fc host= proto= https /api app.test'.split(' '),
    );
    const value = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('').trim());
    const given = fc.dictionary(fc.constantFrom(...names), value);
    await fc.assert(
      fc.asyncProperty(given, async (headers) => {
        const response = await mock.fetch('/notes', { ...POST, headers: { ...POST.headers, ...headers } });
        expect([201, 400]).toContain(response.status);
        const location = response.headers.get('location');
        if (response.status === 201) expect(new URL(location as string).pathname).toMatch(/\/notes\/\d+$/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('A base URL', () => {
  test.each([
    ['https://app.test', 'https://app.test/notes/11'],
    ['https://app.test/', 'https://app.test/notes/11'],
    ['https://app.test:8443/api/', 'https://app.test:8443/api/notes/11'],
    ['/api', 'https://proxy.test/api/notes/11'],
    ['/', 'https://proxy.test/notes/11'],
  ])('of %s goes before what a proxy announces', async (baseUrl, expected) => {
    const mock = await createMock({ spec: notesWith({ type: 'string', format: 'uri' }), baseUrl });
    const proxy = { Forwarded: 'proto=https;host=proxy.test', 'X-Forwarded-Prefix': '/other' };
    const response = await mock.fetch('/notes', { ...POST, headers: { ...POST.headers, ...proxy } });
    expect(response.headers.get('location')).toBe(expected);
  });

  test.each([
    '',
    'app.test',
    'ftp://app.test',
    'https://app.test/?x',
    'https://me@app.test',
    '//app.test',
    7,
  ])('of %o is refused', async (baseUrl) => {
    await expect(createMock({ baseUrl: baseUrl as string })).rejects.toThrow(
      /baseUrl.* must be a URL like https:\/\/app\.example\.com\/api or a path like \/api/,
    );
  });
});
