import type { QueuingStrategy, ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web';
import type { MockResponse, OpenStream, Source, Transmission } from '../message/message.ts';
import { AddressedResponse } from './addressed-response.ts';
import { drip } from './drip.ts';

/** A dripping answer is not slowed down by its reader. */
const ALL_PIECES = { highWaterMark: Number.POSITIVE_INFINITY };

/** The bytes that wait for the reader of a stream, as on a socket. */
const STREAM_BUFFER = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });

/** Resolves and rejects like `fetch` for a response that does not arrive whole and at once. Never resolves for a time-out. The signal ends a stream. */
export function toTransmitted(
  { status, headers, body = '' }: MockResponse,
  transmission: Transmission,
  url: string,
  signal?: AbortSignal,
): Promise<Response> {
  const bytes = Uint8Array.from(Buffer.from(body));
  const respond = async (source: UnderlyingSource, strategy: QueuingStrategy) =>
    new AddressedResponse(new ReadableStream(source, strategy), { status, headers }, url);
  switch (transmission.kind) {
    case 'reset':
      return Promise.reject(connectionLost('fetch failed', 'ECONNRESET', 'The connection was reset.'));
    case 'timeout':
      return new Promise(() => {});
    case 'truncate':
      return respond(truncate(bytes.subarray(0, transmission.bytes)), { highWaterMark: 0 });
    case 'drip':
      return respond(dripInto(bytes, transmission.bytesPerSecond), ALL_PIECES);
    case 'stream':
      return respond(streamInto(transmission.open, signal), STREAM_BUFFER);
  }
}

function truncate(part: Uint8Array): UnderlyingSource {
  let isSent = part.length === 0;
  return {
    pull(controller) {
      // An error discards what is not read yet, so it waits for the next read.
      if (isSent) controller.error(connectionLost('terminated', 'UND_ERR_SOCKET', 'other side closed'));
      else controller.enqueue(part);
      isSent = true;
    },
  };
}

function dripInto(bytes: Uint8Array, bytesPerSecond: number): UnderlyingSource {
  let stop = () => {};
  return {
    start(controller) {
      const write = (piece: Uint8Array) => controller.enqueue(piece);
      stop = drip(bytes, bytesPerSecond, write, () => controller.close());
    },
    cancel: () => stop(),
  };
}

function streamInto(open: OpenStream, signal: AbortSignal | undefined): UnderlyingSource {
  let source: Source | undefined;
  let abort = () => {};
  const close = () => {
    signal?.removeEventListener('abort', abort);
    source?.close();
  };
  return {
    start(controller: ReadableStreamDefaultController) {
      const encoder = new TextEncoder();
      const keepsUp = () => (controller.desiredSize ?? 0) > 0;
      source = open({
        write(text) {
          controller.enqueue(encoder.encode(text));
          return keepsUp();
        },
        end() {
          if (keepsUp()) controller.close();
          else controller.error(connectionLost('terminated', 'UND_ERR_SOCKET', 'The stream was not read.'));
          close();
        },
      });
      abort = () => {
        controller.error(signal?.reason);
        close();
      };
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    },
    pull: () => source?.resume(),
    cancel: close,
  };
}

/** The error of Node's own `fetch`, with the cause that tells failures of the network apart. */
function connectionLost(message: string, code: string, reason: string): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });
}
