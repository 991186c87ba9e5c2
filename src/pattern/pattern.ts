import { buildMachines, countStates, type Takes, trim } from './machine.ts';
import { parsePattern } from './parse.ts';
import { isPlain } from './plain.ts';
import { findPattern } from './run.ts';

/** Finds a regular expression in texts, each in time linear in its length. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** With this many states, a text of a megabyte takes at most some seconds; with the few of most patterns a tenth of one. */
const MOST_STATES = 1500;

type Flags = 'u' | 'iu';

/**
 * A regular expression that takes linear time where `RegExp` may take forever. The source must be one that `RegExp` compiles and
 * `explainHazard` has nothing against.
 */
export function compilePattern(source: string, flags: Flags = 'u'): Pattern {
  const native = new RegExp(source, flags);
  const takes = createTakes(flags);
  const node = parsePattern(source);
  if (typeof node === 'string' || isPlain(node, takes)) return native;
  const machines = buildMachines(trim(node), takes);
  const isWord = takes('\\w');
  return {
    test: (text) => findPattern(machines, { text, isWord }),
    toString: () => String(native),
  };
}

/** Why a regular expression cannot be tried on what a client sends; `undefined` where it can. */
export function explainHazard(source: string): string | undefined {
  const node = parsePattern(source);
  if (typeof node === 'string') return node;
  const fits = countStates(trim(node)) <= MOST_STATES || isPlain(node, createTakes('u'));
  return fits ? undefined : 'it repeats too much';
}

/** Only as many answers about characters beyond ASCII are remembered. */
const REMEMBERED = 1000;

/** Decides about characters, for which `RegExp` is always fast. */
function createTakes(flags: string): (source: string) => Takes {
  const known = new Map<string, Takes>();
  return (source) => {
    const takes = known.get(source) ?? buildTakes(new RegExp(`^(?:${source})$`, flags));
    known.set(source, takes);
    return takes;
  };
}

function buildTakes(single: RegExp): Takes {
  const ascii = Array.from({ length: 128 }, (_, code) => single.test(String.fromCharCode(code)));
  const others = new Map<number, boolean>();
  return (code) => {
    const known = ascii[code] ?? others.get(code);
    if (known !== undefined) return known;
    if (others.size === REMEMBERED) others.clear();
    const taken = single.test(String.fromCodePoint(code));
    others.set(code, taken);
    return taken;
  };
}
