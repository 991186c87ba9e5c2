import { toSendable } from '../headers.ts';
import { type MockResponse, withHeaders, withoutContent } from '../message.ts';
import type { Match } from '../operations/operations.ts';
import type { Service } from '../service/service.ts';
import type { Step } from './exchange.ts';

type Headers = MockResponse['headers'];

const NONE: Headers = {};

/** Adds the headers of lifecycle, CORS and preferences, and those that HTTP demands. Takes the content off an answer to HEAD. */
export const decorate: Step = (exchange) => {
  const { service, match, request } = exchange;
  const response = exchange.response as MockResponse;
  const common = service.cors?.headers ?? NONE;
  const decorated = match
    ? withHeaders(response, announce(service, match), VARIED, toRequired(service, match, response), common)
    : withHeaders(response, common);
  const sendable = toSendable(decorated);
  exchange.response = request.method === 'HEAD' ? withoutContent(sendable) : sendable;
  return undefined;
};

/** An answer depends on whether a preference was there (RFC 7240 section 2). */
const VARIED: Headers = { Vary: 'Accept, Prefer' };

function announce({ lifecycles }: Service, { operation, parameters, base }: Match): Headers {
  return lifecycles.get(operation)?.headers(parameters, base) ?? NONE;
}

/** The headers that RFC 9110 makes part of a status (sections 15.5.2 and 15.5.6), also of one that a rule asks for. */
function toRequired(
  { table, security }: Service,
  { operation }: Match,
  { status, headers }: MockResponse,
): Headers {
  if (status === 401 && headers['WWW-Authenticate'] === undefined) {
    return { 'WWW-Authenticate': security?.challenge(operation) ?? 'Bearer realm="petstore-mock"' };
  }
  if (status === 405 && headers.Allow === undefined) return { Allow: table.allow(operation.path) };
  return NONE;
}
