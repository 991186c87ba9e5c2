import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Change,
  createStore,
  diff,
  type Entity,
  fromPlainSnapshot,
  type Snapshot,
  type Store,
  toPlainSnapshot,
} from '../src/state/store/store.ts';

/** Two of them are below the first, and one only looks so. */
const SCOPES = ['', 'a', 'a/b', 'a/c', 'a-b'];
const STATUSES = ['sold', 'pending', 7, '7', undefined];
const MOST_KEYS = 700;
const TEXTS = Array.from({ length: MOST_KEYS }, (_, number) => `key ${number}`);

/** A store as plainly as can be: what each scope holds, and the keys that were deleted. */
interface Model {
  readonly scopes: Map<string, Map<string, Entity>>;
  readonly retired: Set<string>;
  next: number;
}

/** One of several stores beside its model. */
interface Pair {
  store: Store;
  model: Model;
}

interface Taken {
  readonly snapshot: Snapshot;
  readonly model: Model;
}

interface Command {
  readonly kind:
    | 'put'
    | 'delete'
    | 'replace'
    | 'clone'
    | 'take'
    | 'restore'
    | 'reload'
    | 'drop'
    | 'move'
    | 'reset';
  readonly which: number;
  readonly scope: string;
  /** The first of some keys, how many there are, and how far they lie apart. */
  readonly start: number;
  readonly many: number;
  readonly step: number;
  readonly texts: boolean;
  readonly status: unknown;
}

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(
    ...([
      'put',
      'put',
      'put',
      'delete',
      'delete',
      'replace',
      'clone',
      'take',
      'restore',
      'reload',
      'drop',
      'move',
      'reset',
    ] as const),
  ),
  which: fc.nat(5),
  scope: fc.constantFrom(...SCOPES),
  start: fc.nat(MOST_KEYS),
  many: fc.oneof(fc.constant(1), fc.nat(10), fc.nat(MOST_KEYS)),
  step: fc.constantFrom(1, 2, 7, 331, MOST_KEYS - 1),
  texts: fc.boolean(),
  status: fc.constantFrom(...STATUSES),
});

test('Any sequence of changes leaves several stores as plain maps would be', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 25, size: 'max' }), (commands) => {
      const pairs: Pair[] = [{ store: createPets(), model: createModel() }];
      const taken: Taken[] = [take(pairs[0] as Pair)];
      for (const each of commands) {
        const pair = pairs[each.which % pairs.length] as Pair;
        APPLY[each.kind](each, pair, pairs, taken);
        expectQuickly(pair, each);
      }
      for (const pair of pairs) for (const scope of SCOPES) expectSame(pair, scope);
      for (const each of taken) expectTaken(each);
      const snapshots = [...taken, ...pairs.map(take)];
      for (const [index, one] of snapshots.entries())
        expectDiff(one, snapshots[(index * 7 + 3) % snapshots.length] as Taken);
    }),
    { numRuns: 60 },
  );
});

test('A difference among many entities comes in order: what was deleted, then what was changed or added', () => {
  const store = createPets();
  const pets = store.collection('pets');
  for (let id = 1; id <= 20_000; id++) pets.put(String(id), { id });
  const before = store.snapshot();
  pets.put('b', { id: 'b' });
  pets.put('7', { id: 7, status: 'sold' });
  pets.delete('12345');
  pets.put('a', { id: 'a' });
  expect([...diff(before, store.snapshot())]).toEqual([
    { resource: 'pets', scope: '', key: '12345', before: { id: 12_345 }, after: undefined },
    { resource: 'pets', scope: '', key: '7', before: { id: 7 }, after: { id: 7, status: 'sold' } },
    { resource: 'pets', scope: '', key: 'b', before: undefined, after: { id: 'b' } },
    { resource: 'pets', scope: '', key: 'a', before: undefined, after: { id: 'a' } },
  ]);
});

type Apply = (command: Command, pair: Pair, pairs: Pair[], taken: Taken[]) => void;

const restoreWith =
  (convert: (snapshot: Snapshot) => Snapshot): Apply =>
  ({ which }, pair, _, taken) => {
    const { snapshot, model } = taken[which % taken.length] as Taken;
    pair.store.restore(convert(snapshot));
    pair.model = copy(model);
  };

