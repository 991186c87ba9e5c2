import { isObject, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';

/** Adds defaults to the objects and lists in an entity, but not to the entity itself. */
export type FillDefaults = (entity: Entity) => Entity;

/** The defaults of some properties. */
export function defaultsOf(members: SchemaNodes): Entity {
  return Object.fromEntries(
    [...members].flatMap(([name, { keywords }]) =>
      keywords.default === undefined ? [] : [[name, keywords.default]],
    ),
  );
}

/** Builds the function for the schema of a request body; `undefined` where no nested member has a default. */
export function buildFillDefaults({ properties }: SchemaNode): FillDefaults | undefined {
  if (![...properties.values()].some((node) => node.hasMarkedMember('default'))) return undefined;
  const fill = (node: SchemaNode | undefined, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(node?.items, item));
    if (!isObject(value) || !node) return value;
    // A default is taken from the document as it is, without further defaults in it.
    return { ...defaultsOf(node.properties), ...fillMembers(node.properties, value) };
  };
  const fillMembers = (members: SchemaNodes, value: Entity): Entity =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fill(members.get(name), member)]),
    );
  return (entity) => fillMembers(properties, entity);
}
