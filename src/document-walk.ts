import { isObject } from './schema.ts';

/** What a place in a document holds: a schema, a list or mapping of schemas, or anything else. */
export type Kind = 'schema' | 'schemas' | 'other';

/** A place in a document, seen from the walk that came there. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly kind: Kind;
}

/** Where every document begins. */
export const ROOT: Place = { path: [], kind: 'other' };

/** The place of a member. */
export function memberPlace(node: object, key: string, { path, kind }: Place): Place {
  if (Array.isArray(node))
    return { path: [...path, Number(key)], kind: kind === 'schemas' ? 'schema' : kind };
  return { path: [...path, key], kind: memberKind(key, kind) };
}

/** Whether a member is data, in which `$ref` is only a name. */
export function isData(key: string, { path, kind }: Place): boolean {
  if (kind === 'schemas' || isNamed({ path, kind })) return false;
  return key.startsWith('x-') || (kind === 'schema' ? SCHEMA_DATA : OTHER_DATA).has(key);
}

/** Whether the members of a place are named by the author, so that none of them is a keyword. */
export function isNamed({ path, kind }: Place): boolean {
  return kind === 'schemas' || (kind === 'other' && NAMING_KEYS.has(String(path.at(-1))));
}

/** The reference that a node is, if it is one. */
export function referenceOf(node: unknown, place: Place): string | undefined {
  if (!isObject(node) || Array.isArray(node) || isNamed(place)) return undefined;
  return typeof node.$ref === 'string' ? node.$ref : undefined;
}

/** Calls back for every reference of a document, with the place of its `$ref`. */
export function walkReferences(
  node: unknown,
  visit: (reference: string, path: readonly (string | number)[]) => void,
  place: Place = ROOT,
  seen: Set<object> = new Set(),
): void {
  if (!isObject(node) || seen.has(node)) return;
  seen.add(node);
  const reference = referenceOf(node, place);
  if (reference !== undefined) visit(reference, [...place.path, '$ref']);
  for (const [key, value] of Object.entries(node)) {
    if (!isData(key, place)) walkReferences(value, visit, memberPlace(node, key, place), seen);
  }
}

function memberKind(key: string, kind: Kind): Kind {
  if (kind === 'schemas') return 'schema';
  if (kind === 'other') return key === 'schema' ? 'schema' : SCHEMA_MAPS.has(key) ? 'schemas' : 'other';
  if (SUBSCHEMA_LISTS.has(key)) return 'schemas';
  return SUBSCHEMAS.has(key) ? 'schema' : 'other';
}

const SCHEMA_MAPS = new Set(['schemas', 'definitions']);
const SUBSCHEMA_LISTS = new Set([
  'properties',
  'patternProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const SUBSCHEMAS = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
]);
const SCHEMA_DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'discriminator']);
const OTHER_DATA = new Set(['example', 'value', 'default', 'enum']);
const NAMING_KEYS = new Set([
  'responses',
  'parameters',
  'examples',
  'headers',
  'paths',
  'requestBodies',
  'callbacks',
]);
