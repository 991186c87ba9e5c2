import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MockRequest, MockResponse } from '../message.ts';
import { createBodies, type Received } from './bodies.ts';
import { type Connection, type Connections, endAfter, takeTurn } from './connections.ts';
import { createDelivery } from './delivery.ts';
import type { Refuse } from './refusal.ts';
import { findHostMistake, toRequest } from './request.ts';

export interface HandlerOptions {
  /**
   * Answers a request. Once `isOver` says so, the connection is gone because the server was closed, and a request that still
   * waits must not be carried out.
   */
  readonly answer: (request: MockRequest, isOver: () => boolean) => MockResponse | Promise<MockResponse>;
  readonly refuse: Refuse;
  /** Gets what was thrown on the way to an answer. It must not throw. */
  readonly report: (error: unknown) => void;
  /** The largest body that is read, in bytes. */
  readonly bodyLimit: number;
}

/** What a client expects before it sends its body: to be asked for it, or something unknown. */
type Expectation = 'continue' | 'unknown' | undefined;

type HandleRequest = (incoming: IncomingMessage, outgoing: ServerResponse, expectation: Expectation) => void;

/**
 * Answers the requests of all connections. Nothing that is thrown on the way gets past it: that request is answered 500, or its
 * connection is closed, and every other goes on.
 */
export function createRequestHandler(
  { answer, refuse, report, bodyLimit }: HandlerOptions,
  connections: Connections,
  isOver: () => boolean,
): HandleRequest {
  const { send, fail } = createDelivery(refuse, report);
  const bodies = createBodies(bodyLimit);
  /** What the requests hold that wait for their answers, in bytes. */
  let waiting = 0;
  const reply = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: Connection,
    body?: MockRequest['body'],
  ) => {
    if (waiting > MOST_WAITING) {
      const { headers, ...busy } = refuse(...BUSY);
      send(outgoing, { ...busy, headers: { ...headers, 'Retry-After': '1' } }, connection);
      return;
    }
    try {
      const answered = answer(toRequest(incoming, body), isOver);
      if (answered instanceof Promise) {
        const size = HEAD_SIZE + (body?.length ?? 0);
        waiting += size;
        answered
          .then(
            (response) => send(outgoing, response, connection),
            (error) => fail(outgoing, error, connection),
          )
          .finally(() => {
            waiting -= size;
          });
      } else {
        send(outgoing, answered, connection);
      }
    } catch (error) {
      fail(outgoing, error, connection);
    }
  };
  const refuseAndClose = (outgoing: ServerResponse, connection: Connection, ...refusal: Refusal) => {
    endAfter(connection, outgoing);
    send(outgoing, refuse(...refusal), connection);
  };
  const finish = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    connection: Connection,
    body: Received,
  ) => {
    if (body === 'gone') outgoing.destroy();
    else if (body === 'stalled') refuseAndClose(outgoing, connection, ...STALLED);
    else reply(incoming, outgoing, connection, body);
  };

  const begin = (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => {
    if (hasBody(incoming)) {
      const decide = takeTurn(connection);
      bodies.receive(incoming, (body) => decide(() => finish(incoming, outgoing, connection, body)));
    } else if (connection.turns.length > 0) {
      takeTurn(connection)(() => reply(incoming, outgoing, connection));
    } else {
      reply(incoming, outgoing, connection);
    }
  };

  return (incoming, outgoing, expectation) => {
    const connection = connections.begin(incoming, outgoing);
    if (!connection) return;
    const mistake = findHostMistake(incoming);
    if (mistake !== undefined) {
      refuseAndClose(outgoing, connection, 400, 'malformed_request', mistake);
    } else if (expectation === 'unknown') {
      const message = `The expectation "${incoming.headers.expect}" is not known. Only 100-continue is.`;
      send(outgoing, refuse(417, 'expectation_failed', message), connection);
    } else if (expectation === 'continue' && lengthOf(incoming) > bodyLimit) {
      endAfter(connection, outgoing);
      reply(incoming, outgoing, connection, 'too-large');
    } else {
      if (expectation === 'continue') outgoing.writeContinue();
      begin(incoming, outgoing, connection);
    }
  };
}

type Refusal = [status: number, code: string, message: string];

/** A client that does not wait for delayed answers could ask for ever more of them. */
const MOST_WAITING = 64 * 1024 * 1024;
/** About what a request without its body takes. */
const HEAD_SIZE = 4096;
const BUSY: Refusal = [503, 'server_busy', 'Too many requests wait for their answers. Send it again.'];
const STALLED: Refusal = [
  408,
  'request_timeout',
  'The body did not arrive in time, while other requests needed the memory that it took. Send it again.',
];

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

function hasBody(incoming: IncomingMessage): boolean {
  return incoming.headers['transfer-encoding'] !== undefined || lengthOf(incoming) > 0;
}
