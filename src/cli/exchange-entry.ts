import { escapeControls, escapeControlsInLines } from '../base/printable.ts';
import type { ExchangeOutline, JournalEntry, JournalFault } from '../core/journal/journal.ts';
import { formatDetails, toTarget } from './details.ts';
import type { LogEntry } from './log-entry.ts';
import { DIM, paint, YELLOW } from './paint.ts';

/** Formats a request as one line. */
export function toExchangeEntry(exchange: ExchangeOutline, color: boolean): LogEntry {
  return new ExchangeEntry(exchange, color);
}

/** Formats a request as one line, followed by the headers and bodies of both sides. */
export function toDetailedEntry(exchange: JournalEntry, color: boolean): LogEntry {
  const { level, text, data } = toExchangeEntry(exchange, color);
  return {
    level,
    text: `${text}\n${formatDetails(exchange)}`,
    data: { ...data, request: exchange.request, response: exchange.response },
  };
}

/** A request in the log. A class with getters, because a log reads either the text or the data, of every request. */
class ExchangeEntry implements LogEntry {
  readonly #exchange: ExchangeOutline;
  readonly #color: boolean;

  constructor(exchange: ExchangeOutline, color: boolean) {
    this.#exchange = exchange;
    this.#color = color;
  }

  /** Requests that failed because of a bug are errors; those that break the contract or have a warning for the client are warnings. */
  get level(): LogEntry['level'] {
    const { breaches, warnings, notice } = this.#exchange;
    if (failureOf(this.#exchange)) return 'error';
    return breaches.length > 0 || warnings.length > 0 || notice !== undefined ? 'warn' : 'info';
  }

  get text(): string {
    const { method, status, milliseconds, problem, breaches, fault } = this.#exchange;
    const color = this.#color;
    const shown = paint(color, STATUS_COLORS[Math.floor(status / 100)] ?? DEFAULT_COLOR, toStatus(status));
    const duration = paint(color, DIM, `${milliseconds.toFixed(1).padStart(7)} ms`);
    const target = toTarget(this.#exchange);
    let text = `${method.padEnd(7)} ${target.padEnd(28)} ${shown} ${duration}`;
    if (problem) text += ` ${toProblemText(problem, color && breaches.length > 0)}`;
    if (fault) text += ` ${paint(color, YELLOW, formatFault(fault))}`;
    const warning = toWarning(this.#exchange);
    if (warning !== '') text += ` ${paint(color, YELLOW, `warning: ${warning}`)}`;
    const failure = failureOf(this.#exchange);
    return failure ? `${text}\n${escapeControlsInLines(failure.stack ?? failure.message)}` : text;
  }

  get data(): LogEntry['data'] {
    const { method, path, status, milliseconds, operation, problem, breaches, fault } = this.#exchange;
    const target = toTarget(this.#exchange);
    const warning = toWarning(this.#exchange);
    const failure = failureOf(this.#exchange);
    return {
      event: 'request',
      method,
      path,
      ...(target !== path && { query: target.slice(path.length + 1) }),
      status,
      ms: Number(milliseconds.toFixed(1)),
      ...(operation !== undefined && { operation }),
      ...(problem && toProblemData(problem)),
      ...(breaches.length > 0 && { breaches: toCodes(breaches) }),
      ...(fault && { fault }),
      ...(warning !== '' && { warning }),
      ...(failure && { stack: failure.stack }),
    };
  }
}

function failureOf({ problem, status }: ExchangeOutline): Error | undefined {
  return problem?.cause instanceof Error && status === 500 ? problem.cause : undefined;
}

function toStatus(status: number): string {
  return status === 0 ? '---' : String(status);
}

function toWarning({ notice, warnings }: ExchangeOutline): string {
  if (notice === undefined && warnings.length === 0) return '';
  return [...(notice === undefined ? [] : [notice]), ...warnings].map(escapeControls).join('; ');
}

/** In color where the request breaks the contract, so that it stands out among the refusals that a test expects. */
function toProblemText({ message, code }: NonNullable<JournalEntry['problem']>, isColored: boolean): string {
  return paint(isColored, YELLOW, escapeControls(`${message} [${code}]`));
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
  // The message already has the sentences of these findings.
  const findings = violations.slice(0, MOST_FINDINGS).map(({ location, code }) => ({ location, code }));
  return { code, message, ...(findings.length > 0 && { violations: findings }) };
}

/** The codes of breaches, each once. */
function toCodes(breaches: JournalEntry['breaches']): string[] {
  return [...new Set(breaches.map(({ code }) => code))];
}

const DEFAULT_COLOR = 39;
const STATUS_COLORS: Readonly<Record<number, number>> = { 2: 32, 3: 36, 4: YELLOW, 5: 31 };
