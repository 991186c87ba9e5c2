import { type Numeric, Rounded, readNumber } from '../../base/number.ts';
import type { Violation } from '../../base/problem.ts';
import type { Shape } from '../../schema/schema.ts';
import { findInexact, findUnfit } from './exact.ts';

/** The value of a JSON text, or the reason to refuse it. */
export type JsonReading = { readonly value: unknown } | { readonly violation: Violation };

/**
 * Reads JSON without losing a digit of an integer. Refuses a rounded fraction where `shape` allows only integers. Throws the
 * SyntaxError of `JSON.parse` for malformed text. A text without unusual numbers takes only `JSON.parse`.
 */
export function readJson(text: string, shape: Shape, location: string): JsonReading {
  const value: unknown = JSON.parse(text);
  if (!findInexact(value, location) && !hasLongNumber(text) && !TINY.test(text)) return { value };
  const violation = findUnfit(value, location, Number.MAX_VALUE);
  return violation ? { violation } : readExactly(text, shape, location);
}

/**
 * A double has 15 exact digits, and becomes 0 only from three digits of exponent on. A match in a string does no harm.
 */
const MOST_DIGITS = 15;
const TINY = /[eE]-\d{3}/;

/**
 * Whether a text may contain a fraction that `JSON.parse` rounds to an integer: more digits in a row than a double has. Looks at every
 * sixteenth character, and not by `/[\d.]{16}/`: V8 would switch to its linear engine for it, and take 790 MiB for a MiB of numbers.
 */
function hasLongNumber(text: string): boolean {
  for (let at = MOST_DIGITS; at < text.length; at += MOST_DIGITS + 1) {
    if (!isNumeric(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && at - start < MOST_DIGITS && isNumeric(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end - start <= MOST_DIGITS && isNumeric(text.charCodeAt(end))) end++;
    if (end - start > MOST_DIGITS) return true;
  }
  return false;
}

/** A digit or a point. */
function isNumeric(code: number): boolean {
  return code === 46 || (code >= 48 && code <= 57);
}

/** Marks are doubles from here on, two apart. Marking replaces every number from here on. */
const FIRST_MARK = 2 ** 53;

/** Reads valid JSON: parses it with a mark in place of each unusual number, then replaces the marks. */
function readExactly(text: string, shape: Shape, location: string): JsonReading {
  const numbers: (Numeric | Rounded | undefined)[] = [];
  const marked = replaceNumbers(text, (literal) => {
    const number = readNumber(literal);
    if (typeof number === 'number' && Math.abs(number) < FIRST_MARK) return literal;
    numbers.push(number);
    return String(BigInt(FIRST_MARK) + 2n * BigInt(numbers.length - 1));
  });
  const path: PathStep[] = [];
  let violation: Violation | undefined;
  const toNumber = (value: number): Numeric | undefined => {
    const number = value < FIRST_MARK ? value : numbers[(value - FIRST_MARK) / 2];
    if (!(number instanceof Rounded)) return number;
    if (wantsInteger(shape, path))
      violation ??= { location: appendPath(location, path), message: 'must be integer', code: 'type' };
    return number.value;
  };
  const restore = (value: unknown): unknown => {
    if (typeof value === 'number') return toNumber(value);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<PathStep, unknown>;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      path.push(step);
      // Safe even for a member named `__proto__`, because it exists.
      members[step] = restore(members[step]);
      path.pop();
    }
    return value;
  };
  const value = restore(JSON.parse(marked));
  return violation ? { violation } : { value };
}

type PathStep = string | number;

/** Whether integers are the only numbers that a shape allows at a path. */
function wantsInteger(shape: Shape, path: readonly PathStep[]): boolean {
  const { types } = path.reduce<Shape>(
    (each, step) => (typeof step === 'number' ? each.items() : each.member(step)),
    shape,
  );
  return types.includes('integer') && !types.includes('number');
}

function appendPath(location: string, path: readonly PathStep[]): string {
  return location + path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Replaces the numbers that are long or have an exponent. */
function replaceNumbers(json: string, replace: (literal: string) => string): string {
  let written = '';
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = findClosingQuote(json, at);
    else if (isDigit(code) || code === MINUS) {
      const end = findNumberEnd(json, at);
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

/** The end of the number that begins at `start`. */
function findNumberEnd(json: string, start: number): number {
  let end = start + 1;
  while (isNumeral(json.charCodeAt(end))) end += 1;
  return end;
}

const MINUS = 45;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a number may continue with a character. */
function isNumeral(code: number): boolean {
  return isDigit(code) || code === MINUS || NUMERALS.has(code);
}

/** `+`, `.`, `E` and `e`. */
const NUMERALS: ReadonlySet<number> = new Set([43, 46, 69, 101]);
