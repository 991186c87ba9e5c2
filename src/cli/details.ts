import { escapeControls } from '../base/printable.ts';
import { type IsCredential, redactBody, redactHeaders, redactQuery } from '../base/redact/redact.ts';
import type { ExchangeOutline, JournalEntry } from '../core/journal/journal.ts';

/** Longer bodies are cut to this many characters. */
const MOST_BODY_CHARACTERS = 2000;

/** An exchange without the credentials in its query, because others may read the log. */
export function withoutQuerySecrets<E extends ExchangeOutline>(
  exchange: E,
  credentials: () => IsCredential,
): E {
  const { request } = exchange;
  if (request.query === '') return exchange;
  const query = redactQuery(request.query, credentials());
  return query === request.query ? exchange : { ...exchange, request: { ...request, query } };
}

/** An exchange without credentials anywhere, and without the bytes of files. */
export function withoutSecrets(exchange: JournalEntry, credentials: () => IsCredential): JournalEntry {
  const isCredential = credentials();
  const { request, response } = withoutQuerySecrets(exchange, credentials);
  return {
    ...exchange,
    request: hideInSide(request, isCredential),
    response: hideInSide(response, isCredential),
  };
}

function hideInSide<T extends JournalEntry['request'] | JournalEntry['response']>(
  { bytes, ...side }: T,
  isCredential: IsCredential,
): T {
  const type = Object.entries(side.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const body = countBytes(bytes, type) ?? (side.body && redactBody(side.body, type ?? '', isCredential));
  return { ...side, headers: redactHeaders(side.headers, isCredential), body } as T;
}

/** Counts the bytes of a file. In a multipart form, the text around the files says more. */
function countBytes(bytes: Uint8Array | undefined, type = 'an unknown type'): string | undefined {
  const isForm = type.toLowerCase().startsWith('multipart/');
  return bytes && !isForm ? `(${bytes.length} bytes of ${type})` : undefined;
}

const MOST_TARGET_CHARACTERS = 200;

/** The path and the query of a request for one line of the log. */
export function toTarget({ path, request: { query } }: ExchangeOutline): string {
  const target = escapeControls(query === '' ? path : `${path}?${query}`);
  return target.length <= MOST_TARGET_CHARACTERS ? target : `${target.slice(0, MOST_TARGET_CHARACTERS)}...`;
}

/** Formats the details as lines: `>` marks the request, `<` the response. */
export function formatDetails({ method, path, status, request, response }: JournalEntry): string {
  const target = request.query === '' ? path : `${path}?${request.query}`;
  return [
    ...formatSide('>', `${method} ${target}`, request),
    ...formatSide('<', String(status), response),
  ].join('\n');
}

function formatSide(
  mark: string,
  start: string,
  { headers, body }: JournalEntry['request'] | JournalEntry['response'],
): string[] {
  const lines = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const content = body === undefined || body === '' ? [] : ['', ...cutBody(body).split('\n')];
  return [...lines, ...content].map((line) => `  ${mark} ${escapeControls(line)}`.trimEnd());
}

function cutBody(body: string): string {
  if (body.length <= MOST_BODY_CHARACTERS) return body;
  return `${body.slice(0, MOST_BODY_CHARACTERS)}\n... ${body.length - MOST_BODY_CHARACTERS} more characters`;
}
