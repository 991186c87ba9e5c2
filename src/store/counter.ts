import type { Entity } from './entity.ts';
import type { Owner } from './nodes.ts';
import { Table } from './table.ts';
import type { Key } from './terms.ts';

/** A key so far from the first does not move the counter: what it gives stays well inside int32 whatever keys come from outside. */
const FARTHEST_COUNTED_KEY = 2 ** 30;

/** Two texts of this length or more that chance makes are never the same. */
const UNREPEATED_LENGTH = 24;

/** How many deleted keys are remembered; the oldest are forgotten first. */
export const MOST_RETIRED = 10_000;

const NOTHING: Entity = Object.freeze({});

/** Gives out integer keys, and remembers texts that were keys once. The collections of a resource share one. */
export class Counter {
  readonly firstKey: number;
  nextKey: number;
  #retired: Table;

  constructor(firstKey: number, nextKey: number, retired: Table) {
    this.firstKey = firstKey;
    this.nextKey = nextKey;
    this.#retired = retired;
  }

  get retired(): Table {
    return this.#retired;
  }

  /** Counts on past a key that was put. */
  count(key: Key): void {
    if (typeof key !== 'number' || key < 1) return;
    const { nextKey } = this;
    if (key === nextKey || (key > nextKey && key <= farthestFrom(this.firstKey))) this.nextKey = key + 1;
  }

  /** The next key, past those that `isTaken` knows. */
  next(isTaken: (key: number) => boolean): number {
    // Up to the farthest the counter is past every key that is there.
    if (this.nextKey > farthestFrom(this.firstKey)) while (isTaken(this.nextKey)) this.nextKey += 1;
    return this.nextKey;
  }

  serial(): number {
    const serial = this.nextKey;
    this.nextKey += 1;
    return serial;
  }

  /** Remembers a key that was deleted. Integers are counted, and long texts never come twice. */
  retire(key: Key, owner: Owner): void {
    if (typeof key === 'number' || key.length >= UNREPEATED_LENGTH || /^-?\d+$/.test(key)) return;
    this.#retired = this.#retired.ownedBy(owner);
    // A key that is deleted again counts as the newest.
    if (this.knows(key)) this.#retired.remove(key);
    this.#retired.put(key, NOTHING);
    const { slots } = this.#retired;
    const oldest = slots.size > MOST_RETIRED ? slots.at(0) : undefined;
    if (oldest) this.#retired.remove(String(oldest.key));
  }

  knows(key: string): boolean {
    return this.#retired.find(key) !== undefined;
  }
}

/** Retired keys, oldest first. */
export function toRetired(owner: Owner, keys: Iterable<string>): Table {
  const retired = new Table(owner, []);
  for (const key of [...keys].slice(-MOST_RETIRED)) retired.put(key, NOTHING);
  return retired;
}

/** The lowest integer key that is past those of a table which move a counter. */
export function nextAfter({ byKey }: Table, firstKey: number): number {
  // Integers come before texts.
  const below = byKey.rank(farthestFrom(firstKey) + 1);
  const key = below > 0 ? byKey.at(below - 1)?.key : undefined;
  return typeof key === 'number' ? key + 1 : 1;
}

function farthestFrom(firstKey: number): number {
  return firstKey - 1 + FARTHEST_COUNTED_KEY;
}
