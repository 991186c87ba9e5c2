import type { Ledger } from '../../base/budget.ts';
import { createCache } from '../../base/cache.ts';
import type { Store } from '../store/store.ts';
import type { EntitySelection, ListQuery } from './query.ts';

/** The latest selections of lists in one session, of which any page of the same list can be cut. */
export interface Selections {
  /** The selection of a query, if it is kept and nothing has changed since. */
  find(store: Store, path: string, query: ListQuery): EntitySelection | undefined;
  /** Keeps the selection of a query. */
  keep(store: Store, path: string, query: ListQuery, selection: EntitySelection): void;
  /** Forgets all of them. */
  clear(): void;
}

interface Selected {
  readonly version: number;
  readonly selection: EntitySelection;
}

/** A selection refers to each of its entities. */
const REFERENCE_BYTES = 8;

/**
 * Caches the last selections until something changes. A client that reads one page usually reads others, and each selection scans
 * every entity. `ledger` counts their memory.
 */
export function createSelections(ledger?: Ledger): Selections {
  // Four lists of a million references are still small beside a million entities.
  const cache = createCache<Selected>({ entries: 4 }, ledger);
  return {
    find({ version }, path, query) {
      const known = cache.get(toKey(path, query));
      return known?.version === version ? known.selection : undefined;
    },
    keep({ version }, path, query, selection) {
      const key = toKey(path, query);
      cache.set(key, { version, selection }, key.length + REFERENCE_BYTES * selection.length);
    },
    clear: () => cache.clear(),
  };
}

function toKey(path: string, { filters, conditions, pathValues, search, sort }: ListQuery): string {
  return JSON.stringify([path, filters, conditions, pathValues, search, sort], (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}
