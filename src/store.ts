/** A stored item. Frozen all the way down, so it can be handed out without copying. */
export type Entity = Readonly<Record<string, unknown>>;

/** The entities of one resource in one session. Finding, storing and deleting cost the same however many there are. */
export interface Collection {
  readonly size: number;
  get(key: string): Entity | undefined;
  /** Every entity, in the order in which the keys were first put. */
  values(): IterableIterator<Entity>;
  /** The entities whose `property` has `value`; at once if the property is indexed. */
  where(property: string, value: unknown): Entity[];
  /** How many they are. */
  count(property: string, value: unknown): number;
  /** Stores a frozen copy of `entity`, and returns it. */
  put(key: string, entity: Entity): Entity;
  delete(key: string): boolean;
  /** The integer key for the next new entity. Putting it counts on, and no key comes twice, not even after a delete. */
  nextKey(): number;
}

/** One isolated copy of all state. */
export interface Session {
  /** The collection of a resource. Throws an `Error` for a resource that the store does not have. */
  collection(resource: string): Collection;
  snapshot(): Snapshot;
  /** Replaces the whole state; a resource that the snapshot does not name becomes empty. */
  restore(snapshot: Snapshot): void;
}

/** The state of one session as plain data. */
export interface Snapshot {
  readonly collections: Readonly<Record<string, CollectionSnapshot>>;
}

export interface CollectionSnapshot {
  /** The lowest integer key that was never given. */
  readonly nextKey: number;
  readonly entries: readonly (readonly [key: string, entity: Entity])[];
}

/** What the store has to know of a resource. */
export interface CollectionOptions {
  readonly name: string;
  /** The properties for which `where` and `count` need not look at every entity. */
  readonly indexes: readonly string[];
}

export interface Store {
  /** The named session, created empty on first use. */
  session(name?: string): Session;
}

/** An in-memory store of sessions, synchronous throughout, so that a request's changes happen at once or not at all. */
export function createStore(resources: readonly CollectionOptions[]): Store {
  const sessions = new Map<string, Session>();
  return {
    session(name = 'default') {
      const known = sessions.get(name);
      if (known) return known;
      const session = createSession(resources);
      sessions.set(name, session);
      return session;
    },
  };
}

function createSession(resources: readonly CollectionOptions[]): Session {
  const collections = new Map(resources.map((options) => [options.name, new MapCollection(options.indexes)]));
  return {
    collection(resource) {
      const collection = collections.get(resource);
      if (!collection) throw new Error(`The store has no resource "${resource}"`);
      return collection;
    },
    snapshot() {
      return { collections: Object.fromEntries([...collections].map(([name, c]) => [name, c.snapshot()])) };
    },
    restore(snapshot) {
      for (const [name, collection] of collections) {
        collection.restore(
          Object.hasOwn(snapshot.collections, name) ? snapshot.collections[name] : undefined,
        );
      }
    },
  };
}

/** A higher key does not move the counter, so what it gives stays well inside int32 whatever keys come from outside. */
const HIGHEST_COUNTED_KEY = 2 ** 30;
const COUNTED_KEY = /^[1-9]\d{0,9}$/;

class MapCollection implements Collection {
  readonly #indexed: readonly string[];
  readonly #entities = new Map<string, Entity>();
  /** property → value → keys */
  readonly #indexes: Map<string, Map<unknown, Set<string>>>;
  #nextKey = 1;

  constructor(indexed: readonly string[]) {
    this.#indexed = indexed;
    this.#indexes = new Map(indexed.map((property) => [property, new Map()]));
  }

  get size(): number {
    return this.#entities.size;
  }

  get(key: string): Entity | undefined {
    return this.#entities.get(key);
  }

  values(): IterableIterator<Entity> {
    return this.#entities.values();
  }

  where(property: string, value: unknown): Entity[] {
    const index = this.#indexes.get(property);
    if (!index) return [...this.#entities.values()].filter((entity) => entity[property] === value);
    return Array.from(index.get(value) ?? [], (key) => this.#entities.get(key) as Entity);
  }

  count(property: string, value: unknown): number {
    const index = this.#indexes.get(property);
    return index ? (index.get(value)?.size ?? 0) : this.where(property, value).length;
  }

  put(key: string, entity: Entity): Entity {
    const stored = toFrozenCopy(entity);
    this.#unindex(key);
    this.#entities.set(key, stored);
    for (const property of this.#indexed) {
      const index = this.#index(property);
      const keys = index.get(stored[property]);
      if (keys) keys.add(key);
      else index.set(stored[property], new Set([key]));
    }
    if (COUNTED_KEY.test(key)) this.#count(Number(key));
    return stored;
  }

  delete(key: string): boolean {
    this.#unindex(key);
    return this.#entities.delete(key);
  }

  nextKey(): number {
    while (this.#entities.has(String(this.#nextKey))) this.#nextKey += 1;
    return this.#nextKey;
  }

  snapshot(): CollectionSnapshot {
    return { nextKey: this.#nextKey, entries: [...this.#entities] };
  }

  restore(snapshot: CollectionSnapshot | undefined): void {
    this.#entities.clear();
    for (const index of this.#indexes.values()) index.clear();
    this.#nextKey = 1;
    for (const [key, entity] of snapshot?.entries ?? []) this.put(key, entity);
    this.#nextKey = Math.max(this.#nextKey, snapshot?.nextKey ?? 1);
  }

  #count(key: number): void {
    const ours = key === this.#nextKey;
    if (ours || (key > this.#nextKey && key <= HIGHEST_COUNTED_KEY)) this.#nextKey = key + 1;
  }

  #index(property: string): Map<unknown, Set<string>> {
    const index = this.#indexes.get(property);
    if (!index) throw new Error(`The property "${property}" has no index`);
    return index;
  }

  #unindex(key: string): void {
    const entity = this.#entities.get(key);
    if (!entity) return;
    for (const property of this.#indexed) {
      const index = this.#index(property);
      const keys = index.get(entity[property]);
      keys?.delete(key);
      if (keys?.size === 0) index.delete(entity[property]);
    }
  }
}

/** The objects that this file froze: only these are known to be frozen all the way down. */
const frozen = new WeakSet<object>();

/** What is frozen already is shared; anything else is copied. `__proto__` stays an ordinary member. */
function toFrozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  const copy = Array.isArray(value)
    ? value.map(toFrozenCopy)
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toFrozenCopy(member)]));
  frozen.add(Object.freeze(copy));
  return copy as T;
}
