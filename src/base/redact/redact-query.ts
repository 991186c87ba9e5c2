import { HIDDEN, type IsCredential } from './credential-names.ts';

/** Hides the credentials in a value that may be written in another format; `undefined` if it has none. */
export type RedactValue = (value: string) => string | undefined;

/** Hides the credentials in a query, or in a form without files. */
export function redactPairs(query: string, isCredential: IsCredential, redactValue: RedactValue): string {
  if (isHarmless(query, isCredential)) return query;
  const pairs = query.split('&');
  const isOfOAuth = () => pairs.some((pair) => OAUTH_NAMES.has(pair.slice(0, pair.indexOf('='))));
  const toShown = (pair: string): string => {
    const mark = pair.indexOf('=');
    if (mark < 0) return pair;
    const [name, value] = [decode(pair.slice(0, mark)), pair.slice(mark + 1)];
    const isCode = name === 'code' && (value.length >= LONG_CODE || isOfOAuth());
    if (isCode || isCredential(name)) return `${pair.slice(0, mark)}=${HIDDEN}`;
    const shown = EMBEDDED.test(value) ? redactValue(decode(value)) : undefined;
    return shown === undefined ? pair : `${pair.slice(0, mark)}=${encodeURIComponent(shown)}`;
  };
  return pairs.map(toShown).join('&');
}

/** Whether a query surely has no credential. Most have none, and each line of the log asks. */
function isHarmless(query: string, isCredential: IsCredential): boolean {
  if (ENCODED_OR_EMBEDDED.test(query)) return false;
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start);
    const end = next < 0 ? query.length : next;
    const mark = query.indexOf('=', start);
    const name = mark >= 0 && mark < end ? query.slice(start, mark) : '';
    if (name === 'code' || isCredential(name)) return false;
    start = end + 1;
  }
  return true;
}

const ENCODED_OR_EMBEDDED = /[%+]|=\s*[{["<]/;

/** With one of these beside it, a `code` is that of an OAuth redirect or of its exchange (RFC 6749 section 4.1). */
const OAUTH_NAMES: ReadonlySet<string> = new Set([
  'state',
  'session_state',
  'iss',
  'grant_type',
  'redirect_uri',
  'code_verifier',
  'client_id',
]);

/** Matches a value that begins like JSON or XML, or that is encoded, such as a URL in a query. */
const EMBEDDED = /^\s*[{["<]|[%+]/;

/** A code of a currency, a country or a status is shorter. */
const LONG_CODE = 16;

function decode(text: string): string {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const ENCODED = /[%+]/;

/** Hides the credentials in the queries and fragments of a text with URLs, or of a text that is a query. */
export function redactUrls(text: string, isCredential: IsCredential, redactValue: RedactValue): string {
  if (!text.includes('=')) return text;
  return text.replace(
    /(^|[?#])([^?#\s<>"=&]*=[^?#\s<>"]*)/g,
    (_, mark: string, query: string) => mark + redactPairs(query, isCredential, redactValue),
  );
}
