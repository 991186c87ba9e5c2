import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { formatResources } from '../src/cli/routes.ts';
import { createMock, type Mock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import './support/chance.ts';

const documentAt = (name: string) => fileURLToPath(new URL(`./documents/${name}.yaml`, import.meta.url));
const LIBRARY = documentAt('accounts');
const JOURNAL = documentAt('accounts-in-envelopes');
const ROOMS = documentAt('accounts-undeclared');

const ANNA = { email: 'anna@example.com', password: 'opensesame', firstName: 'Anna', lastName: 'Moss' };
const BEN = { email: 'ben@example.com', password: 'letmein', firstName: 'Ben', lastName: 'Reed' };

afterEach(closeAll);

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function bodyOf(response: Response | Promise<Response>): Promise<Record<string, unknown>> {
  const text = await (await response).text();
  return text === '' ? {} : JSON.parse(text);
}

async function logIn(ask: Ask, username: string, password = 'any'): Promise<Tokens> {
  const response = await ask('/auth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

const me = (ask: Ask, token: string, init: RequestInit = {}) =>
  ask('/users/me', { ...init, headers: { ...init.headers, ...bearer(token) } });

/** The message of a failure, whatever the shape of its document. */
async function failureOf(response: Response): Promise<[status: number, message: unknown]> {
  const { detail, message } = await bodyOf(response);
  return [response.status, detail ?? message];
}

describeInProcess('Whoever signs in', ({ open }) => {
  test('is the user who registered, everywhere', async () => {
    const { ask } = await open({ spec: LIBRARY });
    const registered = await ask('/auth/register', json('POST', ANNA));
    const location = registered.headers.get('location') ?? '';
    const { password: _, ...shown } = ANNA;
    const anna = await bodyOf(registered);
    expect([registered.status, anna]).toEqual([201, { id: expect.any(Number), ...shown }]);
    const { accessToken } = await logIn(ask, ANNA.email);
    expect(await bodyOf(me(ask, accessToken))).toEqual(anna);
    expect(await bodyOf(ask(location, { headers: bearer('any') }))).toEqual(anna);
    expect(await bodyOf(ask('/users', { headers: bearer('any') }))).toContainEqual(anna);
  });

  test('keeps what they change about themselves', async () => {
    const { ask } = await open({ spec: LIBRARY });
    await ask('/auth/register', json('POST', ANNA));
    const { accessToken } = await logIn(ask, ANNA.email);
    const changed = await bodyOf(me(ask, accessToken, json('PATCH', { lastName: 'Marsh' })));
    expect(changed).toMatchObject({ firstName: 'Anna', lastName: 'Marsh' });
    expect(await bodyOf(me(ask, accessToken))).toEqual(changed);
    expect(await bodyOf(ask(`/users/${changed.id}`, { headers: bearer('any') }))).toEqual(changed);
  });

  test('is somebody else with another token', async () => {
    const { ask } = await open({ spec: LIBRARY });
    for (const user of [ANNA, BEN]) await ask('/auth/register', json('POST', user));
    const [anna, ben] = [await logIn(ask, ANNA.email), await logIn(ask, BEN.email)];
    expect(await bodyOf(me(ask, anna.accessToken))).toMatchObject({ firstName: 'Anna' });
    expect(await bodyOf(me(ask, ben.accessToken))).toMatchObject({ firstName: 'Ben' });
  });

  test('is the first user with a token that no login issued', async () => {
    const { ask } = await open({ spec: LIBRARY });
    const [first] = (await bodyOf(ask('/users', { headers: bearer('any') }))) as unknown as unknown[];
    expect(await bodyOf(me(ask, 'any'))).toEqual(first);
    expect((await ask('/auth/logout', { method: 'POST', headers: bearer('any') })).status).toBe(204);
    expect(await bodyOf(me(ask, 'any'))).toEqual(first);
  });

  test('is made by a login that nobody registered', async () => {
    const { ask } = await open({ spec: LIBRARY });
    const { accessToken } = await logIn(ask, 'new@example.com');
    const user = await bodyOf(me(ask, accessToken));
    expect(user).toMatchObject({ id: expect.any(Number), email: 'new@example.com' });
    const again = await logIn(ask, 'new@example.com');
    expect(await bodyOf(me(ask, again.accessToken))).toEqual(user);
  });

  test('is refused after the logout, with the tokens of that login alone', async () => {
    const { ask } = await open({ spec: LIBRARY });
    const [one, other] = [await logIn(ask, ANNA.email), await logIn(ask, ANNA.email)];
    expect((await ask('/auth/logout', { method: 'POST', headers: bearer(one.accessToken) })).status).toBe(
      204,
    );
    const refused = [401, 'The token was logged out. Log in again.'];
    const refreshing = json('POST', { refreshToken: one.refreshToken });
    expect(await failureOf(await me(ask, one.accessToken))).toEqual(refused);
    expect(await failureOf(await ask('/users', { headers: bearer(one.accessToken) }))).toEqual(refused);
    expect(await failureOf(await ask('/auth/refresh', refreshing))).toEqual(refused);
    expect((await me(ask, other.accessToken)).status).toBe(200);
    expect((await me(ask, (await logIn(ask, ANNA.email)).accessToken)).status).toBe(200);
  });

  test('is refused once the token has expired by the clock of the session', async () => {
    const { ask, mock } = await open({ spec: LIBRARY });
    mock.clock.freeze('2027-01-01T00:00:00Z');
    const { accessToken, refreshToken } = await logIn(ask, ANNA.email);
    const [, claims = ''] = accessToken.split('.');
    const issued = Date.parse('2027-01-01T00:00:00Z') / 1000;
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(read).toMatchObject({ iat: issued, exp: issued + 3600 });
    mock.clock.advance('PT59M59S');
    expect((await me(ask, accessToken)).status).toBe(200);
    mock.clock.advance('PT1S');
    const refused = [401, 'The token expired at 2027-01-01T01:00:00.000Z. Log in again.'];
    expect(await failureOf(await me(ask, accessToken))).toEqual(refused);
    const renewed = await bodyOf(ask('/auth/refresh', json('POST', { refreshToken })));
    expect((await me(ask, String(renewed.accessToken))).status).toBe(200);
    mock.clock.advance('P30D');
    expect((await ask('/auth/refresh', json('POST', { refreshToken }))).status).toBe(401);
  });

  test('is refused then, though the same answer was given before', async () => {
    const { ask, mock } = await open({ spec: LIBRARY });
    const { accessToken } = await logIn(ask, ANNA.email);
    mock.clock.advance(3_600_000 - 1000);
    for (let round = 0; round < 2; round += 1) expect((await me(ask, accessToken)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await me(ask, accessToken)).status).toBe(401);
  });

  test('is the same user with a refreshed token', async () => {
    const { ask } = await open({ spec: LIBRARY });
    const first = await logIn(ask, ANNA.email);
    const refreshed = await bodyOf(ask('/auth/refresh', json('POST', { refreshToken: first.refreshToken })));
    expect(refreshed).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.any(String),
      token_type: 'bearer',
      expiresIn: 3600,
    });
    expect(refreshed.accessToken).not.toBe(first.accessToken);
    expect(await bodyOf(me(ask, String(refreshed.accessToken)))).toMatchObject({ email: ANNA.email });
  });

  test('is gone after their deletion, and their token with them', async () => {
    const { ask } = await open({ spec: LIBRARY });
    const { accessToken } = await logIn(ask, ANNA.email);
    const { id } = await bodyOf(me(ask, accessToken));
    expect((await me(ask, accessToken, { method: 'DELETE' })).status).toBe(204);
    expect(await failureOf(await me(ask, accessToken))).toEqual([
      401,
      'The user of the token was deleted. Log in as another one.',
    ]);
    expect((await ask(`/users/${id}`, { headers: bearer('any') })).status).toBe(404);
  });

  test('cannot take an e-mail that is taken, where the document declares a 409', async () => {
    const { ask } = await open({ spec: LIBRARY });
    await ask('/auth/register', json('POST', ANNA));
    expect(await failureOf(await ask('/auth/register', json('POST', ANNA)))).toEqual([
      409,
      'There is a user with the email anna@example.com already. Choose another email, or log in.',
    ]);
  });

  test('sees their own token in an envelope, and may change the name by which they log in', async () => {
    const { ask } = await open({ spec: JOURNAL });
    const given = { username: 'jake', email: 'jake@example.com', password: 'jakejake' };
    const registered = await bodyOf(ask('/users', json('POST', { user: given })));
    expect(registered.user).toMatchObject({ username: 'jake', email: 'jake@example.com' });
    const { token } = registered.user as { token: string };
    const own = { headers: { Authorization: `Token ${token}` } };
    expect(await bodyOf(ask('/user', own))).toEqual(registered);
    const renamed = { user: { email: 'jake@example.org' } };
    await ask('/user', json('PUT', renamed, own.headers));
    const login = json('POST', { user: { email: 'jake@example.org', password: 'jakejake' } });
    const { user } = await bodyOf(ask('/users/login', login));
    expect(user).toMatchObject({ username: 'jake', email: 'jake@example.org' });
    expect((user as { token: string }).token).not.toBe(token);
  });

  test('is the author of what they post', async () => {
    const { ask } = await open({ spec: JOURNAL });
    const given = { username: 'jake', email: 'jake@example.com', password: 'jakejake' };
    const { user } = (await bodyOf(ask('/users', json('POST', { user: given })))) as {
      user: { token: string };
    };
    const own = { Authorization: `Token ${user.token}` };
    const article = await bodyOf(ask('/articles', json('POST', { title: 'Tides' }, own)));
    expect(article).toMatchObject({ slug: 'tides', author: { username: 'jake' } });
    const other = await bodyOf(ask('/user', { headers: { Authorization: 'Token any' } }));
    const mine = await bodyOf(
      ask('/articles', json('POST', { title: 'Ebb' }, { Authorization: 'Token any' })),
    );
    expect(mine).toMatchObject({ author: { username: (other.user as { username: string }).username } });
  });

  test('has a session cookie where the document asks for one, and any properties where it asks for none', async () => {
    const { ask } = await open({ spec: ROOMS });
    const { password: _, ...shown } = ANNA;
    const signedUp = await bodyOf(ask('/auth/signup', json('POST', ANNA)));
    expect(signedUp).toEqual({ id: expect.any(Number), ...shown });
    const login = await ask('/auth/login', json('POST', { email: ANNA.email, password: ANNA.password }));
    expect(await bodyOf(login)).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      user: signedUp,
    });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split('; ');
    const own = { headers: { Cookie: cookie } };
    expect(cookie).toMatch(/^session_id=[\w.-]+$/);
    expect(await bodyOf(ask('/auth/me', own))).toEqual(signedUp);
    const out = await ask('/auth/logout', { ...own, method: 'POST' });
    expect(out.headers.get('set-cookie')).toBe('session_id=; Path=/; Max-Age=0');
    expect((await ask('/auth/me', own)).status).toBe(401);
  });
});

