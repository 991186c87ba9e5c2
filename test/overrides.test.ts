import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type MockOptions } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const PRODUCT = { $ref: '#/components/schemas/Product' };
const COMPONENTS = {
  schemas: {
    Product: {
      type: 'object',
      required: ['name'],
      properties: { sku: { type: 'string' }, name: { type: 'string' } },
    },
  },
};
const NUMBER = { name: 'number', in: 'path', required: true, schema: { type: 'string' } };
const LIST = { responses: jsonAnswer({ type: 'array', items: PRODUCT }) };
const READ = { parameters: [NUMBER], responses: jsonAnswer(PRODUCT) };
const CREATE = {
  requestBody: { content: { 'application/json': { schema: PRODUCT } } },
  responses: jsonAnswer(PRODUCT),
};

/** A shop whose two paths nothing but a person can bring together. */
function toShop(marks: { products?: object; product?: object; search?: object } = {}): object {
  return documentOf(
    {
      '/products': { ...marks.products, get: LIST, post: CREATE },
      '/article/{number}': { ...marks.product, get: READ },
      '/search': { post: { ...LIST, ...marks.search } },
    },
    COMPONENTS,
  );
}

const MARKED = toShop({
  products: { 'x-mock-resource': { item: '/article/{number}', key: 'sku' } },
  search: { 'x-mock-resource': { name: 'products', action: 'list' } },
});
const SETTING = { products: { collection: '/products', item: '/article/{number}', key: 'sku' } };

afterEach(closeAll);

async function inferred(options: MockOptions): Promise<Record<string, string>> {
  const { resources } = await createMock({ empty: true, ...options });
  return Object.fromEntries(
    resources.map(({ name, key, itemPath, actions }) => [name, `${key} ${itemPath} ${actions.join(' ')}`]),
  );
}

describe('without a word of anybody', () => {
  test('paths that are not alike have nothing to do with each other', async () => {
    expect(await inferred({ spec: toShop() })).toEqual({ products: 'id undefined list create' });
  });
});

describeAdapters('a resource that somebody names', ({ open }) => {
  test.each<[who: string, options: MockOptions]>([
    ['the document', { spec: MARKED }],
    ['the options', { spec: toShop(), resources: SETTING }],
  ])('has state: %s', async (_, options) => {
    const { ask } = await open({ empty: true, ...options });
    const created = await ask('/products', json('POST', { name: 'Mug' }));
    const path = created.headers.get('location') ?? '';
    expect(path).toMatch(/^\/article\/./);
    expect(await (await ask(path)).json()).toMatchObject({ name: 'Mug' });
    expect(await (await ask('/products')).json()).toHaveLength(1);
    expect((await ask('/article/none')).status).toBe(404);
  });

  test('is served by the operations that say so', async () => {
    const { ask } = await open({ spec: MARKED, empty: true });
    await ask('/products', json('POST', { sku: 'a', name: 'Mug' }));
    expect(await (await ask('/search', { method: 'POST' })).json()).toEqual([{ sku: 'a', name: 'Mug' }]);
  });
});

describe('a document', () => {
  const pair = (extra: object) =>
    documentOf(
      {
        '/products': { get: LIST, post: CREATE },
        '/products/{sku}': { ...extra, get: { ...READ, parameters: [{ ...NUMBER, name: 'sku' }] } },
      },
      COMPONENTS,
    );

  test('may give a resource another name', async () => {
    const spec = pair({ 'x-mock-resource': 'goods' });
    expect(await inferred({ spec })).toEqual({ goods: 'sku /products/{sku} list create read' });
  });

  test('may give it another key', async () => {
    const spec = pair({ 'x-mock-resource': { key: 'name' } });
    expect(await inferred({ spec })).toEqual({ products: 'name /products/{sku} list create read' });
  });

  test('may take the state of a path, or of an operation', async () => {
    const spec = pair({ 'x-mock-resource': false });
    expect(await inferred({ spec })).toEqual({ products: 'id undefined list create' });
    const create = { ...CREATE, 'x-mock-resource': false };
    const other = documentOf(
      { '/products': { get: LIST, post: create }, '/products/{sku}': { get: READ } },
      COMPONENTS,
    );
    expect(await inferred({ spec: other })).toEqual({ products: 'sku /products/{sku} list read' });
  });

  test.each<[mark: unknown, complaint: RegExp]>([
    [true, /neither false nor a name nor a mapping/],
    ['', /neither false nor a name nor a mapping/],
    [['products'], /neither false nor a name nor a mapping/],
    [{ kay: 'sku' }, /"kay" is unknown.*Write false, a name, or a mapping with name, collection, item, key/],
    [{ key: 1 }, /"key" must be a text/],
    [{ name: 'products', action: 'delete' }, /an action is one of list, create, read/],
    [{ action: 'list' }, /an action needs the name of a resource/],
    [{ key: 'colour' }, /no answer of \/products or \/products\/{sku} shows an object with the key "colour"/],
    [{ item: '/goods/{sku}' }, /the document has no path \/goods\/{sku}.*petstore-mock routes/],
    [{ name: 'goods', action: 'read' }, /unknown resource "goods"\. The document has: products/],
  ])('is refused with a reason for a mark like %j', async (mark, complaint) => {
    await expect(createMock({ spec: pair({ 'x-mock-resource': mark }) })).rejects.toThrow(complaint);
  });
});

