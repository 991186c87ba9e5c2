import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMock, type Mock, type MockNotice, type MockOptions, SetupError } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';

/** A document with nested lists, keys that are texts, a single object and large integers. */
const BLOG = {
  openapi: '3.0.3',
  info: { title: 'Blog', version: '1' },
  paths: {
    '/users': collectionOf('User'),
    '/users/{userId}': itemOf('User', 'userId', 'integer'),
    '/users/{userId}/posts': { ...collectionOf('Post'), parameters: [parameter('userId', 'integer')] },
    '/users/{userId}/posts/{postId}': {
      ...itemOf('Post', 'postId', 'integer'),
      parameters: [parameter('userId', 'integer'), parameter('postId', 'integer')],
    },
    '/tags': collectionOf('Tag'),
    '/tags/{slug}': itemOf('Tag', 'slug', 'string'),
  },
  components: {
    schemas: {
      User: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' }, karma: { type: 'integer' } },
      },
      Post: {
        type: 'object',
        required: ['id', 'title'],
        properties: { id: { type: 'integer' }, userId: { type: 'integer' }, title: { type: 'string' } },
      },
      Tag: {
        type: 'object',
        required: ['slug', 'label'],
        properties: { slug: { type: 'string' }, label: { type: 'string' } },
      },
    },
  },
};

function parameter(name: string, type: string) {
  return { name, in: 'path', required: true, schema: { type } };
}

function collectionOf(name: string) {
  const content = (schema: object) => ({ 'application/json': { schema } });
  const one = { $ref: `#/components/schemas/${name}` };
  return {
    get: { responses: { 200: { description: 'ok', content: content({ type: 'array', items: one }) } } },
    post: {
      requestBody: { content: content({ type: 'object' }) },
      responses: { 201: { description: 'ok', content: content(one) } },
    },
  };
}

function itemOf(name: string, key: string, type: string) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
  return {
    parameters: [parameter(key, type)],
    get: { responses: { 200: { description: 'ok', content }, 404: { description: 'none' } } },
    put: { requestBody: { content }, responses: { 200: { description: 'ok', content } } },
    delete: { responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
  };
}

let folder: string;
let state: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'state-')));
  state = join(folder, 'state.json');
});

afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true });
});

const read = () => readFile(state, 'utf8');
const readData = async () => JSON.parse(await read()) as Record<string, Record<string, unknown>[]>;

async function get(ask: Ask, path: string): Promise<unknown> {
  const response = await ask(path);
  return response.status === 200 ? await response.json() : response.status;
}

async function create(ask: Ask, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await ask(path, json('POST', body));
  expect(response.status).toBe(201);
  return (await response.json()) as Record<string, unknown>;
}

/** Resolves once the file has a text, as it does without a request for it. */
function written(pattern: RegExp): Promise<void> {
  return vi.waitFor(async () => expect(await read()).toMatch(pattern), { timeout: 5000, interval: 20 });
}

