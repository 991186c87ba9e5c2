import { afterAll, expect, it } from 'vitest';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, failingExample, jsonAnswer } from './support/documents.ts';
import { readError } from './support/errors.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

const ORIGIN = { Origin: 'http://localhost:3000' };

function preflight(method: string, requested?: string): RequestInit {
  return {
    method: 'OPTIONS',
    headers: {
      ...ORIGIN,
      'Access-Control-Request-Method': method,
      ...(requested !== undefined && { 'Access-Control-Request-Headers': requested }),
    },
  };
}

/** The names in a header that is a list. */
function namesIn(response: Response, header: string): string[] {
  return (response.headers.get(header) ?? '').split(',').map((name) => name.trim().toLowerCase());
}

/** The CORS check of a browser (Fetch standard, section 4.10). */
function passesCheck({ headers }: Response, origin: string, credentials: 'include' | 'omit'): boolean {
  const allowed = headers.get('access-control-allow-origin');
  if (credentials === 'omit' && allowed === '*') return true;
  if (allowed !== origin) return false;
  return credentials === 'omit' || headers.get('access-control-allow-credentials') === 'true';
}

const LONG_LABEL = 'a'.repeat(400);

/** Origins, and whether each one may send credentials. */
const ORIGINS: readonly (readonly [origin: string, withCredentials: boolean])[] = [
  ['http://localhost', true],
  ['http://localhost:3000', true],
  ['https://localhost:8443', true],
  ['http://app.localhost:5173', true],
  ['http://my_shop.team-1.localhost', true],
  ['http://127.0.0.1:5173', true],
  ['http://127.0.0.1', true],
  ['http://127.255.255.254:80', true],
  ['http://[::1]:3000', true],
  ['http://[::1]', true],
  ['capacitor://localhost', true],
  ['https://app.example.com', false],
  ['http://localhost.example.com', false],
  ['http://notlocalhost', false],
  ['http://example.com:localhost', false],
  ['http://localhost@example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['http://127.0.0.1@example.com', false],
  ['http://127.0.0.256', false],
  ['http://127.0.0', false],
  ['http://128.0.0.1', false],
  ['http://1127.0.0.1', false],
  ['http://[::2]', false],
  ['http://[::1', false],
  ['http://192.168.0.7:3000', false],
  ['http://localhost:3000/path', false],
  ['http://localhost:', false],
  ['http://localhost:123456', false],
  ['http://localhost, http://example.com', false],
  ['HTTP://LOCALHOST', false],
  ['localhost', false],
  ['loopback', false],
  ['null', false],
  ['*', false],
  [`http://${LONG_LABEL}.localhost`, false],
];

/** An answer of every kind: what for, the path, the request, and the status. */
const ANSWERS: readonly (readonly [string, string, RequestInit, number])[] = [
  ['a list', '/pets', {}, 200],
  ['a page', '/pets?limit=2', {}, 200],
  ['a deprecated read', '/pets/1', {}, 200],
  ['HEAD', '/pets/1', { method: 'HEAD' }, 200],
  ['an unstable read', '/pets/1/profile', {}, 200],
  ['a preference for a status', '/pets/1', { headers: { Prefer: 'code=404' } }, 404],
  ['a preference for an example', '/pets/1', { headers: { Prefer: 'example=sold' } }, 200],
  ['a creation', '/pets', json('POST', { name: 'Rex', categoryId: 1 }), 201],
  ['a removal', '/pets/27', { method: 'DELETE' }, 204],
  ['OPTIONS', '/pets', { method: 'OPTIONS' }, 204],
  ['a bad parameter', '/pets?limit=0', {}, 400],
  ['a malformed path', '/pets/%ZZ', {}, 400],
  ['malformed JSON', '/pets', { ...json('POST', ''), body: '{' }, 400],
  ['an unknown id', '/pets/4711', {}, 404],
  ['an unknown path', '/nope', {}, 404],
  ['OPTIONS of an unknown path', '/nope', { method: 'OPTIONS' }, 404],
  ['a wrong method', '/pets', { method: 'DELETE' }, 405],
  ['an Accept that cannot be met', '/pets', { headers: { Accept: 'text/html' } }, 406],
  ['a conflict', '/categories/1', { method: 'DELETE' }, 409],
  ['a body that is too large', '/pets', json('POST', ' '.repeat(1024 * 1024)), 413],
  ['a wrong media type', '/pets/1', json('PATCH', {}, { 'Content-Type': 'application/xml' }), 415],
  ['a wrong coding', '/pets', json('POST', {}, { 'Content-Encoding': 'gzip' }), 415],
  ['a bad body', '/pets', json('POST', {}), 422],
  ['a fault', '/store/orders', {}, 429],
  ['an unknown method', '/pets', { method: 'PROPFIND' }, 501],
];

const RATE_LIMITED = {
  operation: 'listOrders',
  status: 429,
  headers: { 'Retry-After': '120', 'X-RateLimit-Remaining': '0', ETag: '"x"' },
};

/** What a page may read without being told so, and what is about the connection and not about the answer. */
const UNLISTED = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
]);

