import { type MockResponse, toAscii, toTarget } from './message.ts';

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

type Headers = MockResponse['headers'];

/** Node's and undici's clients refuse answers with more than 16 KiB of headers. This leaves room for those that proxies add. */
const BUDGET = 12 * 1024;

/**
 * Makes the headers of an answer fit to send. Each value becomes printable ASCII, whatever a client or a document put in.
 * Headers beyond the budget are left out whole, the longest first.
 */
export function toHeaders(headers: Headers): Headers {
  let length = 0;
  let plain = true;
  for (const name in headers) {
    const value = headers[name] as string;
    length += toLength(name, value);
    if (name !== CHECKED_AT_LOAD && UNPRINTABLE.test(value)) plain = false;
  }
  if (plain && length <= BUDGET) return headers;
  const printable = plain ? { ...headers } : toPrintable(headers);
  return shorten(printable);
}

/** By far the longest value of most answers, and made of checked names. */
const CHECKED_AT_LOAD = 'Access-Control-Expose-Headers';

const UNPRINTABLE = /[^\t -~]/;

/** The name, a colon, a space, the value and the end of the line. */
function toLength(name: string, value: string): number {
  return name.length + value.length + 4;
}

const TARGETS = new Set(['Location', 'Content-Location']);

function toPrintable(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      TARGETS.has(name) ? toTarget(value) : toAscii(value),
    ]),
  );
}

/** A client cannot read the body without these. */
const NEEDED = new Set(['Content-Type', 'Content-Length']);

function shorten(headers: Record<string, string>): Headers {
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

/** Links to pages, the least useful first. */
const PAGES = ['first', 'last', 'prev', 'next'].map((relation) => `rel="${relation}"`);

/** Drops the longest link of a Link value. Links to pages are about equally long, so the least useful of them goes. */
function dropLink(value: string): string {
  const links = value.split(/, (?=<)/);
  const longest = links.reduce((one, other) => (other.length > one.length ? other : one));
  const isPage = PAGES.some((page) => longest.endsWith(page));
  const pages = PAGES.flatMap((page) => links.filter((link) => link.endsWith(page)));
  const [dropped] = isPage ? pages : [longest];
  return links.filter((link) => link !== dropped).join(', ');
}

/** A response with its headers as they are sent: see `toHeaders`. */
export function toSendable(response: MockResponse): MockResponse {
  const headers = toHeaders(response.headers);
  return headers === response.headers ? response : { ...response, headers };
}