describeAdapters('A mock with a state file', ({ open }) => {
  /** Closes a mock, and opens it again. */
  async function reopen(mock: Mock, options: MockOptions = {}) {
    await mock.close();
    return open({ state, ...options });
  }

  test('has after a restart what clients created, changed and deleted', async () => {
    const { ask, mock } = await open({ state });
    const { id } = await create(ask, '/categories', { name: 'Griffins' });
    await create(ask, '/pets', { name: 'Beak', categoryId: id });
    await ask('/categories/2', json('PUT', { id: 2, name: 'Renamed' }));
    const all = await mock.state();
    const { ask: again, mock: other } = await reopen(mock);
    expect(await other.state()).toEqual(all);
    expect(await get(again, `/categories/${id}`)).toEqual({ id, name: 'Griffins' });
    expect(await get(again, '/store/inventory')).toEqual(
      await get((path) => mock.fetch(path), '/store/inventory'),
    );
  });

  test('gives out no id twice, even if the newest entity is deleted', async () => {
    const { ask, mock } = await open({ state });
    const { id } = await create(ask, '/categories', { name: 'Griffins' });
    expect((await ask(`/categories/${id}`, { method: 'DELETE' })).status).toBe(204);
    const { ask: again } = await reopen(mock);
    expect((await create(again, '/categories', { name: 'Elves' })).id).toBe(Number(id) + 1);
  });

  test('goes on after several restarts', async () => {
    const ids: unknown[] = [];
    let { ask, mock } = await open({ state });
    for (const name of ['one', 'two', 'three']) {
      ids.push((await create(ask, '/categories', { name })).id);
      ({ ask, mock } = await reopen(mock));
    }
    expect(new Set(ids).size).toBe(3);
    expect(((await mock.state()).categories ?? []).slice(-3).map(({ name }) => name)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  test('keeps nested lists, texts as keys and integers beyond 2^53', async () => {
    const options = {
      spec: BLOG,
      fixtures: { users: [{ id: 1, name: 'Ann' }], 'posts@users/1': [{ id: 7, title: 'First' }] },
    };
    const { ask, mock } = await open({ state, ...options });
    await ask('/users', { ...json('POST', {}), body: '{"name":"Bo","karma":9007199254740993}' });
    await create(ask, '/users/2/posts', { title: 'Of Bo' });
    await ask('/users/1/posts/7', { method: 'DELETE' });
    await create(ask, '/tags', { slug: 'a/b __proto__ é\u2028', label: 'Odd' });
    const all = await mock.state();
    const { ask: again, mock: other } = await reopen(mock, options);
    expect(await other.state()).toEqual(all);
    expect(await get(again, '/users/1/posts')).toEqual([]);
    expect(await get(again, '/users/2/posts')).toEqual([{ id: 8, userId: 2, title: 'Of Bo' }]);
    expect(await (await again('/users/2')).text()).toContain('9007199254740993');
  });

  test('returns to the fixtures by a reset, and the file follows', async () => {
    const { ask, mock } = await open({ state });
    await create(ask, '/categories', { name: 'Griffins' });
    const { ask: again, mock: other } = await reopen(mock);
    expect((await again('/__mock/reset', { method: 'POST' })).status).toBe(204);
    const { mock: last } = await reopen(other);
    expect((await last.state()).categories).toEqual((await (await createMock()).state()).categories);
    expect(last.diff()).toEqual({ added: [], removed: [], changed: [] });
  });

  test('keeps the default session alone', async () => {
    const { mock } = await open({ state });
    await create((path, init) => mock.session('one').fetch(path, init), '/categories', { name: 'Griffins' });
    await mock.close();
    await expect(read()).rejects.toThrow('ENOENT');
  });
});

describe('A state file', () => {
  test('is written at the first change and by itself, an entity a line', async () => {
    await using mock = await createMock({ state, fixtures: { categories: [{ id: 1, name: 'Dragons' }] } });
    await mock.fetch('/categories');
    await wait(300);
    expect(await readdir(folder)).toEqual([]);
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await written(/Griffins/);
    expect(await read()).toContain(
      '"categories": [\n    {"id":1,"name":"Dragons"},\n    {"id":2,"name":"Griffins"}\n  ]',
    );
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('is written once for many changes', async () => {
    await using mock = await createMock({ state });
    const seen = new Set<bigint>();
    const end = performance.now() + 1500;
    while (performance.now() < end) {
      await mock.fetch('/categories', json('POST', { name: 'More' }));
      const stats = await stat(state, { bigint: true }).catch(() => undefined);
      if (stats) seen.add(stats.mtimeNs);
    }
    expect(seen.size).toBeGreaterThan(0);
    expect(seen.size).toBeLessThanOrEqual(2);
  });

  test('serves as fixtures', async () => {
    const mock = await createMock({ state });
    await create((path, init) => mock.fetch(path, init), '/categories', { name: 'Griffins' });
    await mock.close();
    const other = await createMock({ fixtures: state });
    expect(await other.state()).toEqual(await mock.state());
    expect(other.warnings).toEqual([]);
    expect(await createMock({ fixtures: await readData() })).toBeDefined();
  });

  test('may be a saved answer of GET /__mock/state', async () => {
    const first = await createMock();
    await first.seed({ categories: [{ id: 40, name: 'Dragons' }], pets: [], orders: [], inventory: [] });
    await writeFile(state, await (await first.fetch('/__mock/state')).text());
    await using mock = await createMock({ state });
    expect(await mock.state()).toEqual(await first.state());
    expect(mock.stateFile).toEqual({ path: state, entities: 1 });
  });

  test('wins for the lists that it has, and the others begin as usual', async () => {
    await writeFile(
      state,
      '{ "categories": [{ "id": 1, "name": "Dragons" }, { "id": 2, "name": "Elves" }] }',
    );
    await using mock = await createMock({
      state,
      fixtures: { categories: [{ id: 1, name: 'Cats' }], pets: [{ id: 5, name: 'Tom', categoryId: 1 }] },
    });
    const { categories, pets } = await mock.state();
    expect(categories).toHaveLength(2);
    expect(pets).toMatchObject([{ id: 5 }]);
  });

  test('wins over an empty start', async () => {
    await writeFile(state, '{ "categories": [{ "id": 1, "name": "Dragons" }] }');
    await using mock = await createMock({ state, empty: true });
    expect((await mock.state()).categories).toEqual([{ id: 1, name: 'Dragons' }]);
    mock.reset();
    expect((await mock.state()).categories).toEqual([]);
  });

  test('leaves entities that equal the fixtures to a reload', async () => {
    const fixtures = (name: string) => ({
      categories: [
        { id: 1, name },
        { id: 2, name: 'Elves' },
      ],
    });
    const mock = await createMock({ state, fixtures: fixtures('Cats') });
    await mock.fetch('/categories/2', json('PUT', { id: 2, name: 'Orcs' }));
    await mock.close();
    await using other = await createMock({ state, fixtures: fixtures('Cats') });
    expect(await other.reload({ fixtures: fixtures('Dogs') })).toEqual([]);
    expect((await other.state()).categories).toEqual([
      { id: 1, name: 'Dogs' },
      { id: 2, name: 'Orcs' },
    ]);
    await written(/Dogs/);
  });

  test('is not touched by a reload that changes nothing', async () => {
    await using mock = await createMock({ state });
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await written(/Griffins/);
    const before = await stat(state, { bigint: true });
    await mock.reload();
    await wait(1500);
    const after = await stat(state, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  test('is written by a mock that listens again after it was closed', async () => {
    const mock = await createMock({ state });
    await mock.listen();
    await mock.close();
    await mock.listen();
    try {
      await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
      await written(/Griffins/);
    } finally {
      await mock.close();
    }
  });

  test('keeps its rights, and its place behind a link', async () => {
    const target = join(folder, 'target.json');
    await writeFile(target, '{}', { mode: 0o640 });
    await symlink(target, state);
    const mock = await createMock({ state });
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await mock.close();
    expect(await readFile(target, 'utf8')).toContain('Griffins');
    expect(Number((await stat(target)).mode) & 0o777).toBe(0o640);
    expect(await realpath(state)).toBe(target);
  });

  test('is named in the working directory by a relative path', async () => {
    await using mock = await createMock({ state: 'state-file-that-is-never-written.json' });
    expect(mock.stateFile).toEqual({
      path: join(process.cwd(), 'state-file-that-is-never-written.json'),
      entities: undefined,
    });
  });

  test('loses what a killed program left beside it', async () => {
    const [old, fresh, other] = ['0123456789ab', 'ba9876543210', 'not-ours'].map(
      (name) => `${state}.${name}.tmp`,
    );
    for (const file of [old, fresh, other]) await writeFile(file as string, '{');
    await utimes(old as string, 0, 0);
    await utimes(other as string, 0, 0);
    const mock = await createMock({ state });
    await mock.close();
    expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual([fresh, other].sort());
  });
});

describe('A state file that another program changes', () => {
  const notices: MockNotice[] = [];
  beforeEach(() => {
    notices.length = 0;
  });
  const start = () => createMock({ state, onNotice: (notice) => notices.push(notice) });

  test('stays as it is, and the state goes beside', async () => {
    const mock = await start();
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await written(/Griffins/);
    await writeFile(state, '{ "mine": [] }');
    await mock.fetch('/categories', json('POST', { name: 'Elves' }));
    await mock.close();
    expect(await read()).toBe('{ "mine": [] }');
    expect(await readFile(`${state}.new`, 'utf8')).toMatch(/Griffins[\s\S]*Elves/);
    expect(notices).toEqual([
      { code: 'state-file-changed', session: 'default', message: expect.stringContaining(`${state}.new`) },
    ]);
  });

  test('is written again once it was moved away', async () => {
    const mock = await start();
    await writeFile(state, '{');
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await vi.waitFor(() => expect(notices).toHaveLength(1), { timeout: 3000 });
    await rm(state);
    await mock.fetch('/categories', json('POST', { name: 'Elves' }));
    await mock.close();
    expect(await read()).toMatch(/Griffins[\s\S]*Elves/);
    expect(notices).toHaveLength(1);
  });

  test('is still its own if it was only touched', async () => {
    const mock = await start();
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await written(/Griffins/);
    await writeFile(state, await read());
    await mock.fetch('/categories', json('POST', { name: 'Elves' }));
    await mock.close();
    expect(await read()).toMatch(/Elves/);
    expect(notices).toEqual([]);
  });

  test('may be that of a second mock, which does not replace it', async () => {
    const [one, two] = [await start(), await start()];
    await one.fetch('/categories', json('POST', { name: 'Griffins' }));
    await one.close();
    await two.fetch('/categories', json('POST', { name: 'Elves' }));
    await two.close();
    expect(await read()).toMatch(/Griffins/);
    expect(await readFile(`${state}.new`, 'utf8')).toMatch(/Elves/);
    expect(notices).toHaveLength(1);
  });
});

describe('A state file that cannot be written', () => {
  test('is reported once, and written at the next change', async () => {
    const errors: unknown[] = [];
    const place = join(folder, 'place');
    await mkdir(place);
    const mock = await createMock({
      state: join(place, 'state.json'),
      onError: (error) => errors.push(error),
    });
    await rm(place, { recursive: true });
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await vi.waitFor(() => expect(errors).toHaveLength(1), { timeout: 3000 });
    expect(errors[0]).toMatchObject({
      code: 'file-unwritable',
      message: expect.stringContaining('does not exist. Create it'),
    });
    expect((await mock.fetch('/categories', json('POST', { name: 'Elves' }))).status).toBe(201);
    await wait(1300);
    expect(errors).toHaveLength(1);
    await mkdir(place);
    await mock.close();
    expect(await readFile(join(place, 'state.json'), 'utf8')).toMatch(/Griffins[\s\S]*Elves/);
  });
});

describe('The rights of a state file', () => {
  test('keep a new one to its user', async () => {
    const mock = await createMock({ state });
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await mock.close();
    expect(Number((await stat(state)).mode) & 0o777).toBe(0o600);
  });

  test('are those of the former one for the state beside it', async () => {
    await writeFile(state, '{}', { mode: 0o640 });
    const mock = await createMock({ state });
    await writeFile(state, '{"pets":[]}');
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await mock.close();
    expect(Number((await stat(`${state}.new`)).mode) & 0o777).toBe(0o640);
  });

  test('leave one alone that nobody may write, and this is reported once', async () => {
    await writeFile(state, '{}');
    await chmod(state, 0o444);
    const errors: unknown[] = [];
    const mock = await createMock({ state, onError: (error) => errors.push(error) });
    await mock.fetch('/categories', json('POST', { name: 'Griffins' }));
    await vi.waitFor(() => expect(errors).toHaveLength(1), { timeout: 3000 });
    expect(errors[0]).toMatchObject({
      code: 'file-unwritable',
      message: `Failed to write the state to ${state}: it is read-only. Allow it with chmod u+w, or choose another file with --state.`,
    });
    await mock.fetch('/categories', json('POST', { name: 'Elves' }));
    await wait(1300);
    expect(errors).toHaveLength(1);
    expect([await read(), Number((await stat(state)).mode) & 0o777]).toEqual(['{}', 0o444]);
    expect((await readdir(folder)).filter((name) => name !== 'state.json')).toEqual([]);
    await chmod(state, 0o600);
    await mock.close();
    expect(await read()).toMatch(/Griffins[\s\S]*Elves/);
  });
});

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);

describe('A broken state file', () => {
  const broken: [what: string, text: string | Buffer, message: string][] = [
    ['that is empty', '', 'it is empty'],
    ['that was cut off', '{ "categories": [{ "id": 1, "na', 'line 1, column'],
    ['that was cut off in a list', '{\n"categories": [\n{ "id": 1, "name": "Cats" },', 'line 3'],
    ['in YAML', 'categories:\n  - { id: 1, name: Cats }\n', 'not JSON'],
    ['that is a list', '[]', 'must be an object'],
    ['that is null', 'null', 'must be an object'],
    ['of other bytes', Buffer.from([0xff, 0xfe, 0x00]), 'UTF-8'],
    ['with a list of another document', '{ "planets": [] }', 'planets is not a list of the state'],
    ['with a similar list', '{ "petz": [] }', 'did you mean pets?'],
    ['with no list', '{ "pets": {} }', 'pets must be a list'],
    ['with a member of objects', '{ "__proto__": [] }', '__proto__ is not a list'],
    ['with an entity that does not fit', '{ "categories": [{ "id": "one" }] }', 'categories[0]'],
    ['with a number as entity', '{ "categories": [7] }', 'categories[0] must be object'],
    [
      'with a key that is taken',
      '{ "categories": [{ "id": 1, "name": "a" }, { "id": 1, "name": "b" }] }',
      'categories[1].id',
    ],
    ['with a number beyond all', '{ "categories": [{ "id": 1e999, "name": "a" }] }', 'categories'],
    ['with deep lists', `{ "categories": ${DEEP} }`, 'state.json'],
    ['with deep nonsense', DEEP.slice(0, 100_000), 'state.json'],
    ['that is a document', '{ "openapi": "3.0.3", "info": {}, "paths": {} }', 'openapi is not a list'],
    ['with another own part', '{ "$mock": [] }', '$mock is not what the mock has written'],
    ['with another counter', '{ "$mock": { "counters": { "pets": { "next": "two" } } } }', '$mock'],
    ['with a counter below one', '{ "$mock": { "counters": { "pets": { "next": -5 } } } }', '$mock'],
    ['with a counter beyond all', '{ "$mock": { "counters": { "pets": { "next": 1e300 } } } }', '$mock'],
    ['with unknown collections', '{ "$mock": { "others": { "/other": { "entries": [] } } } }', '$mock'],
    ['with wrong tokens', '{ "$mock": { "others": { "/tokens": { "entries": [["a", {}]] } } } }', '$mock'],
    [
      'with wrong files',
      '{ "$mock": { "others": { "/files": { "entries": [["a", { "id": "a", "owner": "b" }]] } } } }',
      '$mock',
    ],
  ];

  test.each(broken)('%s fails the start and stays as it is', async (_, text, message) => {
    await writeFile(state, text);
    const failed = await createMock({ state }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(SetupError);
    expect(failed).toMatchObject({ code: 'state-file-invalid', usage: false });
    const said = (failed as SetupError).message;
    expect(said).toContain(message);
    expect(said).toContain(state);
    expect(said).toMatch(/move (it|the file) away/i);
    expect(said.length).toBeLessThan(3000);
    await wait(50);
    expect(await readFile(state)).toEqual(Buffer.from(text));
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('names ten of many mistakes', async () => {
    const categories = Array.from({ length: 500 }, () => ({ id: 'one' }));
    await writeFile(state, JSON.stringify({ categories }));
    const { message } = (await createMock({ state }).catch((error: unknown) => error)) as SetupError;
    expect(message.split('\n')).toHaveLength(13);
    expect(message).toMatch(/\.\.\. and \d+ more/);
  });

  test('is never written by a mock that did not start', async () => {
    await writeFile(state, '{');
    await createMock({ state }).catch(() => {});
    await wait(400);
    expect(await read()).toBe('{');
  });
});

describe('The place of a state file', () => {
  const cases: [what: string, prepare: () => Promise<MockOptions>, code: string, message: RegExp][] = [
    ['a directory', async () => ({ state: folder }), 'file-unreadable', /is a directory/],
    [
      'a missing directory',
      async () => ({ state: join(folder, 'none', 'state.json') }),
      'file-unwritable',
      /directory .*none does not exist\. Create it/,
    ],
    [
      'below a file',
      async () => {
        await writeFile(state, '{}');
        return { state: join(state, 'state.json') };
      },
      'file-missing',
      /is a file and not a directory/,
    ],
    ['a device', async () => ({ state: '/dev/zero' }), 'file-unreadable', /is not a file/],
    [
      'the fixtures',
      async () => {
        await writeFile(state, '{}');
        return { state, fixtures: state };
      },
      'option-conflict',
      /a source of the mock already/,
    ],
    [
      'the directory of fixtures',
      async () => ({ state, fixtures: folder }),
      'option-conflict',
      /is in .*, which is a source/,
    ],
    [
      'a URL',
      async () => ({ state: 'https://example.com/state.json' }),
      'option-invalid',
      /must be the name of a file/,
    ],
    ['standard input', async () => ({ state: '-' }), 'option-invalid', /must be the name of a file/],
    ['no name', async () => ({ state: '' }), 'option-invalid', /must be the name of a file/],
    [
      'that of a mock without state',
      async () => ({ state, stateless: true }),
      'option-conflict',
      /nothing to keep/,
    ],
  ];

  test.each(cases)('cannot be %s', async (_, prepare, code, message) => {
    const failed = await createMock(await prepare()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(SetupError);
    expect(failed).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('Its text is a state for the control API and for code, which leave the rest of it out', async () => {
  const mock = await createMock();
  const state = { categories: [{ id: 1, name: 'Dragons' }], $mock: { counters: {}, others: {} } };
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'PUT', headers, body: JSON.stringify(state) };
  expect((await mock.fetch('/__mock/state', init)).status).toBe(204);
  await mock.seed(state as unknown as Record<string, object[]>);
  expect((await mock.state()).categories).toEqual([{ id: 1, name: 'Dragons' }]);
  expect(Object.keys(await mock.state())).not.toContain('$mock');
});
