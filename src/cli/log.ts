import type { Exchange } from '../exchange.ts';
import { LOG_LEVELS, type LogFormat, type LogLevel } from './options.ts';

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly color: boolean;
}

/** A line for people, and the same as data. */
export interface LogEntry {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether what has one level is printed at another. */
export function isShown(level: LogEntry['level'], at: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(at);
}

/** The line to print for an entry, without line end; `undefined` where the level hides it. */
export function formatEntry({ level, text, data }: LogEntry, options: LogOptions): string | undefined {
  if (!isShown(level, options.level)) return undefined;
  if (options.format === 'pretty') return text;
  return JSON.stringify({ time: new Date().toISOString(), level, ...data });
}

/** The level of a request: `warn` with a warning for the client, `error` for a failure of ours. */
export function exchangeLevel(exchange: Exchange): LogEntry['level'] {
  if (failureOf(exchange)) return 'error';
  return exchange.notice === undefined ? 'info' : 'warn';
}

function failureOf({ problem, status }: Exchange): Error | undefined {
  return problem?.cause instanceof Error && status === 500 ? problem.cause : undefined;
}

/** One line for a request. */
export function toExchangeEntry(exchange: Exchange, color: boolean): LogEntry {
  const { method, path, status, milliseconds, operation, notice, problem } = exchange;
  const failure = failureOf(exchange);
  const paint = (code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const ms = milliseconds.toFixed(1);
  const words = [
    method.padEnd(7),
    path.padEnd(28),
    paint(STATUS_COLORS[Math.floor(status / 100)] ?? DEFAULT_COLOR, String(status)),
    paint(DIM, `${ms.padStart(7)} ms`),
    ...(problem ? [problem.message] : []),
    ...(notice === undefined ? [] : [paint(YELLOW, `warning: ${notice}`)]),
  ];
  return {
    level: exchangeLevel(exchange),
    text: failure ? `${words.join(' ')}\n${failure.stack}` : words.join(' '),
    data: {
      event: 'request',
      method,
      path,
      status,
      ms: Number(ms),
      ...(operation !== undefined && { operation }),
      ...(problem && { code: problem.code, message: problem.message }),
      ...(notice !== undefined && { warning: notice }),
      ...(failure && { stack: failure.stack }),
    },
  };
}

const DEFAULT_COLOR = 39;
const DIM = 2;
const YELLOW = 33;
const STATUS_COLORS: Readonly<Record<number, number>> = { 2: 32, 3: 36, 4: YELLOW, 5: 31 };
