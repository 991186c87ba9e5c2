import type { QueuingStrategy, ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web';
import type { MockResponse, OpenStream, Source, Transmission } from '../message/message.ts';
import { createAddressedResponse } from './addressed-response.ts';
import { drip } from './drip.ts';

/** A dripping answer is not slowed down by its reader. */
const ALL_PIECES = { highWaterMark: Number.POSITIVE_INFINITY };

/** The bytes that wait for the reader of a stream, as on a socket. */
const STREAM_BUFFER = 64 * 1024;

/** Those who have to do with a response. */
interface Parties {
  readonly url: string;
  /** Ends a stream. */
  readonly signal: AbortSignal | undefined;
  /** Takes an error after which a stream breaks off. */
  readonly report: (error: unknown) => void;
}

/** Resolves and rejects like `fetch` for a response that does not arrive whole and at once. */
export function toTransmitted(
  { status, headers, body = '' }: MockResponse,
  transmission: Transmission,
  { url, signal, report }: Parties,
): Promise<Response> {
  const bytes = Uint8Array.from(Buffer.from(body));
  const respond = async (source: UnderlyingSource, strategy: QueuingStrategy) =>
    createAddressedResponse(new ReadableStream(source, strategy), { status, headers }, url);
  switch (transmission.kind) {
    case 'reset':
      return Promise.reject(connectionLost('fetch failed', 'ECONNRESET', 'The connection was reset.'));
    case 'timeout':
      return waitForEver(transmission, signal);
    case 'truncate':
      return respond(truncate(bytes.subarray(0, transmission.bytes)), { highWaterMark: 0 });
    case 'drip':
      return respond(dripInto(bytes, transmission), ALL_PIECES);
    case 'stream':
      return respond(
        streamInto(transmission.open, signal, report),
        new ByteLengthQueuingStrategy({ highWaterMark: STREAM_BUFFER }),
      );
  }
}

/** As long as the `fetch` of Node waits for an answer, in milliseconds. */
const PATIENCE = 300_000;

/** Rejects as late as the `fetch` of Node, and before that when the mock or the client gives up. Keeps the process alive until then. */
function waitForEver({ onEnd }: Transmission & { kind: 'timeout' }, signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const finish = (reason: unknown) => {
      clearTimeout(timer);
      leave?.();
      signal?.removeEventListener('abort', abort);
      reject(reason);
    };
    const abort = () => finish(signal?.reason);
    const timer = setTimeout(() => finish(connectionLost('fetch failed', ...NO_HEADERS)), PATIENCE);
    const leave = onEnd?.(() => finish(connectionLost('fetch failed', ...CLOSED)));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

const NO_HEADERS = ['UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error'] as const;
const CLOSED = ['UND_ERR_SOCKET', 'other side closed'] as const;

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

function dripInto(
  bytes: Uint8Array,
  { bytesPerSecond, onEnd }: Transmission & { kind: 'drip' },
): UnderlyingSource {
  let stop = () => {};
  let leave: (() => void) | undefined;
  return {
    start(controller) {
      leave = onEnd?.(() => {
        stop();
        controller.error(connectionLost('terminated', ...CLOSED));
      });
      const write = (piece: Uint8Array) => controller.enqueue(piece);
      stop = drip(bytes, bytesPerSecond, write, () => {
        leave?.();
        controller.close();
      });
    },
    cancel() {
      leave?.();
      stop();
    },
  };
}

function streamInto(
  open: OpenStream,
  signal: AbortSignal | undefined,
  report: Parties['report'],
): UnderlyingSource {
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
        fail(error) {
          report(error);
          controller.error(connectionLost('terminated', 'UND_ERR_SOCKET', 'The mock failed to answer.'));
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
