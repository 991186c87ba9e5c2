import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Connections, trackConnections } from './connections.ts';
import { writeResponse } from './delivery.ts';
import { toRefusal, writeLast } from './refusal.ts';
import { createRequestHandler, type RequestHandlerOptions } from './request-handler.ts';

export interface ServeOptions extends RequestHandlerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** A listening server. */
export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Refuses new requests, finishes the open ones, and frees the port. */
  close(): Promise<void>;
}

/** Must stay below the 10 seconds after which Docker kills a container that it stops. */
const CLOSE_GRACE_MS = 3000;

/** Serves plain requests and responses over `node:http`. Rejects with the system's error if it cannot listen. */
export async function serve(options: ServeOptions): Promise<Listening> {
  // A request without Host is refused here, with a body, which Node itself would leave out.
  const server = createServer({ requireHostHeader: false });
  // Closing a connection while a client sends on it would fail tests by chance. Clients close theirs when they are done.
  server.keepAliveTimeout = 0;
  // Node would ignore headers past the 2000th, even Host or credentials. The limit on their size still holds.
  server.maxHeadersCount = 0;
  const connections = trackConnections(server);
  const closing = { over: false };
  const handle = createRequestHandler(options, connections, () => closing.over);
  server.on('request', (incoming, outgoing) => handle(incoming, outgoing, undefined));
  server.on('checkContinue', (incoming, outgoing) => handle(incoming, outgoing, 'continue'));
  server.on('checkExpectation', (incoming, outgoing) => handle(incoming, outgoing, 'unknown'));
  refuseUnreadable(server, connections, options);
  await listen(server, options);
  // The system may fail to accept a connection; the others continue.
  server.on('error', options.report);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    host: address,
    port,
    close: () => closeServer(server, connections, closing),
  };
}

/** Answers what Node does not emit as a request: CONNECT, and bytes that are not HTTP. */
function refuseUnreadable(server: Server, connections: Connections, { refuse }: ServeOptions): void {
  server.on('connect', ({ headers }, socket) => {
    const message = 'This server is not a proxy, so it does not support CONNECT.';
    const refusal = refuse(501, 'method_not_implemented', message, headers.origin);
    connections.endUnread(socket as Socket, () => writeLast(refusal, socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    connections.endUnread(socket as Socket, (unanswered) => {
      const refusal = toRefusal(error, refuse, unanswered?.req.headers.origin);
      if (!unanswered) writeLast(refusal, socket);
      else {
        writeResponse(refusal, unanswered.setHeader('Connection', 'close'));
        // Node forgets a request once it is answered, so it would hold the unfinished body for good.
        unanswered.once('close', () => unanswered.req.destroy());
      }
    });
  });
}

function listen(server: Server, { port, host }: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Answers every request that is being carried out, as far as that takes no longer than the grace period. */
function closeServer(server: Server, connections: Connections, closing: { over: boolean }): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      closing.over = true;
      connections.destroyAll();
    }, CLOSE_GRACE_MS);
    // Node's version cuts off an answer that a slow client is still reading.
    server.closeIdleConnections = () => {};
    server.close(() => {
      clearTimeout(force);
      closing.over = true;
      resolve();
    });
    connections.endAll();
  });
}
