import { isObject } from '../schema/schema.ts';

/** Writes JSON, a bigint as its digits. Joins a list of entities, alone or in an object, from the cached texts of its items. */
export function toJson(value: unknown): string {
  if (isEntityList(value)) return writeEntityList(value);
  if (!isObject(value) || Array.isArray(value) || !Object.values(value).some(isEntityList))
    return stringify(value);
  return writeMembers(value, (member) =>
    isEntityList(member) ? writeEntityList(member) : stringify(member),
  );
}

/** The texts of listed entities, which never change. */
const texts = new WeakMap<object, string>();

function writeEntityList(entities: readonly object[]): string {
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

/** Writes any value. `JSON.stringify` throws for a bigint, unless the host adds a `toJSON`, which may write anything. */
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
  return writeMembers(value, stringifyExactly);
}

function writeMembers(value: object, write: (member: unknown) => string | undefined): string {
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = write(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Whether a value is a list of entities, the only frozen objects. */
function isEntityList(value: unknown): value is readonly object[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((item) => isObject(item) && !Array.isArray(item) && Object.isFrozen(item));
}
