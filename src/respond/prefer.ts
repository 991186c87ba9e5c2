import { toAscii } from '../message.ts';

/** The preferences of a request that this server knows. */
export interface Preferences {
  /** `code=404`: answer with this status. */
  readonly code?: number;
  /** `example=NAME`: answer with this example of the document. */
  readonly example?: string;
  /** `dynamic=true`: make a value up instead of taking an example. */
  readonly dynamic?: true;
  /** `seed=TEXT`: decides the values that are made up for this request. */
  readonly seed?: string;
}

/**
 * The preferences of a request: those of its `Prefer` header, and for clients that cannot send headers those of the query
 * parameters `__code`, `__example`, `__dynamic` and `__seed`. The header wins.
 */
export function readPreferences(header: string | undefined, query: string): Preferences {
  if (!query.includes('__')) return parsePrefer(header);
  const parameters = new URLSearchParams(query);
  const found = new Map(
    ['code', 'example', 'dynamic', 'seed'].flatMap((name) => {
      const value = parameters.get(`__${name}`);
      return value === null ? [] : [[name, value] as const];
    }),
  );
  return { ...toPreferences(found), ...parsePrefer(header) };
}

/**
 * The known preferences of a `Prefer` value. RFC 7240 section 2: names in any case, the first of two wins, and what is not
 * known or makes no sense is passed over.
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return {};
  const found = new Map<string, string>();
  for (const preference of splitUnquoted(fromBytes(header), ',')) {
    const [pair = ''] = splitUnquoted(preference, ';');
    const mark = pair.indexOf('=');
    const name = (mark < 0 ? pair : pair.slice(0, mark)).trim().toLowerCase();
    const value = mark < 0 ? '' : unquote(pair.slice(mark + 1).trim());
    if (!found.has(name)) found.set(name, value);
  }
  return toPreferences(found);
}

function toPreferences(found: ReadonlyMap<string, string>): Preferences {
  const code = found.get('code') ?? '';
  const example = found.get('example');
  const seed = found.get('seed');
  return {
    ...(/^[2-5]\d\d$/.test(code) && { code: Number(code) }),
    ...(example && { example }),
    ...(found.get('dynamic') === 'true' && { dynamic: true }),
    ...(seed && { seed }),
  };
}

/** Decodes a header, which arrives as one character a byte, from UTF-8, so that `example=größe` names that example. */
function fromBytes(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** The parts between separators, but for separators inside double quotes. One pass, whatever a client sends. */
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
 * The value of `Preference-Applied` (RFC 7240 section 3) for what was applied; `undefined` for nothing. A header is ASCII, so
 * any other character is percent-encoded, as it is in the query that may have brought it.
 */
export function toPreferenceApplied({ code, example, dynamic, seed }: Preferences): string | undefined {
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${toWord(example)}`]),
    ...(dynamic ? ['dynamic=true'] : []),
    ...(seed === undefined ? [] : [`seed=${toWord(seed)}`]),
  ];
  return applied.length === 0 ? undefined : applied.join(', ');
}

/** A token, else a quoted string (RFC 9110 section 5.6.4). */
function toWord(value: string): string {
  return TOKEN.test(value) ? value : `"${toAscii(value).replace(/["\\]/g, '\\$&')}"`;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
