import { toJson } from '../codecs/codecs.ts';
import type { SchemaNode } from '../schema/schema.ts';

/** Makes up the values that are missing in one answer. */
export interface ValueMaker {
  /** A value for a member; `undefined` if none is found, or if the answer would become too large. */
  make(node: SchemaNode, name: string): unknown;
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

/** Creates a maker of values for one answer, whose JSON has `length` characters at most. */
export function createValueMaker(generate: Generate, label: string, length: number): ValueMaker {
  const known = new WeakMap<SchemaNode, Made[]>();
  const uses = new WeakMap<SchemaNode, number>();
  let left = length;
  let reserved = 0;
  let made = 0;
  const makeNew = (node: SchemaNode, name: string): Made => {
    made += 1;
    const value = generate(node, name);
    return { value, length: value === undefined ? 0 : toJson(value).length + name.length + 4 };
  };
  const find = (node: SchemaNode, name: string): Made | undefined => {
    const values = known.get(node) ?? [];
    known.set(node, values);
    const use = uses.get(node) ?? 0;
    uses.set(node, use + 1);
    if (values.length < DIFFERENT && made < MOST_MADE)
      values.push(makeNew(node, `variant ${label} ${name} ${values.length}`));
    return values[use % Math.max(1, values.length)];
  };
  return {
    make(node, name) {
      const found = find(node, name);
      if (found?.value === undefined || left - found.length < reserved) return undefined;
      left -= found.length;
      return found.value;
    },
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
