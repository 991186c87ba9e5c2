import { isUtf8 } from 'node:buffer';
import { toRealTime } from '../../base/clock.ts';
import { type Problem, toFindingText, type Violation } from '../../base/problem.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import type { Breach, Judgement } from './judgement.ts';

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
  /** 0 where a fault reset the connection or left the request without an answer. */
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
  /**
   * The ways in which the request breaks the contract, if any. Refusals that are about the state, faults, and answers that the request
   * asked for by `Prefer` or `X-Mock-Expect` do not count.
   */
  readonly breaches: readonly Breach[];
  /** Whether the header `X-Mock-Expect` of the request lists the status. */
  readonly expected: boolean;
  /** For an error response: its code and message, and each finding in the request. */
  readonly problem: JournalProblem | undefined;
  /** The fault that hit the request. */
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

/** The fault of an exchange. The answer of a damaged one need not conform to the document. */
export interface JournalFault {
  /** The id of its rule; `header` for that of the request itself. */
  readonly rule: string;
  /** How many requests the rule had hit, with this one. */
  readonly number: number;
  /** The status and code of the error that replaced the answer. */
  readonly status?: number;
  readonly code?: string;
  /** `reset`, `timeout`, `empty`, `truncate`, `malformed` or `drip`. */
  readonly effect?: string;
  /** The milliseconds that it added. */
  readonly delay?: number;
}

/** The parts of an entry. They must not refer to the document, so that a reload can release its memory. */
export interface Recorded
  extends Pick<JournalEntry, 'milliseconds' | 'operation' | 'session' | 'source' | 'notice'> {
  readonly request: MockRequest;
  readonly response: MockResponse;
  readonly judgement: Judgement;
  readonly problem: Problem | undefined;
  readonly fault: JournalFault | undefined;
  /** By `performance.now()`. */
  readonly started: number;
}

/** An entry without what has to be copied or formatted, such as headers and bodies: all that a line of the log needs. */
export interface ExchangeOutline extends Omit<JournalEntry, 'id' | 'time' | 'request' | 'response'> {
  readonly request: Pick<JournalEntry['request'], 'query' | 'headers'>;
}

/** Outlines a recorded exchange, of which the outline shares all parts. */
export function toOutline(recorded: Recorded): ExchangeOutline {
  const { request, response, problem, milliseconds, operation, session, source, notice, judgement, fault } =
    recorded;
  return {
    method: request.method,
    path: request.path,
    status: response.status,
    milliseconds,
    operation,
    session,
    source,
    notice,
    warnings: judgement.warnings.length === 0 ? NO_TEXTS : judgement.warnings.map(toFindingText),
    breaches: judgement.breaches,
    expected: judgement.expected,
    problem: problem && toJournalProblem(problem),
    fault,
    request,
  };
}

const NO_TEXTS: readonly string[] = [];

/** Converts a recorded exchange to an entry with its body as text. */
export function toJournalEntry(recorded: Recorded, id: number): JournalEntry {
  const { request, response, started } = recorded;
  const { query, headers, body } = request;
  return {
    id,
    time: toRealTime(started),
    ...toOutline(recorded),
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
