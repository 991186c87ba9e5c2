/** Values by key. Drops the least recently used one when a bound is reached. */
export interface Cache<V> {
  get(key: string): V | undefined;
  /** Stores a value, unless it is larger than the bound. `bytes` estimates the memory that it takes. */
  set(key: string, value: V, bytes?: number): void;
  clear(): void;
}

interface CacheBounds {
  readonly entries: number;
  /** Of all values together; unbounded unless given. */
  readonly bytes?: number;
}

interface CachedValue<V> {
  value: V;
  bytes: number;
}

/** The one cache of this program: least recently used, bounded by entries and bytes. `budget` counts its bytes too. */
export function createCache<V>(bounds: CacheBounds, budget?: Pick<Budget, 'spend'>): Cache<V> {
  const { entries: most, bytes: limit = Number.POSITIVE_INFINITY } = bounds;
  // A Map iterates in the order of insertion, so its first key is the least recently used one.
  const entries = new Map<string, CachedValue<V>>();
  let newest: string | undefined;
  let held = 0;
  const count = (bytes: number) => {
    held += bytes;
    if (bytes !== 0) budget?.spend(bytes);
  };
  const remove = (key: string) => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    count(-entry.bytes);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry && key !== newest) {
        entries.delete(key);
        entries.set(key, entry);
        newest = key;
      }
      return entry?.value;
    },
    set(key, value, bytes = 0) {
      const known = key === newest ? entries.get(key) : undefined;
      if (known && bytes <= limit) {
        // It stays in its place: deleting it from the Map and adding it again costs more than most answers.
        count(bytes - known.bytes);
        known.value = value;
        known.bytes = bytes;
      } else {
        remove(key);
        if (bytes > limit) return;
        entries.set(key, { value, bytes });
        newest = key;
        count(bytes);
      }
      while (entries.size > most || held > limit) remove(entries.keys().next().value as string);
    },
    clear() {
      entries.clear();
      count(-held);
    },
  };
}

/** Memory that the caches and journals of many sessions share. */
export interface Budget {
  /** Marks a member as the most recently used one. */
  touch(member: BudgetMember): void;
  /** Leaves a member out from now on. */
  forget(member: BudgetMember): void;
  /** Counts bytes; negative ones are released. Beyond the limit, the least recently used members shed theirs. */
  spend(bytes: number): void;
}

/** Holds memory that it can shed. */
export interface BudgetMember {
  shed(): void;
}

export function createBudget(limit: number): Budget {
  const members = new Set<BudgetMember>();
  let newest: BudgetMember | undefined;
  let held = 0;
  return {
    touch(member) {
      if (member === newest) return;
      members.delete(member);
      members.add(member);
      newest = member;
    },
    forget(member) {
      members.delete(member);
      if (member === newest) newest = undefined;
    },
    spend(bytes) {
      held += bytes;
      if (bytes <= 0) return;
      for (const member of members) {
        if (held <= limit) return;
        members.delete(member);
        if (member === newest) newest = undefined;
        member.shed();
      }
    },
  };
}
