import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MockRequest } from '../message.ts';
import { createBodies, type Received } from './bodies.ts';
import { type Connection, type Connections, endAfter, takeTurn } from './connections.ts';
import { createDelivery } from './delivery.ts';
import type { HandlerOptions } from './options.ts';
import { findHostMistake, toRequest } from './request.ts';

/** The `Expect` of a request: to be asked for its body, something unknown, or nothing. */
type Expectation = 'continue' | 'unknown' | undefined;

type HandleRequest = (incoming: IncomingMessage, outgoing: ServerResponse, expectation: Expectation) => void;

/**
 * Answers the requests of all connections. An error affects one request only: it is answered 500, or its connection is closed.
 */
export function createRequestHandler(
  { answer, refuse, report, bodyLimit }: HandlerOptions,
  connections: Connections,
  isOver: () => boolean,
): HandleRequest {
  const { send, fail } = createDelivery(refuse, report);
  const bodies = createBodies(bodyLimit);
  /** The memory that requests hold while their answers are delayed, in bytes. */
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

/** Bounds the memory of a client that sends request after request without waiting for delayed answers. */
const MOST_WAITING = 64 * 1024 * 1024;
/** The approximate size of a request without its body. */
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
