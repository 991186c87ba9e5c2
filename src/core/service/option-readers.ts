import { type Delay, isLognormal, LONGEST_DELAY_MS } from '../../answer/faults/faults.ts';
import { isMapping } from '../../document/document.ts';
import { isObject } from '../../schema/schema.ts';
import { type OptionSchema, TEXT, TRUTH, toIntegerSchema } from './option-schemas.ts';

/** The value of an option, or a mistake to print after its name, such as `must be true or false, not "yes"`. */
export type ReadResult<Value> = { readonly value: Value } | { readonly mistake: string };

/** Reads one value: text from the command line, or a typed value from a file or code. */
export type Reader<Value> = (given: unknown) => ReadResult<Value>;

/** Reads a string that is not empty. */
export function readString(given: unknown): ReadResult<string> {
  return isString(given) && given !== '' ? { value: given } : mustBe('a non-empty string', given);
}

/** Reads true or false, in text also `1` or `0`. */
export function readBoolean(given: unknown): ReadResult<boolean> {
  if (given === true || given === 'true' || given === '1') return { value: true };
  if (given === false || given === 'false' || given === '0') return { value: false };
  return mustBe('true or false', given);
}

/** Reads an integer between bounds, as a number or in digits. */
export function readIntegerBetween(low: number, high: number): Reader<number> {
  return (given) => {
    const number = toNaturalNumber(given);
    if (number !== undefined && number >= low && number <= high) return { value: number };
    return mustBe(`an integer from ${low} to ${high}`, given);
  };
}

/** Reads a natural number, also in digits, or any other text. */
export function readSeed(given: unknown): ReadResult<number | string> {
  const number = toNaturalNumber(given);
  if (number !== undefined && Number.isSafeInteger(number)) return { value: number };
  return isString(given) && given !== '' ? { value: given } : mustBe(SEEDS, given);
}

const SEEDS = `an integer from 0 to ${Number.MAX_SAFE_INTEGER}, or a non-empty string`;

/** Reads one of some words. */
export function readOneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (given) => {
    const word = words.find((each) => each === given);
    return word === undefined ? mustBe(`one of ${words.join(', ')}`, given) : { value: word };
  };
}

/** Reads a function, which only code can pass. */
export function readFunction<Value>(given: unknown): ReadResult<Value> {
  return typeof given === 'function' ? { value: given as Value } : mustBe('a function', given);
}

/** Reads a document in code: its location, or the parsed object. */
export function readDocumentInCode(given: unknown): ReadResult<string | object> {
  if (isObject(given) || (isString(given) && given !== '')) return { value: given };
  return mustBe('a non-empty string or an object', given);
}

/** Reads fixtures in code: their location, or a list of entities for each resource. */
export function readFixturesInCode(
  given: unknown,
): ReadResult<string | Readonly<Record<string, readonly object[]>>> {
  if (isMapping(given)) return { value: given as Readonly<Record<string, readonly object[]>> };
  return isString(given) && given !== ''
    ? { value: given }
    : mustBe('a non-empty string or an object', given);
}

/** Beyond it half of all delays would be next to nothing, and the others without end. */
const WIDEST_SIGMA = 5;

const ONE_DELAY: readonly OptionSchema[] = [
  toIntegerSchema(0, LONGEST_DELAY_MS),
  { type: 'string', pattern: '^\\d+(-\\d+)?$' },
  { type: 'array', items: toIntegerSchema(0, LONGEST_DELAY_MS), minItems: 1, maxItems: 2 },
];

/** The forms that `readDelay` accepts. */
export const DELAY_SCHEMAS: readonly OptionSchema[] = [
  ...ONE_DELAY,
  {
    type: 'object',
    properties: {
      median: { type: 'number', minimum: 0, maximum: LONGEST_DELAY_MS },
      sigma: { type: 'number', minimum: 0, maximum: WIDEST_SIGMA },
    },
    required: ['median', 'sigma'],
    additionalProperties: false,
  },
];
const NAMED_DELAY: OptionSchema = { type: 'string', pattern: '^[^=]+=\\d+(-\\d+)?$' };

/** The form that `readDelays` accepts: a delay, or delays by operation. */
export const DELAY_SCHEMA: OptionSchema = {
  anyOf: [
    ...DELAY_SCHEMAS,
    NAMED_DELAY,
    { type: 'array', items: NAMED_DELAY, minItems: 1 },
    { type: 'object', minProperties: 1, additionalProperties: { anyOf: DELAY_SCHEMAS } },
  ],
};

/** Reads milliseconds, a range of them (`100-500` or a pair of numbers), or a median and a sigma. */
export function readDelay(given: unknown): ReadResult<Delay> {
  if (isLognormal(given) && isValidLognormal(given)) return { value: given };
  const bounds = (isString(given) ? given.split('-') : [given].flat()).map(toNaturalNumber);
  const [from, to = from] = bounds;
  const readable = bounds.length <= 2 && bounds.every((bound) => bound !== undefined);
  if (!readable || from === undefined || to === undefined || from > to || to > LONGEST_DELAY_MS) {
    return mustBe(`milliseconds up to ${LONGEST_DELAY_MS}, like 200, or a range, like 100-500`, given);
  }
  return { value: [from, to] };
}

function isValidLognormal({
  median,
  sigma,
  ...others
}: Extract<Delay, { readonly median: number }>): boolean {
  const isWithin = (value: unknown, most: number) => typeof value === 'number' && value >= 0 && value <= most;
  return (
    isWithin(median, LONGEST_DELAY_MS) && isWithin(sigma, WIDEST_SIGMA) && Object.keys(others).length === 0
  );
}

/** The form that `readStateless` accepts. */
export const STATELESS_SCHEMA: OptionSchema = { anyOf: [TRUTH, { type: 'array', items: TEXT, minItems: 1 }] };

const STATELESS_VALUES = 'true, false or a list of resource names';

/** Reads true or false for all resources, or the names of some: a list, or text with commas. */
export function readStateless(given: unknown): ReadResult<boolean | readonly string[]> {
  const all = readBoolean(given);
  if ('value' in all) return all;
  const names = isString(given) ? given.split(',').map((name) => name.trim()) : given;
  const isNames = Array.isArray(names) && names.length > 0 && names.every((name) => isString(name) && name);
  return isNames ? { value: names } : mustBe(STATELESS_VALUES, given);
}

/** Reads the same in code, where names come only as a list. */
export function readStatelessInCode(given: unknown): ReadResult<boolean | readonly string[]> {
  return isString(given) ? mustBe(STATELESS_VALUES, given) : readStateless(given);
}

/** Words the mistake of an unexpected value. */
export function mustBe(expected: string, given: unknown): { readonly mistake: string } {
  return { mistake: `must be ${expected}, not ${formatValue(given)}` };
}

const MOST_CHARACTERS = 100;

/** Formats a value as JSON of a readable length. Code may pass values that JSON cannot express, such as a BigInt. */
export function formatValue(given: unknown): string {
  const text = tryJson(given) ?? String(given);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function tryJson(given: unknown): string | undefined {
  try {
    return JSON.stringify(given);
  } catch {
    return undefined;
  }
}

function toNaturalNumber(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? given : undefined;
  return isString(given) && /^\d+$/.test(given) ? Number(given) : undefined;
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
