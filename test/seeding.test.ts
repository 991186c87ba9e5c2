import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { readSource } from '../src/document/source.ts';
import { createMock, type Mock } from '../src/index.ts';
import { OWN_DOCUMENT } from '../src/package-files.ts';
import { closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

type Entity = Readonly<Record<string, unknown>>;

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };

/** An object schema with an integer `id`, all of whose properties are required. */
function thing(properties: object, more: object = {}): object {
  const all = { id: INTEGER, ...properties };
  return { type: 'object', required: Object.keys(all), properties: all, ...more };
}

interface Examples {
  readonly list?: unknown;
  readonly item?: unknown;
  readonly taken?: unknown;
  readonly created?: unknown;
}

/** A collection and its items, with every action. */
function resource(name: string, schema: object, examples: Examples = {}): Record<string, object> {
  const content = (of: object, example: unknown) => ({
    content: { 'application/json': { schema: of, ...(example !== undefined && { example }) } },
  });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: INTEGER }];
  const taking = { type: 'object', properties: {} };
  return {
    [`/${name}`]: {
      get: { responses: jsonAnswer({ type: 'array', items: schema }, toExample(examples.list)) },
      post: {
        requestBody: content(taking, examples.taken),
        responses: { 201: { description: '', ...content(schema, examples.created) } },
      },
    },
    [`/${name}/{id}`]: {
      parameters,
      get: { responses: jsonAnswer(schema, toExample(examples.item)) },
      patch: { requestBody: content(taking, undefined), responses: jsonAnswer(schema) },
      delete: { responses: { 204: { description: '' } } },
    },
  };
}

function toExample(example: unknown): object {
  return example === undefined ? {} : { example };
}

const AUTHOR = thing({ name: TEXT, email: { ...TEXT, format: 'email' }, favouriteBookId: INTEGER });
const BOOK = thing({
  title: TEXT,
  authorId: INTEGER,
  genre_ids: { type: 'array', items: INTEGER, minItems: 1, uniqueItems: true },
  price: { type: 'number', minimum: 0 },
  status: { ...TEXT, enum: ['new', 'used'] },
  code: { ...TEXT, pattern: '^[A-Z]{3}$' },
  blurb: { ...TEXT, maxLength: 12 },
  sequels: { type: 'array', items: thing({ bookId: INTEGER }) },
});
const GENRE = thing({ name: TEXT, parentId: { ...INTEGER, nullable: true } });

const SHOP = { ...resource('books', BOOK), ...resource('authors', AUTHOR), ...resource('genres', GENRE) };
const NAMES = ['books', 'authors', 'genres'];

afterEach(closeAll);

async function list(mock: Mock, name: string): Promise<Entity[]> {
  return (await (await mock.fetch(`/${name}`)).json()) as Entity[];
}

async function seed(paths: object, name: string, options: object = {}): Promise<Entity[]> {
  return await list(await createMock({ spec: documentOf(paths), ...options }), name);
}

function keysOf(entities: readonly Entity[]): unknown[] {
  return entities.map(({ id }) => id);
}

