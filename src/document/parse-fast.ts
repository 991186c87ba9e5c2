import { isObject } from '../schema/schema.ts';
import { type Listener, loadYaml } from './load-yaml.ts';

/** The data of a text. */
export interface Parsed {
  readonly data: unknown;
  /** Whether every object of the data occurs in a single place. */
  readonly isTree: boolean;
}

/**
 * Parses YAML or JSON several times faster than the parser that knows lines. Returns `undefined` for a text that only that one reads
 * correctly: one with a mistake, with keys that are not plain scalars, or with aliases that stand for far more than the text has.
 */
export function parseFast(text: string): Parsed | undefined {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return /^\s*[[{]/.test(content) ? parseStrictJson(content) : parseYaml(content);
}

const BYTE_ORDER_MARK = '\uFEFF';

function parseStrictJson(text: string): Parsed | undefined {
  try {
    const data = JSON.parse(text) as object;
    // JSON.parse accepts duplicate keys.
    return countColons(text) === countMembers(data) ? { data, isTree: true } : undefined;
  } catch {
    // Invalid JSON may be valid YAML.
    return undefined;
  }
}

const BACKSLASH_CODE = 92;

/**
 * Counts the colons outside strings: one for each member in the text, duplicates included. Jumps from one to the next, because a loop
 * over all characters of the fixtures would be most of their reading.
 */
function countColons(json: string): number {
  let count = 0;
  let colon = json.indexOf(':');
  let quote = json.indexOf('"');
  while (colon >= 0) {
    if (quote < 0 || colon < quote) {
      count += 1;
      colon = json.indexOf(':', colon + 1);
    } else {
      const end = findStringEnd(json, quote);
      quote = json.indexOf('"', end + 1);
      if (colon < end) colon = json.indexOf(':', end + 1);
    }
  }
  return count;
}

/** Finds the closing quote of the string that starts at `start`. */
function findStringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH_CODE) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}

/** Counts members with `for in`, three times faster than `Object.values` and safe for the plain objects of JSON.parse. */
function countMembers(node: object): number {
  let count = 0;
  if (Array.isArray(node)) {
    for (const item of node) if (isObject(item)) count += countMembers(item);
    return count;
  }
  for (const key in node) {
    const value = (node as Record<string, unknown>)[key];
    count += isObject(value) ? 1 + countMembers(value) : 1;
  }
  return count;
}

function parseYaml(text: string): Parsed | undefined {
  if (isUnusual(text)) return undefined;
  let hasAnchors = false;
  const listener: Listener = (_, state) => {
    if ('anchor' in state && state.anchor) hasAnchors = true;
  };
  try {
    const data = loadYaml(text, listener);
    // Every value takes a character or more, unless an alias stands for it.
    if (hasAnchors && countValues(data, new Map()) > text.length + MOST_ALIASED) return undefined;
    return { data, isTree: !hasAnchors };
  } catch {
    // The parser that knows lines reports the mistake, or accepts the text.
    return undefined;
  }
}

/** Aliases of a short text may stand for this many values. Beyond that, the other parser recognizes bombs. */
const MOST_ALIASED = 100_000;

/** Counts the values of a tree, of which aliases may share parts. Infinite for one that is a part of itself. */
function countValues(node: unknown, counted: Map<object, number>): number {
  if (!isObject(node)) return 1;
  const known = counted.get(node);
  if (known !== undefined) return known;
  counted.set(node, Number.POSITIVE_INFINITY);
  const count = Object.values(node).reduce<number>((sum, value) => sum + countValues(value, counted), 1);
  counted.set(node, count);
  return count;
}

/**
 * Whether a text has rare features that the two parsers read differently: directives, tags, and keys that are empty, null, lists or
 * mappings. Looks at each line alone: on megabytes of text V8 would switch to its linear engine, which needs a kilobyte for each character.
 */
function isUnusual(text: string): boolean {
  for (let start = 0, end = 0; end >= 0; start = end + 1) {
    end = text.indexOf('\n', start);
    if (UNUSUAL.test(text.slice(start, end < 0 ? undefined : end))) return true;
  }
  return false;
}

const UNUSUAL = new RegExp(
  [
    '^%',
    '^[ \\t]*(?:-[ \\t]+)*(?:!|[:?](?:[ \\t\\r]|$)|[[{].*[\\]}][ \\t]*:)',
    '[-:,[{][ \\t]+!',
    '(?:^|[ \\t{,])(?:~|null|Null|NULL)[ \\t]*:(?:[ \\t\\r]|$)',
    '[{,][ \\t]*:[ \\t\\r]',
  ].join('|'),
);
