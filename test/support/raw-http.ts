import { connect } from 'node:net';

/** What a server sent back on one connection, taken apart without `node:http`. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case, with every value that came under them. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

/** A request as bytes; `Content-Length` and `Connection: close` are added. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | undefined;
}

const DEADLINE_MS = 10_000;

/**
 * Sends a request on a connection of its own, every character of its head as one byte. Rejects where no whole response has come
 * before the connection ends, or after ten seconds.
 */
export function sendRaw(url: string, { method, target, headers, body }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const framing: [string, string][] = [['Connection', 'close']];
  if (body) framing.push(['Content-Length', String(body.length)]);
  const lines = [['Host', `${hostname}:${port}`] as const, ...headers, ...framing];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const deadline = setTimeout(() => socket.destroy(new Error('No response came in time')), DEADLINE_MS);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses early may reset the connection once its answer is on the way.
      if (chunks.length === 0 || error.code !== 'ECONNRESET') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(deadline);
      try {
        resolve(parseResponse(Buffer.concat(chunks), method));
      } catch (error) {
        reject(error as Error);
      }
    });
    socket.write(Buffer.from(head, 'latin1'));
    if (body) socket.write(body);
  });
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\t -~]*$/;
const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]+): ([\t -~]*)$/;

function parseResponse(bytes: Buffer, method: string): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`The connection ended without a response: ${bytes.toString('latin1')}`);
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(STATUS_LINE.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`Not a status line: ${first}`);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Not a header that is ASCII: ${line}`);
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  }
  const body = headers.has('transfer-encoding')
    ? joinChunks(bytes.subarray(end + 4))
    : bytes.subarray(end + 4);
  const length = headers.get('content-length')?.[0];
  if (length !== undefined && method !== 'HEAD' && Number(length) !== body.length)
    throw new Error(`The body has ${body.length} bytes, and should have ${length}`);
  return { status, headers, body };
}

/** The content of a chunked body (RFC 9112 section 7.1). */
function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (end < 0 || Number.isNaN(size)) throw new Error('A chunk has no size');
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
