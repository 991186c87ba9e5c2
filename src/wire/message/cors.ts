import { buildOriginCheck, LOOPBACK } from './origin.ts';
import { type HeaderFields, isToken, type MockRequest, type MockResponse } from './plain-message.ts';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const MAX_AGE_SECONDS = '600';

/**
 * CORS for any origin, with credentials for some (Fetch standard, sections 3.3 and 4.8 to 4.10). Every list is of names, because
 * `*` has no meaning in a request with credentials.
 */
export interface Cors {
  /** The answer to a preflight request; `undefined` for any other request. */
  preflight(request: MockRequest): MockResponse | undefined;
  /**
   * The headers of every other answer to an origin, errors included. Without them a page could not even read the status. They
   * differ by origin, so even an answer to no origin has `Vary: Origin`.
   */
  headers(origin: string | undefined): HeaderFields;
}

/**
 * Builds the headers of CORS. `exposed` names the response headers that a page may read beside the few that it always may, and
 * `origins` lists those that may send credentials.
 */
export function buildCors(exposed: Iterable<string>, origins: readonly string[] = [LOOPBACK]): Cors {
  const maySendCredentials = buildOriginCheck(origins);
  const names = { 'Access-Control-Expose-Headers': [...new Set(exposed)].join(', '), Vary: 'Origin' };
  const anonymous = { 'Access-Control-Allow-Origin': '*', ...names };
  const toHeaders = (origin: string | undefined): HeaderFields =>
    origin !== undefined && maySendCredentials(origin)
      ? {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Credentials': 'true',
          ...names,
        }
      : anonymous;
  return {
    headers: toHeaders,
    preflight({ method, headers: asked }) {
      if (!isPreflight({ method, headers: asked })) return undefined;
      const requested = toFieldNames(asked['access-control-request-headers'] ?? '');
      return {
        status: 204,
        headers: {
          ...toHeaders(asked.origin),
          'Access-Control-Allow-Methods': ALLOWED_METHODS,
          // Echoed, because `*` would not cover Authorization.
          ...(requested && { 'Access-Control-Allow-Headers': requested }),
          // A page on another machine or in a public network asks before it reaches into this one.
          ...(asked[PRIVATE_NETWORK] === 'true' && { 'Access-Control-Allow-Private-Network': 'true' }),
          'Access-Control-Max-Age': MAX_AGE_SECONDS,
          Vary: PREFLIGHT_VARIES,
        },
      };
    },
  };
}

/** Whether a request is a CORS preflight. Browsers send it by themselves, without credentials (Fetch sections 3.2.2 and 4.8). */
export function isPreflight({ method, headers }: Pick<MockRequest, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

const PRIVATE_NETWORK = 'access-control-request-private-network';

const PREFLIGHT_VARIES = [
  'Origin',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'Access-Control-Request-Private-Network',
].join(', ');

/** Reads the field names of a list. Anything else in it is not echoed. */
function toFieldNames(list: string): string {
  if (NAMES_ONLY.test(list)) return list;
  const names = list.split(',').map((name) => name.trim());
  return names.filter(isToken).join(', ');
}

const NAMES_ONLY = /^[\w!#$%&'*+.^`|~, -]*$/;
