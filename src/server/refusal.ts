import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { MockResponse } from '../message.ts';
import type { Refuse } from './options.ts';

const REFUSALS: Readonly<Record<string, [status: number, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The request line or the headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

/** The answer to a request that cannot be read to its end. */
export function toRefusal({ code = '', message }: NodeJS.ErrnoException, refuse: Refuse): MockResponse {
  const known = REFUSALS[code];
  return known
    ? refuse(...known)
    : refuse(400, 'malformed_request', `The request is not valid HTTP: ${message}.`);
}

/** How long a client may take to read a last answer and hang up, in milliseconds. */
const LINGER_MS = 2000;

/**
 * Writes a last answer to a connection and ends it. The socket stays open a little longer: if it closed while the client
 * still sends, the client's system would discard the answer.
 */
export function writeLast({ status, headers, body = '' }: MockResponse, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
