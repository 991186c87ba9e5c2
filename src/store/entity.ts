/** A stored item. Frozen all the way down, so it can be handed out without copying. */
export type Entity = Readonly<Record<string, unknown>>;

/** Makes an entity of an object that nobody else has: it is frozen itself, what it holds is shared or copied. */
export function freezeOwn(entity: Entity): Entity {
  freezeMembers(entity);
  return Object.freeze(entity);
}

/** What is frozen all the way down is shared; anything else is copied. `__proto__` stays an ordinary member. */
export function toFrozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isFrozenThrough(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(toFrozenCopy)) as T;
  return freezeOwn({ ...(value as Entity) }) as T;
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
