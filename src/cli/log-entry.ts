import { SYSTEM_CLOCK, toDate } from '../base/clock.ts';
import { escapeControls } from '../base/printable.ts';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../core/service/service.ts';

/** The level and the form of a log. */
export interface LogOptions {
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

/** Formats an entry without a line end; `undefined` if the level of the log hides it. */
export function formatEntry(entry: LogEntry, options: LogOptions): string | undefined {
  const { level } = entry;
  if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(options.level)) return undefined;
  if (options.format === 'pretty') return entry.text;
  const time = toDate(SYSTEM_CLOCK.now()).toISOString();
  return escapeControls(JSON.stringify({ time, level, ...entry.data }));
}
