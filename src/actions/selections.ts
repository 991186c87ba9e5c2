import { createCache } from '../cache.ts';
import type { Store } from '../store/store.ts';
import type { EntitySelection, ListQuery } from './query.ts';

/** The selection of a query in one session: cached from any page of the same list, or made by `select`. */
export type Selections = (
  store: Store,
  path: string,
  query: ListQuery,
  select: () => EntitySelection,
) => EntitySelection;

interface Selected {
  readonly version: number;
  readonly selection: EntitySelection;
}

/**
 * Caches the last selections until something changes. A client that reads one page usually reads others, and each selection scans
 * every entity.
 */
export function createSelections(): Selections {
  // Four lists of a million references are still small beside a million entities.
  const cache = createCache<Selected>({ entries: 4 });
  return (store, path, { filters, conditions, pathValues, search, sort }, select) => {
    const key = JSON.stringify([path, [...filters], conditions, pathValues, search, sort], (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const { version } = store;
    const known = cache.get(key);
    if (known?.version === version) return known.selection;
    const selection = select();
    cache.set(key, { version, selection });
    return selection;
  };
}
