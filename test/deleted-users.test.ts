import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

const TEXT = { type: 'string' };
const USER = { type: 'object', required: ['username'], properties: { username: TEXT, city: TEXT } };
const REGISTRATION = { ...USER, properties: { ...USER.properties, password: TEXT } };
const LOGIN = {
  type: 'object',
  required: ['username', 'password'],
  properties: { username: TEXT, password: TEXT },
};
const TOKENS = { type: 'object', required: ['token'], properties: { token: TEXT, refreshToken: TEXT } };

/** Users whose key is the name by which they sign in. */
function toSpec(user: object = USER): object {
  const body = (schema: object) => ({
    requestBody: { required: true, content: { 'application/json': { schema } } },
  });
  const username = { name: 'username', in: 'path', required: true, schema: TEXT };
  const security = [{ bearer: [] }];
  const content = { 'application/json': { schema: user } };
  const made = { 201: { description: 'Made.', content }, 409: { description: 'Taken.' } };
  const document = documentOf({
    '/users': {
      get: { responses: jsonAnswer({ type: 'array', items: user }) },
      post: { ...body(REGISTRATION), responses: made },
    },
    '/users/{username}': {
      parameters: [username],
      get: { responses: jsonAnswer(user) },
      delete: { responses: { 204: { description: '' } } },
    },
    '/users/me': {
      get: { security, responses: jsonAnswer(user) },
      delete: { security, responses: { 204: { description: '' } } },
    },
    '/auth/login': { post: { ...body(LOGIN), responses: jsonAnswer(TOKENS) } },
    '/auth/refresh': {
      post: {
        ...body({ type: 'object', required: ['refreshToken'], properties: { refreshToken: TEXT } }),
        responses: jsonAnswer(TOKENS),
      },
    },
  });
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
  return { ...document, components: { securitySchemes } };
}

const register = (ask: Ask, username: string, password: string) =>
  ask('/users', json('POST', { username, password, city: 'Oslo' }));

const logIn = (ask: Ask, username: string, password: string) =>
  ask('/auth/login', json('POST', { username, password }));

const me = (ask: Ask, token: string, method = 'GET') =>
  ask('/users/me', { method, headers: { Authorization: `Bearer ${token}` } });

async function tokensOf(response: Response): Promise<{ token: string; refreshToken: string }> {
  expect(response.status).toBe(200);
  return (await response.json()) as { token: string; refreshToken: string };
}

type Delete = (ask: Ask, token: string, mock: Mock) => Promise<unknown>;

const others = { username: 'ben', city: 'Rome' };

const WAYS: readonly (readonly [way: string, remove: Delete])[] = [
  ['a DELETE', (ask) => ask('/users/anna', { method: 'DELETE' })],
  ['a DELETE of the current user', (ask, token) => me(ask, token, 'DELETE')],
  ['the control API, by entity', (ask) => ask('/__mock/state/users/anna', { method: 'DELETE' })],
  ['the control API, by list', (ask) => ask('/__mock/state/users', json('PUT', [others]))],
  ['the control API, as a whole', (ask) => ask('/__mock/state', json('PUT', { users: [others] }))],
  ['an empty list', (ask) => ask('/__mock/state/users', json('PUT', []))],
  ['a seed', (_, __, mock) => mock.seed({ users: [others] })],
];

