import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadDocument } from '../src/document/document.ts';
import { readSource } from '../src/document/source.ts';
import { createMock } from '../src/index.ts';
import { buildOperationTable } from '../src/model/operations/operations.ts';
import { inferResources, type ResourceModel } from '../src/model/resources/resources.ts';
import { OWN_DOCUMENT } from '../src/package-files.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';

type Json = Readonly<Record<string, unknown>>;
type Paths = Readonly<Record<string, Json>>;

const INTEGER = { type: 'integer', format: 'int64' };
const TEXT = { type: 'string' };
const NEW_BOOK = {
  type: 'object',
  required: ['title'],
  properties: { title: TEXT, authorId: INTEGER, year: { type: 'integer' } },
};
const BOOK = { allOf: [NEW_BOOK, { type: 'object', required: ['id'], properties: { id: INTEGER } }] };
const AUTHOR = {
  type: 'object',
  required: ['name'],
  properties: { authorId: INTEGER, name: TEXT },
};
const DONE = { responses: { '204': { description: 'Done' } } };

/** A bookshop: two resources, one keyed by `id` and one by the parameter's name, and two paths without state. */
const BOOKSHOP: Paths = {
  '/books': {
    get: {
      operationId: 'listBooks',
      parameters: [
        toParameter('query', 'authorId', INTEGER),
        toParameter('query', 'title', { type: 'array', items: TEXT }),
        toParameter('query', 'sort', TEXT),
        toParameter('query', 'limit', { type: 'integer', minimum: 1 }),
        toParameter('query', 'offset', { type: 'integer', minimum: 0 }),
      ],
      ...toAnswer('200', { type: 'array', items: { $ref: '#/components/schemas/Book' } }),
    },
    post: { operationId: 'createBook', ...toTaking(NEW_BOOK), ...toAnswer('201', BOOK) },
  },
  '/books/{bookId}': {
    parameters: [toParameter('path', 'bookId', INTEGER)],
    get: { operationId: 'getBook', ...toAnswer('200', { $ref: '#/components/schemas/Book' }) },
    put: { operationId: 'replaceBook', ...toTaking(NEW_BOOK), ...toAnswer('200', BOOK) },
    patch: { operationId: 'updateBook', ...toTaking({ type: 'object' }), ...toAnswer('200', BOOK) },
    delete: { operationId: 'deleteBook', ...DONE },
  },
  '/books/{bookId}/cover': {
    get: {
      operationId: 'getCover',
      parameters: [toParameter('path', 'bookId', INTEGER)],
      ...toAnswer('200', { type: 'object', properties: { id: INTEGER }, example: { id: 7 } }),
    },
  },
  '/authors': {
    get: { operationId: 'listAuthors', ...toAnswer('200', { type: 'array', items: AUTHOR }) },
    post: { operationId: 'createAuthor', ...toTaking(AUTHOR), ...toAnswer('200', AUTHOR) },
  },
  '/authors/{authorId}': {
    parameters: [toParameter('path', 'authorId', INTEGER)],
    get: { operationId: 'getAuthor', ...toAnswer('200', AUTHOR) },
    delete: { operationId: 'deleteAuthor', ...DONE },
  },
};

afterEach(closeAll);

describe('the resources of the pet store', () => {
  test('are its four collections', async () => {
    const { resources } = await infer(OWN_DOCUMENT);
    const shown = [...resources.values()].map(({ name, singular, itemPath, key }) => [
      name,
      { singular, itemPath, key: { parameter: key?.parameter, property: key?.property } },
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      pets: {
        singular: 'pet',
        itemPath: '/pets/{petId}',
        key: { parameter: 'petId', property: 'id' },
      },
      categories: {
        singular: 'category',
        itemPath: '/categories/{categoryId}',
        key: { parameter: 'categoryId', property: 'id' },
      },
      orders: {
        singular: 'order',
        itemPath: '/store/orders/{orderId}',
        key: { parameter: 'orderId', property: 'id' },
      },
      inventory: {
        singular: 'inventory',
        itemPath: '/store/inventory/{petId}',
        key: { parameter: 'petId', property: 'petId' },
      },
    });
  });

  test('have an action for every operation but the two that only read them together', async () => {
    const { actions } = await infer(OWN_DOCUMENT);
    const shown = [...actions].map(([id, { name, resource }]) => [id, `${name} ${resource.name}`]);
    expect(Object.fromEntries(shown)).toEqual({
      listPets: 'list pets',
      createPet: 'create pets',
      getPet: 'read pets',
      replacePet: 'replace pets',
      updatePet: 'update pets',
      deletePet: 'remove pets',
      listCategories: 'list categories',
      createCategory: 'create categories',
      getCategory: 'read categories',
      replaceCategory: 'replace categories',
      deleteCategory: 'remove categories',
      listOrders: 'list orders',
      placeOrder: 'create orders',
      getOrder: 'read orders',
      updateOrder: 'update orders',
      cancelOrder: 'remove orders',
      listInventory: 'list inventory',
      getInventoryItem: 'read inventory',
      updateInventory: 'replace inventory',
    });
  });
});