describeInProcess('With strictAuth', ({ open }) => {
  test('a wrong password, an unknown name and an unknown token are refused', async () => {
    const { ask } = await open({ spec: LIBRARY, strictAuth: true });
    await ask('/auth/register', json('POST', ANNA));
    const attempt = async (username: string, password: string) => {
      const body = new URLSearchParams({ username, password });
      return failureOf(await ask('/auth/token', { method: 'POST', body }));
    };
    const wrong = [401, 'The name or the password is wrong. Register, or start without --strict-auth.'];
    expect(await attempt(ANNA.email, 'guess')).toEqual(wrong);
    expect(await attempt('nobody@example.com', ANNA.password)).toEqual(wrong);
    const { accessToken } = await logIn(ask, ANNA.email, ANNA.password);
    expect(await bodyOf(me(ask, accessToken))).toMatchObject({ firstName: 'Anna' });
    expect(await failureOf(await me(ask, 'any'))).toEqual([
      401,
      'No login issued this token. Log in, or start without --strict-auth.',
    ]);
  });

  test('nobody takes over an account by registering its name again', async () => {
    const { ask } = await open({ spec: JOURNAL, strictAuth: true });
    const user = { username: 'jake', email: 'jake@example.com', password: 'mine' };
    expect((await ask('/users', json('POST', { user }))).status).toBe(201);
    const again = await ask('/users', json('POST', { user: { ...user, password: 'yours' } }));
    expect([again.status >= 400, again.status < 500]).toEqual([true, true]);
    const login = (password: string) =>
      ask('/users/login', json('POST', { user: { email: user.email, password } }));
    expect((await login('yours')).status).toBe(401);
    expect((await login('mine')).status).toBe(200);
  });

  test('a changed password is the one to log in with', async () => {
    const { ask } = await open({ spec: JOURNAL, strictAuth: true });
    const user = { username: 'jake', email: 'jake@example.com', password: 'old' };
    const registered = (await bodyOf(ask('/users', json('POST', { user })))) as { user: { token: string } };
    const own = { Authorization: `Token ${registered.user.token}` };
    await ask('/user', json('PUT', { user: { password: 'new' } }, own));
    const attempt = (password: string) =>
      ask('/users/login', json('POST', { user: { email: user.email, password } }));
    expect((await attempt('old')).status).toBe(401);
    expect((await attempt('new')).status).toBe(200);
  });
});

