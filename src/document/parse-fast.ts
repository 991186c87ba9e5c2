import { createRequire } from 'node:module';
import type { Type } from 'js-yaml';
import { isObject } from '../schema/schema.ts';

const require = createRequire(import.meta.url);

/**
 * The data of a YAML or JSON text, several times faster than the parser that knows lines; `undefined` for a text that only
 * that one reads rightly: one with a mistake, with anchors, or with keys that are no plain scalars.
 */
export function parseQuickly(text: string): { readonly data: unknown } | undefined {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return /^\s*[[{]/.test(content) ? parseJson(content) : parseYaml(content);
}

const BYTE_ORDER_MARK = '\uFEFF';

function parseJson(text: string): { readonly data: unknown } | undefined {
  try {
    const data = JSON.parse(text) as object;
    // A key that comes twice is a mistake, which JSON.parse passes over.
    return countColons(text) === countMembers(data) ? { data } : undefined;
  } catch {
    // Not JSON, or not right: YAML may begin with a bracket too.
    return undefined;
  }
}

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/** The colons outside of strings, which are as many as there are members. */
function countColons(json: string): number {
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === COLON) count += 1;
    else if (code === QUOTE) index = findEnd(json, index);
  }
  return count;
}

/** The closing quote of the string that begins at `start`. */
function findEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}

/** Counts with `for in`, three times as fast as with lists of values; what comes out of JSON.parse inherits nothing. */
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

function parseYaml(text: string): { readonly data: unknown } | undefined {
  if (UNUSUAL.test(text)) return undefined;
  try {
    load ??= createLoad();
    return { data: load(text) ?? null };
  } catch {
    // The parser that knows lines tells what is wrong, or reads it after all.
    return undefined;
  }
}

/** Directives, tags, and keys that are empty, null, lists or mappings: what few documents have, and the two parsers read differently. */
const UNUSUAL = new RegExp(
  [
    '^%',
    '^[ \\t]*(?:-[ \\t]+)*(?:!|[:?](?:[ \\t\\r]|$)|[[{].*[\\]}][ \\t]*:)',
    '[-:,[{][ \\t]+!',
    '(?:^|[ \\t{,])(?:~|null|Null|NULL)[ \\t]*:(?:[ \\t\\r]|$)',
    '[{,][ \\t]*:[ \\t\\r]',
  ].join('|'),
  'm',
);

/** Aliases can be made into a bomb, against which only the other parser has a guard. */
function refuseAnchor(_: unknown, state: object): void {
  if ('anchor' in state && state.anchor) throw new Error('There is an anchor.');
}

let load: ((text: string) => unknown) | undefined;

/** js-yaml, which is loaded with the first text that is YAML. */
function createLoad(): (text: string) => unknown {
  const yaml = require('js-yaml') as typeof import('js-yaml');
  const schema = yaml.FAILSAFE_SCHEMA.extend({
    implicit: CORE.map(
      ([name, pattern, read]): Type =>
        new yaml.Type(`tag:yaml.org,2002:${name}`, {
          kind: 'scalar',
          // Where there is nothing at all, the text is null.
          resolve: (text: string | null) => pattern.test(text ?? ''),
          construct: (text: string | null) => read(text ?? ''),
        }),
    ),
  });
  return (text) => yaml.load(text, { schema, listener: refuseAnchor });
}

type Scalar = readonly [name: string, pattern: RegExp, read: (text: string) => unknown];

/** The core schema of YAML 1.2 to the letter; the one of js-yaml takes 1_000 and 0b1 for numbers too. */
const CORE: readonly Scalar[] = [
  ['null', /^(?:~|[Nn]ull|NULL)?$/, () => null],
  ['bool', /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/, (text) => /^t/i.test(text)],
  [
    'int',
    /^(?:0o[0-7]+|[-+]?[0-9]+|0x[0-9a-fA-F]+)$/,
    (text) => (/^0[ox]/.test(text) ? Number(text) : Number.parseInt(text, 10)),
  ],
  [
    'float',
    /^(?:[-+]?(?:(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN))$/,
    readFloat,
  ],
];

function readFloat(text: string): number {
  if (/inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number.parseFloat(text);
}
