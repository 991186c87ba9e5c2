import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMock, type Mock, type MockOptions, SetupError } from '../src/index.ts';
import { OWN_DOCUMENT } from '../src/package-files.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { INTEGER, inPath, TEXT, toCrud, toObject } from './support/small-documents.ts';

type Entity = Readonly<Record<string, unknown>>;
type Fixtures = Readonly<Record<string, readonly Entity[]>>;

const FIXTURES: Fixtures = {
  categories: [
    { id: 1, name: 'Dogs' },
    { id: 2, name: 'Cats' },
  ],
  pets: [
    { id: 1, name: 'Ada', categoryId: 1, status: 'available' },
    { id: 2, name: 'Bo', categoryId: 1, status: 'available' },
    { id: 3, name: 'Cy', categoryId: 1, status: 'available' },
    { id: 4, name: 'Di', categoryId: 1, status: 'available' },
  ],
  inventory: [1, 2, 3, 4].map((petId) => ({ petId, quantity: 5, status: 'available' })),
  orders: [{ id: 1, petId: 1, quantity: 1, complete: true }],
};

let directory: string;
let document: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
  document = join(directory, 'openapi.txt');
  await writeFile(document, await readFile(OWN_DOCUMENT, 'utf8'));
  await edit({});
});

afterEach(closeAll);
afterEach(() => rm(directory, { recursive: true }));

