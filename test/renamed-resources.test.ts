import { afterEach, expect, test } from 'vitest';
import type { Mock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { INTEGER, inPath, TEXT, toCrud, toDocument, toObject } from './support/small-documents.ts';

afterEach(closeAll);

const BOOK = toObject({ id: INTEGER, title: TEXT }, 'id');

const toSpec = (book: typeof BOOK, ...names: string[]) =>
  toDocument(
    Object.assign(
      {},
      ...names.map((name) => toCrud(`/${name}`, inPath('id'), book, { input: toObject({ title: TEXT }) })),
    ),
  );

const BOOKS = toSpec(BOOK, 'books');
const NOVELS = toSpec(BOOK, 'novels');
const COME_BACK = 'come back once the document has it again';

async function read(ask: Ask, path: string): Promise<unknown> {
  const answer = await ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

const titlesOf = async (ask: Ask, path = '/books') =>
  ((await read(ask, path)) as { title?: string }[]).map(({ title }) => title);

describeAdapters('A path that is renamed and renamed back', ({ open }) => {
  const FIXTURES = {
    books: [
      { id: 1, title: 'Emma' },
      { id: 2, title: 'Ada' },
      { id: 3, title: 'Middlemarch' },
    ],
  };

  async function openChanged(): Promise<{ ask: Ask; mock: Mock }> {
    const opened = await open({ spec: BOOKS, fixtures: FIXTURES });
    const { ask } = opened;
    await ask('/books/1', json('PATCH', { title: 'Emma Woodhouse' }));
    await ask('/books/2', { method: 'DELETE' });
    for (const title of ['Villette', 'Persuasion']) await ask('/books', json('POST', { title }));
    await ask('/books/5', { method: 'DELETE' });
    return opened;
  }

  const CHANGED = ['Emma Woodhouse', 'Middlemarch', 'Villette'];

  test('has its changes again, and its fixtures as they are now', async () => {
    const { ask, mock } = await openChanged();
    expect(await titlesOf(ask)).toEqual(CHANGED);
    expect(await mock.reload({ spec: NOVELS, empty: true })).toEqual([
      `3 changed books: the document has no such resource any more. They ${COME_BACK}`,
    ]);
    const books = FIXTURES.books.with(2, { id: 3, title: 'Silas Marner' });
    expect(await mock.reload({ spec: BOOKS, fixtures: { books } })).toEqual([]);
    expect(await titlesOf(ask)).toEqual(CHANGED.with(1, 'Silas Marner'));
    const made = await ask('/books', json('POST', { title: 'Cranford' }));
    expect(made.headers.get('Location')).toBe('/books/6');
  });

  test('has them after several reloads too, whatever happens under the other name', async () => {
    const { ask, mock } = await openChanged();
    await mock.reload({ spec: NOVELS, empty: true });
    await ask('/novels', json('POST', { title: 'Ulysses' }));
    expect(await mock.reload({ spec: NOVELS, empty: true })).toEqual([]);
    expect(await mock.reload({ spec: BOOKS, fixtures: FIXTURES })).toEqual([
      `1 changed novels: the document has no such resource any more. It comes${COME_BACK.slice(4)}`,
    ]);
    expect(await titlesOf(ask)).toEqual(CHANGED);
    await ask('/books/3', { method: 'DELETE' });
    await mock.reload({ spec: NOVELS, empty: true });
    expect(await titlesOf(ask, '/novels')).toEqual(['Ulysses']);
    expect(await mock.reload({ spec: toSpec(BOOK, 'books', 'novels'), fixtures: FIXTURES })).toEqual([]);
    expect(await titlesOf(ask)).toEqual(CHANGED.toSpliced(1, 1));
    expect(await titlesOf(ask, '/novels')).toEqual(['Ulysses']);
  });

  test('loses those that no longer fit', async () => {
    const { ask, mock } = await openChanged();
    await mock.reload({ spec: NOVELS, empty: true });
    const short = toObject({ id: INTEGER, title: { ...TEXT, maxLength: 11 } }, 'id');
    expect(await mock.reload({ spec: toSpec(short, 'books'), fixtures: FIXTURES })).toEqual([
      expect.stringMatching(/^book 1: /),
    ]);
    expect(await titlesOf(ask)).toEqual(['Emma', 'Middlemarch', 'Villette']);
  });

  test.each<[what: string, replace: (ask: Ask, mock: Mock) => unknown]>([
    ['reset', (_, mock) => mock.reset()],
    ['replaced as a whole', (ask) => ask('/__mock/state', json('PUT', { novels: [] }))],
    ['restored', (_, mock) => mock.restore('other')],
  ])('does not have them once the state was %s', async (_, replace) => {
    const { ask, mock } = await openChanged();
    await mock.reload({ spec: NOVELS, empty: true });
    mock.snapshot('other');
    await replace(ask, mock);
    await mock.reload({ spec: BOOKS, fixtures: FIXTURES });
    expect(await titlesOf(ask)).toEqual(['Emma', 'Ada', 'Middlemarch']);
  });

  test('has them in each session, also in one that nobody used meanwhile', async () => {
    const { mock } = await open({ spec: BOOKS, empty: true });
    const [used, unused] = [mock.session('used'), mock.session('unused')];
    for (const session of [used, unused])
      await session.fetch('/books', json('POST', { title: session.name }));
    await mock.reload({ spec: NOVELS, empty: true });
    expect(await titlesOf(used.fetch, '/novels')).toEqual([]);
    await mock.reload({ spec: BOOKS, empty: true });
    for (const session of [used, unused]) expect(await titlesOf(session.fetch)).toEqual([session.name]);
  });
});

describeAdapters('Users whose path is renamed and renamed back', ({ open }) => {
  test('are still signed in', async () => {
    const user = toObject({ id: INTEGER, username: TEXT }, 'id');
    const login = toObject({ username: TEXT, password: TEXT }, 'username', 'password');
    const security = [{ bearer: [] }];
    const bearer = { type: 'http', scheme: 'bearer' };
    const toPaths = (users: string) => {
      const { '/login': signIn, '/users/me': me } = toDocumentPaths(user, login, security);
      return users === 'users'
        ? { ...toCrud('/users', inPath('id'), user), '/login': signIn, '/users/me': me }
        : toCrud('/books', inPath('id'), user);
    };
    const toUsers = (users: string) => ({
      ...toDocument(toPaths(users)),
      components: { securitySchemes: { bearer } },
    });
    const options = { empty: true, strictAuth: true };
    const { ask, mock } = await open({ spec: toUsers('users'), ...options, strictAuth: false });
    const answer = await ask('/login', json('POST', { username: 'anna', password: 'old' }));
    const { token } = (await answer.json()) as { token: string };
    const own = { headers: { Authorization: `Bearer ${token}` } };
    await mock.reload({ spec: toUsers('books'), ...options });
    expect((await ask('/users/me', own)).status).toBe(404);
    await mock.reload({ spec: toUsers('users'), ...options });
    expect(await (await ask('/users/me', own)).json()).toMatchObject({ username: 'anna' });
    const logIn = async (password: string) =>
      (await ask('/login', json('POST', { username: 'anna', password }))).status;
    expect([await logIn('old'), await logIn('other')]).toEqual([200, 401]);
  });
});

function toDocumentPaths(user: typeof BOOK, login: typeof BOOK, security: readonly object[]) {
  const answer = (schema: unknown) => ({
    200: { description: '', content: { 'application/json': { schema } } },
  });
  const content = { 'application/json': { schema: login } };
  return {
    '/login': {
      post: {
        requestBody: { required: true, content },
        responses: answer(toObject({ token: TEXT }, 'token')),
      },
    },
    '/users/me': { get: { security, responses: answer(user) } },
  };
}
