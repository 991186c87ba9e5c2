import { isObject, resolveReference, schemaItems, schemaProperties } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { hasInside } from './inside.ts';

/** An object with the defaults of the members that it lacks, and those of the objects and lists that it holds. */
export type FillIn = (entity: Entity) => Entity;

/** The defaults of some properties. */
export function defaultsOf(root: unknown, members: ReadonlyMap<string, unknown>): Entity {
  return Object.fromEntries(
    [...members].flatMap(([name, node]) => {
      const schema = resolveReference(root, node);
      return isObject(schema) && schema.default !== undefined ? [[name, schema.default]] : [];
    }),
  );
}

/** Fills in the defaults inside the members of an object that clients send; `undefined` where a schema has none there. */
export function buildFillIn(root: unknown, schema: unknown): FillIn | undefined {
  const members = schemaProperties(root, schema);
  if (![...members.values()].some((node) => hasInside(root, node, 'default'))) return undefined;
  const fill = (node: unknown, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(schemaItems(root, node), item));
    if (!isObject(value)) return value;
    const own = schemaProperties(root, node);
    // What a default holds is as the document has it.
    return { ...defaultsOf(root, own), ...fillMembers(own, value) };
  };
  const fillMembers = (own: ReadonlyMap<string, unknown>, value: Entity): Entity =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(own.get(name), member)]));
  return (entity) => fillMembers(members, entity);
}
