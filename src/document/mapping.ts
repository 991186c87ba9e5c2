/** A mapping of a document. */
export type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the type of a value for a message. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

/**
 * Replaces each member by the result of `toMember` and drops those without one. Returns the given mapping if nothing changes and
 * `isShared` is false: most of a document is valid, and copying all of it takes time and memory.
 */
export function mapMembers(
  node: Mapping,
  isShared: boolean,
  toMember: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  const keys = Object.keys(node);
  let copy: Record<string, unknown> | undefined = isShared ? {} : undefined;
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

/** Sets a member. Assigning `__proto__` would change the prototype; defining every member takes ten times as long. */
export function define(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}
