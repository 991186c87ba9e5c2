import { explainHazard } from '../pattern/pattern.ts';
import { isMapping } from './note.ts';

/** What a keyword of a schema may hold. */
export type Keyword =
  /** Schemas: one, one or a list of them, a list, or a mapping of names to them. */
  | { readonly holds: 'schema' | 'schema or list' | 'list' | 'mapping' }
  /** Facts that validators only search for schemas. */
  | { readonly holds: 'facts' }
  /** Nothing that a validator has to know. */
  | { readonly holds: 'nothing' }
  /** A value; `expects` says in words what is usable, and `matters` whether something is lost without it. */
  | {
      readonly holds: 'value';
      readonly expects: string;
      readonly matters: boolean;
      isUsable(value: unknown): boolean;
      /** Why a usable value is not used all the same. */
      explainHazard?(value: unknown): string | undefined;
    };

/**
 * The keywords that a validator stumbles over, each with what it may hold. What is not in the table does not matter to it.
 */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...holding('mapping', 'properties patternProperties $defs definitions dependentSchemas'),
  ...holding('list', 'allOf anyOf oneOf prefixItems'),
  ...holding('schema or list', 'items'),
  ...holding(
    'schema',
    'additionalProperties additionalItems not if then else contains propertyNames unevaluatedProperties unevaluatedItems',
  ),
  // Here every reference is resolved by its place alone, and every schema is read as the one dialect.
  ...holding(
    'nothing',
    '$id id $schema $anchor $vocabulary $async $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor',
  ),
  ...holding('facts', 'xml discriminator'),
  ...values('a type, or a list of them', isType, 'type'),
  ...values('a list with something in it', isFilled, 'enum'),
  ...values('a list of names', isNames, 'required'),
  [
    'pattern',
    {
      holds: 'value',
      expects: 'a regular expression',
      matters: true,
      isUsable: (value) => toPattern(value) !== undefined,
      explainHazard: (value) => explainHazard(toPattern(value) ?? ''),
    },
  ],
  ...values('a word', (value) => typeof value === 'string', 'format'),
  ...values('a number above 0', (value) => isNumber(value) && value > 0, 'multipleOf'),
  ...values('a number', isNumber, 'minimum maximum'),
  ...values(
    'a number, true or false',
    (value) => isNumber(value) || typeof value === 'boolean',
    'exclusiveMinimum exclusiveMaximum',
  ),
  ...values(
    'a whole number from 0 on',
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    'minLength maxLength minItems maxItems minProperties maxProperties',
  ),
  ...values(
    'true or false',
    (value) => typeof value === 'boolean',
    'uniqueItems nullable readOnly writeOnly',
  ),
  ...values('a mapping of names to lists of names', isDependencies, 'dependencies'),
  ...values('a list', Array.isArray, 'examples'),
  ...values('a text', (value) => typeof value === 'string', 'title description $comment', false),
  ...values('anything', () => true, 'const default example'),
  ...values('a text', (value) => typeof value === 'string', 'contentMediaType contentEncoding'),
]);

/**
 * A regular expression as validators compile it, with the flag `u`. An escape that this flag forbids, and that means nothing
 * (`\@`, `\-`), is left out, and `\A` and `\z` are written as `^` and `$`. `undefined` for what is no regular expression.
 */
export function toPattern(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isRegExp(value)) return value;
  const strict = withoutNeedlessEscapes(value);
  return isRegExp(strict) ? strict : undefined;
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function holding(holds: Exclude<Keyword['holds'], 'value'>, names: string): [string, Keyword][] {
  return names.split(' ').map((name) => [name, { holds }]);
}

function values(
  expects: string,
  isUsable: (value: unknown) => boolean,
  names: string,
  matters = true,
): [string, Keyword][] {
  return names.split(' ').map((name) => [name, { holds: 'value', expects, isUsable, matters }]);
}

function isType(value: unknown): boolean {
  if (typeof value === 'string') return TYPES.has(value);
  if (!Array.isArray(value)) return false;
  return (
    value.length > 0 && isSet(value) && value.every((each) => typeof each === 'string' && TYPES.has(each))
  );
}

/** `some` skips what a list given as an object may lack. */
function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => item !== undefined);
}

function isNames(value: unknown): value is string[] {
  // Copied, since `every` skips what a list given as an object may lack.
  return Array.isArray(value) && [...value].every((name) => typeof name === 'string');
}

function isSet(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isDependencies(value: unknown): boolean {
  return isMapping(value) && Object.values(value).every((names) => isNames(names) && isSet(names));
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined;
  } catch {
    return false;
  }
}

/** How other languages write the beginning and the end of a text. */
const FOREIGN_ENDS: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '$' };

/** Character by character: inside of `[...]` a hyphen after a class such as `\w` is one, and outside none needs a backslash. */
function withoutNeedlessEscapes(pattern: string): string {
  let inside = false;
  return pattern.replace(/\\(.)|(?<=\\[wWdDsS])-(?!\])|[[\]]/gsu, (found, escaped: string | undefined) => {
    if (found === '[') inside = true;
    if (found === ']') inside = false;
    if (found === '-') return inside ? '\\-' : found;
    return escaped === undefined ? found : toStrictEscape(escaped, inside);
  });
}

function toStrictEscape(escaped: string, inside: boolean): string {
  if (!inside && Object.hasOwn(FOREIGN_ENDS, escaped)) return FOREIGN_ENDS[escaped] ?? '';
  const means = /[a-zA-Z\d^$\\.*+?()[\]{}|/]/.test(escaped) || (escaped === '-' && inside);
  return means ? `\\${escaped}` : escaped;
}
