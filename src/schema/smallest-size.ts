import { LIMITS } from '../base/limits.ts';
import { isSmallSchema } from './is-small.ts';
import { readSizeParts, type SizeParts } from './size-parts.ts';

/** Validators and writers call themselves for each level. */
const { value: DEEPEST } = LIMITS.answerDepth;

/** The size of the smallest value that a schema allows. */
export interface SchemaSize {
  /** The number of values in it; infinite if that exceeds the limit of answers, or if the value never ends. */
  readonly smallest: number;
  /** Whether it is too large for an answer. */
  readonly isTooLarge: boolean;
}

interface Size {
  readonly count: number;
  readonly depth: number;
}

const ENDLESS: Size = { count: Number.POSITIVE_INFINITY, depth: 0 };

/** A schema whose size is not known yet. */
interface Unsized {
  readonly schema: object;
  readonly parts: SizeParts;
  /** The schemas that need this one's size. */
  readonly users: Unsized[];
  /** The sizes that it still needs. */
  readonly missing: Set<object>;
  isQueued: boolean;
}

/**
 * Creates the measure of a document. A call sizes all schemas that a smallest value leads to, the smallest first, as Knuth's
 * generalization of Dijkstra's algorithm does: each once, however often it is used and however it leads back to itself.
 */
export function createSizeMeasure(resolve: Resolve): (schema: unknown) => SchemaSize {
  const sizes = new WeakMap<object, Size>();
  const small = new WeakSet<object>();
  const countOf = (schema: object): number => {
    if (!sizes.has(schema)) sizeAll(schema, sizes, resolve);
    return (sizes.get(schema) ?? ENDLESS).count;
  };
  return (schema) => {
    if (typeof schema !== 'object' || schema === null) return ONE_VALUE;
    return {
      get smallest() {
        return countOf(schema);
      },
      get isTooLarge() {
        if (small.has(schema)) return false;
        if (!isSmallSchema(schema, resolve) && countOf(schema) > LIMITS.answerValues.value) return true;
        small.add(schema);
        return false;
      },
    };
  };
}

const ONE_VALUE: SchemaSize = { smallest: 1, isTooLarge: false };

type Resolve = (part: unknown) => unknown;

function sizeAll(root: object, sizes: WeakMap<object, Size>, resolve: Resolve): void {
  const found = collect(root, sizes, resolve);
  // A queue for each size, because sizes are small integers.
  const queues: Unsized[][] = [];
  const offer = (node: Unsized) => {
    if (node.isQueued || node.missing.size > 0) return;
    const size = toSize(node.parts, sizes);
    if (!size || size.count > LIMITS.answerValues.value || size.depth > DEEPEST) return;
    node.isQueued = true;
    const queue = queues[size.count] ?? [];
    queues[size.count] = queue;
    queue.push(node);
  };
  const settle = (node: Unsized) => {
    sizes.set(node.schema, toSize(node.parts, sizes) ?? ENDLESS);
    for (const user of node.users) {
      user.missing.delete(node.schema);
      offer(user);
    }
  };
  for (const node of found.values()) offer(node);
  // Each queue grows while it is read.
  for (let count = 1; count < queues.length; count++) for (const node of queues[count] ?? []) settle(node);
  for (const { schema } of found.values()) if (!sizes.has(schema)) sizes.set(schema, ENDLESS);
}

/** Finds the schemas without a size that the smallest value of `root` may lead to. */
function collect(root: object, sizes: WeakMap<object, Size>, resolve: Resolve): Map<object, Unsized> {
  const found = new Map<object, Unsized>();
  const add = (schema: object): Unsized => {
    const known = found.get(schema);
    if (known) return known;
    const parts = readSizeParts(schema, resolve);
    const node = { schema, parts, users: [], missing: new Set<object>(), isQueued: false };
    found.set(schema, node);
    stack.push(node);
    return node;
  };
  const stack: Unsized[] = [];
  add(root);
  for (let node = stack.pop(); node; node = stack.pop()) {
    const { needs, choices } = node.parts;
    for (const schema of needs.flatMap(({ schemas }) => schemas)) {
      if (sizes.has(schema)) continue;
      node.missing.add(schema);
      add(schema).users.push(node);
    }
    for (const schema of choices.flat()) if (!sizes.has(schema)) add(schema).users.push(node);
  }
  return found;
}

/** The size of a schema; `undefined` as long as no alternative has one. */
function toSize({ base, needs, choices }: SizeParts, sizes: WeakMap<object, Size>): Size | undefined {
  let count = base;
  let depth = 1;
  for (const { schemas, times } of needs) {
    const own = schemas.map((schema) => sizes.get(schema) ?? ENDLESS);
    count += times * Math.max(...own.map((size) => size.count));
    depth = Math.max(depth, ...own.map((size) => size.depth + 1));
  }
  for (const alternatives of choices) {
    const known = alternatives.flatMap((schema) => sizes.get(schema) ?? []);
    if (known.length === 0) return undefined;
    const least = known.reduce((one, other) => (other.count < one.count ? other : one));
    count = Math.max(count, least.count);
    depth = Math.max(depth, least.depth);
  }
  return { count, depth };
}
