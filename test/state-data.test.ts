import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { answerOf, create, idsOf } from './support/asking.ts';
import { INTEGER, inPath, TEXT, toCrud, toDocument, toObject } from './support/small-documents.ts';

const POST = toObject({ id: INTEGER, title: TEXT, userId: INTEGER }, 'id', 'title');
const COMMENT = toObject({ id: INTEGER, text: TEXT }, 'id');
const BLOG = toDocument({
  ...toCrud('/users', inPath('userId'), toObject({ id: INTEGER, name: TEXT }, 'id')),
  ...toCrud('/users/{userId}/posts', inPath('postId'), POST, {
    input: toObject({ id: INTEGER, title: TEXT }, 'title'),
    above: [inPath('userId')],
  }),
  ...toCrud('/users/{userId}/posts/{postId}/comments', inPath('commentId'), COMMENT, {
    input: toObject({ text: TEXT }),
    above: [inPath('userId'), inPath('postId')],
  }),
});
const REGIONS = toDocument(
  toCrud('/{region}/pets', inPath('id', TEXT), toObject({ id: TEXT, name: TEXT }, 'id'), {
    above: [inPath('region', TEXT)],
  }),
);

const DOCUMENTS = join(import.meta.dirname, 'documents');

afterEach(closeAll);

const stateOf = async (ask: Ask) =>
  (await (await ask('/__mock/state')).json()) as Record<string, { id: number }[]>;
const send = async (ask: Ask, method: string, path: string, body?: unknown) => {
  const response = await ask(path, body === undefined ? { method } : json(method, body));
  const text = await response.text();
  return [response.status, text === '' ? undefined : JSON.parse(text)] as const;
};

describeInProcess('The state as data', ({ open }) => {
  test('has the shape of fixtures, in code and over HTTP', async () => {
    const { ask, mock } = await open();
    const state = await stateOf(ask);
    expect(Object.keys(state).sort()).toEqual(['categories', 'inventory', 'orders', 'pets']);
    expect(state.pets?.map(({ id }) => id)).toEqual(await idsOf(ask, '/pets?limit=100'));
    expect(await mock.state()).toEqual(state);
    expect(await send(ask, 'GET', '/__mock/state/categories')).toEqual([200, state.categories]);
    expect(await send(ask, 'GET', '/__mock/state/pets/3')).toEqual([200, state.pets?.[2]]);
    expect(mock.diff()).toEqual({ added: [], removed: [], changed: [] });
  });

  test('of a session is its own', async () => {
    const { ask, mock } = await open();
    await mock.session('one').seed({ pets: [] });
    expect((await mock.session('one').state()).pets).toEqual([]);
    expect((await stateOf(ask)).pets).toHaveLength(28);
    expect(await send(ask, 'GET', '/__mock/sessions/one/__mock/state/pets')).toEqual([200, []]);
  });

  test('has entities that are made up at their first use', async () => {
    const { ask } = await open({ spec: BLOG });
    const state = await stateOf(ask);
    expect(state.users?.map(({ id }) => id)).toEqual(await idsOf(ask, '/users'));
    expect(state['posts@users/1']?.map(({ id }) => id)).toEqual(await idsOf(ask, '/users/1/posts'));
  });

  test('names lists below others by their parents', async () => {
    const { ask } = await open({ spec: BLOG, empty: true });
    const [user] = [await create(ask, '/users', { id: 3, name: 'Ada' })];
    const post = await create(ask, '/users/3/posts', { title: 'Tea' });
    const comment = await create(ask, `/users/3/posts/${post.id}/comments`, { text: 'Yes' });
    expect(await stateOf(ask)).toEqual({
      users: [user],
      'posts@users/3': [post],
      [`comments@users/3/posts/${post.id}`]: [comment],
    });
    expect(await send(ask, 'GET', '/__mock/state/posts@users%2F3')).toEqual([200, [post]]);
    expect(await send(ask, 'GET', `/__mock/state/posts@users%2F3/${post.id}`)).toEqual([200, post]);
    expect(await send(ask, 'GET', '/__mock/state/posts@users%2F4')).toEqual([200, []]);
  });

  test.each(['a', 'a/b', '%2F', '"', '__proto__', 'constructor', 'ü ?#@', 'a@b'])(
    'names any parent, %j too',
    async (key) => {
      const { ask, mock } = await open({ spec: REGIONS, empty: true });
      const pet = await create(ask, `/${encodeURIComponent(key)}/pets`, { id: 'x', name: 'Rex' });
      const state = await mock.state();
      const [name = ''] = Object.keys(state);
      expect(name).toBe(`pets@region/${encodeURIComponent(key)}`);
      mock.reset();
      await mock.seed(state);
      expect(await answerOf(ask, `/${encodeURIComponent(key)}/pets/x`)).toEqual([200, pet]);
      expect(await send(ask, 'GET', `/__mock/state/${encodeURIComponent(name)}`)).toEqual([200, [pet]]);
    },
  );
});

