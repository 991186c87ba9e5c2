/** The bounded record of what was asked and answered, oldest first. */
export interface Journal<T> {
  /** `size` is about how much memory the entry holds on to, in bytes. */
  record(entry: T, size: number): void;
  entries(): T[];
  clear(): void;
}

export interface JournalBounds {
  readonly entries: number;
  /** Of all entries together; the newest is there whatever its size. */
  readonly size: number;
}

/** A ring: a new entry takes the place of the oldest. */
export function createJournal<T>(bounds: JournalBounds): Journal<T> {
  const ring: ({ readonly entry: T; readonly size: number } | undefined)[] = [];
  let first = 0;
  let count = 0;
  let held = 0;
  const drop = () => {
    held -= ring[first]?.size ?? 0;
    ring[first] = undefined;
    first = (first + 1) % bounds.entries;
    count -= 1;
  };
  return {
    record(entry, size) {
      while (count > 0 && (count >= bounds.entries || held + size > bounds.size)) drop();
      ring[(first + count) % bounds.entries] = { entry, size };
      count += 1;
      held += size;
    },
    entries: () =>
      Array.from({ length: count }, (_, index) => ring[(first + index) % bounds.entries]).flatMap((slot) =>
        slot ? [slot.entry] : [],
      ),
    clear() {
      while (count > 0) drop();
    },
  };
}
