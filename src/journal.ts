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
  /** About how much memory an entry holds on to, always the same. */
  readonly sizeOf: (entry: T) => number;
}

/** A ring: a new entry takes the place of the oldest. */
export function createJournal<T>({ entries: most, size, sizeOf }: JournalBounds<T>): Journal<T> {
  const ring: (T | undefined)[] = [];
  let first = 0;
  let count = 0;
  let held = 0;
  const drop = () => {
    held -= sizeOf(ring[first] as T);
    ring[first] = undefined;
    first = (first + 1) % most;
    count -= 1;
  };
  return {
    record(entry) {
      held += sizeOf(entry);
      while (count > 0 && (count >= most || held > size)) drop();
      ring[(first + count) % most] = entry;
      count += 1;
    },
    entries: () => Array.from({ length: count }, (_, index) => ring[(first + index) % most] as T),
    clear() {
      while (count > 0) drop();
    },
  };
}
