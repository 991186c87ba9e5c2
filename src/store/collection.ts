import { type Entity, toFrozenCopy } from './entity.ts';
import { type Placed, Row } from './row.ts';

/** Entities in the order in which their keys were first put. A part of them costs what it holds. */
export interface Entities {
  readonly length: number;
  values(): IterableIterator<Entity>;
  /** Those from one position up to another, or to the end. */
  slice(start: number, end?: number): readonly Entity[];
  /** The position of the entity with a key, at once; -1 where it is not among them. */
  positionOf?(key: string): number;
}

/** The entities of one resource in one session and scope. Finding, storing and deleting cost the same however many there are. */
export interface Collection {
  readonly size: number;
  get(key: string): Entity | undefined;
  /** Whether an entity has the key, or had it before it was deleted; long texts are not remembered, none is made twice. */
  knows(key: string): boolean;
  /** Every entity, in order. */
  values(): IterableIterator<Entity>;
  /** The same, to be cut. */
  all(): Entities;
  /**
   * The entities whose `property`, written as text, is `text`, at once. `undefined` where the property is not indexed, or has
   * values that no index tells apart: lists and objects.
   */
  having(property: string, text: string): Entities | undefined;
  /** The entities whose `property` has `value`; at once if the property is indexed. */
  where(property: string, value: unknown): Entity[];
  /** How many they are. */
  count(property: string, value: unknown): number;
  /** Stores a frozen copy of `entity`, and returns it. */
  put(key: string, entity: Entity): Entity;
  delete(key: string): boolean;
  /** The integer key for the next new entity. Putting it counts on, and no key comes twice, not even after a delete. */
  nextKey(): number;
  /** A number that was given to nobody before, for keys that are no numbers. */
  serial(): number;
}

/** A key so far from the first does not move the counter: what it gives stays well inside int32 whatever keys come from outside. */
const FARTHEST_COUNTED_KEY = 2 ** 30;
const COUNTED_KEY = /^[1-9]\d{0,15}$/;

/** Gives out integer keys. */
export interface Counter {
  readonly firstKey: number;
  nextKey: number;
  /** Texts that were keys once. */
  readonly retired: Set<string>;
}

/** Counts the changes of a session. */
export interface Changes {
  count: number;
}

/** Two texts of this length or more that chance makes are never the same. */
const UNREPEATED_LENGTH = 24;

/** Where an entity is kept, as long as its key is. */
interface Slot extends Placed {
  readonly key: string;
  entity: Entity;
}

/** Lists and objects, which are equal to nothing, share one entry of an index. */
const COMPOSITE = Symbol('composite');

/** A collection over a map. Collections that share a counter never give the same key. */
export class MapCollection implements Collection {
  readonly #counter: Counter;
  readonly #changes: Changes;
  readonly #slots = new Map<string, Slot>();
  #row = new Row<Slot>();
  #place = 0;
  /** property → value → slots */
  readonly #indexes: ReadonlyMap<string, Map<unknown, Row<Slot>>>;

  constructor(indexed: readonly string[], counter: Counter, changes: Changes) {
    this.#counter = counter;
    this.#changes = changes;
    this.#indexes = new Map(indexed.map((property) => [property, new Map()]));
  }

  get size(): number {
    return this.#slots.size;
  }

  get(key: string): Entity | undefined {
    return this.#slots.get(key)?.entity;
  }

