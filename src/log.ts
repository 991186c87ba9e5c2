import { styleText } from 'node:util';
import type { Exchange } from './mock.ts';
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

/** The line to print for an entry, without line end; `undefined` where the level hides it. */
export function formatEntry({ level, text, data }: LogEntry, options: LogOptions): string | undefined {
  if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(options.level)) return undefined;
  if (options.format === 'pretty') return text;
  return JSON.stringify({ time: new Date().toISOString(), level, ...data });
}

/** One line for a request. Its level is `warn` with a warning for the client, and `error` for a failure of ours. */
export function toExchangeEntry(exchange: Exchange, color: boolean): LogEntry {
  const { method, path, status, milliseconds, operation, notice, problem } = exchange;
  const failure = problem?.cause instanceof Error && status === 500 ? problem.cause : undefined;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    color ? styleText(style, text) : text;
  const ms = milliseconds.toFixed(1);
  const words = [
    method.padEnd(7),
    path.padEnd(28),
    paint(STATUS_COLORS[Math.floor(status / 100)] ?? 'reset', String(status)),
    paint('dim', `${ms.padStart(7)} ms`),
    ...(problem ? [problem.message] : []),
    ...(notice === undefined ? [] : [paint('yellow', `warning: ${notice}`)]),
  ];
  return {
    level: failure ? 'error' : notice === undefined ? 'info' : 'warn',
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

const STATUS_COLORS: Readonly<Record<number, 'green' | 'cyan' | 'yellow' | 'red'>> = {
  2: 'green',
  3: 'cyan',
  4: 'yellow',
  5: 'red',
};
