import type { Session } from '../store/store.ts';
import type { ListQuery, Selection } from './query.ts';

/** Gives what was selected before by the same query, on whatever page, or selects it now. */
export type Selections = (
  session: Session,
  path: string,
  query: ListQuery,
  make: () => Selection,
) => Selection;

/** What several lists of a million entities may take is still little beside the entities. */
const MOST = 4;

/**
 * Keeps what was looked for last, sorted, for as long as nothing changes: whoever looks at one page of it will look at others, and to
 * look at every entity takes long where there are many.
 */
export function createSelections(): Selections {
  const kept = new Map<string, Selection>();
  let version: number | undefined;
  return (session, path, { filters, within, search, sort }, make) => {
    const key = JSON.stringify([path, [...filters], within, search, sort], (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    if (version !== session.version) kept.clear();
    version = session.version;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= MOST) kept.clear();
    const made = make();
    kept.set(key, made);
    return made;
  };
}
