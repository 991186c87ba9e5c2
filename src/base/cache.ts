import type { Ledger } from './budget.ts';

/**
 * Values by key. Drops the oldest one when a bound is reached, unless it was used since its turn came last: then it counts as new, once
 * (the algorithm "second chance").
 */
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
  /** Whether it was used since it was last the oldest one. */
  used: boolean;
}

/** The one cache of this program, bounded by entries and bytes. `ledger` counts its bytes too. */
export function createCache<V>(bounds: CacheBounds, ledger?: Pick<Ledger, 'spend'>): Cache<V> {
  return new SecondChanceCache(bounds, ledger);
}

/** A class, to save memory: each of ten thousand sessions has some. */
class SecondChanceCache<V> implements Cache<V> {
  readonly #bounds: CacheBounds;
  readonly #ledger: Pick<Ledger, 'spend'> | undefined;
  /** A Map iterates in the order of insertion, so its first key is the oldest one. Made at the first use. */
  #entries: Map<string, CachedValue<V>> | undefined;
  #held = 0;

  constructor(bounds: CacheBounds, ledger: Pick<Ledger, 'spend'> | undefined) {
    this.#bounds = bounds;
    this.#ledger = ledger;
  }

  get(key: string): V | undefined {
    const entry = this.#entries?.get(key);
    if (!entry) return undefined;
    // Marked instead of moved: deleting it from the Map and adding it again costs more than most answers.
    entry.used = true;
    return entry.value;
  }

  set(key: string, value: V, bytes = 0): void {
    const { entries: most, bytes: limit = Number.POSITIVE_INFINITY } = this.#bounds;
    const known = this.#entries?.get(key);
    if (known && this.#held - known.bytes + bytes <= limit) {
      this.#renew(known, value, bytes);
      return;
    }
    if (known) this.#remove(key, known);
    if (bytes > limit || most === 0) return;
    this.#makeRoom(most - 1, limit - bytes);
    this.#entries ??= new Map();
    this.#entries.set(key, { value, bytes, used: false });
    this.#count(bytes);
  }

  clear(): void {
    this.#entries = undefined;
    this.#count(-this.#held);
  }

  #renew(entry: CachedValue<V>, value: V, bytes: number): void {
    const grown = bytes - entry.bytes;
    entry.value = value;
    entry.bytes = bytes;
    entry.used = true;
    this.#count(grown);
  }

  /** Drops values until so many entries and bytes are left. Reads the entries anew at each turn, because the ledger may clear them. */
  #makeRoom(most: number, limit: number): void {
    for (;;) {
      const entries = this.#entries;
      if (!entries || (entries.size <= most && this.#held <= limit)) return;
      const [key, entry] = entries.entries().next().value as [string, CachedValue<V>];
      if (entry.used) {
        entry.used = false;
        entries.delete(key);
        entries.set(key, entry);
      } else this.#remove(key, entry);
    }
  }

  #remove(key: string, entry: CachedValue<V>): void {
    this.#entries?.delete(key);
    this.#count(-entry.bytes);
  }

  #count(bytes: number): void {
    this.#held += bytes;
    if (bytes !== 0) this.#ledger?.spend(bytes);
  }
}
