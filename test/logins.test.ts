import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import './support/chance.ts';
import { openService } from './support/services.ts';
import { INTEGER, inPath, TEXT, toCrud, toList, toObject } from './support/small-documents.ts';

afterEach(closeAll);

const USER = toObject({ id: INTEGER, username: TEXT }, 'id');
const BOOK = toObject({ id: INTEGER, title: TEXT }, 'id');

/** Users who sign in, and books that anybody may read. */
function toSpec(token: object = TEXT): object {
  const security = [{ bearer: [] }];
  const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
  const tokens = toObject({ token, refreshToken: token }, 'token', 'refreshToken');
  const login = toObject({ username: TEXT, password: TEXT }, 'username', 'password');
  const paths = {
    ...toCrud('/books', inPath('id'), BOOK, { input: toObject({ title: TEXT }) }),
    '/users': { get: { responses: jsonAnswer(toList(USER)) } },
    '/users/{id}': {
      parameters: [inPath('id')],
      get: { responses: jsonAnswer(USER) },
      delete: { responses: { 204: { description: '' } } },
    },
    '/users/me': { get: { security, responses: jsonAnswer(USER) } },
    '/auth/login': { post: { requestBody: body(login), responses: jsonAnswer(tokens) } },
    '/auth/refresh': {
      post: {
        requestBody: body(toObject({ refreshToken: TEXT }, 'refreshToken')),
        responses: jsonAnswer(tokens),
      },
    },
    '/auth/logout': { post: { security, responses: { 204: { description: '' } } } },
  };
  return documentOf(paths, { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } });
}

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

async function logIn(ask: Ask, username: string): Promise<Tokens> {
  const answer = await ask('/auth/login', json('POST', { username, password: 'any' }));
  expect(answer.status).toBe(200);
  return (await answer.json()) as Tokens;
}

const by = (token: string, more: object = {}) => ({ headers: { Authorization: `Bearer ${token}`, ...more } });

const FORMS: readonly (readonly [form: string, token: object])[] = [
  ['JSON Web Tokens', TEXT],
  ['other texts', { ...TEXT, format: 'uuid' }],
];

describeInProcess('A login that has expired', ({ open }) => {
  test.each(FORMS)('makes room for later ones once there are many: %s', async (_, token) => {
    const { ask, mock } = await open({ spec: toSpec(token), empty: true, strictAuth: false });
    mock.clock.freeze('2027-01-01T00:00:00Z');
    const first = await logIn(ask, 'anna');
    for (let count = 0; count < 1000; count++) await logIn(ask, 'ben');
    mock.clock.advance('P31D');
    const second = await logIn(ask, 'carl');
    const statusOf = async ({ token: text }: Tokens) => (await ask('/users/me', by(text))).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([token === TEXT ? 401 : 200, 200]);
    mock.clock.freeze('2027-01-01T00:00:00Z');
    expect(await statusOf(first)).toBe(token === TEXT ? 401 : 200);
    const { refreshToken } = first;
    const refreshed = await ask('/auth/refresh', json('POST', { refreshToken }));
    expect(refreshed.status).toBe(token === TEXT ? 401 : 200);
  });

  test('of few is remembered, so that the clock may go back', async () => {
    const { ask, mock } = await open({ spec: toSpec(), empty: true, strictAuth: true });
    mock.clock.freeze('2027-01-01T00:00:00Z');
    await mock.seed({ users: [{ id: 1, username: 'anna' }] });
    const { token } = await logIn(ask, 'anna');
    mock.clock.advance('P31D');
    await logIn(ask, 'anna');
    expect((await ask('/users/me', by(token))).status).toBe(401);
    mock.clock.freeze('2027-01-01T00:00:00Z');
    expect((await ask('/users/me', by(token))).status).toBe(200);
  });
});

