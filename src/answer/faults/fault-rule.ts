import type { Delay } from './delays.ts';

/**
 * The effects on a connection or an answer: the connection is reset (`reset`) or never answered (`timeout`), and nothing is carried out
 * then; or the answer has no body (`empty`), ends in the middle (`truncate`), is no longer valid JSON (`malformed`) or comes slowly (`drip`).
 */
export const FAULT_EFFECTS = ['reset', 'timeout', 'empty', 'truncate', 'malformed', 'drip'] as const;
export type FaultEffect = (typeof FAULT_EFFECTS)[number];

/** One request of a sequence: an error status, an effect, or `ok` for the ordinary answer. */
export type SequenceItem = number | FaultEffect | 'ok';

/** The values of requests by their names. In a text `*` stands for any characters, and `null` for a value that is absent. */
export type FaultValues = Readonly<Record<string, string | number | boolean | null>>;

/** A rule that replaces, damages or delays answers. The first rule that matches a request and is due decides. */
export interface FaultRule {
  /**
   * An operationId, a label such as `GET /store/orders`, a path such as `GET /pets/3` or `/pets/*` (`**` for any number of segments), or `*`
   * for all operations.
   */
  readonly operation: string;
  /** The requests to hit, among those of the operation. */
  readonly match?: {
    readonly query?: FaultValues;
    /** Names in any case. */
    readonly headers?: FaultValues;
    /** By JSON Pointer: `{ '/customer/id': 3 }`. */
    readonly body?: FaultValues;
  };
  /** The error status of the answer. A rule without status, example, effect and sequence only delays. */
  readonly status?: number;
  /** The error code; the status phrase in snake_case unless given. */
  readonly code?: string;
  readonly message?: string;
  /** All but those by which the server frames its messages, such as `Content-Length`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers with the document's example of this name. */
  readonly example?: string;
  readonly effect?: FaultEffect;
  /** How much of the body `truncate` sends, in bytes; half of it unless given. */
  readonly bytes?: number;
  /** The speed of `drip`; 100 unless given. */
  readonly bytesPerSecond?: number;
  /** The time to wait first. */
  readonly delay?: Delay;
  /** The share of requests to hit, from 0 to 1; 1 by default. */
  readonly probability?: number;
  /** The number of requests to hit; unlimited by default. */
  readonly times?: number;
  /** The number of requests to spare first. */
  readonly after?: number;
  /** Hits every second (2), third (3), ... request. */
  readonly every?: number;
  /** A status, an effect or `ok` for each request, such as `503,503,ok`. The last one stays. */
  readonly sequence?: string | readonly SequenceItem[];
  /** A time of the session's clock: a date, or a date-time with its zone. */
  readonly from?: string;
  /** The time from which it no longer hits. */
  readonly until?: string;
  /** Hits only requests past a limit, with 429 unless there is a status: `10/1s`, or `10/1s:by=X-Api-Key` for each value of a header. */
  readonly rateLimit?: string;
  /** Allows a status that the document does not declare. */
  readonly undeclared?: boolean;
}

/** Words a rule for a message: `getPet=503`. */
export function toRuleName({ operation, status, effect, sequence, example, rateLimit }: FaultRule): string {
  const what =
    status ?? effect ?? (sequence === undefined ? undefined : String(sequence)) ?? example ?? rateLimit;
  return what === undefined ? operation : `${operation}=${what}`;
}
