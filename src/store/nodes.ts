import { isBelow, search, type Term } from './terms.ts';

/**
 * A token that marks the nodes which one writer made for itself. It changes these in place and copies all others, so that a tree which
 * shares its nodes with another never changes it.
 */
export type Owner = object;

/** How many keys or children a node holds before it is split. */
export const MOST = 64;

export type Node<K extends Term, V> = Leaf<K, V> | Branch<K, V>;

/** Sorted keys and their values. */
export class Leaf<K extends Term, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly values: V[];

  constructor(owner: Owner, keys: K[], values: V[]) {
    this.owner = owner;
    this.keys = keys;
    this.values = values;
  }
}

/** Nodes in order. Each key is a bound: no key of its child is above it, and every key of the next child is. */
export class Branch<K extends Term, V> {
  readonly owner: Owner;
  readonly keys: K[];
  readonly children: Node<K, V>[];
  /** How many entries each child has. */
  readonly counts: number[];
  size: number;

  constructor(owner: Owner, keys: K[], children: Node<K, V>[], counts: number[]) {
    this.owner = owner;
    this.keys = keys;
    this.children = children;
    this.counts = counts;
    this.size = 0;
    for (const count of counts) this.size += count;
  }
}

export function sizeOf(node: Node<Term, unknown>): number {
  return node instanceof Branch ? node.size : node.keys.length;
}

/** The position of the child that has a key, or would have it. */
export function childOf<K extends Term>({ keys }: Branch<K, unknown>, key: K): number {
  return Math.min(search(keys, key), keys.length - 1);
}

/** Sets a value below a node, which may then hold one too many. Returns the node, or the copy that takes its place. */
export function setBelow<K extends Term, V>(node: Node<K, V>, owner: Owner, key: K, value: V): Node<K, V> {
  if (node instanceof Leaf) return setInLeaf(node, owner, key, value);
  const branch = toOwned(node, owner);
  const at = childOf(branch, key);
  if (isBelow(branch.keys[at], key)) branch.keys[at] = key;
  const child = setBelow(branch.children[at] as Node<K, V>, owner, key, value);
  replaceChild(branch, at, child);
  if (child.keys.length > MOST) split(branch, at, key);
  return branch;
}

/** Removes a key that is there. Returns the node, which may be empty then, or the copy that takes its place. */
export function deleteBelow<K extends Term, V>(node: Node<K, V>, owner: Owner, key: K): Node<K, V> {
  if (node instanceof Leaf) return deleteFromLeaf(node, owner, search(node.keys, key));
  const branch = toOwned(node, owner);
  const at = childOf(branch, key);
  const child = deleteBelow(branch.children[at] as Node<K, V>, owner, key);
  replaceChild(branch, at, child);
  // Nodes that are nearly empty stay: they cost little, and what is deleted is mostly few or all.
  if (sizeOf(child) === 0) {
    branch.keys.splice(at, 1);
    branch.children.splice(at, 1);
    branch.counts.splice(at, 1);
  }
  return branch;
}

/** Puts a node that may hold one too many below a new root. */
export function toRoot<K extends Term, V>(node: Node<K, V>, owner: Owner, key: K): Node<K, V> {
  if (node.keys.length <= MOST) return node;
  const root = new Branch(owner, [node.keys.at(-1) as K], [node], [sizeOf(node)]);
  split(root, 0, key);
  return root;
}

function setInLeaf<K extends Term, V>(leaf: Leaf<K, V>, owner: Owner, key: K, value: V): Leaf<K, V> {
  const { keys, values } = leaf;
  const at = search(keys, key);
  const owned = leaf.owner === owner;
  if (at < keys.length && keys[at] === key) {
    if (values[at] === value) return leaf;
    if (!owned) return new Leaf(owner, keys.slice(), values.with(at, value));
    values[at] = value;
    return leaf;
  }
  // Copies of exactly the right size: a list that grows makes room for many more.
  if (!owned) return new Leaf(owner, keys.toSpliced(at, 0, key), values.toSpliced(at, 0, value));
  insert(keys, at, key);
  insert(values, at, value);
  return leaf;
}

function deleteFromLeaf<K extends Term, V>(leaf: Leaf<K, V>, owner: Owner, at: number): Leaf<K, V> {
  const { keys, values } = leaf;
  if (leaf.owner !== owner) return new Leaf(owner, keys.toSpliced(at, 1), values.toSpliced(at, 1));
  keys.splice(at, 1);
  values.splice(at, 1);
  return leaf;
}

function insert<T>(list: T[], at: number, item: T): void {
  if (at === list.length) list.push(item);
  else list.splice(at, 0, item);
}

function toOwned<K extends Term, V>(branch: Branch<K, V>, owner: Owner): Branch<K, V> {
  if (branch.owner === owner) return branch;
  return new Branch(owner, branch.keys.slice(), branch.children.slice(), branch.counts.slice());
}

function replaceChild<K extends Term, V>(branch: Branch<K, V>, at: number, child: Node<K, V>): void {
  const count = sizeOf(child);
  branch.size += count - (branch.counts[at] as number);
  branch.counts[at] = count;
  branch.children[at] = child;
}

/** Splits a child, which its owner may change. Behind a key that came last little else will follow, so that it moves alone. */
function split<K extends Term, V>(parent: Branch<K, V>, at: number, key: K): void {
  const child = parent.children[at] as Node<K, V>;
  const cut = child.keys.at(-1) === key ? MOST : MOST / 2;
  const right = cutOff(child, cut);
  parent.counts[at] = sizeOf(child);
  parent.keys.splice(at, 0, child.keys.at(-1) as K);
  parent.children.splice(at + 1, 0, right);
  parent.counts.splice(at + 1, 0, sizeOf(right));
}

/** Moves what a node holds from a position on to a new one. */
function cutOff<K extends Term, V>(node: Node<K, V>, cut: number): Node<K, V> {
  const keys = node.keys.splice(cut);
  if (node instanceof Leaf) return new Leaf(node.owner, keys, node.values.splice(cut));
  const right = new Branch(node.owner, keys, node.children.splice(cut), node.counts.splice(cut));
  node.size -= right.size;
  return right;
}
