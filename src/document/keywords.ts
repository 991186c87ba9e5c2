import { explainHazard } from '../base/pattern/pattern.ts';
import { isMapping } from './mapping.ts';

/** The values that a schema keyword may have. */
export type Keyword =
  /** Schemas: one, one or a list, a list, or a mapping by name. */
  | { readonly holds: 'schema' | 'schema or list' | 'list' | 'mapping' }
  /** A mapping of scalars, in which validators would look for schemas. */
  | { readonly holds: 'facts' }
  /** Nothing that a validator needs. */
  | { readonly holds: 'nothing' }
  /** A value; `expects` describes usable ones, and `matters` is whether ignoring it deserves a diagnostic. */
  | {
      readonly holds: 'value';
      readonly expects: string;
      readonly matters: boolean;
      isUsable(value: unknown): boolean;
      /** The reason to ignore a usable value. */
      explainHazard?(value: unknown): string | undefined;
    };

/**
 * The keywords that can break a validator, with their possible values. Other keywords do not affect it.
 */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...holding('mapping', 'properties patternProperties $defs definitions dependentSchemas'),
  ...holding('list', 'allOf anyOf oneOf prefixItems'),
  ...holding('schema or list', 'items'),
  ...holding(
    'schema',
    'additionalProperties additionalItems not if then else contains propertyNames unevaluatedProperties unevaluatedItems',
  ),
  // References resolve by their place alone, and every schema is read in the same dialect.
  ...holding(
    'nothing',
    '$id id $schema $anchor $vocabulary $async $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor',
  ),
  ...holding('facts', 'xml discriminator'),
  ...values('a type, or a list of them', isType, 'type'),
  ...values('a list that is not empty', isFilled, 'enum'),
  ...values('a list of names', isNames, 'required'),
  [
    'pattern',
    {
      holds: 'value',
      expects: 'a regular expression',
      matters: true,
      isUsable: (value) => toUnicodePattern(value) !== undefined,
      explainHazard: (value) => explainHazard(toUnicodePattern(value) ?? ''),
    },
  ],
  ...values('a string', (value) => typeof value === 'string', 'format'),
  ...values('a number greater than 0', (value) => isFiniteNumber(value) && value > 0, 'multipleOf'),
  ...values('a number', isFiniteNumber, 'minimum maximum'),
  ...values(
    'a number, true or false',
    (value) => isFiniteNumber(value) || typeof value === 'boolean',
    'exclusiveMinimum exclusiveMaximum',
  ),
  ...values(
    'an integer of at least 0',
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
  ...values('a string', (value) => typeof value === 'string', 'title description $comment', false),
  ...values('anything', () => true, 'const default example'),
  ...values('a string', (value) => typeof value === 'string', 'contentMediaType contentEncoding'),
]);

/**
 * Rewrites a regular expression for validators, which compile it with the flag `u`: removes needless escapes (`\@`, `\-`), which
 * this flag forbids, and replaces `\A` and `\z` by `^` and `$`. Returns `undefined` if the result is still invalid.
 */
export function toUnicodePattern(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isRegExp(value)) return value;
  const strict = withoutNeedlessEscapes(value);
  return isRegExp(strict) ? strict : undefined;
}

const TYPE_NAMES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

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
  if (!Array.isArray(value)) return TYPE_NAMES.has(value);
  return value.length > 0 && isSet(value) && value.every((each) => TYPE_NAMES.has(each));
}

/** `some` skips the holes of a list given in process. */
function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => item !== undefined);
}

function isNames(value: unknown): value is string[] {
  // Copied, because `every` skips the holes of a list given in process.
  return Array.isArray(value) && [...value].every((name) => typeof name === 'string');
}

function isSet(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length;
}

function isFiniteNumber(value: unknown): value is number {
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

/** The anchors of other languages. */
const FOREIGN_ENDS: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '$' };

/** Removes escapes that mean nothing. In `[...]`, a hyphen after a class such as `\w` is literal; elsewhere no hyphen needs an escape. */
function withoutNeedlessEscapes(pattern: string): string {
  let inBrackets = false;
  return pattern.replace(/\\(.)|(?<=\\[wWdDsS])-(?!\])|[[\]]/gsu, (found, escaped: string | undefined) => {
    if (found === '[') inBrackets = true;
    if (found === ']') inBrackets = false;
    if (found === '-') return inBrackets ? '\\-' : found;
    return escaped === undefined ? found : toStrictEscape(escaped, inBrackets);
  });
}

function toStrictEscape(escaped: string, inBrackets: boolean): string {
  if (!inBrackets && Object.hasOwn(FOREIGN_ENDS, escaped)) return FOREIGN_ENDS[escaped] ?? '';
  const means = /[a-zA-Z\d^$\\.*+?()[\]{}|/]/.test(escaped) || (escaped === '-' && inBrackets);
  return means ? `\\${escaped}` : escaped;
}
