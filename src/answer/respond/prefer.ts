import { isToken, toAscii } from '../../wire/message/message.ts';
import { isVariant, type Variant } from '../variants/variants.ts';

/** The supported preferences of a request. */
export interface Preferences {
  /** `code=404`: answer with this status. */
  readonly code?: number;
  /** `example=NAME`: answer with this example of the document. */
  readonly example?: string;
  /** `dynamic=true`: generate a value instead of taking an example; `dynamic=false`: the contrary. */
  readonly dynamic?: boolean;
  /** `seed=TEXT`: decides the generated values of this request. */
  readonly seed?: string;
  /** `variant=long`: push the answer to this extreme. */
  readonly variant?: Variant;
}

/**
 * Reads the preferences of a request from its `Prefer` header and, for clients that cannot send headers, from the query parameters
 * `__code`, `__example`, `__dynamic`, `__seed` and `__variant`. The header wins.
 */
export function readPreferences(header: string | undefined, query: string): Preferences {
  if (!query.includes('__')) return parsePrefer(header);
  return { ...toPreferences(parseQuery(query)), ...parsePrefer(header) };
}

export const PREFERENCE_NAMES: readonly string[] = ['code', 'example', 'dynamic', 'seed', 'variant'];

/** Reads the query parameters that begin with two underscores, without these. The first of two wins. */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query))
    if (name.startsWith('__') && !found.has(name.slice(2))) found.set(name.slice(2), value);
  return found;
}

/**
 * Reads the known preferences of a `Prefer` value (RFC 7240 section 2): names in any case, the first of two wins, and unknown or
 * invalid ones are ignored.
 */
export function parsePrefer(header: string | undefined): Preferences {
  return header === undefined ? {} : toPreferences(parseHeader(header));
}

/** Reads all preferences of a `Prefer` value, with their names in lower case. */
export function parseHeader(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of parsePairs(header)) if (!found.has(name)) found.set(name, value);
  return found;
}

/** Reads all preferences of a `Prefer` value in their order, with their names in lower case. */
export function parsePairs(header: string): (readonly [name: string, value: string])[] {
  return splitUnquoted(fromBytes(header), ',').map((preference) => {
    const [pair = ''] = splitUnquoted(preference, ';');
    const mark = pair.indexOf('=');
    const name = (mark < 0 ? pair : pair.slice(0, mark)).trim().toLowerCase();
    return [name, mark < 0 ? '' : unquote(pair.slice(mark + 1).trim())];
  });
}

/** Whether a value of a known preference can be used. */
export function isUsable(name: string, value: string): boolean {
  if (name === 'code') return /^[2-5]\d\d$/.test(value);
  if (name === 'variant') return isVariant(value);
  return name === 'dynamic' ? isBoolean(value) : value !== '';
}

function toPreferences(found: ReadonlyMap<string, string>): Preferences {
  const code = found.get('code') ?? '';
  const example = found.get('example');
  const seed = found.get('seed');
  const variant = found.get('variant');
  return {
    ...(isUsable('code', code) && { code: Number(code) }),
    ...(example && { example }),
    ...(isBoolean(found.get('dynamic')) && { dynamic: found.get('dynamic') === 'true' }),
    ...(seed && { seed }),
    ...(isVariant(variant) && { variant }),
  };
}

function isBoolean(text: string | undefined): boolean {
  return text === 'true' || text === 'false';
}

/** Decodes a header as UTF-8 if it is valid, so that `example=größe` names that example. Node reads it as latin1. */
function fromBytes(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** Splits a text at separators outside of double quotes, in one pass whatever a client sends. */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '\\' && quoted) index += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unquote(value: string): string {
  const closed = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return closed ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/**
 * Writes the value of `Preference-Applied` (RFC 7240 section 3); `undefined` without preferences. Percent-encodes characters outside
 * of ASCII, as a query does.
 */
export function toPreferenceApplied({
  code,
  example,
  dynamic,
  seed,
  variant,
}: Preferences): string | undefined {
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${toTokenOrQuoted(example)}`]),
    ...(dynamic ? ['dynamic=true'] : []),
    ...(seed === undefined ? [] : [`seed=${toTokenOrQuoted(seed)}`]),
    ...(variant === undefined ? [] : [`variant=${variant}`]),
  ];
  return applied.length === 0 ? undefined : applied.join(', ');
}

/** A token, else a quoted string (RFC 9110 section 5.6.4). */
function toTokenOrQuoted(value: string): string {
  return isToken(value) ? value : `"${toAscii(value).replace(/["\\]/g, '\\$&')}"`;
}
