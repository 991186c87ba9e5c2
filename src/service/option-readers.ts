import { isObject } from '../schema/schema.ts';

/** The value of an option, or a mistake, worded to follow the name of the option: `must be true or false, not "yes"`. */
export type ReadResult<Value> = { readonly value: Value } | { readonly mistake: string };

/** Reads one value, whether it comes as text from the command line or typed from a file or from code. */
export type Reader<Value> = (given: unknown) => ReadResult<Value>;

/** Any string but the empty one. */
export function readString(given: unknown): ReadResult<string> {
  return isString(given) && given !== '' ? { value: given } : mustBe('a non-empty string', given);
}

/** True or false, in text also `1` or `0`. */
export function readBoolean(given: unknown): ReadResult<boolean> {
  if (given === true || given === 'true' || given === '1') return { value: true };
  if (given === false || given === 'false' || given === '0') return { value: false };
  return mustBe('true or false', given);
}

/** An integer between bounds, as a number or in digits. */
export function readInteger(low: number, high: number): Reader<number> {
  return (given) => {
    const number = toInteger(given);
    if (number !== undefined && number >= low && number <= high) return { value: number };
    return mustBe(`an integer from ${low} to ${high}`, given);
  };
}

/** One of some words. */
export function readOneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (given) => {
    const word = words.find((each) => each === given);
    return word === undefined ? mustBe(`one of ${words.join(', ')}`, given) : { value: word };
  };
}

/** A function, which only code can give. */
export function readFunction<Value>(given: unknown): ReadResult<Value> {
  return typeof given === 'function' ? { value: given as Value } : mustBe('a function', given);
}

/** A document given in code: where it is, or the parsed object. */
export function readDocumentInCode(given: unknown): ReadResult<string | object> {
  if (isObject(given)) return { value: given };
  return isString(given) && given !== ''
    ? { value: given }
    : mustBe('a non-empty string or an object', given);
}

/** Ten minutes: no client waits longer, and a timer of more than 24 days fires at once. */
export const MAX_DELAY_MS = 600_000;

/** Milliseconds or a range of them: `200`, `100-500` or a pair of numbers. */
export function readDelay(given: unknown): ReadResult<readonly [from: number, to: number]> {
  const bounds = (isString(given) ? given.split('-') : [given].flat()).map(toInteger);
  const [from, to = from] = bounds;
  const readable = bounds.length <= 2 && bounds.every((bound) => bound !== undefined);
  if (!readable || from === undefined || to === undefined || from > to || to > MAX_DELAY_MS) {
    return mustBe(`milliseconds up to ${MAX_DELAY_MS}, like 200, or a range, like 100-500`, given);
  }
  return { value: [from, to] };
}

const STATELESS = 'true, false or a list of resource names';

/** True or false for all resources, or the names of some: a list, or text with commas. */
export function readStateless(given: unknown): ReadResult<boolean | readonly string[]> {
  const all = readBoolean(given);
  if ('value' in all) return all;
  const names = isString(given) ? given.split(',').map((name) => name.trim()) : given;
  const isNames = Array.isArray(names) && names.length > 0 && names.every((name) => isString(name) && name);
  return isNames ? { value: names } : mustBe(STATELESS, given);
}

/** The same in code, where a list of names is never text. */
export function readStatelessInCode(given: unknown): ReadResult<boolean | readonly string[]> {
  return isString(given) ? mustBe(STATELESS, given) : readStateless(given);
}

/** The mistake of a value that is something else than expected. */
export function mustBe(expected: string, given: unknown): { readonly mistake: string } {
  return { mistake: `must be ${expected}, not ${show(given)}` };
}

const MOST_SHOWN = 100;

/** A value as JSON, cut to a readable length. Code can also hand over what has no JSON, such as a BigInt. */
export function show(given: unknown): string {
  const text = toJson(given) ?? String(given);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function toJson(given: unknown): string | undefined {
  try {
    return JSON.stringify(given);
  } catch {
    return undefined;
  }
}

function toInteger(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : undefined;
  return isString(given) && /^\d+$/.test(given) ? Number(given) : undefined;
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Tells objects from lists and from everything else. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}
