import type { Handler } from '../handle/handle.ts';
import { toHeaderName } from '../headers.ts';
import type { MockRequest, MockResponse } from '../message.ts';
import { Problem } from '../problem.ts';
import { serve } from '../server/server.ts';
import { BODY_LIMIT } from '../validate/validate.ts';
import type { Ask } from './answer.ts';

/** A mock on a free port of this machine, asked by `fetch`. */
export async function askOverSocket(
  handler: Handler,
): Promise<{ readonly ask: Ask; readonly close: () => Promise<void> }> {
  const { url, close } = await serve({
    answer: handler.answer,
    refuse: (status, code, message) => handler.refuse(new Problem(status, code, message)),
    // A failure is answered 500, which the check reports.
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
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [toHeaderName(name), value])),
    ...(text !== '' && { body: text }),
  };
}
