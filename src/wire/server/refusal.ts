import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { KIBIBYTE, LIMITS } from '../../base/limits.ts';
import type { MockResponse } from '../message/message.ts';

/** The parts of an answer that is given without carrying out a request. */
export type Refusal = readonly [status: number, code: string, message: string];

/** Builds the answer to a request that is not carried out, for its origin if that could be read. It must not throw. */
export type Refuse = (...refusal: readonly [...Refusal, origin?: string | undefined]) => MockResponse;

const KNOWN_REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'headers_too_large',
    `The request line or the headers are larger than ${LIMITS.headers.value / KIBIBYTE} KiB.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

/** Answers a request that cannot be read to its end. */
export function toRefusal(
  { code = '', message }: NodeJS.ErrnoException,
  refuse: Refuse,
  origin?: string,
): MockResponse {
  const known = KNOWN_REFUSALS[code];
  return known
    ? refuse(...known, origin)
    : refuse(400, 'malformed_request', `The request is not valid HTTP: ${message}.`, origin);
}

/** How long a client may take to read a last answer and hang up, in milliseconds. */
const LINGER_MS = 2000;

/**
 * Writes a last answer to a connection and ends it. Closing at once would make the client's system discard the answer unread, so
 * whatever it still sends is ignored for a while.
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
