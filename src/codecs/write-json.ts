/**
 * Writes a value as JSON, a bigint as its digits. A list of entities, alone or as a member of an object, is put together from
 * texts that are made once.
 */
export function toJson(value: unknown): string {
  if (isEntityList(value)) return toList(value);
  if (!isObject(value) || !Object.values(value).some(isEntityList)) return stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = isEntityList(member) ? toList(member) : stringify(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** By entity, which never changes; one that is never listed takes no room here. */
const texts = new WeakMap<object, string>();

function toList(entities: readonly object[]): string {
  let text = '[';
  for (const entity of entities) {
    let own = texts.get(entity);
    if (own === undefined) {
      own = stringify(entity);
      texts.set(entity, own);
    }
    text += text === '[' ? own : `,${own}`;
  }
  return `${text}]`;
}

/** `JSON.stringify` that writes a bigint too. It throws for one, unless the host gave it a `toJSON`, which may write anything. */
function stringify(value: unknown): string {
  if ('toJSON' in BigInt.prototype) return stringifyExactly(value) as string;
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringifyExactly(value) as string;
  }
}

function stringifyExactly(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => stringifyExactly(item) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = stringifyExactly(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Whether a value is a list of nothing but entities, which alone are frozen. */
function isEntityList(value: unknown): value is readonly object[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && Object.isFrozen(item))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