describe('A token', () => {
  test('of another mock is none of this one, though it has the number of a login here', async () => {
    const [one, other] = (await Promise.all(
      [0, 1].map(() => createMock({ spec: toSpec(), empty: true, now: '2027-01-01T00:00:00Z' })),
    )) as [Mock, Mock];
    for (const mock of [one, other]) mock.clock.freeze();
    await logIn(one.fetch, 'anna');
    await logIn(one.fetch, 'ben');
    other.clock.advance(1000);
    await logIn(other.fetch, 'anna');
    const { token } = await logIn(other.fetch, 'ben');
    // Unknown tokens are those of the first user.
    expect(await (await one.fetch('/users/me', by(token))).json()).toMatchObject({ username: 'anna' });
  });

  test.each<[what: string, change: (token: string) => string]>([
    ['with another signature', (token) => `${token.slice(0, -2)}AA`],
    ['without one', (token) => token.replace(/[^.]*$/, '')],
    ['with other claims', (token) => token.replace(/\.\w/, (text) => `.${text === '.f' ? 'e' : 'f'}`)],
    ['that ends after its head', (token) => token.replace(/\..*/, '')],
    ['with a fourth part', (token) => `${token}.x`],
  ])('is unknown %s', async (_, change) => {
    const mock = await createMock({ spec: toSpec(), empty: true, strictAuth: true });
    await mock.seed({ users: [{ id: 1, username: 'anna' }] });
    const { token } = await logIn(mock.fetch, 'anna');
    expect((await mock.fetch('/users/me', by(token))).status).toBe(200);
    expect((await mock.fetch('/users/me', by(change(token)))).status).toBe(401);
  });
});

describe('A login', () => {
  test('leaves the answers as they are that do not depend on it, and no others', async () => {
    const { sessions, ask } = await openService({ spec: toSpec(), empty: true });
    const { answers } = sessions.use();
    const send = async (
      method: string,
      path: string,
      body?: object,
      headers: Record<string, string> = {},
    ) => {
      const type = { 'content-type': 'application/json' };
      const { response } = await ask({
        ...{ method, path, query: '', origin: undefined, headers: { ...(body && type), ...headers } },
        body: body && Buffer.from(JSON.stringify(body)),
      });
      return { status: response.status, body: String(response.body ?? '') };
    };
    const signIn = async () => {
      const { body } = await send('POST', '/auth/login', { username: 'anna', password: 'any' });
      return { authorization: `Bearer ${(JSON.parse(body) as Tokens).token}` };
    };
    const own = await signIn();
    const other = await signIn();
    const paths = ['/books', '/users', '/users/1', '/users/me'];
    const readAll = async () => {
      // An answer is kept once it is given a second time.
      for (const path of [...paths, ...paths]) await send('GET', path, undefined, own);
      return paths.map((path) => answers.get(path));
    };
    const first = await readAll();
    expect(first.every((answer) => answer?.response.status === 200)).toBe(true);
    expect(await readAll()).toEqual(first);
    const areSame = async () => {
      const before = paths.map((path) => answers.get(path));
      const after = await readAll();
      return paths.map((_, index) => after[index] === before[index]);
    };
    expect(await areSame()).toEqual([true, true, true, true]);
    await signIn();
    expect(await areSame()).toEqual([true, true, true, false]);
    await send('POST', '/auth/logout', undefined, other);
    expect(await areSame()).toEqual([true, true, true, false]);
    await send('POST', '/auth/logout', undefined, own);
    expect((await send('GET', '/users/me', undefined, own)).status).toBe(401);
    await send('POST', '/books', { title: 'Emma' });
    expect(await areSame()).toEqual([false, false, false, true]);
  });
});

const USERS = ['anna', 'ben', 'carl'];
const START = Date.parse('2027-01-01T00:00:00Z');
const HOUR = 3_600_000;
const KINDS = [
  'login',
  'logout',
  'refresh',
  'advance',
  'back',
  'book',
  'leave',
  ...Array.from({ length: 8 }, () => 'get' as const),
] as const;

interface Command {
  readonly kind: (typeof KINDS)[number];
  readonly which: number;
  readonly path: string;
}

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(...KINDS),
  which: fc.nat(3),
  path: fc.constantFrom('/users/me', '/users/me', '/users/me', '/users', '/users/1', '/books', '/books/1'),
});

interface Login extends Tokens {
  readonly user: string;
  readonly at: number;
  hasEnded: boolean;
}

/** Two mocks that are asked the same, and the logins as they are to be. */
class Twins {
  readonly #mocks: readonly Mock[];
  readonly #logins: Login[] = [];
  readonly #left = new Set<string>();
  #now = START;
  #serial = 0;

