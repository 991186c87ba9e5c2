import { isUtf8 } from 'node:buffer';
import { type MockRequest, type MockResponse, toHeaderName } from '../../wire/message/message.ts';
import type { Ask } from './answer.ts';
import { ProviderFailure, toProviderFailure } from './provider-failure.ts';
import type { Provider } from './provider-options.ts';

/** An answer may have at most as many bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Builds the way to a provider's server. Redirects are answers too: none is followed, so that no credentials go to another host. Rejects
 * with a ProviderFailure if the provider does not answer.
 */
export function askProvider({ base, headers, timeout }: Provider): Ask {
  return async ({ method, path, query, headers: own, body }) => {
    const { accept, 'content-type': type } = own;
    try {
      const response = await fetch(`${base}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: {
          'user-agent': 'petstore-mock check',
          ...own,
          ...headers,
          // The question is about these.
          ...(accept !== undefined && { accept }),
          ...(type !== undefined && { 'content-type': type }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
        ...(body instanceof Uint8Array && { body: body as Uint8Array<ArrayBuffer> }),
      });
      const bytes = await readBytes(response);
      return {
        status: response.status,
        headers: toHeaders(response),
        ...(bytes.length > 0 && { body: isUtf8(bytes) ? bytes.toString() : bytes }),
      };
    } catch (error) {
      throw toProviderFailure(error, timeout);
    }
  };
}

async function readBytes({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new ProviderFailure(`its answer has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The length of a compressed body is not that of the body. */
function toHeaders({ headers }: Response): MockResponse['headers'] {
  const isEncoded = headers.has('Content-Encoding');
  const all = [...headers].filter(([name]) => !isEncoded || name !== 'content-length');
  return Object.fromEntries(all.map(([name, value]) => [toHeaderName(name), value]));
}

/** Whether a question can be sent: `fetch` gives GET and HEAD no body, and would shorten a path with dots. */
export function isSendable({ method, path, body }: MockRequest): boolean {
  const isBodiless = method === 'GET' || method === 'HEAD';
  return (
    !(isBodiless && body !== undefined) && !path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))
  );
}
