import { isObject, resolveReference, schemaItems, schemaProperties } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { hasMarkedMember } from './has-marked-member.ts';

/** Adds defaults to the objects and lists in an entity, but not to the entity itself. */
export type FillDefaults = (entity: Entity) => Entity;

/** The defaults of some properties. */
export function defaultsOf(root: unknown, members: ReadonlyMap<string, unknown>): Entity {
  return Object.fromEntries(
    [...members].flatMap(([name, node]) => {
      const schema = resolveReference(root, node);
      return isObject(schema) && schema.default !== undefined ? [[name, schema.default]] : [];
    }),
  );
}

/** Builds the function for the schema of a request body; `undefined` where no nested member has a default. */
export function buildFillDefaults(root: unknown, schema: unknown): FillDefaults | undefined {
  const properties = schemaProperties(root, schema);
  if (![...properties.values()].some((node) => hasMarkedMember(root, node, 'default'))) return undefined;
  const fill = (node: unknown, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(schemaItems(root, node), item));
    if (!isObject(value)) return value;
    const members = schemaProperties(root, node);
    // A default is taken from the document as it is, without further defaults in it.
    return { ...defaultsOf(root, members), ...fillMembers(members, value) };
  };
  const fillMembers = (members: ReadonlyMap<string, unknown>, value: Entity): Entity =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fill(members.get(name), member)]),
    );
  return (entity) => fillMembers(properties, entity);
}
