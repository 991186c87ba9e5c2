import { createCache } from '../cache.ts';
import type { Store } from '../store/store.ts';
import type { ListQuery, Selection } from './query.ts';

/** The selections of one session: what the same query selected before, on whatever page, or what it selects now. */
export type Selections = (store: Store, path: string, query: ListQuery, select: () => Selection) => Selection;

/** Lists of a million references each are still small beside a million entities. */
const BOUNDS = { entries: 4 };

interface Selected {
  readonly version: number;
  readonly selection: Selection;
}

/**
 * Keeps the last selections until something changes. A client that looks at one page usually looks at others, and selecting
 * means looking at every entity.
 */
export function createSelections(): Selections {
  const cache = createCache<Selected>(BOUNDS);
  return (store, path, { filters, within, search, sort }, select) => {
    const key = JSON.stringify([path, [...filters], within, search, sort], (_, value) =>
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
