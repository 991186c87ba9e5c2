import type { Resource, ResourceModel } from '../resources/resources.ts';
import { indexNames, toSingular } from '../resources/resources.ts';
import type { SchemaNode } from '../schema/schema.ts';
import type { Entity, Store } from '../store/store.ts';
import { isJsonObject, memberOf } from './json-object.ts';

/** A property that shows entities of another resource. */
export interface Embed {
  readonly property: string;
  readonly target: Resource;
  /** The schema of each embedded entity. */
  readonly schema: SchemaNode;
  readonly isList: boolean;
  /** The property of a body with the keys instead: `categoryId`, `tag_ids`. */
  readonly keyNames: readonly string[];
}

/** Finds the properties of a resource that show entities of another one, such as `category` and `tags`. */
export function findEmbeds({ resources }: ResourceModel, { schema }: Pick<Resource, 'schema'>): Embed[] {
  const bySingular = new Map([...resources.values()].map((each) => [each.singular, each]));
  return [...schema.sharedProperties].flatMap(([property, node]) => {
    const isList = node.types.includes('array');
    const inner = isList ? node.items : node;
    const singular = toSingular(property);
    const target = bySingular.get(singular);
    if (!inner?.types.includes('object') || !target?.key || target.parents.length > 0) return [];
    const keyNames = [`${singular}_id`, ...(isList ? [`${singular}_ids`] : [])];
    return [{ property, target, schema: inner, isList, keyNames }];
  });
}

/** An entity with the stored entities in place of the keys or the parts of them that a body has. */
export function withEmbedded(embeds: readonly Embed[], store: Store, entity: Entity, body: unknown): Entity {
  if (embeds.length === 0 || !isJsonObject(body)) return entity;
  const nameOf = indexNames(Object.keys(body));
  const found = embeds.flatMap((embed) => {
    const keyName = embed.keyNames.map(nameOf).find((name) => name !== undefined);
    const given = body[embed.property] ?? (keyName === undefined ? undefined : body[keyName]);
    const embedded = embedOne(embed, store, given);
    return embedded === undefined ? [] : [[embed.property, embedded] as const];
  });
  return found.length === 0 ? entity : { ...entity, ...Object.fromEntries(found) };
}

function embedOne(embed: Embed, store: Store, given: unknown): unknown {
  if (!embed.isList) return Array.isArray(given) ? undefined : findStored(embed, store, given);
  if (!Array.isArray(given)) return undefined;
  const items = given.map((each) => findStored(embed, store, each) ?? each);
  return items.some((item, index) => item !== given[index]) ? items : undefined;
}

/** The stored entity of a key, or of an object with one, as its schema shows it. */
function findStored({ target, schema }: Embed, store: Store, given: unknown): unknown {
  const key = isJsonObject(given) ? memberOf(given, target.key?.property ?? '') : given;
  if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') return undefined;
  const stored = store.collection(target.name).get(String(key));
  if (!stored) return undefined;
  const names = schema.allProperties;
  const shown = Object.entries(stored).filter(([name]) => names.size === 0 || names.has(name));
  return { ...(isJsonObject(given) && given), ...Object.fromEntries(shown) };
}
