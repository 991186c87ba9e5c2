import type { Machine, MachineState, Machines } from './machine.ts';
import type { Edge } from './parse.ts';

/** The text to search, with the pattern's notion of a word character. */
interface Subject {
  readonly text: string;
  readonly isWord: (code: number) => boolean;
}

/** Whether a pattern matches anywhere in a text. Visits each position at most once per state. */
export function findPattern({ looks, whole }: Machines, subject: Subject): boolean {
  const lookMatches: Uint8Array[] = [];
  for (const look of looks) {
    const places = new Uint8Array(subject.text.length + 1);
    runMachine(look, subject, lookMatches, (at) => {
      places[at] = 1;
      return false;
    });
    lookMatches.push(places);
  }
  return runMachine(whole, subject, lookMatches, () => true);
}

/** Runs a machine over a text from every position. Calls `found` with the end of each match, and stops once it returns true. */
function runMachine(
  machine: Machine,
  subject: Subject,
  lookMatches: readonly Uint8Array[],
  found: (at: number) => boolean,
): boolean {
  const { text } = subject;
  const { last, sign, codeAt } = machine.backwards
    ? { last: 0, sign: -1, codeAt: codeBefore }
    : { last: text.length, sign: 1, codeAt: codeAfter };
  const enter = buildEnter(machine, subject, lookMatches);
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

/** Collects the character states reachable without reading a character. Returns whether the machine accepts here. */
type Enter = (first: number, at: number, coming: CharacterState[]) => boolean;

function buildEnter({ states }: Machine, subject: Subject, lookMatches: readonly Uint8Array[]): Enter {
  const marked = new Int32Array(states.length).fill(-1);
  const pending: number[] = [];
  const visit = (state: MachineState, at: number, coming: CharacterState[]): boolean => {
    if (state.kind === 'character') coming.push(state);
    else if (state.kind === 'fork') pending.push(state.other, state.next);
    else if (state.kind !== 'found' && holds(state, subject, lookMatches, at)) pending.push(state.next);
    return state.kind === 'found';
  };
  return (first, at, coming) => {
    let ended = false;
    for (let each: number | undefined = first; each !== undefined; each = pending.pop()) {
      if (marked[each] === at) continue;
      marked[each] = at;
      ended = visit(states[each] as MachineState, at, coming) || ended;
    }
    return ended;
  };
}

type CharacterState = Extract<MachineState, { kind: 'character' }>;
type Assertion = Extract<MachineState, { kind: 'edge' | 'look' }>;

function holds(state: Assertion, subject: Subject, lookMatches: readonly Uint8Array[], at: number): boolean {
  if (state.kind === 'edge') return isAt(state.at, subject, at);
  return (lookMatches[state.look]?.[at] === 1) !== state.negative;
}

function codeAfter(text: string, at: number): number {
  return text.codePointAt(at) ?? 0;
}

/** Reads a surrogate pair as one character. */
function codeBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  if (at < 2 || code < 0xdc00 || code > 0xdfff) return code;
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair > 0xffff ? pair : code;
}

function isAt(edge: Edge, { text, isWord }: Subject, at: number): boolean {
  if (edge === 'start') return at === 0;
  if (edge === 'end') return at === text.length;
  const before = at > 0 && isWord(text.charCodeAt(at - 1));
  const after = at < text.length && isWord(text.charCodeAt(at));
  return (before !== after) === (edge === 'word');
}
