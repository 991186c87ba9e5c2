import type { SchemaNode } from '../../schema/schema.ts';
import { toJson } from '../../wire/codecs/codecs.ts';

/** Makes up the values that are missing in one answer. */
export interface ValueMaker {
  /** A value for a member; `undefined` if none is found, or if the answer would become too large. */
  make(node: SchemaNode, name: string): unknown;
  /** Whether the answer may gain a member of this length, which then counts. */
  spend(length: number): boolean;
  /** Calls `work` with an equal share of the length that is left, one of `count` that are still to come. */
  withShare<T>(count: number, work: () => T): T;
}

type Generate = (schema: SchemaNode, name: string) => unknown;

interface Made {
  readonly value: unknown;
  readonly length: number;
}

/** The different values of one member in one answer. */
const DIFFERENT = 3;
/** The most values that are made up for one answer. Others are repeated. */
const MOST_MADE = 200;
/** Making up long values takes long. */
const MOST_MADE_LENGTH = 2 ** 18;

/** The quotes, colon and comma of a member. */
export const PUNCTUATION = 4;

/** Creates a maker of values for one answer, whose JSON has `length` characters at most. */
export function createValueMaker(generate: Generate, label: string, length: number): ValueMaker {
  const known = new WeakMap<SchemaNode, Made[]>();
  const uses = new WeakMap<SchemaNode, number>();
  let left = length;
  let reserved = 0;
  let made = 0;
  let madeLength = 0;
  const makeNew = (node: SchemaNode, name: string): Made => {
    made += 1;
    const value = generate(node, name);
    const length = value === undefined ? 0 : toJson(value).length + name.length + PUNCTUATION;
    madeLength += length;
    return { value, length };
  };
  const find = (node: SchemaNode, name: string): Made | undefined => {
    const values = known.get(node) ?? [];
    known.set(node, values);
    const use = uses.get(node) ?? 0;
    uses.set(node, use + 1);
    if (values.length < DIFFERENT && made < MOST_MADE && madeLength < MOST_MADE_LENGTH)
      values.push(makeNew(node, `variant ${label} ${name} ${values.length}`));
    return values[use % Math.max(1, values.length)];
  };
  const spend = (gained: number): boolean => {
    const fits = left - gained >= reserved;
    if (fits) left -= gained;
    return fits;
  };
  return {
    make(node, name) {
      const found = find(node, name);
      return found?.value !== undefined && spend(found.length) ? found.value : undefined;
    },
    spend,
    withShare(count, work) {
      const before = reserved;
      reserved = left - Math.floor((left - reserved) / count);
      try {
        return work();
      } finally {
        reserved = before;
      }
    },
  };
}