describeInProcess('a reload with new fixtures', ({ open }) => {
  test('changes nothing where nothing has changed', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/store/orders', { petId: 1, quantity: 5 });
    const before = await readAll(ask);
    expect(await mock.reload()).toEqual([]);
    expect(await readAll(ask)).toEqual(before);
  });

  test('keeps what clients made, changed and deleted, and takes over the rest', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
    await send(ask, 'DELETE', '/pets/2');
    await send(ask, 'POST', '/pets', { name: 'Made', categoryId: 2 });
    await send(ask, 'POST', '/categories', { name: 'Birds' });
    await edit({
      categories: [
        { id: 1, name: 'All dogs' },
        { id: 2, name: 'All cats' },
      ],
      pets: [
        { id: 1, name: 'New Ada', categoryId: 1, status: 'available' },
        { id: 2, name: 'New Bo', categoryId: 1, status: 'available' },
        { id: 3, name: 'New Cy', categoryId: 2, status: 'sold' },
      ],
      inventory: [{ petId: 3, quantity: 0, status: 'sold' }],
      orders: [],
    });
    expect(await mock.reload()).toEqual([]);
    expect(byId(await read(ask, '/pets'))).toEqual([
      { id: 1, name: 'Changed', categoryId: 1, status: 'available' },
      { id: 3, name: 'New Cy', categoryId: 2, status: 'sold' },
      { id: 5, name: 'Made', categoryId: 2, status: 'available' },
    ]);
    expect(byId(await read(ask, '/categories'))).toEqual([
      { id: 1, name: 'All dogs' },
      { id: 2, name: 'All cats' },
      { id: 3, name: 'Birds' },
    ]);
    expect(await read(ask, '/store/inventory/1')).toEqual({ petId: 1, quantity: 5, status: 'available' });
    expect(await read(ask, '/store/inventory/5')).toEqual({ petId: 5, quantity: 1, status: 'available' });
    expect((await ask('/store/inventory/2')).status).toBe(404);
    expect(await read(ask, '/store/orders')).toEqual([]);
  });

  test('keeps the orders of clients, and the stock that they took', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/store/orders', { petId: 1, quantity: 2 });
    await send(ask, 'POST', '/store/orders', { petId: 2, quantity: 5 });
    await edit({ inventory: [1, 2, 3, 4].map((petId) => ({ petId, quantity: 9, status: 'available' })) });
    expect(await mock.reload()).toEqual([]);
    expect(await read(ask, '/store/inventory')).toEqual([
      { petId: 1, quantity: 3, status: 'available' },
      { petId: 2, quantity: 0, status: 'pending' },
      { petId: 3, quantity: 9, status: 'available' },
      { petId: 4, quantity: 9, status: 'available' },
    ]);
    expect(await read(ask, '/pets/2')).toMatchObject({ status: 'pending' });
    expect((await send(ask, 'DELETE', '/store/orders/3')).status).toBe(204);
    expect(await read(ask, '/store/inventory/2')).toMatchObject({ quantity: 5, status: 'available' });
  });

  test('keeps all of it over a second reload', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
    await send(ask, 'DELETE', '/pets/2');
    await mock.reload();
    await send(ask, 'POST', '/categories', { name: 'Birds' });
    await edit({ pets: (FIXTURES.pets ?? []).map((pet) => ({ ...pet, name: 'New' })) });
    await mock.reload();
    const pets = byId(await read(ask, '/pets'));
    expect(pets.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 Changed', '3 New', '4 New']);
    expect(await read(ask, '/categories/3')).toEqual({ id: 3, name: 'Birds' });
  });

  test('lists what clients made among the new ones, in the order of the ids', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/categories', { name: 'Made' });
    await edit({ categories: [1, 2, 7].map((id) => ({ id, name: `Category ${id}` })) });
    await mock.reload();
    const categories = (await read(ask, '/categories')) as { id: number }[];
    expect(categories.map(({ id }) => id)).toEqual([1, 2, 3, 7]);
  });

  test('gives no id a second time', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/categories', { name: 'Made' });
    await send(ask, 'DELETE', '/categories/3');
    await mock.reload();
    const created = await send(ask, 'POST', '/categories', { name: 'Made later' });
    expect(created.headers.get('location')).toBe('/categories/4');
  });

  test('is where a reset goes back to', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
    await edit({ categories: [{ id: 1, name: 'All dogs' }] });
    await mock.reload();
    mock.reset();
    expect(await read(ask, '/categories')).toEqual([{ id: 1, name: 'All dogs' }]);
    expect(await read(ask, '/pets/1')).toEqual(FIXTURES.pets?.[0]);
  });

  test('keeps the entities below a parent, their ids and those that were deleted', async () => {
    const { ask, mock } = await open({ spec: await withNotes(), fixtures: directory });
    for (const text of ['a', 'b', 'c']) await send(ask, 'POST', '/pets/1/notes', { text });
    await send(ask, 'POST', '/pets/2/notes', { text: 'other' });
    await send(ask, 'DELETE', '/pets/1/notes/3');
    expect(await mock.reload()).toEqual([]);
    expect(await read(ask, '/pets/1/notes')).toEqual([
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ]);
    expect(await read(ask, '/pets/2/notes')).toEqual([{ id: 4, text: 'other' }]);
    expect(await (await send(ask, 'POST', '/pets/1/notes', { text: 'd' })).json()).toMatchObject({ id: 5 });
  });

  test('leaves nothing of clients after a reset before it', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
    mock.reset();
    await edit({ categories: [{ id: 1, name: 'All dogs' }] });
    expect(await mock.reload()).toEqual([]);
    expect(await read(ask, '/pets')).toEqual(FIXTURES.pets);
    expect(await read(ask, '/categories')).toEqual([{ id: 1, name: 'All dogs' }]);
  });

  test('undoes the changes of clients that contradict them, says why, and keeps the others', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/pets', { name: 'Made', categoryId: 2 });
    await send(ask, 'POST', '/store/orders', { petId: 5 });
    await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
    await edit({ categories: [{ id: 1, name: 'Dogs' }] });
    const dropped = await mock.reload();
    expect(dropped.join('\n')).toMatch(/pet 5 .*category 2/);
    expect(dropped.join('\n')).toMatch(/order 2 .*pet 5/);
    expect(await readAll(ask)).toEqual({
      ...FIXTURES,
      categories: [{ id: 1, name: 'Dogs' }],
      pets: FIXTURES.pets?.map((pet) => (pet.id === 1 ? { ...pet, name: 'Changed' } : pet)),
      summary: { available: 4, pending: 0, sold: 0 },
    });
    mock.reset();
    expect(await read(ask, '/pets')).toEqual(FIXTURES.pets);
  });

  test.each<[what: string, gone: string, changed: Fixtures]>([
    [
      'a category',
      '/categories/2',
      { pets: (FIXTURES.pets ?? []).map((pet) => (pet.id === 4 ? { ...pet, categoryId: 2 } : pet)) },
    ],
    ['a pet', '/pets/3', { orders: [{ id: 7, petId: 3, quantity: 1, complete: false }] }],
  ])(
    'brings %s back that clients deleted and the fixtures need, and keeps the other changes',
    async (_, gone, changed) => {
      const { ask, mock } = await open({ fixtures: directory });
      await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
      expect((await send(ask, 'DELETE', gone)).status).toBe(204);
      await edit(changed);
      expect(await mock.reload()).not.toEqual([]);
      expect((await ask(gone)).status).toBe(200);
      expect(await read(ask, '/pets/1')).toMatchObject({ name: 'Changed' });
    },
  );

  test('never leaves a store that contradicts itself', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/store/orders', { petId: 4, quantity: 1 });
    await send(ask, 'DELETE', '/pets/3');
    await edit({
      pets: (FIXTURES.pets ?? []).slice(0, 2),
      inventory: (FIXTURES.inventory ?? []).slice(0, 2),
    });
    await mock.reload();
    const pets = (await read(ask, '/pets')) as { id: number; status: string }[];
    const inventory = (await read(ask, '/store/inventory')) as { petId: number; status: string }[];
    const orders = (await read(ask, '/store/orders?complete=false')) as { petId: number }[];
    expect(inventory.map(({ petId, status }) => [petId, status]).sort()).toEqual(
      pets.map(({ id, status }) => [id, status]).sort(),
    );
    expect(pets.map(({ id }) => id)).toEqual(expect.arrayContaining(orders.map(({ petId }) => petId)));
  });
});

