import type { ServerResponse } from 'node:http';
import type { MockResponse } from '../message/message.ts';
import { createBatch } from './batch.ts';
import type { Connection } from './connections.ts';
import type { Refuse } from './refusal.ts';
import { transmit } from './transmit.ts';

/** Writes answers to their connections. */
export interface Delivery {
  /** Writes an answer at the end of this turn of the event loop. */
  send(outgoing: ServerResponse, response: MockResponse, connection: Connection): void;
  /** Reports an error and answers 500, or closes the connection if an answer is already on its way. */
  fail(outgoing: ServerResponse, error: unknown, connection: Connection): void;
}

export function createDelivery(refuse: Refuse, report: (error: unknown) => void): Delivery {
  const batch = createBatch();
  const deliver = (outgoing: ServerResponse, response: MockResponse, connection: Connection) => {
    if (connection.closes === outgoing) outgoing.setHeader('Connection', 'close');
    if (response.transmission) transmit(response, response.transmission, outgoing, connection, report);
    else writeResponse(response, outgoing);
  };
  const fail = (outgoing: ServerResponse, error: unknown, connection: Connection) => {
    report(error);
    try {
      for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
      deliver(outgoing, refuse(...FAILURE, outgoing.req.headers.origin), connection);
    } catch {
      outgoing.destroy();
    }
  };
  return {
    fail,
    send: (outgoing, response, connection) =>
      batch(() => {
        try {
          // A request with a broken body may have been refused in the meantime.
          if (!outgoing.headersSent) deliver(outgoing, response, connection);
        } catch (error) {
          fail(outgoing, error, connection);
        }
      }),
  };
}

const FAILURE = [
  500,
  'internal_error',
  'The mock server failed to answer; its log has the details.',
] as const;

/** Writes an answer at once. */
export function writeResponse({ status, headers, body }: MockResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers);
  // Node writes text of one byte per character faster as latin1.
  if (typeof body === 'string' && headers['Content-Length'] === String(body.length))
    outgoing.end(body, 'latin1');
  else outgoing.end(body);
}
