/** The bounded record of what was asked and answered, oldest first. */
export interface Journal<T> {
  record(entry: T): void;
  entries(): T[];
  clear(): void;
}

export interface JournalBounds<T> {
  readonly entries: number;
  /** Of all entries together, in bytes; the newest is there whatever its size. */
  readonly size: number;
  /** About how much memory an entry holds on to. */
  readonly sizeOf: (entry: T) => number;
}

/** A ring: a new entry takes the place of the oldest. */
export function createJournal<T>({ entries: most, size, sizeOf }: JournalBounds<T>): Journal<T> {
  const ring: (T | undefined)[] = [];
  /** Of each entry, so that one that goes need not be looked at once more: by then it is in no cache. */
  const sizes: number[] = [];
  let first = 0;
  let count = 0;
  let held = 0;
  const drop = () => {
    held -= sizes[first] as number;
    ring[first] = undefined;
    first = (first + 1) % most;
    count -= 1;
  };
  return {
    record(entry) {
      const own = sizeOf(entry);
      held += own;
      while (count > 0 && (count >= most || held > size)) drop();
      const place = (first + count) % most;
      ring[place] = entry;
      sizes[place] = own;
      count += 1;
    },
    entries: () => Array.from({ length: count }, (_, index) => ring[(first + index) % most] as T),
    clear() {
      while (count > 0) drop();
    },
  };
}
