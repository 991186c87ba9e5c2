import { type HttpHandler, HttpResponse, http } from 'msw';
import type { MockSession } from '../index.ts';

export interface HandlersOptions {
  /** The address that the code under test calls, such as `https://api.example.com/v1`. Its path is not part of the document's paths. */
  readonly baseUrl: string;
}

/**
 * Handlers for MSW, which answer every request below `baseUrl` by a mock or one of its sessions. A path that the document does not have
 * gets the 404 of the mock. Requests to other addresses are left to other handlers.
 */
export function handlers(mock: Pick<MockSession, 'fetch'>, { baseUrl }: HandlersOptions): HttpHandler[] {
  if (typeof mock.fetch !== 'function') throw new TypeError('handlers() needs a mock: await createMock().');
  const { origin, prefix } = readBaseUrl(baseUrl);
  const below = new RegExp(`^${escapeText(origin + prefix)}(?:/|$)`);
  return [
    http.all(below, async ({ request, cookies }) => {
      const headers = copyHeaders(request.headers);
      if (hasCookieJar()) setOrDelete(headers, 'Cookie', toCookie(cookies));
      // Clients of `node:http` send one, and it would hide the scheme of the address.
      headers.delete('Host');
      if (prefix !== '') headers.set('X-Forwarded-Prefix', prefix);
      const asked = mock.fetch(withoutPrefix(request.url, prefix), {
        method: request.method,
        headers,
        body: await readBody(request),
        signal: request.signal,
      });
      return asked.then(toAnswer, (error: unknown) => {
        if (!request.signal.aborted && !isReset(error)) throw error;
        return HttpResponse.error();
      });
    }),
  ];
}

function readBaseUrl(baseUrl: string): { readonly origin: string; readonly prefix: string } {
  const page: { readonly href: string } | undefined = Reflect.get(globalThis, 'location');
  const isUrl = typeof baseUrl === 'string' && URL.canParse(baseUrl, page?.href);
  const url = isUrl ? new URL(baseUrl, page?.href) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`handlers() needs a baseUrl such as https://api.example.com/v1, not ${baseUrl}.`);
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function withoutPrefix(address: string, prefix: string): URL {
  const url = new URL(address);
  url.pathname = url.pathname.slice(prefix.length);
  return url;
}

async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > 0 ? bytes : null;
}

/** Whether a client has a jar of cookies, as browsers and jsdom do. MSW fills it, and would in Node share it among all tests. */
function hasCookieJar(): boolean {
  return 'document' in globalThis;
}

/** Pages cannot read the header, so MSW has the cookies apart. */
function toCookie(cookies: Readonly<Record<string, string>>): string {
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');
}

function setOrDelete(headers: Headers, name: string, value: string): void {
  if (value === '') headers.delete(name);
  else headers.set(name, value);
}

/** MSW replaces `Headers`, and its class loses the fields of headers that are copied whole from a time before. */
function copyHeaders(headers: Headers): Headers {
  return new Headers([...headers]);
}

/** The same answer as one of MSW, which has the address of the request and the text of the status. */
function toAnswer({ body, status, headers: given }: Response): Response {
  const headers = copyHeaders(given);
  if (hasCookieJar()) return new HttpResponse(body, { status, headers });
  const cookies = headers.getSetCookie();
  headers.delete('Set-Cookie');
  const answer = new HttpResponse(body, { status, headers });
  // MSW puts those into its jar that it is given at the construction.
  for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie);
  return answer;
}

/** Whether a fault has reset the connection. */
function isReset(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
}
