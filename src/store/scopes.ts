import { type Changes, type Collection, type Counter, type Entities, MapCollection } from './collection.ts';
import type { Entity } from './entity.ts';

/** Entities with their keys, in order. */
export type Entries = readonly (readonly [key: string, entity: Entity])[];

/** The entities of one resource as plain data. */
export interface CollectionSnapshot {
  /** The lowest integer key that was never given. */
  readonly nextKey: number;
  readonly entries: Entries;
  /** The collections of the scopes that have one of their own. */
  readonly scopes?: Readonly<Record<string, Entries>>;
}

/** The scope below items with these keys, outermost first. */
export function toScope(keys: readonly unknown[]): string {
  return keys.map((key) => encodeURIComponent(String(key))).join('/');
}

/** The collections of one resource: the one without a scope, and those of the scopes that were changed. */
export class ScopedCollections {
  readonly #indexed: readonly string[];
  /** Shared, so that no key comes twice in two scopes. */
  readonly #counter: Counter;
  readonly #changes: Changes;
  readonly #unscoped: MapCollection;
  readonly #scopes = new Map<string, MapCollection>();

  constructor(
    { indexes, firstKey = 1 }: { readonly indexes: readonly string[]; readonly firstKey?: number },
    changes: Changes,
  ) {
    this.#indexed = indexes;
    this.#changes = changes;
    this.#counter = { firstKey, nextKey: firstKey, retired: new Set() };
    this.#unscoped = this.#create([]);
  }

  of(scope: string): Collection {
    if (scope === '') return this.#unscoped;
    return (
      this.#scopes.get(scope) ??
      new UnchangedScope(this.#unscoped, () => {
        const own = this.#scopes.get(scope) ?? this.#create(this.#unscoped.entries());
        this.#scopes.set(scope, own);
        return own;
      })
    );
  }

  drop(scope: string): void {
    this.#changes.count += 1;
    for (const name of this.#scopes.keys())
      if (name === scope || name.startsWith(`${scope}/`)) this.#scopes.delete(name);
  }

  snapshot(): CollectionSnapshot {
    const scopes = [...this.#scopes].map(([scope, collection]) => [scope, collection.entries()] as const);
    return {
      nextKey: this.#counter.nextKey,
      entries: this.#unscoped.entries(),
      ...(scopes.length > 0 && { scopes: Object.fromEntries(scopes) }),
    };
  }

  restore({ entries, scopes = {}, nextKey }: CollectionSnapshot = { entries: [], nextKey: 1 }): void {
    this.#unscoped.clear();
    this.#scopes.clear();
    this.#counter.nextKey = this.#counter.firstKey;
    this.#counter.retired.clear();
    for (const [key, entity] of entries) this.#unscoped.put(key, entity);
    for (const [scope, own] of Object.entries(scopes)) this.#scopes.set(scope, this.#create(own));
    this.#counter.nextKey = Math.max(this.#counter.nextKey, nextKey);
  }

  #create(entries: Iterable<readonly [string, Entity]>): MapCollection {
    const collection = new MapCollection(this.#indexed, this.#counter, this.#changes);
    for (const [key, entity] of entries) collection.put(key, entity);
    return collection;
  }
}

/** A scope that shows the collection without a scope, until the first change makes it one of its own. */
class UnchangedScope implements Collection {
  readonly #shown: Collection;
  readonly #detach: () => Collection;

  constructor(shown: Collection, detach: () => Collection) {
    this.#shown = shown;
    this.#detach = detach;
  }

  get size(): number {
    return this.#shown.size;
  }

  get(key: string): Entity | undefined {
    return this.#shown.get(key);
  }

  knows(key: string): boolean {
    return this.#shown.knows(key);
  }

  values(): IterableIterator<Entity> {
    return this.#shown.values();
  }

  all(): Entities {
    return this.#shown.all();
  }

  having(property: string, text: string): Entities | undefined {
    return this.#shown.having(property, text);
  }

  where(property: string, value: unknown): Entity[] {
    return this.#shown.where(property, value);
  }

  count(property: string, value: unknown): number {
    return this.#shown.count(property, value);
  }

  put(key: string, entity: Entity): Entity {
    return this.#detach().put(key, entity);
  }

  delete(key: string): boolean {
    return this.get(key) !== undefined && this.#detach().delete(key);
  }

  nextKey(): number {
    return this.#shown.nextKey();
  }

  serial(): number {
    return this.#shown.serial();
  }
}
