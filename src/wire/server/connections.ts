import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One connection of a client, on which requests may overlap. */
export interface Connection {
  /** The address of the client; empty if it was gone before anybody looked. */
  readonly peer: string;
  /** The answer to its newest request; answers go out in order, so it is the last one. */
  last: ServerResponse | undefined;
  /** The answer after which the server closes the connection. */
  closes: ServerResponse | undefined;
  /** Whether further requests are ignored, because their answers could not be sent. */
  ended: boolean;
  /** Whether an answer never ends by itself, so that closing the server need not wait for it. */
  endless: boolean;
  /** Since when its client has not read what was sent of a long answer, by `performance.now()`; `undefined` while it reads. */
  unreadSince: number | undefined;
  /** The undecided requests, in order. */
  readonly turns: Turn[];
}

/** The connections of a server. */
export interface Connections {
  /** Finds the connection of a new request; `undefined` if the request must not be carried out. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): Connection | undefined;
  /**
   * Takes no more requests from a connection after unreadable input. Calls back once all requests before it are answered, or at
   * once with the pending answer if the input is inside the body of its request.
   */
  endUnread(socket: Socket, done: (unanswered: ServerResponse | undefined) => void): void;
  /** Ends idle connections at once, the others after the answers to their requests so far. */
  endAll(): void;
  destroyAll(): void;
}

/** Tracks the connections of a server, because Node does not expose those that never carried a request. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    connections.set(socket, {
      peer,
      last: undefined,
      closes: undefined,
      ended: false,
      endless: false,
      unreadSince: undefined,
      turns: [],
    });
    socket.on('close', () => connections.delete(socket));
    // After CONNECT Node no longer listens for errors, and a client that hangs up would end the process.
    socket.on('error', () => {});
  });
  return {
    begin(incoming, outgoing) {
      const connection = connections.get(incoming.socket);
      if (!connection || connection.ended) return undefined;
      connection.last = outgoing;
      return connection;
    },
    endUnread(socket, done) {
      const connection = connections.get(socket);
      if (!connection || connection.ended) return;
      connection.ended = true;
      const { last } = connection;
      if (!last || last.closed) done(undefined);
      else if (last.req.complete || last.headersSent) last.once('close', () => done(undefined));
      else done(last);
    },
    endAll() {
      for (const [socket, connection] of connections) {
        const { last } = connection;
        if (!last || last.closed || connection.endless || isUnread(connection)) socket.destroy();
        else if (!connection.ended) {
          endAfter(connection, last);
          // Its head may have been sent already, without `Connection: close`.
          last.once('close', () => socket.destroySoon());
        }
      }
    },
    destroyAll() {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

/** A client that has not read for so long is taken for one that does not read, in milliseconds. */
const PATIENCE = 1000;

function isUnread({ unreadSince = Number.POSITIVE_INFINITY }: Connection): boolean {
  return performance.now() - unreadSince > PATIENCE;
}

/** Makes an answer the last one of its connection: later requests are not carried out. */
export function endAfter(connection: Connection, outgoing: ServerResponse): void {
  connection.ended = true;
  connection.closes = outgoing;
}

interface Turn {
  decide: (() => void) | undefined;
}

/**
 * Reserves the turn of a request among the pipelined ones of its connection. Returns a function that runs a decision once every
 * earlier request is decided.
 */
export function takeTurn({ turns }: Connection): (decide: () => void) => void {
  const mine: Turn = { decide: undefined };
  turns.push(mine);
  return (decide) => {
    mine.decide = decide;
    while (turns[0]?.decide) turns.shift()?.decide?.();
  };
}