describe('Who signs in', () => {
  const USER = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, email: { type: 'string' } },
  };
  const PASSWORD = {
    type: 'object',
    properties: { email: { type: 'string' }, password: { type: 'string' } },
  };
  const post = (schema: object, answer: object = { 200: { description: 'Fine.' } }) => ({
    post: { requestBody: { content: { 'application/json': { schema } } }, responses: answer },
  });
  const get = (answer: object) => ({ get: { responses: answer } });

  test('are different users where each login has a path of its own', async () => {
    const mock = await createMock({
      spec: documentOf({
        '/admin/login': post(PASSWORD),
        '/admin/me': get(jsonAnswer(USER)),
        '/shop/login': post(PASSWORD),
        '/shop/me': get(jsonAnswer({ ...USER, required: ['id', 'email'] })),
      }),
    });
    const { resources } = mock;
    expect(resources.map(({ name }) => name)).toEqual(['admin.users', 'shop.users']);
    const credentials = { email: 'anna@example.com', password: 'x' };
    const { access_token } = await bodyOf(mock.fetch('/shop/login', json('POST', credentials)));
    const own = { headers: bearer(String(access_token)) };
    expect(await bodyOf(mock.fetch('/shop/me', own))).toMatchObject({ email: 'anna@example.com' });
    expect(await bodyOf(mock.fetch('/admin/me', own))).not.toMatchObject({ email: 'anna@example.com' });
  });

  test('are named by Basic credentials too', async () => {
    const spec = {
      ...documentOf(
        {
          '/users': {
            ...get(jsonAnswer({ type: 'array', items: USER })),
            ...post(PASSWORD, { 201: jsonAnswer(USER)[200 as never] }),
          },
          '/users/{id}': {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            ...get(jsonAnswer(USER)),
          },
          '/me': get(jsonAnswer(USER)),
        },
        { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
      ),
      security: [{ basic: [] }],
    };
    const mock = await createMock({ spec });
    const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` });
    const given = { email: 'anna@example.com', password: 'x' };
    const made = await bodyOf(mock.fetch('/users', json('POST', given, basic('a:b'))));
    expect(made).toEqual({ id: 11, email: 'anna@example.com' });
    const own = basic('anna@example.com:x');
    expect(await bodyOf(mock.fetch('/me', { headers: own }))).toEqual(made);
    expect(await bodyOf(mock.fetch('/me', { headers: basic('who:x') }))).toMatchObject({ id: 1 });
  });

  test('are listed among the resources', async () => {
    const text = formatResources(await createMock({ spec: ROOMS }));
    expect(text).toContain('GET /auth/me is for users, and no operation on a collection creates them');
    expect(text).toContain('read, create, login, logout');
  });

  test('keep their tokens over a reload, and lose them by a reset', async () => {
    const mock = await createMock({ spec: LIBRARY });
    const ask: Ask = (path, init) => mock.fetch(path, init);
    const { accessToken } = await logIn(ask, ANNA.email);
    await mock.reload({ spec: LIBRARY, delay: 0 });
    expect(await bodyOf(me(ask, accessToken))).toMatchObject({ email: ANNA.email });
    mock.reset();
    expect(await bodyOf(me(ask, accessToken))).not.toMatchObject({ email: ANNA.email });
  });
});

/** Texts with which header, key and token handling has trouble. */
const names = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    '',
    ' ',
    '../..',
    '%00',
    'é€😀',
    '\ud800',
    'a'.repeat(5000),
    '1',
    '0',
    'null',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

describe('Whatever a client calls itself', () => {
  test('no two names share a user, and every token leads back to its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(names, { minLength: 2, maxLength: 5 }), async (all) => {
        const mock = await createMock({ spec: ROOMS });
        const tokens = new Map<string, string>();
        for (const username of all.filter((name) => name !== '')) {
          const response = await mock.fetch('/auth/login', json('POST', { username, password: username }));
          expect(response.status).toBe(200);
          tokens.set(username, (await bodyOf(response)).access_token as string);
        }
        const ids = new Set<unknown>();
        for (const [, token] of tokens) ids.add((await bodyOf(mock.fetch('/auth/me', withCookie(token)))).id);
        expect(ids.size).toBe(tokens.size);
      }),
      { numRuns: 40 },
    );
  });

  test('no credentials end in a failure of the server', async () => {
    const mocks = await Promise.all(
      [true, false].map((strictAuth) => createMock({ spec: LIBRARY, strictAuth })),
    );
    const schemes = fc.constantFrom('Bearer ', 'bearer  ', 'Basic ', 'Token ', '', 'Digest ');
    const values = fc.oneof(
      fc.stringMatching(/^[ -~]{0,60}$/),
      names.map((name) => Buffer.from(name).toString('base64')),
    );
    await fc.assert(
      fc.asyncProperty(schemes, values, fc.constantFrom(...mocks), async (scheme, value, mock) => {
        const headers = { Authorization: (scheme + value).trim() };
        for (const [method, path] of SIGNED) {
          const { status } = await mock.fetch(path, { method, headers });
          expect([path, status < 500]).toEqual([path, true]);
        }
      }),
      { numRuns: 200 },
    );
  });
});

const SIGNED = [
  ['GET', '/users/me'],
  ['POST', '/auth/logout'],
  ['GET', '/users'],
  ['DELETE', '/users/me'],
] as const;

function withCookie(token: string): Parameters<Mock['fetch']>[1] {
  return { headers: { Cookie: `session_id=${token}` } };
}
