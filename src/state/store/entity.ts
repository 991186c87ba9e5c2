/** A stored item. Frozen all the way down, so it can be handed out without copying. */
export type Entity = Readonly<Record<string, unknown>>;

/** Whether a value could be an entity: an object, and not a list. */
export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Shares values that are frozen all the way down and copies all others. `__proto__` stays an ordinary member. */
export function toFrozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isFrozenThrough(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(toFrozenCopy)) as T;
  const copy = joinEntities(value as Entity);
  freezeMembers(copy);
  return Object.freeze(copy) as T;
}

/**
 * The members of several entities in a new object; later ones win. Not by spreading: in V8 each object that is spread and then extended
 * or frozen often gets a hidden class of its own, which costs a microsecond and some 200 bytes.
 */
export function joinEntities(...parts: readonly Entity[]): Entity {
  // `Object.assign` would set the prototype.
  const hasProto = parts.some((part) => Object.hasOwn(part, '__proto__'));
  return hasProto
    ? Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
    : Object.assign({}, ...parts);
}

function isFrozenThrough(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!Object.isFrozen(value)) return false;
  for (const key in value) if (!isFrozenThrough((value as Entity)[key])) return false;
  return true;
}

function freezeMembers(object: object): void {
  for (const key of Object.keys(object)) {
    const member: unknown = (object as Entity)[key];
    if (typeof member !== 'object' || member === null) continue;
    Object.defineProperty(object, key, { value: toFrozenCopy(member) });
  }
}