const APPLY: Readonly<Record<Command['kind'], Apply>> = {
  put(command, pair) {
    for (const key of keysOf(command)) put(pair, command.scope, key, command.status);
  },
  delete(command, pair) {
    for (const key of keysOf(command)) remove(pair, command.scope, key);
  },
  replace({ scope, start, step }, { store, model }) {
    const keys = [...shown(model, scope).keys()];
    const [key, other] = [keys[start % keys.length], keys[step % keys.length]];
    if (key === undefined || other === undefined || key === other) return;
    store.collection('pets', scope).replace(key, other);
    const entity = shown(model, scope).get(other) as Entity;
    const left = [...shown(model, scope)].filter(([name]) => name !== other);
    const placed = left.map((each): [string, Entity] => (each[0] === key ? [other, entity] : each));
    model.scopes.set(scope, new Map(placed));
    if (/\D/.test(key)) model.retired.add(key);
  },
  clone(_, { store, model }, pairs) {
    if (pairs.length < 5) pairs.push({ store: store.clone(), model: copy(model) });
  },
  take: (_, pair, __, taken) => void taken.push(take(pair)),
  restore: restoreWith((snapshot) => snapshot),
  reload: restoreWith((snapshot) => fromPlainSnapshot(toPlainSnapshot(snapshot))),
  drop({ scope }, { store, model }) {
    if (scope === '') return;
    store.drop('pets', scope);
    for (const name of SCOPES) if (name === scope || name.startsWith(`${scope}/`)) model.scopes.delete(name);
  },
  move({ scope, which }, { store, model }) {
    const to = SCOPES[which % SCOPES.length] ?? '';
    // Only keys change, so neither name is below the other.
    if (scope === '' || to === '' || scope.startsWith(to) || to.startsWith(scope)) return;
    const toMoved = (name: string) => to + name.slice(scope.length);
    const isIn = (name: string, one: string) => name === one || name.startsWith(`${one}/`);
    const moved = [...model.scopes].filter(([name]) => isIn(name, scope));
    for (const name of [...model.scopes.keys()])
      if (isIn(name, scope) || isIn(name, to)) model.scopes.delete(name);
    for (const [name, entities] of moved) model.scopes.set(toMoved(name), entities);
    const names = moved.map(([name]) => toMoved(name));
    expect(store.move('pets', scope, to).toSorted()).toEqual(names.toSorted());
  },
  reset(_, pair) {
    pair.store.reset();
    pair.model = createModel();
  },
};

function put({ store, model }: Pair, scope: string, key: string, status: unknown): void {
  const entity = { key, status };
  store.collection('pets', scope).put(key, entity);
  if (!model.scopes.has(scope)) model.scopes.set(scope, new Map(shown(model, scope)));
  shown(model, scope).set(key, entity);
  if (/^[1-9]\d*$/.test(key)) model.next = Math.max(model.next, Number(key) + 1);
}

function remove({ store, model }: Pair, scope: string, key: string): void {
  const there = shown(model, scope).has(key);
  expect(store.collection('pets', scope).delete(key)).toBe(there);
  if (!there) return;
  if (!model.scopes.has(scope)) model.scopes.set(scope, new Map(shown(model, scope)));
  shown(model, scope).delete(key);
  if (/\D/.test(key)) model.retired.add(key);
}

/** Looks at a few things after every command; everything is compared at the end. */
function expectQuickly({ store, model }: Pair, { scope, start, step }: Command): void {
  const pets = store.collection('pets', scope);
  const entities = [...shown(model, scope).values()];
  expect([pets.size, pets.nextKey()]).toEqual([entities.length, model.next]);
  const end = start + (step % 50);
  expectEntities(pets.all().slice(start, end), entities.slice(start, end));
  for (const status of STATUSES)
    expect(pets.count('status', status)).toBe(entities.filter((entity) => entity.status === status).length);
}

