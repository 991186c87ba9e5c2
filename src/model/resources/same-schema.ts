import { once } from '../../base/once.ts';
import { type Schema, type SchemaNode, toSchemaText } from '../../schema/schema.ts';

/** Whether two schemas are the same component, or have the same text where one of them is inline. */
export function isSameSchema(one: SchemaNode, other: SchemaNode): boolean {
  return isSame(toComparable(one), toComparable(other));
}

/** A schema with its references followed. */
interface ComparableSchema {
  readonly keywords: Schema;
  readonly isComponent: boolean;
  /** Its properties. */
  readonly names: () => string;
  /** Schemas with the same text accept the same values. */
  readonly text: () => string;
}

function toComparable(schema: SchemaNode): ComparableSchema {
  const { keywords } = schema;
  const isComponent = schema.target !== schema;
  return {
    keywords,
    isComponent,
    names: once(() => [...schema.sharedProperties.keys()].sort().join(' ')),
    // The name of a component is among its keywords.
    text: once(() => toSchemaText(isComponent ? { ...keywords, key: undefined } : keywords)),
  };
}

function isSame(one: ComparableSchema, other: ComparableSchema): boolean {
  if (one.keywords === other.keywords) return true;
  if (one.isComponent && other.isComponent) return false;
  return one.names() === other.names() && one.text() === other.text();
}

/**
 * Finds candidates by schema, in their order, without comparing it with each of them. A component equals no other component, so the
 * properties of components are read only where a schema is inline.
 */
export function indexBySchema<T extends { readonly schema: SchemaNode }>(
  candidates: readonly T[],
): (schema: SchemaNode) => readonly T[] {
  const all = candidates.map((candidate, at) => ({ candidate, at, schema: toComparable(candidate.schema) }));
  const byKeywords = group(all, ({ schema }) => schema.keywords);
  const byNames = once(() => group(all, ({ schema }) => schema.names()));
  const inlineByNames = once(() =>
    group(
      all.filter(({ schema }) => !schema.isComponent),
      ({ schema }) => schema.names(),
    ),
  );
  return (schema) => {
    const wanted = toComparable(schema);
    const same = byKeywords.get(wanted.keywords) ?? [];
    const index = wanted.isComponent ? inlineByNames() : byNames();
    const alike = index.size === 0 ? [] : (index.get(wanted.names()) ?? []);
    const equal = alike.filter((each) => !same.includes(each) && isSame(each.schema, wanted));
    const found = equal.length === 0 ? same : [...same, ...equal].sort((one, other) => one.at - other.at);
    return found.map(({ candidate }) => candidate);
  };
}

function group<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const alike = groups.get(key);
    if (alike) alike.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
