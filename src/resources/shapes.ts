import {
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
  schemaTypes,
  toSchemaText,
} from '../schema/schema.ts';
import { indexNames } from './words.ts';

/** Where an entity, or a list of entities, stands in an answer. */
export interface Shape {
  /** The properties that lead there; none where the answer is it. */
  readonly path: readonly string[];
  /** What an entity holds to there. */
  readonly schema: Schema;
}

/** The properties that an entity of a schema has, whichever of its alternatives it takes. */
export function entityProperties(root: unknown, schema: unknown): Map<string, unknown> {
  const own = schemaProperties(root, schema);
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return own;
  const alternatives = [resolved.oneOf, resolved.anyOf].find(Array.isArray) ?? [];
  const [first, ...others] = alternatives.map((each) => schemaProperties(root, each));
  const common = [...(first ?? [])].filter(([name]) => others.every((other) => other.has(name)));
  return new Map([...common, ...own]);
}

/** The one object of a schema that `isEntity` takes for an entity: the whole of it, or what one of its properties holds. */
export function findEntity(
  root: unknown,
  schema: Schema | undefined,
  isEntity: (properties: ReadonlyMap<string, unknown>) => boolean,
  names: readonly string[],
): Shape | undefined {
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
const LISTS = [
  'data',
  'items',
  'results',
  'result',
  'records',
  'entries',
  'content',
  'values',
  'list',
  'rows',
  'hits',
];
const CONTAINERS = ['data', '_embedded', 'result', 'response', 'payload', 'page'];

/** The list of a schema: the one that is called by one of `names` or by custom, else the only one that holds objects. */
export function findList(
  root: unknown,
  schema: Schema | undefined,
  names: readonly string[],
): Shape | undefined {
  const customary = findCustomaryList(root, schema, names);
  if (customary || !schema || !isObjectSchema(root, schema)) return customary;
  const lists = [...schemaProperties(root, schema)].flatMap(([name, member]) => {
    const items = itemsOf(root, member);
    return items && isObjectSchema(root, items) ? [{ path: [name], schema: items }] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** The list of a schema: an array, or the array in the property that is called by one of `names` or by custom. */
export function findCustomaryList(
  root: unknown,
  schema: unknown,
  names: readonly string[],
  depth = 0,
): Shape | undefined {
  const own = itemsOf(root, schema);
  if (own) return { path: [], schema: own };
  const properties = schemaProperties(root, schema);
  for (const [name, member] of byNames(properties, [...names, ...LISTS])) {
    const items = itemsOf(root, member);
    if (items) return { path: [name], schema: items };
  }
  if (depth > 0) return undefined;
  for (const [name, member] of byNames(properties, CONTAINERS)) {
    const inner = findCustomaryList(root, member, names, depth + 1);
    if (inner) return { path: [name, ...inner.path], schema: inner.schema };
  }
  return undefined;
}

/** Whether two schemas are one: the same component, or written alike where one of them is no component. */
export function isSameSchema(root: unknown, one: unknown, other: unknown): boolean {
  return isSame(root, toFound(root, one), toFound(root, other));
}

/** A schema, found behind its references. */
interface Found {
  readonly schema: unknown;
  readonly isComponent: boolean;
  /** Written without its name, which a component has among its keywords. */
  text?: string;
}

function toFound(root: unknown, schema: unknown): Found {
  const found = resolveReference(root, schema);
  return { schema: found, isComponent: found !== schema };
}

function isSame(root: unknown, one: Found, other: Found): boolean {
  if (one.schema === other.schema) return true;
  if (one.isComponent && other.isComponent) return false;
  return namesOf(root, one.schema) === namesOf(root, other.schema) && toText(one) === toText(other);
}

function toText(found: Found): string {
  const { key, ...unnamed } = found.schema as Record<string, unknown>;
  found.text ??= toSchemaText(found.isComponent ? unnamed : found.schema);
  return found.text;
}

/** Finds those of many that hold to a schema, without comparing it with each of them. */
export function indexBySchema<T extends { readonly schema: Schema }>(
  root: unknown,
  candidates: readonly T[],
): (schema: Schema) => readonly T[] {
  const byNames = new Map<string, { readonly candidate: T; readonly found: Found }[]>();
  for (const candidate of candidates) {
    const found = toFound(root, candidate.schema);
    const names = namesOf(root, found.schema);
    const alike = byNames.get(names) ?? [];
    alike.push({ candidate, found });
    byNames.set(names, alike);
  }
  return (schema) => {
    const wanted = toFound(root, schema);
    const alike = byNames.get(namesOf(root, wanted.schema)) ?? [];
    return alike.filter(({ found }) => isSame(root, found, wanted)).map(({ candidate }) => candidate);
  };
}

function namesOf(root: unknown, schema: unknown): string {
  return [...entityProperties(root, schema).keys()].sort().join(' ');
}

/** Whether a schema describes objects, in so many words or by its properties. */
export function isObjectSchema(root: unknown, schema: unknown): boolean {
  const types = schemaTypes(root, schema);
  return types.includes('object') || (types.length === 0 && entityProperties(root, schema).size > 0);
}

function itemsOf(root: unknown, schema: unknown): Schema | undefined {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved) || !isObject(resolved.items) || Array.isArray(resolved.items)) return undefined;
  return schemaTypes(root, resolved).includes('array') ? resolved.items : undefined;
}

/** The properties that are called by the names, in the order of the names. */
function byNames(properties: ReadonlyMap<string, unknown>, names: readonly string[]): [string, unknown][] {
  const nameOf = indexNames(properties.keys());
  const found = new Set(names.map(nameOf));
  return [...found].flatMap((name) => (name === undefined ? [] : [[name, properties.get(name)]]));
}
