import type { Ajv, ErrorObject, SchemaValidateFunction } from 'ajv';
import { isInt64, isMultiple, withBigs } from '../number.ts';
import { isObject, type Schema } from './reader.ts';
import { createTwins } from './twins.ts';

/** Holds the keywords of a schema that Ajv cannot apply to a bigint. */
const KEYWORD = 'document:exact';

/** Keywords that JavaScript numbers still go through in Ajv itself. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
]);

/** Keywords that every value goes through here. */
const REPLACED: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'uniqueItems']);

/** Keywords whose members are named by the document. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'dependencies',
  '$defs',
]);

/** Keywords that hold data, which may look like a schema. */
const DATA: ReadonlySet<string> = new Set(['default', 'example', 'examples', 'x-stoplight']);

/**
 * A copy of a schema that judges integers beyond 2^53-1 digit by digit. The values must come from `withBigs`, and the Ajv that
 * compiles it must know the keyword of `addExactKeyword`.
 */
export function toExactSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toExactSchema);
  if (!isObject(node)) return node;
  const entries = Object.entries(node);
  const judged = entries.filter(([key]) => REPLACED.has(key) || BOUNDS.has(key));
  const rest = entries.flatMap(([key, value]) => {
    if (REPLACED.has(key)) return [];
    if (DATA.has(key)) return [[key, value]];
    return [[key, MAPS.has(key) ? toExactMembers(value) : toExactSchema(value)]];
  });
  return Object.fromEntries(judged.length === 0 ? rest : [...rest, [KEYWORD, Object.fromEntries(judged)]]);
}

function toExactMembers(members: unknown): unknown {
  if (!isObject(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, toExactSchema(schema)]));
}

/** Adds the keyword that the schemas of `toExactSchema` have. */
export function addExactKeyword(ajv: Ajv): Ajv {
  return ajv.addKeyword({ keyword: KEYWORD, errors: true, compile: buildExactCheck });
}

type Finding = Pick<ErrorObject, 'keyword' | 'params' | 'message'>;

function buildExactCheck(schema: Schema): SchemaValidateFunction {
  const checks = [checkType, checkMembers, checkConst, checkUnique].flatMap((build) => build(schema) ?? []);
  const checkBounds = buildBoundsCheck(schema);
  const check: SchemaValidateFunction = (value: unknown) => {
    const findings = checks.flatMap((each) => each(value) ?? []);
    if (typeof value === 'bigint') findings.push(...checkBounds(value));
    check.errors = findings;
    return findings.length === 0;
  };
  return check;
}

type Check = (value: unknown) => Finding | undefined;

function checkType({ type }: Schema): Check | undefined {
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

function checkMembers({ enum: members }: Schema): Check | undefined {
  if (!Array.isArray(members)) return undefined;
  const allowed = new Set(members.map((member) => toText(withBigs(member))));
  return (value) =>
    allowed.has(toText(value)) ? undefined : { keyword: 'enum', params: { allowedValues: members } };
}

function checkConst(schema: Schema): Check | undefined {
  if (!Object.hasOwn(schema, 'const')) return undefined;
  const only = toText(withBigs(schema.const));
  return (value) =>
    toText(value) === only
      ? undefined
      : { keyword: 'const', params: {}, message: 'must be equal to constant' };
}

function checkUnique({ uniqueItems }: Schema): Check | undefined {
  if (uniqueItems !== true) return undefined;
  return (value) =>
    Array.isArray(value) && createTwins().find(value)
      ? { keyword: 'uniqueItems', params: { value } }
      : undefined;
}

/** A text that two values share if and only if JSON makes no difference between them. */
function toText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (!isObject(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${toText(value[name])}`).join(',')}}`;
}

type Comparison = readonly [keyword: string, sign: string, holds: (value: bigint, bound: number) => boolean];

const COMPARISONS: readonly Comparison[] = [
  ['minimum', '>=', (value, bound) => value >= bound],
  ['maximum', '<=', (value, bound) => value <= bound],
  ['exclusiveMinimum', '>', (value, bound) => value > bound],
  ['exclusiveMaximum', '<', (value, bound) => value < bound],
];

function buildBoundsCheck(schema: Schema): (value: bigint) => readonly Finding[] {
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
    const outside = comparisons.filter(({ holds, bound }) => !holds(value, bound));
    const findings = outside.map(({ keyword, sign, bound }): Finding => {
      return { keyword, params: {}, message: `must be ${sign} ${bound}` };
    });
    if (typeof multipleOf !== 'number' || isMultiple(value, multipleOf)) return findings;
    return [...findings, { keyword: 'multipleOf', params: {}, message: `must be multiple of ${multipleOf}` }];
  };
}

/**
 * Whether a bound of an int64 comes from the conversion of the document, which bounds each of them by ±(2^53-1). A bound of the
 * document itself that lies further out comes out the same and counts as added too.
 */
export function isAddedBound(schema: Schema, keyword: string): boolean {
  return schema.format === 'int64' && schema[keyword] === ADDED[keyword];
}

const ADDED: Readonly<Record<string, number>> = {
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};