  entries(): [string, Entity][] {
    return Array.from(this.#row.values(), ({ key, entity }) => [key, entity]);
  }

  values(): IterableIterator<Entity> {
    return toEntities(this.#row, this.#slots).values();
  }

  all(): Entities {
    return toEntities(this.#row, this.#slots);
  }

  having(property: string, text: string): Entities | undefined {
    const index = this.#indexes.get(property);
    if (!index || index.has(COMPOSITE)) return undefined;
    const [found, other] = [text, ...toOthers(text)].flatMap((value) => index.get(value) ?? []);
    return other ? undefined : toEntities(found ?? new Row(), this.#slots);
  }

  where(property: string, value: unknown): Entity[] {
    const index = this.#indexes.get(property);
    const found = index ? index.get(toTerm(value)) : this.#row;
    return Array.from(found?.values() ?? [], ({ entity }) => entity).filter(
      (entity) => entity[property] === value,
    );
  }

  count(property: string, value: unknown): number {
    const index = this.#indexes.get(property);
    const atOnce = index && toTerm(value) !== COMPOSITE;
    return atOnce ? (index.get(value)?.size ?? 0) : this.where(property, value).length;
  }

  put(key: string, entity: Entity): Entity {
    this.#changes.count += 1;
    const stored = toFrozenCopy(entity);
    const known = this.#slots.get(key);
    if (known) {
      this.#reindex(known, stored);
      known.entity = stored;
    } else {
      const slot = { place: this.#place++, key, entity: stored };
      this.#slots.set(key, slot);
      this.#row.add(slot);
      for (const [property, index] of this.#indexes) addTo(index, stored[property], slot);
    }
    if (COUNTED_KEY.test(key)) this.#count(Number(key));
    return stored;
  }

  knows(key: string): boolean {
    return this.#slots.has(key) || this.#counter.retired.has(key);
  }

  delete(key: string): boolean {
    const slot = this.#slots.get(key);
    if (!slot) return false;
    this.#changes.count += 1;
    for (const [property, index] of this.#indexes) deleteFrom(index, slot.entity[property], slot);
    this.#row.delete(slot);
    const counted = /^-?\d+$/.test(key) || key.length >= UNREPEATED_LENGTH;
    if (!counted) this.#counter.retired.add(key);
    return this.#slots.delete(key);
  }

  clear(): void {
    this.#changes.count += 1;
    this.#slots.clear();
    this.#row = new Row();
    for (const index of this.#indexes.values()) index.clear();
  }

  nextKey(): number {
    // Between them the counter is past every key that is there.
    if (this.#counter.nextKey < 1 || this.#counter.nextKey > this.#farthest())
      while (this.#slots.has(String(this.#counter.nextKey))) this.#counter.nextKey += 1;
    return this.#counter.nextKey;
  }

  serial(): number {
    const serial = this.#counter.nextKey;
    this.#counter.nextKey += 1;
    return serial;
  }

  #count(key: number): void {
    const { nextKey } = this.#counter;
    if (key === nextKey || (key > nextKey && key <= this.#farthest())) this.#counter.nextKey = key + 1;
  }

  #farthest(): number {
    return this.#counter.firstKey - 1 + FARTHEST_COUNTED_KEY;
  }

  #reindex(slot: Slot, next: Entity): void {
    for (const [property, index] of this.#indexes) {
      const [before, after] = [slot.entity[property], next[property]];
      if (before === after) continue;
      deleteFrom(index, before, slot);
      addTo(index, after, slot);
    }
  }
}

function toEntities(row: Row<Slot>, slots: ReadonlyMap<string, Slot>): Entities {
  return {
    length: row.size,
    *values() {
      for (const { entity } of row.values()) yield entity;
    },
    slice: (start, end) => row.slice(start, end).map(({ entity }) => entity),
    positionOf(key) {
      const slot = slots.get(key);
      return slot ? row.indexOf(slot) : -1;
    },
  };
}

function toTerm(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? COMPOSITE : value;
}

/** Every value but a text that is written as `text`. */
function toOthers(text: string): unknown[] {
  const values = [Number(text), true, false, ...(BIG_INTEGER.test(text) ? [BigInt(text)] : [])];
  return values.filter((value) => String(value) === text);
}

/** An integer that may be beyond 2^53-1, and within the range of a double. */
const BIG_INTEGER = /^-?\d{16,309}$/;

function addTo(index: Map<unknown, Row<Slot>>, value: unknown, slot: Slot): void {
  const term = toTerm(value);
  const row = index.get(term) ?? new Row();
  index.set(term, row);
  row.add(slot);
}

function deleteFrom(index: Map<unknown, Row<Slot>>, value: unknown, slot: Slot): void {
  const term = toTerm(value);
  const row = index.get(term);
  row?.delete(slot);
  if (row?.size === 0) index.delete(term);
}
