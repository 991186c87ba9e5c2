/** A request as plain data, the same for every adapter. */
export interface MockRequest {
  /** Upper case. */
  readonly method: string;
  /** The path as it was sent: percent-encoded, without query. */
  readonly path: string;
  /** The query as it was sent, without `?`; empty if there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body; `too-large` if an adapter gave up reading at its limit. */
  readonly body?: Uint8Array | 'too-large' | undefined;
}

/** A response as plain data. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What an action or a rule decided, before it is written as a response. */
export interface Outcome {
  /** The operation's success status unless given. */
  readonly status?: number;
  /** Absent for an answer without content. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
