import { isMarked, isObject, resolveReference, schemaItems, schemaProperties } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { hasInside } from './inside.ts';

/** A copy of an entity without what goes the other way, however deep it is. */
export type Hide = (value: unknown) => unknown;

/** An entity whose inner readOnly members are those of the first of `sources` that has them. */
export type Settle = (entity: Entity, sources: () => readonly unknown[]) => Entity;

/** Takes out what is writeOnly; `undefined` where the schema has nothing of the kind. */
export function buildHide(root: unknown, schema: unknown): Hide | undefined {
  if (!hasInside(root, schema, 'writeOnly')) return undefined;
  const hide = (node: unknown, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => hide(schemaItems(root, node), item));
    if (!isObject(value)) return value;
    const members = membersOf(root, node);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const own = members.get(name);
        return isMarked(root, own, 'writeOnly') ? [] : [[name, hide(own, member)] as const];
      }),
    );
  };
  return (value) => hide(schema, value);
}

/** Sets readOnly members inside objects and lists, where no client sets them; `undefined` where the schema has none there. */
export function buildSettle(root: unknown, schema: unknown): Settle | undefined {
  const inner = membersOf(root, schema);
  if (![...inner.values()].some((node) => hasInside(root, node, 'readOnly'))) return undefined;
  const settle = (node: unknown, value: unknown, sources: readonly unknown[]): unknown => {
    if (Array.isArray(value)) {
      const items = schemaItems(root, node);
      return value.map((item, index) =>
        settle(
          items,
          item,
          sources.map((each) => itemOf(each, index)),
        ),
      );
    }
    if (!isObject(value)) return value;
    const members = membersOf(root, node);
    const marked = [...members.keys()].filter((name) => isMarked(root, members.get(name), 'readOnly'));
    const asked = Object.entries(value).flatMap(([name, member]) =>
      marked.includes(name)
        ? []
        : [
            [
              name,
              settle(
                members.get(name),
                member,
                sources.map((each) => memberOf(each, name)),
              ),
            ] as const,
          ],
    );
    const given = marked.flatMap((name) => {
      const found = sources.map((each) => memberOf(each, name)).find((each) => each !== undefined);
      return found === undefined ? [] : [[name, found] as const];
    });
    return Object.fromEntries([...asked, ...given]);
  };
  return (entity, sources) => {
    const found = sources();
    return Object.fromEntries(
      Object.entries(entity).map(([name, member]) => [
        name,
        settle(
          inner.get(name),
          member,
          found.map((each) => memberOf(each, name)),
        ),
      ]),
    );
  };
}

/** The properties of a schema and of its alternatives. */
function membersOf(root: unknown, schema: unknown): Map<string, unknown> {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return new Map();
  const alternatives = [resolved.oneOf, resolved.anyOf].filter(Array.isArray).flat();
  const maps = [...alternatives, resolved].map((part) => schemaProperties(root, part));
  return new Map(maps.flatMap((properties) => [...properties]));
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function itemOf(value: unknown, index: number): unknown {
  return Array.isArray(value) && value.length > 0 ? value[index % value.length] : undefined;
}
