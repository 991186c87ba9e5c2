import { createInstance, type getHttpOperationsFromSpec } from '@stoplight/prism-http';
import type { MockRequest } from '../../src/wire/message/message.ts';

/** An operation as Prism reads it. */
export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

const noop = () => {};
const silent: Record<string, unknown> = { child: () => silent };
for (const level of ['success', 'info', 'warn', 'error', 'debug', 'trace', 'fatal']) silent[level] = noop;

/** The status of Prism's answer, or what it throws. */
export async function askPrism(
  operations: readonly PrismOperation[],
  request: MockRequest,
): Promise<unknown> {
  const prism = createInstance(
    {
      ...{ isProxy: false, checkSecurity: true, validateRequest: true, validateResponse: false },
      ...{ errors: false, upstreamProxy: undefined, mock: { dynamic: false } },
    },
    { logger: silent as never },
  );
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(request.query))
    query[name] = name in query ? [query[name] ?? '', value].flat() : value;
  const text = request.body === undefined ? undefined : new TextDecoder().decode(request.body as Uint8Array);
  // What its server does before: it reads only bodies that say that they are JSON.
  const isJson = /json/.test(request.headers['content-type'] ?? '');
  const length = text === undefined ? {} : { 'content-length': String(text.length) };
  try {
    const result = await prism.request(
      {
        method: request.method.toLowerCase() as 'get',
        url: { path: request.path, query },
        headers: { ...request.headers, ...length },
        body: text === undefined || !isJson ? text : JSON.parse(text),
      },
      [...operations],
    )();
    return result._tag === 'Left'
      ? (result.left as { status?: number }).status
      : result.right.output.statusCode;
  } catch (error) {
    return (error as Error).message;
  }
}
