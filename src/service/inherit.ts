import type { EntityName, Rules } from '../actions/actions.ts';
import { inKeyOrder, type Resource } from '../resources/resources.ts';
import {
  type Change,
  type CollectionSnapshot,
  diff,
  type Entity,
  type Store,
  toCollectionSnapshot,
} from '../store/store.ts';
import type { Service } from './build.ts';

/** A store, and the service that it was made for. */
interface Former {
  readonly service: Pick<Service, 'initial'>;
  readonly store: Store;
}

/** A store for another service, and what did not make it there. */
interface Inherited {
  readonly store: Store;
  /** A sentence for each thing that was dropped. */
  readonly dropped: string[];
}

/**
 * A store for `service` with what clients changed in a former store and still fits. An entity that no client touched follows the
 * new fixtures; one that a client made, changed or deleted stays so. The entities of both services must be ready.
 */
export function inherit(service: Service, former: Former): Inherited {
  const store = service.createStore();
  const dropped: string[] = [];
  const released: Released[] = [];
  const current = former.store.snapshot();
  for (const name of former.store.used) {
    const now = current.collections[name] ?? EMPTY;
    const first = former.service.initial.of(name) ?? EMPTY;
    const touched = [...diff({ collections: { [name]: first } }, { collections: { [name]: now } })];
    const target = service.model.resources.get(name);
    if (target) {
      const { snapshot, misfits } = merge(service, target, touched, now);
      store.fill(name, snapshot);
      dropped.push(...misfits.map(({ message }) => message));
      released.push(...misfits);
    } else if (touched.length > 0) {
      dropped.push(`${touched.length} changed ${name}: the document has no such resource any more`);
    }
  }
  const { rules } = service;
  if (!rules) return { store, dropped };
  rules.complete(store);
  for (const { name, entity, restored } of released) rules.release(store, name, entity, restored);
  return { store, dropped: [...dropped, ...resolveContradictions(service, rules, store)] };
}

const EMPTY = toCollectionSnapshot([]);

/** An entity of a client that is no longer there. */
interface Released {
  readonly name: EntityName;
  readonly entity: Entity;
  /** The entity of the fixtures that takes its place. */
  readonly restored: Entity | undefined;
}

interface Misfit extends Released {
  readonly message: string;
}

/** The entities of the fixtures with a client's changes over them, but for those that break the schema. */
function merge(
  { initial, schemas }: Service,
  resource: Resource,
  touched: readonly Change[],
  former: CollectionSnapshot,
): { readonly snapshot: CollectionSnapshot; readonly misfits: readonly Misfit[] } {
  const first = initial.of(resource.name) ?? EMPTY;
  const scopes = new Map([['', new Map(first.entries)]]);
  for (const [scope, entries] of first.scopes) scopes.set(scope, new Map(entries));
  const misfits: Misfit[] = [];
  for (const { scope, key, after: entity } of touched) {
    // A scope that has no entities of its own shows those without a scope.
    const entries: Map<string, Entity> = scopes.get(scope) ?? new Map(first.entries);
    scopes.set(scope, entries);
    const [violation] = entity ? schemas.check(resource.schema, entity, resource.singular) : [];
    if (entity && violation) {
      const message = `${resource.singular} ${key}: ${violation.location} ${violation.message}`;
      misfits.push({ name: { resource: resource.name, key }, entity, restored: entries.get(key), message });
    } else if (entity) entries.set(key, entity);
    else entries.delete(key);
  }
  const [unscoped, ...others] = [...scopes].map(
    ([scope, entries]) => [scope, inKeyOrder([...entries])] as const,
  );
  const snapshot = toCollectionSnapshot(unscoped?.[1] ?? [], {
    nextKey: Math.max(first.nextKey, former.nextKey),
    scopes: Object.fromEntries(others),
    retired: former.retired,
  });
  return { snapshot, misfits };
}

/** Undoes changes that contradict the rules now, until none does; if undoing does not help, the fixtures win. */
function resolveContradictions({ initial, model }: Service, rules: Rules, store: Store): string[] {
  const dropped: string[] = [];
  for (;;) {
    rules.complete(store);
    const contradictions = rules.findContradictions(store);
    if (contradictions.length === 0) {
      for (const [name, { entries, nextKey, retired }] of Object.entries(store.snapshot().collections))
        store.fill(name, toCollectionSnapshot(inKeyOrder(entries), { nextKey, retired }));
      return dropped;
    }
    const undone = contradictions.filter(({ entity, missing }) =>
      [entity, missing].some((name) => name && undo(store, initial, rules, name)),
    );
    if (undone.length === 0) {
      for (const name of model.resources.keys()) store.fill(name, initial.of(name) ?? EMPTY);
      return [`all changes of clients: with the new fixtures ${contradictions[0]?.message}`];
    }
    dropped.push(...undone.map(({ message }) => message));
  }
}

/** Puts an entity back to what the fixtures hold. Returns whether that changed anything. */
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
