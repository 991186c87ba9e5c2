import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { type ListQuery, queryPage, toSortTerms } from '../src/state/actions/query.ts';
import { createSelections } from '../src/state/actions/selections.ts';
import { type Collection, createStore, type Entities, type Entity } from '../src/state/store/store.ts';
import { closeAll, describeInProcess, json } from './support/adapters.ts';

const MANY = 100_000;
const STATUSES = ['available', 'pending', 'sold'];

afterEach(closeAll);

describe('A page of a big collection', () => {
  test.each([
    ['the first one', { offset: 0 }, MANY],
    ['one in the middle', { offset: MANY / 2 }, MANY],
    ['the last one', { offset: MANY - 20 }, MANY],
    ['one of a filter by text', { offset: 40, filters: [['status', 'sold']] }, Math.floor(MANY / 3)],
    ['one of a filter by the path', { offset: 40, pathValues: [['status', 'sold']] }, Math.floor(MANY / 3)],
    ['one of a filter by number', { offset: 0, filters: [['categoryId', 7]] }, MANY / 100],
    ['the one after a key', { offset: 0, after: toAfter(49_999) }, MANY],
    [
      'after a key, of what has a value',
      { offset: 0, after: toAfter(50), filters: [['status', 'sold']] },
      33_333,
    ],
  ] as const)('looks at no entity outside it: %s', (_, { offset, ...conditions }, total) => {
    const { collection, seen } = createSpied();
    const page = askFor(collection, { ...conditions, offset });
    expect(page.total).toBe(total);
    expect(page.entities).toHaveLength(20);
    expect(seen()).toBe(20);
  });

  test.each([
    ['that never existed', toAfter(MANY), []],
    ['that does not pass the filter', toAfter(49_999), [['status', 'sold']]],
  ] as const)('is not there after a key %s', (_, after, filters) => {
    const { collection, seen } = createSpied();
    expect(askFor(collection, { offset: 0, after, filters })).toMatchObject({
      offset: undefined,
      entities: [],
    });
    expect(seen()).toBe(0);
  });

  test('of two filters reads only the entities with the rarer value', () => {
    const { collection, seen } = createSpied();
    const filters = [
      ['status', 'sold'],
      ['categoryId', 7],
    ] as const;
    const page = askFor(collection, { offset: 0, filters });
    expect(page.entities.every(({ status, categoryId }) => status === 'sold' && categoryId === 7)).toBe(true);
    expect(seen()).toBeLessThanOrEqual(MANY / 100);
  });

  test.each([
    ['a filter by a property without an index', { filters: [['name', 'Pet 7']] }, 1],
    ['a filter by one of several values', { filters: [['status', ['sold', 'pending']]] }, 66_666],
    ['a search', { search: 'pet 99999' }, 1],
    ['an order', { sort: toSortTerms('-id') }, MANY],
  ] as const)('is right where every entity must be looked at: %s', (_, conditions, total) => {
    const page = askFor(createSpied().collection, { offset: 0, ...conditions });
    expect(page.total).toBe(total);
  });

  test('is the one that a walk over all entities finds, after any number of changes', () => {
    const pets = createPets();
    const plain = new Map<string, Entity>();
    const put = (id: number, status: string) => {
      plain.set(String(id), { id, status });
      pets.put(String(id), { id, status });
    };
    for (let id = 0; id < 3000; id++) put(id, pick(id));
    for (let step = 0; step < 4000; step++) {
      const id = (step * 7919) % 3500;
      if (step % 3 > 0) put(id, pick(step));
      else expect(pets.delete(String(id))).toBe(plain.delete(String(id)));
    }
    const all = [...plain.values()];
    expect([...pets.values()]).toEqual(all);
    for (const start of [0, 1, 1023, 1024, 1025, 2500, all.length - 1, all.length, 9999]) {
      expect(pets.all().slice(start, start + 20)).toEqual(all.slice(start, start + 20));
    }
    const keys = [...plain.keys()];
    expect(keys.map((key) => pets.all().positionOf?.(key))).toEqual([...keys.keys()]);
    for (const status of STATUSES) {
      const expected = all.filter((pet) => pet.status === status);
      expect(pets.having('status', status)?.slice(0)).toEqual(expected);
      expect(pets.where('status', status)).toEqual(expected);
      expect(pets.count('status', status)).toBe(expected.length);
    }
  });

  test.each<[name: string, value: unknown, text: string, found: number | undefined]>([
    ['a number by its text', 7, '7', 1],
    ['a boolean by its text', true, 'true', 1],
    ['null, which has no text', null, 'null', 0],
    ['a text that looks like a number', '07', '7', 0],
    ['a missing value, which has no text', undefined, 'undefined', 0],
    ['a list, which an index cannot find', ['a'], 'a', undefined],
  ])('may be found by %s', (_, value, text, found) => {
    const pets = createPets();
    pets.put('1', { id: 1, status: value });
    expect(pets.having('status', text)?.length).toBe(found);
  });

  test('may not be found by a text that stands for several values', () => {
    const pets = createPets();
    pets.put('1', { id: 1, status: 7 });
    pets.put('2', { id: 2, status: '7' });
    expect(pets.having('status', '7')).toBeUndefined();
    expect(askFor(pets, { offset: 0, filters: [['status', 7]] }).total).toBe(2);
  });
});

