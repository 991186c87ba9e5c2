import { type Numeric, Rounded, readNumber } from '../number.ts';
import type { Violation } from '../problem.ts';
import type { Shape } from '../schema/schema.ts';
import { findInexact, findUnfit } from './exact.ts';

/** The value of a JSON text, or what keeps it from being taken. */
export type JsonReading = { readonly value: unknown } | { readonly violation: Violation };

/**
 * Reads JSON without losing a digit of an integer. `shape` says where integers are wanted. Throws the SyntaxError of
 * `JSON.parse` for malformed text. A text without unusual numbers is parsed by `JSON.parse` alone.
 */
export function readJson(text: string, shape: Shape, location: string): JsonReading {
  const value: unknown = JSON.parse(text);
  if (!findInexact(value, location) && !LONG.test(text) && !TINY.test(text)) return { value };
  const violation = findUnfit(value, location, Number.MAX_VALUE);
  return violation ? { violation } : readExactly(text, shape, location);
}

/**
 * Where a number may stand that comes out as an ordinary integer and is none: a double holds 15 digits, and does not become 0 before
 * three digits of exponent. A match in a string does no harm. One pattern for both would take four times as long.
 */
const LONG = /[\d.]{16}/;
const TINY = /[eE]-\d{3}/;

/** Marks are doubles from here on, two apart. No other number from here on is left in a marked text. */
const FIRST_MARK = 2 ** 53;

/** Reads a text that is known to be JSON: parses it with a mark in place of each unusual number, then puts the numbers back. */
function readExactly(text: string, shape: Shape, location: string): JsonReading {
  const numbers: (Numeric | Rounded | undefined)[] = [];
  const marked = replaceNumbers(text, (literal) => {
    const number = readNumber(literal);
    if (typeof number === 'number' && Math.abs(number) < FIRST_MARK) return literal;
    numbers.push(number);
    return String(BigInt(FIRST_MARK) + 2n * BigInt(numbers.length - 1));
  });
  const path: Step[] = [];
  let violation: Violation | undefined;
  const toNumber = (value: number): Numeric | undefined => {
    const number = value < FIRST_MARK ? value : numbers[(value - FIRST_MARK) / 2];
    if (!(number instanceof Rounded)) return number;
    if (isWhole(shape, path)) violation ??= { location: toPlace(location, path), message: 'must be integer' };
    return number.value;
  };
  const restore = (value: unknown): unknown => {
    if (typeof value === 'number') return toNumber(value);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<Step, unknown>;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      path.push(step);
      // The member is there already, so even one named `__proto__` is set like any other.
      members[step] = restore(members[step]);
      path.pop();
    }
    return value;
  };
  const value = restore(JSON.parse(marked));
  return violation ? { violation } : { value };
}

type Step = string | number;

/** Whether nothing but integers is wanted at a place, as far as numbers go. */
function isWhole(shape: Shape, path: readonly Step[]): boolean {
  const { types } = path.reduce<Shape>(
    (each, step) => (typeof step === 'number' ? each.items() : each.member(step)),
    shape,
  );
  return types.includes('integer') && !types.includes('number');
}

function toPlace(location: string, path: readonly Step[]): string {
  return location + path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Replaces the numbers outside of strings that are long or have an exponent. */
function replaceNumbers(json: string, replace: (literal: string) => string): string {
  let written = '';
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = findClosingQuote(json, at);
    else if (isDigit(code) || code === MINUS) {
      const end = findEnd(json, at);
      const literal = json.slice(at, end);
      if (literal.length > 15 || /e/i.test(literal)) {
        written += json.slice(copied, at) + replace(literal);
        copied = end;
      }
      at = end - 1;
    }
  }
  return written + json.slice(copied);
}

function findClosingQuote(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  for (; ; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Where the number that begins at `start` ends. */
function findEnd(json: string, start: number): number {
  let end = start + 1;
  while (isNumeral(json.charCodeAt(end))) end += 1;
  return end;
}

const MINUS = 45;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a number goes on with a character. */
function isNumeral(code: number): boolean {
  return isDigit(code) || code === MINUS || NUMERALS.has(code);
}

/** `+`, `.`, `E` and `e`. */
const NUMERALS: ReadonlySet<number> = new Set([43, 46, 69, 101]);
