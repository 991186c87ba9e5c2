import { isBelow, search, type Term } from './terms.ts';

/**
 * A token that marks the nodes that one writer created. The writer changes these in place and copies all others, so that trees may
 * share nodes.
 */
export type Owner = object;

/** How many keys or children a node holds before it is split. */
const NODE_CAPACITY = 64;

export type TreeNode<K extends Term, V> = LeafNode<K, V> | BranchNode<K, V>;

/** Sorted keys and their values. */
export class LeafNode<K extends Term, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly values: V[];

  constructor(owner: Owner, keys: K[], values: V[]) {
    this.owner = owner;
    this.keys = keys;
    this.values = values;
  }
}

/** Nodes in order. Each key is a bound: at least the highest key of its child, and below every key of the next child. */
export class BranchNode<K extends Term, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly children: TreeNode<K, V>[];
  /** How many entries each child has. */
  readonly counts: number[];
  size: number;

  constructor(owner: Owner, keys: K[], children: TreeNode<K, V>[], counts: number[]) {
    this.owner = owner;
    this.keys = keys;
    this.children = children;
    this.counts = counts;
    this.size = 0;
    for (const count of counts) this.size += count;
  }
}

export function sizeOf(node: TreeNode<Term, unknown>): number {
  return node instanceof BranchNode ? node.size : node.keys.length;
}

/** The position of the child that has a key or would get it. */
export function childOf<K extends Term>({ keys }: BranchNode<K, unknown>, key: K): number {
  return Math.min(search(keys, key), keys.length - 1);
}

/** Sets a value below a node, which may exceed its capacity by one then. Returns the node, or the copy that replaces it. */
export function setBelow<K extends Term, V>(
  node: TreeNode<K, V>,
  owner: Owner,
  key: K,
  value: V,
): TreeNode<K, V> {
  if (node instanceof LeafNode) return setInLeaf(node, owner, key, value);
  if (isAppendable(node, owner, key)) return append(node, owner, new LeafNode(owner, [key], [value]));
  const branch = toOwned(node, owner);
  const at = childOf(branch, key);
  if (isBelow(branch.keys[at], key)) branch.keys[at] = key;
  const child = setBelow(branch.children[at] as TreeNode<K, V>, owner, key, value);
  replaceChild(branch, at, child);
  if (child.keys.length > NODE_CAPACITY) split(branch, at, key);
  return branch;
}

/** Removes an existing key. Returns the node, which may be empty then, or the copy that replaces it. */
export function deleteBelow<K extends Term, V>(node: TreeNode<K, V>, owner: Owner, key: K): TreeNode<K, V> {
  if (node instanceof LeafNode) return deleteFromLeaf(node, owner, search(node.keys, key));
  const branch = toOwned(node, owner);
  const at = childOf(branch, key);
  const child = deleteBelow(branch.children[at] as TreeNode<K, V>, owner, key);
  replaceChild(branch, at, child);
  // Nodes that are nearly empty stay: they cost little, and deletes mostly concern a few entities or all.
  if (sizeOf(child) === 0) {
    branch.keys.splice(at, 1);
    branch.children.splice(at, 1);
    branch.counts.splice(at, 1);
  }
  return branch;
}

/** The node as a root: below a new one, and split, if it exceeds its capacity. */
export function toRoot<K extends Term, V>(node: TreeNode<K, V>, owner: Owner, key: K): TreeNode<K, V> {
  if (node.keys.length <= NODE_CAPACITY) return node;
  const root = new BranchNode(owner, [node.keys.at(-1) as K], [node], [sizeOf(node)]);
  split(root, 0, key);
  return root;
}

