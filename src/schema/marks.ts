import { isObject, isReference } from './reference.ts';

/** The marks of properties that only answers or only requests have. */
export type DirectionMark = 'readOnly' | 'writeOnly';

/** The keywords of nested members that actions look for. */
export type SchemaMark = DirectionMark | 'default';

/** Whether a schema has a member or item, at any depth, with a mark. */
export type HasMarkedMember = (schema: unknown, mark: SchemaMark) => boolean;

/**
 * Creates the search for marked members of a document. It walks the bare schemas with a stack, since thousands of them may be nested
 * in one another, and remembers where it found nothing: in a big document nearly every schema leads to every other.
 */
export function createMarkSearch(resolve: Resolve): HasMarkedMember {
  const unmarked: Readonly<Record<SchemaMark, WeakSet<object>>> = {
    readOnly: new WeakSet(),
    writeOnly: new WeakSet(),
    default: new WeakSet(),
  };
  return (schema, mark) => leadsToMark(schema, mark, unmarked[mark], resolve);
}

type Resolve = (reference: unknown) => unknown;

/** Walks a schema and all that it leads to. Adds what it walked to `unmarked` if it finds no mark. */
function leadsToMark(
  schema: unknown,
  mark: SchemaMark,
  unmarked: WeakSet<object>,
  resolve: Resolve,
): boolean {
  const seen = { asMember: new Set<object>(), asSelf: new Set<object>() };
  const stack: Child[] = [{ schema, isMember: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema: node, isMember } = next;
    const known = isMember ? seen.asMember : seen.asSelf;
    if (!isObject(node) || known.has(node) || unmarked.has(node)) continue;
    if (isMember && hasMark(node, mark)) return true;
    known.add(node);
    for (const child of childrenOf(node, resolve))
      stack.push({ schema: child.schema, isMember: isMember || child.isMember });
  }
  for (const node of seen.asMember) unmarked.add(node);
  return false;
}

interface Child {
  readonly schema: unknown;
  /** Whether the schema describes a member or an item, and not the value itself. */
  readonly isMember: boolean;
}

function hasMark(schema: Record<string, unknown>, mark: SchemaMark): boolean {
  return mark === 'default' ? schema.default !== undefined : schema[mark] === true;
}

function childrenOf(schema: Record<string, unknown>, resolve: Resolve): Child[] {
  if (isReference(schema)) return [{ schema: resolve(schema), isMember: false }];
  const { properties, items } = schema;
  const members = isObject(properties) ? Object.values(properties) : [];
  return [
    ...[...members, items].map((each) => ({ schema: each, isMember: true })),
    ...COMBINERS.flatMap((keyword) => schema[keyword] ?? []).map((each) => ({
      schema: each,
      isMember: false,
    })),
  ];
}

/** The keywords that hold schemas of the value itself. */
const COMBINERS = ['allOf', 'oneOf', 'anyOf'];
