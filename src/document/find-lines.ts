import { isObject } from '../schema/schema.ts';
import { type Listener, loadYaml } from './load-yaml.ts';

/** The keys that lead from the root of a document to a place in it. */
export type KeyPath = readonly (string | number)[];

/** The line of a value, which is that of its key if it has one, and those of the values in it. */
type Lines =
  | number
  | { readonly line: number; readonly keys: readonly string[]; readonly values: readonly Lines[] };

/** A value that the parser is in, or one that could be a key. */
interface Open {
  readonly line: number;
  /** The keys and values in it, in turn, or the items. */
  readonly results: unknown[];
  readonly lines: Lines[];
}

/**
 * Finds the lines of YAML or JSON, counted from 1: of the deepest part of a path that exists. Returns `undefined` for a text that
 * `loadYaml` refuses. Keeps a number for each value, a tenth of what a syntax tree takes.
 */
export function buildLineFinder(text: string): ((path: KeyPath) => number) | undefined {
  const lines = readLines(text);
  return lines === undefined ? undefined : (path) => findLine(lines, path);
}

function findLine(root: Lines, path: KeyPath): number {
  let line = 1;
  let lines: Lines | undefined = root;
  for (const token of path) {
    if (typeof lines !== 'object') break;
    lines = lines.values[lines.keys.length > 0 ? lines.keys.indexOf(String(token)) : Number(token)];
    if (lines !== undefined) line = toNumber(lines);
  }
  return line;
}

function toNumber(lines: Lines): number {
  return typeof lines === 'number' ? lines : lines.line;
}

function readLines(text: string): Lines | undefined {
  const whole: Open = { line: 1, results: [], lines: [] };
  const open = [whole];
  const listener: Listener = (event, { line, result }) => {
    if (event === 'open') {
      open.push({ line: line + 1, results: [], lines: [] });
      return;
    }
    const ended = open.pop();
    const around = open.at(-1);
    if (!ended || !around) return;
    around.results.push(result);
    around.lines.push(toLines(ended, result));
  };
  try {
    loadYaml(text, listener);
    return whole.lines[0];
  } catch {
    return undefined;
  }
}

/** A value gets no lines inside if the parser saw more than keys and values, such as a key without a value. */
function toLines({ line, results, lines }: Open, value: unknown): Lines {
  if (!isObject(value)) return line;
  // A collection in brackets is first read as if it were a key.
  if (results.length === 1 && results[0] === value) return lines[0] ?? line;
  if (Array.isArray(value)) return lines.length === value.length ? { line, keys: [], values: lines } : line;
  // The end of the document may have been read as one key more.
  const count = Math.floor(results.length / 2);
  const keys = Array.from({ length: count }, (_, index) => String(results[2 * index]));
  if (count !== Object.keys(value).length || !keys.every((key) => Object.hasOwn(value, key))) return line;
  const values = keys.map((_, index) => withLine(lines[2 * index + 1], toNumber(lines[2 * index] ?? line)));
  return { line, keys, values };
}

function withLine(lines: Lines | undefined, line: number): Lines {
  return typeof lines === 'object' ? { ...lines, line } : line;
}
