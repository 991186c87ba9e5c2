import { nextAfter, toRetired } from './counter.ts';
import { type Entity, toFrozenCopy } from './entity.ts';
import { Table } from './table.ts';
import { createTree, type Tree } from './tree.ts';

export type Entry = readonly [key: string, entity: Entity];

/** Entities with their keys, in order. */
export type Entries = readonly Entry[];

/** The options of one resource's collections. */
export interface CollectionOptions {
  readonly name: string;
  /** The properties by which entities are indexed. */
  readonly indexes: readonly string[];
  /** The first integer key; 1 by default. */
  readonly firstKey?: number;
}

/** The state of one session. It never changes, and shares its entities with the store. */
export interface Snapshot {
  readonly collections: Readonly<Record<string, CollectionSnapshot>>;
}

/** The options that decide how a collection is stored. */
export type TableOptions = Pick<CollectionOptions, 'indexes' | 'firstKey'>;

/** A scope that has entities of its own. */
export interface Scope {
  readonly name: string;
  readonly table: Table;
}

/** The parts of a collection snapshot. */
interface CollectionParts {
  readonly options: TableOptions;
  readonly nextKey: number;
  readonly unscoped: Table;
  readonly scopes: Tree<string, Scope>;
  readonly retired: Table;
  /** How many bytes clients wrote to build it. */
  readonly written?: number;
}

/** The entities of one resource at one moment. */
export class CollectionSnapshot {
  readonly #parts: CollectionParts;
  /** The same for a store with other options. */
  #other: CollectionSnapshot | undefined;

  constructor(parts: CollectionParts) {
    this.#parts = parts;
  }

  /** The lowest integer key that was never used. */
  get nextKey(): number {
    return this.#parts.nextKey;
  }

  /** How many bytes clients wrote to build it. */
  get written(): number {
    return this.#parts.written ?? 0;
  }

  get parts(): CollectionParts {
    return this.#parts;
  }

  /** The entities without a scope. */
  get entries(): Iterable<Entry> {
    return entriesOf(this.#parts.unscoped);
  }

  /** The number of entities, with those of all scopes. */
  get size(): number {
    const scoped = Array.from(this.#parts.scopes.values(), ({ table }) => table.slots.size);
    return scoped.reduce((sum, count) => sum + count, this.#parts.unscoped.slots.size);
  }

  /** The entities of the scopes that have some of their own. */
  get scopes(): Iterable<readonly [scope: string, entries: Iterable<Entry>]> {
    return scopesOf(this.#parts);
  }

  /** Deleted keys that must not be generated again, oldest first. */
  get retired(): string[] {
    return Array.from(this.#parts.retired.slots.values(), ({ key }) => String(key));
  }

  /** The entity of a scope with a key. */
  get(key: string, scope = ''): Entity | undefined {
    return tableOf(this.#parts, scope).find(key)?.entity;
  }

  /** The same for a store with these options. Indexes are built once and shared by all stores. */
  withOptions(options: TableOptions): CollectionSnapshot {
    if (haveSameEffect(this.#parts.options, options)) return this;
    if (!this.#other || !haveSameEffect(this.#other.parts.options, options))
      this.#other = toFitted(this.#parts, options);
    return this.#other;
  }
}

/** The table of a scope: the one without a scope until it has its own. */
export function tableOf(
  { unscoped, scopes }: Pick<CollectionParts, 'unscoped' | 'scopes'>,
  scope: string,
): Table {
  return (scope === '' ? undefined : scopes.get(scope)?.table) ?? unscoped;
}

/** All tables of a collection. */
export function* tablesOf({
  unscoped,
  scopes,
  retired,
}: Pick<CollectionParts, 'unscoped' | 'scopes' | 'retired'>): Generator<Table, undefined> {
  yield unscoped;
  for (const { table } of scopes.values()) yield table;
  yield retired;
}

/** The optional parts of a collection snapshot. */
interface CollectionSnapshotOptions extends Partial<TableOptions> {
  readonly nextKey?: number;
  readonly scopes?: Readonly<Record<string, Iterable<Entry>>>;
  readonly retired?: Iterable<string>;
  /** The entities of the fixtures, where clients wrote all others. Unless given, clients wrote none. */
  readonly given?: CollectionSnapshot | undefined;
}

/** Builds a collection snapshot of frozen copies of entities. The next key is past every key that moves the counter. */
export function toCollectionSnapshot(
  entries: Iterable<Entry>,
  {
    nextKey = 1,
    scopes = {},
    retired = [],
    indexes = [],
    firstKey = 1,
    given,
  }: CollectionSnapshotOptions = {},
): CollectionSnapshot {
  const owner = {};
  let written = 0;
  const build = (each: Iterable<Entry>, scope: string) => {
    const table = new Table(owner, indexes);
    for (const [key, entity] of each) {
      const isCounted = given !== undefined && given.get(key, scope) !== entity;
      written += table.put(key, toFrozenCopy(entity), isCounted).bytes;
    }
    return table;
  };
  const scoped = createTree<string, Scope>(owner);
  for (const [name, each] of Object.entries(scopes)) scoped.set(name, { name, table: build(each, name) });
  const parts = {
    options: { indexes, firstKey },
    unscoped: build(entries, ''),
    scopes: scoped,
    retired: toRetired(owner, retired),
    written,
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
    ...(parts.written !== undefined && { written: parts.written }),
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

function haveSameEffect(one: TableOptions, other: TableOptions): boolean {
  if (one === other) return true;
  const { indexes } = other;
  const sameIndexes =
    one.indexes.length === indexes.length && one.indexes.every((name, at) => indexes[at] === name);
  return sameIndexes && (one.firstKey ?? 1) === (other.firstKey ?? 1);
}

/** The entries of a table. They can be read several times. */
function entriesOf(table: Table): Iterable<Entry> {
  return {
    *[Symbol.iterator]() {
      for (const { key, entity } of table.slots.values()) yield [String(key), entity];
    },
  };
}

function* scopesOf({
  scopes,
}: CollectionParts): Generator<readonly [scope: string, entries: Iterable<Entry>], undefined> {
  for (const { name, table } of scopes.values()) yield [name, entriesOf(table)];
}