function setInLeaf<K extends Term, V>(leaf: LeafNode<K, V>, owner: Owner, key: K, value: V): LeafNode<K, V> {
  const { keys, values } = leaf;
  const at = search(keys, key);
  const owned = leaf.owner === owner;
  if (at < keys.length && keys[at] === key) {
    if (values[at] === value) return leaf;
    if (!owned) return new LeafNode(owner, keys.slice(), values.with(at, value));
    values[at] = value;
    return leaf;
  }
  // Copies of exactly the right size: a list that grows reserves room for many more.
  if (!owned) return new LeafNode(owner, keys.toSpliced(at, 0, key), values.toSpliced(at, 0, value));
  insert(keys, at, key);
  insert(values, at, value);
  return leaf;
}

function deleteFromLeaf<K extends Term, V>(leaf: LeafNode<K, V>, owner: Owner, at: number): LeafNode<K, V> {
  const { keys, values } = leaf;
  if (leaf.owner !== owner) return new LeafNode(owner, keys.toSpliced(at, 1), values.toSpliced(at, 1));
  keys.splice(at, 1);
  values.splice(at, 1);
  return leaf;
}

/**
 * Whether a key that comes last is better put into a leaf of its own than into a copy of the last one. New entities come last, so this
 * saves a session most of its memory. Leaves are still at least half full.
 */
function isAppendable<K extends Term>(
  { keys, children }: BranchNode<K, unknown>,
  owner: Owner,
  key: K,
): boolean {
  const last = children.at(-1);
  return (
    last instanceof LeafNode &&
    last.owner !== owner &&
    last.keys.length >= NODE_CAPACITY / 2 &&
    // The bound may be above the last key, if that was removed.
    isBelow(keys.at(-1), key)
  );
}

/** Adds a leaf of one key behind all others. Returns the branch, or the copy that replaces it. */
function append<K extends Term, V>(
  branch: BranchNode<K, V>,
  owner: Owner,
  leaf: LeafNode<K, V>,
): BranchNode<K, V> {
  const { keys, children, counts } = branch;
  const key = leaf.keys[0] as K;
  if (branch.owner !== owner)
    return new BranchNode(owner, withLast(keys, key), withLast(children, leaf), withLast(counts, 1));
  keys.push(key);
  children.push(leaf);
  counts.push(1);
  branch.size += 1;
  return branch;
}

/** A longer copy of exactly the right size. */
function withLast<T>(list: readonly T[], item: T): T[] {
  return list.toSpliced(list.length, 0, item);
}

function insert<T>(list: T[], at: number, item: T): void {
  if (at === list.length) list.push(item);
  else list.splice(at, 0, item);
}

function toOwned<K extends Term, V>(branch: BranchNode<K, V>, owner: Owner): BranchNode<K, V> {
  if (branch.owner === owner) return branch;
  return new BranchNode(owner, branch.keys.slice(), branch.children.slice(), branch.counts.slice());
}

function replaceChild<K extends Term, V>(branch: BranchNode<K, V>, at: number, child: TreeNode<K, V>): void {
  const count = sizeOf(child);
  branch.size += count - (branch.counts[at] as number);
  branch.counts[at] = count;
  branch.children[at] = child;
}

/** Splits a child that its owner may change. A key that came last moves alone: keys mostly ascend, so this leaves full nodes behind. */
function split<K extends Term, V>(parent: BranchNode<K, V>, at: number, key: K): void {
  const child = parent.children[at] as TreeNode<K, V>;
  const cut = child.keys.at(-1) === key ? NODE_CAPACITY : NODE_CAPACITY / 2;
  const right = cutOff(child, cut);
  parent.counts[at] = sizeOf(child);
  parent.keys.splice(at, 0, child.keys.at(-1) as K);
  parent.children.splice(at + 1, 0, right);
  parent.counts.splice(at + 1, 0, sizeOf(right));
}

/** Moves the entries of a node from a position on into a new node. */
function cutOff<K extends Term, V>(node: TreeNode<K, V>, cut: number): TreeNode<K, V> {
  const keys = node.keys.splice(cut);
  if (node instanceof LeafNode) return new LeafNode(node.owner, keys, node.values.splice(cut));
  const right = new BranchNode(node.owner, keys, node.children.splice(cut), node.counts.splice(cut));
  node.size -= right.size;
  return right;
}
