/** The preferences of a request that this server knows. */
export interface Preferences {
  /** `code=404`: answer with this status. */
  readonly code?: number;
  /** `example=NAME`: answer with this example of the document. */
  readonly example?: string;
}

const PREFERENCE =
  /\s*([^\s=,;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?([^,"]|"(?:[^"\\]|\\.)*")*(?:,|$)/y;

/**
 * The known preferences of a `Prefer` value. RFC 7240 section 2: names in any case, the first of two wins, and what is not
 * known or makes no sense is passed over.
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return {};
  const found = new Map<string, string>();
  PREFERENCE.lastIndex = 0;
  while (PREFERENCE.lastIndex < header.length) {
    const [, name, quoted, token] = PREFERENCE.exec(header) ?? [];
    if (name === undefined) break;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? token ?? '';
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  const code = found.get('code') ?? '';
  const example = found.get('example');
  return { ...(/^[2-5]\d\d$/.test(code) && { code: Number(code) }), ...(example && { example }) };
}

/** The value of `Preference-Applied` (RFC 7240 section 3) for what was applied; `undefined` for nothing. */
export function toPreferenceApplied({ code, example }: Preferences): string | undefined {
  const applied = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${TOKEN.test(example) ? example : JSON.stringify(example)}`]),
  ];
  return applied.length === 0 ? undefined : applied.join(', ');
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
