import Negotiator from 'negotiator';
import { createCache } from '../../base/cache.ts';

/** The media type of a Content-Type value: lower case, without parameters. */
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

/** The media type of forms without files. */
export const URL_ENCODED = 'application/x-www-form-urlencoded';
/** The media type of forms that may have files. */
export const MULTIPART = 'multipart/form-data';

export function isForm(mediaType: string): boolean {
  return mediaType === URL_ENCODED || mediaType === MULTIPART;
}

export function isXml(mediaType: string): boolean {
  return mediaType === 'application/xml' || mediaType === 'text/xml' || mediaType.endsWith('+xml');
}

function isJsonType(declared: string): boolean {
  return isJson(toMediaType(declared) ?? '');
}

/** Replaces a declared range by JSON if it covers that, else by plain text. Returns any other type as it is. */
export function toActualType(declared: string): string {
  const type = toMediaType(declared) ?? '';
  if (!type.includes('*')) return declared;
  return ['application/json', 'text/plain'].find((actual) => isCovered(type, actual)) ?? declared;
}

/** The actual types of a declared one: every image type with a sample for `image/*`. */
export function toActualTypes(declared: string): readonly string[] {
  return toMediaType(declared) === 'image/*' ? IMAGE_TYPES : [toActualType(declared)];
}

/** The image types with a sample, the most widespread one first. */
const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
];

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
  // Most programs send the one type that they read.
  if (declared.includes(accept)) return accept;
  // Of equally preferred types, JSON wins, then the first declared one.
  const offered = [...declared.filter(isJsonType), ...declared.filter((type) => !isJsonType(type))];
  const choose = (value: string) => new Negotiator({ headers: { accept: value } }).mediaType(offered);
  // A client that accepts `application/json; charset=utf-8` means JSON, so drop the parameters.
  return choose(accept) ?? choose(accept.replace(/;\s*(?!q=)[^;,]*/gi, ''));
}

/** The media type that an Accept value prefers, or `undefined` if it takes none. */
export type ChooseMediaType = (accept: string | undefined) => string | undefined;

/** Chooses among media types, and caches the choice for recent Accept values. */
export function createChooser(declared: readonly string[]): ChooseMediaType {
  const choices = createCache<string>({ entries: 50, bytes: 16_384 });
  return (accept = '') => {
    const known = choices.get(accept);
    if (known !== undefined) return known;
    const chosen = negotiateMediaType(accept, declared);
    if (chosen !== undefined) choices.set(accept, chosen, accept.length);
    return chosen;
  };
}