describeInProcess('a reload with a new document', ({ open }) => {
  test('drops and names what does not fit it any more, and keeps the rest', async () => {
    const { ask, mock } = await open({ fixtures: directory, spec: document });
    await send(ask, 'POST', '/categories', { name: 'No description' });
    await send(ask, 'POST', '/categories', { name: 'Fits', description: 'x' });
    await send(ask, 'PUT', '/store/inventory/1', { quantity: 7 });
    await edit({ categories: (FIXTURES.categories ?? []).map((each) => ({ ...each, description: 'y' })) });
    await editDocument('NewCategory:', 'required: [name]', 'required: [name, description]');
    expect(await mock.reload()).toEqual([expect.stringMatching(/^category 3: .*description is required/)]);
    const categories = (await read(ask, '/categories')) as { id: number }[];
    expect(categories.map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(await read(ask, '/store/inventory/1')).toMatchObject({ quantity: 7 });
    expect((await send(ask, 'POST', '/categories', { name: 'a' })).status).toBe(422);
  });

  test('drops a pet that does not fit it, and no more than what hangs on it', async () => {
    const { ask, mock } = await open({ fixtures: directory, spec: document });
    await send(ask, 'POST', '/pets', { name: 'No chip', categoryId: 1 });
    await send(ask, 'POST', '/categories', { name: 'Birds' });
    await edit({ pets: (FIXTURES.pets ?? []).map((pet) => ({ ...pet, chip: 'x' })) });
    await editDocument(
      'NewPet:',
      'required: [name, categoryId]\n      properties:',
      'required: [name, categoryId, chip]\n      properties:\n        chip: { type: string }',
    );
    const dropped = await mock.reload();
    expect(dropped[0]).toMatch(/^pet 5: .*chip is required/);
    expect(await read(ask, '/categories/3')).toEqual({ id: 3, name: 'Birds' });
    expect((await ask('/pets/5')).status).toBe(404);
    expect((await ask('/store/inventory/5')).status).toBe(404);
  });

  test('names what is dropped because its resource is gone', async () => {
    const things = (name: string) => {
      const thing = { type: 'object', properties: { id: { type: 'integer' } } };
      const answer = (schema: unknown) => ({
        description: '',
        content: { 'application/json': { schema } },
      });
      return {
        [`/${name}`]: {
          get: { responses: { '200': answer({ type: 'array', items: thing }) } },
          post: {
            requestBody: { content: { 'application/json': { schema: thing } } },
            responses: { '201': answer(thing) },
          },
        },
        [`/${name}/{id}`]: {
          parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
          get: { responses: { '200': answer(thing) } },
        },
      };
    };
    const toSpec = (paths: object) => ({ openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths });
    const { ask, mock } = await open({
      spec: toSpec({ ...things('books'), ...things('toys') }),
      empty: true,
    });
    await send(ask, 'POST', '/books', { title: 'Emma' });
    await send(ask, 'POST', '/toys', { label: 'Ball' });
    const dropped = await mock.reload({ spec: toSpec(things('toys')), empty: true });
    expect(await read(ask, '/toys')).toEqual([{ id: 1, label: 'Ball' }]);
    expect((await ask('/books')).status).toBe(404);
    expect(dropped).toEqual([expect.stringMatching(/book/)]);
  });

  test('answers by it from then on', async () => {
    const { ask, mock } = await open({ fixtures: directory, spec: document });
    await editDocument('/store/inventory/summary:', '/store/inventory/summary:', '/store/inventory/counts:');
    await editDocument('info:', 'title: Pet Store', 'title: Another store');
    await mock.reload();
    expect(mock.document.title).toBe('Another store');
    expect(mock.operations.map(({ path }) => path)).toContain('/store/inventory/counts');
    expect(await read(ask, '/store/inventory/counts')).toEqual({ available: 4, pending: 0, sold: 0 });
    expect((await ask('/store/inventory/summary')).status).toBe(400);
  });
});

describeInProcess('a reload of what is broken', ({ open }) => {
  const BROKEN: [what: string, breakIt: () => Promise<void>, says: RegExp][] = [
    [
      'a document that is no YAML',
      () => writeFile(document, 'openapi: 3.0.3\npaths: ['),
      /openapi\.txt.*line \d, column/,
    ],
    ['a document that is none', () => writeFile(document, '[]'), /openapi\.txt.*expected a mapping/],
    ['a document that is gone', () => rm(document), /openapi\.txt/],
    ['fixtures that are no JSON', () => writeFile(join(directory, 'pets.json'), '[{'), /pets\.json.*line 1/],
    ['fixtures that contradict themselves', () => edit({ categories: [] }), /category 1/],
    [
      'fixtures that break their schema',
      () => edit({ pets: [{ id: 1 }] }),
      /pets\.json.*pet\.name is required/,
    ],
  ];

  test.each(BROKEN)('rejects, and goes on as before: %s', async (_, breakIt, says) => {
    const { ask, mock } = await open({ fixtures: directory, spec: document });
    await send(ask, 'POST', '/store/orders', { petId: 1, quantity: 2 });
    const before = await readAll(ask);
    const operations = mock.operations;
    await breakIt();
    const error: unknown = await mock.reload().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(SetupError);
    expect((error as SetupError).message).toMatch(says);
    expect(await readAll(ask)).toEqual(before);
    expect(mock.operations).toEqual(operations);
    expect((await send(ask, 'POST', '/store/orders', { petId: 1 })).headers.get('location')).toBe(
      '/store/orders/3',
    );
  });

  test('is over once it is mended', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'PATCH', '/pets/1', { name: 'Changed' });
    await writeFile(join(directory, 'pets.json'), '[{');
    await expect(mock.reload()).rejects.toBeInstanceOf(SetupError);
    await edit({ categories: [{ id: 1, name: 'All dogs' }] });
    expect(await mock.reload()).toEqual([]);
    expect(await read(ask, '/pets/1')).toMatchObject({ name: 'Changed' });
    expect(await read(ask, '/categories')).toEqual([{ id: 1, name: 'All dogs' }]);
  });
});