  constructor(mocks: readonly Mock[]) {
    this.#mocks = mocks;
    this.#setClock(START);
  }

  async apply(command: Command): Promise<void> {
    const { kind, which } = command;
    const login = this.#logins[which % Math.max(this.#logins.length, 1)];
    if (kind === 'login') await this.#logIn(USERS[which % USERS.length] as string);
    else if (kind === 'advance') this.#setClock(this.#now + which * 0.6 * HOUR);
    else if (kind === 'back') this.#setClock(START);
    else if (kind === 'book') await this.#ask('/books', json('POST', { title: `Book ${which}` }));
    else if (kind === 'leave' && which === 0) await this.#leave();
    else if (kind === 'get') await this.#get(command.path, login);
    else if (kind === 'logout' && login) await this.#logOut(login);
    else if (kind === 'refresh' && login) await this.#refresh(login);
  }

  #setClock(now: number): void {
    this.#now = now;
    for (const mock of this.#mocks) mock.clock.freeze(new Date(now));
  }

  /** The second mock never gets an equal request, so it repeats no answer. */
  async #ask(
    path: string,
    init: RequestInit & { headers?: object } = {},
  ): Promise<[status: number, text: string]> {
    this.#serial += 1;
    const answers = this.#mocks.map(async (mock, index): Promise<[number, string]> => {
      const headers = { ...init.headers, ...(index === 1 && { 'X-Serial': String(this.#serial) }) };
      const answer = await mock.fetch(path, { ...init, headers });
      return [answer.status, await answer.text()];
    });
    const [repeated, made] = (await Promise.all(answers)) as [[number, string], [number, string]];
    expect([path, repeated]).toEqual([path, made]);
    return repeated;
  }

  async #logIn(user: string): Promise<void> {
    if (this.#left.has(user)) return;
    const [status, text] = await this.#ask('/auth/login', json('POST', { username: user, password: 'a' }));
    expect(status).toBe(200);
    this.#add(user, text);
  }

  async #logOut(login: Login): Promise<void> {
    const wasValid = this.#isValid(login, HOUR);
    const [status] = await this.#ask('/auth/logout', { method: 'POST', ...by(login.token) });
    expect(status).toBe(wasValid ? 204 : 401);
    if (wasValid) login.hasEnded = true;
  }

  async #refresh(login: Login): Promise<void> {
    const { refreshToken } = login;
    const isValid = this.#isValid(login, 30 * 24 * HOUR);
    const [status, text] = await this.#ask('/auth/refresh', json('POST', { refreshToken }));
    expect(status).toBe(isValid ? 200 : 401);
    if (isValid) this.#add(login.user, text);
  }

  async #leave(): Promise<void> {
    await this.#ask('/users/3', { method: 'DELETE' });
    this.#left.add('carl');
  }

  async #get(path: string, login: Login | undefined): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const [status, text] = await this.#ask(path, login ? by(login.token) : {});
      if (path !== '/users/me' || !login) continue;
      const isValid = this.#isValid(login, HOUR);
      expect(status).toBe(isValid ? 200 : 401);
      if (isValid) expect(JSON.parse(text)).toMatchObject({ username: login.user });
    }
  }

  #add(user: string, text: string): void {
    this.#logins.push({ ...(JSON.parse(text) as Tokens), user, at: this.#now, hasEnded: false });
  }

  #isValid({ user, at, hasEnded }: Login, lifetime: number): boolean {
    return !hasEnded && !this.#left.has(user) && this.#now < at + lifetime;
  }
}

test('Whatever signs in and out, an answer that is repeated is the one that would be made anew', async () => {
  const commands = fc.array(command, { minLength: 20, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(
      commands,
      fc.constantFrom(...FORMS),
      fc.boolean(),
      async (all, [, token], strictAuth) => {
        const options = { spec: toSpec(token), empty: true, strictAuth };
        const mocks = await Promise.all([createMock(options), createMock(options)]);
        const users = USERS.map((username, index) => ({ id: index + 1, username }));
        for (const mock of mocks) await mock.seed({ users });
        const twins = new Twins(mocks);
        for (const each of all) await twins.apply(each);
      },
    ),
    { numRuns: 40 },
  );
});
