import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Collection,
  createStore,
  type Entity,
  fromPlainSnapshot,
  type PlainCollection,
  type Snapshot,
  type Store,
  toCollectionSnapshot,
  toPlainSnapshot,
} from '../src/state/store/store.ts';

/** Strings that mean something to JavaScript objects. */
const HOSTILE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'size', ''];

const KEYS = [...'0123456789'];

describe('an entity', () => {
  test('is found after it is put, until it is deleted', () => {
    const pets = createPets();
    expect(pets.get('1')).toBeUndefined();
    expect(pets.put('1', { id: 1, name: 'Ada' })).toEqual({ id: 1, name: 'Ada' });
    expect(pets.get('1')).toEqual({ id: 1, name: 'Ada' });
    expect(pets.size).toBe(1);
    expect(pets.delete('1')).toBe(true);
    expect(pets.delete('1')).toBe(false);
    expect([pets.get('1'), pets.size, [...pets.values()]]).toEqual([undefined, 0, []]);
  });

  test('does not change with the object that was put', () => {
    const pets = createPets();
    const given = { id: 1, tags: ['a'], chip: { no: [1, { deep: true }] as unknown[] } };
    pets.put('1', given);
    given.id = 2;
    given.tags.push('b');
    given.chip.no[1] = 'changed';
    expect(pets.get('1')).toEqual({ id: 1, tags: ['a'], chip: { no: [1, { deep: true }] } });
    expect(Object.isFrozen(given)).toBe(false);
    expect(Object.isFrozen(given.chip)).toBe(false);
  });

  test('does not change with a nested object that the caller froze, but not all the way down', () => {
    const pets = createPets();
    const inner = { no: 1 };
    pets.put('1', Object.freeze({ id: 1, chip: Object.freeze({ inner }), list: Object.freeze([inner]) }));
    inner.no = 2;
    expect(pets.get('1')).toEqual({ id: 1, chip: { inner: { no: 1 } }, list: [{ no: 1 }] });
  });

  test.each<[name: string, take: (pets: Collection, returned: Entity) => Entity | undefined]>([
    ['get', (pets) => pets.get('1')],
    ['put', (_, returned) => returned],
    ['values', (pets) => [...pets.values()][0]],
    ['where', (pets) => pets.where('status', 'sold')[0]],
  ])('that was got from %s cannot be changed, at any depth', (_, take) => {
    const pets = createPets();
    const returned = pets.put('1', { id: 1, status: 'sold', chip: { no: [1, { deep: true }] } });
    const got = take(pets, returned) as { id: number; chip: { no: [number, { deep: boolean }] } };
    expect(() => {
      got.id = 2;
    }).toThrow(TypeError);
    expect(() => {
      got.chip.no[1].deep = false;
    }).toThrow(TypeError);
    expect(() => got.chip.no.push(3 as never)).toThrow(TypeError);
    expect(Reflect.deleteProperty(got, 'status')).toBe(false);
    expect(pets.get('1')).toEqual({ id: 1, status: 'sold', chip: { no: [1, { deep: true }] } });
  });

  test('stays as it was after another replaces it', () => {
    const pets = createPets();
    const before = pets.put('1', { id: 1, name: 'Ada' });
    pets.put('1', { id: 1, name: 'Bo' });
    expect(before).toEqual({ id: 1, name: 'Ada' });
  });

  test('is the same object on every read', () => {
    const pets = createPets();
    const put = pets.put('1', { id: 1, status: 'sold' });
    for (const got of [pets.get('1'), [...pets.values()][0], pets.where('status', 'sold')[0]]) {
      expect(got).toBe(put);
    }
    // What is frozen already is not copied again, so restoring is no work for the entities.
    expect(pets.put('2', put)).toBe(put);
  });

  test('keeps a member named __proto__, which changes no prototype', () => {
    const pets = createPets();
    const given = JSON.parse(
      '{"__proto__":{"status":"sold"},"a":{"__proto__":1},"constructor":null}',
    ) as Entity;
    const put = pets.put('1', given);
    expect(JSON.stringify(put)).toBe(JSON.stringify(given));
    expect(Object.getPrototypeOf(put)).toBe(Object.prototype);
    expect(put.status).toBeUndefined();
    expect(pets.count('status', 'sold')).toBe(0);
  });

  test.each(HOSTILE)('may have the key "%s"', (key) => {
    const pets = createPets();
    expect(pets.get(key)).toBeUndefined();
    expect(pets.delete(key)).toBe(false);
    pets.put(key, { name: key });
    expect([pets.get(key), pets.size, pets.nextKey()]).toEqual([{ name: key }, 1, 1]);
  });
});

