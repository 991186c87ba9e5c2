import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '../../base/limits.ts';
import type { Client, MockRequest, MockResponse } from '../message/message.ts';
import type { Connection } from './connections.ts';
import type { Delivery } from './delivery.ts';
import type { Refusal, Refuse } from './refusal.ts';
import { toRequest } from './request.ts';

export interface ReplyOptions {
  /**
   * Answers a request. The client is gone once the server was closed; a request that still waits must not be carried out then.
   */
  readonly answer: (request: MockRequest, client: Client) => MockResponse | Promise<MockResponse>;
  readonly refuse: Refuse;
}

/** A request as Node hands it over, with its connection. */
export interface Arrival {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly connection: Connection;
}

/** Answers a request once its body is read. */
type Reply = (arrival: Arrival, body?: MockRequest['body']) => void;

/** An estimate of what a request takes without its body, in bytes. */
const HEAD_SIZE = 4096;
const BUSY: Refusal = [503, 'server_busy', 'Too many requests wait for their answers. Send it again.'];

/** Answers the requests of a server. Answers 500 for anything thrown on the way, or closes that connection. */
export function createReply(
  { answer, refuse }: ReplyOptions,
  { send, fail }: Delivery,
  isGone: () => boolean,
): Reply {
  const client: Client = { isGone, isConnected: true };
  /** The memory that waiting requests take, in bytes. */
  let waiting = 0;
  const sendLater = ({ outgoing, connection }: Arrival, answered: Promise<MockResponse>, size: number) => {
    waiting += size;
    answered
      .then(
        (response) => send(outgoing, response, connection),
        (error) => fail(outgoing, error, connection),
      )
      .finally(() => {
        waiting -= size;
      });
  };
  return (arrival, body) => {
    const { incoming, outgoing, connection } = arrival;
    if (waiting > LIMITS.waitingRequests.value) {
      const { headers, ...busy } = refuse(...BUSY, incoming.headers.origin);
      send(outgoing, { ...busy, headers: { ...headers, 'Retry-After': '1' } }, connection);
      return;
    }
    try {
      const answered = answer(toRequest(incoming, body, connection.peer), client);
      if (answered instanceof Promise) sendLater(arrival, answered, HEAD_SIZE + (body?.length ?? 0));
      else send(outgoing, answered, connection);
    } catch (error) {
      fail(outgoing, error, connection);
    }
  };
}
