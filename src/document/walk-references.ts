import { isObject } from '../schema/schema.ts';
import { KEYWORDS } from './keywords.ts';
import type { Mapping } from './mapping.ts';
import type { Source } from './source.ts';

/** The content of a place: a schema, a list or mapping of schemas, or anything else. */
type NodeScope = 'schema' | 'schemas' | 'other';

type Visit = (reference: string) => void;

/** The nodes visited so far; not needed for a tree. */
type Seen = Set<object> | undefined;

/**
 * Whether every reference of a file leads into that file. Most documents are one file, and looking at their text is ten times as fast as
 * looking at every node. `false` where the text does not show it, as with an escaped `$ref`.
 */
export function isSelfContained({ text }: Source): boolean {
  if (text === undefined || ESCAPED_CHARACTER.test(text)) return false;
  for (let at = text.indexOf('$ref'); at >= 0; at = text.indexOf('$ref', at + 1)) {
    LOCAL_REFERENCE.lastIndex = at;
    if (!LOCAL_REFERENCE.test(text)) return false;
  }
  return true;
}

/** A `$ref` with a fragment alone, quoted, because `#` begins a comment in YAML. */
const LOCAL_REFERENCE = /\$ref["']?\s{0,9}:\s{0,9}["']#/y;

/** An escape that may write a character of `$ref`, or a break within it. */
const ESCAPED_CHARACTER = /\\(?:u00|U0000|x|\r?\n)/;

/**
 * Visits every possible reference of a file whose structure is not known yet. Skips data, in which `$ref` is only a name.
 */
export function walkReferences({ data, isTree }: Source, visit: Visit): void {
  walkNode(data, visit, 'other', '', isTree ? undefined : new Set());
}

function walkNode(node: unknown, visit: Visit, scope: NodeScope, name: string, seen: Seen): void {
  if (!isObject(node) || seen?.has(node)) return;
  seen?.add(node);
  if (!Array.isArray(node)) walkMapping(node, visit, scope, name, seen);
  else for (const item of node) walkNode(item, visit, scope === 'schemas' ? 'schema' : scope, '', seen);
}

function walkMapping(node: Mapping, visit: Visit, scope: NodeScope, name: string, seen: Seen): void {
  // The author names these members, so none of them is a keyword.
  const isNamed = scope === 'schemas' || (scope === 'other' && NAMING_KEYS.has(name));
  if (!isNamed && typeof node.$ref === 'string') visit(node.$ref);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (isObject(value) && (isNamed || !isData(key, scope)))
      walkNode(value, visit, memberScope(key, scope), key, seen);
  }
}

function isData(key: string, scope: NodeScope): boolean {
  return key.startsWith('x-') || (scope === 'schema' ? SCHEMA_DATA : OTHER_DATA).has(key);
}

function memberScope(key: string, scope: NodeScope): NodeScope {
  if (scope === 'schemas') return 'schema';
  if (scope === 'other') return key === 'schema' ? 'schema' : SCHEMA_MAPS.has(key) ? 'schemas' : 'other';
  const holds = KEYWORDS.get(key)?.holds;
  if (holds === 'mapping' || holds === 'list') return 'schemas';
  return holds === 'schema' || holds === 'schema or list' ? 'schema' : 'other';
}

const SCHEMA_MAPS = new Set(['schemas', 'definitions']);
const SCHEMA_DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'discriminator']);
const OTHER_DATA = new Set(['example', 'value', 'default', 'enum']);
const NAMING_KEYS = new Set('responses parameters examples headers paths requestBodies callbacks'.split(' '));
