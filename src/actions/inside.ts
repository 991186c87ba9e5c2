import { isObject, resolveReference } from '../schema/schema.ts';

/** What a schema may say of itself. */
type Mark = 'readOnly' | 'writeOnly' | 'default';

/** Schemas in which, and in all that they lead to, nothing is marked. In a big document nearly everything leads to everything. */
const unmarked: Readonly<Record<Mark, WeakSet<object>>> = {
  readOnly: new WeakSet(),
  writeOnly: new WeakSet(),
  default: new WeakSet(),
};

/**
 * Whether something inside a schema says it of itself, at whatever depth. There may be thousands of schemas, one inside the other: it
 * looks at the bare nodes, and calls nothing again and again.
 */
export function hasInside(root: unknown, schema: unknown, mark: Mark): boolean {
  const seen = { inside: new Set<object>(), itself: new Set<object>() };
  const waiting: [node: unknown, inside: boolean][] = [[schema, false]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, inside] = next;
    const known = inside ? seen.inside : seen.itself;
    if (!isObject(node) || known.has(node) || unmarked[mark].has(node)) continue;
    if (inside && says(node, mark)) return true;
    known.add(node);
    for (const each of childrenOf(root, node)) waiting.push([each.schema, inside || each.inside]);
  }
  for (const each of seen.inside) unmarked[mark].add(each);
  return false;
}

function says(node: Record<string, unknown>, mark: Mark): boolean {
  return mark === 'default' ? node.default !== undefined : node[mark] === true;
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
