import type { Resource } from '../../model/resources/resources.ts';
import { type EntityName, endCredentials, FILES, type Rules } from '../../state/actions/actions.ts';
import {
  type Change,
  type CollectionSnapshot,
  diff,
  EMPTY_COLLECTION,
  type Entity,
  type Store,
  toCollectionSnapshot,
} from '../../state/store/store.ts';
import type { Service } from './build.ts';
import { ACCOUNT_COLLECTIONS } from './callers.ts';
import { sortByKey } from './key-order.ts';

/** A store with its service. */
interface Former {
  readonly service: Pick<Service, 'initial'>;
  readonly store: Store;
  readonly setAside?: SetAside;
}

/** The changes of clients to collections that the document has no longer, by their names. A later document may have them again. */
export type SetAside = ReadonlyMap<string, ChangedCollection>;

interface ChangedCollection {
  readonly touched: readonly Change[];
  readonly now: CollectionSnapshot;
}

export const NOTHING_ASIDE: SetAside = new Map();

/** A store for another service. */
interface Inherited {
  readonly store: Store;
  /** A sentence for each thing that was dropped. */
  readonly dropped: string[];
  readonly setAside: SetAside;
}

/**
 * Creates a store for `service` with the changes that clients made in a former store, as far as they still fit. An entity that no
 * client touched follows the new fixtures. The entities of both services must be ready.
 */
export function inherit(service: Service, former: Former): Inherited {
  const store = service.createStore();
  const dropped: string[] = [];
  const released: Released[] = [];
  const setAside = new Map<string, ChangedCollection>();
  const before = former.setAside ?? NOTHING_ASIDE;
  for (const [name, collection] of [...before, ...findChanged(former)]) {
    const { touched, now } = collection;
    const target = service.model.resources.get(name);
    if (OTHER_COLLECTIONS.has(name)) {
      if (isUsed(service, name)) store.fill(name, now);
      else setAside.set(name, collection);
    } else if (target) {
      const { snapshot, misfits } = mergeChanges(service, target, touched, now);
      store.fill(name, snapshot);
      dropped.push(...misfits.map(({ message }) => message));
      released.push(...misfits);
    } else if (touched.length > 0) {
      setAside.set(name, collection);
      if (!before.has(name)) dropped.push(toAbsent(name, touched.length));
    }
  }
  for (const name of service.model.users) endCredentials(store, name);
  const { rules } = service;
  if (!rules) return { store, dropped, setAside };
  rules.complete(store);
  for (const { name, entity, restored } of released) rules.release(store, name, entity, restored);
  return { store, dropped: [...dropped, ...resolveContradictions(service, rules, store)], setAside };
}

/** The collections of a store, with the changes of clients to each. */
function findChanged({ service, store }: Former): [name: string, collection: ChangedCollection][] {
  const current = store.snapshot();
  return store.used.map((name) => {
    const now = current.collections[name] ?? EMPTY_COLLECTION;
    const first = service.initial.of(name) ?? EMPTY_COLLECTION;
    const touched = [...diff({ collections: { [name]: first } }, { collections: { [name]: now } })];
    return [name, { touched, now }];
  });
}

function toAbsent(name: string, count: number): string {
  const remedy = `${count === 1 ? 'It comes' : 'They come'} back once the document has it again`;
  return `${count} changed ${name}: the document has no such resource any more. ${remedy}`;
}

/** The collections that are not resources. */
const OTHER_COLLECTIONS: ReadonlySet<string> = new Set([
  ...ACCOUNT_COLLECTIONS.map(({ name }) => name),
  FILES,
]);

function isUsed({ model }: Service, name: string): boolean {
  return (name === FILES ? model.files : model.users).size > 0;
}

/** An entity of a client that was dropped. */
interface Released {
  readonly name: EntityName;
  readonly entity: Entity;
  /** The entity of the fixtures that takes its place. */
  readonly restored: Entity | undefined;
}

interface Misfit extends Released {
  readonly message: string;
}

/** Applies the changes of clients to the entities of the fixtures, except those that break the schema. */
function mergeChanges(
  { initial, schemas }: Service,
  resource: Resource,
  touched: readonly Change[],
  former: CollectionSnapshot,
): { readonly snapshot: CollectionSnapshot; readonly misfits: readonly Misfit[] } {
  const first = initial.of(resource.name) ?? EMPTY_COLLECTION;
  const scopes = new Map([['', new Map(first.entries)]]);
  for (const [scope, entries] of first.scopes) scopes.set(scope, new Map(entries));
  const misfits: Misfit[] = [];
  for (const { scope, key, after: entity } of touched) {
    // A scope without entities of its own shows the unscoped ones.
    const entries: Map<string, Entity> = scopes.get(scope) ?? new Map(first.entries);
    scopes.set(scope, entries);
    const [violation] = entity ? schemas.check(resource.schema, entity, resource.singular) : [];
    if (entity && violation) {
      const message = `${resource.singular} ${key}: ${violation.location} ${violation.message}`;
      misfits.push({ name: { resource: resource.name, key }, entity, restored: entries.get(key), message });
    } else if (entity) entries.set(key, entity);
    else entries.delete(key);
  }
  const { '': unscoped = [], ...others } = Object.fromEntries(scopes);
  const merged = toCollectionSnapshot(unscoped, {
    nextKey: Math.max(first.nextKey, former.nextKey),
    scopes: others,
    retired: former.retired,
  });
  return { snapshot: sortByKey(merged, first), misfits };
}

/** Undoes changes until none contradicts the rules. If that is impossible, the fixtures win. */
function resolveContradictions({ initial, model }: Service, rules: Rules, store: Store): string[] {
  const dropped: string[] = [];
  for (;;) {
    rules.complete(store);
    const contradictions = rules.findContradictions(store);
    if (contradictions.length === 0) {
      for (const [name, snapshot] of Object.entries(store.snapshot().collections))
        store.fill(name, sortByKey(snapshot, initial.of(name) ?? EMPTY_COLLECTION));
      return dropped;
    }
    const undone = contradictions.filter(({ entity, missing }) =>
      [entity, missing].some((name) => name && undo(store, initial, rules, name)),
    );
    if (undone.length === 0) {
      for (const name of model.resources.keys()) store.fill(name, initial.of(name) ?? EMPTY_COLLECTION);
      return [`all changes of clients: with the new fixtures ${contradictions[0]?.message}`];
    }
    dropped.push(...undone.map(({ message }) => message));
  }
}

/** Restores an entity from the fixtures. Returns whether that changed anything. */
function undo(store: Store, initial: Service['initial'], rules: Rules, name: EntityName): boolean {
  const { resource, key } = name;
  const first = initial.of(resource)?.get(key);
  const collection = store.collection(resource);
  const now = collection.get(key);
  if (now === first) return false;
  if (first) collection.put(key, first);
  else collection.delete(key);
  if (now) rules.release(store, name, now, first);
  return true;
}