function expectSame({ store, model }: Pair, scope: string): void {
  const pets = store.collection('pets', scope);
  const entities = [...shown(model, scope).values()];
  const keys = [...shown(model, scope).keys()];
  expectEntities([...pets.values()], entities);
  expectEntities([...pets.all().values()], entities);
  expect(keys.filter((key, index) => pets.all().positionOf?.(key) !== index)).toEqual([]);
  expectEntities(
    keys.map((key) => pets.get(key)),
    entities,
  );
  const isKnown = (key: string) => model.retired.has(key) || shown(model, scope).has(key);
  expect(TEXTS.filter((key) => pets.knows(key) !== isKnown(key))).toEqual([]);
  expect([pets.get('none'), pets.knows('none'), pets.all().positionOf?.('none')]).toEqual([
    undefined,
    false,
    -1,
  ]);
  for (const status of STATUSES) {
    expectEntities(
      pets.where('status', status),
      entities.filter((entity) => entity.status === status),
    );
    const found = pets.having('status', String(status));
    const written = entities.filter(
      (entity) => status !== undefined && String(entity.status) === String(status),
    );
    if (new Set(written.map((entity) => entity.status)).size > 1) expect(found).toBeUndefined();
    else {
      expectEntities([...(found?.values() ?? [])], written);
      expectEntities(found?.slice(3, 40) ?? [], written.slice(3, 40));
      const places = new Map(written.map((entity, index) => [entity.key, index]));
      const isPlaced = (key: string) => found?.positionOf?.(key) === (places.get(key) ?? -1);
      expect(keys.filter((key) => !isPlaced(key))).toEqual([]);
    }
  }
}

/** Compares members first, because `toEqual` takes most of the time of this test otherwise. */
function expectEntities(actual: readonly (Entity | undefined)[], wanted: readonly Entity[]): void {
  const isSame = (entity: Entity | undefined, index: number) =>
    entity?.key === wanted[index]?.key && entity?.status === wanted[index]?.status;
  if (actual.length !== wanted.length || !actual.every(isSame)) expect(actual).toEqual(wanted);
}

function expectDiff(one: Taken, other: Taken): void {
  const wanted: Change[] = [];
  const scopes = [...new Set([...one.model.scopes.keys(), ...other.model.scopes.keys(), ''])];
  for (const scope of scopes) {
    const [before, after] = [tables(one, scope), tables(other, scope)];
    for (const key of new Set([...before.keys(), ...after.keys()]))
      if (before.get(key) !== after.get(key))
        wanted.push({ resource: 'pets', scope, key, before: before.get(key), after: after.get(key) });
  }
  const toName = ({ scope, key }: Change) => `${scope} ${key}`;
  const sorted = (changes: readonly Change[]) => changes.toSorted((a, b) => (toName(a) < toName(b) ? -1 : 1));
  expect(sorted([...diff(one.snapshot, other.snapshot)])).toEqual(sorted(wanted));
}

/** What a scope of a snapshot shows, as the very objects. */
function tables({ snapshot }: Taken, scope: string): Map<string, Entity> {
  const pets = snapshot.collections.pets;
  const own = [...(pets?.scopes ?? [])].find(([name]) => name === scope)?.[1];
  return new Map(own ?? pets?.entries ?? []);
}

function expectTaken(taken: Taken): void {
  const { scopes, next } = taken.model;
  for (const [scope, entities] of scopes) expect([...tables(taken, scope)]).toEqual([...entities]);
  expect(taken.snapshot.collections.pets?.nextKey ?? 1).toBe(next);
}

function shown({ scopes }: Model, scope: string): Map<string, Entity> {
  return scopes.get(scope) ?? scopes.get('') ?? new Map();
}

function* keysOf({ start, many, step, texts }: Command): Generator<string> {
  for (let index = 0; index < many; index++) {
    const key = (start + index * step) % MOST_KEYS;
    yield texts ? `key ${key}` : String(key);
  }
}

function take({ store, model }: Pair): Taken {
  return { snapshot: store.snapshot(), model: copy(model) };
}

function copy({ scopes, retired, next }: Model): Model {
  const copies = [...scopes].map(([name, entities]) => [name, new Map(entities)] as const);
  return { scopes: new Map(copies), retired: new Set(retired), next };
}

function createModel(): Model {
  return { scopes: new Map([['', new Map()]]), retired: new Set(), next: 1 };
}

function createPets(): Store {
  return createStore([{ name: 'pets', indexes: ['status', 'key'] }]);
}
