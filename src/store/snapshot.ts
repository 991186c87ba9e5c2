import { nextAfter, toRetired } from './counter.ts';
import { type Entity, toFrozenCopy } from './entity.ts';
import { Table } from './table.ts';
import { createTree, type Tree } from './tree.ts';

export type Entry = readonly [key: string, entity: Entity];

/** Entities with their keys, in order. */
export type Entries = readonly Entry[];

/** What the store has to know of a resource. */
export interface CollectionOptions {
  readonly name: string;
  /** The properties for which `where` and `count` need not look at every entity. */
  readonly indexes: readonly string[];
  /** The first integer key that is given; 1 unless it says so. */
  readonly firstKey?: number;
}

/** The state of one session. It never changes, and shares the entities with the store that it was taken from. */
export interface Snapshot {
  readonly collections: Readonly<Record<string, CollectionSnapshot>>;
}

/** What decides how a collection is stored. */
export type TableOptions = Pick<CollectionOptions, 'indexes' | 'firstKey'>;

/** A scope that has entities of its own. */
export interface Scope {
  readonly name: string;
  readonly table: Table;
}

/** What a collection snapshot is made of. */
export interface CollectionParts {
  readonly options: TableOptions;
  readonly nextKey: number;
  readonly unscoped: Table;
  readonly scopes: Tree<string, Scope>;
  readonly retired: Table;
}

/** The entities of one resource at one moment. */
export class CollectionSnapshot {
  readonly #parts: CollectionParts;
  /** The same for a store that wants other indexes. */
  #other: CollectionSnapshot | undefined;

  constructor(parts: CollectionParts) {
    this.#parts = parts;
  }

  /** The lowest integer key that was never given. */
  get nextKey(): number {
    return this.#parts.nextKey;
  }

  get parts(): CollectionParts {
    return this.#parts;
  }

  /** The entities without a scope. */
  get entries(): Iterable<Entry> {
    return entriesOf(this.#parts.unscoped);
  }

  /** The entities of the scopes that have some of their own. */
  get scopes(): Iterable<readonly [scope: string, entries: Iterable<Entry>]> {
    return scopesOf(this.#parts);
  }

  /** The keys that were deleted and must not be made again, oldest first. */
  get retired(): string[] {
    return Array.from(this.#parts.retired.slots.values(), ({ key }) => String(key));
  }

  /** The entity that a scope shows under a key. */
  get(key: string, scope = ''): Entity | undefined {
    return tableOf(this.#parts, scope).find(key)?.entity;
  }

  /** The same for a store with these options. Indexes are built once, and then shared by every store. */
  withOptions(options: TableOptions): CollectionSnapshot {
    if (isSame(this.#parts.options, options)) return this;
    if (!this.#other || !isSame(this.#other.parts.options, options))
      this.#other = toFitted(this.#parts, options);
    return this.#other;
  }
}

/** The entities that a scope shows: those without a scope until it has some of its own. */
export function tableOf(
  { unscoped, scopes }: Pick<CollectionParts, 'unscoped' | 'scopes'>,
  scope: string,
): Table {
  return (scope === '' ? undefined : scopes.get(scope)?.table) ?? unscoped;
}

/** What there may be beside the entities without a scope. */
export interface CollectionSnapshotOptions extends Partial<TableOptions> {
  readonly nextKey?: number;
  readonly scopes?: Readonly<Record<string, Iterable<Entry>>>;
  readonly retired?: Iterable<string>;
}

/** Builds a collection snapshot of frozen copies of entities. The next key is past every key that moves a counter. */
export function toCollectionSnapshot(
  entries: Iterable<Entry>,
  { nextKey = 1, scopes = {}, retired = [], indexes = [], firstKey = 1 }: CollectionSnapshotOptions = {},
): CollectionSnapshot {
  const owner = {};
  const build = (each: Iterable<Entry>) => {
    const table = new Table(owner, indexes);
    for (const [key, entity] of each) table.put(key, toFrozenCopy(entity));
    return table;
  };
  const scoped = createTree<string, Scope>(owner);
  for (const [name, each] of Object.entries(scopes)) scoped.set(name, { name, table: build(each) });
  const parts = {
    options: { indexes, firstKey },
    unscoped: build(entries),
    scopes: scoped,
    retired: toRetired(owner, retired),
  };
  return new CollectionSnapshot({ ...parts, nextKey: nextKeyOf(parts, firstKey, nextKey) });
}

export const EMPTY_COLLECTION: CollectionSnapshot = toCollectionSnapshot([]);

export const EMPTY_SNAPSHOT: Snapshot = { collections: {} };

function toFitted(parts: CollectionParts, options: TableOptions): CollectionSnapshot {
  const owner = {};
  const { indexes, firstKey = 1 } = options;
  const scopes = createTree<string, Scope>(owner);
  for (const { name, table } of parts.scopes.values())
    scopes.set(name, { name, table: table.withIndexes(owner, indexes) });
  return new CollectionSnapshot({
    options,
    nextKey: nextKeyOf(parts, firstKey, parts.nextKey),
    unscoped: parts.unscoped.withIndexes(owner, indexes),
    scopes,
    retired: parts.retired,
  });
}

function nextKeyOf(
  { unscoped, scopes }: Pick<CollectionParts, 'unscoped' | 'scopes'>,
  firstKey: number,
  nextKey: number,
): number {
  let next = Math.max(firstKey, nextKey, nextAfter(unscoped, firstKey));
  for (const { table } of scopes.values()) next = Math.max(next, nextAfter(table, firstKey));
  return next;
}

function isSame(one: TableOptions, other: TableOptions): boolean {
  if (one === other) return true;
  const { indexes } = other;
  const sameIndexes =
    one.indexes.length === indexes.length && one.indexes.every((name, at) => indexes[at] === name);
  return sameIndexes && (one.firstKey ?? 1) === (other.firstKey ?? 1);
}

function* entriesOf(table: Table): Generator<Entry, undefined> {
  for (const { key, entity } of table.slots.values()) yield [String(key), entity];
}

function* scopesOf({
  scopes,
}: CollectionParts): Generator<readonly [scope: string, entries: Iterable<Entry>], undefined> {
  for (const { name, table } of scopes.values()) yield [name, entriesOf(table)];
}
