import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { MockRequest, MockResponse } from '../message.ts';
import { createBatch } from './batch.ts';
import { type Connections, takeTurn, trackConnections } from './connections.ts';

export interface ServeOptions {
  /** Answers a request. It must not throw. */
  readonly answer: (request: MockRequest) => MockResponse | Promise<MockResponse>;
  /** Writes the answer to what never became a request. */
  readonly refuse: (status: number, code: string, message: string) => MockResponse;
  /** The largest body that is kept, in bytes. */
  readonly bodyLimit: number;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A listening server. */
export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Takes no new request, lets the open ones end, and frees the port. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 10_000;

/** Serves plain requests and responses over `node:http`. Rejects with the system's error if it cannot listen. */
export async function serve(options: ServeOptions): Promise<Listening> {
  // A request without Host is refused here, with a body, which Node itself would leave out.
  const server = createServer({ requireHostHeader: false });
  // A connection that the server closes while a client sends on it fails a test by chance: those who are done close theirs.
  server.keepAliveTimeout = 0;
  const connections = trackConnections(server);
  const batch = createBatch();
  const send = (outgoing: ServerResponse, response: MockResponse) =>
    batch(() => write(response, outgoing, server));
  const reply = (incoming: IncomingMessage, outgoing: ServerResponse, body: MockRequest['body']) => {
    const answer = options.answer(toRequest(incoming, body));
    if (answer instanceof Promise) answer.then((response) => send(outgoing, response));
    else send(outgoing, answer);
  };
  const accept = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const connection = connections.begin(incoming, outgoing);
    if (isWithoutHost(incoming)) {
      outgoing.setHeader('Connection', 'close');
      send(outgoing, options.refuse(400, 'malformed_request', 'The request has no Host header.'));
    } else if (hasBody(incoming)) {
      const decide = takeTurn(connection);
      receiveBody(incoming, options, (body) =>
        // Without a body the client went away in the middle of it: there is nobody to answer.
        decide(() => (body === undefined ? outgoing.destroy() : reply(incoming, outgoing, body))),
      );
    } else if (connection.turns.length > 0) {
      takeTurn(connection)(() => reply(incoming, outgoing, undefined));
    } else {
      reply(incoming, outgoing, undefined);
    }
  };
  server.on('request', accept);
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (Number(incoming.headers['content-length'] ?? 0) <= options.bodyLimit) {
      outgoing.writeContinue();
      accept(incoming, outgoing);
      return;
    }
    outgoing.setHeader('Connection', 'close');
    reply(incoming, outgoing, 'too-large');
  });
  server.on('checkExpectation', ({ headers }: IncomingMessage, outgoing: ServerResponse) => {
    const message = `The expectation "${headers.expect}" is not known. Only 100-continue is.`;
    send(outgoing, options.refuse(417, 'expectation_failed', message));
  });
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    const message = 'This server is no proxy, so it does not know CONNECT.';
    writeSocket(options.refuse(501, 'method_not_implemented', message), socket);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseSocket(error, socket, options),
  );
  await listen(server, options);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    host: address,
    port,
    close: () => close(server, connections),
  };
}

function isWithoutHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads a body to its end; calls back once, without one if it never ends. */
function receiveBody(
  incoming: IncomingMessage,
  { bodyLimit }: ServeOptions,
  done: (body: MockRequest['body']) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= bodyLimit) chunks.push(chunk);
    // The rest is read and thrown away: a client that is still sending would not get to read the answer.
    else chunks.length = 0;
  });
  incoming.on('end', () => {
    const [first] = chunks;
    const whole = first && chunks.length === 1 ? first : Buffer.concat(chunks);
    done(length > bodyLimit ? 'too-large' : whole);
  });
  incoming.on('close', () => {
    if (!incoming.complete) done(undefined);
  });
  // It closes after an error too.
  incoming.on('error', () => {});
}

function toRequest(incoming: IncomingMessage, body: MockRequest['body']): MockRequest {
  const url = toOwnUrl(incoming.url ?? '/');
  const mark = url.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark) || '/',
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: incoming.headers as Record<string, string>,
    body,
  };
}

/** The part of a request's target after scheme and host, which a client may send too, and before a fragment. */
function toOwnUrl(target: string): string {
  if (target.startsWith('/') && !target.includes('#')) return target;
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
}

function write({ status, headers, body }: MockResponse, outgoing: ServerResponse, server: Server): void {
  // A server that is closing keeps no connection open for a next request.
  if (!server.listening) outgoing.setHeader('Connection', 'close');
  outgoing.writeHead(status, headers);
  // What has a byte for each character goes out sooner if Node need not look for more.
  if (body !== undefined && headers['Content-Length'] === String(body.length)) outgoing.end(body, 'latin1');
  else outgoing.end(body);
}

const REFUSALS: Readonly<Record<string, [status: number, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The request line or the headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

function refuseSocket(error: NodeJS.ErrnoException, socket: Duplex, { refuse }: ServeOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = REFUSALS[error.code ?? ''] ?? [
    400,
    'malformed_request',
    `The request is not valid HTTP: ${error.message}.`,
  ];
  writeSocket(refuse(status, code, message), socket);
}

function writeSocket({ status, headers, body = '' }: MockResponse, socket: Duplex): void {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
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

function close(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    connections.closeIdle();
  });
}
