import type { Edge, PatternNode } from './parse.ts';

/** One step of a machine. Machines are nondeterministic: `fork` goes both ways at once. */
export type MachineState =
  | { readonly kind: 'found' }
  | { readonly kind: 'character'; readonly takes: Takes; readonly next: number }
  | { readonly kind: 'fork'; readonly next: number; readonly other: number }
  | { readonly kind: 'edge'; readonly at: Edge; readonly next: number }
  /** Continues where the machine of a look matches, or where it fails. */
  | { readonly kind: 'look'; readonly look: number; readonly negative: boolean; readonly next: number };

/** Whether a character, given by its code point, matches. */
export type Takes = (code: number) => boolean;

/** Reads texts in one direction. */
export interface Machine {
  readonly states: readonly MachineState[];
  readonly start: number;
  readonly backwards: boolean;
}

/** The machine of a pattern and those of its looks. Each look needs only the results of the looks before it. */
export interface Machines {
  readonly looks: readonly Machine[];
  readonly whole: Machine;
}

/**
 * Drops the optional repetitions at both ends of a pattern. The search starts at every position and ignores where a match ends,
 * so the minimum of a first or last repetition is enough.
 */
export function trim(node: PatternNode): PatternNode {
  return trimSide(trimSide(node, 0), -1);
}

function trimSide(node: PatternNode, side: 0 | -1): PatternNode {
  if (node.kind === 'choice') return { ...node, parts: node.parts.map((part) => trimSide(part, side)) };
  if (node.kind === 'repeat') return { ...node, most: node.least };
  const outer = node.kind === 'sequence' && node.parts.at(side);
  if (!outer) return node;
  const trimmed = trimSide(outer, side);
  const others = side === 0 ? node.parts.slice(1) : node.parts.slice(0, -1);
  if (trimmed.kind === 'repeat' && trimmed.most === 0) return trimSide({ ...node, parts: others }, side);
  return { ...node, parts: side === 0 ? [trimmed, ...others] : [...others, trimmed] };
}

/** Counts the states that the machine of a pattern needs. */
export function countStates(node: PatternNode): number {
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
export function buildMachines(node: PatternNode, takes: (source: string) => Takes): Machines {
  const looks: Machine[] = [];
  const known = new Map<PatternNode, number>();
  const findLook = (look: Look): number => {
    const index =
      known.get(look) ??
      looks.push(buildMachine(look.part, { takes, findLook, backwards: !look.behind })) - 1;
    known.set(look, index);
    return index;
  };
  return { whole: buildMachine(node, { takes, findLook, backwards: false }), looks };
}

type Look = Extract<PatternNode, { kind: 'look' }>;

interface MachineParts {
  readonly takes: (source: string) => Takes;
  /** The index of a look's machine. */
  readonly findLook: (look: Look) => number;
  readonly backwards: boolean;
}

/** The index of the accepting state in every machine. */
const FOUND = 0;

function buildMachine(node: PatternNode, parts: MachineParts): Machine {
  const states: MachineState[] = [{ kind: 'found' }];
  const add = (state: MachineState): number => states.push(state) - 1;
  /** Adds the states of a part that leads to `next`, and returns the first of them. */
  const build = (part: PatternNode, next: number): number => {
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
  const buildRepeat = (
    { part, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
    next: number,
  ): number => {
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
