import { define, type Here } from './unit.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A mapping with each member replaced by what `toMember` makes of it, and without those it makes nothing of. It is the given mapping itself
 * where nothing changes and nobody else holds it: most of a document is right, and a copy of all of it takes time and memory.
 */
export function mapMembers(
  node: Members,
  { source }: Here,
  toMember: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  const keys = Object.keys(node);
  let copy: Record<string, unknown> | undefined = source.isTree ? undefined : {};
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const value = node[key];
    const member = toMember(value, key);
    if (copy === undefined && member !== value) {
      copy = {};
      for (const earlier of keys.slice(0, index)) define(copy, earlier, node[earlier]);
    }
    if (copy !== undefined && member !== undefined) define(copy, key, member);
  }
  return copy ?? (node as Record<string, unknown>);
}