describe('a resource', () => {
  const item = (schema: unknown, ...names: string[]) => ({
    get: {
      parameters: names.map((name) => toParameter('path', name, INTEGER)),
      ...toAnswer('200', schema),
    },
  });
  const list = { get: toAnswer('200', { type: 'array', items: BOOK }) };
  const texts = { get: toAnswer('200', { type: 'array', items: TEXT }) };
  const keyed = (property: string, schema: unknown) => ({
    type: 'object',
    properties: { [property]: schema },
  });

  test.each<[what: string, paths: Paths, keys: Record<string, string>]>([
    ['a list and an item', { '/books': list, '/books/{n}': item(BOOK, 'n') }, { books: 'id' }],
    [
      'a POST and an item',
      { '/books': { post: toAnswer('201', BOOK) }, '/books/{n}': item(BOOK, 'n') },
      { books: 'id' },
    ],
    [
      'an item with a property called like the parameter',
      { '/books': list, '/books/{isbn}': item(keyed('isbn', INTEGER), 'isbn') },
      { books: 'isbn' },
    ],
    [
      'an item with both, where the name of the parameter wins',
      {
        '/books': list,
        '/books/{isbn}': item({ type: 'object', properties: { id: INTEGER, isbn: INTEGER } }, 'isbn'),
      },
      { books: 'isbn' },
    ],
    [
      'an item behind references',
      { '/books': list, '/books/{id}': item({ $ref: '#/components/schemas/Alias' }, 'id') },
      { books: 'id' },
    ],
    ['a longer path', { '/api/v1/books': list, '/api/v1/books/{id}': item(BOOK, 'id') }, { books: 'id' }],
    [
      'two collections, each with items',
      {
        '/books': list,
        '/books/{id}': item(BOOK, 'id'),
        '/authors': list,
        '/authors/{authorId}': item(AUTHOR, 'authorId'),
      },
      { books: 'id', authors: 'authorId' },
    ],
    [
      'two collections of one name, of which the second takes more of its path',
      {
        '/books': list,
        '/books/{id}': item(BOOK, 'id'),
        '/old/books': list,
        '/old/books/{isbn}': item(keyed('isbn', INTEGER), 'isbn'),
      },
      { books: 'id', 'old.books': 'isbn' },
    ],
    [
      'a list, of which an item cannot be read',
      { '/books': list, '/books/{id}': { parameters: [toParameter('path', 'id', INTEGER)], delete: DONE } },
      { books: 'id' },
    ],
    [
      'a key that is text',
      { '/books': texts, '/books/{id}': item(keyed('id', TEXT), 'id') },
      { books: 'id' },
    ],
    [
      'a key that is text, by name',
      { '/books': texts, '/books/{isbn}': item(keyed('isbn', TEXT), 'isbn') },
      { books: 'isbn' },
    ],
    [
      'items below other items',
      {
        '/authors/{authorId}/books': list,
        '/authors/{authorId}/books/{id}': item(BOOK, 'authorId', 'id'),
      },
      { books: 'id' },
    ],
  ])('is inferred from %s', async (_, paths, keys) => {
    const { resources } = await infer(toDocument(paths));
    const found = [...resources.values()].map(({ name, key }) => [name, key?.property]);
    expect(Object.fromEntries(found)).toEqual(keys);
  });

  test.each<[what: string, paths: Paths]>([
    ['a list alone', { '/books': list }],
    ['an item alone', { '/books/{id}': item(BOOK, 'id') }],
    ['items without a key', { '/books': texts, '/books/{id}': item(keyed('title', TEXT), 'id') }],
    ['items that are lists', { '/books': texts, '/books/{id}': item({ type: 'array', items: BOOK }, 'id') }],
    ['items that are text', { '/books': texts, '/books/{id}': item(TEXT, 'id') }],
    ['items of which nothing is said', { '/books': texts, '/books/{id}': item({}, 'id') }],
    [
      'items without a schema',
      { '/books': texts, '/books/{id}': { get: { responses: { '200': { description: 'A book' } } } } },
    ],
    ['two parameters in a row', { '/books/{shelf}': list, '/books/{shelf}/{id}': item(BOOK, 'shelf', 'id') }],
    ['a parameter and more', { '/books': list, '/books/{id}.json': item(BOOK, 'id') }],
    ['a fixed path', { '/books': list, '/books/first': item(BOOK) }],
  ])('is not inferred from %s', async (_, paths) => {
    const { resources, actions } = await infer(toDocument(paths));
    expect([[...resources.keys()], [...actions.keys()]]).toEqual([[], []]);
  });

  test.each<[what: string, changed: Paths, missing: string[]]>([
    ['a list that is an object', { '/books': { get: toAnswer('200', TEXT) } }, ['list']],
    ['a list of anything', { '/books': { get: toAnswer('200', { type: 'array' }) } }, []],
    [
      'a POST that takes many at once',
      { '/books': { post: { ...toTaking({ type: 'array', items: BOOK }), ...toAnswer('201', BOOK) } } },
      ['create'],
    ],
    ['a POST that answers something else', { '/books': { post: toAnswer('201', TEXT) } }, []],
    [
      'a POST that answers nothing',
      { '/books': { post: { responses: { '201': { description: '' } } } } },
      [],
    ],
    ['a PUT that answers something else', { '/books/{id}': { put: toAnswer('200', TEXT) } }, []],
    ['a PATCH that answers something else', { '/books/{id}': { patch: toAnswer('200', TEXT) } }, []],
    ['a DELETE that answers the book', { '/books/{id}': { delete: toAnswer('200', BOOK) } }, []],
    ['all six', {}, []],
  ])('has the actions that fit it, with %s', async (_, changed, missing) => {
    const whole: Paths = {
      '/books': { ...list, post: toAnswer('201', BOOK), ...changed['/books'] },
      '/books/{id}': {
        ...item(BOOK, 'id'),
        put: toAnswer('200', BOOK),
        patch: toAnswer('200', BOOK),
        delete: DONE,
        ...changed['/books/{id}'],
      },
    };
    const { actions } = await infer(toDocument(whole));
    const names = ['list', 'create', 'read', 'replace', 'update', 'remove'];
    expect([...actions.values()].map(({ name }) => name).sort()).toEqual(
      names.filter((name) => !missing.includes(name)).sort(),
    );
  });

  test.each([
    ['books', 'book'],
    ['categories', 'category'],
    ['boxes', 'box'],
    ['addresses', 'address'],
    ['inventory', 'inventory'],
    ['glass', 'glass'],
  ])('%s has the singular %s', async (name, singular) => {
    const { resources } = await infer(
      toDocument({ [`/${name}`]: list, [`/${name}/{id}`]: item(BOOK, 'id') }),
    );
    expect(resources.get(name)?.singular).toBe(singular);
  });

  test.each(['book-shelves', 'bookShelves', 'book.shelves', 'Books', 'book_shelves'])(
    'named %s has an error code in snake_case',
    async (name) => {
      const mock = await createMock({
        spec: toDocument({ [`/${name}`]: list, [`/${name}/{id}`]: item(BOOK, 'id') }),
        empty: true,
      });
      const response = await mock.fetch(`/${name}/1`);
      const { code } = (await response.json()) as { code: string };
      expect([response.status, code]).toEqual([404, expect.stringMatching(/^[a-z0-9]+(_[a-z0-9]+)*$/)]);
    },
  );
});

