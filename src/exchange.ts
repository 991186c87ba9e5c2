import type { Handled } from './handle.ts';
import type { MockRequest, MockResponse } from './message.ts';

/** One request and its answer, for a log. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** From the whole request read to the answer ready. */
  readonly milliseconds: number;
  /** The operationId or label of the operation; `undefined` where none matched. */
  readonly operation: string | undefined;
  /** What a client should know: that the operation is deprecated or unstable. */
  readonly notice: string | undefined;
  /** For an error answer: its code and message. */
  readonly problem: { readonly code: string; readonly message: string; readonly cause: unknown } | undefined;
}

/** An exchange with all that was said. */
export interface JournalEntry extends Exchange {
  readonly request: {
    /** The query as it was sent, without `?`; empty if there is none. */
    readonly query: string;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    /** As text; `undefined` for none, and for one that was too large to be read. */
    readonly body: string | undefined;
  };
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  };
}

/** An exchange with what it was made of: nothing of the document, which a reload lets go. */
export interface Exchanged {
  readonly exchange: Exchange;
  readonly request: MockRequest;
  readonly response: MockResponse;
}

export function toExchange(
  { method, path }: MockRequest,
  { response, operation, lifecycle, problem }: Handled,
  milliseconds: number,
): Exchange {
  return {
    method,
    path,
    status: response.status,
    milliseconds,
    operation: operation?.id,
    notice: lifecycle?.notice,
    problem: problem && { code: problem.code, message: problem.message, cause: problem.cause },
  };
}

export function toJournalEntry({ exchange, request, response }: Exchanged): JournalEntry {
  const { query, headers, body } = request;
  const text = body instanceof Uint8Array && body.length > 0 ? new TextDecoder().decode(body) : undefined;
  return {
    ...exchange,
    request: { query, headers: { ...headers }, body: text },
    response: { headers: { ...response.headers }, body: response.body },
  };
}

/** About how many bytes an exchange holds on to. */
export function sizeOf({ request: { path, query, body }, response }: Exchanged): number {
  const sent = body instanceof Uint8Array ? body.length : 0;
  return path.length + query.length + sent + (response.body?.length ?? 0);
}
