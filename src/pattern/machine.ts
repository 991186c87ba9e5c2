import type { Edge, Node } from './parse.ts';

/** One step of a machine. Machines are nondeterministic: `fork` goes both ways at once. */
export type State =
  | { readonly kind: 'found' }
  | { readonly kind: 'character'; readonly takes: Takes; readonly next: number }
  | { readonly kind: 'fork'; readonly next: number; readonly other: number }
  | { readonly kind: 'edge'; readonly at: Edge; readonly next: number }
  /** Goes on where the machine of a look holds, or where it does not. */
  | { readonly kind: 'look'; readonly look: number; readonly negative: boolean; readonly next: number };

/** Whether a character, given by its code, is one that is meant. */
export type Takes = (code: number) => boolean;

/** Reads texts in one direction. */
export interface Machine {
  readonly states: readonly State[];
  readonly start: number;
  readonly backwards: boolean;
}

/** The machine of a pattern, and before it those of its looks: each needs only what the ones before it found. */
export interface Machines {
  readonly looks: readonly Machine[];
  readonly whole: Machine;
}

/**
 * Drops what a pattern may begin or end with but need not: it is looked for at every place, and where it ends does not matter, so
 * the least of a first or last repetition is enough.
 */
export function trim(node: Node): Node {
  return trimSide(trimSide(node, 0), -1);
}

function trimSide(node: Node, side: 0 | -1): Node {
  if (node.kind === 'choice') return { ...node, parts: node.parts.map((part) => trimSide(part, side)) };
  if (node.kind === 'repeat') return { ...node, most: node.least };
  const outer = node.kind === 'sequence' && node.parts.at(side);
  if (!outer) return node;
  const trimmed = trimSide(outer, side);
  const others = side === 0 ? node.parts.slice(1) : node.parts.slice(0, -1);
  if (trimmed.kind === 'repeat' && trimmed.most === 0) return trimSide({ ...node, parts: others }, side);
  return { ...node, parts: side === 0 ? [trimmed, ...others] : [...others, trimmed] };
}

/** How many states the machine of a pattern would have. */
export function countStates(node: Node): number {
  if (node.kind === 'sequence' || node.kind === 'choice') {
    return node.parts.reduce((sum, part) => sum + countStates(part) + 1, 0);
  }
  if (node.kind === 'look') return countStates(node.part) + 1;
  if (node.kind !== 'repeat') return 1;
  const { part, least, most } = node;
  const copies = Number.isFinite(most) ? most : least + 1;
  return Math.max(copies, 1) * (countStates(part) + 1);
}

/** Builds the machines of a pattern. */
export function buildMachines(node: Node, takes: (source: string) => Takes): Machines {
  const looks: Machine[] = [];
  const known = new Map<Node, number>();
  const findLook = (look: Look): number => {
    const index =
      known.get(look) ??
      looks.push(buildMachine(look.part, { takes, findLook, backwards: !look.behind })) - 1;
    known.set(look, index);
    return index;
  };
  return { whole: buildMachine(node, { takes, findLook, backwards: false }), looks };
}

type Look = Extract<Node, { kind: 'look' }>;

interface Parts {
  readonly takes: (source: string) => Takes;
  /** The number of the machine that decides about a look. */
  readonly findLook: (look: Look) => number;
  readonly backwards: boolean;
}

/** The state that all machines have in common. */
const FOUND = 0;

function buildMachine(node: Node, parts: Parts): Machine {
  const states: State[] = [{ kind: 'found' }];
  const add = (state: State): number => states.push(state) - 1;
  /** The state from which a part leads to another state. */
  const build = (part: Node, next: number): number => {
    if (part.kind === 'character') return add({ kind: 'character', takes: parts.takes(part.source), next });
    if (part.kind === 'edge') return add({ kind: 'edge', at: part.at, next });
    if (part.kind === 'look') {
      return add({ kind: 'look', look: parts.findLook(part), negative: part.negative, next });
    }
    if (part.kind === 'repeat') return buildRepeat(part, next);
    if (part.kind === 'choice') {
      return part.parts.map((each) => build(each, next)).reduce((other, each) => fork(each, other));
    }
    const order = parts.backwards ? part.parts : [...part.parts].reverse();
    return order.reduce((after, each) => build(each, after), next);
  };
  const fork = (next: number, other: number) => add({ kind: 'fork', next, other });
  const buildRepeat = ({ part, least, most }: Extract<Node, { kind: 'repeat' }>, next: number): number => {
    let start = next;
    if (Number.isFinite(most)) {
      for (let count = least; count < most; count++) start = fork(build(part, start), next);
    } else {
      start = add({ kind: 'fork', next, other: next });
      states[start] = { kind: 'fork', next: build(part, start), other: next };
    }
    for (let count = 0; count < least; count++) start = build(part, start);
    return start;
  };
  return { states, start: build(node, FOUND), backwards: parts.backwards };
}