describeInProcess('A user who is deleted', ({ open }) => {
  test.each(WAYS)('does not live on in the next one of that name: %s', async (_, remove) => {
    const { ask, mock } = await open({ spec: toSpec(), strictAuth: true, empty: true });
    for (const name of ['anna', 'ben']) expect((await register(ask, name, `${name}-old`)).status).toBe(201);
    const anna = await tokensOf(await logIn(ask, 'anna', 'anna-old'));
    const ben = await tokensOf(await logIn(ask, 'ben', 'ben-old'));
    const removed = await remove(ask, anna.token, mock);
    if (removed instanceof Response) expect(removed.status).toBeLessThan(300);
    expect((await logIn(ask, 'anna', 'anna-old')).status).toBe(401);
    expect((await me(ask, anna.token)).status).toBe(401);
    expect((await register(ask, 'anna', 'anna-new')).status).toBe(201);
    expect((await logIn(ask, 'anna', 'anna-old')).status).toBe(401);
    expect((await me(ask, anna.token)).status).toBe(401);
    const { refreshToken } = anna;
    expect((await ask('/auth/refresh', json('POST', { refreshToken }))).status).toBe(401);
    const { token } = await tokensOf(await logIn(ask, 'anna', 'anna-new'));
    expect(await (await me(ask, token)).json()).toMatchObject({ username: 'anna' });
    const hasBen = (await ask('/users/ben')).status === 200;
    expect((await me(ask, ben.token)).status).toBe(hasBen ? 200 : 401);
    expect((await logIn(ask, 'ben', 'ben-old')).status).toBe(hasBen ? 200 : 401);
  });

  test('is not the next one without strictAuth either', async () => {
    const { ask } = await open({ spec: toSpec(), empty: true });
    const { token } = await tokensOf(await logIn(ask, 'anna', 'old'));
    await ask('/users/anna', { method: 'DELETE' });
    await register(ask, 'anna', 'new');
    expect((await me(ask, token)).status).toBe(401);
  });

  test('is back with a snapshot, and what they signed in with', async () => {
    const { ask, mock } = await open({ spec: toSpec(), strictAuth: true, empty: true });
    await register(ask, 'anna', 'old');
    const { token } = await tokensOf(await logIn(ask, 'anna', 'old'));
    mock.snapshot('before');
    await ask('/users/anna', { method: 'DELETE' });
    mock.restore('before');
    expect((await me(ask, token)).status).toBe(200);
    expect((await logIn(ask, 'anna', 'old')).status).toBe(200);
  });
});

describe('A user who is not deleted', () => {
  test('stays signed in where a list that has them is replaced', async () => {
    const mock = await createMock({ spec: toSpec(), strictAuth: true, empty: true });
    await register(mock.fetch, 'anna', 'old');
    const { token } = await tokensOf(await logIn(mock.fetch, 'anna', 'old'));
    await mock.seed({ users: [others, { username: 'anna', city: 'Bonn' }] });
    expect(await (await me(mock.fetch, token)).json()).toEqual({ username: 'anna', city: 'Bonn' });
    expect((await logIn(mock.fetch, 'anna', 'old')).status).toBe(200);
  });
});

test('A user whom a reload drops does not live on', async () => {
  const mock = await createMock({ spec: toSpec(), strictAuth: true, empty: true });
  await register(mock.fetch, 'anna', 'old');
  const { token } = await tokensOf(await logIn(mock.fetch, 'anna', 'old'));
  const city = { type: 'string', enum: ['Rome'] };
  const narrow = { ...USER, properties: { ...USER.properties, city } };
  const dropped = await mock.reload({ spec: toSpec(narrow), strictAuth: true, empty: true });
  expect(dropped).toEqual([expect.stringContaining('user anna')]);
  await mock.reload({ spec: toSpec(), strictAuth: true, empty: true });
  expect((await me(mock.fetch, token)).status).toBe(401);
  expect((await register(mock.fetch, 'anna', 'new')).status).toBe(201);
  expect((await logIn(mock.fetch, 'anna', 'old')).status).toBe(401);
  expect((await me(mock.fetch, token)).status).toBe(401);
});

test('A user whom somebody removes from the state file does not live on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
  try {
    const state = join(folder, 'state.json');
    const options = { spec: toSpec(), strictAuth: true, empty: true, state };
    const before = await createMock(options);
    await register(before.fetch, 'anna', 'old');
    const { token } = await tokensOf(await logIn(before.fetch, 'anna', 'old'));
    await before.close();
    const written = JSON.parse(await readFile(state, 'utf8')) as Record<string, unknown>;
    await writeFile(state, JSON.stringify({ ...written, users: [] }));
    await using mock = await createMock(options);
    expect((await register(mock.fetch, 'anna', 'new')).status).toBe(201);
    expect((await logIn(mock.fetch, 'anna', 'old')).status).toBe(401);
    expect((await me(mock.fetch, token)).status).toBe(401);
  } finally {
    await rm(folder, { recursive: true });
  }
});
