/**
 * The requests that a test means: those that have all of this. Values are numbers and texts, in code also regular expressions and matchers
 * of a test runner such as `expect.any(Number)`.
 */
export interface RequestPattern {
  /** An operationId, or a label such as `POST /store/orders`. */
  readonly operation?: string;
  /** `POST` */
  readonly method?: string;
  /** The path as it was sent, a path template of the document, or the path parameters. */
  readonly path?: string | Readonly<Record<string, unknown>>;
  /** Query parameters by name; a list for one that is repeated. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers by name, in any case. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** A part of the body: the members that it must have. A list must have as many items. */
  readonly body?: unknown;
  /** The status of the answer, or a kind such as `4xx`. */
  readonly status?: number | string;
  /** Whether the request breaks the contract. */
  readonly breaches?: boolean;
}

/** How often a request is expected. */
export type Times = number | { readonly atLeast?: number; readonly atMost?: number };

/** Requests and how often they are expected; at least once unless given. */
export interface Expectation extends RequestPattern {
  readonly times?: Times;
  /** The same as `times: 0`. */
  readonly never?: boolean;
}

/** The requests that a journal must have: one kind, or several of them. */
export interface Verification extends Expectation {
  /** Several kinds of requests, instead of one. */
  readonly requests?: readonly Expectation[];
  /** Whether they must come in this order. Other requests may come in between. */
  readonly inOrder?: boolean;
  /** Whether no other request may come. */
  readonly nothingElse?: boolean;
}
