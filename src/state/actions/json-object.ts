import { isObject } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';

/** Whether a value is an object and not an array. */
export function isJsonObject(value: unknown): value is Entity {
  return isObject(value) && !Array.isArray(value);
}

/** The own member of a value; `undefined` where it has none of that name. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A copy with `member` at a path. Replaces whatever stands on the path and is not an object. */
export function withMember(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  const object = isJsonObject(value) ? value : {};
  // Spreading and a computed name keep `__proto__` an ordinary member.
  return { ...object, [name]: withMember(memberOf(object, name), rest, member) };
}

/** The members of an object that have one of these names. Takes time linear in the members, however many a client sends. */
export function pick(object: Entity, names: { has(name: string): boolean }): Entity {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)));
}

/** The object without some members; the object itself where it has none of them. */
export function omit(object: Entity, names: readonly string[]): Entity {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
