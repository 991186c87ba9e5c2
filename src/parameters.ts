import type { HttpParameter } from './document.ts';
import { isObject, resolveReference, type Schema, schemaTypes } from './schema.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** A declared parameter, with what was decided about it at load. */
export interface Parameter {
  readonly in: ParameterPlace;
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** Whether it is a primitive or a simple array in its default style, which `coerceParameter` reads in full. */
  readonly plain: boolean;
  /** Whether it is an array; its `types` are then those of the items. */
  readonly array: boolean;
  /** Whether an array is given by repeating the parameter instead of by commas. */
  readonly repeats: boolean;
  /** The types that a raw value is tried for, in this order; empty where the schema leaves it open. */
  readonly types: readonly string[];
}

const DEFAULT_STYLES: Record<ParameterPlace, string> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};
/** What the conversion makes of Swagger's `csv`, its default: an array is given by commas. */
const SWAGGER_STYLES = new Set(['unspecified', 'commaDelimited']);
/** Strings take anything, so they are tried last. */
const PRIMITIVE_TYPES = ['integer', 'number', 'boolean', 'string'];

/** Decides once how a parameter's raw values will be read. */
export function buildParameter(root: unknown, place: ParameterPlace, declared: HttpParameter): Parameter {
  const schema = declared.schema ?? {};
  const own = schemaTypes(root, schema);
  const array = own.length === 1 && own[0] === 'array';
  const resolved = resolveReference(root, schema);
  const types = array && isObject(resolved) ? schemaTypes(root, resolved.items) : own;
  const swagger = SWAGGER_STYLES.has(declared.style ?? '');
  const style = swagger ? DEFAULT_STYLES[place] : (declared.style ?? DEFAULT_STYLES[place]);
  return {
    in: place,
    name: place === 'header' ? declared.name.toLowerCase() : declared.name,
    required: place === 'path' || declared.required === true,
    schema,
    plain:
      declared.schema !== undefined &&
      style === DEFAULT_STYLES[place] &&
      types.every((type) => PRIMITIVE_TYPES.includes(type)) &&
      !(array && place === 'cookie'),
    array,
    repeats: place === 'query' && declared.explode !== false && !swagger,
    types: PRIMITIVE_TYPES.filter((type) => types.includes(type)),
  };
}

/**
 * The typed value of a parameter's raw ones. An integer beyond the exact range of a number comes as a bigint, so that it
 * never turns into another one. What cannot be read as the declared type stays a string, for the schema to refuse.
 */
export function coerceParameter(parameter: Parameter, raw: readonly string[]): unknown {
  if (!parameter.array) return coerce(parameter.types, raw[0] ?? '');
  const items = parameter.repeats ? raw : raw.flatMap((value) => (value === '' ? [] : value.split(',')));
  return items.map((item) => coerce(parameter.types, item));
}

function coerce(types: readonly string[], raw: string): unknown {
  for (const type of types) {
    const value = READERS[type]?.(raw);
    if (value !== undefined) return value;
  }
  return raw;
}

const READERS: Readonly<Record<string, (raw: string) => unknown>> = {
  integer: (raw) => readInteger(raw),
  number: (raw) => (NUMBER.test(raw) && Number.isFinite(Number(raw)) ? Number(raw) : undefined),
  boolean: (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined),
  string: (raw) => raw,
};

/** The JSON spelling of integers and numbers: no plus sign, no leading zeros, no other base, no blanks. */
const INTEGER = /^-?(0|[1-9]\d*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function readInteger(raw: string): number | bigint | undefined {
  if (!INTEGER.test(raw)) return undefined;
  const value = Number(raw);
  return Number.isSafeInteger(value) ? value : BigInt(raw);
}
