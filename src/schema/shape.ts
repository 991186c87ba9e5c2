import { readFraction, readInteger } from '../number.ts';
import { isObject, resolveReference, schemaTypes } from './reader.ts';

/** What a schema says about the structure of a value: enough to read text into it, and to write it as XML. */
export interface Shape {
  /** The types that it allows, `null` left out; empty where it does not say. */
  readonly types: readonly string[];
  /** The types of these that a text is tried for, in this order. */
  readonly scalars: readonly string[];
  readonly format: string | undefined;
  /** The `xml` object; empty where there is none. */
  readonly xml: XmlFacts;
  /** The name of the component that it is. */
  readonly name: string | undefined;
  /** Whether members are allowed that are not named here. */
  readonly open: boolean;
  /** The named members, those of all parts of the schema. */
  properties(): ReadonlyMap<string, Shape>;
  /** The shape of a member, whether it is named or not. */
  member(name: string): Shape;
  /** The shape of each item. */
  items(): Shape;
}

/** The `xml` object of a schema. */
export interface XmlFacts {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
}

/** Strings take anything, so they are tried last. */
const SCALAR_TYPES = ['integer', 'number', 'boolean', 'string'];

const shapes = new WeakMap<object, Shape>();

/** The shape of a schema of a document. What lies below is looked at when it is asked for: schemas may be endless. */
export function toShape(root: unknown, schema: unknown): Shape {
  if (!isObject(schema)) return ANYTHING;
  const known = shapes.get(schema) ?? buildShape(root, schema);
  shapes.set(schema, known);
  return known;
}

function buildShape(root: unknown, schema: Record<string, unknown>): Shape {
  const parts = toParts(root, schema);
  const types = schemaTypes(root, schema);
  const named = lazily(
    () =>
      new Map(
        parts
          .flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []))
          .map(([name, member]) => [name, toShape(root, member)]),
      ),
  );
  const others = lazily(() => toShape(root, strongest(parts, 'additionalProperties')));
  const items = lazily(() => toShape(root, strongest(parts, 'items')));
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

/** A shape that says nothing. */
const ANYTHING: Shape = {
  types: [],
  scalars: [],
  format: undefined,
  xml: {},
  name: undefined,
  open: true,
  properties: () => new Map(),
  member: () => ANYTHING,
  items: () => ANYTHING,
};

/** A schema and everything that it is put together from, the weakest first. */
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

/** What may give a schema its name: it, what it refers to, and the one schema that it only wraps. */
function toNaming(root: unknown, schema: Record<string, unknown>): Record<string, unknown>[] {
  const resolved = resolveReference(root, schema) as Record<string, unknown>;
  const { allOf, properties } = resolved;
  const wrapped =
    Array.isArray(allOf) && allOf.length === 1 && properties === undefined ? allOf[0] : undefined;
  const inner = wrapped === undefined ? undefined : resolveReference(root, wrapped);
  return [schema, resolved, ...(isObject(inner) ? [inner] : [])];
}

/**
 * Reads a text as the first of some types that it fits. An integer beyond 2^53-1 comes back as a bigint, so it never turns into
 * another one. A text that fits none stays a string, for the schema to refuse.
 */
export function toScalar(types: readonly string[], text: string): unknown {
  for (const type of types) {
    const value = READERS[type]?.(text);
    if (value !== undefined) return value;
  }
  return text;
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: readInteger,
  number: readFraction,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  string: (text) => text,
};

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
