import { isJson, toMediaType } from '../../wire/codecs/codecs.ts';
import { type HeaderFields, type MockResponse, NO_HEADERS } from '../../wire/message/message.ts';
import type { Exchange } from './exchange.ts';

/**
 * The headers that keep a browser from running what a client sent: a script in an uploaded file would otherwise have the origin of the
 * mock, and with it the control API. JSON is never run, and examples are what the user's own document says.
 */
export function toContentGuard(
  { source }: Pick<Exchange, 'source'>,
  { headers, body, transmission }: MockResponse,
): HeaderFields {
  const { 'Content-Type': type } = headers;
  if (type === 'application/json' || !(body || isBody(transmission)) || !SOURCES_OF_CLIENTS.has(source))
    return NO_HEADERS;
  if (isJson(toMediaType(type) ?? '')) return NO_HEADERS;
  const { [POLICY]: declared } = headers;
  return declared === undefined ? GUARD : { ...GUARD, [POLICY]: `${declared}, sandbox` };
}

function isBody(transmission: MockResponse['transmission']): boolean {
  return transmission?.kind === 'stream' && transmission.ends === true;
}

/** Made-up answers and errors repeat values of the request. */
const SOURCES_OF_CLIENTS: ReadonlySet<Exchange['source']> = new Set(['state', 'generated', 'error', 'fault']);

const POLICY = 'Content-Security-Policy';

/** Without `allow-same-origin`, a page has an origin of its own, and without `allow-scripts` none of its scripts runs. */
const GUARD: HeaderFields = { 'X-Content-Type-Options': 'nosniff', [POLICY]: 'sandbox' };
