import { LIMITS } from '../../base/limits.ts';
import type { Entity } from './entity.ts';
import type { Owner } from './nodes.ts';
import { Table } from './table.ts';
import type { TreeKey } from './terms.ts';

/** A key farther than this from the first does not move the counter, so that no client can push it past int32. */
const FARTHEST_COUNTED_KEY = 2 ** 30;

/** Generated texts of this length or more never repeat. */
const UNREPEATED_LENGTH = 24;

/** The entity under every retired key. */
const RETIRED: Entity = Object.freeze({});

/** Gives out integer keys and remembers deleted text keys. The collections of a resource share one. */
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

  /** Moves past a key that was put. */
  count(key: TreeKey): void {
    if (typeof key !== 'number' || key < 1) return;
    const { nextKey } = this;
    if (key === nextKey || (key > nextKey && key <= farthestFrom(this.firstKey))) this.nextKey = key + 1;
  }

  /** The next key that is not taken. */
  next(isTaken: (key: number) => boolean): number {
    // Up to the farthest counted key, the counter is already past every key in use.
    if (this.nextKey > farthestFrom(this.firstKey)) while (isTaken(this.nextKey)) this.nextKey += 1;
    return this.nextKey;
  }

  serial(): number {
    const serial = this.nextKey;
    this.nextKey += 1;
    return serial;
  }

  /** Remembers a deleted key, unless it is an integer, which the counter never repeats, or a long text. */
  retire(key: TreeKey, owner: Owner): void {
    if (typeof key === 'number' || key.length >= UNREPEATED_LENGTH || /^-?\d+$/.test(key)) return;
    this.#retired = this.#retired.ownedBy(owner);
    // A key that is deleted again becomes the newest.
    if (this.knows(key)) this.#retired.remove(key);
    this.#retired.put(key, RETIRED);
    const { slots } = this.#retired;
    const oldest = slots.size > LIMITS.retiredKeys.value ? slots.at(0) : undefined;
    if (oldest) this.#retired.remove(String(oldest.key));
  }

  knows(key: string): boolean {
    return this.#retired.find(key) !== undefined;
  }
}

/** The table of retired keys, oldest first. */
export function toRetired(owner: Owner, keys: Iterable<string>): Table {
  const retired = new Table(owner, []);
  for (const key of [...keys].slice(-LIMITS.retiredKeys.value)) retired.put(key, RETIRED);
  return retired;
}

/** The lowest integer key past every key of a table that moves the counter. */
export function nextAfter({ byKey }: Table, firstKey: number): number {
  // Integers come before texts.
  const below = byKey.rank(farthestFrom(firstKey) + 1);
  const key = below > 0 ? byKey.at(below - 1)?.key : undefined;
  return typeof key === 'number' ? key + 1 : 1;
}

function farthestFrom(firstKey: number): number {
  return firstKey - 1 + FARTHEST_COUNTED_KEY;
}
