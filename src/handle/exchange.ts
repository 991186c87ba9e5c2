import type { MockRequest, MockResponse } from '../message.ts';
import type { Problem } from '../problem.ts';

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

/** What an exchange is made of: nothing of the document, which a reload lets go. */
export interface Exchanged extends Pick<Exchange, 'milliseconds' | 'operation' | 'notice'> {
  readonly request: MockRequest;
  readonly response: MockResponse;
  readonly problem: Problem | undefined;
}

export function toJournalEntry(exchanged: Exchanged): JournalEntry {
  const { request, response, milliseconds, operation, notice, problem } = exchanged;
  const { method, path, query, headers, body } = request;
  const text = body instanceof Uint8Array && body.length > 0 ? new TextDecoder().decode(body) : undefined;
  return {
    method,
    path,
    status: response.status,
    milliseconds,
    operation,
    notice,
    problem: problem && { code: problem.code, message: problem.message, cause: problem.cause },
    request: { query, headers: { ...headers }, body: text },
    response: { headers: { ...response.headers }, body: response.body },
  };
}

/** About how many bytes an exchange holds on to. */
export function sizeOf({ request: { path, query, body }, response }: Exchanged): number {
  const sent = body instanceof Uint8Array ? body.length : 0;
  return path.length + query.length + sent + (response.body?.length ?? 0);
}
