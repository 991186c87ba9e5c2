import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One connection of a client, on which requests may overlap. */
export interface Connection {
  /** The answer to its newest request; answers go out in order, so it is the last one. */
  last: ServerResponse | undefined;
  /** The answer after which the server closes the connection. */
  closes: ServerResponse | undefined;
  /** Whether later requests are ignored, because their answers could not be sent. */
  ended: boolean;
  /** The requests that are not decided yet, in order, each with what decides it once its body is there. */
  readonly turns: Turn[];
}

/** The connections of a server. */
export interface Connections {
  /** The connection of a request that has just come in; `undefined` if the request must not be carried out. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): Connection | undefined;
  /**
   * Takes no more requests from a connection whose input cannot be read any further. Calls back after the answers to all earlier
   * requests. If a request breaks off within its body, calls back at once with the answer to that request.
   */
  endUnread(socket: Socket, done: (unanswered: ServerResponse | undefined) => void): void;
  /** Ends idle connections at once and the others after their last answer. */
  endAll(): void;
  destroyAll(): void;
}

/** Keeps account of a server's connections: Node does not tell which ones never carried a request. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { last: undefined, closes: undefined, ended: false, turns: [] });
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
        if (!last || last.closed) socket.destroy();
        else if (!connection.ended) {
          endAfter(connection, last);
          // The head may have been written before, with keep-alive.
          last.once('close', () => socket.destroySoon());
        }
      }
    },
    destroyAll() {
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

/** Makes an answer the last one of its connection: requests that come behind it are not carried out. */
export function endAfter(connection: Connection, outgoing: ServerResponse): void {
  connection.ended = true;
  connection.closes = outgoing;
}

interface Turn {
  decide: (() => void) | undefined;
}

/**
 * Keeps a place for a request. What is returned takes what decides it, and runs that once every request that came before on
 * the same connection is decided (pipelining).
 */
export function takeTurn({ turns }: Connection): (decide: () => void) => void {
  const mine: Turn = { decide: undefined };
  turns.push(mine);
  return (decide) => {
    mine.decide = decide;
    while (turns[0]?.decide) turns.shift()?.decide?.();
  };
}