describe('the order of entities', () => {
  test('is that in which their keys were first put', () => {
    const pets = createPets();
    for (const id of [3, 1, 2]) pets.put(String(id), { id });
    pets.put('1', { id: 1, again: true });
    expect([...pets.values()].map(({ id }) => id)).toEqual([3, 1, 2]);
    pets.delete('3');
    pets.put('3', { id: 3 });
    expect([...pets.values()].map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

describe('an index', () => {
  test('finds the entities that have a value, after every kind of change', () => {
    const pets = createPets();
    pets.put('1', { id: 1, status: 'sold', categoryId: 1 });
    pets.put('2', { id: 2, status: 'sold', categoryId: 2 });
    expect(find(pets, 'status', 'sold')).toEqual([1, 2]);
    pets.put('1', { id: 1, status: 'available', categoryId: 1 });
    expect(find(pets, 'status', 'sold')).toEqual([2]);
    expect(find(pets, 'status', 'available')).toEqual([1]);
    pets.put('2', { id: 2 });
    expect(find(pets, 'status', 'sold')).toEqual([]);
    expect(find(pets, 'status', undefined)).toEqual([2]);
    pets.delete('1');
    expect(find(pets, 'categoryId', 1)).toEqual([]);
    expect(find(pets, 'status', 'available')).toEqual([]);
  });

  test('distinguishes a number from its text, and a missing value from null', () => {
    const pets = createPets();
    pets.put('1', { id: 1, categoryId: 1 });
    pets.put('2', { id: 2, categoryId: '1' });
    pets.put('3', { id: 3, categoryId: null });
    pets.put('4', { id: 4 });
    expect(find(pets, 'categoryId', 1)).toEqual([1]);
    expect(find(pets, 'categoryId', '1')).toEqual([2]);
    expect(find(pets, 'categoryId', null)).toEqual([3]);
    expect(find(pets, 'categoryId', undefined)).toEqual([4]);
  });

  test('distinguishes a bigint from the number and the text written like it, and finds it by its text', () => {
    const pets = createPets();
    const big = 2n ** 60n;
    pets.put('1', { id: 1, categoryId: big });
    pets.put('2', { id: 2, categoryId: big + 1n });
    pets.put('3', { id: 3, categoryId: 7n, status: 7 });
    expect([find(pets, 'categoryId', big), find(pets, 'categoryId', 7)]).toEqual([[1], []]);
    expect(pets.having('categoryId', String(big))?.slice(0)).toEqual([{ id: 1, categoryId: big }]);
    expect(pets.having('categoryId', '7')?.length).toBe(1);
    pets.put('4', { id: 4, categoryId: 7 });
    expect(pets.having('categoryId', '7')).toBeUndefined();
  });

  test.each<[name: string, values: readonly unknown[]]>([
    ['a text alone', ['sold']],
    ['a bigint alone', [7n]],
    ['a list before a number', [[], 1]],
    ['a bigint before numbers', [2n, 1, -3]],
    ['all', [1, 'sold', null, undefined, true, false, 2n, [], Number.NaN, -0, 1.5, '']],
  ])('finds values of every type side by side: %s', (_, values) => {
    const pets = createPets();
    const statuses = [...values, ...values];
    for (const [id, status] of statuses.entries()) pets.put(String(id), { id, status });
    for (const value of values) {
      const wanted = [...pets.values()].filter(({ status }) => status === value).map(({ id }) => id);
      expect(find(pets, 'status', value)).toEqual(wanted.sort());
    }
    for (const id of statuses.keys()) pets.delete(String(id));
    for (const value of values) expect(find(pets, 'status', value)).toEqual([]);
  });

  test('returns a new list each time', () => {
    const pets = createPets();
    pets.put('1', { id: 1, status: 'sold' });
    pets.where('status', 'sold').pop();
    expect(find(pets, 'status', 'sold')).toEqual([1]);
  });

  test.each(HOSTILE)('may hold the value "%s"', (value) => {
    const pets = createPets();
    expect(find(pets, 'status', value)).toEqual([]);
    pets.put('1', { id: 1, status: value });
    expect(find(pets, 'status', value)).toEqual([1]);
  });

  test('is not needed to find entities by value', () => {
    const pets = createPets();
    for (const [index, name] of ['Ada', 'Bo', 'Ada', undefined].entries()) {
      pets.put(String(index), { id: index, ...(name !== undefined && { name }) });
    }
    expect(find(pets, 'name', 'Ada')).toEqual([0, 2]);
    expect(find(pets, 'name', undefined)).toEqual([3]);
    pets.delete('0');
    expect(find(pets, 'name', 'Ada')).toEqual([2]);
  });
});

describe('the next key', () => {
  test('is 1 at first, and increases when it is put', () => {
    const pets = createPets();
    expect([pets.nextKey(), pets.nextKey()]).toEqual([1, 1]);
    pets.put('1', {});
    expect(pets.nextKey()).toBe(2);
  });

  test('is above every key that was put, in whatever order', () => {
    const pets = createPets();
    for (const key of ['3', '7', '5']) pets.put(key, {});
    expect(pets.nextKey()).toBe(8);
  });

  test('never repeats, not even after the entity is deleted', () => {
    const pets = createPets();
    for (let expected = 1; expected <= 3; expected++) {
      expect(pets.nextKey()).toBe(expected);
      pets.put(String(expected), {});
      pets.delete(String(expected));
    }
    expect(pets.nextKey()).toBe(4);
  });

  test.each(['0', '-1', '007', '1e3', '1.5', ' 1', 'x', '', '99999999999', '9007199254740993', '__proto__'])(
    'is not moved by the key "%s"',
    (key) => {
      const pets = createPets();
      pets.put(key, {});
      expect(pets.nextKey()).toBe(1);
    },
  );

  test.each([2 ** 30 - 1, 2 ** 30, 2 ** 30 + 1, 2 ** 31 - 1, 2 ** 53 - 1])(
    'never comes twice beside the high key %i',
    (high) => {
      const pets = createPets();
      pets.put(String(high), {});
      const given = new Set([high]);
      for (let round = 0; round < 5; round++) {
        const key = pets.nextKey();
        expect([...given]).not.toContain(key);
        given.add(key);
        pets.put(String(key), {});
        pets.delete(String(key));
      }
    },
  );
});

describe('a deleted key', () => {
  test('is known in every scope, also after a snapshot is restored', () => {
    const store = createPetStore();
    const pets = store.collection('pets', 'x');
    pets.put('rex', {});
    pets.delete('rex');
    const snapshot = store.snapshot();
    pets.put('bo', {});
    pets.delete('bo');
    expect(['rex', 'bo'].map((key) => store.collection('pets').knows(key))).toEqual([true, true]);
    store.restore(snapshot);
    expect(['rex', 'bo'].map((key) => store.collection('pets').knows(key))).toEqual([true, false]);
  });

  test('is forgotten only after 10,000 others', () => {
    const pets = createPets();
    const retire = (key: string) => {
      pets.put(key, {});
      pets.delete(key);
    };
    for (let number = 0; number < 10_000; number++) retire(`key ${number}`);
    expect(pets.knows('key 0')).toBe(true);
    retire('key 1');
    expect(['key 0', 'key 1', 'key 2'].map((key) => pets.knows(key))).toEqual([true, true, true]);
    retire('one more');
    retire('another');
    expect(['key 0', 'key 1', 'key 2'].map((key) => pets.knows(key))).toEqual([false, true, false]);
  });
});

describe('a snapshot', () => {
  test('survives a conversion to plain data, with the next key and deleted keys', () => {
    const store = createPetStore();
    const pets = store.collection('pets');
    pets.put('2', { id: 2, status: 'sold' });
    pets.put('1', { id: 1, status: 'sold', chip: { no: [1] } });
    pets.put('9', { id: 9 });
    pets.delete('9');
    for (const key of ['b', 'a', 'b']) {
      pets.put(key, {});
      pets.delete(key);
    }
    store.collection('orders').put('1', { id: 1 });
    store.collection('orders', 'x/y').put('7', { id: 7 });
    const text = JSON.stringify(toPlainSnapshot(store.snapshot()));
    expect(JSON.parse(text).collections.pets.retired).toEqual(['a', 'b']);

    const other = createPetStore();
    other.restore(fromPlainSnapshot(JSON.parse(text)));
    expect(JSON.stringify(toPlainSnapshot(other.snapshot()))).toBe(text);
    expect([...other.collection('orders', 'x/y').values()]).toEqual([{ id: 1 }, { id: 7 }]);
    expect(['a', 'b', 'c'].map((key) => other.collection('pets').knows(key))).toEqual([true, true, false]);
    expect([...other.collection('pets').values()].map(({ id }) => id)).toEqual([2, 1]);
    expect(find(other.collection('pets'), 'status', 'sold')).toEqual([1, 2]);
    expect(other.collection('pets').nextKey()).toBe(10);
    expect(other.collection('orders').nextKey()).toBe(8);
  });

  test('stays as it was whatever happens afterwards', () => {
    const store = createPetStore();
    const pets = store.collection('pets');
    pets.put('1', { id: 1, name: 'Ada' });
    const snapshot = store.snapshot();
    pets.put('1', { id: 1, name: 'Bo' });
    pets.put('2', { id: 2 });
    expect(toPlainSnapshot(snapshot).collections).toEqual({
      pets: { nextKey: 2, entries: [['1', { id: 1, name: 'Ada' }]] },
    });
    for (let round = 0; round < 2; round++) {
      store.restore(snapshot);
      expect([...pets.values()]).toEqual([{ id: 1, name: 'Ada' }]);
      pets.delete('1');
    }
  });

  test('does not change with a store restored from it', () => {
    const store = createPetStore();
    const entity = { id: 1, chip: { no: 1 } };
    store.restore(toSnapshot({ pets: { nextKey: 2, entries: [['1', entity]] } }));
    entity.chip.no = 2;
    expect(store.collection('pets').get('1')).toEqual({ id: 1, chip: { no: 1 } });
  });

  test('replaces the whole state, with indexes and counters', () => {
    const store = createPetStore();
    const pets = store.collection('pets');
    const orders = store.collection('orders');
    for (const id of [1, 2, 3]) pets.put(String(id), { id, status: 'sold' });
    for (const id of [1, 2, 3]) orders.put(String(id), { id, petId: 1 });
    store.restore(toSnapshot({ pets: { nextKey: 1, entries: [['2', { id: 2, status: 'pending' }]] } }));
    expect([...pets.values()]).toEqual([{ id: 2, status: 'pending' }]);
    expect(find(pets, 'status', 'sold')).toEqual([]);
    expect(find(pets, 'status', 'pending')).toEqual([2]);
    expect(pets.nextKey()).toBe(3);
    expect([...orders.values(), ...orders.where('petId', 1)]).toEqual([]);
    expect([orders.size, orders.nextKey()]).toEqual([0, 1]);
  });

  test('may name resources that the store lacks', () => {
    const store = createPetStore();
    store.restore(toSnapshot({ toys: { nextKey: 5, entries: [['4', { id: 4 }]] } }));
    expect(store.snapshot().collections).toEqual({});
    expect(store.collection('pets').size).toBe(0);
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'that does not name the resource "%s" leaves it empty',
    (name) => {
      const store = createStore([{ name, indexes: [] }]);
      store.collection(name).put('1', { id: 1 });
      const snapshot = store.snapshot();
      store.restore({ collections: {} });
      expect(store.collection(name).size).toBe(0);
      store.restore(snapshot);
      expect([...store.collection(name).values()]).toEqual([{ id: 1 }]);
    },
  );
});

describe('a store', () => {
  test('and its clones each have their own state', () => {
    const stores = [createStore([{ name: 'pets', indexes: ['status'] }])];
    for (let round = 0; round < 3; round++) stores.push((stores.at(-1) as Store).clone());
    const pets = stores.map((store) => store.collection('pets'));
    for (const [index, collection] of pets.entries()) {
      expect([collection.size, collection.nextKey(), collection.count('status', 'sold')]).toEqual([0, 1, 0]);
      for (let id = 1; id <= index + 1; id++) collection.put(String(id), { id, status: 'sold' });
    }
    expect(pets.map(({ size }) => size)).toEqual([1, 2, 3, 4]);
    stores[1]?.restore({ collections: {} });
    expect(pets.map(({ size }) => size)).toEqual([1, 0, 3, 4]);
  });

  test('has the version of another only while both have the same state', () => {
    const store = createPetStore();
    const clone = store.clone();
    expect(clone.version).toBe(store.version);
    store.collection('pets').put('1', {});
    clone.collection('pets').put('1', {});
    expect(new Set([store, clone, createPetStore()].map(({ version }) => version)).size).toBe(3);
  });

  test.each<[name: string, change: (store: Store) => unknown]>([
    ['put', (store) => store.collection('pets').put('1', {})],
    ['delete', (store) => store.collection('pets').delete('2')],
    ['drop', (store) => store.drop('pets', 'x')],
    ['move', (store) => store.move('pets', 'x', 'y')],
    ['fill', (store) => store.fill('pets', toCollectionSnapshot([]))],
    ['restore', (store) => store.restore(store.snapshot())],
    ['reset', (store) => store.reset()],
    ['serial', (store) => store.collection('pets').serial()],
  ])('has another version after %s', (_, change) => {
    const store = createPetStore();
    store.collection('pets').put('2', {});
    const { version } = store;
    change(store);
    expect(store.version).not.toBe(version);
  });

  test('keeps its version while it is only read', () => {
    const store = createPetStore();
    const { version } = store;
    const pets = store.collection('pets', 'x');
    const snapshot = store.snapshot();
    expect([pets.size, pets.nextKey(), pets.delete('1')]).toEqual([0, 1, false]);
    expect(store.snapshot()).toBe(snapshot);
    expect(store.version).toBe(version);
  });

  test('loads the first entities of a resource when it is first used, and again after a reset', () => {
    const asked: string[] = [];
    const store = createStore(
      ['pets', 'orders'].map((name) => ({ name, indexes: ['status'] })),
      (name) => {
        asked.push(name);
        return toCollectionSnapshot([['7', { id: 7, status: 'sold' }]]);
      },
    );
    const clone = store.clone();
    expect([asked, store.used]).toEqual([[], []]);
    expect(store.collection('pets').count('status', 'sold')).toBe(1);
    expect(store.collection('pets').nextKey()).toBe(8);
    expect([asked, store.used, clone.used]).toEqual([['pets'], ['pets'], []]);
    const later = store.clone();
    later.collection('pets').delete('7');
    expect([asked, later.used]).toEqual([['pets'], ['pets']]);
    later.reset();
    expect(later.used).toEqual([]);
    expect([later.collection('pets').size, later.used, asked]).toEqual([1, ['pets'], ['pets', 'pets']]);
  });

  test('is not shared between two stores', () => {
    const [one, other] = [createPetStore(), createPetStore()];
    one.collection('pets').put('1', { id: 1 });
    expect(other.collection('pets').size).toBe(0);
  });

  test.each(['toys', 'constructor', '__proto__'])(
    'has no collection for "%s", which it was not given',
    (name) => {
      expect(() => createPetStore().collection(name)).toThrow(`The store has no resource "${name}"`);
    },
  );
});

describe('any sequence of changes', () => {
  test('leaves the entities of a plain Map', () => {
    fc.assert(
      fc.property(fc.array(change(), { maxLength: 60, size: 'max' }), (changes) => {
        const store = createPetStore();
        const pets = store.collection('pets');
        let model: Model = { entities: new Map(), next: 1 };
        let saved = { snapshot: store.snapshot(), model };
        for (const { kind, key: given, status } of changes) {
          if (kind === 'save') saved = { snapshot: store.snapshot(), model };
          const entity = { key: kind === 'create' ? String(pets.nextKey()) : given, status };
          CHANGES[kind](store, entity, saved.snapshot);
          model = kind === 'restore' ? saved.model : toChanged(model, kind, entity);
          expectSame(pets, model);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('keeps any JSON value as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (entity) => {
        const pets = createPets();
        const text = JSON.stringify(entity);
        expect(JSON.stringify(pets.put('1', JSON.parse(text) as Entity))).toBe(text);
        expect(JSON.stringify(pets.get('1'))).toBe(text);
      }),
    );
  });
});

/** A snapshot of plain data. */
function toSnapshot(collections: Readonly<Record<string, PlainCollection>>): Snapshot {
  return fromPlainSnapshot({ collections });
}

/** What a collection holds, as plainly as can be. */
interface Model {
  readonly entities: ReadonlyMap<string, { readonly key: string; readonly status: string | undefined }>;
  readonly next: number;
}

const put: Apply = (store, entity) => {
  expect(store.collection('pets').put(entity.key, entity)).toEqual(entity);
};

const CHANGES: Readonly<Record<Change['kind'], Apply>> = {
  put,
  create: put,
  delete: (store, { key }) => {
    const pets = store.collection('pets');
    const known = pets.get(key) !== undefined;
    expect(pets.delete(key)).toBe(known);
  },
  save: () => undefined,
  restore: (store, _, saved) => store.restore(saved),
};

function toChanged({ entities, next }: Model, kind: Change['kind'], entity: Omit<Change, 'kind'>): Model {
  const changed = new Map(entities);
  if (kind === 'delete') changed.delete(entity.key);
  if (kind !== 'put' && kind !== 'create') return { entities: changed, next };
  if (kind === 'create') expect(entity.key).toBe(String(next));
  return { entities: changed.set(entity.key, entity), next: Math.max(next, Number(entity.key) + 1) };
}

function expectSame(pets: Collection, { entities, next }: Model): void {
  expect([...pets.values()]).toEqual([...entities.values()]);
  expect([pets.size, pets.nextKey()]).toEqual([entities.size, next]);
  for (const key of KEYS) expect(pets.get(key)).toEqual(entities.get(key));
  for (const value of ['a', 'b', undefined]) {
    const wanted = [...entities.values()].filter(({ status }) => status === value);
    expect(new Set(pets.where('status', value))).toEqual(new Set(wanted));
    expect(pets.count('status', value)).toBe(wanted.length);
  }
}

type Apply = (store: Store, entity: Omit<Change, 'kind'>, saved: Snapshot) => void;

interface Change {
  readonly kind: 'put' | 'create' | 'delete' | 'save' | 'restore';
  readonly key: string;
  readonly status: string | undefined;
}

function change(): fc.Arbitrary<Change> {
  return fc.record({
    kind: fc.constantFrom('put', 'put', 'create', 'create', 'delete', 'delete', 'save', 'restore'),
    key: fc.constantFrom(...KEYS),
    status: fc.constantFrom('a', 'b', undefined),
  });
}

function createPetStore(): Store {
  return createStore([
    { name: 'pets', indexes: ['status', 'categoryId'] },
    { name: 'orders', indexes: ['petId'] },
  ]);
}

function createPets(): Collection {
  return createPetStore().collection('pets');
}

/** The ids that `where` finds, sorted, checked against `count`. */
function find(collection: Collection, property: string, value: unknown): unknown[] {
  const found = collection.where(property, value).map(({ id }) => id);
  expect(collection.count(property, value)).toBe(found.length);
  return found.sort();
}
