import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One connection of a client, on which requests may overlap. */
export interface Connection {
  /** How many of its requests are not answered yet. */
  open: number;
  /** Settles once every request so far was decided; `undefined` if none is waiting for its body. */
  turn: Promise<void> | undefined;
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
    connections.set(socket, { open: 0, turn: undefined });
    socket.on('close', () => connections.delete(socket));
  });
  return {
    begin(incoming, outgoing) {
      const connection = connections.get(incoming.socket) ?? { open: 0, turn: undefined };
      connection.open += 1;
      outgoing.on('close', () => {
        connection.open -= 1;
      });
      return connection;
    },
    closeIdle() {
      for (const [socket, { open }] of connections) if (open === 0) socket.destroy();
    },
  };
}

/** Runs `decide` with what is read, but after every request that came before on the same connection (pipelining). */
export function takeTurn<T>(
  connection: Connection,
  reading: Promise<T>,
  decide: (read: T) => void,
): Promise<void> {
  const before = connection.turn;
  const turn = reading.then(async (read) => {
    await before;
    decide(read);
  });
  connection.turn = turn.catch(() => {});
  const mine = connection.turn;
  void mine.then(() => {
    if (connection.turn === mine) connection.turn = undefined;
  });
  return turn;
}
