import { once } from '../../base/once.ts';
import type { Collection } from './collection.ts';
import type { EntityCount } from './entity-count.ts';
import { ScopedCollections, type ScopedCollectionsHost } from './scopes.ts';
import {
  type CollectionOptions,
  type CollectionSnapshot,
  EMPTY_COLLECTION,
  EMPTY_SNAPSHOT,
  type Snapshot,
  type TableOptions,
} from './snapshot.ts';
import { countHiddenUses, nextVersion, noteHiddenUse } from './versions.ts';

export type { Collection, Entities } from './collection.ts';
export { type Change, diff } from './diff.ts';
export { type Entity, isEntity, joinEntities } from './entity.ts';
export { EntityCount } from './entity-count.ts';
export { sizeOfValue } from './entity-size.ts';
export {
  fromPlainSnapshot,
  type PlainCollection,
  toPlainSnapshot,
} from './plain-snapshot.ts';
export { toScope } from './scopes.ts';
export {
  type CollectionOptions,
  type CollectionSnapshot,
  EMPTY_COLLECTION,
  type Entries,
  type Entry,
  type Snapshot,
  toCollectionSnapshot,
} from './snapshot.ts';

/** The collections of one session. */
export interface Store {
  /**
   * The collection of a resource in a scope. A scope that was never changed shows the entities without a scope. Throws an `Error` for
   * an unknown resource.
   */
  collection(resource: string, scope?: string): Collection;
  /** Drops the collections of a scope and of those below it. */
  drop(resource: string, scope: string): void;
  /** Moves the collections of a scope and of those below it, over what is there. Returns the names of the scopes that they have now. */
  move(resource: string, scope: string, to: string): string[];
  /**
   * Changes with every change of the state, except that of hidden resources. No other store has the same number, except a clone until
   * one of the two changes.
   */
  readonly version: number;
  /** Changes with every change of a hidden resource. */
  readonly hiddenVersion: number;
  /** Grows whenever a hidden resource of any store is read or changed, so that it tells which answers depend on them. */
  readonly hiddenUses: number;
  /** How many bytes of entities clients wrote to it, replaced ones included. A clone goes on from there. */
  readonly written: number;
  /** The resources that were used since the last reset. */
  readonly used: readonly string[];
  /** The state of the used resources, in O(1): it shares its entities with the store. */
  snapshot(): Snapshot;
  /** A store with the same state, in O(1). Neither sees later changes of the other. */
  clone(): Store;
  /** Adds the entities that clients wrote to a count, and leaves out what the initial state shares. */
  countInto(count: EntityCount): void;
  /** Replaces the state of one resource. */
  fill(resource: string, snapshot: CollectionSnapshot): void;
  /** Replaces the whole state. A resource that the snapshot lacks returns to its initial state. */
  restore(snapshot: Snapshot): void;
  /** Returns every resource to its initial state, which is loaded when the resource is next used. */
  reset(): void;
}

/** A resource that a store holds. */
export interface StoredResource extends CollectionOptions {
  /** Whether its changes leave most answers as they are. */
  readonly isHidden?: boolean;
  /** Called after an entity without a scope was deleted, and without a key after `fill`. */
  readonly onRemove?: (store: Store, key?: string) => void;
}

/** The initial state of a resource, called when a store first uses it. */
type Initial = (resource: string) => CollectionSnapshot | undefined;

/** An in-memory store, synchronous throughout, so that a request's changes happen at once or not at all. */
export function createStore(resources: readonly StoredResource[], initial: Initial = () => undefined): Store {
  const options = new Map(resources.map((resource) => [resource.name, once(() => toTableOptions(resource))]));
  const observers = new Map(resources.flatMap(({ name, onRemove }) => (onRemove ? [[name, onRemove]] : [])));
  const hidden = new Set(resources.flatMap(({ name, isHidden }) => (isHidden ? [name] : [])));
  const version = nextVersion();
  return new TreeStore({ options, observers, hidden, initial }, EMPTY_SNAPSHOT, version, version);
}