describeAdapters('a document that is no pet store', ({ open }) => {
  const spec = toDocument(BOOKSHOP);

  test('keeps what is created, replaced, changed and deleted', async () => {
    const { ask } = await open({ spec, empty: true });
    expect(await read(ask, '/books')).toEqual([]);
    const created = await ask('/books', json('POST', { title: 'Emma', year: 1815, id: 9, cloth: true }));
    expect([created.status, created.headers.get('location')]).toEqual([201, '/books/1']);
    expect(await created.json()).toEqual({ id: 1, title: 'Emma', year: 1815, cloth: true });
    const replaced = await ask(
      '/books/1',
      json('PUT', { title: 'Persuasion', blurb: { short: 'P', long: 'Q' } }),
    );
    expect(await replaced.json()).toEqual({ id: 1, title: 'Persuasion', blurb: { short: 'P', long: 'Q' } });
    const changed = await ask('/books/1', json('PATCH', { year: 1817, blurb: { long: null } }));
    expect(await changed.json()).toEqual({ id: 1, title: 'Persuasion', year: 1817, blurb: { short: 'P' } });
    expect(await read(ask, '/books')).toEqual([await read(ask, '/books/1')]);
    expect((await ask('/books/1', { method: 'DELETE' })).status).toBe(204);
    expect(await read(ask, '/books')).toEqual([]);
    expect((await ask('/books', json('POST', { title: 'Emma' }))).headers.get('location')).toBe('/books/2');
  });

  test('is refused by its own names', async () => {
    const { ask } = await open({ spec, empty: true });
    await ask('/books', json('POST', { title: 'Emma' }));
    const requests: [path: string, init: RequestInit, refusal: string][] = [
      ['/books/2', {}, '404 book_not_found'],
      ['/books/2', json('PUT', { title: 'x' }), '404 book_not_found'],
      ['/books/2', json('PATCH', {}), '404 book_not_found'],
      ['/books/2', { method: 'DELETE' }, '404 book_not_found'],
      ['/authors/1', {}, '404 author_not_found'],
      ['/books/1', json('PUT', { title: 'x', id: 2 }), '422 validation_failed'],
      ['/books/1', json('PATCH', { id: 2 }), '422 validation_failed'],
      ['/books/1', json('PATCH', { title: null }), '422 validation_failed'],
      ['/books/1', json('PATCH', { year: 'x' }), '422 validation_failed'],
      ['/books', json('POST', {}), '422 validation_failed'],
      ['/books?sort=colour', {}, '422 invalid_parameter'],
    ];
    for (const [path, init, refusal] of requests) {
      const response = await ask(path, init);
      const { code } = (await response.json()) as { code: string };
      expect.soft([path, init.method, `${response.status} ${code}`]).toEqual([path, init.method, refusal]);
    }
    expect(await read(ask, '/books')).toEqual([{ id: 1, title: 'Emma' }]);
  });

  test('is filtered, sorted and paged by what its lists declare', async () => {
    const { ask } = await open({ spec, empty: true });
    for (const [title, authorId] of [
      ['Emma', 1],
      ['Ulysses', 2],
      ['Dubliners', 2],
    ] as const) {
      await ask('/books', json('POST', { title, authorId }));
    }
    const ids = async (query: string) =>
      ((await read(ask, `/books?${query}`)) as { id: number }[]).map(({ id }) => id);
    expect(await ids('authorId=2')).toEqual([2, 3]);
    expect(await ids('title=Emma&title=Dubliners')).toEqual([1, 3]);
    expect(await ids('sort=-authorId,title')).toEqual([3, 2, 1]);
    expect(await ids('year=1815')).toEqual([1, 2, 3]);
    const page = await ask('/books?sort=title&limit=1&offset=1');
    expect([await page.json(), page.headers.get('x-total-count')]).toEqual([
      [{ id: 1, title: 'Emma', authorId: 1 }],
      '3',
    ]);
    expect(page.headers.get('link')).toContain('</books?sort=title&limit=1&offset=2>; rel="next"');
  });

  test('has no rule of the pet store: what an entity refers to may be missing or go', async () => {
    const { ask } = await open({ spec, empty: true });
    expect((await ask('/books', json('POST', { title: 'Emma', authorId: 1 }))).status).toBe(201);
    const author = await ask('/authors', json('POST', { name: 'Jane', authorId: 5 }));
    expect([author.status, await author.json()]).toEqual([200, { authorId: 5, name: 'Jane' }]);
    expect((await ask('/authors/5', { method: 'DELETE' })).status).toBe(204);
    expect(await read(ask, '/books/1')).toEqual({ id: 1, title: 'Emma', authorId: 1 });
  });

  test('goes on answering from the document alone where nothing was inferred', async () => {
    const { ask } = await open({ spec, empty: true });
    expect(await read(ask, '/books/4711/cover')).toEqual({ id: 7 });
  });

  test('starts with fixtures of its own', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
    try {
      await writeFile(join(directory, 'authors.json'), '[{"authorId":3,"name":"Jane"}]');
      const { ask } = await open({ spec, fixtures: directory });
      expect(await read(ask, '/authors')).toEqual([{ authorId: 3, name: 'Jane' }]);
      expect(await read(ask, '/books')).toEqual([]);
      const next = await ask('/authors', json('POST', { name: 'James' }));
      expect(await next.json()).toEqual({ authorId: 4, name: 'James' });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('a document', () => {
  test('that is given as an object stays as it was, and serves two mocks apart', async () => {
    const spec = toDocument(BOOKSHOP);
    const before = JSON.stringify(spec);
    const [one, other] = [await createMock({ spec, empty: true }), await createMock({ spec, empty: true })];
    await one.fetch('/books', json('POST', { title: 'Emma' }));
    await one.fetch('/books/1', json('PATCH', { title: 'Persuasion' }));
    await other.fetch('/books/1/cover');
    expect(await (await other.fetch('/books')).json()).toEqual([]);
    expect(JSON.stringify(spec)).toBe(before);
  });

  test('may declare a sort by words that are no properties', async () => {
    const { '/books': books, ...others } = BOOKSHOP;
    const sort = toParameter('query', 'sort', { type: 'string', enum: ['newest', 'oldest'] });
    const get = { ...toAnswer('200', { type: 'array', items: BOOK }), parameters: [sort] };
    const mock = await createMock({
      spec: toDocument({ '/books': { ...books, get }, ...others }),
      empty: true,
    });
    await mock.fetch('/books', json('POST', { title: 'Emma' }));
    const response = await mock.fetch('/books?sort=newest');
    expect([response.status, await response.json()]).toEqual([200, [{ id: 1, title: 'Emma' }]]);
    expect((await mock.fetch('/books?sort=title')).status).toBe(422);
  });

  test('may require in an answer what no client sends, and takes a POST all the same', async () => {
    const stamped = {
      allOf: [
        BOOK,
        { required: ['addedAt'], properties: { addedAt: { type: 'string', format: 'date-time' } } },
      ],
    };
    const { '/books': books, '/books/{bookId}': item } = BOOKSHOP;
    const mock = await createMock({
      spec: toDocument({
        '/books': { ...books, post: { ...toTaking(NEW_BOOK), ...toAnswer('201', stamped) } },
        '/books/{bookId}': { ...item, get: toAnswer('200', stamped) },
      }),
      empty: true,
    });
    const response = await mock.fetch('/books', json('POST', { title: 'Emma' }));
    expect([response.status, await response.json()]).toEqual([
      201,
      { id: 1, title: 'Emma', addedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ]);
  });

  test('with the names of the pet store but other entities is served without its rules', async () => {
    const names = ['pets', 'categories', 'orders', 'inventory'];
    const thing = { type: 'object', required: ['id'], properties: { id: INTEGER, label: TEXT } };
    const paths = Object.fromEntries(
      names.flatMap((name) => [
        [
          `/${name}`,
          {
            get: toAnswer('200', { type: 'array', items: thing }),
            post: {
              operationId: name === 'pets' ? 'createPet' : `create-${name}`,
              ...toTaking({ type: 'object' }),
              ...toAnswer('201', thing),
            },
          },
        ],
        [
          `/${name}/{id}`,
          { parameters: [toParameter('path', 'id', INTEGER)], get: toAnswer('200', thing), delete: DONE },
        ],
      ]),
    );
    const mock = await createMock({ spec: toDocument(paths), empty: true });
    const response = await mock.fetch('/pets', json('POST', { label: 'Ada' }));
    expect([response.status, await response.json()]).toEqual([201, { id: 1, label: 'Ada' }]);
  });

  test('of the pet store may name an operation otherwise, and no answer is the worse for it', async () => {
    const text = JSON.stringify((await readSource(OWN_DOCUMENT, 'document')).data);
    const mock = await createMock({
      spec: JSON.parse(text.replace('"createPet"', '"addPet"')) as object,
      empty: true,
    });
    await mock.fetch('/categories', json('POST', { name: 'Dogs' }));
    expect((await mock.fetch('/pets', json('POST', { name: 'Ada', categoryId: 1 }))).status).toBe(201);
    for (const path of ['/pets/1', '/pets/1/profile', '/store/inventory/1']) {
      expect.soft([path, (await mock.fetch(path)).status]).toEqual([path, 200]);
    }
    expect((await mock.fetch('/pets/1', json('PATCH', { name: 'Bo' }))).status).toBe(200);
  });

  test('of the pet store may leave the filters of a list out', async () => {
    const spec = (await readSource(OWN_DOCUMENT, 'document')).data as {
      paths: Record<string, { get: { parameters?: unknown } }>;
    };
    for (const path of ['/pets', '/store/orders', '/store/inventory'])
      delete spec.paths[path]?.get.parameters;
    const mock = await createMock({ spec, empty: true });
    const summary = await mock.fetch('/store/inventory/summary');
    expect([summary.status, await summary.json()]).toEqual([200, { available: 0, pending: 0, sold: 0 }]);
    await mock.fetch('/categories', json('POST', { name: 'Dogs' }));
    await mock.fetch('/pets', json('POST', { name: 'Ada', categoryId: 1 }));
    expect((await mock.fetch('/store/orders', json('POST', { petId: 1 }))).status).toBe(201);
    expect((await mock.fetch('/categories/1', { method: 'DELETE' })).status).toBe(409);
    expect((await mock.fetch('/pets/1', { method: 'DELETE' })).status).toBe(409);
  });
});

async function infer(document: string | object): Promise<ResourceModel> {
  return inferResources(buildOperationTable(await loadDocument(document)).operations);
}

async function read(ask: Ask, path: string): Promise<unknown> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

function toDocument(paths: Paths): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Small', version: '1.0.0' },
    paths,
    components: { schemas: { Book: BOOK, Alias: { $ref: '#/components/schemas/Book' } } },
  };
}

function toParameter(place: string, name: string, schema: unknown): Json {
  return { in: place, name, required: place === 'path', schema };
}

function toAnswer(status: string, schema: unknown): Json {
  return { responses: { [status]: { description: 'Done', content: { 'application/json': { schema } } } } };
}

function toTaking(schema: unknown): Json {
  return { requestBody: { required: true, content: { 'application/json': { schema } } } };
}

describeAdapters('a property that goes one way', ({ open }) => {
  const user = {
    type: 'object',
    required: ['id', 'name', 'createdBy'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      createdBy: { type: 'string', readOnly: true },
      password: { type: 'string', writeOnly: true },
    },
  };
  const content = { 'application/json': { schema: user } };
  const item = { responses: { 200: { description: '', content } } };
  const spec = {
    openapi: '3.0.3',
    info: { title: 'Users', version: '1' },
    paths: {
      '/users': {
        get: {
          responses: {
            200: {
              description: '',
              content: { 'application/json': { schema: { type: 'array', items: user } } },
            },
          },
        },
        post: { requestBody: { content }, responses: { 201: { description: '', content } } },
      },
      '/users/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: item,
        put: { ...item, requestBody: { content } },
        patch: { ...item, requestBody: { content: { 'application/merge-patch+json': { schema: {} } } } },
      },
    },
  };

  test('is not taken from a client if it is readOnly', async () => {
    const { ask } = await open({ spec, empty: true });
    const created = (await (await ask('/users', json('POST', { name: 'Ada', createdBy: 'me' }))).json()) as {
      createdBy: string;
    };
    expect(created.createdBy).not.toBe('me');
    for (const method of ['PUT', 'PATCH']) {
      const answer = await ask('/users/1', json(method, { name: 'Bo', createdBy: 'me' }, PATCH_TYPE[method]));
      expect(await answer.json()).toEqual({ ...created, name: 'Bo' });
    }
  });

  test('is not given back if it is writeOnly', async () => {
    const { ask } = await open({ spec, empty: true });
    const created = await ask('/users', json('POST', { name: 'Ada', password: 'secret' }));
    expect(created.status).toBe(201);
    const answers = [created, await ask('/users'), await ask('/users/1')];
    for (const answer of answers) expect(await answer.text()).not.toContain('secret');
    const replaced = await ask('/users/1', json('PUT', { name: 'Bo', password: 'other' }));
    expect(await replaced.text()).not.toContain('other');
  });
});

const PATCH_TYPE: Readonly<Record<string, Record<string, string>>> = {
  PATCH: { 'Content-Type': 'application/merge-patch+json' },
};
