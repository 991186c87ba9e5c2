import { isUtf8 } from 'node:buffer';
import type { Budget } from './cache.ts';
import type { MockRequest, MockResponse } from './message/message.ts';
import type { Problem, Violation } from './problem.ts';

/** Where a response came from. */
export type AnswerSource = 'state' | 'example' | 'generated' | 'fault' | 'error' | 'control';

/** One request and its response. */
export interface JournalEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** From the end of reading the request until the response is ready. */
  readonly milliseconds: number;
  /** The operationId or label of the operation; `undefined` where none matched. */
  readonly operation: string | undefined;
  /** The name of its session. */
  readonly session: string;
  /** Where the response came from; `undefined` for preflight and OPTIONS requests, which nothing decides. */
  readonly source: AnswerSource | undefined;
  /** A notice for the client: the operation is deprecated or unstable, or takes no body though one was sent. */
  readonly notice: string | undefined;
  /** Input that the client probably sent by mistake. */
  readonly warnings: readonly string[];
  /** For an error response: its code and message, and each finding in the request. */
  readonly problem: JournalProblem | undefined;
  readonly request: {
    /** The query as the client sent it, without `?`; empty if there is none. */
    readonly query: string;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    /** As text; `undefined` if there is none or it was too large. */
    readonly body: string | undefined;
    /** The bytes of a body that is not UTF-8, of which the text is only an approximation. */
    readonly bytes?: Uint8Array;
  };
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
    /** As in the request. */
    readonly bytes?: Uint8Array;
  };
}

/** The error of an exchange. */
export interface JournalProblem {
  readonly code: string;
  readonly message: string;
  readonly violations: readonly Violation[];
  readonly cause: unknown;
}

/** The parts of an entry. They must not refer to the document, so that a reload can release its memory. */
export interface Recorded
  extends Pick<JournalEntry, 'milliseconds' | 'operation' | 'session' | 'source' | 'notice' | 'warnings'> {
  readonly request: MockRequest;
  readonly response: MockResponse;
  readonly problem: Problem | undefined;
}

/** The bounded record of exchanges, oldest first. */
export interface Journal {
  /** `bytes` is about how much memory the exchange holds. */
  record(exchange: Recorded, bytes: number): void;
  entries(): JournalEntry[];
  clear(): void;
}

interface JournalBounds {
  readonly entries: number;
  /** The bound for all exchanges together. The newest one is recorded whatever its size. */
  readonly bytes: number;
}

/** A thousand entries would live long enough for the collector to promote them, which would slow down POST by a quarter. */
const JOURNAL_BOUNDS: JournalBounds = { entries: 250, bytes: 8 * 1024 * 1024 };

/** Creates a ring in which a new exchange replaces the oldest one. `budget` counts its bytes too. */
export function createJournal(
  budget: Pick<Budget, 'spend'> = { spend: () => {} },
  bounds: JournalBounds = JOURNAL_BOUNDS,
): Journal {
  return new Ring(budget, bounds);
}

/** Records nothing. */
export const NO_JOURNAL: Journal = { record: () => {}, entries: () => [], clear: () => {} };

/** A class, to save memory: there may be ten thousand sessions. */
class Ring implements Journal {
  readonly #budget: Pick<Budget, 'spend'>;
  readonly #bounds: JournalBounds;
  #exchanges: (Recorded | undefined)[] = [];
  /** Stored, because a dropped exchange is no longer in the CPU cache when its size is needed. */
  #sizes: number[] = [];
  #first = 0;
  #count = 0;
  #held = 0;

  constructor(budget: Pick<Budget, 'spend'>, bounds: JournalBounds) {
    this.#budget = budget;
    this.#bounds = bounds;
  }

  record(exchange: Recorded, size: number): void {
    const { entries: most, bytes: limit } = this.#bounds;
    this.#held += size;
    while (this.#count > 0 && (this.#count >= most || this.#held > limit)) this.#drop();
    const place = (this.#first + this.#count) % most;
    this.#exchanges[place] = exchange;
    this.#sizes[place] = size;
    this.#count += 1;
    this.#budget.spend(size);
  }

  entries(): JournalEntry[] {
    const at = (index: number) => this.#exchanges[(this.#first + index) % this.#bounds.entries] as Recorded;
    return Array.from({ length: this.#count }, (_, index) => toJournalEntry(at(index)));
  }

  clear(): void {
    this.#budget.spend(-this.#held);
    this.#held = 0;
    this.#count = 0;
    this.#exchanges = [];
    this.#sizes = [];
  }

  #drop(): void {
    const size = this.#sizes[this.#first] as number;
    this.#held -= size;
    this.#budget.spend(-size);
    this.#exchanges[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#bounds.entries;
    this.#count -= 1;
  }
}

/** Converts a recorded exchange to an entry with its body as text. */
export function toJournalEntry(recorded: Recorded): JournalEntry {
  const { request, response, milliseconds, operation, session, source, notice, warnings, problem } = recorded;
  const { method, path, query, headers, body } = request;
  return {
    method,
    path,
    status: response.status,
    milliseconds,
    operation,
    session,
    source,
    notice,
    warnings,
    problem: problem && toJournalProblem(problem),
    request: { query, headers: { ...headers }, ...toRecordedBody(body === 'too-large' ? undefined : body) },
    response: { headers: { ...response.headers }, ...toRecordedBody(response.body) },
  };
}

function toJournalProblem({ code, message, violations, cause }: Problem): JournalProblem {
  return { code, message, violations, cause };
}

function toRecordedBody(
  body: string | Uint8Array | undefined,
): Pick<JournalEntry['response'], 'body' | 'bytes'> {
  if (typeof body !== 'object') return { body };
  if (body.length === 0) return { body: undefined };
  const text = new TextDecoder().decode(body);
  // A copy, because the bytes may be part of the state.
  return isUtf8(body) ? { body: text } : { body: text, bytes: Uint8Array.from(body) };
}
