/**
 * A number that a client sends. An integer beyond 2^53-1 is a bigint, because a JavaScript number would round it. An integer
 * from 1e21 on that is written with an exponent, as JavaScript writes it, stays a number.
 */
export type Numeric = number | bigint;

/** A number that lost its fraction to rounding: `4503599627370497.5` has a fraction, its nearest double has none. */
export class Rounded {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The JSON spelling of an integer without an exponent: no plus sign, no leading zeros, no other base, no blanks. */
const JSON_INTEGER = /^-?(0|[1-9]\d*)$/;

/** An integer whose digits any double represents. */
const SHORT_INTEGER = /^-?(0|[1-9]\d{0,14})$/;

/** The JSON spelling of any number. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** JavaScript writes integers from here on with an exponent. */
const FIRST_WITH_EXPONENT = 1e21;

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const INT64_END = 2n ** 63n;

/** Reads an integer; `undefined` for any other text, and for one beyond the range of a double. */
export function readInteger(text: string): Numeric | undefined {
  if (SHORT_INTEGER.test(text)) return Number(text);
  return JSON_INTEGER.test(text) ? (readNumber(text) as Numeric | undefined) : undefined;
}

/** Reads a number, a fraction as the nearest double; `undefined` for any other text, and for one beyond the range of a double. */
export function readFraction(text: string): Numeric | undefined {
  const read = JSON_NUMBER.test(text) ? readNumber(text) : undefined;
  return read instanceof Rounded ? read.value : read;
}

/** The value of a JSON number; `undefined` beyond the range of a double, so no bigint has more than 309 digits. */
export function readNumber(text: string): Numeric | Rounded | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (!Number.isInteger(number)) return number;
  const large = Math.abs(number) >= FIRST_WITH_EXPONENT && !JSON_INTEGER.test(text);
  if (large && isExactDouble(text)) return number;
  const exact = toExactInteger(text);
  if (exact === undefined) return new Rounded(number);
  if (isSafe(exact)) return number;
  return large && exact === toExactInteger(String(number)) ? number : exact;
}

/** Whether a double represents every digit of a number with an exponent: at most 15 characters stand before the exponent. */
function isExactDouble(text: string): boolean {
  const exponent = text.search(/e/i);
  return exponent > 0 && exponent <= 15;
}

/** Whether an integer lies within int64. */
export function isInt64(value: Numeric): boolean {
  // Comparing a number with a bigint is slow.
  if (typeof value === 'number') return value >= -(2 ** 63) && value < 2 ** 63;
  return value >= -INT64_END && value < INT64_END;
}

/** The sum of two numbers, exact for integers. */
export function add(one: Numeric, other: Numeric): Numeric {
  if (!isWhole(one) || !isWhole(other)) return Number(one) + Number(other);
  const sum = BigInt(one) + BigInt(other);
  return isSafe(sum) ? Number(sum) : sum;
}

/** The difference of two numbers, exact for integers. */
export function subtract(one: Numeric, other: Numeric): Numeric {
  return add(one, -other);
}

function isWhole(value: Numeric): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Whether a value contains an integer beyond 2^53-1. */
export function hasBig(value: unknown): boolean {
  if (typeof value !== 'object') return isBig(value);
  if (value === null) return false;
  if (Array.isArray(value)) return value.some(hasBig);
  for (const name in value) if (hasBig((value as Record<string, unknown>)[name])) return true;
  return false;
}

/** A copy of a value with a bigint for each integer beyond 2^53-1, so that two spellings of an integer compare equal. */
export function withBigs(value: unknown): unknown {
  if (isBig(value)) return typeof value === 'number' ? toExactInteger(String(value)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withBigs);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withBigs(member)]));
}

/** Whether an integer is a multiple of a number, calculated exactly in decimal. */
export function isMultiple(value: bigint, factor: number): boolean {
  const { digits, exponent } = toDecimal(String(factor));
  const scale = 10n ** BigInt(Math.abs(exponent));
  const divisor = BigInt(digits) * (exponent > 0 ? scale : 1n);
  return divisor !== 0n && (value * (exponent < 0 ? scale : 1n)) % divisor === 0n;
}

function isBig(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'bigint';
}

function isSafe(value: bigint): boolean {
  return value <= SAFE && value >= -SAFE;
}

/** The integer that a decimal text spells; `undefined` if it has a fraction. The text must be within the range of a double. */
function toExactInteger(text: string): bigint | undefined {
  const { digits, exponent } = toDecimal(text);
  if (exponent < 0) return undefined;
  return BigInt(digits + '0'.repeat(exponent));
}

interface Decimal {
  /** Without zeros at either end. */
  readonly digits: string;
  /** The power of ten that the digits are multiplied by. */
  readonly exponent: number;
}

/** Splits a decimal text into digits and exponent, in one pass. */
function toDecimal(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start += 1;
  if (start === all.length) return { digits: '0', exponent: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  return {
    digits: sign + all.slice(start, end),
    exponent: Number(power) - fraction.length + all.length - end,
  };
}
