import https from 'node:https';
import { setupServer } from 'msw/node';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { handlers } from '../src/runners/msw.ts';
import { json } from './support/adapters.ts';

const BASE = 'https://api.example.com/v1';
const server = setupServer();
let mock: Mock;

beforeEach(async () => {
  mock = await createMock();
  server.listen({ onUnhandledRequest: 'error' });
  server.use(...handlers(mock, { baseUrl: `${BASE}/` }));
});

afterEach(() => {
  server.resetHandlers();
  server.close();
  vi.restoreAllMocks();
});

/** Asks with `node:https`, as axios and others do. */
function askOver(path: string, method = 'GET', headers = {}, body?: Uint8Array): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const asking = https.request(BASE + path, { method, headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      incoming.on('error', reject);
      incoming.on('end', () => resolve([incoming.statusCode, text]));
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/files': {
      post: {
        operationId: 'echoSize',
        requestBody: { content: { 'application/octet-stream': {} } },
        responses: { 204: { description: 'Stored' } },
      },
    },
    '/old': {
      get: {
        operationId: 'old',
        responses: {
          302: {
            description: 'Moved',
            headers: { Location: { schema: { type: 'string' }, example: '/v1/files/new' } },
          },
        },
      },
    },
    '/login': {
      post: {
        operationId: 'enter',
        responses: {
          204: {
            description: 'In',
            headers: { 'Set-Cookie': { schema: { type: 'string' }, example: 'sid=1; Path=/' } },
          },
        },
      },
    },
  },
};

