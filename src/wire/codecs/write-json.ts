import { isObject } from '../../schema/schema.ts';
import { LongList, LongObject } from './long-list.ts';
import { joinPieces, type Pieces, toPieces } from './pieces.ts';

/** Writes JSON, a bigint as its digits. Joins a list of entities, alone or in an object, from the cached texts of its items. */
export function toJson(value: unknown): string {
  const list = writeEntityList(value);
  if (list !== undefined) return list;
  if (!isObject(value) || Array.isArray(value) || !hasEntityList(value)) return stringify(value);
  return writeMembers(value, (member) => writeEntityList(member) ?? stringify(member));
}

/** The texts of listed entities, which never change. */
const texts = new WeakMap<object, string>();

/** Writes a list of entities; `undefined` for any other value. Joins into one flat text, because a concatenated one has to be copied before it is sent. */
function writeEntityList(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
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

/** Writes JSON as `toJson` does, in pieces. Each may have long lists. */
export function* toJsonPieces(value: unknown): Pieces {
  if (value instanceof LongObject) yield* joinPieces(writeLongObject(value));
  else yield* writeAround(value);
}

function* writeLongObject(object: LongObject): Pieces {
  let before = '{';
  for (const [name, list] of object.members()) {
    yield `${before}${JSON.stringify(name)}:[`;
    yield* toPieces(list.values(), buildWriteItem(), ',');
    before = '],';
  }
  yield before === '{' ? '{}' : ']}';
}

/** Writes a value around its long lists. */
function* writeAround(value: unknown): Pieces {
  const lists: LongList[] = [];
  const text = stringifyExactly(value, lists) ?? 'null';
  for (const [at, part] of text.split(LIST).entries()) {
    if (at > 0) yield* toPieces((lists[at - 1] as LongList).values(), buildWriteItem(), ',');
    yield part;
  }
}

/** The place of a long list in a text. No JSON has this character. */
const LIST = '\0';

/** The items whose texts are kept, because a list of medium length is often asked for again. */
const MOST_KEPT = 10_000;

function buildWriteItem(): (item: unknown) => string {
  let count = 0;
  return (item) => {
    count += 1;
    if (!isEntity(item)) return stringify(item) ?? 'null';
    return count > MOST_KEPT ? (texts.get(item as object) ?? stringify(item)) : writeEntity(item as object);
  };
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

/** Collects the long lists in `lists`, and leaves a mark at the place of each. */
function stringifyExactly(value: unknown, lists?: LongList[]): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof LongList) {
    lists?.push(value);
    return `[${LIST}]`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => stringifyExactly(item) ?? 'null').join(',')}]`;
  return writeMembers(value, (member) => stringifyExactly(member, lists));
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
