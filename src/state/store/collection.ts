import type { Counter } from './counter.ts';
import { type Entity, toFrozenCopy } from './entity.ts';
import type { Slot, Slots, Table } from './table.ts';
import { COMPOSITE, toTerm } from './terms.ts';

/** Entities in the order in which their keys were first put. A slice costs time in proportion to its own length. */
export interface Entities {
  readonly length: number;
  values(): IterableIterator<Entity>;
  /** The entities from one position up to another, or to the end. */
  slice(start: number, end?: number): readonly Entity[];
  /** The position of the entity with a key, from the index; -1 where there is none. */
  positionOf?(key: string): number;
}

/** The entities of one resource in one session and scope. Finding, storing and deleting take logarithmic time. */
export interface Collection {
  readonly size: number;
  get(key: string): Entity | undefined;
  /**
   * Whether an entity has the key, or had it before it was deleted. The last 10,000 deleted texts are remembered, except long ones,
   * which chance does not repeat.
   */
  knows(key: string): boolean;
  /** Every entity, in order. */
  values(): IterableIterator<Entity>;
  /** Every entity, for slices. */
  all(): Entities;
  /**
   * The entities whose `property`, written as text, is `text`, from the index. `undefined` where the property is not indexed, or has
   * values that an index cannot tell apart: lists and objects.
   */
  having(property: string, text: string): Entities | undefined;
  /** The entities whose `property` has `value`, from the index if there is one. */
  where(property: string, value: unknown): Entity[];
  /** How many entities `where` would return. */
  count(property: string, value: unknown): number;
  /** Stores a frozen copy of `entity`, and returns it. */
  put(key: string, entity: Entity): Entity;
  delete(key: string): boolean;
  /** Deletes the entity of one key, and gives its place in the order to that of another. Both must exist. */
  replace(key: string, other: string): void;
  /** The integer key for the next new entity. Putting it moves the counter, so that no key repeats, not even after a delete. */
  nextKey(): number;
  /** A number that was not returned before, from which keys other than numbers are made. */
  serial(): number;
}

/** The tables of a resource's collections. */
export interface TableSource {
  readonly counter: Counter;
  /** The entities that a scope shows. */
  read(scope: string): Table;
  /** The table of a scope, for one change. */
  change(scope: string): Table;
  /** Notes a change of something other than entities. */
  touch(): void;
  /** Notes that the entity of a key was deleted. */
  noteRemoval(scope: string, key: string): void;
  /** Notes how many bytes a client wrote. */
  noteWritten(bytes: number): void;
}

/** The collection of one scope, which reads its current table on every call. */
export class ScopeCollection implements Collection {
  readonly #source: TableSource;
  readonly #scope: string;

  constructor(source: TableSource, scope: string) {
    this.#source = source;
    this.#scope = scope;
  }

  get size(): number {
    return this.#table.slots.size;
  }

  get(key: string): Entity | undefined {
    return this.#table.find(key)?.entity;
  }

  knows(key: string): boolean {
    return this.#table.find(key) !== undefined || this.#source.counter.knows(key);
  }

  values(): IterableIterator<Entity> {
    return toValues(this.#table.slots);
  }

  all(): Entities {
    const table = this.#table;
    return toEntities(table, table.slots);
  }

  having(property: string, text: string): Entities | undefined {
    const table = this.#table;
    const slots = table.hasIndex(property) ? table.slotsWithText(property, text) : 'several';
    if (slots === 'several') return undefined;
    return slots ? toEntities(table, slots) : NO_ENTITIES;
  }

  where(property: string, value: unknown): Entity[] {
    const table = this.#table;
    const slots = table.hasIndex(property) ? table.slotsWith(property, value) : table.slots;
    const found: Entity[] = [];
    for (const entity of slots ? toValues(slots) : []) if (entity[property] === value) found.push(entity);
    return found;
  }

  count(property: string, value: unknown): number {
    const table = this.#table;
    const isIndexed = table.hasIndex(property) && toTerm(value) !== COMPOSITE;
    return isIndexed ? (table.slotsWith(property, value)?.size ?? 0) : this.where(property, value).length;
  }

  put(key: string, entity: Entity): Entity {
    const stored = toFrozenCopy(entity);
    const slot = this.#source.change(this.#scope).put(key, stored, true);
    this.#source.noteWritten(slot.bytes);
    this.#source.counter.count(slot.key);
    return stored;
  }

  delete(key: string): boolean {
    if (!this.#table.find(key)) return false;
    const table = this.#source.change(this.#scope);
    this.#source.counter.retire(table.remove(key).key, table.owner);
    this.#source.noteRemoval(this.#scope, key);
    return true;
  }

  replace(key: string, other: string): void {
    const table = this.#source.change(this.#scope);
    this.#source.counter.retire(table.replace(key, other).key, table.owner);
  }

  nextKey(): number {
    const table = this.#table;
    return this.#source.counter.next((key) => table.byKey.get(key) !== undefined);
  }

  serial(): number {
    this.#source.touch();
    return this.#source.counter.serial();
  }

  get #table(): Table {
    return this.#source.read(this.#scope);
  }
}

const NO_ENTITIES: Entities = { length: 0, values: () => [].values(), slice: () => [], positionOf: () => -1 };

/** Some slots of a table as entities. */
function toEntities(table: Table, slots: Slots): Entities {
  return {
    length: slots.size,
    values: () => toValues(slots),
    slice: (start, end) => slots.slice(start, end).map(toEntity),
    positionOf(key) {
      const place = table.find(key)?.place;
      return place !== undefined && slots.get(place) ? slots.rank(place) : -1;
    },
  };
}

function toEntity({ entity }: Slot): Entity {
  return entity;
}

function* toValues(slots: Slots): Generator<Entity, undefined> {
  for (const part of slots.parts()) for (const { entity } of part) yield entity;
}
