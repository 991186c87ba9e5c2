import { isJsonObject } from './json-object.ts';

/**
 * The result of a JSON merge patch (RFC 7396 section 2): null removes a member, objects merge, anything else replaces. Where
 * `allowsNull` holds for the path of a member, null is set as its value instead. Neither argument is changed.
 */
export function mergePatch(
  target: unknown,
  patch: unknown,
  allowsNull: (path: readonly string[]) => boolean = () => false,
  path: readonly string[] = [],
): unknown {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    const own = [...path, key];
    if (value === null && !allowsNull(own)) members.delete(key);
    else members.set(key, mergePatch(members.get(key), value, allowsNull, own));
  }
  // fromEntries defines members instead of assigning them, so `__proto__` in a patch is only a name.
  return Object.fromEntries(members);
}
