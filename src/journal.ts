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
  /** Where the response came from; `undefined` for preflight and OPTIONS requests, which nothing decides. */
  readonly source: AnswerSource | undefined;
  /** A notice for the client: the operation is deprecated or unstable, or takes no body though one was sent. */
  readonly notice: string | undefined;
  /** What the client probably sent by mistake. */
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
  };
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
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
  extends Pick<JournalEntry, 'milliseconds' | 'operation' | 'source' | 'notice' | 'warnings'> {
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
  { entries: most, bytes: limit }: JournalBounds = JOURNAL_BOUNDS,
): Journal {
  const ring: (Recorded | undefined)[] = [];
  // Stored, because a dropped exchange is no longer in the CPU cache when its size is needed.
  const sizes: number[] = [];
  let first = 0;
  let count = 0;
  let held = 0;
  const drop = () => {
    const size = sizes[first] as number;
    held -= size;
    budget.spend(-size);
    ring[first] = undefined;
    first = (first + 1) % most;
    count -= 1;
  };
  return {
    record(exchange, size) {
      held += size;
      while (count > 0 && (count >= most || held > limit)) drop();
      const place = (first + count) % most;
      ring[place] = exchange;
      sizes[place] = size;
      count += 1;
      budget.spend(size);
    },
    entries: () =>
      Array.from({ length: count }, (_, index) => toJournalEntry(ring[(first + index) % most] as Recorded)),
    clear() {
      while (count > 0) drop();
    },
  };
}

/** Converts a recorded exchange to an entry with its body as text. */
export function toJournalEntry(recorded: Recorded): JournalEntry {
  const { request, response, milliseconds, operation, source, notice, warnings, problem } = recorded;
  const { method, path, query, headers, body } = request;
  const text = body instanceof Uint8Array && body.length > 0 ? new TextDecoder().decode(body) : undefined;
  return {
    method,
    path,
    status: response.status,
    milliseconds,
    operation,
    source,
    notice,
    warnings,
    problem: problem && toJournalProblem(problem),
    request: { query, headers: { ...headers }, body: text },
    response: { headers: { ...response.headers }, body: response.body },
  };
}

function toJournalProblem({ code, message, violations, cause }: Problem): JournalProblem {
  return { code, message, violations, cause };
}
