import type { JournalEntry } from '../exchange.ts';

/** More of a body than this many characters tells nobody more. */
const MOST_SHOWN = 2000;

/** What both sides of an exchange said, on lines of their own: `>` what came in, `<` what went out. */
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
  const content = body === undefined || body === '' ? [] : ['', ...cut(body).split('\n')];
  return [...lines, ...content].map((line) => `  ${mark} ${toPrintable(line)}`.trimEnd());
}

function cut(body: string): string {
  if (body.length <= MOST_SHOWN) return body;
  return `${body.slice(0, MOST_SHOWN)}\n... ${body.length - MOST_SHOWN} more characters`;
}

/** What a client sends must not move the cursor of the terminal, or paint it. */
export function toPrintable(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
