import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDoorkeeper } from '../src/base/doorkeeper.ts';

describe('A doorkeeper', () => {
  test('knows any key that comes twice in a row, and hardly one that comes first', () => {
    const doorkeeper = createDoorkeeper();
    const keys = new Set<string>();
    let mistaken = 0;
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (key) => {
        if (!keys.has(key) && doorkeeper.knows(key)) mistaken += 1;
        keys.add(key);
        doorkeeper.knows(key);
        expect(doorkeeper.knows(key)).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(mistaken).toBeLessThan(10);
  });

  test('remembers some of the latest keys, and forgets those before thousands of others', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `/pets?offset=${index}`);
    const isKnown = (key: string) => {
      const doorkeeper = createDoorkeeper();
      for (const each of keys) doorkeeper.knows(each);
      return doorkeeper.knows(key);
    };
    const count = (some: readonly string[]) => some.filter(isKnown).length;
    expect(count(keys.slice(-20))).toBeGreaterThan(15);
    expect(count(keys.slice(0, 100))).toBeLessThan(5);
  });
});
