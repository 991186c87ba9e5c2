import { readFraction, readInteger } from '../base/number.ts';
import { once } from '../base/once.ts';
import type { Schema, SchemaNode } from './reader.ts';
import { isObject } from './reference.ts';

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
  /** Whether it has alternatives, each of which may have a name of its own. */
  readonly varied: boolean;
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

const shapes = new WeakMap<SchemaNode, Shape>();

/** The shape of a schema; one that allows everything for a missing schema. Builds nested shapes on demand, because schemas may be recursive. */
export function toShape(schema: SchemaNode | undefined): Shape {
  if (!schema) return ANY_SHAPE;
  const known = shapes.get(schema) ?? buildShape(schema);
  shapes.set(schema, known);
  return known;
}

function buildShape(schema: SchemaNode): Shape {
  const { types, parts } = schema;
  const strongest = (key: string) => parts.findLast(({ definition }) => definition[key] !== undefined);
  const properties = once(
    () => new Map([...schema.allProperties].map(([name, member]) => [name, toShape(member)])),
  );
  const others = once(() => toShape(strongest('additionalProperties')?.additionalProperties));
  const items = once(() => toShape(strongest('items')?.items));
  const names = toNaming(schema);
  return {
    types,
    scalars: SCALAR_TYPES.filter((type) => types.includes(type)),
    format: strongest('format')?.definition.format as string | undefined,
    xml: names.flatMap(({ xml }) => (isObject(xml) ? [xml] : []))[0] ?? {},
    name: names.flatMap(({ key }) => (typeof key === 'string' ? [key] : []))[0],
    open: strongest('additionalProperties')?.definition.additionalProperties !== false,
    get varied() {
      return schema.branches.length > 0;
    },
    properties,
    member: (name) => properties().get(name) ?? others(),
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
  varied: false,
  properties: () => new Map(),
  member: () => ANY_SHAPE,
  items: () => ANY_SHAPE,
};

/** The sources of a schema's name: the schema, its target, and the only schema that it wraps. */
function toNaming({ definition, keywords, conjuncts }: SchemaNode): Schema[] {
  const { allOf, properties } = keywords;
  const wraps = Array.isArray(allOf) && allOf.length === 1 && properties === undefined;
  const wrapped = wraps ? conjuncts.at(-2)?.definition : undefined;
  return [definition, keywords, ...(wrapped ? [wrapped] : [])];
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
