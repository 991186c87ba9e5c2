import { isObject } from '../../schema/schema.ts';

/** A list that may be too long to be made at once. Its items are made when they are read, each time anew. */
export class LongList {
  readonly length: number;
  readonly #values: () => Iterable<unknown>;

  /** `length` is left out where nobody asks for it. */
  constructor(values: () => Iterable<unknown>, length = 0) {
    this.#values = values;
    this.length = length;
  }

  values(): Iterable<unknown> {
    return this.#values();
  }
}

/** An object that may have too many lists to be made at once. They are made when they are read. */
export class LongObject {
  readonly #members: () => Iterable<LongMember>;

  constructor(members: () => Iterable<LongMember>) {
    this.#members = members;
  }

  members(): Iterable<LongMember> {
    return this.#members();
  }
}

type LongMember = readonly [name: string, list: LongList];

/** Replaces the long lists in a value: itself, or members of objects. */
export function replaceLongLists(value: unknown, replace: (list: LongList) => unknown): unknown {
  if (value instanceof LongList) return replace(value);
  if (value instanceof LongObject)
    return Object.fromEntries(Array.from(value.members(), ([name, list]) => [name, replace(list)]));
  if (!isObject(value) || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, replaceLongLists(member, replace)]);
  return Object.fromEntries(members);
}

/** Makes arrays of the long lists in a value. */
export function withoutLongLists(value: unknown): unknown {
  return replaceLongLists(value, (list) => [...list.values()]);
}
