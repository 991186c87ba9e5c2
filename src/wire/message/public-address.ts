import { type HeaderFields, isHost, type MockRequest, toTarget } from './plain-message.ts';

/** Where clients reach the mock. */
export interface PublicAddress {
  /** The scheme and host, such as `https://app.example.com`. */
  readonly origin: string;
  /** The path that a proxy takes off before it passes a request on, such as `/api`; empty for none. */
  readonly prefix: string;
}

/** Finds out where the client of a request reached the mock. */
export type AddressOf = (request: MockRequest) => PublicAddress;

/** Builds the reader of public addresses. `baseUrl`, a URL or a path, overrides what proxies say. */
export function buildAddressOf(baseUrl: string | undefined): AddressOf {
  if (baseUrl === undefined) return toPublicAddress;
  const end = baseUrl.indexOf('/', baseUrl.indexOf('://') + 3);
  const isPath = baseUrl.startsWith('/');
  const prefix = isPath ? baseUrl : end < 0 ? '' : baseUrl.slice(end);
  const origin = isPath ? undefined : end < 0 ? baseUrl : baseUrl.slice(0, end);
  return (request) => ({
    origin: origin ?? toPublicOrigin(request),
    prefix: toWholePrefix(withoutSlash(prefix), request),
  });
}

/** The address that a proxy announces (RFC 7239, or the `X-Forwarded-` headers that came before it), else that of the request. */
function toPublicAddress(request: MockRequest): PublicAddress {
  const announced = request.headers['x-forwarded-prefix'];
  const prefix = toWholePrefix(announced === undefined ? '' : toPrefix(announced), request);
  return { origin: toPublicOrigin(request), prefix };
}

/** Everything before the path of a request. Leaves out a prefix that the path has too, because the proxy did not take it off. */
function toWholePrefix(prefix: string, { path, prefix: session = '' }: MockRequest): string {
  return prefix !== '' && (session + path).startsWith(`${prefix}/`) ? session : prefix + session;
}

function toPublicOrigin({ headers, origin }: MockRequest): string {
  const isForwarded =
    headers.forwarded !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers['x-forwarded-proto'] !== undefined ||
    headers['x-forwarded-port'] !== undefined;
  const own = headers.host ? `http://${headers.host}` : (origin ?? 'http://localhost');
  return isForwarded ? toForwardedOrigin(headers, own) : own;
}

/** Proxies append to these headers, so the first entry is that of the proxy nearest to the client. */
function toForwardedOrigin(headers: HeaderFields, own: string): string {
  const [ownScheme = 'http', ownHost = 'localhost'] = own.split('://');
  const forwarded = readForwarded(headers.forwarded ?? '');
  const proto = (forwarded.proto ?? firstOf(headers['x-forwarded-proto']))?.toLowerCase();
  const host = forwarded.host ?? firstOf(headers['x-forwarded-host']);
  const port = firstOf(headers['x-forwarded-port']);
  const scheme = proto === 'https' || proto === 'http' ? proto : ownScheme;
  const isKnown = host !== undefined && host !== '' && host.length <= LONGEST_ADDRESS && isHost(host);
  return `${scheme}://${withPort(isKnown ? host : ownHost, isKnown ? port : undefined, scheme)}`;
}

/** No host name is longer than 253 characters, and no path that is worth announcing than this. */
const LONGEST_ADDRESS = 300;

const USUAL_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** Adds a port to a host without one. A longer text than five digits has another meaning. */
function withPort(host: string, port: string | undefined, scheme: string): string {
  const isNeeded = port !== undefined && /^\d{1,5}$/.test(port) && port !== USUAL_PORTS[scheme];
  return isNeeded && !/:\d*$/.test(host) ? `${host}:${port}` : host;
}

/** Reads the parameters of the first element of a Forwarded header (RFC 7239 section 4). */
function readForwarded(text: string): { readonly host?: string; readonly proto?: string } {
  const found: Record<string, string> = {};
  const [element = ''] = text.slice(0, 4 * LONGEST_ADDRESS).split(',');
  for (const pair of element.split(';')) {
    const [name = '', value = ''] = pair.split('=');
    found[name.trim().toLowerCase()] ??= value.trim().replace(/^"(.*)"$/, '$1');
  }
  return { ...found };
}

function firstOf(list: string | undefined): string | undefined {
  return list?.split(',', 1)[0]?.trim();
}

/** The path in `X-Forwarded-Prefix`; several proxies in a row list several. Ignores any other text. */
function toPrefix(text: string): string {
  if (text.length > LONGEST_ADDRESS) return '';
  const parts = text.split(',').map((part) => withoutSlash(part.trim()));
  return parts.every((part) => part === '' || isPathPrefix(part)) ? toTarget(parts.join('')) : '';
}

/** Whether a text can stand before a path. A URL that begins with two slashes would name another host. */
export function isPathPrefix(text: string): boolean {
  return /^\/(?![/\\])[^?#\\\s]*$/.test(text);
}

function withoutSlash(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
