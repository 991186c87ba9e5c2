import type { Machine, Machines, State } from './machine.ts';
import type { Edge } from './parse.ts';

/** What a text is read with. */
export interface Reading {
  readonly text: string;
  readonly isWord: (code: number) => boolean;
}

/** Whether a pattern is found in a text. Every place is looked at once for each state, whatever the text. */
export function findPattern({ looks, whole }: Machines, reading: Reading): boolean {
  const held: Uint8Array[] = [];
  for (const look of looks) {
    const places = new Uint8Array(reading.text.length + 1);
    run(look, reading, held, (at) => {
      places[at] = 1;
      return false;
    });
    held.push(places);
  }
  return run(whole, reading, held, () => true);
}

/**
 * Runs a machine over a text, begun anew at every place. `found` hears where it gets to its end, and says whether that is
 * enough.
 */
function run(
  machine: Machine,
  reading: Reading,
  held: readonly Uint8Array[],
  found: (at: number) => boolean,
): boolean {
  const { text } = reading;
  const { last, sign, codeAt } = machine.backwards
    ? { last: 0, sign: -1, codeAt: codeBefore }
    : { last: text.length, sign: 1, codeAt: codeAfter };
  const enter = buildEnter(machine, reading, held);
  let waiting: CharacterState[] = [];
  let coming: CharacterState[] = [];
  let ended = false;
  for (let at = text.length - last; ; ) {
    ended = enter(machine.start, at, coming) || ended;
    if (ended && found(at)) return true;
    if (at === last) return false;
    const code = codeAt(text, at);
    at += code > 0xffff ? 2 * sign : sign;
    [waiting, coming] = [coming, waiting];
    coming.length = 0;
    ended = waiting.reduce((any, { takes, next }) => (takes(code) && enter(next, at, coming)) || any, false);
  }
}

/** Follows all that needs no character to the states that do. Returns whether the end is among them. */
type Enter = (first: number, at: number, coming: CharacterState[]) => boolean;

function buildEnter({ states }: Machine, reading: Reading, held: readonly Uint8Array[]): Enter {
  const marked = new Int32Array(states.length).fill(-1);
  const pending: number[] = [];
  const visit = (state: State, at: number, coming: CharacterState[]): boolean => {
    if (state.kind === 'character') coming.push(state);
    else if (state.kind === 'fork') pending.push(state.other, state.next);
    else if (state.kind !== 'found' && holds(state, reading, held, at)) pending.push(state.next);
    return state.kind === 'found';
  };
  return (first, at, coming) => {
    let ended = false;
    for (let each: number | undefined = first; each !== undefined; each = pending.pop()) {
      if (marked[each] === at) continue;
      marked[each] = at;
      ended = visit(states[each] as State, at, coming) || ended;
    }
    return ended;
  };
}

type CharacterState = Extract<State, { kind: 'character' }>;
type Condition = Extract<State, { kind: 'edge' | 'look' }>;

function holds(state: Condition, reading: Reading, held: readonly Uint8Array[], at: number): boolean {
  if (state.kind === 'edge') return isAt(state.at, reading, at);
  return (held[state.look]?.[at] === 1) !== state.negative;
}

function codeAfter(text: string, at: number): number {
  return text.codePointAt(at) ?? 0;
}

/** A surrogate pair is one character. */
function codeBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  if (at < 2 || code < 0xdc00 || code > 0xdfff) return code;
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair > 0xffff ? pair : code;
}

function isAt(edge: Edge, { text, isWord }: Reading, at: number): boolean {
  if (edge === 'start') return at === 0;
  if (edge === 'end') return at === text.length;
  const before = at > 0 && isWord(text.charCodeAt(at - 1));
  const after = at < text.length && isWord(text.charCodeAt(at));
  return (before !== after) === (edge === 'word');
}
