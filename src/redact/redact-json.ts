import { HIDDEN, type IsCredential } from './credential-names.ts';

/**
 * Hides the credentials in a JSON text, as a string in place of each value. Everything else stays as it is written. Works on the text,
 * because a body may be malformed, or nest too deeply for recursion. Linear.
 */
export function redactJson(text: string, isCredential: IsCredential): string {
  let redacted = '';
  let copied = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = endOfString(text, at);
    const colon = skipSpace(text, end);
    if (text[colon] !== ':' || !isCredential(toName(text.slice(at, end)))) {
      at = end;
      continue;
    }
    const start = skipSpace(text, colon + 1);
    at = endOfValue(text, start);
    redacted += `${text.slice(copied, start)}"${HIDDEN}"`;
    copied = at;
  }
  return redacted + text.slice(copied);
}

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
