import type { Ajv, ErrorObject, SchemaValidateFunction } from 'ajv';
import { isInt64, isMultiple, withBigs } from '../base/number.ts';
import type { Schema } from './reader.ts';
import { isObject } from './reference.ts';
import { createTwins } from './twins.ts';

/** Contains the keywords of a schema that Ajv cannot apply to a bigint. */
const KEYWORD = 'document:exact';

/** Keywords that Ajv itself still applies to JavaScript numbers. */
const BOUND_KEYWORDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
]);

/** Keywords applied here to every value. */
const REPLACED_KEYWORDS: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'uniqueItems']);

/** Keywords that map the document's own names to schemas. */
const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'dependencies',
  '$defs',
]);

/** Keywords with plain data, which may look like a schema. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'example', 'examples', 'x-stoplight']);

/**
 * A copy of a schema that compares integers beyond 2^53-1 exactly. Its values must come from `withBigs`, and its Ajv needs
 * `addExactKeyword`.
 */
export function toExactSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toExactSchema);
  if (!isObject(node)) return node;
  const entries = Object.entries(node);
  const judged = entries.filter(([key]) => REPLACED_KEYWORDS.has(key) || BOUND_KEYWORDS.has(key));
  const rest = entries.flatMap(([key, value]) => {
    if (REPLACED_KEYWORDS.has(key)) return [];
    if (DATA_KEYWORDS.has(key)) return [[key, value]];
    return [[key, SCHEMA_MAP_KEYWORDS.has(key) ? toExactMembers(value) : toExactSchema(value)]];
  });
  return Object.fromEntries(judged.length === 0 ? rest : [...rest, [KEYWORD, Object.fromEntries(judged)]]);
}

function toExactMembers(members: unknown): unknown {
  if (!isObject(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, toExactSchema(schema)]));
}

/** Adds the keyword of `toExactSchema`. */
export function addExactKeyword(ajv: Ajv): Ajv {
  return ajv.addKeyword({ keyword: KEYWORD, errors: true, compile: buildExactCheck });
}

type KeywordError = Pick<ErrorObject, 'keyword' | 'params' | 'message'>;

function buildExactCheck(schema: Schema): SchemaValidateFunction {
  const checks = [buildTypeCheck, buildEnumCheck, buildConstCheck, buildUniqueCheck].flatMap(
    (build) => build(schema) ?? [],
  );
  const checkBounds = buildBoundsCheck(schema);
  const check: SchemaValidateFunction = (value: unknown) => {
    const errors = checks.flatMap((each) => each(value) ?? []);
    if (typeof value === 'bigint') errors.push(...checkBounds(value));
    check.errors = errors;
    return errors.length === 0;
  };
  return check;
}

type Check = (value: unknown) => KeywordError | undefined;

function buildTypeCheck({ type }: Schema): Check | undefined {
  if (type === undefined) return undefined;
  const types: readonly unknown[] = [type].flat();
  return (value) =>
    typesOf(value).some((each) => types.includes(each)) ? undefined : { keyword: 'type', params: { type } };
}

function typesOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  return whole ? ['integer', 'number'] : [typeof value];
}

function buildEnumCheck({ enum: members }: Schema): Check | undefined {
  if (!Array.isArray(members)) return undefined;
  const allowed = new Set(members.map((member) => toComparableText(withBigs(member))));
  return (value) =>
    allowed.has(toComparableText(value))
      ? undefined
      : { keyword: 'enum', params: { allowedValues: members } };
}

function buildConstCheck(schema: Schema): Check | undefined {
  if (!Object.hasOwn(schema, 'const')) return undefined;
  const only = toComparableText(withBigs(schema.const));
  return (value) =>
    toComparableText(value) === only
      ? undefined
      : { keyword: 'const', params: {}, message: 'must be equal to constant' };
}

function buildUniqueCheck({ uniqueItems }: Schema): Check | undefined {
  if (uniqueItems !== true) return undefined;
  return (value) =>
    Array.isArray(value) && createTwins().find(value)
      ? { keyword: 'uniqueItems', params: { value } }
      : undefined;
}

/** Two values have the same text if and only if they are the same JSON value. */
function toComparableText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (!isObject(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toComparableText).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${toComparableText(value[name])}`).join(',')}}`;
}

type Comparison = readonly [keyword: string, sign: string, holds: (value: bigint, bound: number) => boolean];

const COMPARISONS: readonly Comparison[] = [
  ['minimum', '>=', (value, bound) => value >= bound],
  ['maximum', '<=', (value, bound) => value <= bound],
  ['exclusiveMinimum', '>', (value, bound) => value > bound],
  ['exclusiveMaximum', '<', (value, bound) => value < bound],
];

function buildBoundsCheck(schema: Schema): (value: bigint) => readonly KeywordError[] {
  const { format, multipleOf } = schema;
  const comparisons = COMPARISONS.flatMap(([keyword, sign, holds]) => {
    const bound = schema[keyword];
    return typeof bound !== 'number' || isAddedBound(schema, keyword)
      ? []
      : [{ keyword, sign, holds, bound }];
  });
  return (value) => {
    if (format === 'int32' || (format === 'int64' && !isInt64(value)))
      return [{ keyword: 'range', params: {}, message: `must be an integer within ${format}` }];
    const broken = comparisons.filter(({ holds, bound }) => !holds(value, bound));
    const errors = broken.map(({ keyword, sign, bound }): KeywordError => {
      return { keyword, params: {}, message: `must be ${sign} ${bound}` };
    });
    if (typeof multipleOf !== 'number' || isMultiple(value, multipleOf)) return errors;
    return [...errors, { keyword: 'multipleOf', params: {}, message: `must be multiple of ${multipleOf}` }];
  };
}

/**
 * Whether the conversion of the document added a bound. It limits each int64 to ±(2^53-1), in place of any wider bounds in the
 * document.
 */
export function isAddedBound(schema: Schema, keyword: string): boolean {
  return schema.format === 'int64' && schema[keyword] === ADDED_BOUNDS[keyword];
}

const ADDED_BOUNDS: Readonly<Record<string, number>> = {
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};
