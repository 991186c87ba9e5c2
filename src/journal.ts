import { isUtf8 } from 'node:buffer';
import type { Budget } from './cache.ts';
import type { MockRequest, MockResponse } from './message/message.ts';
import type { Problem, Violation } from './problem.ts';

/** Where a response came from. */
export type AnswerSource = 'state' | 'example' | 'generated' | 'fault' | 'error' | 'control';

/** One request and its response. */
export interface JournalEntry {
  /** Ascends in each session and is never given again, not even after a reset. */
  readonly id: number;
  /** The start of handling in real time, as in `2027-01-01T00:00:00.000Z`. */
  readonly time: string;
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
  /** The error of a rule, where one answered. */
  readonly fault: JournalFault | undefined;
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

/** The answer of an error rule. */
export interface JournalFault {
  readonly status: number;
  readonly code: string;
}

/** The parts of an entry. They must not refer to the document, so that a reload can release its memory. */
export interface Recorded
  extends Pick<JournalEntry, 'milliseconds' | 'operation' | 'session' | 'source' | 'notice' | 'warnings'> {
  readonly request: MockRequest;
  readonly response: MockResponse;
  readonly problem: Problem | undefined;
  /** By `performance.now()`. */
  readonly started: number;
}

/** The bounded record of exchanges, oldest first. */
export interface Journal {
  /** Records an exchange and returns its id. `bytes` is about how much memory it holds. */
  record(exchange: Recorded, bytes: number): number;
  entries(): JournalEntry[];
  /** Removes all entries. The next id is that after the last one. */
  clear(): void;
  /** The entries since the last `clear` that newer ones have replaced. */
  readonly dropped: number;
  /** Calls a listener with every new entry, after it is recorded. Returns the function that ends this. A listener must not throw. */
  listen(listener: (entry: JournalEntry) => void): () => void;
}

interface JournalBounds {
  /** 0 records nothing, but still counts. */
  readonly entries: number;
  /** The bound for all exchanges together. The newest one is recorded whatever its size. */
  readonly bytes: number;
}

/** A thousand entries would live long enough for the collector to promote them, which would slow down POST by a quarter. */
export const MOST_ENTRIES = 250;
const MOST_BYTES = 8 * 1024 * 1024;

/** Creates a ring in which a new exchange replaces the oldest one. `budget` counts its bytes too. */
export function createJournal(
  budget: Pick<Budget, 'spend'> = { spend: () => {} },
  { entries = MOST_ENTRIES, bytes = MOST_BYTES }: Partial<JournalBounds> = {},
): Journal {
  return new Ring(budget, { entries, bytes });
}

/** Records nothing. */
export const NO_JOURNAL: Journal = {
  record: () => 0,
  entries: () => [],
  clear: () => {},
  dropped: 0,
  listen: () => () => {},
};

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
  /** The id of the newest entry. The others follow from their places. */
  #last = 0;
  #dropped = 0;
  #listeners: Set<(entry: JournalEntry) => void> | undefined;

  constructor(budget: Pick<Budget, 'spend'>, bounds: JournalBounds) {
    this.#budget = budget;
    this.#bounds = bounds;
  }

  get dropped(): number {
    return this.#dropped;
  }

  record(exchange: Recorded, size: number): number {
    this.#last += 1;
    if (this.#bounds.entries > 0) this.#store(exchange, size);
    else this.#dropped += 1;
    if (this.#listeners) this.#announce(exchange);
    return this.#last;
  }

  #store(exchange: Recorded, size: number): void {
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
    const before = this.#last - this.#count;
    return Array.from({ length: this.#count }, (_, index) => toJournalEntry(at(index), before + index + 1));
  }

  listen(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => {
      this.#listeners?.delete(listener);
      if (this.#listeners?.size === 0) this.#listeners = undefined;
    };
  }

  clear(): void {
    this.#budget.spend(-this.#held);
    this.#held = 0;
    this.#count = 0;
    this.#dropped = 0;
    this.#exchanges = [];
    this.#sizes = [];
  }

  #announce(exchange: Recorded): void {
    const entry = toJournalEntry(exchange, this.#last);
    for (const listener of [...(this.#listeners ?? [])]) listener(entry);
  }

  #drop(): void {
    const size = this.#sizes[this.#first] as number;
    this.#held -= size;
    this.#budget.spend(-size);
    this.#exchanges[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#bounds.entries;
    this.#count -= 1;
    this.#dropped += 1;
  }
}

/** Converts a recorded exchange to an entry with its body as text. */
export function toJournalEntry(recorded: Recorded, id: number): JournalEntry {
  const { request, response, milliseconds, operation, session, source, notice, warnings, problem } = recorded;
  const { method, path, query, headers, body } = request;
  return {
    id,
    time: new Date(performance.timeOrigin + recorded.started).toISOString(),
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
    fault: source === 'fault' && problem ? { status: problem.status, code: problem.code } : undefined,
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
