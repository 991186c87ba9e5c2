import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock, type JournalEntry, type MockOptions } from '../src/index.ts';
import { closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails, readError } from './support/errors.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

const KEY = { type: 'apiKey', in: 'header', name: 'X-API-Key' };
const QUERY_KEY = { type: 'apiKey', in: 'query', name: 'api_key' };
const COOKIE_KEY = { type: 'apiKey', in: 'cookie', name: 'sid' };
const BEARER = { type: 'http', scheme: 'bearer' };
const BASIC = { type: 'http', scheme: 'basic' };
const FLOW = { tokenUrl: 'https://id.example/token', scopes: { read: 'Read.', write: 'Write.' } };

const SCHEMES = {
  key: KEY,
  queryKey: QUERY_KEY,
  cookieKey: COOKIE_KEY,
  bearer: BEARER,
  basic: BASIC,
  digest: { type: 'http', scheme: 'digest' },
  hoba: { type: 'http', scheme: 'hoba' },
  oauth: { type: 'oauth2', flows: { clientCredentials: FLOW } },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
  tls: { type: 'mutualTLS' },
  reference: { $ref: '#/components/securitySchemes/key' },
  other: { type: 'apiKey', in: 'header', name: 'X-Tenant' },
};

const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

type Security = readonly object[];

