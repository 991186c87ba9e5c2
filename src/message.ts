/** A request as plain data, the same for every adapter. */
export interface MockRequest {
  /** Upper case. */
  readonly method: string;
  /** The path as it was sent: percent-encoded, without query. */
  readonly path: string;
  /** The query as it was sent, without `?`; empty if there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body; `too-large` if an adapter gave up reading at its limit. */
  readonly body?: Uint8Array | 'too-large' | undefined;
}

/** A response as plain data. */
export interface MockResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What an action or a rule decided, before it is written as a response. */
export interface Outcome {
  /** The operation's success status unless given. */
  readonly status?: number;
  /** Absent for an answer without content. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Text in visible ASCII: every other character is percent-encoded as UTF-8. No line break or control character is left. */
export function toAscii(text: string): string {
  return text.replace(/[^\t -~]+/g, percentEncode);
}

/** A path, query or URL with every character percent-encoded that RFC 3986 does not allow in a URI. */
export function toTarget(text: string): string {
  return NOT_URI.test(text) ? text.replace(/[^!#-;=?-Z[\]_a-z~]+/g, percentEncode) : text;
}

const NOT_URI = /[^!#-;=?-Z[\]_a-z~]/;

/** Never throws, unlike `encodeURI`, which refuses half of a surrogate pair. */
function percentEncode(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
}

/** Whether a text is a Host value: a host, which may be empty, and a port (RFC 9110 section 7.2, RFC 3986 section 3.2). */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

const HOST = /^(?:\[[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** About how many bytes a response holds on to. */
export function sizeOfResponse({ headers, body = '' }: MockResponse): number {
  return sizeOfHeaders(headers) + body.length;
}

/** About how many bytes a request holds on to. */
export function sizeOfRequest({ path, query, headers, body }: MockRequest): number {
  const sent = body instanceof Uint8Array ? body.length : 0;
  return path.length + query.length + sizeOfHeaders(headers) + sent;
}

function sizeOfHeaders(headers: MockRequest['headers']): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}

type Headers = MockResponse['headers'];

/** A response with content and the headers that describe it. */
export function withContent(
  status: number,
  headers: Readonly<Record<string, string>>,
  mediaType: string,
  body: string,
): MockResponse {
  return { status, headers: joinHeaders(headers, toContentHeaders(mediaType, body)), body };
}

/** The headers that describe a content. */
export function toContentHeaders(mediaType: string, body: string): Headers {
  return { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)) };
}

/** A response with more headers. The links that are there already are kept, but for those of a relation that is added. */
export function withHeaders(response: MockResponse, ...added: readonly Headers[]): MockResponse {
  const headers = joinHeaders(response.headers, ...added);
  const own = response.headers.Link;
  const link = own === undefined ? undefined : added.find(({ Link }) => Link !== undefined)?.Link;
  if (own !== undefined && link !== undefined) headers.Link = joinLinks(own, link);
  return { status: response.status, headers, body: response.body };
}

/** Several headers in one object; the later ones win. To spread objects of many shapes takes up to twenty times as long. */
export function joinHeaders(...parts: readonly Headers[]): Record<string, string> {
  return Object.assign({}, ...parts);
}

function joinLinks(own: string, added: string): string {
  const relations = new Set(toRelations(added));
  const others = own
    .split(/,\s*(?=<)/)
    .filter((link) => !toRelations(link).some((each) => relations.has(each)));
  return [...others, added].join(', ');
}

/** The relations of links, without what their targets contain: a path may contain `;rel=` too. */
function toRelations(links: string): string[] {
  const parameters = links.replace(/<[^<>]*>/g, '');
  return [...parameters.matchAll(/;\s*rel="?([^";,]+)/gi)].flatMap(([, relations = '']) =>
    relations.trim().split(/\s+/),
  );
}

/** The answer to HEAD (RFC 9110 section 9.3.2): all of GET but the content. */
export function withoutContent(response: MockResponse): MockResponse {
  return { status: response.status, headers: response.headers };
}
