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
  return mediaType === 'application/json' || mediaType.endsWith('+json');
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
  if (accept === undefined || accept === '' || accept === '*/*') return declared[0];
  // What most programs send: the one type they know.
  if (declared.includes(accept)) return accept;
  const choose = (value: string) => new Negotiator({ headers: { accept: value } }).mediaType([...declared]);
  // A client that asks for `application/json; charset=utf-8` means JSON: to refuse it would help nobody.
  return choose(accept) ?? choose(accept.replace(/;\s*(?!q=)[^;,]*/gi, ''));
}
