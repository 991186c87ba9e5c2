import type { JournalEntry } from '../journal.ts';
import { isUsualCredential, redactHeaders, redactQuery } from '../redact/redact.ts';

/** Longer bodies are cut to this many characters. */
const MOST_BODY_CHARACTERS = 2000;

/** Hides the credentials in headers and query of an exchange, because others may read the log, and the bytes of files. */
export function toDetails({ request, response }: JournalEntry): Pick<JournalEntry, 'request' | 'response'> {
  return {
    request: {
      ...withoutBytes(request),
      query: redactQuery(request.query, isUsualCredential),
      headers: redactHeaders(request.headers, isUsualCredential),
    },
    response: { ...withoutBytes(response), headers: redactHeaders(response.headers, isUsualCredential) },
  };
}

/** Counts the bytes of a file. In a multipart form, the text around the files says more. */
function withoutBytes<T extends JournalEntry['request'] | JournalEntry['response']>(side: T): T {
  const { bytes, ...others } = side;
  if (!bytes) return side;
  const type = Object.entries(side.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isForm = type?.toLowerCase().startsWith('multipart/');
  return {
    ...others,
    ...(!isForm && { body: `(${bytes.length} bytes of ${type ?? 'an unknown type'})` }),
  } as T;
}

const MOST_TARGET_CHARACTERS = 200;

/** The path and the query of a request for one line of the log, without credentials. */
export function toTarget({ path, request: { query } }: JournalEntry): string {
  const hidden = query === '' ? '' : `?${redactQuery(query, isUsualCredential)}`;
  const target = escapeControls(path + hidden);
  return target.length <= MOST_TARGET_CHARACTERS ? target : `${target.slice(0, MOST_TARGET_CHARACTERS)}...`;
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
  const content = body === undefined || body === '' ? [] : ['', ...cutBody(body).split('\n')];
  return [...lines, ...content].map((line) => `  ${mark} ${escapeControls(line)}`.trimEnd());
}

function cutBody(body: string): string {
  if (body.length <= MOST_BODY_CHARACTERS) return body;
  return `${body.slice(0, MOST_BODY_CHARACTERS)}\n... ${body.length - MOST_BODY_CHARACTERS} more characters`;
}

/** Escapes control characters, so that a client cannot move the cursor of the terminal or change its colors. */
export function escapeControls(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
