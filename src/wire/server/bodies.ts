import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../base/limits.ts';

/** The bytes of a body, or why there are none: larger than the limit, cut off by its client, or given up because it stalled. */
export type Received = Uint8Array | 'too-large' | 'gone' | 'stalled';

/** Reads the bodies of all connections of a server. */
interface Bodies {
  /** Reads the body of a request and calls back once. */
  receive(incoming: IncomingMessage, done: (received: Received) => void): void;
}

const SMALLEST_BUFFER = 1024;
const NO_BYTES = Buffer.alloc(0);

interface Upload {
  /** The bytes so far, with room for more behind them. */
  bytes: Buffer;
  /** The number of bytes so far, discarded ones included. */
  length: number;
  finish(received: Received): void;
}

/**
 * Bodies of up to `limit` bytes are read whole. The rest of a larger one is read and discarded, because a client that is still
 * sending would not read the answer. Once unfinished bodies hold 64 MiB, the one that got its last byte longest ago is given up.
 */
export function createBodies(limit: number): Bodies {
  const { hold, release } = createUploads(limit);
  return {
    receive(incoming, done) {
      const announced = Number(incoming.headers['content-length']);
      let finished = false;
      const upload: Upload = {
        bytes: NO_BYTES,
        length: 0,
        finish(received) {
          if (finished) return;
          finished = true;
          release(upload);
          done(received);
        },
      };
      incoming.on('data', (chunk: Buffer) => {
        if (finished) return;
        upload.length += chunk.length;
        if (upload.length > limit) release(upload);
        // Most bodies come in one piece, and then there is nothing to account for.
        else if (chunk.length === announced) upload.bytes = chunk;
        else hold(upload, chunk);
      });
      incoming.on('end', () =>
        upload.finish(upload.length > limit ? 'too-large' : upload.bytes.subarray(0, upload.length)),
      );
      incoming.on('close', () => {
        if (!incoming.complete) upload.finish('gone');
      });
      // It closes after an error too.
      incoming.on('error', () => {});
    },
  };
}

/** Holds unfinished bodies, and gives up the oldest ones when they take too much memory together. */
function createUploads(limit: number) {
  /** In the order of their last bytes, oldest first. */
  const unfinished = new Set<Upload>();
  let held = 0;
  const forget = (upload: Upload) => {
    if (unfinished.delete(upload)) held -= upload.bytes.length;
  };
  return {
    hold(upload: Upload, chunk: Buffer): void {
      forget(upload);
      append(upload, chunk, limit);
      unfinished.add(upload);
      held += upload.bytes.length;
      for (const oldest of unfinished) {
        if (held <= LIMITS.unfinishedBodies.value) break;
        oldest.finish('stalled');
      }
    },
    release(upload: Upload): void {
      forget(upload);
      upload.bytes = NO_BYTES;
    },
  };
}

/** Doubles the buffer when it is full. Collecting chunks of one byte each would take a hundred times their size. */
function append(upload: Upload, chunk: Buffer, limit: number): void {
  const before = upload.length - chunk.length;
  if (upload.length > upload.bytes.length) {
    const room = Math.min(limit, Math.max(upload.length, 2 * upload.bytes.length, SMALLEST_BUFFER));
    const larger = Buffer.allocUnsafeSlow(room);
    upload.bytes.copy(larger, 0, 0, before);
    upload.bytes = larger;
  }
  chunk.copy(upload.bytes, before);
}
