import type { UnderlyingSource } from 'node:stream/web';
import type { MockResponse, Transmission } from '../message/message.ts';
import { AddressedResponse } from './addressed-response.ts';
import { drip } from './drip.ts';

/** A reader that falls behind by so many texts is given up. */
const MOST_UNREAD = 10_000;

/** Resolves and rejects like `fetch` for a response that does not arrive whole and at once. Never resolves for a time-out. */
export function toTransmitted(
  { status, headers, body = '' }: MockResponse,
  transmission: Transmission,
  url: string,
): Promise<Response> {
  const bytes = Uint8Array.from(Buffer.from(body));
  const respond = async (source: UnderlyingSource, highWaterMark = MOST_UNREAD) =>
    new AddressedResponse(new ReadableStream(source, { highWaterMark }), { status, headers }, url);
  switch (transmission.kind) {
    case 'reset':
      return Promise.reject(connectionLost('fetch failed', 'ECONNRESET', 'The connection was reset.'));
    case 'timeout':
      return new Promise(() => {});
    case 'truncate':
      return respond(truncate(bytes.subarray(0, transmission.bytes)), 0);
    case 'drip':
      return respond(dripInto(bytes, transmission.bytesPerSecond));
    case 'stream':
      return respond(streamInto(transmission.open));
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

function streamInto(open: Extract<Transmission, { readonly kind: 'stream' }>['open']): UnderlyingSource {
  let close = () => {};
  return {
    start(controller) {
      const encoder = new TextEncoder();
      close = open((text) => {
        controller.enqueue(encoder.encode(text));
        if ((controller.desiredSize ?? 0) > 0) return;
        close();
        controller.error(connectionLost('terminated', 'UND_ERR_SOCKET', 'The stream was not read.'));
      });
    },
    cancel: () => close(),
  };
}

/** The error of Node's own `fetch`, with the cause that tells failures of the network apart. */
function connectionLost(message: string, code: string, reason: string): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(reason), { code }) });
}
