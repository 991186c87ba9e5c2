import { isToken, type MockRequest, type MockResponse } from './plain-message.ts';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const MAX_AGE_SECONDS = '600';

/** CORS for any origin without credentials (Fetch standard, sections 3.3 and 4.8 to 4.10). */
export interface Cors {
  /** The answer to a preflight request; `undefined` for any other request. */
  preflight(request: MockRequest): MockResponse | undefined;
  /** The headers of every other answer, errors included. Without them a page could not even read the status. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Builds the headers of CORS. `exposed` names the response headers that a page may read beside the few that it always may. */
export function buildCors(exposed: Iterable<string>): Cors {
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': [...new Set(exposed)].join(', '),
  };
  return {
    headers,
    preflight({ method, headers: asked }) {
      if (method !== 'OPTIONS' || asked['access-control-request-method'] === undefined) return undefined;
      const requested = toFieldNames(asked['access-control-request-headers'] ?? '');
      return {
        status: 204,
        headers: {
          ...headers,
          'Access-Control-Allow-Methods': ALLOWED_METHODS,
          // Echoed, because `*` would not cover Authorization.
          ...(requested && { 'Access-Control-Allow-Headers': requested }),
          'Access-Control-Max-Age': MAX_AGE_SECONDS,
          Vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
        },
      };
    },
  };
}

/** Reads the field names of a list. Anything else in it is not echoed. */
function toFieldNames(list: string): string {
  if (NAMES_ONLY.test(list)) return list;
  const names = list.split(',').map((name) => name.trim());
  return names.filter(isToken).join(', ');
}

const NAMES_ONLY = /^[\w!#$%&'*+.^`|~, -]*$/;