const FIRST_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe('a document without fixtures', () => {
  test.each(NAMES)('starts with ten entities of a resource that hold to its schema: %s', async (name) => {
    const entities = await seed(SHOP, name);
    expect(keysOf(entities)).toEqual(FIRST_TEN);
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const schema = { books: BOOK, authors: AUTHOR, genres: GENRE }[name] as object;
    expect(entities.filter((entity) => !ajv.validate(schema, entity))).toEqual([]);
  });

  test('refers to what exists, in circles too', async () => {
    const mock = await createMock({ spec: documentOf(SHOP) });
    const [books = [], authors = [], genres = []] = await Promise.all(NAMES.map((name) => list(mock, name)));
    const parents = genres.flatMap(({ parentId }) => parentId ?? []);
    const sequels = books.flatMap(({ sequels }) => sequels as Entity[]);
    const references = [
      ...books.map(({ authorId }) => [authors, authorId] as const),
      ...books.flatMap(({ genre_ids }) => (genre_ids as number[]).map((id) => [genres, id] as const)),
      ...sequels.map(({ bookId }) => [books, bookId] as const),
      ...authors.map(({ favouriteBookId }) => [books, favouriteBookId] as const),
      ...parents.map((id) => [genres, id] as const),
    ];
    expect(references.filter(([target, key]) => !keysOf(target).includes(key))).toEqual([]);
    expect(genres.filter(({ id, parentId }) => id === parentId)).toEqual([]);
    expect(new Set(books.map(({ authorId }) => authorId)).size).toBeGreaterThan(1);
  });

  test('refers to each of few entities once', async () => {
    const few = { ...thing({}), properties: { id: { ...INTEGER, minimum: 1, maximum: 2 } } };
    const ids = { type: 'array', items: INTEGER, minItems: 1, uniqueItems: true };
    const toys = await seed(
      { ...resource('toys', thing({ makerIds: ids })), ...resource('makers', few) },
      'toys',
    );
    expect(toys).toHaveLength(10);
    for (const { makerIds } of toys)
      expect(['1', '2', '1,2']).toContain((makerIds as number[]).toSorted().join());
  });

  test('starts empty where it is told to', async () => {
    expect(await seed(SHOP, 'books', { empty: true })).toEqual([]);
  });

  test('comes back to its first entities with a reset', async () => {
    const mock = await createMock({ spec: documentOf(SHOP) });
    const before = await list(mock, 'books');
    await mock.fetch('/books/3', { method: 'DELETE' });
    mock.reset();
    expect(await list(mock, 'books')).toEqual(before);
  });

  test.each<[what: string, schema: object, keys: unknown[]]>([
    ['a key with a minimum', { ...thing({}), properties: { id: { ...INTEGER, minimum: 100 } } }, [100, 109]],
    ['a key that is not required', { type: 'object', properties: { id: INTEGER, name: TEXT } }, [1, 10]],
    ['a schema that nothing holds to', { ...thing({ name: TEXT }), not: {} }, [undefined, undefined]],
    ['an endless schema', thing({ next: { $ref: '#/components/schemas/Node' } }), [1, 10]],
  ])('starts with %s', async (_, schema, keys) => {
    const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } };
    const mock = await createMock({
      spec: documentOf(resource('things', schema), { schemas: { Node } }),
    });
    const entities = keysOf(await list(mock, 'things'));
    expect([entities[0], entities.at(-1)]).toEqual(keys);
  });
});

describe('a generated entity', () => {
  test('is the same in every mock, and another with another seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(...NAMES), async (number, name) => {
        const entities = await seed(SHOP, name, { seed: number });
        expect(await seed(structuredClone(SHOP), name, { seed: number })).toEqual(entities);
        expect(await seed(SHOP, name, { seed: number + 1 })).not.toEqual(entities);
      }),
      { numRuns: 8 },
    );
  });

  test('does not depend on the other resources, nor on their order', async () => {
    const added = { ...resource('cars', thing({ name: TEXT })), ...SHOP, ...resource('zoos', thing({})) };
    const turned = Object.fromEntries(Object.entries(added).reverse());
    for (const name of NAMES) {
      const entities = await seed(SHOP, name);
      expect(await seed(added, name)).toEqual(entities);
      expect(await seed(turned, name)).toEqual(entities);
    }
  });

  test('does not depend on how many others there are', async () => {
    const schema = thing({ name: TEXT, price: { type: 'number' } });
    const alone = await seed(resource('toys', schema), 'toys');
    const shown = [{ id: 2, name: 'Ball', price: 1 }];
    const beside = await seed(resource('toys', schema, { list: shown }), 'toys');
    expect(beside).toEqual(alone.map((toy) => (toy.id === 2 ? shown[0] : toy)));
  });
});

