import {
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
  schemaTypes,
  toSchemaText,
} from '../schema/schema.ts';
import { indexNames } from './words.ts';

/** The position of an entity, or of a list of entities, in an answer. */
interface EntityShape {
  /** The properties that lead to it; empty if it is the whole answer. */
  readonly path: readonly string[];
  /** The schema of an entity. */
  readonly schema: Schema;
}

/** The properties of a schema, and those that all its alternatives share. */
export function entityProperties(root: unknown, schema: unknown): Map<string, unknown> {
  const own = schemaProperties(root, schema);
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return own;
  const alternatives = [resolved.oneOf, resolved.anyOf].find(Array.isArray) ?? [];
  const [first, ...others] = alternatives.map((each) => schemaProperties(root, each));
  const common = [...(first ?? [])].filter(([name]) => others.every((other) => other.has(name)));
  return new Map([...common, ...own]);
}

/** Finds the object that `isEntity` accepts: the whole value, or a property that `names` or a customary wrapper names. */
export function findEntityShape(
  root: unknown,
  schema: Schema | undefined,
  isEntity: (properties: ReadonlyMap<string, unknown>) => boolean,
  names: readonly string[],
): EntityShape | undefined {
  if (!schema || !isObjectSchema(root, schema)) return undefined;
  const properties = entityProperties(root, schema);
  if (isEntity(properties)) return { path: [], schema };
  for (const [name, member] of byNames(properties, [...names, ...WRAPPERS])) {
    if (isObjectSchema(root, member) && isEntity(entityProperties(root, member)))
      return { path: [name], schema: member as Schema };
  }
  return undefined;
}

const WRAPPERS = ['data', 'item', 'result', 'entity', 'payload', 'response'];
const LISTS = 'data items results result records entries content values list rows hits'.split(' ');
const CONTAINERS = ['data', '_embedded', 'result', 'response', 'payload', 'page'];

/** Finds the list under one of `names` or a customary name, else the only list of objects. */
export function findListShape(
  root: unknown,
  schema: Schema | undefined,
  names: readonly string[],
): EntityShape | undefined {
  const customary = findCustomaryListShape(root, schema, names);
  if (customary || !schema || !isObjectSchema(root, schema)) return customary;
  const lists = [...schemaProperties(root, schema)].flatMap(([name, member]) => {
    const items = itemsOf(root, member);
    return items && isObjectSchema(root, items) ? [{ path: [name], schema: items }] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** Finds the list if the schema is an array, or has one under one of `names` or a customary name. */
export function findCustomaryListShape(
  root: unknown,
  schema: unknown,
  names: readonly string[],
  depth = 0,
): EntityShape | undefined {
  const own = itemsOf(root, schema);
  if (own) return { path: [], schema: own };
  const properties = schemaProperties(root, schema);
  for (const [name, member] of byNames(properties, [...names, ...LISTS])) {
    const items = itemsOf(root, member);
    if (items) return { path: [name], schema: items };
  }
  if (depth > 0) return undefined;
  for (const [name, member] of byNames(properties, CONTAINERS)) {
    const inner = findCustomaryListShape(root, member, names, depth + 1);
    if (inner) return { path: [name, ...inner.path], schema: inner.schema };
  }
  return undefined;
}

/** Whether two schemas are the same component, or have the same text where one of them is inline. */
export function isSameSchema(root: unknown, one: unknown, other: unknown): boolean {
  return isSameResolved(root, toResolved(root, one), toResolved(root, other));
}

/** A schema with its references resolved. */
interface ResolvedSchema {
  readonly schema: unknown;
  readonly isComponent: boolean;
  /** Without the name that components have among their keywords. */
  text?: string;
}

function toResolved(root: unknown, schema: unknown): ResolvedSchema {
  const found = resolveReference(root, schema);
  return { schema: found, isComponent: found !== schema };
}

function isSameResolved(root: unknown, one: ResolvedSchema, other: ResolvedSchema): boolean {
  if (one.schema === other.schema) return true;
  if (one.isComponent && other.isComponent) return false;
  return (
    namesOf(root, one.schema) === namesOf(root, other.schema) &&
    toComparableText(one) === toComparableText(other)
  );
}

function toComparableText(found: ResolvedSchema): string {
  const { key, ...unnamed } = found.schema as Record<string, unknown>;
  found.text ??= toSchemaText(found.isComponent ? unnamed : found.schema);
  return found.text;
}

/** Finds candidates by schema without comparing it with each of them. */
export function indexBySchema<T extends { readonly schema: Schema }>(
  root: unknown,
  candidates: readonly T[],
): (schema: Schema) => readonly T[] {
  const byNames = new Map<string, { readonly candidate: T; readonly found: ResolvedSchema }[]>();
  for (const candidate of candidates) {
    const found = toResolved(root, candidate.schema);
    const names = namesOf(root, found.schema);
    const alike = byNames.get(names) ?? [];
    alike.push({ candidate, found });
    byNames.set(names, alike);
  }
  return (schema) => {
    const wanted = toResolved(root, schema);
    const alike = byNames.get(namesOf(root, wanted.schema)) ?? [];
    return alike.filter(({ found }) => isSameResolved(root, found, wanted)).map(({ candidate }) => candidate);
  };
}

function namesOf(root: unknown, schema: unknown): string {
  return [...entityProperties(root, schema).keys()].sort().join(' ');
}

/** Whether a schema describes objects, by its type or by its properties. */
export function isObjectSchema(root: unknown, schema: unknown): boolean {
  const types = schemaTypes(root, schema);
  return types.includes('object') || (types.length === 0 && entityProperties(root, schema).size > 0);
}

function itemsOf(root: unknown, schema: unknown): Schema | undefined {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || !isObject(resolved.items) || Array.isArray(resolved.items)) return undefined;
  return schemaTypes(root, resolved).includes('array') ? resolved.items : undefined;
}

/** The properties with these names, in the order of the names. */
function byNames(properties: ReadonlyMap<string, unknown>, names: readonly string[]): [string, unknown][] {
  const nameOf = indexNames(properties.keys());
  const found = new Set(names.map(nameOf));
  return [...found].flatMap((name) => (name === undefined ? [] : [[name, properties.get(name)]]));
}