describeInProcess('a reload with other options', ({ open }) => {
  test('follows them, and keeps what clients made', async () => {
    const { ask, mock } = await open({ empty: true });
    await send(ask, 'POST', '/categories', { name: 'Made' });
    expect(await mock.reload({ empty: true, errors: ['getCategory=503'] })).toEqual([]);
    expect((await ask('/categories/1')).status).toBe(503);
    expect(await read(ask, '/categories')).toEqual([{ id: 1, name: 'Made' }]);
  });

  test('can empty the store of all that no client touched', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await send(ask, 'POST', '/categories', { name: 'Made' });
    expect(await mock.reload({ empty: true })).toEqual([]);
    expect(await readAll(ask)).toEqual({
      categories: [{ id: 3, name: 'Made' }],
      pets: [],
      inventory: [],
      orders: [],
      summary: { available: 0, pending: 0, sold: 0 },
    });
  });

  test('that are wrong rejects, and goes on as before', async () => {
    const { ask, mock } = await open({ fixtures: directory });
    await expect(mock.reload({ fixtures: directory, errors: ['noSuch=500'] })).rejects.toBeInstanceOf(
      SetupError,
    );
    expect(await read(ask, '/pets')).toEqual(FIXTURES.pets);
  });
});

describe('a reload', () => {
  test('keeps every server, and its port', async () => {
    const mock = await createMock({ fixtures: directory });
    const servers = [await mock.listen({ port: 0 }), await mock.listen({ port: 0 })];
    try {
      for (const { url } of servers) expect((await fetch(`${url}/pets/1`)).status).toBe(200);
      await edit({ pets: (FIXTURES.pets ?? []).map((pet) => ({ ...pet, name: 'New' })) });
      await mock.reload();
      for (const { url } of servers) {
        expect(await (await fetch(`${url}/pets/1`)).json()).toMatchObject({ name: 'New' });
      }
    } finally {
      await mock.close();
    }
  });

  test('does not lose what is asked while it is at work', async () => {
    const mock = await createMock({ fixtures: directory });
    const reloading = mock.reload();
    const asked = await Promise.all(
      [1, 2, 3].map((index) => mock.fetch('/categories', json('POST', { name: `Made ${index}` }))),
    );
    expect(asked.map(({ status }) => status)).toEqual([201, 201, 201]);
    await reloading;
    const categories = (await read(mock.fetch, '/categories')) as { id: number }[];
    expect(categories.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('does not lose a request that is answered only after it, because it had to wait', async () => {
    const mock = await createMock({ fixtures: directory, delay: 500 });
    const asked = mock.fetch('/categories', json('POST', { name: 'Made' }));
    await mock.reload({ fixtures: directory });
    expect((await asked).status).toBe(201);
    expect(await read(mock.fetch, '/categories/3')).toEqual({ id: 3, name: 'Made' });
  });

  test('beside another one loses nothing either', async () => {
    const mock = await createMock({ fixtures: directory });
    await mock.fetch('/categories', json('POST', { name: 'Made' }));
    await Promise.all([mock.reload(), mock.reload(), mock.reload()]);
    expect(await read(mock.fetch, '/categories/3')).toEqual({ id: 3, name: 'Made' });
  });

  test('that was called last decides, however long the others take', async () => {
    const slow = createServer((_, answer) => {
      setTimeout(() => answer.end(JSON.stringify(toTitled('Slow'))), 200);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const mock = await createMock({ spec: toTitled('First') });
    try {
      const { port } = slow.address() as AddressInfo;
      const order: string[] = [];
      const reload = async (name: string, spec: MockOptions['spec'] = toTitled(name)) => {
        await mock.reload({ ...(spec !== undefined && { spec }) }).catch(() => {});
        order.push(`${name}: ${mock.document.title}`);
      };
      await Promise.all([
        reload('Slow', `http://127.0.0.1:${port}/`),
        reload('Broken', {}),
        reload('Second'),
        reload('Last'),
      ]);
      expect(order).toEqual(['Slow: Slow', 'Broken: Slow', 'Second: Second', 'Last: Last']);
    } finally {
      slow.close();
    }
  });

  test('is waited for by close(), and works after it', async () => {
    const mock = await createMock({ spec: toTitled('First') });
    const reloading = mock.reload({ spec: toTitled('Second') });
    await mock.close();
    expect(mock.document.title).toBe('Second');
    await reloading;
    expect(await mock.reload({ spec: toTitled('Third') })).toEqual([]);
    expect(mock.document.title).toBe('Third');
    expect((await mock.fetch('/a')).status).toBe(200);
  });

  test('that fails does not keep a mock from closing', async () => {
    const mock = await createMock({ spec: toTitled('First') });
    const failing = expect(mock.reload({ spec: {} })).rejects.toBeInstanceOf(SetupError);
    await mock.close();
    await failing;
  });
});

/** A document with a title. */
function toTitled(title: string): object {
  const paths = { '/a': { get: { responses: { 200: { description: '' } } } } };
  return { openapi: '3.0.3', info: { title, version: '1' }, paths };
}

/** Writes the fixtures, some of them changed. */
async function edit(changed: Fixtures): Promise<void> {
  for (const [name, entities] of Object.entries({ ...FIXTURES, ...changed })) {
    await writeFile(join(directory, `${name}.json`), JSON.stringify(entities));
  }
}

/** The pet store's document with notes below each pet. */
async function withNotes(): Promise<object> {
  const { paths, ...document } = parse(await readFile(OWN_DOCUMENT, 'utf8'));
  const note = toObject({ id: INTEGER, text: TEXT }, 'id', 'text');
  const notes = toCrud('/pets/{id}/notes', inPath('noteId'), note, {
    input: toObject({ text: TEXT }, 'text'),
    above: [inPath('id')],
  });
  return { ...document, paths: { ...paths, ...notes } };
}

/** Replaces a text of the document by another, where it first occurs below a line with `after`. */
async function editDocument(after: string, former: string, then: string): Promise<void> {
  const text = await readFile(document, 'utf8');
  const start = text.indexOf(after);
  const at = text.indexOf(former, start);
  expect([after, start >= 0, at >= 0]).toEqual([after, true, true]);
  await writeFile(document, text.slice(0, at) + then + text.slice(at + former.length));
}

function send(ask: Ask, method: string, path: string, body?: unknown): Promise<Response> {
  return ask(path, body === undefined ? { method } : json(method, body));
}

async function read(ask: Ask | Mock['fetch'], path: string): Promise<unknown> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

async function readAll(ask: Ask): Promise<Record<string, unknown>> {
  return {
    pets: await read(ask, '/pets'),
    categories: await read(ask, '/categories'),
    orders: await read(ask, '/store/orders'),
    inventory: await read(ask, '/store/inventory'),
    summary: await read(ask, '/store/inventory/summary'),
  };
}

function byId(entities: unknown): { id: number; name: string }[] {
  return [...(entities as { id: number; name: string }[])].sort((a, b) => a.id - b.id);
}
