import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Collection,
  createStore,
  type Entity,
  type Session,
  type Snapshot,
} from '../src/store/store.ts';

/** Strings that mean something to JavaScript objects. */
const HOSTILE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'size', ''];

const KEYS = [...'0123456789'];

describe('an entity', () => {
  test('that was put can be had, until it is deleted', () => {
    const pets = createPets();
    expect(pets.get('1')).toBeUndefined();
    expect(pets.put('1', { id: 1, name: 'Ada' })).toEqual({ id: 1, name: 'Ada' });
    expect(pets.get('1')).toEqual({ id: 1, name: 'Ada' });
    expect(pets.size).toBe(1);
    expect(pets.delete('1')).toBe(true);
    expect(pets.delete('1')).toBe(false);
    expect([pets.get('1'), pets.size, [...pets.values()]]).toEqual([undefined, 0, []]);
  });

  test('does not follow the object that it was put as', () => {
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

  test('does not follow an object inside that was frozen by someone else, but is not frozen all the way down', () => {
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

  test('that was got once stays as it was when another takes its place', () => {
    const pets = createPets();
    const before = pets.put('1', { id: 1, name: 'Ada' });
    pets.put('1', { id: 1, name: 'Bo' });
    expect(before).toEqual({ id: 1, name: 'Ada' });
  });

  test('is handed out as one object, however often it is asked for', () => {
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

  test('tells a number from its text, and a missing value from null', () => {
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

  test('gives a list of its own', () => {
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

  test('is not needed to find what has a value', () => {
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
  test('is 1 at first, stays until it is put, and counts on', () => {
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

  test('never comes twice, not even after the entity is deleted', () => {
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

describe('a snapshot', () => {
  test('is plain data that brings everything back, the next key included', () => {
    const session = createPetSession();
    const pets = session.collection('pets');
    pets.put('2', { id: 2, status: 'sold' });
    pets.put('1', { id: 1, status: 'sold', chip: { no: [1] } });
    pets.put('9', { id: 9 });
    pets.delete('9');
    session.collection('orders').put('1', { id: 1 });
    const text = JSON.stringify(session.snapshot());

    const other = createPetSession();
    other.restore(JSON.parse(text));
    expect(JSON.stringify(other.snapshot())).toBe(text);
    expect([...other.collection('pets').values()].map(({ id }) => id)).toEqual([2, 1]);
    expect(find(other.collection('pets'), 'status', 'sold')).toEqual([1, 2]);
    expect(other.collection('pets').nextKey()).toBe(10);
    expect(other.collection('orders').nextKey()).toBe(2);
  });

  test('stays as it was whatever happens afterwards', () => {
    const session = createPetSession();
    const pets = session.collection('pets');
    pets.put('1', { id: 1, name: 'Ada' });
    const snapshot = session.snapshot();
    pets.put('1', { id: 1, name: 'Bo' });
    pets.put('2', { id: 2 });
    expect(snapshot.collections.pets).toEqual({ nextKey: 2, entries: [['1', { id: 1, name: 'Ada' }]] });
    for (let round = 0; round < 2; round++) {
      session.restore(snapshot);
      expect([...pets.values()]).toEqual([{ id: 1, name: 'Ada' }]);
      pets.delete('1');
    }
  });

  test('does not let what was restored follow it', () => {
    const session = createPetSession();
    const entity = { id: 1, chip: { no: 1 } };
    session.restore({ collections: { pets: { nextKey: 2, entries: [['1', entity]] } } });
    entity.chip.no = 2;
    expect(session.collection('pets').get('1')).toEqual({ id: 1, chip: { no: 1 } });
  });

  test('replaces what was there, in every resource, indexes and counters included', () => {
    const session = createPetSession();
    const pets = session.collection('pets');
    const orders = session.collection('orders');
    for (const id of [1, 2, 3]) pets.put(String(id), { id, status: 'sold' });
    for (const id of [1, 2, 3]) orders.put(String(id), { id, petId: 1 });
    session.restore({
      collections: { pets: { nextKey: 1, entries: [['2', { id: 2, status: 'pending' }]] } },
    });
    expect([...pets.values()]).toEqual([{ id: 2, status: 'pending' }]);
    expect(find(pets, 'status', 'sold')).toEqual([]);
    expect(find(pets, 'status', 'pending')).toEqual([2]);
    expect(pets.nextKey()).toBe(3);
    expect([...orders.values(), ...orders.where('petId', 1)]).toEqual([]);
    expect([orders.size, orders.nextKey()]).toEqual([0, 1]);
  });

  test('may name resources that the store does not have', () => {
    const session = createPetSession();
    session.restore({ collections: { toys: { nextKey: 5, entries: [['4', { id: 4 }]] } } });
    expect(session.snapshot().collections).toEqual({});
    expect(session.collection('pets').size).toBe(0);
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'that does not name the resource "%s" leaves it empty',
    (name) => {
      const session = createStore([{ name, indexes: [] }]).session();
      session.collection(name).put('1', { id: 1 });
      const snapshot = session.snapshot();
      session.restore({ collections: {} });
      expect(session.collection(name).size).toBe(0);
      session.restore(snapshot);
      expect([...session.collection(name).values()]).toEqual([{ id: 1 }]);
    },
  );
});

describe('a session', () => {
  test('has its own copy of everything', () => {
    const store = createStore([{ name: 'pets', indexes: ['status'] }]);
    const pets = [undefined, 'a', 'b', '__proto__'].map((name) => store.session(name).collection('pets'));
    for (const [index, collection] of pets.entries()) {
      expect([collection.size, collection.nextKey(), collection.count('status', 'sold')]).toEqual([0, 1, 0]);
      for (let id = 1; id <= index + 1; id++) collection.put(String(id), { id, status: 'sold' });
    }
    expect(pets.map(({ size }) => size)).toEqual([1, 2, 3, 4]);
    store.session('a').restore({ collections: {} });
    expect(pets.map(({ size }) => size)).toEqual([1, 0, 3, 4]);
  });

  test('is the same one whenever it is named, and "default" when it is not', () => {
    const store = createStore([]);
    expect(store.session('a')).toBe(store.session('a'));
    expect(store.session()).toBe(store.session('default'));
    expect(store.session('a')).not.toBe(store.session('b'));
  });

  test('is not shared between two stores', () => {
    const [one, other] = [createPetSession(), createPetSession()];
    one.collection('pets').put('1', { id: 1 });
    expect(other.collection('pets').size).toBe(0);
  });

  test.each(['toys', 'constructor', '__proto__'])(
    'has no collection for "%s", which it was not given',
    (name) => {
      expect(() => createPetSession().collection(name)).toThrow(`The store has no resource "${name}"`);
    },
  );
});

describe('any sequence of changes', () => {
  test('leaves what a plain Map would hold', () => {
    fc.assert(
      fc.property(fc.array(change(), { maxLength: 60, size: 'max' }), (changes) => {
        const session = createPetSession();
        const pets = session.collection('pets');
        let model: Model = { entities: new Map(), next: 1 };
        let saved = { snapshot: session.snapshot(), model };
        for (const { kind, key: given, status } of changes) {
          if (kind === 'save') saved = { snapshot: session.snapshot(), model };
          const entity = { key: kind === 'create' ? String(pets.nextKey()) : given, status };
          CHANGES[kind](session, entity, saved.snapshot);
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

/** What a collection holds, as plainly as can be. */
interface Model {
  readonly entities: ReadonlyMap<string, { readonly key: string; readonly status: string | undefined }>;
  readonly next: number;
}

const put: Apply = (session, entity) => {
  expect(session.collection('pets').put(entity.key, entity)).toEqual(entity);
};

const CHANGES: Readonly<Record<Change['kind'], Apply>> = {
  put,
  create: put,
  delete: (session, { key }) => {
    const pets = session.collection('pets');
    const known = pets.get(key) !== undefined;
    expect(pets.delete(key)).toBe(known);
  },
  save: () => undefined,
  restore: (session, _, saved) => session.restore(saved),
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

type Apply = (session: Session, entity: Omit<Change, 'kind'>, saved: Snapshot) => void;

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

function createPetSession(): Session {
  return createStore([
    { name: 'pets', indexes: ['status', 'categoryId'] },
    { name: 'orders', indexes: ['petId'] },
  ]).session();
}

function createPets(): Collection {
  return createPetSession().collection('pets');
}

/** The ids that `where` finds, sorted, checked against `count`. */
function find(collection: Collection, property: string, value: unknown): unknown[] {
  const found = collection.where(property, value).map(({ id }) => id);
  expect(collection.count(property, value)).toBe(found.length);
  return found.sort();
}
