import type { ServerResponse } from 'node:http';
import type { MockResponse, OnEnd, Transmission } from '../message/message.ts';
import type { Connection } from './connections.ts';
import { drip } from './drip.ts';

/** Sends a response that does not go out whole and at once. */
export function transmit(
  response: MockResponse,
  transmission: Transmission,
  outgoing: ServerResponse,
  connection: Connection,
  report: (error: unknown) => void,
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
      whenItsTurn(outgoing, () => stream(transmission, outgoing, connection, report));
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

function stream(
  { open, ends = false }: Transmission & { kind: 'stream' },
  outgoing: ServerResponse,
  connection: Connection,
  report: (error: unknown) => void,
): void {
  // The client may have left before its answer was ready.
  if (outgoing.destroyed) return;
  connection.endless = !ends;
  const source = open({
    write(text) {
      const keepsUp = outgoing.write(text);
      if (!keepsUp) connection.unreadSince = performance.now();
      return keepsUp;
    },
    end() {
      if (outgoing.writableNeedDrain) outgoing.destroy();
      else outgoing.end();
    },
    fail(error) {
      report(error);
      outgoing.destroy();
    },
  });
  outgoing.on('drain', () => {
    connection.unreadSince = undefined;
    source.resume();
  });
  outgoing.once('close', () => {
    connection.endless = false;
    connection.unreadSince = undefined;
    source.close();
  });
}

/** Acts once every earlier answer of the connection is sent. */
function whenItsTurn(outgoing: ServerResponse, act: () => void): void {
  if (outgoing.socket) act();
  else outgoing.once('socket', act);
}
