import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { MockRequest, MockResponse } from './message.ts';

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

/** How much of a too large body is read and thrown away, so that the client gets to read the answer. */
const DRAIN_LIMIT = 64 * 1024 * 1024;
const CLOSE_GRACE_MS = 10_000;

/** Serves plain requests and responses over `node:http`. Rejects with the system's error if it cannot listen. */
export async function serve(options: ServeOptions): Promise<Listening> {
  const server = createServer();
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    receiveRequest(incoming, options).then(
      (request) => respond(request, outgoing, options, server),
      // The client went away in the middle of its body: there is nobody to answer.
      () => outgoing.destroy(),
    );
  };
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (hasBody(incoming)) receive(incoming, outgoing);
    else respond(toRequest(incoming, undefined), outgoing, options, server);
  });
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (Number(incoming.headers['content-length'] ?? 0) <= options.bodyLimit) {
      outgoing.writeContinue();
      receive(incoming, outgoing);
      return;
    }
    outgoing.setHeader('Connection', 'close');
    respond(toRequest(incoming, 'too-large'), outgoing, options, server);
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
    close: () => close(server),
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function receiveRequest(incoming: IncomingMessage, { bodyLimit }: ServeOptions): Promise<MockRequest> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyLimit) chunks.push(chunk);
      else if (length <= DRAIN_LIMIT) chunks.length = 0;
      else resolve(toRequest(incoming.pause(), 'too-large'));
    });
    incoming.on('end', () =>
      resolve(toRequest(incoming, length > bodyLimit ? 'too-large' : Buffer.concat(chunks))),
    );
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('The request was aborted')));
  });
}

function toRequest(incoming: IncomingMessage, body: MockRequest['body']): MockRequest {
  const url = (incoming.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
  const mark = url.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark) || '/',
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: incoming.headers as Record<string, string>,
    body,
  };
}

function respond(
  request: MockRequest,
  outgoing: ServerResponse,
  options: ServeOptions,
  server: Server,
): void {
  const answer = options.answer(request);
  if (answer instanceof Promise) answer.then((response) => write(response, outgoing, server));
  else write(answer, outgoing, server);
}

function write({ status, headers, body }: MockResponse, outgoing: ServerResponse, server: Server): void {
  // A server that is closing keeps no connection open for a next request.
  if (!server.listening) outgoing.setHeader('Connection', 'close');
  outgoing.writeHead(status, headers);
  outgoing.end(body);
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
  const { headers, body = '' } = refuse(status, code, message);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${code}\r\n${lines.join('')}\r\n${body}`);
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

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
