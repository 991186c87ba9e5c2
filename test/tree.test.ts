import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTree, type Tree } from '../src/state/store/tree.ts';

interface Command {
  readonly kind: string;
  readonly at: number;
  readonly key: number;
}

/** A tree with the plain map that it should be. */
interface Pair {
  tree: Tree<number, string>;
  readonly owner: object;
  readonly map: Map<number, string>;
}

const commands = fc.array(
  fc.record<Command>({
    kind: fc.constantFrom('set', 'set', 'set', 'remove', 'fork'),
    at: fc.nat({ max: 3 }),
    key: fc.nat({ max: 400 }),
  }),
  { minLength: 50, maxLength: 1500, size: 'max' },
);

test('Trees that share their nodes are what plain maps would be, in order, after any changes', () => {
  fc.assert(
    fc.property(commands, (all) => {
      const first = {};
      const pairs: Pair[] = [{ tree: createTree<number, string>(first), owner: first, map: new Map() }];
      for (const [turn, command] of all.entries()) carryOut(pairs, command, `value ${turn}`);
      for (const pair of pairs) expectSame(pair);
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

test('A key between the last one and a removed one behind it is found', () => {
  const tree = createTree<number, number>({});
  for (let key = 0; key < 100; key++) tree.set(key, key);
  const shorter = tree.ownedBy({});
  shorter.remove(99);
  const changed = shorter.ownedBy({});
  changed.set(98.5, 1);
  changed.set(98.5, 2);
  expect([changed.get(98.5), changed.size]).toEqual([2, 100]);
});

function carryOut(pairs: Pair[], { kind, at, key }: Command, value: string): void {
  const pair = pairs[at % pairs.length] as Pair;
  const { tree, map } = pair;
  if (kind === 'fork') {
    // Both go on with owners of their own, as a store and its clone do.
    const [mine, other] = [{}, {}];
    pairs.splice(pairs.indexOf(pair), 1);
    pairs.push({ tree: tree.ownedBy(mine), owner: mine, map: new Map(map) });
    if (pairs.length < 4) pairs.push({ tree: tree.ownedBy(other), owner: other, map: new Map(map) });
  } else if (kind === 'set') {
    tree.set(key, value);
    map.set(key, value);
  } else if (map.delete(key)) tree.remove(key);
}

function expectSame({ tree, map }: Pair): void {
  const sorted = [...map].sort(([one], [other]) => one - other);
  const values = sorted.map(([, value]) => value);
  expect(tree.size).toBe(map.size);
  expect([...tree.values()]).toEqual(values);
  for (const [position, [key, value]] of sorted.entries()) {
    expect([tree.get(key), tree.at(position), tree.rank(key)]).toEqual([value, value, position]);
  }
  for (let start = 0; start < values.length; start += 37)
    expect(tree.slice(start, start + 20)).toEqual(values.slice(start, start + 20));
  expect(tree.get(-1)).toBeUndefined();
}