describe('A selection', () => {
  const query = {
    filters: [['id', 2n ** 60n]] as const,
    sort: toSortTerms('-id'),
    offset: 0,
  };

  /** Looks for things, and tells how often it really did. */
  function open() {
    const store = createStore([{ name: 'pets', indexes: [] }]);
    const selections = createSelections();
    let made = 0;
    const look = (asked: Partial<ListQuery> = {}, path = '/pets') => {
      const wanted = { ...query, ...asked };
      if (selections.find(store, path, wanted)) return made;
      selections.keep(store, path, wanted, []);
      made += 1;
      return made;
    };
    return { store, look };
  }

  test('is reused on another page', () => {
    const { look } = open();
    expect([look(), look({ offset: 20, limit: 20 }), look()]).toEqual([1, 1, 1]);
  });

  test.each<[name: string, asked: Partial<ListQuery>, path?: string]>([
    ['another filter', { filters: [['id', 1]] }],
    ['another kind of value', { filters: [['id', String(2n ** 60n)]] }],
    ['another order', { sort: toSortTerms('id') }],
    ['another text', { search: 'a' }],
    ['another value in the path', { pathValues: [['ownerId', '1']] }],
    ['another path', {}, '/owners/1/pets'],
  ])('is looked for again with %s', (_, asked, path) => {
    const { look } = open();
    expect([look(), look(asked, path), look(), look(asked, path)]).toEqual([1, 2, 2, 2]);
  });

  test('is made again after a change', () => {
    const { store, look } = open();
    look();
    store.collection('pets').put('1', { id: 1 });
    expect([look(), look()]).toEqual([2, 2]);
    store.collection('pets').delete('1');
    expect(look()).toBe(3);
    store.reset();
    expect([look(), look()]).toEqual([4, 4]);
  });

  test('is dropped after enough others', () => {
    const { look } = open();
    for (let id = 0; id < 100; id++) look({ search: String(id) });
    expect([look({ search: '99' }), look({ search: '0' })]).toEqual([100, 101]);
  });
});

describe('A mock with very many entities', () => {
  test('answers like one with few', async () => {
    const mock = await createMock({ spec: THINGS, empty: true });
    for (let id = 1; id <= 20_000; id++) {
      const answer = await mock.fetch('/things', json('POST', { kind: STATUSES[id % 3] }));
      expect(answer.status).toBe(201);
    }
    const page = await mock.fetch('/things?kind=sold&limit=2&offset=6664');
    expect(await page.json()).toEqual([
      { id: 19_994, kind: 'sold' },
      { id: 19_997, kind: 'sold' },
    ]);
    expect(page.headers.get('x-total-count')).toBe('6667');
    expect((await mock.fetch('/things/10000', { method: 'DELETE' })).status).toBe(204);
    expect((await mock.fetch('/things/10000')).status).toBe(404);
    const after = await mock.fetch('/things?limit=1&offset=9999');
    expect(await after.json()).toEqual([{ id: 10_001, kind: 'sold' }]);
  });
});

