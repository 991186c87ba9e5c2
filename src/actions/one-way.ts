import { isMarked, isObject, resolveReference, schemaProperties } from '../schema.ts';
import type { Entity } from '../store.ts';

/** A copy of an entity without what goes the other way, however deep it is. */
export type Hide = (value: unknown) => unknown;

/** An entity whose inner readOnly members are those of the first of `sources` that has them. */
export type Settle = (entity: Entity, sources: () => readonly unknown[]) => Entity;

/** Takes out what is writeOnly; `undefined` where the schema has nothing of the kind. */
export function buildHide(root: unknown, schema: unknown): Hide | undefined {
  if (!hasMarked(root, schema, 'writeOnly')) return undefined;
  const hide = (node: unknown, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => hide(itemsOf(root, node), item));
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
  if (![...inner.values()].some((node) => hasMarked(root, node, 'readOnly'))) return undefined;
  const settle = (node: unknown, value: unknown, sources: readonly unknown[]): unknown => {
    if (Array.isArray(value)) {
      const items = itemsOf(root, node);
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

type Mark = 'readOnly' | 'writeOnly';

/** Schemas in which, and in all that they lead to, nothing is marked. In a big document nearly everything leads to everything. */
const unmarked: Readonly<Record<Mark, WeakSet<object>>> = {
  readOnly: new WeakSet(),
  writeOnly: new WeakSet(),
};

/**
 * Whether something inside a schema goes one way only, at whatever depth. There may be thousands of schemas, one inside the other: it
 * looks at the bare nodes, and calls nothing again and again.
 */
function hasMarked(root: unknown, schema: unknown, mark: Mark): boolean {
  const seen = { inside: new Set<object>(), itself: new Set<object>() };
  const waiting: [node: unknown, inside: boolean][] = [[schema, false]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, inside] = next;
    const known = inside ? seen.inside : seen.itself;
    if (!isObject(node) || known.has(node) || unmarked[mark].has(node)) continue;
    if (inside && node[mark] === true) return true;
    known.add(node);
    for (const each of childrenOf(root, node)) waiting.push([each.schema, inside || each.inside]);
  }
  for (const each of seen.inside) unmarked[mark].add(each);
  return false;
}

function childrenOf(
  root: unknown,
  node: Record<string, unknown>,
): { readonly schema: unknown; readonly inside: boolean }[] {
  if (typeof node.$ref === 'string') return [{ schema: resolveReference(root, node), inside: false }];
  const { properties, items } = node;
  const members = isObject(properties) ? Object.values(properties) : [];
  return [
    ...[...members, items].map((schema) => ({ schema, inside: true })),
    ...PARTS.flatMap((keyword) => node[keyword] ?? []).map((schema) => ({ schema, inside: false })),
  ];
}

/** The keywords that hold schemas of the value itself. */
const PARTS = ['allOf', 'oneOf', 'anyOf'];

/** The properties of a schema and of its alternatives. */
function membersOf(root: unknown, schema: unknown): Map<string, unknown> {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return new Map();
  const alternatives = [resolved.oneOf, resolved.anyOf].filter(Array.isArray).flat();
  const maps = [...alternatives, resolved].map((part) => schemaProperties(root, part));
  return new Map(maps.flatMap((properties) => [...properties]));
}

function itemsOf(root: unknown, schema: unknown): unknown {
  const resolved = resolveReference(root, schema);
  return isObject(resolved) && !Array.isArray(resolved.items) ? resolved.items : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function itemOf(value: unknown, index: number): unknown {
  return Array.isArray(value) && value.length > 0 ? value[index % value.length] : undefined;
}
