import { isObject } from '../schema/schema.ts';
import type { Source } from './source.ts';

/** What a place in a document holds: a schema, a list or mapping of schemas, or anything else. */
type Kind = 'schema' | 'schemas' | 'other';

type Visit = (reference: string) => void;

/** What was visited already; nothing has to be remembered of a tree. */
type Seen = Set<object> | undefined;

/**
 * Calls back for whatever looks like a reference in a file of which it is not known yet what it holds. What is surely data, in
 * which `$ref` is only a name, is left alone.
 */
export function walkReferences({ data, isTree }: Source, visit: Visit): void {
  walk(data, visit, 'other', '', isTree ? undefined : new Set());
}

function walk(node: unknown, visit: Visit, kind: Kind, name: string, seen: Seen): void {
  if (!isObject(node) || seen?.has(node)) return;
  seen?.add(node);
  if (Array.isArray(node)) walkList(node, visit, kind, seen);
  else walkMapping(node, visit, kind, name, seen);
}

function walkList(items: readonly unknown[], visit: Visit, kind: Kind, seen: Seen): void {
  for (const item of items) walk(item, visit, kind === 'schemas' ? 'schema' : kind, '', seen);
}

function walkMapping(
  node: Readonly<Record<string, unknown>>,
  visit: Visit,
  kind: Kind,
  name: string,
  seen: Seen,
): void {
  // The members of these are named by the author, so that none of them is a keyword.
  const isNamed = kind === 'schemas' || (kind === 'other' && NAMING_KEYS.has(name));
  if (!isNamed && typeof node.$ref === 'string') visit(node.$ref);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (isObject(value) && (isNamed || !isData(key, kind)))
      walk(value, visit, memberKind(key, kind), key, seen);
  }
}

function isData(key: string, kind: Kind): boolean {
  return key.startsWith('x-') || (kind === 'schema' ? SCHEMA_DATA : OTHER_DATA).has(key);
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
