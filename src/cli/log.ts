import { SYSTEM_CLOCK, toDate } from '../base/clock.ts';
import { escapeControlsInLines } from '../base/printable.ts';
import { SetupError } from '../base/problem.ts';
import { buildIsCredential, type IsCredential, isUsualCredential } from '../base/redact/redact.ts';
import {
  type ExchangeOutline,
  type JournalEntry,
  type Recorded,
  toJournalEntry,
  toOutline,
} from '../core/journal/journal.ts';
import { isPreflight } from '../wire/message/message.ts';
import { withoutQuerySecrets, withoutSecrets } from './details.ts';
import { toDetailedEntry, toExchangeEntry } from './exchange-entry.ts';
import { formatEntry, type LogEntry, type LogOptions } from './log-entry.ts';
import { DIM, paint } from './paint.ts';
import { toSetupMessage } from './setup-message.ts';
import type { Soon } from './soon.ts';

/** Prints entries and exchanges. */
interface Log {
  log(entry: LogEntry | undefined): void;
  /** Prints an exchange; absent from a silent log, so that none is assembled for it. */
  readonly logExchange: ((exchange: JournalEntry) => void) | undefined;
  /** Prints an exchange as the journal stores it, and copies only the parts that it prints. */
  readonly watch: ((exchange: Recorded, id: number) => void) | undefined;
}

/**
 * Creates a log that prints to `out`, and the lines of exchanges to `soon`, if given. Leaves out lines while nobody reads them.
 * `credentialNames` has the names that a document declares, beside the usual ones.
 */
export function createLog(
  options: LogOptions,
  out: (text: string) => void,
  credentialNames: () => readonly string[] = () => [],
  soon: Pick<Soon, 'write' | 'isFull'> = { write: out, isFull: false },
): Log {
  // The texts may quote a document. Those of exchanges have colors, and are escaped part by part.
  const log = (entry: LogEntry | undefined): void => {
    const line = entry && formatEntry({ ...entry, text: escapeControlsInLines(entry.text) }, options);
    if (line !== undefined) out(`${line}\n`);
  };
  if (options.level === 'silent') return { log, logExchange: undefined, watch: undefined };
  const isNews = onlyFirstNotices();
  const toTime = options.format === 'pretty' ? createTimes(options.color) : () => '';
  let missed = 0;
  const print = <E extends ExchangeOutline>(given: E, toEntry: (exchange: E, color: boolean) => LogEntry) => {
    if (soon.isFull) {
      missed += 1;
      return;
    }
    if (missed > 0) log(toGapEntry(missed));
    missed = 0;
    const exchange = isNews(given) ? given : { ...given, notice: undefined };
    const line = formatEntry(toEntry(exchange, options.color), options);
    if (line !== undefined) soon.write(`${toTime()}${line}\n`);
  };
  const isDetailed = options.level === 'debug';
  const credentials = buildCredentials(credentialNames);
  const logWhole = (exchange: JournalEntry) => print(withoutSecrets(exchange, credentials), toDetailedEntry);
  const logLine = (exchange: ExchangeOutline) =>
    print(withoutQuerySecrets(exchange, credentials), toExchangeEntry);
  const logExchange = (exchange: JournalEntry) => {
    if (isDetailed) logWhole(exchange);
    else if (!isOfPreflight(exchange)) logLine(exchange);
  };
  const watch = (exchange: Recorded, id: number) => {
    if (isDetailed) logWhole(toJournalEntry(exchange, id));
    else if (!isPreflight(exchange.request)) logLine(toOutline(exchange));
  };
  return { log, logExchange, watch };
}

function toGapEntry(missed: number): LogEntry {
  const requests = missed === 1 ? '1 request is' : `${missed} requests are`;
  const text = `${requests} missing here, because nothing read the log. The journal has the latest.`;
  return { level: 'warn', text, data: { event: 'gap', missed } };
}

/** Browsers send a preflight before many requests, and nobody wants to read about them. */
function isOfPreflight({ method, request: { headers } }: JournalEntry): boolean {
  return isPreflight({ method, headers });
}

/** Builds the check of names again only if a reload has changed them. */
function buildCredentials(credentialNames: () => readonly string[]): () => IsCredential {
  let names: readonly string[] = [];
  let isCredential = isUsualCredential;
  return () => {
    const current = credentialNames();
    if (current !== names) isCredential = buildIsCredential(current);
    names = current;
    return isCredential;
  };
}

/** Returns a function that is false for an exchange whose operation has shown its notice before. */
function onlyFirstNotices(): (exchange: ExchangeOutline) => boolean {
  const shown = new Set<string>();
  return ({ notice, operation = '' }) => {
    if (notice === undefined) return true;
    if (shown.has(operation)) return false;
    shown.add(operation);
    return true;
  };
}

/** Returns a function that writes the time of day, followed by a blank. Formats it once a second, because `Date` is slow at it. */
function createTimes(color: boolean): () => string {
  let second = -1;
  let text = '';
  return () => {
    const now = Math.floor(SYSTEM_CLOCK.now() / 1000);
    if (now !== second) {
      second = now;
      text = `${paint(
        color,
        DIM,
        toDate(now * 1000)
          .toTimeString()
          .slice(0, 8),
      )} `;
    }
    return text;
  };
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
    text: `petstore-mock failed because of a bug. Please report it with these lines.\n${escapeControlsInLines(stack)}`,
    data: { event: 'failure', message, stack },
  };
}
