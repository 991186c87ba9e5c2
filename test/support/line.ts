import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test writes whatever it likes. */
export interface Line {
  readonly socket: Socket;
  send(...parts: readonly (string | Uint8Array)[]): void;
  /** The next answer. Rejects if the server closes without one. */
  answer(options?: { readonly head?: boolean }): Promise<Answer>;
  /** Whatever comes until the server closes the connection. */
  rest(): Promise<string>;
}

/** Opens a connection to a server of this machine. */
export async function dial(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  let ended = false;
  let wake: () => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  socket.on('error', end).on('close', end).on('end', end);
  await once(socket, 'connect');
  const take = async <T>(read: () => T | undefined): Promise<T> => {
    for (;;) {
      const value = read();
      if (value !== undefined) return value;
      if (ended) throw new Error(`The connection ended after ${JSON.stringify(received.toString())}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    send: (...parts) => {
      for (const part of parts) socket.write(part);
    },
    answer: ({ head = false } = {}) =>
      take(() => {
        const answer = parseAnswer(received, head);
        if (answer) received = received.subarray(answer.length);
        return answer;
      }),
    rest: () => take(() => (ended ? received.toString() : undefined)),
  };
}

function parseAnswer(received: Buffer, head: boolean): (Answer & { length: number }) | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const bodiless = head || status < 200 || status === 204 || status === 304;
  const length = end + 4 + (bodiless ? 0 : Number(headers.get('content-length') ?? 0));
  if (received.length < length) return undefined;
  return { status, headers, body: received.subarray(end + 4, length).toString(), length };
}

/** A GET request as text. */
export function get(path: string, ...headers: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
}

/** A POST request with a JSON body as text. */
export function post(path: string, body: string, ...headers: readonly string[]): string {
  const head = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return [`POST ${path} HTTP/1.1`, ...head, ...headers, '', body].join('\r\n');
}
