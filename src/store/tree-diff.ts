import { Branch, type Leaf, type Node } from './nodes.ts';
import { isBelow, type Term } from './terms.ts';
import type { Tree } from './tree.ts';

/** The values of one key in two trees; `undefined` in the tree that does not have it. */
export interface Difference<V> {
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/** The keys whose values are not the same, in order. Nodes that both trees share are skipped unseen. */
export function* differences<K extends Term, V>(
  before: Tree<K, V>,
  after: Tree<K, V>,
): Generator<Difference<V>, undefined> {
  const [one, other] = [new Walk(before), new Walk(after)];
  while (!one.isAtEnd || !other.isAtEnd) {
    if (skipShared(one, other) || openNext(one, other)) continue;
    const [isFirst, isLast] = [one.isBelow(other), other.isBelow(one)];
    const was = isLast ? undefined : one.take();
    const is = isFirst ? undefined : other.take();
    if (was !== is) yield { before: was, after: is };
  }
}

function skipShared<K extends Term, V>(one: Walk<K, V>, other: Walk<K, V>): boolean {
  if (!one.node || one.node !== other.node) return false;
  one.skip();
  other.skip();
  return true;
}

/** Opens the node that begins first; of two that begin alike the higher one, since the other may be shared and stand in it. */
function openNext<K extends Term, V>(one: Walk<K, V>, other: Walk<K, V>): boolean {
  const first = one.isBelow(other) || (!other.isBelow(one) && one.height >= other.height) ? one : other;
  if (!first.node) return false;
  first.open();
  return true;
}

/** A way through a tree from left to right, which looks only into the nodes that it opens. */
class Walk<K extends Term, V> {
  /** What is still to come, the next one last. */
  readonly #nodes: Node<K, V>[];
  /** The leaf that was opened, and how much of it is done. */
  #leaf: Leaf<K, V> | undefined;
  #at = 0;

  constructor(tree: Tree<K, V>) {
    this.#nodes = tree.size === 0 ? [] : [tree.root];
  }

  get isAtEnd(): boolean {
    return !this.#leaf && this.#nodes.length === 0;
  }

  /** The node that comes next; `undefined` where an entry does. */
  get node(): Node<K, V> | undefined {
    return this.#leaf ? undefined : this.#nodes.at(-1);
  }

  /** How many levels of nodes are above the entries of what comes next; 0 for an entry. */
  get height(): number {
    let height = 0;
    for (let { node } = this; node; node = node instanceof Branch ? node.children[0] : undefined) height += 1;
    return height;
  }

  /** Whether what comes next begins with a lower key. */
  isBelow(other: Walk<K, V>): boolean {
    return !this.isAtEnd && (other.isAtEnd || isBelow(this.#key, other.#key));
  }

  skip(): void {
    this.#nodes.pop();
  }

  open(): void {
    const node = this.#nodes.pop();
    if (node instanceof Branch) this.#nodes.push(...node.children.toReversed());
    else this.#leaf = node;
  }

  take(): V {
    const { values } = this.#leaf as Leaf<K, V>;
    const value = values[this.#at] as V;
    this.#at += 1;
    if (this.#at === values.length) {
      this.#leaf = undefined;
      this.#at = 0;
    }
    return value;
  }

  get #key(): K {
    let node = this.#leaf ?? (this.#nodes.at(-1) as Node<K, V>);
    while (node instanceof Branch) node = node.children[0] as Node<K, V>;
    return node.keys[this.#at] as K;
  }
}
