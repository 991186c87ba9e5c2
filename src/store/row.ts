/** A thing at its place among others. */
export interface Placed {
  readonly place: number;
}

/** As many as one block holds before it is cut in two: few enough to move them all, many enough to leave few blocks. */
const BLOCK = 1024;

/**
 * Things in the order of their places. Adding and removing one, and cutting a page out, cost about the same however many there
 * are: they lie in blocks, of which one is touched.
 */
export class Row<T extends Placed> {
  #blocks: T[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: T): void {
    this.#size += 1;
    const last = this.#blocks.at(-1);
    if (!last || item.place > (last.at(-1)?.place ?? 0)) {
      // What is new comes last.
      if (last && last.length < BLOCK) last.push(item);
      // An empty list makes room for many at its first push; most rows of an index never have another.
      else if (!last) this.#blocks = [[item]];
      else this.#blocks.push([item]);
      return;
    }
    const at = this.#blockOf(item.place);
    const block = this.#blocks[at] ?? last;
    block.splice(findPlace(block, item.place), 0, item);
    if (block.length > BLOCK) this.#blocks.splice(at, 1, block.slice(0, BLOCK / 2), block.slice(BLOCK / 2));
  }

  delete(item: T): void {
    const at = this.#blockOf(item.place);
    const block = this.#blocks[at];
    const index = block ? findPlace(block, item.place) : -1;
    if (block?.[index] !== item) return;
    this.#size -= 1;
    block.splice(index, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
  }

  slice(start: number, end: number = this.#size): T[] {
    const found: T[] = [];
    let first = 0;
    for (const block of this.#blocks) {
      if (first >= end) break;
      const next = first + block.length;
      if (next > start) found.push(...block.slice(Math.max(0, start - first), end - first));
      first = next;
    }
    return found;
  }

  /** The position of a thing; -1 where it is not. */
  indexOf(item: T): number {
    const at = this.#blockOf(item.place);
    const block = this.#blocks[at];
    const index = block ? findPlace(block, item.place) : -1;
    if (block?.[index] !== item) return -1;
    return this.#blocks.slice(0, at).reduce((sum, { length }) => sum + length, index);
  }

  *values(): Generator<T> {
    for (const block of this.#blocks) yield* block;
  }

  /** The first block that ends at a place or after it; one too many where all end before. */
  #blockOf(place: number): number {
    return search(this.#blocks.length, (index) => (this.#blocks[index]?.at(-1)?.place ?? 0) >= place);
  }
}

/** Where a place is, or would be, in a block. */
function findPlace(block: readonly Placed[], place: number): number {
  return search(block.length, (index) => (block[index]?.place ?? 0) >= place);
}

/** The lowest index of which something is true that is true of all after it. */
function search(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