describe('A file of the state', () => {
  const roundTrip = async (spec: object | undefined, change: (ask: Ask) => Promise<unknown>) => {
    const directory = await mkdtemp(join(tmpdir(), 'state-'));
    const file = join(directory, 'fixtures.json');
    const mock = await createMock(spec && { spec });
    await change(mock.fetch);
    const text = await (await mock.fetch('/__mock/state')).text();
    await writeFile(file, text);
    const again = await createMock({ ...(spec && { spec }), fixtures: file });
    await rm(directory, { recursive: true });
    expect(await (await again.fetch('/__mock/state')).json()).toEqual(JSON.parse(text));
    return again;
  };

  const documents = readdirSync(DOCUMENTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(json|yaml)$/.test(file) && !file.startsWith('several-files'))
    .map((file) => join(DOCUMENTS, file));

  test.each(documents)('of %s is the same after a start and after a PUT', async (spec) => {
    const mock = await createMock({ spec });
    const text = await (await mock.fetch('/__mock/state')).text();
    const fixtures = JSON.parse(text) as Record<string, object[]>;
    const again = await createMock({ spec, fixtures });
    expect([await (await again.fetch('/__mock/state')).text(), again.warnings]).toEqual([text, []]);
    await mock.session('one').seed(fixtures);
    expect(mock.session('one').diff()).toEqual({ added: [], removed: [], changed: [] });
    const put = await mock.fetch('/__mock/state', json('PUT', fixtures));
    expect([put.status, await (await mock.fetch('/__mock/state')).text()]).toEqual([204, text]);
  });

  test('is one of fixtures, ids included', async () => {
    const again = await roundTrip(undefined, (ask) =>
      ask('/pets', json('POST', { name: 'Nori', categoryId: 2 })),
    );
    const next = await again.fetch('/pets', json('POST', { name: 'Rex', categoryId: 2 }));
    expect(await next.json()).toMatchObject({ id: 30 });
    expect(again.warnings).toEqual([]);
  });

  test('keeps what is below others', async () => {
    const again = await roundTrip(BLOG, async (ask) => {
      await ask('/users/1', { method: 'DELETE' });
      const post = await create(ask, '/users/2/posts', { title: 'Tea' });
      await create(ask, `/users/2/posts/${post.id}/comments`, { text: 'Yes' });
    });
    expect(again.warnings).toEqual([]);
    expect((await again.check()).violations).toEqual([]);
  });

  test('keeps a place that was emptied', async () => {
    const again = await roundTrip(REGIONS, async (ask) => {
      for (const id of await idsOf(ask, '/north/pets')) await ask(`/north/pets/${id}`, { method: 'DELETE' });
    });
    expect(await idsOf(again.fetch, '/north/pets')).toEqual([]);
    expect((await idsOf(again.fetch, '/south/pets')).length).toBeGreaterThan(0);
  });

  test('fills in the parents, and may have both kinds of lists', async () => {
    const mock = await createMock({
      spec: BLOG,
      fixtures: {
        users: [{ id: 1 }, { id: 2 }],
        posts: [{ id: 1, title: 'Tea', userId: 1 }],
        'posts@users/1': [{ title: 'Cake', id: 4 }],
        'posts@users/2': [{ title: 'Milk' }],
      },
    });
    expect(await mock.state()).toEqual({
      users: [{ id: 1 }, { id: 2 }],
      'posts@users/1': [
        { id: 1, title: 'Tea', userId: 1 },
        { id: 4, title: 'Cake', userId: 1 },
      ],
      'posts@users/2': [{ id: 1, title: 'Milk', userId: 2 }],
      comments: [],
    });
  });

  test.each([
    [
      'an entity in two lists',
      { posts: [{ id: 1, title: 'a', userId: 1 }], 'posts@users/1': [{ id: 1, title: 'b' }] },
      'the id 1 is taken already in "posts@users/1"',
    ],
    ['one list twice', { 'posts@users/1': [], 'posts@users/%31': [] }, 'there are two files for'],
    ['another place', { 'posts@pets/1': [] }, 'the document has no resource "posts@pets/1"'],
    ['half a place', { 'comments@users/1': [] }, 'the document has no resource "comments@users/1"'],
    ['no place', { 'users@': [] }, 'the document has no resource "users@"'],
  ])('is refused with %s', async (_, fixtures, message) => {
    await expect(createMock({ spec: BLOG, fixtures })).rejects.toThrow(message);
  });
});
