import { isObject, readPointer } from './schema.ts';

/**
 * A copy of a document in which what the conversion stumbles over is mended: references to anything but components are
 * replaced by what they refer to, and `nullable` beside no `type`, which means nothing in OpenAPI 3.0 and which a
 * validator refuses to compile, is left out. The references of `document` must have been checked.
 */
export function prepareDocument(document: object): object {
  return prepare(document, '', { document, prepared: new Map() }) as object;
}

interface Preparation {
  readonly document: object;
  /** What was prepared already: references may lead in circles. */
  readonly prepared: Map<object, object>;
}

function prepare(node: unknown, parentKey: string, preparation: Preparation): unknown {
  if (!isObject(node)) return node;
  if (isForeignReference(node)) {
    return prepare(readPointer(preparation.document, node.$ref), parentKey, preparation);
  }
  const known = preparation.prepared.get(node);
  if (known) return known;
  const isList = Array.isArray(node);
  const copy = isList ? [] : {};
  preparation.prepared.set(node, copy);
  for (const [key, value] of Object.entries(node)) {
    if (isEmptyNullable(node, key)) continue;
    if (isLoneExample(node, key, parentKey)) {
      define(copy, 'examples', { default: { value } });
      continue;
    }
    const kept = isData(key, parentKey) ? value : prepare(value, isList ? parentKey : key, preparation);
    define(copy, key, kept);
  }
  return copy;
}

/** The `example` of a media type or parameter: the conversion would take a `$ref` in it for a reference. */
function isLoneExample(node: Record<string, unknown>, key: string, parentKey: string): boolean {
  return (
    key === 'example' && node.schema !== undefined && node.examples === undefined && !isNaming(parentKey)
  );
}

function isEmptyNullable(node: Record<string, unknown>, name: string): boolean {
  return name === 'nullable' && node.nullable === true && node.type === undefined;
}

/** Whether the value of a key is data, in which `$ref` is only a name, by the key and the key of its mapping. */
export function isData(key: string, parentKey: string): boolean {
  return !isNaming(parentKey) && (DATA_KEYS.has(key) || key.startsWith('x-'));
}

/** Whether the members of a key's mapping are named by the author, so that none of them is a keyword. */
export function isNaming(key: string): boolean {
  return NAMING_KEYS.has(key);
}

const DATA_KEYS = new Set(['example', 'value', 'default', 'enum', 'const']);
const NAMING_KEYS = new Set([
  'properties',
  'schemas',
  'responses',
  'parameters',
  'examples',
  'headers',
  'paths',
  'requestBodies',
]);

function isForeignReference(node: object): node is { $ref: string } {
  return '$ref' in node && typeof node.$ref === 'string' && !node.$ref.startsWith('#/components/');
}

/** Assigning would give a member named `__proto__` a meaning. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
