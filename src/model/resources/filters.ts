import type { SchemaNode } from '../../schema/schema.ts';
import type { Resource } from './model.ts';
import { toSnake } from './snake-case.ts';
import { indexNames, toPlural, toSingular } from './words.ts';

/** The subject of a query parameter: a property, or a member of the objects in one. */
export interface FilterTarget {
  readonly property: string;
  readonly member?: string;
}

/** Finds what a parameter with a name and a schema selects by. */
interface FilterFinder {
  /** The property that has its name, in any spelling. */
  named(name: string): string | undefined;
  /** The other properties that it may refer to: `tag` to `tags`, `author_id` to the id of `author`, `filter[title]` to `title`. */
  referred(name: string, schema: SchemaNode): FilterTarget | undefined;
}

/** Creates a finder for the parameters of a resource's lists. */
export function createFilterFinder(resource: Pick<Resource, 'properties' | 'schema'>): FilterFinder {
  const nameOf = indexNames(resource.properties);
  const typesOf = (property: string) => resource.schema.at([property]).types;
  return {
    named: (name) => nameOf(name.replace(/\[\]$/, '')),
    referred(name, schema) {
      const bare = toBareName(name);
      const own = nameOf(bare);
      if (own !== undefined) return { property: own };
      const listed = nameOf(toPlural(bare));
      if (listed !== undefined && typesOf(listed).includes('array')) return { property: listed };
      const one = schema.types.includes('array') ? nameOf(toSingular(bare)) : nameOf(`${bare}_id`);
      if (one !== undefined && isAlike(schema, typesOf(one))) return { property: one };
      return findMember(resource, nameOf, bare, schema);
    },
  };
}

/** The name of a parameter in snake_case, without what says that it is a filter by equality: `filter[title]`, `title[eq]`. */
export function toBareName(name: string): string {
  return toSnake(name)
    .replace(/^(filters?|filter_by|where|criteria)_(?=.)/, '')
    .replace(/(?<=.)_(eq|equals|in)$/, '');
}

/** Finds the member of an object, or of the objects in a list, that a name such as `author_id` means. */
function findMember(
  { schema }: Pick<Resource, 'schema'>,
  nameOf: (name: string) => string | undefined,
  name: string,
  parameter: SchemaNode,
): FilterTarget | undefined {
  const [, base = '', kind = ''] = MEMBER.exec(name) ?? [];
  if (base === '') return undefined;
  const property = nameOf(base) ?? nameOf(toPlural(base));
  if (property === undefined) return undefined;
  const node = schema.at([property]);
  const { sharedProperties, types } = node.items ?? node;
  const member = indexNames(sharedProperties.keys())(kind.replace(/s$/, ''));
  if (member !== undefined) return { property, member };
  const isText = types.length > 0 && !types.includes('object');
  return isText && isAlike(parameter, types) ? { property } : undefined;
}

/** A name that ends in what identifies an entity. */
const MEMBER = /^(.+)_(ids?|uuid|name|slug|username|login|email|key|code)$/;

function isAlike({ types, items }: SchemaNode, others: readonly string[]): boolean {
  const own = types.includes('array') ? (items?.types ?? []) : types;
  return own.some((type) => others.includes(type));
}
