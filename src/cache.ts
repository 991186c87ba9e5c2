/** Values by key. The least recently used one goes first when a bound is reached. */
export interface Cache<V> {
  get(key: string): V | undefined;
  /** Keeps a value; `bytes` is about how much memory it holds on to. A value beyond the bound is not kept. */
  set(key: string, value: V, bytes?: number): void;
  delete(key: string): void;
  clear(): void;
}

export interface CacheBounds {
  readonly entries: number;
  /** Of all values together; unbounded unless given. */
  readonly bytes?: number;
}

interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
}

/** The one cache of this program: least recently used, bounded by entries and bytes. `budget` counts its bytes too. */
export function createCache<V>(bounds: CacheBounds, budget?: Pick<Budget, 'spend'>): Cache<V> {
  const { entries: most, bytes: limit = Number.POSITIVE_INFINITY } = bounds;
  // A Map iterates in the order of insertion, so its first key is the least recently used one.
  const entries = new Map<string, Entry<V>>();
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
      remove(key);
      if (bytes > limit) return;
      entries.set(key, { value, bytes });
      newest = key;
      count(bytes);
      while (entries.size > most || held > limit) remove(entries.keys().next().value as string);
    },
    delete: remove,
    clear() {
      entries.clear();
      count(-held);
    },
  };
}

/** Memory that the caches and journals of many sessions share. */
export interface Budget {
  /** Marks a member as the most recently used one. */
  touch(member: Member): void;
  /** Counts bytes, negative ones for what was let go. Beyond the limit the least recently used members shed what they hold. */
  spend(bytes: number): void;
  /** Takes a member out that is no longer used. */
  leave(member: Member): void;
}

/** Holds memory that it can do without. */
export interface Member {
  shed(): void;
}

export function createBudget(limit: number): Budget {
  const members = new Set<Member>();
  let newest: Member | undefined;
  let held = 0;
  return {
    touch(member) {
      if (member === newest) return;
      members.delete(member);
      members.add(member);
      newest = member;
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
    leave(member) {
      members.delete(member);
      if (member === newest) newest = undefined;
    },
  };
}
