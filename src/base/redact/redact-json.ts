import { HIDDEN, type IsCredential } from './credential-names.ts';
import type { RedactValue } from './redact-query.ts';

/**
 * Hides the credentials in a JSON text, as a string in place of each value. Everything else stays as it is written. Works on the text,
 * because a body may be malformed, or nest too deeply for recursion. Linear.
 */
export function redactJson(
  text: string,
  isCredential: IsCredential,
  redactValue: RedactValue = () => undefined,
): string {
  let redacted = '';
  let copied = 0;
  const replace = (from: number, to: number, shown: string) => {
    redacted += `${text.slice(copied, from)}${shown}`;
    copied = to;
    return to;
  };
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = endOfString(text, at);
    const colon = skipSpace(text, end);
    if (text[colon] !== ':') {
      const shown = redactString(text.slice(at, end), redactValue);
      at = shown === undefined ? end : replace(at, end, shown);
      continue;
    }
    const secrecy = isCredential(toName(text.slice(at, end)));
    const start = skipSpace(text, colon + 1);
    if (secrecy === true) at = replace(start, endOfValue(text, start), QUOTED);
    else if (secrecy === 'text') at = hideTexts(text, start, replace);
    else at = end;
  }
  return redacted + text.slice(copied);
}

const QUOTED = `"${HIDDEN}"`;

/** Hides a text or a number, or those of a list. Returns the position to go on at. */
function hideTexts(
  text: string,
  start: number,
  replace: (from: number, to: number, shown: string) => number,
): number {
  let at = start;
  let depth = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (character === '"' || NUMBER.has(character)) at = replace(at, endOfValue(text, at), QUOTED);
    else if (character === '[') at += 1;
    else if (depth === 0 || !BETWEEN.has(character)) return at;
    else at += 1;
    depth += DEPTHS.get(character) ?? 0;
    if (depth === 0) return at;
    at = skipSpace(text, at);
  }
  return at;
}

const NUMBER: ReadonlySet<string> = new Set('-0123456789');
/** The characters between the items of lists. */
const BETWEEN: ReadonlySet<string> = new Set(',]');

/** Hides the credentials in a string that is written in another format; `undefined` if it has none, which most strings show at once. */
function redactString(quoted: string, redactValue: RedactValue): string | undefined {
  if (!EMBEDDED.test(quoted)) return undefined;
  const shown = redactValue(readString(quoted));
  return shown === undefined ? undefined : JSON.stringify(shown);
}

/** JSON in a string has its quotes escaped, a query has pairs, and XML begins with a tag. */
const EMBEDDED = /^"\s*<|=|\\["u]/;

/** Reads a string, also one that is malformed. */
function readString(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return readEscapes(quoted.slice(1).replace(/"$/, ''));
  }
}

function readEscapes(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(.?))/gis, (_, code: string | undefined, character: string) =>
    code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** The position behind a string, or behind the text if the string has no end. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** The position behind a value: after its last bracket or quote, or before whatever ends a number or a word. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] as string;
    if (depth === 0 && BEHIND.has(character)) return at;
    at = character === '"' ? endOfString(text, at) : at + 1;
    depth += DEPTHS.get(character) ?? 0;
    if (depth === 0 && LAST.has(character)) return at;
  }
  return at;
}

const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
]);
/** The characters that may follow a value. */
const BEHIND: ReadonlySet<string> = new Set(',}]');
/** The characters that end a string, an object or a list. */
const LAST: ReadonlySet<string> = new Set('"}]');

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACES.has(text[at] as string)) at += 1;
  return at;
}

const SPACES: ReadonlySet<string> = new Set(' \t\r\n');

/** The name that a quoted text stands for; empty for one too long to name a credential. */
function toName(quoted: string): string {
  if (quoted.length > 256) return '';
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}
