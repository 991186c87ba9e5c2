import { isMarked, isObject, schemaItems } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { hasMarkedMember } from './has-marked-member.ts';
import { memberOf, omit } from './json-object.ts';
import { memberSchemas } from './member-schemas.ts';

/** Sets the nested readOnly members of an entity to those of the first of `sources` that has them. */
export type RestoreReadOnly = (entity: Entity, sources: () => readonly unknown[]) => Entity;

/** Builds the function for a schema; `undefined` where it has no readOnly members in its objects and lists. */
export function buildRestoreReadOnly(root: unknown, schema: unknown): RestoreReadOnly | undefined {
  const properties = memberSchemas(root, schema);
  if (![...properties.values()].some((node) => hasMarkedMember(root, node, 'readOnly'))) return undefined;
  const restore = (node: unknown, value: unknown, sources: readonly unknown[]): unknown => {
    if (Array.isArray(value)) {
      const items = schemaItems(root, node);
      const sourcesOf = (index: number) => sources.map((source) => itemOf(source, index));
      return value.map((item, index) => restore(items, item, sourcesOf(index)));
    }
    if (!isObject(value)) return value;
    const members = memberSchemas(root, node);
    const readOnly = [...members.keys()].filter((name) => isMarked(root, members.get(name), 'readOnly'));
    const restored = readOnly.flatMap((name) => {
      const found = sources.map((source) => memberOf(source, name)).find((member) => member !== undefined);
      return found === undefined ? [] : [[name, found] as const];
    });
    return Object.fromEntries([...restoreMembers(members, omit(value, readOnly), sources), ...restored]);
  };
  const restoreMembers = (
    members: ReadonlyMap<string, unknown>,
    value: Entity,
    sources: readonly unknown[],
  ): (readonly [name: string, member: unknown])[] =>
    Object.entries(value).map(([name, member]) => {
      const inMember = sources.map((source) => memberOf(source, name));
      return [name, restore(members.get(name), member, inMember)];
    });
  return (entity, sources) => Object.fromEntries(restoreMembers(properties, entity, sources()));
}

function itemOf(value: unknown, index: number): unknown {
  return Array.isArray(value) && value.length > 0 ? value[index % value.length] : undefined;
}
