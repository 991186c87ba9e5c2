import { isUtf8 } from 'node:buffer';
import { BODY_LIMIT } from '../../answer/validate/validate.ts';
import { Problem } from '../../base/problem.ts';
import type { Handler } from '../../core/handle/handle.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import { toHeaderName } from '../../wire/message/message.ts';
import { serve } from '../../wire/server/server.ts';
import type { Ask } from './answer.ts';

/** Serves a mock on a free local port, and sends requests to it with `fetch`. */
export async function askOverSocket(
  handler: Handler,
): Promise<{ readonly ask: Ask; readonly close: () => Promise<void> }> {
  const { url, close } = await serve({
    answer: handler.answer,
    refuse: (status, code, message, origin) => handler.refuse(new Problem(status, code, message), origin),
    // The check reports a failure by its status, 500.
    report() {},
    bodyLimit: BODY_LIMIT,
    host: '127.0.0.1',
    port: 0,
  });
  return { ask: (request) => ask(url, request), close };
}

async function ask(url: string, { method, path, query, headers, body }: MockRequest): Promise<MockResponse> {
  const response = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body instanceof Uint8Array && { body: body as Uint8Array<ArrayBuffer> }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [toHeaderName(name), value])),
    ...(bytes.length > 0 && { body: isUtf8(bytes) ? bytes.toString() : bytes }),
  };
}
