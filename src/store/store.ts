import type { Collection } from './collection.ts';
import { ScopedCollections, type ScopedCollectionsHost } from './scopes.ts';
import {
  type CollectionOptions,
  type CollectionSnapshot,
  EMPTY_COLLECTION,
  EMPTY_SNAPSHOT,
  type Snapshot,
  type TableOptions,
} from './snapshot.ts';

export type { Collection, Entities } from './collection.ts';
export { type Change, diff } from './diff.ts';
export { type Entity, joinEntities } from './entity.ts';
export { fromPlain, type PlainCollection, type PlainSnapshot, toPlain } from './plain.ts';
export { toScope } from './scopes.ts';
export {
  type CollectionOptions,
  type CollectionSnapshot,
  type CollectionSnapshotOptions,
  type Entries,
  type Entry,
  type Snapshot,
  toCollectionSnapshot,
} from './snapshot.ts';

/** The collections of one session. */
export interface Store {
  /**
   * The collection of a resource, or the one of its collections that is meant by the keys of the parents. A scope that was
   * never changed shows the entities without a scope. Throws an `Error` for a resource that the store does not have.
   */
  collection(resource: string, scope?: string): Collection;
  /** Forgets the collections below a parent that is gone. */
  drop(resource: string, scope: string): void;
  /** Another number after every change of anything, and one that no other store has; a clone has it until one of the two changes. */
  readonly version: number;
  /** The resources that were asked for since the last reset. */
  readonly used: readonly string[];
  /** The state of the resources that were asked for, in O(1): it shares the entities with the store. */
  snapshot(): Snapshot;
  /** A store with the same state, in O(1). Neither sees the later changes of the other. */
  clone(): Store;
  /** Replaces the state of one resource. */
  fill(resource: string, snapshot: CollectionSnapshot): void;
  /** Replaces the whole state. A resource that the snapshot does not name begins again. */
  restore(snapshot: Snapshot): void;
  /** Goes back to the beginning: each resource is filled again when it is asked for. */
  reset(): void;
}

/** What a resource holds at the beginning, asked for when a store first needs it. */
export type Initial = (resource: string) => CollectionSnapshot | undefined;

/** An in-memory store, synchronous throughout, so that a request's changes happen at once or not at all. */
export function createStore(
  resources: readonly CollectionOptions[],
  initial: Initial = () => undefined,
): Store {
  const options = new Map(resources.map((resource) => [resource.name, once(() => read(resource))]));
  return new TreeStore({ options, initial }, EMPTY_SNAPSHOT, nextVersion());
}

/** What a store shares with its clones. */
interface StoreParts {
  readonly options: ReadonlyMap<string, () => TableOptions>;
  readonly initial: Initial;
}

/** A class, because there may be ten thousand of them. */
class TreeStore implements Store, ScopedCollectionsHost {
  readonly #parts: StoreParts;
  readonly #resources = new Map<string, ScopedCollections>();
  /** Holds the resources that were restored and not asked for since. */
  #base: Snapshot;
  #version: number;
  /** The state as it was last taken, as long as nothing changes. */
  #snapshot: Snapshot | undefined;

  constructor(parts: StoreParts, base: Snapshot, version: number) {
    this.#parts = parts;
    this.#base = base;
    this.#version = version;
  }

  collection(resource: string, scope = ''): Collection {
    return this.#find(resource).of(scope);
  }

  drop(resource: string, scope: string): void {
    this.#find(resource).drop(scope);
  }

  get version(): number {
    return this.#version;
  }

  get used(): readonly string[] {
    const loaded = [...this.#resources].filter(([, { isLoaded }]) => isLoaded).map(([name]) => name);
    return [...new Set([...Object.keys(this.#base.collections), ...loaded])];
  }

  snapshot(): Snapshot {
    if (!this.#snapshot) {
      const taken = this.used.map((name) => {
        const known = this.#resources.get(name);
        return [name, known?.isLoaded ? known.snapshot() : this.#base.collections[name]] as const;
      });
      this.#snapshot = { collections: Object.fromEntries(taken) as Snapshot['collections'] };
    }
    return this.#snapshot;
  }

  clone(): Store {
    return new TreeStore(this.#parts, this.snapshot(), this.#version);
  }

  fill(resource: string, snapshot: CollectionSnapshot): void {
    this.#find(resource).restore(snapshot.withOptions(this.#optionsOf(resource)));
    this.noteChange();
  }

  restore({ collections }: Snapshot): void {
    const known = Object.entries(collections).filter(([name]) => this.#parts.options.has(name));
    this.#begin({ collections: Object.fromEntries(known) });
  }

  reset(): void {
    this.#begin(EMPTY_SNAPSHOT);
  }

  begin(resource: string): CollectionSnapshot {
    // The snapshot that was taken last does not have the resource.
    this.#snapshot = undefined;
    const { collections } = this.#base;
    const restored = Object.hasOwn(collections, resource) ? collections[resource] : undefined;
    const first = restored ?? this.#parts.initial(resource) ?? EMPTY_COLLECTION;
    return first.withOptions(this.#optionsOf(resource));
  }

  noteChange(): void {
    this.#version = nextVersion();
    this.#snapshot = undefined;
  }

  #begin(base: Snapshot): void {
    this.#base = base;
    for (const resource of this.#resources.values()) resource.unload();
    this.noteChange();
  }

  #find(name: string): ScopedCollections {
    const known = this.#resources.get(name);
    if (known) return known;
    if (!this.#parts.options.has(name)) throw new Error(`The store has no resource "${name}"`);
    const created = new ScopedCollections(this, name);
    this.#resources.set(name, created);
    return created;
  }

  #optionsOf(name: string): TableOptions {
    return this.#parts.options.get(name)?.() ?? NO_INDEXES;
  }
}

const NO_INDEXES: TableOptions = { indexes: [] };

function read({ indexes, firstKey = 1 }: CollectionOptions): TableOptions {
  return { indexes, firstKey };
}

/** Options may take long to find out, so they are read when the first store needs them. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

let version = 0;

/** Counts in all stores together, so that what belongs to one state is never taken for another's. */
function nextVersion(): number {
  version += 1;
  return version;
}
