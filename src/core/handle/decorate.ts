import { toQuotaHeaders } from '../../answer/faults/faults.ts';
import { toFindingText } from '../../base/problem.ts';
import type { Match } from '../../model/operations/operations.ts';
import {
  type HeaderFields,
  type MockRequest,
  type MockResponse,
  NO_HEADERS,
  toSendable,
  withHeaders,
  withoutContent,
} from '../../wire/message/message.ts';
import type { Service } from '../service/service.ts';
import { toContentGuard } from './content-guard.ts';
import type { Step } from './exchange.ts';
import { revalidate, toValidator } from './preconditions.ts';

/** Adds the headers of lifecycle and CORS, and those that HTTP demands. Drops the content of an answer to HEAD. */
export const decorate: Step = (exchange) => {
  const { service, match, request, warnings, quotas, fault } = exchange;
  const response = exchange.response as MockResponse;
  const { cors } = service;
  const common = cors?.headers(request.headers.origin) ?? NO_HEADERS;
  const varied = cors ? VARIED_BY_ORIGIN : VARIED;
  const decorated = match
    ? withHeaders(
        response,
        announce(service, match, request),
        toRequired(service, match, response),
        common,
        varied,
        toContentGuard(exchange, response),
        toValidator(request, response),
        quotas.length > 0 ? toQuotaHeaders(quotas) : NO_HEADERS,
        fault?.problem ? toExposed(common, fault.problem.headers) : NO_HEADERS,
      )
    : withHeaders(response, common, toContentGuard(exchange, response));
  const warned =
    warnings.length > 0
      ? withHeaders(decorated, { 'X-Mock-Warnings': warnings.map(toFindingText).join(', ') })
      : decorated;
  const sendable = toSendable(revalidate(request, warned));
  exchange.response = request.method === 'HEAD' ? withoutContent(sendable) : sendable;
  return undefined;
};

/** Lets a page read the headers of a fault too. */
function toExposed({ [EXPOSED]: names }: HeaderFields, headers: HeaderFields): HeaderFields {
  return names === undefined ? NO_HEADERS : { [EXPOSED]: [names, ...Object.keys(headers)].join(', ') };
}

const EXPOSED = 'Access-Control-Expose-Headers';

/** Every answer may depend on preferences (RFC 7240 section 2). */
const VARIED: HeaderFields = { Vary: 'Accept, Prefer' };
const VARIED_BY_ORIGIN: HeaderFields = { Vary: 'Accept, Prefer, Origin' };

function announce(
  { lifecycles, addressOf }: Service,
  { operation, parameters, base }: Match,
  request: MockRequest,
): HeaderFields {
  const lifecycle = lifecycles.get(operation);
  // An operation without a notice adds no headers, so it needs no address.
  if (lifecycle?.notice === undefined) return NO_HEADERS;
  return lifecycle.headers(parameters, addressOf(request).prefix + base);
}

/** The headers that RFC 9110 demands for a status (sections 15.5.2 and 15.5.6), also for that of a fault. */
function toRequired(
  { table, security }: Service,
  { operation }: Match,
  { status, headers }: MockResponse,
): HeaderFields {
  if (status === 401 && headers['WWW-Authenticate'] === undefined) {
    return { 'WWW-Authenticate': security?.challenge(operation) ?? 'Bearer realm="petstore-mock"' };
  }
  if (status === 405 && headers.Allow === undefined) return { Allow: table.allow(operation.path) };
  return NO_HEADERS;
}