describeAdapters('CORS', (adapter) => {
  const opened = once(() => adapter.open({ errors: [RATE_LIMITED] }));

  it.each(ANSWERS)('an answer to %s may be read by any page', async (_, path, init, status) => {
    const { ask } = await opened();
    const response = await ask(path, { ...init, headers: { ...init.headers, ...ORIGIN } });
    expect(response.status).toBe(status);
    expect(passesCheck(response, ORIGIN.Origin, 'include')).toBe(true);
    expect(namesIn(response, 'vary')).toContain('origin');
    const exposed = namesIn(response, 'access-control-expose-headers');
    const sent = [...response.headers.keys()].filter((name) => !name.startsWith('access-control-'));
    expect(sent.filter((name) => !UNLISTED.has(name) && !exposed.includes(name))).toEqual([]);
  });

  it('is there for a request without Origin as well, since caches may keep the answer', async () => {
    const { ask } = await adapter.open();
    const response = await ask('/pets/1');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(namesIn(response, 'vary')).toEqual(['accept', 'prefer', 'origin']);
  });

  it('exposes headers by their names, each once, and never as *', async () => {
    const { ask } = await adapter.open();
    const exposed = namesIn(await ask('/pets'), 'access-control-expose-headers');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'accept',
        'accept-patch',
        'allow',
        'deprecation',
        'link',
        'location',
        'preference-applied',
        'retry-after',
        'sunset',
        'warning',
        'x-mock-violations',
        'x-stability',
        'x-total-count',
      ]),
    );
    expect(exposed).not.toContain('*');
    expect(new Set(exposed).size).toBe(exposed.length);
  });

  it('exposes the headers that the document declares', async () => {
    const spec = documentOf({
      '/thing': {
        get: {
          responses: {
            200: { description: 'Fine.', headers: { 'X-Thing': { schema: { type: 'string' } } } },
            404: { description: 'None.', headers: { 'x-missing': { schema: { type: 'string' } } } },
          },
        },
      },
    });
    const { ask } = await adapter.open({ spec });
    const exposed = namesIn(await ask('/nope'), 'access-control-expose-headers');
    expect(exposed).toEqual(expect.arrayContaining(['x-thing', 'x-missing', 'deprecation']));
  });

  it('is there when the server itself fails', async () => {
    const spec = documentOf({
      '/broken': { post: { responses: jsonAnswer({}, { example: failingExample() }) } },
    });
    const { ask } = await adapter.open({ spec });
    const response = await ask('/broken', json('POST', 'x'));
    expect(response.status).toBe(500);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describeAdapters('an origin', (adapter) => {
  const opened = once(() => adapter.open());

  it.each(ORIGINS)('%s may send credentials: %s', async (Origin, withCredentials) => {
    const { ask } = await opened();
    const asked = preflight('POST', 'content-type');
    const answers = [
      await ask('/pets/1', { headers: { Origin } }),
      await ask('/nope', { headers: { Origin } }),
      await ask('/pets', { ...asked, headers: { ...asked.headers, Origin } }),
    ];
    for (const answer of answers) {
      expect(passesCheck(answer, Origin, 'include')).toBe(withCredentials);
      expect(passesCheck(answer, Origin, 'omit')).toBe(true);
      expect(answer.headers.get('access-control-allow-credentials')).toBe(withCredentials ? 'true' : null);
      expect(namesIn(answer, 'vary')).toContain('origin');
    }
  });

  it('gets the answer for itself, although another one has asked the same', async () => {
    const { ask } = await adapter.open();
    const origins = ['http://localhost:1', 'https://a.example', 'http://localhost:2', 'http://localhost:1'];
    for (const Origin of [...origins, ...origins]) {
      const { headers } = await ask('/pets/1', { headers: { Origin } });
      const expected = Origin.startsWith('http://localhost') ? Origin : '*';
      expect(headers.get('access-control-allow-origin')).toBe(expected);
    }
  });

  it.each([
    [['https://App.example.com:443/'], 'https://app.example.com', true],
    [['https://app.example.com'], 'http://localhost:3000', false],
    [['https://app.example.com', 'loopback'], 'http://localhost:3000', true],
    [['https://app.example.com', 'loopback'], 'https://app.example.com', true],
    [['https://app.example.com', 'loopback'], 'https://other.example.com', false],
    [['https://app.example.com'], 'https://app.example.com:8443', false],
    [['capacitor://app'], 'capacitor://app', true],
    [[], 'http://localhost:3000', false],
  ])('with corsOrigin %j, %s may send credentials: %s', async (corsOrigin, Origin, withCredentials) => {
    const { ask } = await adapter.open({ corsOrigin });
    const answer = await ask('/pets/1', { headers: { Origin } });
    expect(passesCheck(answer, Origin, 'include')).toBe(withCredentials);
    expect(passesCheck(answer, Origin, 'omit')).toBe(true);
  });

  it('sends JSON with navigator.sendBeacon, which is a POST with credentials after a preflight', async () => {
    const { ask } = await opened();
    const asked = await ask('/pets', preflight('POST', 'content-type'));
    expect(asked.ok).toBe(true);
    expect(passesCheck(asked, ORIGIN.Origin, 'include')).toBe(true);
    expect(namesIn(asked, 'access-control-allow-headers')).toEqual(['content-type']);
    const sent = await ask('/pets', json('POST', { name: 'Rex', categoryId: 1 }, ORIGIN));
    expect(sent.status).toBe(201);
    expect(passesCheck(sent, ORIGIN.Origin, 'include')).toBe(true);
  });
});

describeAdapters('a preflight request', (adapter) => {
  it.each([
    ['true', 'true'],
    ['false', null],
    ['TRUE', null],
    ['true\tx', null],
  ])('that asks for a private network with %j is answered %j', async (wanted, granted) => {
    const { ask } = await adapter.open();
    const { headers, method } = preflight('GET');
    const response = await ask('/pets', {
      method: method ?? '',
      headers: { ...headers, 'Access-Control-Request-Private-Network': wanted },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-private-network')).toBe(granted);
    expect(namesIn(response, 'vary')).toContain('access-control-request-private-network');
  });

  it.each([
    ['/pets', 'POST'],
    ['/pets/1', 'PATCH'],
    ['/pets/not-an-id', 'DELETE'],
    ['/pets', 'DELETE'],
    ['/nope', 'GET'],
    ['/pets/', 'PUT'],
    ['/%ZZ', 'PUT'],
  ])('to %s for %s is granted, so that the page gets to see the real answer', async (path, method) => {
    const { ask } = await adapter.open();
    const response = await ask(path, preflight(method));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(passesCheck(response, ORIGIN.Origin, 'include')).toBe(true);
    expect(namesIn(response, 'access-control-allow-methods')).toEqual(
      expect.arrayContaining(['get', 'head', 'post', 'put', 'patch', 'delete']),
    );
    expect(Number(response.headers.get('access-control-max-age'))).toBeGreaterThan(5);
    expect(namesIn(response, 'vary')).toEqual(
      expect.arrayContaining(['origin', 'access-control-request-method', 'access-control-request-headers']),
    );
    expect(response.headers.get('deprecation')).toBeNull();
  });

  it.each(['authorization,x-a', 'content-type', 'prefer', 'x-made-up,x-other'])(
    'has its headers echoed: %s',
    async (requested) => {
      const { ask } = await adapter.open();
      const response = await ask('/pets', preflight('POST', requested));
      expect(response.headers.get('access-control-allow-headers')).toBe(requested);
    },
  );

  it('without headers is granted none', async () => {
    const { ask } = await adapter.open();
    const response = await ask('/pets', preflight('POST'));
    expect(response.headers.get('access-control-allow-headers')).toBeNull();
  });

  it('uses up no fault', async () => {
    const { ask } = await adapter.open({ errors: ['createPet=503x1', 'listPets=503x1'] });
    await ask('/pets', preflight('POST'));
    expect((await ask('/pets', json('POST', {}))).status).toBe(503);
    expect((await ask('/pets', json('POST', {}))).status).toBe(422);
  });

  it('goes before an OPTIONS operation of the document, which answers other OPTIONS requests', async () => {
    const responses = { 200: { description: 'Choices.', headers: {} } };
    const spec = documentOf({ '/thing': { options: { operationId: 'choices', responses } } });
    const { ask } = await adapter.open({ spec });
    expect((await ask('/thing', preflight('GET'))).status).toBe(204);
    const response = await ask('/thing', { method: 'OPTIONS', headers: ORIGIN });
    expect(response.status).toBe(200);
    expect(passesCheck(response, ORIGIN.Origin, 'include')).toBe(true);
  });
});

describeAdapters('without CORS', (adapter) => {
  const opened = once(() => adapter.open({ cors: false, errors: [RATE_LIMITED] }));

  it.each(ANSWERS)('an answer to %s names no origin', async (_, path, init, status) => {
    const { ask } = await opened();
    const response = await ask(path, { ...init, headers: { ...init.headers, ...ORIGIN } });
    expect(response.status).toBe(status);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('a preflight request is an OPTIONS request like any other', async () => {
    const { ask } = await adapter.open({ cors: false });
    const response = await ask('/pets', preflight('POST', 'authorization'));
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const unknown = await ask('/nope', preflight('POST'));
    expect(unknown.status).toBe(404);
    expect((await readError(unknown)).code).toBe('path_not_found');
  });
});
