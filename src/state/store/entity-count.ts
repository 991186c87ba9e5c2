import { BranchNode, type TreeNode } from './nodes.ts';
import { type CollectionSnapshot, tablesOf } from './snapshot.ts';
import type { Slot, Table } from './table.ts';
import type { Term } from './terms.ts';

const NODE_BYTES = 64;
const PLACE_BYTES = 16;

type Node = TreeNode<Term, Slot>;

/** Counts the bytes of what clients wrote, each entity and each node once, however many stores and snapshots share it. */
export class EntityCount {
  #bytes = 0;
  readonly #nodes = new Set<Node>();
  readonly #slots = new Set<Slot>();
  /** The collections of the fixtures that were seen. */
  readonly #given = new Set<CollectionSnapshot>();

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a collection. */
  add(collection: CollectionSnapshot): void {
    for (const table of tablesOf(collection.parts)) this.addTable(table);
  }

  /** Adds a table. Its trees by place and by property have about as many nodes as the one by key. */
  addTable({ byKey, indexed }: Table): void {
    this.#walk(byKey.root as Node, 2 + indexed.length);
  }

  /** Leaves out everything that others share with a collection. */
  leaveOut(collection: CollectionSnapshot): void {
    if (this.#given.has(collection)) return;
    this.#given.add(collection);
    const before = this.#bytes;
    this.add(collection);
    this.#bytes = before;
  }

  /** Adds a slot with its places; only the places of a slot that is known or that the user gave. */
  #add(slot: Slot, trees: number): void {
    if (slot.bytes === 0 || this.#slots.has(slot)) {
      this.#bytes += trees * PLACE_BYTES;
      return;
    }
    this.#slots.add(slot);
    this.#bytes += slot.bytes;
  }

  #walk(node: Node, trees: number): void {
    if (this.#nodes.has(node)) return;
    this.#nodes.add(node);
    this.#bytes += trees * NODE_BYTES;
    if (node instanceof BranchNode) for (const child of node.children) this.#walk(child, trees);
    else for (const slot of node.values) this.#add(slot, trees);
  }
}
