/**
 * The result of a JSON merge patch (RFC 7396 section 2): null removes a member, objects merge, anything else replaces. Where
 * `keepsNull` says that null is a value of the member at a path, null is what the client means. Neither argument is changed.
 */
export function mergePatch(
  target: unknown,
  patch: unknown,
  keepsNull: (path: readonly string[]) => boolean = () => false,
  path: readonly string[] = [],
): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    const place = [...path, key];
    if (value === null && !keepsNull(place)) members.delete(key);
    else members.set(key, mergePatch(members.get(key), value, keepsNull, place));
  }
  // fromEntries defines members instead of assigning them, so `__proto__` in a patch is only a name.
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
