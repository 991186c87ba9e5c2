import { isStored } from '../store.ts';

/** The text of an entity is kept as long as the entity itself, which never changes. */
const texts = new WeakMap<object, string>();

/** A value as JSON: an entity, a list of entities, an object around one, or anything else. */
export function toJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return texts.get(value) ?? write(value);
}

function write(value: object): string {
  if (isStored(value)) {
    const text = JSON.stringify(value);
    texts.set(value, text);
    return text;
  }
  if (Array.isArray(value)) return toList(value);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  if (!entries.some(([, member]) => isEntityList(member))) return JSON.stringify(value);
  const members = entries.map(([name, member]) => {
    const text = isEntityList(member) ? toList(member) : JSON.stringify(member);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join(',')}}`;
}

/** A list of entities that was written. */
interface Written {
  readonly items: readonly unknown[];
  readonly text: string;
}

/** The pages that were written last, by their first entities. The same entities in the same order are the same text. */
const pages = new Map<unknown, Written>();
const MOST_PAGES = 64;
const LONGEST_PAGE = 100;

function toList(items: readonly unknown[]): string {
  const known = pages.get(items[0]);
  if (known && isSameList(known.items, items)) return known.text;
  const text = writeList(items);
  if (items.length <= LONGEST_PAGE && items.length > 1 && items.every(isStored)) {
    if (pages.size >= MOST_PAGES) pages.clear();
    pages.set(items[0], { items: [...items], text });
  }
  return text;
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** `JSON.stringify` writes `null` for an item that there is not. */
function writeList(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${toJson(item) ?? 'null'}`;
  return `[${text}]`;
}

function isEntityList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !isStored(value) && isStored(value[0]);
}
