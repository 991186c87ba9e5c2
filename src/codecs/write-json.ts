import { isObject } from '../schema/schema.ts';
import { eachInSteps, STEP_ITEMS, type Steps } from '../slices.ts';

/** Writes JSON, a bigint as its digits. Joins a list of entities, alone or in an object, from the cached texts of its items. */
export function toJson(value: unknown): string {
  const list = writeEntityList(value);
  if (list !== undefined) return list;
  if (!isObject(value) || Array.isArray(value) || !hasEntityList(value)) return stringify(value);
  return writeMembers(value, (member) => writeEntityList(member) ?? stringify(member));
}

/** The texts of listed entities, which never change. */
const texts = new WeakMap<object, string>();

/** The texts of lists that were written in steps. */
const listTexts = new WeakMap<readonly unknown[], string>();

/** Lists entities as `show` shows them, and writes the list, so that `toJson` finds its text. Leaves other values to it. */
export function* writeInSteps<T>(entities: Iterable<T>, show: (entity: T) => unknown): Steps<unknown[]> {
  const items: unknown[] = [];
  const parts: string[] = [];
  let part: string[] = [];
  let isWritten = true;
  yield* eachInSteps(entities, (entity) => {
    const shown = show(entity);
    items.push(shown);
    isWritten &&= isEntity(shown);
    if (isWritten) part.push(writeEntity(shown as object));
    if (part.length < STEP_ITEMS) return;
    parts.push(part.join(','));
    part = [];
  });
  if (part.length > 0) parts.push(part.join(','));
  if (isWritten) listTexts.set(items, `[${parts.join(',')}]`);
  return items;
}

/** Writes a list of entities; `undefined` for any other value. Joins into one flat text, because a concatenated one has to be copied before it is sent. */
function writeEntityList(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const known = listTexts.get(value);
  if (known !== undefined) return known;
  const items: string[] = [];
  for (const item of value) {
    const text = texts.get(item) ?? (isEntity(item) ? writeEntity(item) : undefined);
    if (text === undefined) return undefined;
    items.push(text);
  }
  items[0] = `[${items[0]}`;
  items.push(`${items.pop()}]`);
  return items.join(',');
}

function writeEntity(entity: object): string {
  const known = texts.get(entity);
  if (known !== undefined) return known;
  const text = stringify(entity);
  texts.set(entity, text);
  return text;
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

/** Whether a member of an object begins like a list of entities. */
function hasEntityList(object: object): boolean {
  for (const name of Object.keys(object)) {
    const member = (object as Readonly<Record<string, unknown>>)[name];
    if (Array.isArray(member) && isEntity(member[0])) return true;
  }
  return false;
}

/** Whether a value is an entity: only they are frozen. */
function isEntity(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value) && Object.isFrozen(value);
}
