import { isObject, type SchemaNode } from '../../schema/schema.ts';
import type { Resource } from './model.ts';
import { toSnake } from './snake-case.ts';

/** The place of an entity's link to itself. */
export interface SelfLink {
  /** The member that holds it: `_links`, `links` or the link itself. */
  readonly property: string;
  /** How the member holds it: as its value, in an object of links by relation, or in a list of links. */
  readonly form: 'plain' | 'relations' | 'list';
  /** Whether a link is an object, whose `href` has the target. */
  readonly isObject: boolean;
  /** Whether the document leaves the relations open. */
  readonly isOpen: boolean;
}

/** Finds the link of an entity to itself: `_links.self.href` (HAL), `links.self` (JSON:API), or a list of links with `rel`. */
export function findSelfLink({ sharedProperties }: SchemaNode): SelfLink | undefined {
  for (const property of ['_links', 'links', 'link']) {
    const found = findIn(property, sharedProperties.get(property));
    if (found) return found;
  }
  return undefined;
}

function findIn(property: string, schema: SchemaNode | undefined): SelfLink | undefined {
  if (!schema) return undefined;
  const { items, types, sharedProperties: relations } = schema;
  const isList = types.includes('array') && items?.sharedProperties.has('rel') === true;
  if (isList && hasHref(items)) return { property, form: 'list', isObject: true, isOpen: true };
  const self = relations.get('self') ?? schema.additionalProperties;
  if (!self || !(hasHref(self) || self.types.includes('string'))) return undefined;
  return { property, form: 'relations', isObject: hasHref(self), isOpen: relations.size === 0 };
}

function hasHref(schema: SchemaNode | undefined): boolean {
  return schema?.sharedProperties.get('href')?.types.includes('string') ?? false;
}

/**
 * Finds a text property that links to its entity. A `url` does only if clients cannot set it and the entity shows no key, or if its
 * example leads to an item of the collection.
 */
export function findPlainSelfLink(
  { sharedProperties }: SchemaNode,
  { word, showsKey }: { readonly word: string; readonly showsKey: boolean },
): SelfLink | undefined {
  for (const [property, schema] of sharedProperties) {
    const name = toSnake(property).replace(/^_/, '');
    const { types, keywords } = schema;
    const isText = types.length === 1 && types[0] === 'string' && keywords.enum === undefined;
    if (!isText) continue;
    const isSelf = OWN_NAMES.test(name) || (name === 'url' && (!showsKey || leadsToItem(schema, word)));
    if (isSelf) return { property, form: 'plain', isObject: false, isOpen: false };
  }
  return undefined;
}

const OWN_NAMES = /^(self|href|self_(link|url|uri|href)|resource_ur[il])$/;

/** Whether an example of a link ends in the name of a collection and a key. */
function leadsToItem({ keywords: { examples } }: SchemaNode, word: string): boolean {
  const list: readonly unknown[] = Array.isArray(examples) ? examples : [];
  return list.some((each) => lastSegments(each)[0] === word);
}

/** Reads the key from the link of an example to itself: the last segment of its path, below the name of the collection. */
export function keyInSelfLink(
  { schema, key, collectionPath }: Pick<Resource, 'schema' | 'key' | 'collectionPath'>,
  example: Readonly<Record<string, unknown>>,
): string | number | undefined {
  const word = collectionPath.split('/').at(-1) ?? '';
  const link = findSelfLink(schema) ?? findPlainSelfLink(schema, { word, showsKey: false });
  const target = link && readHref(example[link.property], link);
  const [name, text] = lastSegments(target);
  if (name !== word) return undefined;
  if (key?.type !== 'integer') return text;
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function readHref(member: unknown, { form }: SelfLink): unknown {
  const isSelf = (each: unknown) => isObject(each) && each.rel === 'self';
  const own = form === 'relations' && isObject(member) ? member.self : member;
  const link = Array.isArray(own) ? own.find(isSelf) : own;
  return isObject(link) ? link.href : link;
}

/** The last two segments of a link's path. */
function lastSegments(link: unknown): (string | undefined)[] {
  const path = typeof link === 'string' ? link.replace(/[?#{].*$/, '').replace(/\/$/, '') : '';
  try {
    return path.split('/').slice(-2).map(decodeURIComponent);
  } catch {
    return [];
  }
}
