import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBodies, type Received } from './bodies.ts';
import { type Connections, endAfter, takeTurn } from './connections.ts';
import { createDelivery } from './delivery.ts';
import type { Refusal } from './refusal.ts';
import { type Arrival, createReply, type ReplyOptions } from './reply.ts';
import { findHostMistake } from './request.ts';

export interface RequestHandlerOptions extends ReplyOptions {
  /** Takes errors thrown on the way to an answer. It must not throw. */
  readonly report: (error: unknown) => void;
  /** The largest body that is read, in bytes. */
  readonly bodyLimit: number;
}

/** The Expect header of a request: `100-continue`, something unknown, or none. */
type Expectation = 'continue' | 'unknown' | undefined;

type HandleRequest = (incoming: IncomingMessage, outgoing: ServerResponse, expectation: Expectation) => void;

/**
 * Answers the requests of all connections. No error gets past it: the request is answered 500, or its connection is closed, and
 * all others continue.
 */
export function createRequestHandler(
  { answer, refuse, report, bodyLimit }: RequestHandlerOptions,
  connections: Connections,
  isGone: () => boolean,
): HandleRequest {
  const delivery = createDelivery(refuse, report);
  const reply = createReply({ answer, refuse }, delivery, isGone);
  const bodies = createBodies(bodyLimit);
  const refuseAndClose = ({ incoming, outgoing, connection }: Arrival, ...refusal: Refusal) => {
    endAfter(connection, outgoing);
    delivery.send(outgoing, refuse(...refusal, incoming.headers.origin), connection);
  };
  const finish = (arrival: Arrival, body: Received) => {
    if (body === 'gone') arrival.outgoing.destroy();
    else if (body === 'stalled') refuseAndClose(arrival, ...STALLED);
    else reply(arrival, body);
  };
  const begin = (arrival: Arrival) => {
    const { incoming, connection } = arrival;
    if (hasBody(incoming)) {
      const decide = takeTurn(connection);
      bodies.receive(incoming, (body) => decide(() => finish(arrival, body)));
    } else if (connection.turns.length > 0) takeTurn(connection)(() => reply(arrival));
    else reply(arrival);
  };
  return (incoming, outgoing, expectation) => {
    const connection = connections.begin(incoming, outgoing);
    if (!connection) return;
    const arrival = { incoming, outgoing, connection };
    const mistake = findHostMistake(incoming);
    if (mistake !== undefined) refuseAndClose(arrival, 400, 'malformed_request', mistake);
    else if (expectation === 'unknown') {
      const message = `The expectation "${incoming.headers.expect}" is not known. Only 100-continue is.`;
      const refusal = refuse(417, 'expectation_failed', message, incoming.headers.origin);
      delivery.send(outgoing, refusal, connection);
    } else if (expectation === 'continue' && lengthOf(incoming) > bodyLimit) {
      endAfter(connection, outgoing);
      reply(arrival, 'too-large');
    } else {
      if (expectation === 'continue') outgoing.writeContinue();
      begin(arrival);
    }
  };
}

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
