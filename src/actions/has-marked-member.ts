import { isObject, resolveReference } from '../schema/schema.ts';

type SchemaMark = 'readOnly' | 'writeOnly' | 'default';

/** Schemas known to lead to no marked member. In a big document nearly every schema leads to every other. */
const unmarked: Readonly<Record<SchemaMark, WeakSet<object>>> = {
  readOnly: new WeakSet(),
  writeOnly: new WeakSet(),
  default: new WeakSet(),
};

/**
 * Whether a schema has a member or item, at any depth, with the mark. Walks the bare nodes with a stack, since thousands of schemas
 * may be nested in one another.
 */
export function hasMarkedMember(root: unknown, schema: unknown, mark: SchemaMark): boolean {
  const seen = { asMember: new Set<object>(), asSelf: new Set<object>() };
  const stack: Child[] = [{ schema, isMember: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema: node, isMember } = next;
    const known = isMember ? seen.asMember : seen.asSelf;
    if (!isObject(node) || known.has(node) || unmarked[mark].has(node)) continue;
    if (isMember && hasMark(node, mark)) return true;
    known.add(node);
    for (const child of childrenOf(root, node))
      stack.push({ schema: child.schema, isMember: isMember || child.isMember });
  }
  for (const node of seen.asMember) unmarked[mark].add(node);
  return false;
}

interface Child {
  readonly schema: unknown;
  /** Whether the schema describes a member or an item, and not the value itself. */
  readonly isMember: boolean;
}

function hasMark(node: Record<string, unknown>, mark: SchemaMark): boolean {
  return mark === 'default' ? node.default !== undefined : node[mark] === true;
}

function childrenOf(root: unknown, node: Record<string, unknown>): Child[] {
  if (typeof node.$ref === 'string') return [{ schema: resolveReference(root, node), isMember: false }];
  const { properties, items } = node;
  const members = isObject(properties) ? Object.values(properties) : [];
  return [
    ...[...members, items].map((schema) => ({ schema, isMember: true })),
    ...COMBINERS.flatMap((keyword) => node[keyword] ?? []).map((schema) => ({ schema, isMember: false })),
  ];
}

/** The keywords that hold schemas of the value itself. */
const COMBINERS = ['allOf', 'oneOf', 'anyOf'];
