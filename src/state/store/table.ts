import type { Entity } from './entity.ts';
import { sizeOfValue } from './entity-size.ts';
import type { Owner } from './nodes.ts';
import { COMPOSITE, type Term, type TreeKey, toTerm, toTerms, toTreeKey } from './terms.ts';
import { createTree, type Tree } from './tree.ts';

/** An entity with its key and its place in the order in which keys were first put. */
export interface Slot {
  /** The writer that created the slot. Others must not change it. */
  readonly owner: Owner;
  readonly key: TreeKey;
  readonly place: number;
  entity: Entity;
  /** About how much memory it takes; 0 where no client wrote it. */
  bytes: number;
}

/** Slots by place. */
export type Slots = Tree<number, Slot>;

/** The slots of the entities by the values of a property. */
type Index = Tree<Term, Slots>;

/** Entities by key, by place and by the values of some properties. Only its owner may change it. */
export class Table {
  readonly owner: Owner;
  /** The properties that have an index. */
  readonly indexed: readonly string[];
  readonly byKey: Tree<TreeKey, Slot>;
  readonly #byPlace: Slots;
  readonly #indexes: readonly Index[];
  #nextPlace: number;

  constructor(
    owner: Owner,
    indexed: readonly string[],
    byKey: Tree<TreeKey, Slot> = createTree(owner),
    byPlace: Slots = createTree(owner),
    indexes: readonly Index[] = indexed.map(() => createTree(owner)),
    nextPlace = 0,
  ) {
    this.owner = owner;
    this.indexed = indexed;
    this.byKey = byKey;
    this.#byPlace = byPlace;
    this.#indexes = indexes;
    this.#nextPlace = nextPlace;
  }

  /** This table for its owner; for any other a clone that shares its trees, in O(1). */
  ownedBy(owner: Owner): Table {
    if (owner === this.owner) return this;
    const [byKey, byPlace] = [this.byKey.ownedBy(owner), this.#byPlace.ownedBy(owner)];
    const indexes = this.#indexes.map((index) => index.ownedBy(owner));
    return new Table(owner, this.indexed, byKey, byPlace, indexes, this.#nextPlace);
  }

  /** The same entities with other indexes, for a new owner. */
  withIndexes(owner: Owner, indexed: readonly string[]): Table {
    const indexes = indexed.map((): Index => createTree(owner));
    for (const slot of this.slots.values())
      for (const [at, property] of indexed.entries())
        addTo(indexes[at] as Index, owner, toTerm(slot.entity[property]), slot);
    const [byKey, byPlace] = [this.byKey.ownedBy(owner), this.#byPlace.ownedBy(owner)];
    return new Table(owner, indexed, byKey, byPlace, indexes, this.#nextPlace);
  }

  /** All slots, by place. */
  get slots(): Slots {
    return this.#byPlace;
  }

  find(key: string): Slot | undefined {
    return this.byKey.get(toTreeKey(key));
  }

  /** Stores an entity. Its bytes count only where a client wrote it. */
  put(name: string, entity: Entity, isCounted = false): Slot {
    const key = toTreeKey(name);
    const known = this.byKey.get(key);
    const before = known?.entity;
    const slot = known?.owner === this.owner ? known : this.#addSlot(key, known?.place, entity, 0);
    slot.entity = entity;
    let added = 0;
    for (let at = 0; at < this.indexed.length; at++) added += this.#reindex(at, known, before, slot);
    slot.bytes = isCounted ? sizeOfEntry(key, entity) + added : 0;
    return slot;
  }

  /** Removes the slot of a key, which must exist. */
  remove(name: string): Slot {
    const slot = this.find(name) as Slot;
    this.byKey.remove(slot.key);
    this.#byPlace.remove(slot.place);
    for (const [at, index] of this.#indexes.entries())
      deleteFrom(index, this.owner, toTerm(slot.entity[this.indexed[at] as string]), slot.place);
    return slot;
  }

  /** Removes the slot of one key, and gives its place to that of another. Both must exist. Returns the removed one. */
  replace(name: string, other: string): Slot {
    const removed = this.remove(name);
    const { key, entity, bytes } = this.remove(other);
    const slot = this.#addSlot(key, removed.place, entity, bytes);
    for (let at = 0; at < this.indexed.length; at++) this.#reindex(at, undefined, undefined, slot);
    return removed;
  }

  hasIndex(property: string): boolean {
    return this.indexed.includes(property);
  }

  /** The slots of the entities whose `property` has a value, from its index; `undefined` where there are none. */
  slotsWith(property: string, value: unknown): Slots | undefined {
    return this.#indexes[this.indexed.indexOf(property)]?.get(toTerm(value));
  }

  /** The same by text. `'several'` where the index cannot decide: values of different types have the text, or some are lists or objects. */
  slotsWithText(property: string, text: string): Slots | 'several' | undefined {
    const index = this.#indexes[this.indexed.indexOf(property)];
    const terms = toTerms(text);
    if (!terms || index?.get(COMPOSITE)) return 'several';
    const [found, other] = terms.flatMap((term) => index?.get(term) ?? []);
    return other ? 'several' : found;
  }

  #addSlot(key: TreeKey, place: number | undefined, entity: Entity, bytes: number): Slot {
    const slot = { owner: this.owner, key, place: place ?? this.#nextPlace++, entity, bytes };
    this.byKey.set(key, slot);
    this.#byPlace.set(slot.place, slot);
    return slot;
  }

  /** Returns how many bytes the index took for it. */
  #reindex(at: number, known: Slot | undefined, before: Entity | undefined, slot: Slot): number {
    const property = this.indexed[at] as string;
    const index = this.#indexes[at] as Index;
    const is = toTerm(slot.entity[property]);
    const was = before && toTerm(before[property]);
    if (known && was !== is) deleteFrom(index, this.owner, was, slot.place);
    return known !== slot || was !== is ? addTo(index, this.owner, is, slot) : PLACE_BYTES;
  }
}

/** A slot, with its places in two trees. */
const SLOT_BYTES = 120;
/** The place of a slot in an index, and a tree of its own for a value that no other entity has. */
const PLACE_BYTES = 30;
const TERM_BYTES = 500;

function sizeOfEntry(key: TreeKey, entity: Entity): number {
  return SLOT_BYTES + sizeOfValue(key) + sizeOfValue(entity);
}

/** Returns how many bytes that took. */
function addTo(index: Index, owner: Owner, term: Term, slot: Slot): number {
  const known = index.get(term);
  const slots = known ? known.ownedBy(owner) : createTree<number, Slot>(owner);
  slots.set(slot.place, slot);
  if (slots !== known) index.set(term, slots);
  return known ? PLACE_BYTES : TERM_BYTES;
}

function deleteFrom(index: Index, owner: Owner, term: Term, place: number): void {
  const known = index.get(term) as Slots;
  const slots = known.ownedBy(owner);
  slots.remove(place);
  if (slots.size === 0) index.remove(term);
  else if (slots !== known) index.set(term, slots);
}
