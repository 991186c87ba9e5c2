import Negotiator from 'negotiator';

/** The media type of a Content-Type value: lower case, without parameters. `undefined` where there is none. */
export function toMediaType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}

/** The charset parameter of a Content-Type value in lower case, if it has one. */
export function toCharset(contentType: string | undefined): string | undefined {
  return contentType?.match(/;\s*charset\s*=\s*"?([^\s;"]+)/i)?.[1]?.toLowerCase();
}

export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json');
}

export function isXml(mediaType: string): boolean {
  return mediaType === 'application/xml' || mediaType === 'text/xml' || mediaType.endsWith('+xml');
}

function isJsonType(declared: string): boolean {
  return isJson(toMediaType(declared) ?? '');
}

/** The type to answer with where a range is declared: JSON where it covers that, else plain text; any other type itself. */
export function toActualType(declared: string): string {
  const type = toMediaType(declared) ?? '';
  if (!type.includes('*')) return declared;
  return ['application/json', 'text/plain'].find((actual) => isCovered(type, actual)) ?? declared;
}

/** Whether a declared media type (maybe a range such as `application/*`) covers an actual one. */
export function isCovered(declared: string, actual: string): boolean {
  const range = toMediaType(declared) ?? '';
  if (range === '*/*' || range === actual) return true;
  return range.endsWith('/*') && actual.startsWith(range.slice(0, -1));
}

/** The declared media type that the Accept value prefers (RFC 9110 section 12.5.1), or `undefined` if it takes none. */
export function negotiateMediaType(
  accept: string | undefined,
  declared: readonly string[],
): string | undefined {
  if (accept === undefined || accept === '' || accept === '*/*') {
    return declared.length > 1 ? (declared.find(isJsonType) ?? declared[0]) : declared[0];
  }
  // What most programs send: the one type they know.
  if (declared.includes(accept)) return accept;
  // Of two that are equally welcome JSON is taken, as where nothing is asked for, and then the first one declared.
  const offered = [...declared.filter(isJsonType), ...declared.filter((type) => !isJsonType(type))];
  const choose = (value: string) => new Negotiator({ headers: { accept: value } }).mediaType(offered);
  // A client that asks for `application/json; charset=utf-8` means JSON: to refuse it would help nobody.
  return choose(accept) ?? choose(accept.replace(/;\s*(?!q=)[^;,]*/gi, ''));
}

/** The one of some media types that an Accept value prefers, or `undefined` if it takes none. */
export type ChooseMediaType = (accept: string | undefined) => string | undefined;

/** Most clients send the same few values; the bounds are for those that make them up. */
const KEPT_CHOICES = 50;
const LONGEST_KEPT = 300;

/** Chooses among these media types, and keeps what was chosen. */
export function buildChooser(declared: readonly string[]): ChooseMediaType {
  const kept = new Map<string | undefined, string | undefined>();
  return (accept) => {
    const known = kept.get(accept);
    if (known !== undefined) return known;
    const chosen = negotiateMediaType(accept, declared);
    if (accept !== undefined && accept.length > LONGEST_KEPT) return chosen;
    if (kept.size >= KEPT_CHOICES) kept.clear();
    kept.set(accept, chosen);
    return chosen;
  };
}
