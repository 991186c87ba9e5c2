import type { IncomingMessage } from 'node:http';
import { isHost, type MockRequest, toTarget } from '../message/message.ts';

/** Converts a request of Node to plain data. */
export function toRequest(incoming: IncomingMessage, body: MockRequest['body'], peer: string): MockRequest {
  const { method = 'GET', url = '/', headers } = incoming;
  const own = url.startsWith('/') && !url.includes('#');
  const target = toTarget(own ? url : toOwnTarget(url));
  const mark = target.indexOf('?');
  const host = own ? undefined : toAuthority(url);
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark) || '/',
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: (host === undefined ? headers : { ...headers, host }) as MockRequest['headers'],
    peer,
    body,
  };
}

/** Cuts scheme, host and fragment off a target. */
function toOwnTarget(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
}

/** The host and port of an absolute target, which override the Host header (RFC 9112 section 3.2.2). */
function toAuthority(target: string): string | undefined {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]*)/i.exec(target)?.[1];
}

/** Finds a mistake in the Host of a request (RFC 9112 section 3.2). HTTP/1.0 requires none. */
export function findHostMistake({ rawHeaders, httpVersion, url = '/' }: IncomingMessage): string | undefined {
  let host: string | undefined;
  // Node's own object holds only the first of several Host headers.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length !== 4 || (name !== 'Host' && name.toLowerCase() !== 'host')) continue;
    if (host !== undefined) return 'The request has more than one Host header.';
    host = rawHeaders[index + 1] as string;
  }
  if (host === undefined && httpVersion === '1.1') return 'The request has no Host header.';
  const authority = url.startsWith('/') ? undefined : toAuthority(url);
  const valid = isUsualHost(host ?? '') && (authority === undefined || isHost(authority));
  return valid ? undefined : 'The Host of the request is not a host name, with or without a port.';
}

let lastHost = '';

/** Checks a host, at once if it is the one of the last request, as it nearly always is. */
function isUsualHost(host: string): boolean {
  if (host === lastHost) return true;
  if (!isHost(host)) return false;
  lastHost = host;
  return true;
}
