import { isObject, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { memberOf, omit } from './json-object.ts';

/** Sets the nested readOnly members of an entity to those of the first of `sources` that has them. */
export type RestoreReadOnly = (entity: Entity, sources: () => readonly unknown[]) => Entity;

/** Builds the function for a schema; `undefined` where it has no readOnly members in its objects and lists. */
export function buildRestoreReadOnly({ allProperties }: SchemaNode): RestoreReadOnly | undefined {
  if (![...allProperties.values()].some((node) => node.hasMarkedMember('readOnly'))) return undefined;
  const restore = (node: SchemaNode | undefined, value: unknown, sources: readonly unknown[]): unknown => {
    if (Array.isArray(value)) {
      const sourcesOf = (index: number) => sources.map((source) => itemOf(source, index));
      return value.map((item, index) => restore(node?.items, item, sourcesOf(index)));
    }
    if (!isObject(value) || !node) return value;
    const members = node.allProperties;
    const readOnly = [...members].flatMap(([name, each]) => (each.isMarked('readOnly') ? [name] : []));
    const restored = readOnly.flatMap((name) => {
      const found = sources.map((source) => memberOf(source, name)).find((member) => member !== undefined);
      return found === undefined ? [] : [[name, found] as const];
    });
    return Object.fromEntries([...restoreMembers(members, omit(value, readOnly), sources), ...restored]);
  };
  const restoreMembers = (
    members: SchemaNodes,
    value: Entity,
    sources: readonly unknown[],
  ): (readonly [name: string, member: unknown])[] =>
    Object.entries(value).map(([name, member]) => {
      const inMember = sources.map((source) => memberOf(source, name));
      return [name, restore(members.get(name), member, inMember)];
    });
  return (entity, sources) => Object.fromEntries(restoreMembers(allProperties, entity, sources()));
}

function itemOf(value: unknown, index: number): unknown {
  return Array.isArray(value) && value.length > 0 ? value[index % value.length] : undefined;
}
