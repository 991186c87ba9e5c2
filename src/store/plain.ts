import { type CollectionSnapshot, type Entries, type Snapshot, toCollectionSnapshot } from './snapshot.ts';

/** A snapshot as data that can be written as JSON, as long as no entity holds a bigint. */
export interface PlainSnapshot {
  readonly collections: Readonly<Record<string, PlainCollection>>;
}

/** The entities of one resource as plain data. */
export interface PlainCollection {
  readonly nextKey: number;
  readonly entries: Entries;
  /** The entities of the scopes that have some of their own. */
  readonly scopes?: Readonly<Record<string, Entries>>;
  /** The keys that were deleted and must not be made again, oldest first. */
  readonly retired?: readonly string[];
}

/** Takes as long as there are entities, which are shared and frozen. */
export function toPlain({ collections }: Snapshot): PlainSnapshot {
  return { collections: mapValues(collections, toPlainCollection) };
}

/** The snapshot that `toPlain` was given. */
export function fromPlain({ collections }: PlainSnapshot): Snapshot {
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
