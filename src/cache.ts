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
  return new LeastRecentCache(bounds, budget);
}

/** A class, to save memory: each of ten thousand sessions has some. */
class LeastRecentCache<V> implements Cache<V> {
  readonly #bounds: CacheBounds;
  readonly #budget: Pick<Budget, 'spend'> | undefined;
  /** A Map iterates in the order of insertion, so its first key is the least recently used one. Made at the first use. */
  #entries: Map<string, CachedValue<V>> | undefined;
  #newest: string | undefined;
  #held = 0;

  constructor(bounds: CacheBounds, budget: Pick<Budget, 'spend'> | undefined) {
    this.#bounds = bounds;
    this.#budget = budget;
  }

  get(key: string): V | undefined {
    const entry = this.#entries?.get(key);
    if (entry && key !== this.#newest) {
      this.#entries?.delete(key);
      this.#entries?.set(key, entry);
      this.#newest = key;
    }
    return entry?.value;
  }

  set(key: string, value: V, bytes = 0): void {
    const { entries: most, bytes: limit = Number.POSITIVE_INFINITY } = this.#bounds;
    this.#entries ??= new Map();
    const entries = this.#entries;
    const known = key === this.#newest ? entries.get(key) : undefined;
    if (known && bytes <= limit) {
      // It stays in its place: deleting it from the Map and adding it again costs more than most answers.
      this.#count(bytes - known.bytes);
      known.value = value;
      known.bytes = bytes;
    } else {
      this.#remove(key);
      if (bytes > limit) return;
      entries.set(key, { value, bytes });
      this.#newest = key;
      this.#count(bytes);
    }
    while (entries.size > most || this.#held > limit) this.#remove(entries.keys().next().value as string);
  }

  clear(): void {
    this.#entries = undefined;
    this.#count(-this.#held);
  }

  #remove(key: string): void {
    const entry = this.#entries?.get(key);
    if (!entry) return;
    this.#entries?.delete(key);
    this.#count(-entry.bytes);
  }

  #count(bytes: number): void {
    this.#held += bytes;
    if (bytes !== 0) this.#budget?.spend(bytes);
  }
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
