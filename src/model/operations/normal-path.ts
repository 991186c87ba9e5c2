/**
 * Writes a path, or the text of a template, so that equal ones are the same text: a character is escaped where RFC 3986 asks for it, and
 * only there. A "%" that begins no escape becomes `percent`. Escapes of bytes that are not UTF-8 stay.
 */
export function toNormalPath(path: string, percent: string = PERCENT): string {
  if (!ESCAPABLE.test(path)) return path;
  return path
    .split('/')
    .map((segment) => normalizeSegment(segment, percent))
    .join('/');
}

/** A "%" as text. */
export const PERCENT = '%25';

const ESCAPABLE = /[^\w/.~:@!$&'()*+,;=-]/;

const PARTS = /((?:%[\da-f]{2})+)|%|[^\w.~:@!$&'()*+,;=%-]+/gi;

function normalizeSegment(segment: string, percent: string): string {
  const normal = segment.replace(PARTS, (text: string, escapes: string | undefined) => {
    if (escapes !== undefined) return normalizeEscapes(escapes);
    return text === '%' ? percent : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  });
  // Unescaped, these segments would lead to another path.
  const isDots = normal !== segment && (normal === '.' || normal === '..');
  return isDots ? normal.replaceAll('.', '%2E') : normal;
}

function normalizeEscapes(escapes: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(escapes)).replace(NEEDLESS, decodeURIComponent);
  } catch {
    return escapes.toUpperCase();
  }
}

/** Escapes that `encodeURIComponent` makes, though a path may have the characters. */
const NEEDLESS = /%(?:3A|40|24|26|2B|2C|3B|3D)/g;
