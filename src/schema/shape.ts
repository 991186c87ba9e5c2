import { readFraction, readInteger } from '../number.ts';
import { once } from '../once.ts';
import { isObject, resolveReference, schemaTypes } from './reader.ts';

/** The structure of a schema's values, for reading them from text and writing them as XML. */
export interface Shape {
  /** The types that it allows, without `null`; empty if it names none. */
  readonly types: readonly string[];
  /** The types of these that a text may be read as, in this order. */
  readonly scalars: readonly string[];
  readonly format: string | undefined;
  /** The `xml` object; empty if there is none. */
  readonly xml: XmlFacts;
  /** The name of its component. */
  readonly name: string | undefined;
  /** Whether it allows members beyond the named ones. */
  readonly open: boolean;
  /** The named members of all parts of the schema. */
  properties(): ReadonlyMap<string, Shape>;
  /** The shape of a named or additional member. */
  member(name: string): Shape;
  /** The shape of each item. */
  items(): Shape;
}

/** The `xml` object of a schema. */
interface XmlFacts {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
}

/** String comes last because it matches any text. */
const SCALAR_TYPES = ['integer', 'number', 'boolean', 'string'];

const shapes = new WeakMap<object, Shape>();

/** The shape of a schema in a document. Builds nested shapes on demand, because schemas may be recursive. */
export function toShape(root: unknown, schema: unknown): Shape {
  if (!isObject(schema)) return ANY_SHAPE;
  const known = shapes.get(schema) ?? buildShape(root, schema);
  shapes.set(schema, known);
  return known;
}

function buildShape(root: unknown, schema: Record<string, unknown>): Shape {
  const parts = toParts(root, schema);
  const types = schemaTypes(root, schema);
  const named = once(
    () =>
      new Map(
        parts
          .flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []))
          .map(([name, member]) => [name, toShape(root, member)]),
      ),
  );
  const others = once(() => toShape(root, strongest(parts, 'additionalProperties')));
  const items = once(() => toShape(root, strongest(parts, 'items')));
  const names = toNaming(root, schema);
  return {
    types,
    scalars: SCALAR_TYPES.filter((type) => types.includes(type)),
    format: strongest(parts, 'format') as string | undefined,
    xml: names.flatMap(({ xml }) => (isObject(xml) ? [xml] : []))[0] ?? {},
    name: names.flatMap(({ key }) => (typeof key === 'string' ? [key] : []))[0],
    open: strongest(parts, 'additionalProperties') !== false,
    properties: named,
    member: (name) => named().get(name) ?? others(),
    items,
  };
}

/** The shape of a missing schema. */
const ANY_SHAPE: Shape = {
  types: [],
  scalars: [],
  format: undefined,
  xml: {},
  name: undefined,
  open: true,
  properties: () => new Map(),
  member: () => ANY_SHAPE,
  items: () => ANY_SHAPE,
};

/** A schema and the parts that it is composed of, the weakest first. */
function toParts(
  root: unknown,
  schema: unknown,
  seen: ReadonlySet<unknown> = new Set(),
): Record<string, unknown>[] {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || seen.has(resolved)) return [];
  const below = [resolved.oneOf, resolved.anyOf, resolved.allOf].filter(Array.isArray).flat();
  const around = new Set([...seen, resolved]);
  return [...below.flatMap((part) => toParts(root, part, around)), resolved];
}

function strongest(parts: readonly Record<string, unknown>[], key: string): unknown {
  return parts.findLast((part) => part[key] !== undefined)?.[key];
}

/** The sources of a schema's name: the schema, its target, and the only schema that it wraps. */
function toNaming(root: unknown, schema: Record<string, unknown>): Record<string, unknown>[] {
  const resolved = resolveReference(root, schema) as Record<string, unknown>;
  const { allOf, properties } = resolved;
  const wrapped =
    Array.isArray(allOf) && allOf.length === 1 && properties === undefined ? allOf[0] : undefined;
  const inner = wrapped === undefined ? undefined : resolveReference(root, wrapped);
  return [schema, resolved, ...(isObject(inner) ? [inner] : [])];
}

/**
 * Reads a text as the first type that fits. Returns a bigint for an integer beyond 2^53-1, and the text itself if no type fits,
 * for the schema to refuse.
 */
export function toScalar(types: readonly string[], text: string): unknown {
  for (const type of types) {
    const value = SCALAR_READERS[type]?.(text);
    if (value !== undefined) return value;
  }
  return text;
}

const SCALAR_READERS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: readInteger,
  number: readFraction,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  string: (text) => text,
};
