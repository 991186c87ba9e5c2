import { SYSTEM_CLOCK, toDate } from '../clock.ts';
import type { JournalEntry, JournalFault } from '../journal.ts';
import { SetupError } from '../problem.ts';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../service/service.ts';
import { escapeControls, formatDetails, toDetails, toTarget } from './details.ts';
import { toSetupMessage } from './setup-message.ts';

interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly color: boolean;
}

/** One log entry, as text for people and as data for the JSON log. */
export interface LogEntry {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether a log of the level `at` shows an entry. */
function isShown(level: LogEntry['level'], at: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(at);
}

/** Formats an entry without a line end; `undefined` if the level of the log hides it. */
export function formatEntry({ level, text, data }: LogEntry, options: LogOptions): string | undefined {
  if (!isShown(level, options.level)) return undefined;
  if (options.format === 'pretty') return text;
  return escapeControls(JSON.stringify({ time: toDate(SYSTEM_CLOCK.now()).toISOString(), level, ...data }));
}

/** Prints entries and exchanges. A silent log has no `logExchange`, so that no exchange is assembled for it. */
interface Log {
  log(entry: LogEntry | undefined): void;
  readonly logExchange: ((exchange: JournalEntry) => void) | undefined;
}

/** Creates a log that prints to `out`. */
export function createLog(options: LogOptions, out: (text: string) => void): Log {
  const log = (entry: LogEntry | undefined): void => {
    const line = entry && formatEntry(entry, options);
    if (line !== undefined) out(`${line}\n`);
  };
  const isDetailed = options.level === 'debug';
  const toEntry = isDetailed ? toDetailedEntry : toExchangeEntry;
  const once = onlyFirstNotices();
  const logExchange = (given: JournalEntry) => {
    if (isPreflight(given) && !isDetailed) return;
    const exchange = once(given);
    // Check the level first: formatting an entry that nobody sees costs time on every request.
    if (isShown(exchangeLevel(exchange), options.level))
      log(withTime(toEntry(exchange, options.color), options));
  };
  return { log, logExchange: options.level === 'silent' ? undefined : logExchange };
}

/** Browsers send a preflight before many requests, and nobody wants to read about them. */
function isPreflight({ method, request: { headers } }: JournalEntry): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Returns a function that drops the notice of an operation whose notice was shown before. */
function onlyFirstNotices(): (exchange: JournalEntry) => JournalEntry {
  const shown = new Set<string>();
  return (exchange) => {
    const { notice, operation = '' } = exchange;
    if (notice === undefined) return exchange;
    if (shown.has(operation)) return { ...exchange, notice: undefined };
    shown.add(operation);
    return exchange;
  };
}

/** An entry with the time of day in front. */
function withTime(entry: LogEntry, { format, color }: LogOptions): LogEntry {
  if (format !== 'pretty') return entry;
  const time = toDate(SYSTEM_CLOCK.now()).toTimeString().slice(0, 8);
  return { ...entry, text: `${paint(color, DIM, time)} ${entry.text}` };
}

/** Requests that failed because of a bug are errors, and those with a warning for the client are warnings. */
function exchangeLevel(exchange: JournalEntry): LogEntry['level'] {
  if (failureOf(exchange)) return 'error';
  return warningsOf(exchange).length === 0 ? 'info' : 'warn';
}

function warningsOf({ notice, warnings }: JournalEntry): string[] {
  return [...(notice === undefined ? [] : [notice]), ...warnings];
}

function failureOf({ problem, status }: JournalEntry): Error | undefined {
  return problem?.cause instanceof Error && status === 500 ? problem.cause : undefined;
}

/** Formats a request as one line. */
export function toExchangeEntry(exchange: JournalEntry, color: boolean): LogEntry {
  const { method, path, status, milliseconds, operation, problem, fault } = exchange;
  const target = toTarget(exchange);
  const warning = warningsOf(exchange).map(escapeControls).join('; ');
  const failure = failureOf(exchange);
  const ms = milliseconds.toFixed(1);
  const words = [
    method.padEnd(7),
    target.padEnd(28),
    paint(
      color,
      STATUS_COLORS[Math.floor(status / 100)] ?? DEFAULT_COLOR,
      status === 0 ? '---' : String(status),
    ),
    paint(color, DIM, `${ms.padStart(7)} ms`),
    ...(problem ? [escapeControls(`${problem.message} [${problem.code}]`)] : []),
    ...(fault ? [paint(color, YELLOW, formatFault(fault))] : []),
    ...(warning === '' ? [] : [paint(color, YELLOW, `warning: ${warning}`)]),
  ];
  return {
    level: exchangeLevel(exchange),
    text: failure
      ? `${words.join(' ')}\n${escapeControlsByLine(failure.stack ?? failure.message)}`
      : words.join(' '),
    data: {
      event: 'request',
      method,
      path,
      ...(target !== path && { query: target.slice(path.length + 1) }),
      status,
      ms: Number(ms),
      ...(operation !== undefined && { operation }),
      ...(problem && toProblemData(problem)),
      ...(fault && { fault }),
      ...(warning !== '' && { warning }),
      ...(failure && { stack: failure.stack }),
    },
  };
}

/** `fault 2: truncate` */
function formatFault({ rule, effect, status, delay }: JournalFault): string {
  const done = [effect, status, delay === undefined ? undefined : `${delay} ms`].filter(
    (part) => part !== undefined,
  );
  return `fault ${rule}${done.length === 0 ? '' : `: ${done.join(', ')}`}`;
}

/** The most findings of one request that the JSON log has. */
const MOST_FINDINGS = 10;

function toProblemData({ code, message, violations }: NonNullable<JournalEntry['problem']>) {
  // The message has the sentences of the same findings.
  const findings = violations.slice(0, MOST_FINDINGS).map(({ location, code }) => ({ location, code }));
  return { code, message, ...(findings.length > 0 && { violations: findings }) };
}

function paint(isColored: boolean, code: number, text: string): string {
  return isColored ? `\u001b[${code}m${text}\u001b[0m` : text;
}

/** Formats a failure that no exchange shows: a bug with its stack, and what the user can set right with its code. */
export function toFailureEntry(error: unknown): LogEntry {
  if (error instanceof SetupError) {
    const { code, message } = error;
    return { level: 'error', text: toSetupMessage(error), data: { event: 'failure', code, message } };
  }
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return {
    level: 'error',
    text: `petstore-mock failed; this is a bug of its own.\n${escapeControlsByLine(stack)}`,
    data: { event: 'failure', message, stack },
  };
}

/** Escapes control characters line by line: a stack begins with a message, which may quote a client. */
function escapeControlsByLine(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/** Adds headers and bodies of both sides. */
function toDetailedEntry(exchange: JournalEntry, color: boolean): LogEntry {
  const { level, text, data } = toExchangeEntry(exchange, color);
  return {
    level,
    text: `${text}\n${formatDetails(exchange)}`,
    data: { ...data, ...toDetails(exchange) },
  };
}

const DEFAULT_COLOR = 39;
const DIM = 2;
const YELLOW = 33;
const STATUS_COLORS: Readonly<Record<number, number>> = { 2: 32, 3: 36, 4: YELLOW, 5: 31 };