describe('The handlers for MSW answer as the mock does', () => {
  const requests: [what: string, path: string, init: RequestInit, status: number, text: RegExp][] = [
    ['a path below the prefix', '/pets/1', {}, 200, /Biscuit/],
    ['a query', '/pets?limit=1', {}, 200, /^\[\{[^{]*\}\]$/],
    ['a body', '/pets', json('POST', { name: 'Nori', categoryId: 2 }), 201, /"id":29/],
    ['an invalid body', '/pets', json('POST', {}), 422, /body\.name|"name"/],
    ['a header', '/pets/1', { headers: { Prefer: 'code=503' } }, 503, /./],
    ['HEAD', '/pets/1', { method: 'HEAD' }, 200, /^$/],
    ['OPTIONS', '/pets/1', { method: 'OPTIONS' }, 204, /^$/],
    ['204', '/pets/1', { method: 'DELETE' }, 204, /^$/],
    ['a method that no path has', '/pets/1', { method: 'PROPFIND' }, 501, /./],
    ['an unknown path', '/pats', {}, 404, /has no path \/pats\. Did you mean \/pets\?/],
    ['the base itself', '', {}, 200, /petstore-mock/],
    ['a path with two slashes', '//evil.example/pets', {}, 404, /has no path/],
  ];

  test.each(requests)('%s', async (_, path, init, status, text) => {
    const response = await fetch(BASE + path, init);
    expect(await response.text()).toMatch(text);
    expect(response).toMatchObject({ status, url: BASE + path });
    expect(response.statusText).not.toBe('');
    const { method = 'GET', headers } = init;
    mock.reset();
    const body = Buffer.from(String(init.body ?? ''));
    expect(await askOver(path, method, headers, body)).toEqual([status, expect.stringMatching(text)]);
  });

  test('with an ETag, and 304 for it', async () => {
    const first = await fetch(`${BASE}/pets/1`);
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' };
    const second = await fetch(`${BASE}/pets/1`, { headers });
    expect([second.status, second.headers.get('ETag')]).toEqual([304, first.headers.get('ETag')]);
  });

  test('with links that lead through the prefix', async () => {
    const created = await fetch(`${BASE}/pets`, json('POST', { name: 'Nori', categoryId: 2 }));
    const location = new URL(created.headers.get('Location') ?? '', created.url);
    expect(location.href).toBe(`${BASE}/pets/29`);
    expect((await fetch(location)).status).toBe(200);
    expect(mock.journal.map(({ path }) => path)).toEqual(['/pets', '/pets/29']);
  });

  test('with bodies of any bytes', async () => {
    const other = await createMock({ spec: DOCUMENT });
    server.use(...handlers(other, { baseUrl: BASE }));
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const init = { method: 'POST', body: bytes, headers: { 'Content-Type': 'application/octet-stream' } };
    expect((await fetch(`${BASE}/files`, init)).status).toBe(204);
    expect(await askOver('/files', 'POST', init.headers, bytes)).toEqual([204, '']);
    const bodies = other.journal.map(({ request }) => request.body);
    const direct = await createMock({ spec: DOCUMENT });
    await direct.fetch('/files', init);
    expect(bodies).toEqual(Array.from({ length: 2 }, () => direct.journal[0]?.request.body));
  });

  test('with redirects, which the client follows or not', async () => {
    const other = await createMock({ spec: DOCUMENT });
    server.use(...handlers(other, { baseUrl: BASE }));
    expect((await fetch(`${BASE}/old`, { redirect: 'manual' })).status).toBe(302);
    const followed = await fetch(`${BASE}/old`);
    expect([followed.status, followed.url]).toEqual([404, `${BASE}/files/new`]);
  });

  test('with cookies, which no later test gets', async () => {
    const other = await createMock({ spec: DOCUMENT });
    server.use(...handlers(other, { baseUrl: BASE }));
    const entered = await fetch(`${BASE}/login`, { method: 'POST' });
    expect(entered.headers.getSetCookie()).toEqual(['sid=1; Path=/']);
    await fetch(`${BASE}/login`, { method: 'POST' });
    expect(other.journal.map(({ request }) => request.headers.cookie)).toEqual([undefined, undefined]);
  });
});

test('Where there is a document, as in jsdom, cookies come back', async () => {
  const other = await createMock({ spec: DOCUMENT });
  const baseUrl = 'https://cookies.example.com';
  server.use(...handlers(other, { baseUrl }));
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', new URL(baseUrl));
  const enter = () => fetch(`${baseUrl}/login`, { method: 'POST', credentials: 'include' });
  await enter().then(enter);
  vi.unstubAllGlobals();
  const cookies = other.journal.map(({ request }) => request.headers.cookie);
  // MSW also sends the attributes of its cookies.
  expect(cookies).toEqual([undefined, expect.stringMatching(/^sid=1(;|$)/)]);
});

describe('A fault of the mock reaches the client', () => {
  const failing = (fault: string, init: RequestInit = {}) =>
    fetch(`${BASE}/pets`, { ...init, headers: { 'X-Mock-Fault': fault } });

  test('reset is an error of the network', async () => {
    await expect(failing('reset')).rejects.toThrow(TypeError);
    await expect(askOver('/pets', 'GET', { 'X-Mock-Fault': 'reset' })).rejects.toThrow('Network error');
  });

  test('timeout lasts until the client gives up, and MSW complains of nothing', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    await expect(failing('timeout', { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(said.mock.calls).toEqual([]);
  });

  test('truncate breaks off the body', async () => {
    const response = await failing('truncate');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await expect(askOver('/pets', 'GET', { 'X-Mock-Fault': 'truncate' })).rejects.toThrow('aborted');
  });

  test('drip sends the body in pieces', async () => {
    mock.faults.add({ operation: 'listPets', effect: 'drip', bytesPerSecond: 4000 });
    const response = await fetch(`${BASE}/pets`);
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(JSON.parse(Buffer.concat(pieces).toString()).length).toBeGreaterThan(2);
  });
});

describe('The base URL', () => {
  const others = [
    'https://api.example.com/v10/pets',
    'http://api.example.com/v1/pets',
    'https://api.example/v1',
  ];

  test.each(others)('leaves %s to other handlers', async (url) => {
    const [handler] = handlers(mock, { baseUrl: BASE });
    expect(await handler?.run({ request: new Request(url), requestId: '1' })).toBeNull();
  });

  test('without a path means the whole host, and its characters mean themselves', async () => {
    const [handler] = handlers(mock, { baseUrl: 'http://api.localhost:8080' });
    const ask = async (url: string) =>
      (await handler?.run({ request: new Request(url), requestId: '1' }))?.response?.status;
    expect(await ask('http://api.localhost:8080/pets')).toBe(200);
    expect(await ask('http://apixlocalhost:8080/pets')).toBeUndefined();
    expect(await ask('http://api.localhost:8081/pets')).toBeUndefined();
  });

  test.each(['', '/v1', 'api.example.com', 'ftp://api.example.com', undefined])('cannot be %s', (baseUrl) => {
    expect(() => handlers(mock, { baseUrl: baseUrl as string })).toThrow(
      'handlers() needs a baseUrl such as',
    );
  });
});

test('In a page, the base URL may be a path', async () => {
  vi.stubGlobal('location', new URL('https://shop.example.com/pets/'));
  server.use(...handlers(mock, { baseUrl: '/api' }));
  vi.unstubAllGlobals();
  expect((await fetch('https://shop.example.com/api/pets/1')).status).toBe(200);
});

test('The handlers answer in a session, and say when a mock is missing', async () => {
  const one = mock.session('one');
  server.use(...handlers(one, { baseUrl: BASE }));
  await fetch(`${BASE}/pets/1`, { method: 'DELETE' });
  expect((await mock.fetch('/pets/1')).status).toBe(200);
  expect((await one.fetch('/pets/1')).status).toBe(404);
  const pending = createMock() as unknown as Mock;
  expect(() => handlers(pending, { baseUrl: BASE })).toThrow('needs a mock: await createMock()');
  await pending;
});
