import type { SchemaNode } from '../../schema/schema.ts';
import type { Resource, ResourceModel } from './model.ts';
import { toSingular } from './words.ts';

/** A property that shows entities of another resource. */
export interface Embed {
  readonly property: string;
  readonly target: Resource;
  /** The schema of each embedded entity. */
  readonly schema: SchemaNode;
  readonly isList: boolean;
  /** The property of a body that has keys instead: `topicId`, `tag_ids`. */
  readonly keyNames: readonly string[];
  /** Whether the property has the name of the resource, and not only its schema. */
  readonly isNamed: boolean;
}

/** Finds the properties of a resource that show entities of another one: `tags` by its name, or `author` by the component `User`. */
export function findEmbeds(
  { resources }: Pick<ResourceModel, 'resources'>,
  { schema }: Pick<Resource, 'schema'>,
): Embed[] {
  const all = [...resources.values()];
  const bySingular = new Map(all.map((each) => [each.singular, each]));
  const bySchema = new Map(all.map((each) => [each.schema.keywords, each]));
  return [...schema.sharedProperties].flatMap(([property, node]) => {
    const isList = node.types.includes('array');
    const inner = isList ? node.items : node;
    if (!inner?.types.includes('object')) return [];
    const singular = toSingular(property);
    const named = bySingular.get(singular);
    const target = named ?? bySchema.get(inner.keywords);
    if (!target?.key || target.parents.length > 0) return [];
    const keyNames = [`${singular}_id`, ...(isList ? [`${singular}_ids`] : [])];
    return [{ property, target, schema: inner, isList, keyNames, isNamed: named !== undefined }];
  });
}

/** Picks the members of an entity that an embedding schema shows. */
export function pickShown(
  { allProperties: names }: SchemaNode,
  entity: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entity).filter(([name]) => names.size === 0 || names.has(name)));
}
