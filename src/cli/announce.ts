import { isAbsolute, relative } from 'node:path';
import { SetupError } from '../base/problem.ts';
import type { MockNotice, OperationInfo, ResourceInfo, Settings } from '../core/service/service.ts';
import { formatDiagnostics } from '../document/document.ts';
import type { Mock } from '../mock/mock.ts';
import type { StateFileInfo } from '../mock/state-file/state-file.ts';
import { toShellWord } from '../wire/codecs/codecs.ts';
import { findAddresses } from './addresses.ts';
import { EXPLAIN_HINT } from './explain.ts';
import type { LogEntry } from './log-entry.ts';
import { toAccessRows } from './open-access.ts';
import { toSetupMessage } from './setup-message.ts';
import { formatTable } from './table.ts';

/** The circumstances of a start that its announcement mentions. */
interface StartNotes {
  readonly cwd: string;
  readonly settings: Settings;
  readonly hint?: string;
}

/** Announces the server: its address, its document, and which operations are deprecated or need credentials. */
export function toStartEntry(
  mock: Mock,
  version: string,
  url: string,
  { cwd, settings, hint = 'Ctrl+C stops it.' }: StartNotes,
): LogEntry {
  const { document, operations, resources, stateFile } = mock;
  const counts = countOperations(operations);
  const shown = toShortPath(document.location, cwd);
  const deprecated = findDeprecated(operations);
  const { local, network } = findAddresses(url);
  const rows = [
    ...network.map((address) => ['  network', address]),
    ...toAccessRows(url, settings),
    ['  document', `${document.title} (${shown})`],
    ['  operations', formatOperations(operations.length, counts)],
    ['  resources', formatResourceCount(resources)],
    ...(stateFile ? [['  state', formatStateFile(stateFile, cwd)]] : []),
    ...deprecated.map(({ method, path, sunset }) => [
      '  deprecated',
      `${method} ${path}${sunset ? ` until ${formatDate(sunset)}` : ''}`,
    ]),
    ...toSecurityRow(operations),
    ...toTryRow(operations, local),
  ];
  return {
    level: 'info',
    text: `petstore-mock ${version} listens on ${local}\n${formatTable(rows)}\n${hint}`,
    data: {
      event: 'start',
      url,
      ...(network.length > 0 && { network }),
      ...toStartData({ document, operations, resources, stateFile }, counts),
    },
  };
}

/** The parts of a mock that are announced, read once, because a mock makes its lists at each access. */
type Announced = Pick<Mock, 'document' | 'operations' | 'resources' | 'stateFile'>;

/** The announcement in a JSON log, without the address. */
function toStartData(
  { document, operations, resources, stateFile }: Announced,
  { stateless, undeclared }: OperationCounts,
): LogEntry['data'] {
  return {
    document: document.location,
    operations: operations.length,
    ...{ stateless, undeclared },
    resources: resources.length,
    ...(stateFile && { state: { file: stateFile.path, entities: stateFile.entities } }),
    deprecated: findDeprecated(operations).map(({ id, sunset }) => ({
      operation: id,
      ...(sunset && { sunset: formatDate(sunset) }),
    })),
  };
}

function findDeprecated(operations: Mock['operations']): OperationInfo[] {
  return operations.filter(({ deprecated }) => deprecated);
}

/** A path in the working directory without that directory. */
function toShortPath(location: string, cwd: string): string {
  const path = relative(cwd, location);
  return isAbsolute(location) && !path.startsWith('..') ? path : location;
}

function formatStateFile({ path, entities }: StateFileInfo, cwd: string): string {
  const start =
    entities === undefined
      ? 'new: begins with those, and is written at the first change'
      : `${entities} ${entities === 1 ? 'entity' : 'entities'}, in place of those`;
  return `${toShortPath(path, cwd)} (${start})`;
}

function formatOperations(count: number, { stateless, undeclared }: OperationCounts): string {
  return [
    String(count),
    ...(stateless === 0 ? [] : [`${stateless} without state`]),
    ...(undeclared === 0 ? [] : [`${undeclared} without a declared answer`]),
  ].join(', ');
}

interface OperationCounts {
  readonly stateless: number;
  readonly undeclared: number;
}

/** Counts once for the whole announcement, because finding out about thousands of answers takes time. */
function countOperations(operations: readonly OperationInfo[]): OperationCounts {
  return {
    stateless: operations.filter(({ stateless }) => stateless).length,
    undeclared: operations.filter(({ undeclared }) => undeclared).length,
  };
}

function formatResourceCount(resources: readonly ResourceInfo[]): string {
  if (resources.length === 0) return 'none; every answer comes from examples and schemas';
  const counts = resources.flatMap(({ entities }) => entities ?? []);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const known = `(${all} ${all === 1 ? 'entity' : 'entities'})`;
  const extent = counts.length < resources.length ? '(entities are generated on first use)' : known;
  const names = resources
    .slice(0, SHOWN_RESOURCES)
    .map(({ name, entities }) => `${name}${entities === undefined ? '' : ` ${entities}`}`);
  const more = resources.length > SHOWN_RESOURCES ? ', ...' : '';
  return `${resources.length} ${extent}: ${names.join(', ')}${more}`;
}

