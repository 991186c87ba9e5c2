import type { Changes, Collection } from './collection.ts';
import { type CollectionSnapshot, ScopedCollections } from './scopes.ts';

export type { Collection, Entities } from './collection.ts';
export { type Entity, joinEntities } from './entity.ts';
export { type CollectionSnapshot, type Entries, toScope } from './scopes.ts';

/** One isolated copy of all state. */
export interface Session {
  /**
   * The collection of a resource, or the one of its collections that is meant by the keys of the parents. A scope that was
   * never changed shows what the collection without a scope holds. Throws an `Error` for a resource that the store does not have.
   */
  collection(resource: string, scope?: string): Collection;
  /** Forgets the collections below a parent that is gone. */
  drop(resource: string, scope: string): void;
  /** Another one after every change of anything. */
  readonly version: number;
  /** The resources that were asked for since the last reset. */
  readonly begun: readonly string[];
  /** The state of the resources that were asked for. */
  snapshot(): Snapshot;
  /** Replaces the state of one resource. */
  fill(resource: string, snapshot: CollectionSnapshot): void;
  /** Replaces the whole state; a resource that the snapshot does not name begins anew. */
  restore(snapshot: Snapshot): void;
  /** Goes back to the beginning: each resource is filled again when it is asked for. */
  reset(): void;
}

/** The state of one session as plain data. */
export interface Snapshot {
  readonly collections: Readonly<Record<string, CollectionSnapshot>>;
}

/** What the store has to know of a resource. */
export interface CollectionOptions {
  readonly name: string;
  /** The properties for which `where` and `count` need not look at every entity. */
  readonly indexes: readonly string[];
  /** The first integer key that is given; 1 unless it says so. */
  readonly firstKey?: number;
}

export interface Store {
  /** The named session, created on first use. */
  session(name?: string): Session;
}

/** What a resource holds at the beginning, asked for when a session first needs it. */
export type Initial = (resource: string) => CollectionSnapshot | undefined;

/** An in-memory store of sessions, synchronous throughout, so that a request's changes happen at once or not at all. */
export function createStore(
  resources: readonly CollectionOptions[],
  initial: Initial = () => undefined,
): Store {
  const sessions = new Map<string, Session>();
  return {
    session(name = 'default') {
      const known = sessions.get(name);
      if (known) return known;
      const session = createSession(resources, initial);
      sessions.set(name, session);
      return session;
    },
  };
}

function createSession(resources: readonly CollectionOptions[], initial: Initial): Session {
  const options = new Map(resources.map((resource) => [resource.name, resource]));
  const kept = new Map<string, ScopedCollections>();
  const begun = new Set<string>();
  const changes: Changes = { count: 0 };
  const fill = (name: string, snapshot: CollectionSnapshot | undefined): ScopedCollections => {
    const resource = options.get(name);
    if (!resource) throw new Error(`The store has no resource "${name}"`);
    const collections = kept.get(name) ?? new ScopedCollections(resource, changes);
    collections.restore(snapshot);
    kept.set(name, collections);
    begun.add(name);
    return collections;
  };
  const begin = (name: string): ScopedCollections => {
    const collections = begun.has(name) ? kept.get(name) : undefined;
    return collections ?? fill(name, initial(name));
  };
  const reset = () => {
    for (const name of begun) kept.get(name)?.restore();
    begun.clear();
  };
  return {
    collection: (resource, scope = '') => begin(resource).of(scope),
    drop: (resource, scope) => begin(resource).drop(scope),
    get version() {
      return changes.count;
    },
    get begun() {
      return [...begun];
    },
    snapshot() {
      const snapshots = [...begun].map((name) => [name, kept.get(name)?.snapshot()]);
      return { collections: Object.fromEntries(snapshots) };
    },
    fill: (resource, snapshot) => void fill(resource, snapshot),
    restore({ collections }) {
      reset();
      for (const [name, snapshot] of Object.entries(collections)) if (options.has(name)) fill(name, snapshot);
    },
    reset,
  };
}
