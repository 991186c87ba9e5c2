import type { JournalEntry } from '../journal.ts';

/** Longer bodies are cut to this many characters. */
const MOST_SHOWN = 2000;

/** What credentials are usually called. */
const CREDENTIAL = String.raw`authori[sz]ation|\bauth\b|cookie|token|secret|passw|api.?key|credential`;
const CREDENTIAL_NAME = new RegExp(CREDENTIAL, 'i');
const CREDENTIAL_PAIR = new RegExp(`((?:^|&)[^=&]*(?:${CREDENTIAL})[^=&]*=)[^&]*`, 'gi');
const HIDDEN = '[hidden]';

/** What both sides of an exchange said, for a log that others may read: without the credentials in headers and query. */
export function toDetails({ request, response }: JournalEntry): Pick<JournalEntry, 'request' | 'response'> {
  return {
    request: {
      ...request,
      query: request.query.replace(CREDENTIAL_PAIR, `$1${HIDDEN}`),
      headers: hideCredentials(request.headers),
    },
    response: { ...response, headers: hideCredentials(response.headers) },
  };
}

function hideCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, CREDENTIAL_NAME.test(name) ? HIDDEN : value]),
  );
}

/** Formats the details as lines: `>` marks the request, `<` the response. */
export function formatDetails(exchange: JournalEntry): string {
  const { method, path, status } = exchange;
  const { request, response } = toDetails(exchange);
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
  const content = body === undefined || body === '' ? [] : ['', ...cut(body).split('\n')];
  return [...lines, ...content].map((line) => `  ${mark} ${toPrintable(line)}`.trimEnd());
}

function cut(body: string): string {
  if (body.length <= MOST_SHOWN) return body;
  return `${body.slice(0, MOST_SHOWN)}\n... ${body.length - MOST_SHOWN} more characters`;
}

/** Escapes control characters, so that a client cannot move the cursor of the terminal or change its colors. */
export function toPrintable(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
