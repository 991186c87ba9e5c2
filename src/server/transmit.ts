import type { ServerResponse } from 'node:http';
import type { MockResponse, OpenStream, Transmission } from '../message/message.ts';
import type { Connection } from './connections.ts';
import { drip } from './drip.ts';

/** Sends a response that does not go out whole and at once. */
export function transmit(
  { status, headers, body = '' }: MockResponse,
  transmission: Transmission,
  outgoing: ServerResponse,
  connection: Connection,
): void {
  const bytes = Buffer.from(body);
  switch (transmission.kind) {
    case 'reset':
      whenItsTurn(outgoing, () => outgoing.socket?.resetAndDestroy());
      break;
    case 'timeout':
      connection.endless = true;
      break;
    case 'truncate':
      outgoing.writeHead(status, headers);
      // Once the piece is written, because destroying the connection discards what still waits.
      outgoing.write(bytes.subarray(0, transmission.bytes), () => outgoing.destroy());
      break;
    case 'drip': {
      outgoing.writeHead(status, headers);
      const stop = drip(
        bytes,
        transmission.bytesPerSecond,
        (piece) => outgoing.write(piece),
        () => outgoing.end(),
      );
      outgoing.once('close', stop);
      break;
    }
    case 'stream':
      outgoing.writeHead(status, headers);
      outgoing.flushHeaders();
      // A response whose turn never comes is never closed either.
      whenItsTurn(outgoing, () => stream(transmission.open, outgoing, connection));
  }
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
