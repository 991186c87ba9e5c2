import type { ServerResponse } from 'node:http';
import type { MockResponse, OnEnd, OpenStream, Transmission } from '../message/message.ts';
import type { Connection } from './connections.ts';
import { drip } from './drip.ts';

/** Sends a response that does not go out whole and at once. */
export function transmit(
  response: MockResponse,
  transmission: Transmission,
  outgoing: ServerResponse,
  connection: Connection,
): void {
  switch (transmission.kind) {
    case 'reset':
      whenItsTurn(outgoing, () => outgoing.socket?.resetAndDestroy());
      return;
    case 'timeout':
      connection.endless = true;
      endWith(transmission.onEnd, outgoing);
      return;
    case 'truncate':
      truncate(response, transmission.bytes, outgoing);
      return;
    case 'drip':
      endWith(transmission.onEnd, outgoing);
      dripInto(response, transmission.bytesPerSecond, outgoing);
      return;
    case 'stream':
      outgoing.writeHead(response.status, response.headers);
      outgoing.flushHeaders();
      // A response whose turn never comes is never closed either.
      whenItsTurn(outgoing, () => stream(transmission.open, outgoing, connection));
  }
}

/** Closes the connection if the mock gives up before the answer is sent. */
function endWith(onEnd: OnEnd | undefined, outgoing: ServerResponse): void {
  const leave = onEnd?.(() => outgoing.req.socket.destroy());
  if (leave) outgoing.once('close', leave);
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

function stream(open: OpenStream, outgoing: ServerResponse, connection: Connection): void {
  // The client may have left before its answer was ready.
  if (outgoing.destroyed) return;
  connection.endless = true;
  const source = open({
    write: (text) => outgoing.write(text),
    end() {
      if (outgoing.writableNeedDrain) outgoing.destroy();
      else outgoing.end();
    },
  });
  outgoing.on('drain', () => source.resume());
  outgoing.once('close', () => {
    connection.endless = false;
    source.close();
  });
}

/** Acts once every earlier answer of the connection is sent. */
function whenItsTurn(outgoing: ServerResponse, act: () => void): void {
  if (outgoing.socket) act();
  else outgoing.once('socket', act);
}
