import { type CollectionSnapshot, type Entries, type Snapshot, toCollectionSnapshot } from './snapshot.ts';

/** A snapshot as data that can be written as JSON, unless an entity has a bigint. */
interface PlainSnapshot {
  readonly collections: Readonly<Record<string, PlainCollection>>;
}

/** The entities of one resource as plain data. */
export interface PlainCollection {
  readonly nextKey: number;
  readonly entries: Entries;
  /** The entities of the scopes that have some of their own. */
  readonly scopes?: Readonly<Record<string, Entries>>;
  /** Deleted keys that must not be generated again, oldest first. */
  readonly retired?: readonly string[];
}

/** Converts a snapshot to plain data, in time proportional to its entities. The entities are shared and frozen. */
export function toPlainSnapshot({ collections }: Snapshot): PlainSnapshot {
  return { collections: mapValues(collections, toPlainCollection) };
}

/** Converts plain data back to a snapshot. */
export function fromPlainSnapshot({ collections }: PlainSnapshot): Snapshot {
  return {
    collections: mapValues(collections, ({ entries, ...rest }) => toCollectionSnapshot(entries, rest)),
  };
}

function toPlainCollection({ nextKey, entries, scopes, retired }: CollectionSnapshot): PlainCollection {
  const scoped = Array.from(scopes, ([scope, own]) => [scope, [...own]] as const);
  return {
    nextKey,
    entries: [...entries],
    ...(scoped.length > 0 && { scopes: Object.fromEntries(scoped) }),
    ...(retired.length > 0 && { retired }),
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