describe('the options', () => {
  test('win over the document', async () => {
    expect(await inferred({ spec: MARKED, resources: { products: { key: 'name' } } })).toEqual({
      products: 'name /article/{number} list create read',
    });
  });

  test.each<[options: MockOptions]>([
    [{ resources: { products: false } }],
    [{ stateless: ['products'] }],
    [{ stateless: true }],
  ])('switch a resource off, and what says that it serves it: %j', async (options) => {
    const mock = await createMock({ spec: MARKED, ...options });
    expect(mock.resources).toEqual([]);
    await mock.fetch('/products', json('POST', { sku: 'a', name: 'Mug' }));
    expect(await (await mock.fetch('/article/a')).json()).not.toEqual({ sku: 'a', name: 'Mug' });
    expect((await mock.fetch('/search', { method: 'POST' })).status).toBe(200);
  });

  test('leave the other resources as they are', async () => {
    const mock = await createMock({ stateless: ['pets'] });
    expect(mock.resources.map(({ name }) => name).sort()).toEqual(['categories', 'inventory', 'orders']);
    const created = await mock.fetch('/categories', json('POST', { name: 'Birds' }));
    expect((await mock.fetch(created.headers.get('location') ?? '')).status).toBe(200);
    expect((await mock.fetch('/pets/4711')).status).toBe(200);
  });

  test.each<[options: MockOptions, complaint: RegExp]>([
    [{ stateless: ['goods'] }, /Unknown resource "goods" in the options\. The document has: products\./],
    [{ resources: { goods: {} } }, /it has no path\. Name its "collection", its "item" or both/],
    [{ resources: { goods: { item: '/nowhere/{id}' } } }, /the document has no path \/nowhere\/{id}/],
    [{ resources: { products: { key: 'colour' } } }, /shows an object with the key "colour"/],
    [
      { resources: { products: true } as never },
      /^resources has a mistake in products: expected an object, got true\.$/,
    ],
    [{ resources: { products: { keys: 'sku' } } as never }, /unknown member "keys"; did you mean key\?$/],
    [
      { stateless: 'yes' as never },
      /^stateless must be true, false or a list of resource names, not "yes"\.$/,
    ],
  ])('are refused with a reason: %j', async (options, complaint) => {
    await expect(createMock({ spec: MARKED, ...options })).rejects.toThrow(complaint);
  });

  test('may stand in the config file', async () => {
    const { main } = await import('../src/cli/cli.ts');
    const cwd = await mkdtemp(join(tmpdir(), 'overrides-'));
    await writeFile(join(cwd, 'shop.json'), JSON.stringify(toShop()));
    await writeFile(
      join(cwd, 'petstore-mock.config.json'),
      JSON.stringify({ spec: 'shop.json', resources: SETTING }),
    );
    let shown = '';
    const terminal = {
      env: {},
      cwd,
      isTTY: false,
      out: (text: string) => {
        shown += text;
      },
      err: (text: string) => {
        shown += text;
      },
      stopped: async () => {},
    };
    expect(await main(['routes', '--resources'], terminal)).toBe(0);
    expect(shown).toMatch(/products +\/products +\/article\/{number} +sku/);
    await rm(cwd, { recursive: true });
  });
});
