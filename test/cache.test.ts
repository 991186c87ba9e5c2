import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cache, createCache } from '../src/base/cache.ts';

/** A ledger that shows what a cache says it holds. */
function createTally() {
  return {
    held: 0,
    spend(bytes: number) {
      this.held += bytes;
    },
  };
}

/** A cache of three entries and 100 bytes in plain lists, the oldest entry first. */
function createModel() {
  let entries: { key: string; value: number; bytes: number; used: boolean }[] = [];
  const held = () => entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const find = (key: string) => entries.find((entry) => entry.key === key);
  return {
    held,
    get(key: string): number | undefined {
      const known = find(key);
      if (known) known.used = true;
      return known?.value;
    },
    set(key: string, value: number, bytes: number): void {
      const known = find(key);
      if (known && held() - known.bytes + bytes <= 100) {
        Object.assign(known, { value, bytes, used: true });
        return;
      }
      entries = entries.filter((entry) => entry !== known);
      if (bytes > 100) return;
      while (entries.length >= 3 || held() + bytes > 100) {
        const [oldest, ...others] = entries;
        entries = oldest?.used ? [...others, { ...oldest, used: false }] : others;
      }
      entries.push({ key, value, bytes, used: false });
    },
    clear(): void {
      entries = [];
    },
  };
}

describe('A cache', () => {
  test('drops the oldest value beyond its entries that was not used since', () => {
    const cache = createCache<number>({ entries: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
  });

  test('drops the oldest values beyond its bytes', () => {
    const cache = createCache<number>({ entries: 10, bytes: 100 });
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 40);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 1, 1]);
  });

  test('keeps the values that are used, whatever else comes once', () => {
    const cache = createCache<number>({ entries: 4 });
    cache.set('a', 1);
    cache.set('b', 2);
    for (let turn = 0; turn < 20; turn++) {
      cache.set(`once ${turn}`, turn);
      expect(['a', 'b'].map((key) => cache.get(key))).toEqual([1, 2]);
    }
  });

  test('takes a new value where all others were used', () => {
    const cache = createCache<number>({ entries: 2 });
    cache.set('a', 1);
    cache.set('b', 2);
    for (const key of ['a', 'b']) cache.get(key);
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 2, 3]);
  });

  test('does not store a value that is larger than its bytes, and forgets the one before', () => {
    const cache = createCache<number>({ entries: 10, bytes: 100 });
    cache.set('a', 1, 10);
    cache.set('a', 2, 101);
    expect(cache.get('a')).toBeUndefined();
  });

  test('stores a value again after it was cleared', () => {
    const cache = createCache<number>({ entries: 1 });
    cache.set('a', 1, 10);
    cache.clear();
    cache.set('a', 2, 10);
    expect(cache.get('a')).toBe(2);
  });

  test('ends when its ledger empties it at every byte, as a budget could', () => {
    const cache = createCache<number>(
      { entries: 2, bytes: 100 },
      { spend: (bytes) => (bytes > 0 ? cache.clear() : undefined) },
    );
    for (let turn = 0; turn < 10; turn++) cache.set(`key ${turn}`, turn, 60);
    expect(cache.get('key 9')).toBeUndefined();
  });

  test('holds what a plain model holds, and says so to its ledger', () => {
    const command = fc.record({
      kind: fc.constantFrom('set', 'set', 'get', 'clear'),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      value: fc.nat(),
      bytes: fc.integer({ min: 0, max: 110 }),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const tally = createTally();
        const cache = createCache<number>({ entries: 3, bytes: 100 }, tally);
        const model = createModel();
        for (const each of commands) {
          expect(carryOut(cache, each)).toBe(carryOut(model, each));
          expect(tally.held).toBe(model.held());
        }
      }),
      { numRuns: 500 },
    );
  });
});

interface Command {
  readonly kind: string;
  readonly key: string;
  readonly value: number;
  readonly bytes: number;
}

function carryOut(cache: Cache<number>, { kind, key, value, bytes }: Command): number | undefined {
  if (kind === 'get') return cache.get(key);
  if (kind === 'set') cache.set(key, value, bytes);
  else cache.clear();
  return undefined;
}
