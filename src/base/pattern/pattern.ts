import { buildMachines, countStates, type Takes, trim } from './machine.ts';
import { parsePattern } from './parse.ts';
import { isPlain } from './plain.ts';
import { findPattern } from './run.ts';

/** Finds a regular expression in texts, each in time linear in its length. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** A machine of this size reads a megabyte in a few seconds. Most patterns have few states and read it in a tenth of one. */
const MOST_STATES = 1500;

type Flags = 'u' | 'iu';

/** Compiles a regular expression that takes linear time. `RegExp` must compile the source, and `explainHazard` accept it. */
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

/** Explains why a regular expression is too slow for a client's texts; `undefined` for a safe one. */
export function explainHazard(source: string): string | undefined {
  const node = parsePattern(source);
  if (typeof node === 'string') return node;
  const fits = countStates(trim(node)) <= MOST_STATES || isPlain(node, createTakes('u'));
  return fits ? undefined : 'it repeats too much';
}

/** Builds the test for a single character from its source, once for each source in a pattern. `RegExp` is fast at these. */
function createTakes(flags: Flags): (source: string) => Takes {
  const bySource = new Map<string, Takes>();
  return (source) => {
    const takes = bySource.get(source) ?? buildTakes(new RegExp(`^(?:${source})$`, flags));
    bySource.set(source, takes);
    return takes;
  };
}

function buildTakes(single: RegExp): Takes {
  const ascii = Array.from({ length: 128 }, (_, code) => single.test(String.fromCharCode(code)));
  return (code) => ascii[code] ?? single.test(String.fromCodePoint(code));
}
