import { STATUS_CODES } from 'node:http';
import { readVersion } from '../../package-files.ts';
import type { PublicEntry, PublicSide } from './public-entry.ts';

/** Writes entries as an HTTP Archive 1.2, which the network tools of browsers open. */
export function toHar(entries: readonly PublicEntry[]): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'petstore-mock', version: readVersion() },
      entries: entries.map(toHarEntry),
    },
  };
}

function toHarEntry(entry: PublicEntry): object {
  const { time, milliseconds } = entry;
  return {
    startedDateTime: time,
    time: milliseconds,
    request: toHarRequest(entry),
    response: toHarResponse(entry),
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: toComment(entry),
  };
}

/** The id and the operation, and the fault that hit it: `#3 getPet, truncate by fault 1`. */
function toComment({ id, operation, fault }: PublicEntry): string {
  const name = operation === undefined ? `#${id}` : `#${id} ${operation}`;
  if (!fault) return name;
  const { rule, effect, status, delay } = fault;
  const parts = [status, effect, delay !== undefined && `${delay} ms of delay`].filter(Boolean);
  return `${name}, ${parts.join(' and ')} by fault ${rule}`;
}

/** Cookies are credentials, so the archive has none. */
const COMMON = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };

function toHarRequest({ method, path, request }: PublicEntry): object {
  const { headers, query, body } = request;
  const queryString = [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
  const isBase64 = request.encoding !== undefined;
  const postData = {
    mimeType: findType(request),
    text: body,
    // The format has no encoding for requests.
    ...(isBase64 && { comment: 'The text is base64.' }),
  };
  return {
    method,
    url: toUrl(headers.host, path, query),
    ...COMMON,
    headers: toHarHeaders(request),
    queryString,
    bodySize: toSize(request),
    ...(body !== undefined && { postData }),
  };
}

/** The errors of a browser for answers that never came, or did not come whole. */
const BROWSER_ERRORS: Readonly<Record<string, string>> = {
  reset: 'net::ERR_CONNECTION_RESET',
  timeout: 'net::ERR_TIMED_OUT',
  truncate: 'net::ERR_CONTENT_LENGTH_MISMATCH',
};

function toHarResponse({ status, response, fault }: PublicEntry): object {
  const size = toSize(response);
  const { body, encoding } = response;
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    ...COMMON,
    headers: toHarHeaders(response),
    content: { size, mimeType: findType(response), text: body, encoding },
    redirectURL: findHeader(response, 'location') ?? '',
    bodySize: size,
    // As Chrome writes it; the format allows members of one's own that begin with an underscore.
    _error: BROWSER_ERRORS[fault?.effect ?? ''],
  };
}

/** The URL of a request. Tools refuse a whole archive for one URL that they cannot parse, and a client may send any Host. */
function toUrl(host = '', path: string, query: string): string {
  const target = `${path.startsWith('/') ? path : `/${path}`}${query === '' ? '' : `?${query}`}`;
  const url = `http://${host}${target}`;
  return host !== '' && URL.canParse(url) ? url : `http://localhost${target}`;
}

function toHarHeaders({ headers }: PublicSide): object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function findType(side: PublicSide): string {
  return findHeader(side, 'content-type') ?? '';
}

function findHeader({ headers }: PublicSide, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The length of a body in bytes, with credentials hidden. */
function toSize({ body = '', encoding }: PublicSide): number {
  return Buffer.byteLength(body, encoding ?? 'utf8');
}
