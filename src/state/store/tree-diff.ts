import { BranchNode, type LeafNode, type TreeNode } from './nodes.ts';
import { isBelow, type Term } from './terms.ts';
import type { Tree } from './tree.ts';

/** The values of one key in two trees; `undefined` in the tree that does not have it. */
export interface Difference<V> {
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/** The keys whose values differ, in order. Nodes that both trees share are skipped unread. */
export function* differences<K extends Term, V>(
  before: Tree<K, V>,
  after: Tree<K, V>,
): Generator<Difference<V>, undefined> {
  const [one, other] = [new TreeWalk(before), new TreeWalk(after)];
  while (!one.isAtEnd || !other.isAtEnd) {
    if (skipShared(one, other) || openNext(one, other)) continue;
    const [isFirst, isLast] = [one.isBelow(other), other.isBelow(one)];
    const was = isLast ? undefined : one.take();
    const is = isFirst ? undefined : other.take();
    if (was !== is) yield { before: was, after: is };
  }
}

function skipShared<K extends Term, V>(one: TreeWalk<K, V>, other: TreeWalk<K, V>): boolean {
  if (!one.node || one.node !== other.node) return false;
  one.skip();
  other.skip();
  return true;
}

/** Opens the node that starts first. Of two that start alike it opens the higher one, since the other may be a shared part of it. */
function openNext<K extends Term, V>(one: TreeWalk<K, V>, other: TreeWalk<K, V>): boolean {
  const first = one.isBelow(other) || (!other.isBelow(one) && one.height >= other.height) ? one : other;
  if (!first.node) return false;
  first.open();
  return true;
}

/** A walk through a tree from left to right that reads only the nodes it opens. */
class TreeWalk<K extends Term, V> {
  /** The nodes ahead, the next one last. */
  readonly #nodes: TreeNode<K, V>[];
  /** The open leaf, and the position in it. */
  #leaf: LeafNode<K, V> | undefined;
  #at = 0;

  constructor(tree: Tree<K, V>) {
    this.#nodes = tree.size === 0 ? [] : [tree.root];
  }

  get isAtEnd(): boolean {
    return !this.#leaf && this.#nodes.length === 0;
  }

  /** The next node; `undefined` in a leaf, where an entry is next. */
  get node(): TreeNode<K, V> | undefined {
    return this.#leaf ? undefined : this.#nodes.at(-1);
  }

  /** How many levels of nodes are above the next entry; 0 in a leaf. */
  get height(): number {
    let height = 0;
    for (let { node } = this; node; node = node instanceof BranchNode ? node.children[0] : undefined)
      height += 1;
    return height;
  }

  /** Whether the next key of this walk is lower than that of another. */
  isBelow(other: TreeWalk<K, V>): boolean {
    return !this.isAtEnd && (other.isAtEnd || isBelow(this.#key, other.#key));
  }

  skip(): void {
    this.#nodes.pop();
  }

  open(): void {
    const node = this.#nodes.pop();
    if (node instanceof BranchNode) this.#nodes.push(...node.children.toReversed());
    else this.#leaf = node;
  }

  take(): V {
    const { values } = this.#leaf as LeafNode<K, V>;
    const value = values[this.#at] as V;
    this.#at += 1;
    if (this.#at === values.length) {
      this.#leaf = undefined;
      this.#at = 0;
    }
    return value;
  }

  get #key(): K {
    let node = this.#leaf ?? (this.#nodes.at(-1) as TreeNode<K, V>);
    while (node instanceof BranchNode) node = node.children[0] as TreeNode<K, V>;
    return node.keys[this.#at] as K;
  }
}
