import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One connection of a client, on which requests may overlap. */
export interface Connection {
  /** The answer to its newest request; answers go out in order, so that it is the last one. */
  last: ServerResponse | undefined;
  /** The requests that are not decided yet, in order, each with what decides it once its body is there. */
  readonly turns: Turn[];
}

/** The connections of a server. */
export interface Connections {
  /** The connection of a request that has just come in; it counts as open until `outgoing` is done. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): Connection;
  /** Ends the connections on which nothing is open, those included on which nothing was ever asked. */
  closeIdle(): void;
}

/** Keeps account of a server's connections: Node does not tell which ones never carried a request. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { last: undefined, turns: [] });
    socket.on('close', () => connections.delete(socket));
  });
  return {
    begin(incoming, outgoing) {
      const connection = connections.get(incoming.socket) ?? { last: outgoing, turns: [] };
      connection.last = outgoing;
      return connection;
    },
    closeIdle() {
      for (const [socket, { last }] of connections) if (last?.closed !== false) socket.destroy();
    },
  };
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