describe('the examples of a document', () => {
  const schema = thing({ name: TEXT });
  const ball = { id: 3, name: 'Ball' };
  const kite = { id: 12, name: 'Kite' };

  test.each<[what: string, toy: object, examples: Examples, first: Entity[]]>([
    ['of a list', schema, { list: [ball, kite] }, [ball, kite]],
    ['of an item', schema, { item: kite }, [kite]],
    ['of what is created', schema, { created: kite }, [kite]],
    ['of a body, under the next free key', schema, { taken: { name: 'Doll' } }, [{ id: 1, name: 'Doll' }]],
    ['of a body that is answered', schema, { taken: { name: 'Kite' }, created: kite }, [kite]],
    ['of the schema', thing({ name: TEXT }, { example: kite }), {}, [kite]],
    ['of the same key, the first', schema, { list: [ball], item: { id: 3, name: 'Box' } }, [ball]],
    ['that hold to the schema', schema, { list: [{ id: 3, name: 7 }, kite] }, [kite]],
    ['that can be stored as they are', schema, { list: [{ id: 2 ** 60, name: 'Far' }, kite] }, [kite]],
    ['that are objects', schema, { list: ['ball', null, kite] }, [kite]],
  ])('come first: %s', async (_, toy, examples, first) => {
    const toys = await seed(resource('toys', toy, examples), 'toys');
    expect(toys).toHaveLength(10);
    expect(toys).toEqual(expect.arrayContaining(first));
    const shown = ['Ball', 'Kite', 'Doll', 'Box', 'Far'];
    expect(toys.filter(({ name }) => shown.includes(String(name)))).toHaveLength(first.length);
  });

  test('are all there where they are more than ten, and nothing is generated', async () => {
    const toys = Array.from({ length: 14 }, (_, index) => ({ id: index + 1, name: 'Ball' }));
    expect(await seed(resource('toys', schema, { list: toys }), 'toys')).toEqual(toys);
  });

  test('refer to entities that are generated for them', async () => {
    const toy = { id: 1, makerId: 4711 };
    const mock = await createMock({
      spec: documentOf({
        ...resource('toys', thing({ makerId: INTEGER }), { item: toy }),
        ...resource('makers', schema),
      }),
    });
    expect(await list(mock, 'toys')).toContainEqual(toy);
    expect(keysOf(await list(mock, 'makers'))).toEqual([...FIRST_TEN.slice(0, 9), 4711]);
  });

  test('of a property are taken where its name tells nothing', async () => {
    const toys = await seed(resource('toys', thing({ kind: { ...TEXT, example: 'soft' } })), 'toys');
    expect(toys.map(({ kind }) => kind)).toEqual(FIRST_TEN.map(() => 'soft'));
  });
});

describeInProcess('a generated entity', ({ open }) => {
  test('is read, changed and deleted like any other, and new ones come behind it', async () => {
    const { ask } = await open({ spec: documentOf(SHOP) });
    const author = (await (await ask('/authors/4')).json()) as Entity;
    const changed = await ask('/authors/4', json('PATCH', { name: 'Jane' }));
    expect([changed.status, await changed.json()]).toEqual([200, { ...author, name: 'Jane' }]);
    expect((await ask('/authors/4', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/authors/4')).status).toBe(404);
    const created = await ask('/authors', json('POST', { name: 'James' }));
    expect([created.status, created.headers.get('location')]).toEqual([201, '/authors/11']);
  });
});

describe('a pet store of somebody else', () => {
  test.each([1, 2, 3, 4, 5])('starts with entities that keep the rules, with seed %d', async (number) => {
    const spec = (await readSource(OWN_DOCUMENT, 'document')).data as object;
    const mock = await createMock({ spec, seed: number });
    const [pets, inventory, orders] = await Promise.all(
      ['pets', 'store/inventory', 'store/orders'].map((path) => list(mock, path)),
    );
    expect(pets?.length).toBeGreaterThanOrEqual(5);
    expect(orders?.length).toBeGreaterThanOrEqual(5);
    expect(inventory?.map(({ petId, status }) => [petId, status])).toEqual(
      pets?.map(({ id, status }) => [id, status]),
    );
    expect((await mock.fetch(`/pets/${pets?.[0]?.id}/profile`)).status).toBe(200);
    const pet = await mock.fetch('/pets', json('POST', { name: 'Ada', categoryId: 1 }));
    expect(pet.status).toBe(201);
  });
});
