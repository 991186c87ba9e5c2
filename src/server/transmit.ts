import type { ServerResponse } from 'node:http';
import type { MockResponse, Transmission } from '../message/message.ts';
import type { Connection } from './connections.ts';
import { drip } from './drip.ts';

/** A client that does not read a stream is given up at so many bytes, which would wait in memory. */
const MOST_UNREAD = 1024 * 1024;

/** Sends a response that does not go out whole and at once. */
export function transmit(
  response: MockResponse,
  transmission: Transmission,
  outgoing: ServerResponse,
  connection: Connection,
): void {
  connection.endless ||= transmission.kind === 'timeout' || transmission.kind === 'stream';
  switch (transmission.kind) {
    case 'reset':
      whenItsTurn(outgoing, () => outgoing.socket?.resetAndDestroy());
      return;
    case 'timeout':
      return;
    case 'truncate':
      truncate(response, transmission.bytes, outgoing);
      return;
    case 'drip':
      dripInto(response, transmission.bytesPerSecond, outgoing);
      return;
    case 'stream':
      stream(response, transmission.open, outgoing);
  }
}

function truncate(
  { status, headers, body = '' }: MockResponse,
  bytes: number,
  outgoing: ServerResponse,
): void {
  outgoing.writeHead(status, headers);
  // Once the piece is written, because destroying the connection discards what still waits.
  outgoing.write(Buffer.from(body).subarray(0, bytes), () => outgoing.destroy());
}

function dripInto(
  { status, headers, body = '' }: MockResponse,
  bytesPerSecond: number,
  outgoing: ServerResponse,
): void {
  outgoing.writeHead(status, headers);
  const write = (piece: Uint8Array) => outgoing.write(piece);
  const stop = drip(Buffer.from(body), bytesPerSecond, write, () => outgoing.end());
  outgoing.once('close', stop);
}

function stream(
  { status, headers }: MockResponse,
  open: Extract<Transmission, { readonly kind: 'stream' }>['open'],
  outgoing: ServerResponse,
): void {
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  const close = open((text) => {
    outgoing.write(text);
    if (outgoing.writableLength > MOST_UNREAD) outgoing.destroy();
  });
  outgoing.once('close', close);
}

/** Acts once every earlier answer of the connection is sent. */
function whenItsTurn(outgoing: ServerResponse, act: () => void): void {
  if (outgoing.socket) act();
  else outgoing.once('socket', act);
}
