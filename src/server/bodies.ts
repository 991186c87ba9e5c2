import type { IncomingMessage } from 'node:http';

/**
 * The outcome of reading a body: its bytes, or the reason there are none. `gone` means that the client hung up, `stalled` that
 * other bodies needed the memory.
 */
export type Received = Uint8Array | 'too-large' | 'gone' | 'stalled';

/** Reads the bodies of all connections of a server. */
export interface Bodies {
  /** Reads the body of a request and calls back once. */
  receive(incoming: IncomingMessage, done: (received: Received) => void): void;
}

/** The most memory that all unfinished bodies together may hold, in bytes. */
const MOST_HELD = 64 * 1024 * 1024;
const SMALLEST_BUFFER = 1024;

interface Upload {
  /** The bytes received so far, with room for more behind them. */
  bytes: Buffer;
  /** The number of bytes received, including those that were discarded. */
  length: number;
  finish(received: Received): void;
}

/**
 * Reads bodies of up to `limit` bytes. A larger one is read to its end and discarded, because a client that is still sending
 * could not read the answer. Once unfinished bodies hold 64 MiB, the one that has waited longest for its next byte is given up.
 */
export function createBodies(limit: number): Bodies {
  /** The bodies in progress, the one that has waited longest first. */
  const unfinished = new Set<Upload>();
  let held = 0;
  const release = (upload: Upload) => {
    if (unfinished.delete(upload)) held -= upload.bytes.length;
  };
  const hold = (upload: Upload, chunk: Buffer) => {
    release(upload);
    append(upload, chunk, limit);
    unfinished.add(upload);
    held += upload.bytes.length;
    for (const oldest of unfinished) {
      if (held <= MOST_HELD) break;
      oldest.finish('stalled');
    }
  };
  return {
    receive(incoming, done) {
      const announced = Number(incoming.headers['content-length']);
      let finished = false;
      const upload: Upload = {
        bytes: NOTHING,
        length: 0,
        finish(received) {
          if (finished) return;
          finished = true;
          release(upload);
          upload.bytes = NOTHING;
          done(received);
        },
      };
      incoming.on('data', (chunk: Buffer) => {
        if (finished) return;
        upload.length += chunk.length;
        if (upload.length > limit) {
          release(upload);
          upload.bytes = NOTHING;
          // Most bodies come in one piece, and then there is nothing to account for.
        } else if (chunk.length === announced) upload.bytes = chunk;
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

const NOTHING = Buffer.alloc(0);

/** Copies a chunk into the buffer, which doubles when it is full. A list of one-byte chunks would take many times their size. */
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
