/** A value that orders a tree. */
export type Term = number | string | bigint | boolean | null | undefined | symbol;

/** The key of an entity as trees order it: a decimal integer as a number, which compares faster than text. */
export type TreeKey = number | string;

/** Lists, objects and NaN equal nothing, so one term of an index stands for all of them. */
export const COMPOSITE: unique symbol = Symbol('composite');

/** The longest text that can be a safe integer. */
const MOST_DIGITS = 16;

/** The tree key of a text. `String` restores the text, so no two texts share a key. */
export function toTreeKey(text: string): TreeKey {
  const { length } = text;
  if (length === 0 || length > MOST_DIGITS) return text;
  let number = 0;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return text;
    number = number * 10 + digit;
  }
  const padded = length > 1 && text.charCodeAt(0) === 48;
  return padded || number > Number.MAX_SAFE_INTEGER ? text : number;
}

/** The term under which an index files a value. */
export function toTerm(value: unknown): Term {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isNaN(value) ? COMPOSITE : value;
  const plain =
    value === null || value === undefined || typeof value === 'boolean' || typeof value === 'bigint';
  return plain ? value : COMPOSITE;
}

/** Parsing a longer integer takes quadratic time. */
const MOST_BIGINT_DIGITS = 1000;

/**
 * The terms whose text is `text`: the text itself, and the number, bigint or boolean that is written like it. `undefined` for an integer
 * that is too long to parse.
 */
export function toTerms(text: string): Term[] | undefined {
  const isInteger = /^-?\d+$/.test(text);
  if (isInteger && text.length > MOST_BIGINT_DIGITS) return undefined;
  const number = Number(text);
  const others: Term[] = [true, false];
  if (!Number.isNaN(number)) others.push(number);
  if (isInteger) others.push(BigInt(text));
  return [text, ...others.filter((value) => String(value) === text)];
}

/** Whether one term comes before another. Terms of different types come in the order of the types' names. */
export function isBelow(one: Term, other: Term): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  if (typeof one === 'string' && typeof other === 'string') return one < other;
  if (one === other) return false;
  return typeof one === typeof other ? (one as bigint) < (other as bigint) : typeof one < typeof other;
}

/** The position of the first of the sorted `keys` that is not below `key`; their number if all are. */
export function search(keys: readonly Term[], key: Term): number {
  let high = keys.length;
  if (high === 0) return 0;
  const first = keys[0];
  if (typeof key === 'number' && typeof first === 'number') {
    // Integer keys mostly have no gaps.
    const guess = key - first;
    if (guess >= 0 && guess < high && keys[guess] === key) return guess;
  }
  // New keys mostly come last.
  if (isBelow(keys[high - 1], key)) return high;
  let low = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(keys[middle], key)) low = middle + 1;
    else high = middle;
  }
  return low;
}
