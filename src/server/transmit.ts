import type { ServerResponse } from 'node:http';
import type { MockResponse, Transmission } from '../message/message.ts';
import type { Connection } from './connections.ts';
import { drip } from './drip.ts';

/** A client that does not read a stream is given up at so many bytes, which would wait in memory. */
const MOST_UNREAD = 1024 * 1024;

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
    case 'stream': {
      connection.endless = true;
      outgoing.writeHead(status, headers);
      outgoing.flushHeaders();
      const close = transmission.open((text) => {
        outgoing.write(text);
        if (outgoing.writableLength > MOST_UNREAD) outgoing.destroy();
      });
      outgoing.once('close', close);
    }
  }
}

/** Acts once every earlier answer of the connection is sent. */
function whenItsTurn(outgoing: ServerResponse, act: () => void): void {
  if (outgoing.socket) act();
  else outgoing.once('socket', act);
}