/** A document with one operation, `GET /thing`, that has this security. */
function thingWith(security: Security | undefined, schemes: object = SCHEMES, whole?: Security): object {
  const operation = {
    operationId: 'getThing',
    parameters: [{ in: 'query', name: 'size', schema: { type: 'integer' } }],
    ...(security && { security }),
    responses: { ...jsonAnswer({ type: 'string' }, { example: 'here' }), ...DEFAULT_ERROR },
  };
  const document = documentOf({ '/thing': { get: operation } }, { securitySchemes: schemes });
  return whole ? { ...document, security: whole } : document;
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

/** What a request may bring along. */
interface Given {
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

function authorization(value: string): Given {
  return { headers: { Authorization: value } };
}

const NO_CREDENTIALS = /^The request has no credentials\. Send .+\. --no-auth switches this check off\.$/;
const NO_BASE64 =
  /^What follows "Basic" in the header Authorization is not the base64 of "user:password"\. Send/;
const NO_TOKEN = /^What follows "Bearer" in the header Authorization is not a token .+\. Send/;
const NOT_BEARER =
  /^The header Authorization does not begin with "Bearer "\. Send "Authorization: Bearer <token>"\./;

const RIGHT: readonly (readonly [scheme: keyof typeof SCHEMES, what: string, given: Given])[] = [
  ['key', 'its header', { headers: { 'X-API-Key': 'k' } }],
  ['key', 'its header in other letters', { headers: { 'x-api-KEY': 'k' } }],
  ['key', 'a value of any form', { headers: { 'X-API-Key': '"; ,= \u00ff' } }],
  ['reference', 'the header of the scheme that it refers to', { headers: { 'X-API-Key': 'k' } }],
  ['queryKey', 'its parameter', { query: 'api_key=k' }],
  ['queryKey', 'its parameter among others', { query: 'size=1&api_key=%E2%82%AC&__proto__=1' }],
  ['cookieKey', 'its cookie', { headers: { Cookie: 'sid=k' } }],
  ['cookieKey', 'its cookie among others', { headers: { Cookie: 'a=b; sid=k=; c' } }],
  ['bearer', 'a token', authorization('Bearer abc')],
  ['bearer', 'a token of every character', authorization('Bearer azAZ09-._~+/==')],
  ['bearer', 'its scheme in small letters', authorization('bearer abc')],
  ['bearer', 'its scheme in capitals and more blanks', authorization('BEARER   abc')],
  ['oauth', 'a token', authorization('Bearer abc')],
  ['openId', 'a token', authorization('Bearer abc')],
  ['basic', 'user and password', authorization(basic('me:secret'))],
  ['basic', 'its scheme in other letters', authorization(basic('me:secret').replace('Basic', 'bAsIC'))],
  ['basic', 'neither user nor password', authorization(basic(':'))],
  ['basic', 'more colons and letters of all kinds', authorization(basic('Zoë:pass:wörd €'))],
  ['digest', 'anything', authorization('Digest username="me", response="1"')],
  ['hoba', 'anything', authorization('HOBA result="1"')],
];

const WRONG: readonly (readonly [keyof typeof SCHEMES, what: string, given: Given, message: RegExp])[] = [
  ['key', 'nothing', {}, NO_CREDENTIALS],
  ['key', 'another header', authorization('Bearer abc'), NO_CREDENTIALS],
  ['key', 'the query', { query: 'X-API-Key=k' }, NO_CREDENTIALS],
  [
    'key',
    'an empty header',
    { headers: { 'X-API-Key': '' } },
    /^The header X-API-Key is empty\. Send the header X-API-Key\./,
  ],
  ['reference', 'nothing', {}, /Send the header X-API-Key\./],
  ['queryKey', 'nothing', {}, /Send the query parameter api_key\./],
  ['queryKey', 'an empty parameter', { query: 'api_key=' }, /^The query parameter api_key is empty\./],
  ['queryKey', 'a parameter without value', { query: 'api_key' }, /^The query parameter api_key is empty\./],
  ['queryKey', 'blanks', { query: 'api_key=%20+' }, /^The query parameter api_key is empty\./],
  ['queryKey', 'other letters', { query: 'API_KEY=k' }, NO_CREDENTIALS],
  ['cookieKey', 'nothing', {}, /Send the cookie sid\./],
  ['cookieKey', 'another cookie', { headers: { Cookie: 'SID=k; xsid=k; sidx=k' } }, NO_CREDENTIALS],
  ['cookieKey', 'an empty cookie', { headers: { Cookie: 'sid=' } }, /^The cookie sid is empty\./],
  ['bearer', 'nothing', {}, /Send "Authorization: Bearer <token>"\./],
  ['bearer', 'an empty header', authorization(''), NO_CREDENTIALS],
  ['bearer', 'no token', authorization('Bearer'), NO_TOKEN],
  ['bearer', 'a blank token', authorization('Bearer   '), NO_TOKEN],
  ['bearer', 'two tokens', authorization('Bearer abc def'), NO_TOKEN],
  ['bearer', 'a quoted token', authorization('Bearer "abc"'), NO_TOKEN],
  ['bearer', 'the equals sign first', authorization('Bearer =abc'), NO_TOKEN],
  ['bearer', 'letters beyond ASCII', authorization('Bearer t\u00f6ken'), NO_TOKEN],
  ['bearer', 'no scheme', authorization('abc.def.ghi'), NOT_BEARER],
  ['bearer', 'no blank behind the scheme', authorization('Bearer:abc'), NOT_BEARER],
  ['bearer', 'another scheme', authorization(basic('me:secret')), NOT_BEARER],
  ['oauth', 'another scheme', authorization(basic('me:secret')), NOT_BEARER],
  ['openId', 'no token', authorization('Bearer'), NO_TOKEN],
  ['basic', 'nothing', {}, /Send "Authorization: Basic <base64 of user:password>"\./],
  ['basic', 'no value', authorization('Basic'), NO_BASE64],
  ['basic', 'no base64', authorization('Basic me:secret'), NO_BASE64],
  ['basic', 'base64 that is cut', authorization(basic('me:secret').slice(0, -1)), NO_BASE64],
  ['basic', 'the alphabet of URLs', authorization('Basic -_-_'), NO_BASE64],
  ['basic', 'padding alone', authorization('Basic ===='), NO_BASE64],
  ['basic', 'base64 without a colon', authorization(basic('secret')), NO_BASE64],
  ['basic', 'control characters', authorization(basic('me:sec\nret')), NO_BASE64],
  [
    'basic',
    'a token',
    authorization('Bearer abc'),
    /^The header Authorization does not begin with "Basic "\./,
  ],
  [
    'digest',
    'no value',
    authorization('Digest'),
    /^What follows "Digest" in the header Authorization is missing\./,
  ],
  [
    'digest',
    'another scheme',
    authorization('Bearer abc'),
    /^The header Authorization does not begin with "Digest "\./,
  ],
  ['hoba', 'nothing', {}, /Send "Authorization: Hoba <credentials>"\./],
];

function toPath({ query }: Given): string {
  return query === undefined ? '/thing' : `/thing?${query}`;
}

describeInProcess('an operation with a security scheme', (adapter) => {
  const mocks = new Map(
    Object.keys(SCHEMES).map((name) => [
      name,
      once(() => adapter.open({ spec: thingWith([{ [name]: [] }]) })),
    ]),
  );
  const askOf = async (scheme: string) => {
    const opened = mocks.get(scheme);
    if (!opened) throw new Error(`No scheme ${scheme}`);
    return (await opened()).ask;
  };

  it.each(RIGHT)('%s takes %s', async (scheme, _, given) => {
    const ask = await askOf(scheme);
    const response = await ask(toPath(given), { headers: given.headers ?? {} });
    expect(response.status).toBe(200);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(await response.json()).toBe('here');
  });

  it.each(WRONG)('%s refuses %s', async (scheme, _, given, message) => {
    const ask = await askOf(scheme);
    const response = await ask(toPath(given), { headers: given.headers ?? {} });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^[A-Za-z]+ realm="petstore-mock"/);
    const body = await readError(response);
    expect(body.code).toBe('unauthorized');
    expect(body.message).toMatch(message);
  });

  it('mutualTLS takes anything: there is nothing to see of it', async () => {
    const ask = await askOf('tls');
    expect((await ask('/thing')).status).toBe(200);
  });
});

/** Requirements in combination, and which of some requests they take. */
const COMBINED: readonly (readonly [
  what: string,
  security: Security,
  takes: readonly Given[],
  refuses: readonly Given[],
])[] = [
  [
    'one of a list',
    [{ key: [] }, { bearer: [] }],
    [
      { headers: { 'X-API-Key': 'k' } },
      authorization('Bearer abc'),
      { headers: { 'X-API-Key': '', Authorization: 'Bearer abc' } },
    ],
    [{}, authorization('Bearer'), authorization(basic('a:b')), { headers: { 'X-API-Key': '' } }],
  ],
  [
    'all of a requirement',
    [{ key: [], other: [], queryKey: [] }],
    [{ headers: { 'X-API-Key': 'k', 'X-Tenant': 't' }, query: 'api_key=k' }],
    [
      { headers: { 'X-API-Key': 'k', 'X-Tenant': 't' } },
      { headers: { 'X-API-Key': 'k' }, query: 'api_key=k' },
      {},
    ],
  ],
  [
    'a key and a token, or user and password',
    [{ key: [], oauth: ['read'] }, { basic: [] }],
    [{ headers: { 'X-API-Key': 'k', Authorization: 'Bearer abc' } }, authorization(basic('a:b'))],
    [authorization('Bearer abc'), { headers: { 'X-API-Key': 'k' } }, {}],
  ],
  ['two schemes that mean a token', [{ oauth: ['read'], openId: [] }], [authorization('Bearer abc')], [{}]],
  [
    'two schemes for one Authorization header: either of them',
    [{ bearer: [], basic: [], key: [] }],
    [
      { headers: { 'X-API-Key': 'k', Authorization: 'Bearer abc' } },
      { headers: { 'X-API-Key': 'k', Authorization: basic('a:b') } },
    ],
    [authorization('Bearer abc'), { headers: { 'X-API-Key': 'k' } }],
  ],
  ['an empty list', [], [{}, authorization('nonsense')], []],
  ['an empty requirement', [{}], [{}, authorization('nonsense')], []],
  ['an empty requirement in a list', [{ key: [] }, {}], [{}, { headers: { 'X-API-Key': '' } }], []],
  ['a certificate and a key', [{ tls: [], key: [] }], [{ headers: { 'X-API-Key': 'k' } }], [{}]],
  ['a certificate or a key', [{ tls: [] }, { key: [] }], [{}], []],
];

describeInProcess('a security requirement', (adapter) => {
  it.each(COMBINED)('asks for %s', async (_, security, takes, refuses) => {
    const { ask } = await adapter.open({ spec: thingWith(security) });
    const statusOf = async (given: Given) =>
      (await ask(toPath(given), { headers: given.headers ?? {} })).status;
    for (const given of takes) expect([given, await statusOf(given)]).toEqual([given, 200]);
    for (const given of refuses) expect([given, await statusOf(given)]).toEqual([given, 401]);
  });

  it.each<[what: string, own: Security | undefined, status: number]>([
    ['holds for an operation that says nothing', undefined, 401],
    ['gives way to another one', [{ bearer: [] }], 200],
    ['gives way to none', [], 200],
    ['gives way to an optional one', [{ bearer: [] }, {}], 200],
  ])('of the whole document %s', async (_, own, status) => {
    const { ask } = await adapter.open({ spec: thingWith(own, SCHEMES, [{ key: [] }]) });
    expect((await ask('/thing', { headers: { Authorization: 'Bearer abc' } })).status).toBe(status);
    const response = await ask('/thing', { headers: { 'X-API-Key': 'k' } });
    expect(response.status).toBe(own && own.length === 1 ? 401 : 200);
  });

  it.each<[Security, Given, string]>([
    [
      [{ key: [] }, { bearer: [] }],
      {},
      'The request has no credentials. Send the header X-API-Key, or "Authorization: Bearer <token>".',
    ],
    [
      [{ bearer: [] }, { key: [], other: [] }],
      { headers: { 'X-Tenant': 't' } },
      'The header X-API-Key is missing. Send "Authorization: Bearer <token>", or the header X-API-Key and the header X-Tenant.',
    ],
    [
      [{ key: [], other: [] }],
      { headers: { 'X-Tenant': '' } },
      'The header X-API-Key is missing and the header X-Tenant is empty. Send the header X-API-Key and the header X-Tenant.',
    ],
    [
      [{ bearer: [] }, { basic: [] }],
      authorization('Basic secret'),
      'What follows "Basic" in the header Authorization is not the base64 of "user:password". Send "Authorization: Bearer <token>", or "Authorization: Basic <base64 of user:password>".',
    ],
    [
      [{ oauth: [] }, { openId: [] }, { bearer: [] }],
      {},
      'The request has no credentials. Send "Authorization: Bearer <token>".',
    ],
  ])('says what it misses: %j of %j', async (security, given, message) => {
    const { ask } = await adapter.open({ spec: thingWith(security) });
    const response = await ask(toPath(given), { headers: given.headers ?? {} });
    expect((await readError(response)).message).toBe(`${message} --no-auth switches this check off.`);
  });
});

const BEARER_CHALLENGE = 'Bearer realm="petstore-mock"';
const BASIC_CHALLENGE = 'Basic realm="petstore-mock", charset="UTF-8"';
const KEY_CHALLENGE = 'ApiKey realm="petstore-mock", in="header", name="X-API-Key"';

describeAdapters('WWW-Authenticate', (adapter) => {
  it.each<[Security, Given, string]>([
    [[{ bearer: [] }], {}, BEARER_CHALLENGE],
    // RFC 6750 section 3.1: no error code for a client that did not know, or that tried another scheme.
    [[{ bearer: [] }], authorization(basic('a:b')), BEARER_CHALLENGE],
    [
      [{ bearer: [] }],
      authorization('Bearer a b'),
      `${BEARER_CHALLENGE}, error="invalid_token", error_description="The access token is malformed"`,
    ],
    [[{ oauth: ['read'] }], {}, BEARER_CHALLENGE],
    [[{ basic: [] }], {}, BASIC_CHALLENGE],
    [[{ basic: [] }], authorization('Basic x'), BASIC_CHALLENGE],
    [[{ key: [] }], {}, KEY_CHALLENGE],
    [[{ reference: [] }], {}, KEY_CHALLENGE],
    [[{ queryKey: [] }], {}, 'ApiKey realm="petstore-mock", in="query", name="api_key"'],
    [[{ cookieKey: [] }], {}, 'ApiKey realm="petstore-mock", in="cookie", name="sid"'],
    [[{ hoba: [] }], {}, 'Hoba realm="petstore-mock"'],
    [
      [{ digest: [] }],
      {},
      'Digest realm="petstore-mock", qop="auth", algorithm=SHA-256, nonce="petstore-mock"',
    ],
    [[{ basic: [] }, { oauth: [] }, { bearer: [] }], {}, `${BASIC_CHALLENGE}, ${BEARER_CHALLENGE}`],
    [
      [{ key: [], bearer: [] }, { basic: [] }],
      {},
      `${KEY_CHALLENGE}, ${BEARER_CHALLENGE}, ${BASIC_CHALLENGE}`,
    ],
  ])('has a challenge for each scheme of %j, asked with %j', async (security, given, challenge) => {
    const { ask } = await adapter.open({ spec: thingWith(security) });
    const response = await ask(toPath(given), { headers: given.headers ?? {} });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(challenge);
  });

  it.each<[what: string, options: MockOptions, prefer: string | undefined]>([
    ['a fault', { errors: ['getThing=401'] }, undefined],
    ['a fault under --no-auth', { errors: ['getThing=401'], auth: false }, undefined],
    ['a preference', {}, 'code=401'],
  ])('of the operation goes with a 401 that %s asks for', async (_, options, prefer) => {
    const { ask } = await adapter.open({ spec: thingWith([{ basic: [] }, { key: [] }]), ...options });
    const headers = { 'X-API-Key': 'k', ...(prefer !== undefined && { Prefer: prefer }) };
    const response = await ask('/thing', { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(`${BASIC_CHALLENGE}, ${KEY_CHALLENGE}`);
  });

  it('of a fault goes before that of the operation', async () => {
    const rule = { operation: 'getThing', status: 401, headers: { 'www-authenticate': 'Mine x="y"' } };
    const { ask } = await adapter.open({ spec: thingWith([{ basic: [] }]), errors: [rule] });
    expect((await ask('/thing')).headers.get('www-authenticate')).toBe('Mine x="y"');
  });
});

const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Small', version: '1' },
  security: [{ key: [] }],
  securityDefinitions: {
    key: KEY,
    queryKey: QUERY_KEY,
    basic: { type: 'basic' },
    oauth: { type: 'oauth2', flow: 'implicit', authorizationUrl: 'https://id.example', scopes: {} },
    bare: { type: 'oauth2' },
  },
  paths: Object.fromEntries(
    [
      ['/shared', undefined],
      ['/basic', [{ basic: [] }]],
      ['/query', [{ queryKey: [] }]],
      ['/oauth', [{ oauth: ['read'] }]],
      ['/bare', [{ bare: [] }]],
      ['/open', []],
      ['/optional', [{ key: [] }, {}]],
    ].map(([path, security]) => [
      path,
      { get: { ...(security && { security }), responses: { 200: { description: 'Fine.' } } } },
    ]),
  ),
};

describeInProcess('Swagger 2.0', (adapter) => {
  it.each<[path: string, init: RequestInit, status: number]>([
    ['/shared', {}, 401],
    ['/shared', { headers: { 'X-API-Key': 'k' } }, 200],
    ['/basic', { headers: { 'X-API-Key': 'k' } }, 401],
    ['/basic', { headers: { Authorization: basic('a:b') } }, 200],
    ['/query', {}, 401],
    ['/query?api_key=k', {}, 200],
    ['/oauth', {}, 401],
    ['/oauth', { headers: { Authorization: 'Bearer abc' } }, 200],
    ['/bare', {}, 401],
    ['/bare', { headers: { Authorization: 'Bearer abc' } }, 200],
    ['/open', {}, 200],
    ['/optional', {}, 200],
  ])('is checked by its securityDefinitions: %s, %j', async (path, init, status) => {
    const { ask } = await adapter.open({ spec: SWAGGER });
    expect((await ask(path, init)).status).toBe(status);
  });
});

const OWN_SHAPE = documentOf(
  {
    '/things': {
      get: { operationId: 'listThings', responses: jsonAnswer({ type: 'array', items: THING }) },
      post: {
        operationId: 'createThing',
        requestBody: { required: true, content: { 'application/json': { schema: THING } } },
        responses: {
          201: { description: 'Made.', content: { 'application/json': { schema: THING } } },
          401: {
            description: 'Who are you?',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['error'],
                  properties: {
                    error: {
                      type: 'object',
                      required: ['code', 'message'],
                      properties: { code: { type: 'integer' }, message: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    '/things/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getThing', responses: { ...jsonAnswer(THING), 404: { description: 'None.' } } },
      options: { operationId: 'choices', responses: { 200: { description: 'Choices.' } } },
    },
  },
  { securitySchemes: { key: KEY } },
);
const SECURED = { ...OWN_SHAPE, security: [{ key: [] }] };
const ALLOWED = { 'X-API-Key': 'k' };

describeInProcess('the check of credentials', (adapter) => {
  it('answers in the shape that the document gives its 401', async () => {
    const { ask } = await adapter.open({ spec: SECURED });
    const response = await ask('/things', json('POST', {}));
    expect(response.headers.get('content-type')).toBe('application/json');
    const message = expect.stringMatching(NO_CREDENTIALS);
    expect(await response.json()).toEqual({ error: { code: 401, message } });
  });

  it('answers problem details where the document gives it none', async () => {
    const { ask } = await adapter.open({
      spec: { ...SECURED, paths: { '/things': { get: OWN_SHAPE_GET } } },
    });
    const { code, message } = await readDetails(await ask('/things'));
    expect([code, message]).toEqual(['unauthorized', expect.stringMatching(NO_CREDENTIALS)]);
  });

  it.each<[what: string, path: string, init: RequestInit, status: number]>([
    ['after the path', '/nope', {}, 404],
    ['after the method', '/things', { method: 'DELETE' }, 405],
    ['before a parameter', '/things/one', {}, 401],
    [
      'before a body',
      '/things',
      { method: 'POST', body: '{', headers: { 'Content-Type': 'text/plain' } },
      401,
    ],
    ['before Accept', '/things', { headers: { Accept: 'text/html' } }, 401],
    ['before state', '/things/4711', {}, 401],
    ['for HEAD as for GET', '/things', { method: 'HEAD' }, 401],
    ['not for HEAD with credentials', '/things', { method: 'HEAD', headers: ALLOWED }, 200],
    ['not for OPTIONS, which the server answers', '/things', { method: 'OPTIONS' }, 204],
    ['for OPTIONS, which the document has', '/things/1', { method: 'OPTIONS' }, 401],
    ['not for a state that was asked for', '/things/4711', { headers: { Prefer: 'code=404' } }, 404],
    ['not for the usual status, if it was asked for', '/things', { headers: { Prefer: 'code=200' } }, 200],
    ['not for a status that the query asks for', '/things?__code=200', {}, 200],
    ['for other preferences', '/things', { headers: { Prefer: 'seed=1, respond-async' } }, 401],
  ])('comes %s', async (_, path, init, status) => {
    const { ask } = await adapter.open({ spec: SECURED });
    const response = await ask(path, init);
    expect(response.status).toBe(status);
    if (init.method === 'HEAD') expect(await response.text()).toBe('');
  });

  it('comes after a fault', async () => {
    const { ask } = await adapter.open({ spec: SECURED, errors: ['createThing=401x1'] });
    const first = (await (await ask('/things', json('POST', {}))).json()) as { error: { message: string } };
    expect(first.error.message).toBe('A fault replaced the answer to createThing.');
    expect((await ask('/things', json('POST', {}))).status).toBe(401);
    expect((await ask('/things', json('POST', {}, ALLOWED))).status).toBe(422);
  });

  it('keeps a request without credentials from changing anything', async () => {
    const { ask } = await adapter.open({ spec: SECURED, empty: true });
    const body = { id: 1, name: 'New' };
    expect((await ask('/things', json('POST', body))).status).toBe(401);
    expect(await (await ask('/things', { headers: ALLOWED })).json()).toEqual([]);
    expect((await ask('/things', json('POST', body, ALLOWED))).status).toBe(201);
    expect(await (await ask('/things', { headers: ALLOWED })).json()).toHaveLength(1);
  });

  it('is left out with auth: false', async () => {
    const { ask, mock } = await adapter.open({ spec: SECURED, auth: false });
    expect((await ask('/things')).status).toBe(200);
    expect(mock.operations.map(({ credentials }) => credentials)).toEqual(
      mock.operations.map(() => undefined),
    );
  });

  it('can be switched by a reload', async () => {
    const { ask, mock } = await adapter.open({ spec: SECURED });
    await mock.reload({ spec: SECURED, auth: false });
    expect((await ask('/things')).status).toBe(200);
    await mock.reload({ spec: SECURED });
    expect((await ask('/things')).status).toBe(401);
  });

  it('leaves the pet store alone, which asks for nothing', async () => {
    const { ask, mock } = await adapter.open();
    expect((await ask('/pets', { headers: { Authorization: 'nonsense' } })).status).toBe(200);
    expect(mock.operations.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
  });
});

const OWN_SHAPE_GET = { responses: jsonAnswer({ type: 'array', items: THING }) };

describeAdapters('a page of another origin', (adapter) => {
  const ORIGIN = { Origin: 'http://localhost:3000' };
  const PREFLIGHT = {
    method: 'OPTIONS',
    headers: {
      ...ORIGIN,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization,x-api-key',
    },
  };

  it.each(['/things', '/things/1'])('may send credentials to %s', async (path) => {
    const { ask } = await adapter.open({ spec: SECURED });
    const response = await ask(path, PREFLIGHT);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,x-api-key');
  });

  it('may read a 401 and its challenge', async () => {
    const { ask } = await adapter.open({ spec: SECURED });
    const response = await ask('/things', { headers: ORIGIN });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN.Origin);
    expect(response.headers.get('access-control-expose-headers')?.split(', ')).toContain('WWW-Authenticate');
  });

  it('needs no credentials for a preflight, also where the document answers it', async () => {
    const { ask } = await adapter.open({ spec: SECURED, cors: false });
    expect((await ask('/things', PREFLIGHT)).status).toBe(204);
    expect((await ask('/things/1', PREFLIGHT)).status).toBe(200);
  });
});

/** JSON.parse makes a member of `__proto__`, which a literal would not. */
const PROTO_SCHEMES = JSON.parse(
  `{"__proto__": ${JSON.stringify({ ...QUERY_KEY, name: '__proto__' })}}`,
) as object;
const PROTO_SECURITY = [JSON.parse('{"__proto__": []}') as object];

describeAdapters('hostile names and values', (adapter) => {
  it('take __proto__ for a name like any other', async () => {
    const { ask } = await adapter.open({ spec: thingWith(PROTO_SECURITY, PROTO_SCHEMES) });
    expect((await ask('/thing')).status).toBe(401);
    expect((await ask('/thing?__proto__=k')).status).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'find no header, parameter or cookie %s that was not sent',
    async (name) => {
      for (const place of ['header', 'query', 'cookie']) {
        const spec = thingWith([{ key: [] }], { key: { ...KEY, in: place, name } });
        const { ask } = await adapter.open({ spec });
        expect((await ask('/thing?a=b', { headers: { Cookie: 'a=b' } })).status).toBe(401);
      }
    },
  );

  it('find a header constructor that was sent', async () => {
    const spec = thingWith([{ key: [] }], { key: { ...KEY, name: 'constructor' } });
    const { ask } = await adapter.open({ spec });
    expect((await ask('/thing', { headers: { constructor: 'k' } })).status).toBe(200);
  });

  it.each(['constructor', '__proto__', 'valueOf'])('know no special scheme %s', async (scheme) => {
    const spec = thingWith([{ http: [] }], { http: { type: 'http', scheme } });
    const { ask } = await adapter.open({ spec });
    expect((await ask('/thing')).status).toBe(401);
    expect((await ask('/thing', { headers: { Authorization: `${scheme} x` } })).status).toBe(200);
  });

  it.each(['näme', '€', 'a"b', 'a\\b', 'a\r\nSet-Cookie: x', '\ud800'])(
    'cannot break the challenge: a key called %j',
    async (name) => {
      const { ask } = await adapter.open({ spec: thingWith([{ key: [] }], { key: { ...QUERY_KEY, name } }) });
      const response = await ask('/thing');
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('ApiKey realm="petstore-mock", in="query"');
      expect(response.headers.get('set-cookie')).toBeNull();
    },
  );

  const LONG = 12_000;
  const long: readonly string[] = [
    `Basic ${'A'.repeat(LONG)}!`,
    `Basic ${'='.repeat(LONG)}`,
    `Bearer ${'='.repeat(LONG)}!`,
    `Bearer ${'a'.repeat(LONG)}!`,
    `Bearer ${' '.repeat(LONG)}!`,
    `${'a'.repeat(LONG)}!`,
    `${'a '.repeat(LONG / 2)}!`,
    '\u00ff'.repeat(LONG),
  ];

  it.each(long.map((value) => [`${value.slice(0, 10)}... ${value.slice(-1)}`, value]))(
    'take no time and come back in no answer: %s',
    async (_, value) => {
      const { ask } = await adapter.open({
        spec: thingWith([{ bearer: [] }, { basic: [] }, { digest: [] }]),
      });
      const started = performance.now();
      const response = await ask('/thing', { headers: { Authorization: value } });
      expect(performance.now() - started).toBeLessThan(1000);
      expect(response.status).toBe(401);
      expect((await response.text()).length).toBeLessThan(1000);
    },
  );
});

describe('any credential', () => {
  const opened = once(async () => {
    const exchanges: JournalEntry[] = [];
    const security = [{ bearer: [] }, { basic: [] }, { queryKey: [] }, { cookieKey: [] }, { key: [] }];
    const mock = await createMock({
      spec: thingWith(security),
      onExchange: (exchange) => exchanges.push(exchange),
    });
    return { mock, exchanges };
  });

  const TOKEN = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,40}={0,2}$/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is left out
  const TEXT = fc.string({ unit: 'grapheme' }).filter((text) => !/[\u0000-\u001f\u007f]/.test(text));
  const USER = fc.tuple(TEXT, TEXT).map(([user, password]) => `${user.replaceAll(':', '')}:${password}`);

  it('of the right form is taken', async () => {
    const { mock } = await opened();
    const schemes = fc.constantFrom('Bearer', 'bearer', 'BEARER');
    const givens = fc.oneof(
      fc.tuple(schemes, TOKEN).map(([scheme, token]) => authorization(`${scheme} ${token}`)),
      USER.map((user) => authorization(basic(user))),
      TEXT.filter((text) => text.trim() !== '').map(
        (text): Given => ({
          query: `api_key=${encodeURIComponent(text)}`,
        }),
      ),
      TOKEN.map((token): Given => ({ headers: { Cookie: `a=b; sid=${token}` } })),
      TOKEN.map((token): Given => ({ headers: { 'x-api-key': token } })),
    );
    await fc.assert(
      fc.asyncProperty(givens, async (given) => {
        const response = await mock.fetch(toPath(given), { headers: given.headers ?? {} });
        expect([response.status, await response.json()]).toEqual([200, 'here']);
      }),
    );
  });

  it('of another form is refused, and comes back neither in the answer nor in the log', async () => {
    const { mock, exchanges } = await opened();
    const secrets = fc.stringMatching(/^[a-z0-9]{12,30}$/).map((text) => `s3cr3t${text}`);
    const forms = fc.constantFrom(
      (secret: string) => secret,
      (secret: string) => `Bearer ${secret} ${secret}`,
      (secret: string) => `Bearer "${secret}"`,
      (secret: string) => `Basic ${secret}!`,
      (secret: string) => `${secret} ${secret}`,
    );
    await fc.assert(
      fc.asyncProperty(secrets, forms, async (secret, form) => {
        exchanges.length = 0;
        const headers = { Authorization: form(secret), 'X-API-Key': '', Cookie: `other=${secret}` };
        const response = await mock.fetch(`/thing?key=${secret}`, { headers });
        expect(response.status).toBe(401);
        // What the client sent is there for whoever wrote the client; all else must not repeat it.
        const told = exchanges.map((exchange) => ({ ...exchange, request: undefined }));
        const seen = JSON.stringify([[...response.headers], await response.text(), told]);
        expect(seen).not.toContain(secret);
      }),
    );
  });
});

describe('a document whose security is wrong', () => {
  it.each<[what: string, security: unknown, schemes: object, message: RegExp]>([
    [
      'names an unknown scheme',
      [{ nope: [] }],
      SCHEMES,
      /no security scheme is called "nope"\. Define it among the security schemes\./,
    ],
    ['names one beside a known one', [{ key: [], nope: [] }], SCHEMES, /no security scheme is called "nope"/],
    ['names an inherited member', [{ toString: [] }], SCHEMES, /no security scheme is called "toString"/],
    ['has no schemes', [{ key: [] }], {}, /no security scheme is called "key"/],
    [
      'has a key without a name',
      [{ key: [] }],
      { key: { type: 'apiKey', in: 'header' } },
      /the security scheme "key" needs a "name"/,
    ],
    [
      'has a key nowhere',
      [{ key: [] }],
      { key: { type: 'apiKey', in: 'body', name: 'k' } },
      /needs a "name", and "in" as header, query or cookie\./,
    ],
    [
      'has a header that HTTP cannot write',
      [{ key: [] }],
      { key: { ...KEY, name: 'X Key' } },
      /the security scheme "key" needs a "name"/,
    ],
    [
      'has no HTTP scheme',
      [{ http: [] }],
      { http: { type: 'http' } },
      /the security scheme "http" needs a "scheme"/,
    ],
    [
      'has a scheme that HTTP cannot write',
      [{ http: [] }],
      { http: { type: 'http', scheme: 'a\r\nb' } },
      /needs a "scheme"/,
    ],
    [
      'has a scheme of no type',
      [{ other: [] }],
      { other: { type: 'magic' } },
      /the security scheme "other" needs a "type"/,
    ],
    [
      'has a scheme that leads nowhere',
      [{ 'x-a': [] }],
      { 'x-a': { $ref: '#/nowhere' } },
      /no security scheme is called "x-a"/,
    ],
  ])(
    'is served without what cannot be asked for, and says so: it %s',
    async (_, security, schemes, message) => {
      const mock = await createMock({ spec: thingWith(security as Security, schemes) });
      const notes = mock.document.notes.map(
        ({ effect, what, place, reason, remedy }) => `${effect} ${what}: ${place}: ${reason}. ${remedy}`,
      );
      const place = /^ignored security: given as an object: #\/paths\/~1thing\/get\/security/;
      for (const pattern of [place, message]) expect(notes).toContainEqual(expect.stringMatching(pattern));
      expect((await mock.fetch('/thing')).status).toBe(200);
      const open = await createMock({ spec: thingWith(security as Security, schemes), auth: false });
      expect(open.document.notes.filter(({ what }) => what === 'security')).toEqual([]);
    },
  );

  it('still asks for what it can: another of its requirements', async () => {
    const mock = await createMock({ spec: thingWith([{ nope: [] }, { key: [] }]) });
    expect((await mock.fetch('/thing')).status).toBe(401);
    expect((await mock.fetch('/thing', { headers: { 'X-API-Key': 'k' } })).status).toBe(200);
  });

  it('is told with its line, also where schemes and paths stand in other files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'security-'));
    const operation = 'get:\n  security: [{ key: [] }]\n  responses: { 200: { description: Fine. } }\n';
    const write = (schemes: string) =>
      Promise.all([
        writeFile(join(directory, 'thing.yaml'), operation),
        writeFile(join(directory, 'schemes.yaml'), 'far: { type: http, scheme: basic }\n'),
        writeFile(
          join(directory, 'api.yaml'),
          [
            'openapi: 3.1.0',
            'info: { title: Files, version: 1 }',
            'paths:',
            '  /thing: { $ref: thing.yaml }',
            'components:',
            '  securitySchemes:',
            `    ${schemes}`,
          ].join('\n'),
        ),
      ]);
    const open = () => createMock({ spec: join(directory, 'api.yaml') });
    await write('other: { $ref: "schemes.yaml#/far" }');
    const [note] = (await open()).document.notes;
    expect(note?.place).toMatch(/api\.yaml: line 4/);
    expect(note?.reason).toBe('no security scheme is called "key"');
    await write('key: { $ref: "schemes.yaml#/far" }');
    const mock = await open();
    expect((await mock.fetch('/thing')).headers.get('www-authenticate')).toBe(BASIC_CHALLENGE);
    await rm(directory, { recursive: true });
  });

  it('is served if no operation asks for the scheme', async () => {
    const mock = await createMock({ spec: thingWith([{ key: [] }], { ...SCHEMES, odd: { type: 'magic' } }) });
    expect((await mock.fetch('/thing')).status).toBe(401);
  });

  it('may leave its security empty', async () => {
    const mock = await createMock({ spec: { ...thingWith(undefined), security: null } });
    expect((await mock.fetch('/thing')).status).toBe(200);
  });
});

describe('the operations of a mock', () => {
  it.each<[Security, string | undefined]>([
    [[{ key: [] }, { bearer: [] }], 'X-API-Key header or Bearer token'],
    [[{ key: [], queryKey: [] }], 'X-API-Key header and api_key query parameter'],
    [[{ cookieKey: [] }, { basic: [] }], 'sid cookie or Basic credentials'],
    [[{ oauth: [] }, { openId: [] }], 'Bearer token'],
    [[{ key: [] }, {}], undefined],
    [[], undefined],
  ])('say what credentials they need: %j', async (security, credentials) => {
    const mock = await createMock({ spec: thingWith(security) });
    expect(mock.operations.map((operation) => operation.credentials)).toEqual([credentials]);
  });
});
