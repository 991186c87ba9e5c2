/** Names that are not spelled with a capital at the beginning of each word and small letters elsewhere. */
const SPELLINGS: Readonly<Record<string, string>> = { etag: 'ETag', 'www-authenticate': 'WWW-Authenticate' };

/**
 * The one spelling of a header name. Headers from a document or a rule go through it, so that two spellings of one name
 * never end up as two headers.
 */
export function toHeaderName(name: string): string {
  const lower = name.toLowerCase();
  return SPELLINGS[lower] ?? lower.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