/** The text of an entity is kept; this is what would show an old one. */
describeInProcess('What was answered once', ({ open }) => {
  const put = (name: string) => json('PUT', { name, categoryId: 1 });
  const patch = (name: string) => json('PATCH', { name }, { 'Content-Type': 'application/merge-patch+json' });

  test.each<[name: string, change: (path: string, mock: Mock) => unknown, shown: string | undefined]>([
    ['PUT', (path, mock) => mock.fetch(path, put('Put')), 'Put'],
    ['PATCH', (path, mock) => mock.fetch(path, patch('Patched')), 'Patched'],
    ['DELETE', (path, mock) => mock.fetch(path, { method: 'DELETE' }), undefined],
    ['reset', (_, mock) => mock.reset(), undefined],
    ['reload', (_, mock) => mock.reload(), 'Before'],
  ])('does not outlive %s', async (_, change, shown) => {
    const { ask, mock } = await open();
    const created = await ask('/pets', json('POST', { name: 'Before', categoryId: 1 }));
    const path = created.headers.get('location') as string;
    const { id } = (await created.json()) as { id: number };
    const item = async () => ((await (await ask(path)).json()) as { name?: string }).name;
    const listed = async () =>
      ((await (await ask('/pets')).json()) as { id: number; name: string }[]).find((pet) => pet.id === id)
        ?.name;
    expect([await item(), await listed()]).toEqual(['Before', 'Before']);
    await change(path, mock);
    expect([await item(), await listed()]).toEqual([shown, shown]);
    mock.reset();
    await ask('/pets', json('POST', { name: 'Another', categoryId: 1 }));
    expect([await item(), await listed()]).toEqual(['Another', 'Another']);
  });

  test('is the same to the byte when it is read again, alone and in a list', async () => {
    const { ask } = await open();
    const [one, other] = [await ask('/pets?limit=3'), await ask('/pets?limit=3')];
    const text = await one.text();
    expect(await other.text()).toBe(text);
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
    const items = await Promise.all([1, 2, 3].map(async (id) => (await ask(`/pets/${id}`)).text()));
    expect(text).toBe(`[${items.join(',')}]`);
  });
});

function pick(number: number): string {
  return STATUSES[number % STATUSES.length] as string;
}

function createPets(): Collection {
  return createStore([{ name: 'pets', indexes: ['status', 'categoryId'] }]).collection('pets');
}

/** A big collection that counts the entities that are taken out of it. */
function createSpied() {
  let count = 0;
  const pets = createPets();
  for (let id = 0; id < MANY; id++)
    pets.put(String(id), { id, name: `Pet ${id}`, status: pick(id), categoryId: id % 100 });
  const spy = (entities: Entities): Entities => ({
    length: entities.length,
    *values() {
      for (const entity of entities.values()) {
        count += 1;
        yield entity;
      }
    },
    positionOf: (key) => entities.positionOf?.(key) ?? -1,
    slice(start, end) {
      const found = entities.slice(start, end);
      count += found.length;
      return found;
    },
  });
  const collection: Pick<Collection, 'all' | 'having'> = {
    all: () => spy(pets.all()),
    having(property, text) {
      const found = pets.having(property, text);
      return found && spy(found);
    },
  };
  return { collection, seen: () => count };
}

/** The page after an entity, which is found without a look at any. */
function toAfter(id: number): ListQuery['after'] {
  return {
    key: String(id),
    is() {
      throw new Error('no entity need be looked at');
    },
  };
}

interface Conditions extends Pick<ListQuery, 'offset' | 'after'> {
  readonly filters?: readonly (readonly [property: string, wanted: unknown])[];
  readonly within?: readonly (readonly [property: string, text: string])[];
  readonly search?: string;
  readonly sort?: ReturnType<typeof toSortTerms>;
}

function askFor(collection: Pick<Collection, 'all' | 'having'>, { filters = [], ...query }: Conditions) {
  const having: Collection['having'] = (property, text) => collection.having(property, text);
  return queryPage(collection.all(), { limit: 20, filters, ...query }, having);
}

const THING = {
  type: 'object',
  properties: { id: { type: 'integer' }, kind: { type: 'string' } },
};
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const ofThing = (status: number, schema: object) => ({
  [status]: { description: 'Done', content: { 'application/json': { schema } } },
});

/** A document in which nothing stands between a client and very many entities. */
const THINGS = {
  openapi: '3.0.3',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: {
        parameters: [
          ...['limit', 'offset'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
          { name: 'kind', in: 'query', schema: { type: 'string' } },
        ],
        responses: ofThing(200, { type: 'array', items: THING }),
      },
      post: {
        requestBody: { content: { 'application/json': { schema: THING } } },
        responses: ofThing(201, THING),
      },
    },
    '/things/{id}': {
      parameters: [ID],
      get: { responses: ofThing(200, THING) },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  },
};