/** The parts that a store shares with its clones. */
interface StoreParts {
  readonly options: ReadonlyMap<string, () => TableOptions>;
  readonly observers: ReadonlyMap<string, NonNullable<StoredResource['onRemove']>>;
  readonly hidden: ReadonlySet<string>;
  readonly initial: Initial;
}

/** A class, to save memory: there may be ten thousand stores. */
class TreeStore implements Store, ScopedCollectionsHost {
  readonly #parts: StoreParts;
  readonly #resources = new Map<string, ScopedCollections>();
  /** Has the resources that were restored and not used since. */
  #base: Snapshot;
  #version: number;
  #hiddenVersion: number;
  #written: number;
  /** The last snapshot, until something changes. */
  #snapshot: Snapshot | undefined;

  constructor(parts: StoreParts, base: Snapshot, version: number, hiddenVersion: number, written = 0) {
    this.#parts = parts;
    this.#base = base;
    this.#version = version;
    this.#hiddenVersion = hiddenVersion;
    this.#written = written;
  }

  collection(resource: string, scope = ''): Collection {
    if (this.#parts.hidden.has(resource)) noteHiddenUse();
    return this.#find(resource).of(scope);
  }

  drop(resource: string, scope: string): void {
    this.#find(resource).drop(scope);
  }

  move(resource: string, scope: string, to: string): string[] {
    return this.#find(resource).move(scope, to);
  }

  get version(): number {
    return this.#version;
  }

  get hiddenVersion(): number {
    return this.#hiddenVersion;
  }

  get hiddenUses(): number {
    return countHiddenUses();
  }

  get written(): number {
    return this.#written;
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
    return new TreeStore(this.#parts, this.snapshot(), this.#version, this.#hiddenVersion, this.#written);
  }

  countInto(count: EntityCount): void {
    for (const name of this.used) {
      const first = this.#parts.initial(name);
      if (first) count.leaveOut(first);
    }
    for (const resource of this.#resources.values())
      for (const table of resource.tables()) count.addTable(table);
    for (const [name, collection] of Object.entries(this.#base.collections))
      if (!this.#resources.get(name)?.isLoaded) count.add(collection);
  }

  fill(resource: string, snapshot: CollectionSnapshot): void {
    this.#find(resource).restore(snapshot.withOptions(this.#optionsOf(resource)));
    this.noteWritten(snapshot.written);
    this.noteChange(resource);
    this.noteRemoval(resource);
  }

  restore({ collections }: Snapshot): void {
    const known = Object.entries(collections).filter(([name]) => this.#parts.options.has(name));
    this.#replace({ collections: Object.fromEntries(known) });
  }

  reset(): void {
    this.#replace(EMPTY_SNAPSHOT);
  }

  load(resource: string): CollectionSnapshot {
    // The last snapshot lacks the resource.
    this.#snapshot = undefined;
    const { collections } = this.#base;
    const restored = Object.hasOwn(collections, resource) ? collections[resource] : undefined;
    const first = restored ?? this.#parts.initial(resource) ?? EMPTY_COLLECTION;
    return first.withOptions(this.#optionsOf(resource));
  }

  noteChange(resource: string): void {
    if (this.#parts.hidden.has(resource)) this.#hiddenVersion = nextVersion();
    else this.#version = nextVersion();
    this.#snapshot = undefined;
  }

  noteRemoval(resource: string, key?: string): void {
    this.#parts.observers.get(resource)?.(this, key);
  }

  noteWritten(bytes: number): void {
    this.#written += bytes;
  }

  #replace(base: Snapshot): void {
    this.#base = base;
    for (const resource of this.#resources.values()) resource.unload();
    this.#version = nextVersion();
    this.#hiddenVersion = nextVersion();
    this.#snapshot = undefined;
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

/** Both options may take long to compute, so they are read when the first store needs them. */
function toTableOptions({ indexes, firstKey = 1 }: CollectionOptions): TableOptions {
  return { indexes, firstKey };
}
