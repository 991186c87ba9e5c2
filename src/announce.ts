import { isAbsolute, relative } from 'node:path';
import type { OperationInfo } from './info.ts';
import type { LogEntry } from './log.ts';
import type { Mock } from './mock.ts';
import { SetupError } from './problem.ts';
import { formatTable } from './table.ts';

/** The table of operations, deprecated and unstable ones marked. */
export function formatRoutes({ operations }: Mock): string {
  const rows = operations.map((operation) => [
    operation.method,
    operation.path,
    operation.id,
    [...toMark(operation), operation.summary].join(' '),
  ]);
  return formatTable([['METHOD', 'PATH', 'OPERATION', 'SUMMARY'], ...rows]);
}

/** The table of what has state, and why. */
export function formatResources({ resources }: Mock): string {
  if (resources.length === 0)
    return 'No path of the document has state: every answer comes from its examples and schemas.';
  const rows = resources.map(({ name, collectionPath, itemPath, key, actions, reason }) => [
    name,
    collectionPath,
    itemPath,
    key,
    actions.join(', '),
    reason,
  ]);
  return formatTable([['RESOURCE', 'COLLECTION', 'ITEM', 'KEY', 'ACTIONS', 'BECAUSE'], ...rows]);
}

/** What there is to know when the server starts. */
export function toStartEntry(
  { document, operations }: Mock,
  version: string,
  url: string,
  cwd: string,
): LogEntry {
  const path = relative(cwd, document.location);
  const shown = isAbsolute(document.location) && !path.startsWith('..') ? path : document.location;
  const deprecated = operations.filter((operation) => operation.deprecated);
  const rows = [
    ['  document', `${document.title} (${shown})`],
    ['  operations', String(operations.length)],
    ...deprecated.map(({ method, path, sunset }) => [
      '  deprecated',
      `${method} ${path}${sunset ? ` until ${toDate(sunset)}` : ''}`,
    ]),
  ];
  return {
    level: 'info',
    text: `petstore-mock ${version} listens on ${url}\n${formatTable(rows)}\nCtrl+C stops it.`,
    data: {
      event: 'start',
      url,
      document: document.location,
      operations: operations.length,
      deprecated: deprecated.map(({ id, sunset }) => ({
        operation: id,
        ...(sunset && { sunset: toDate(sunset) }),
      })),
    },
  };
}

/** What came of a reload: what was dropped, and which changed settings only a new start takes over. */
export function toReloadEntry(
  { operations }: Mock,
  dropped: readonly string[],
  fixed: readonly string[],
): LogEntry {
  const lines = [
    `Reloaded: ${operations.length} operations`,
    ...dropped.map((what) => `  dropped ${what}`),
    ...fixed.map((key) => `  ${key} is read at start only; start again to change it`),
  ];
  return {
    level: dropped.length + fixed.length > 0 ? 'warn' : 'info',
    text: lines.join('\n'),
    data: { event: 'reload', operations: operations.length, dropped, unchanged: fixed },
  };
}

/** A reload that came to nothing: what was there before goes on. */
export function toReloadFailureEntry(error: unknown): LogEntry {
  const message = error instanceof SetupError ? error.message : ((error as Error).stack ?? String(error));
  const text = `Not reloaded, the last good version goes on: ${message}`;
  return { level: 'error', text, data: { event: 'reload-failed', message } };
}

function toMark({ deprecated, sunset, stability }: OperationInfo): string[] {
  const marks = [
    ...(deprecated ? [sunset ? `deprecated until ${toDate(sunset)}` : 'deprecated'] : []),
    ...(stability === undefined ? [] : [stability]),
  ];
  return marks.length === 0 ? [] : [`[${marks.join(', ')}]`];
}

function toDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}
