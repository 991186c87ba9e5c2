import { type HeaderFields, type MockResponse, toAscii, toTarget } from './plain-message.ts';

/** Names that are not simply spelled with a capital at the start of each word. As `__proto__`, a header would be lost in an object. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['__proto__', '__Proto__'],
]);

/** The headers by which a server frames a message and manages its connection (RFC 9112; RFC 9110 section 7.6.1), in lower case. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/**
 * Spells a header name in the usual way. Headers of a document or a rule go through it, so that two spellings of one name never
 * become two headers.
 */
export function toHeaderName(name: string): string {
  const lower = name.toLowerCase();
  return SPELLINGS.get(lower) ?? lower.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** The clients of Node and undici refuse answers with more than 16 KiB of headers. Proxies may add the rest. */
const BUDGET = 12 * 1024;

/**
 * Makes headers safe to send, wherever their values come from: printable ASCII, and together short enough for any client. Leaves
 * out those that do not fit, the longest first.
 */
function toHeaders(headers: HeaderFields): HeaderFields {
  let length = 0;
  let plain = true;
  for (const name in headers) {
    const value = headers[name] as string;
    length += toLength(name, value);
    if (name !== CHECKED_AT_LOAD && UNPRINTABLE.test(value)) plain = false;
  }
  if (plain && length <= BUDGET) return headers;
  const printable = plain ? { ...headers } : toPrintableFields(headers);
  return shorten(printable);
}

/** A list of header names, by far the longest value of most answers. */
const CHECKED_AT_LOAD = 'Access-Control-Expose-Headers';

const UNPRINTABLE = /[^\t -~]/;

/** The name, a colon, a space, the value and the end of the line. */
function toLength(name: string, value: string): number {
  return name.length + value.length + 4;
}

const TARGET_HEADERS = new Set(['Location', 'Content-Location']);

function toPrintableFields(headers: HeaderFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      TARGET_HEADERS.has(name) ? toTarget(value) : toAscii(value),
    ]),
  );
}

/** No client can read the body without these. */
const NEEDED = new Set(['Content-Type', 'Content-Length']);

function shorten(headers: Record<string, string>): HeaderFields {
  const lengthOf = (name: string) => toLength(name, headers[name] ?? '');
  const sum = () => Object.keys(headers).reduce((total, name) => total + lengthOf(name), 0);
  while (sum() > BUDGET) {
    const candidates = Object.keys(headers).filter((name) => !NEEDED.has(name));
    if (candidates.length === 0) break;
    const longest = candidates.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
    const links = longest === 'Link' ? dropLink(headers.Link ?? '') : '';
    if (links === '') delete headers[longest];
    else headers.Link = links;
  }
  return headers;
}

/** The links to pages, the least useful first. */
const PAGES = ['first', 'last', 'prev', 'next'].map((relation) => `rel="${relation}"`);

/** Drops the longest link of a Link value. Links to pages are about equally long, so drops the least useful one of these. */
function dropLink(value: string): string {
  const links = value.split(/, (?=<)/);
  const longest = links.reduce((one, other) => (other.length > one.length ? other : one));
  const isPage = PAGES.some((page) => longest.endsWith(page));
  const pages = PAGES.flatMap((page) => links.filter((link) => link.endsWith(page)));
  const [dropped] = isPage ? pages : [longest];
  return links.filter((link) => link !== dropped).join(', ');
}

/** Makes the headers of a response safe to send. */
export function toSendable(response: MockResponse): MockResponse {
  const headers = toHeaders(response.headers);
  return headers === response.headers ? response : { ...response, headers };
}