const SHOWN_RESOURCES = 6;

/** A line for the shell that asks for something; none where every path has parameters. */
function toTryRow(operations: readonly OperationInfo[], url: string): string[][] {
  const simple = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const found = simple.find(({ stateless }) => !stateless) ?? simple[0];
  return found ? [['  try', `curl ${toShellWord(url + found.path)}`]] : [];
}

/** Reports what was ignored in the environment; `undefined` if nothing was. */
export function toIgnoredEntry(warnings: readonly string[]): LogEntry | undefined {
  if (warnings.length === 0) return undefined;
  return { level: 'warn', text: warnings.join('\n'), data: { event: 'config', warnings } };
}

/** Reports what is probably a mistake in fixtures and faults; `undefined` if nothing is. */
export function toWarningsEntry({ warnings }: Mock): LogEntry | undefined {
  if (warnings.length === 0) return undefined;
  return { level: 'warn', text: warnings.join('\n'), data: { event: 'warnings', warnings } };
}

/** Names the arguments that mean something to Prism and nothing here; `undefined` if there are none. */
export function toUnusedArgumentsEntry(ignored: readonly string[]): LogEntry | undefined {
  if (ignored.length === 0) return undefined;
  const text = `Ignored, because they change nothing here: ${ignored.join(', ')}`;
  return { level: 'info', text, data: { event: 'arguments', ignored } };
}

/** Reports what happened beside requests. */
export function toNoticeEntry({ code, message, session }: MockNotice): LogEntry {
  return { level: 'warn', text: message, data: { event: 'session', code, session, message } };
}

const SHOWN_NOTES = 10;

/** Adds the line about codes to the last of the entries that a start or a reload prints, unless an earlier one had it. */
export function withExplainHint(
  entries: readonly (LogEntry | undefined)[],
  isKnown = false,
): readonly LogEntry[] {
  const found = entries.filter((entry) => entry !== undefined);
  return found.map((entry, index) =>
    isKnown || index < found.length - 1 ? entry : { ...entry, text: `${entry.text}\n${EXPLAIN_HINT}` },
  );
}

/** Lists the parts of the document that are left out or ignored; `undefined` if there are none. */
export function toNotesEntry({ document: { notes } }: Mock): LogEntry | undefined {
  if (notes.length === 0) return undefined;
  const lines = formatDiagnostics(notes, SHOWN_NOTES);
  const hint = notes.length > SHOWN_NOTES ? ['"petstore-mock routes" lists all of them.'] : [];
  return {
    level: 'warn',
    text: [...lines, ...hint].join('\n'),
    data: { event: 'document', notes },
  };
}

/** Reports a reload: the changes of clients that were dropped, and the changed settings that only a restart applies. */
export function toReloadEntry(
  { operations }: Mock,
  dropped: readonly string[],
  fixed: readonly string[],
): LogEntry {
  const lines = [
    `Reloaded: ${operations.length} operations`,
    ...dropped.map((what) => `  dropped ${what}`),
    ...fixed.map((key) => `  ${key} is only read at startup; restart to change it`),
  ];
  return {
    level: dropped.length + fixed.length > 0 ? 'warn' : 'info',
    text: lines.join('\n'),
    data: { event: 'reload', operations: operations.length, dropped, unchanged: fixed },
  };
}

const RELOAD_FAILED = 'Reload failed, still serving the last good version';

/** Reports a failed reload. The server continues with what it served before. */
export function toReloadFailureEntry(error: unknown): LogEntry {
  if (error instanceof SetupError) {
    const text = `${RELOAD_FAILED}: ${toSetupMessage(error)}`;
    return {
      level: 'error',
      text,
      data: { event: 'reload-failed', code: error.code, message: error.message },
    };
  }
  const message = (error as Error).stack ?? String(error);
  return { level: 'error', text: `${RELOAD_FAILED}: ${message}`, data: { event: 'reload-failed', message } };
}

/** Names the credentials that operations require; empty if none do. */
function toSecurityRow(operations: readonly OperationInfo[]): string[][] {
  const asked = operations.flatMap(({ credentials }) => credentials ?? []);
  if (asked.length === 0) return [];
  const names = [...new Set(asked)];
  const shown = [...names.slice(0, SHOWN_CREDENTIALS), ...(names.length > SHOWN_CREDENTIALS ? ['...'] : [])];
  const extent =
    asked.length === operations.length ? '' : ` for ${asked.length} of ${operations.length} operations`;
  return [['  security', `${shown.join('; ')}${extent}; --no-auth switches the check off`]];
}

const SHOWN_CREDENTIALS = 3;

/** Formats a date without its time. */
export function formatDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}
