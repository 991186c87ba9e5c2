/** The headers of a request, with names in lower case, or of a response. */
export type HeaderFields = Readonly<Record<string, string>>;

export const NO_HEADERS: HeaderFields = {};

/** A request as plain data, the same for every adapter. */
export interface MockRequest {
  /** Upper case. */
  readonly method: string;
  /** The percent-encoded path as the client sent it, without query. */
  readonly path: string;
  /** The beginning of the path that was taken off, which names a session; absent where none was. */
  readonly prefix?: string;
  /** The query as the client sent it, without `?`; empty if there is none. */
  readonly query: string;
  readonly headers: HeaderFields;
  /** The scheme and host of its URL, where no Host header names them. */
  readonly origin?: string | undefined;
  /** The address at the other end of its connection, empty if that is gone; absent for a request in process. */
  readonly peer?: string;
  /** The bytes of the body; `too-large` if an adapter gave up reading at its limit. */
  readonly body?: Uint8Array | 'too-large' | undefined;
}

/** Whether a request has a body that is not empty. */
export function hasBody({ body }: MockRequest): boolean {
  return body !== undefined && body.length > 0;
}

/** A response as plain data. */
export interface MockResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** A text, which is sent as UTF-8, or the bytes of anything else. */
  readonly body?: string | Uint8Array | undefined;
  /** Absent for a response that is sent whole and at once. */
  readonly transmission?: Transmission;
}

/** The client that waits for an answer. */
export interface Client {
  /** Whether it no longer waits, so that nothing more is carried out. */
  isGone(): boolean;
  /** Whether it came over a connection, which keeps the process alive by itself. */
  readonly isConnected: boolean;
  /** Aborted once it gives up. */
  readonly signal?: AbortSignal;
}

/** The way in which an unusual response is sent. */
export type Transmission =
  /** The connection is reset instead. */
  | { readonly kind: 'reset' }
  /** Sends nothing until the client gives up. */
  | { readonly kind: 'timeout'; readonly onEnd?: OnEnd }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'drip'; readonly bytesPerSecond: number; readonly onEnd?: OnEnd }
  /** Texts follow the head as they come. One that `ends` by itself is the body of an ordinary answer. */
  | { readonly kind: 'stream'; readonly open: OpenStream; readonly ends?: boolean };

/** Calls back if the mock gives up before the client does. Returns the function that leaves. */
export type OnEnd = (giveUp: () => void) => () => void;

/** Begins to send texts. */
export type OpenStream = (sink: Sink) => Source;

/** The end of a stream that receives texts. */
export interface Sink {
  /** Sends a text. Returns whether the client keeps up; if not, the source is resumed once it has read. */
  write(text: string): boolean;
  /** Ends the response, and breaks it off for a client that has not read it. */
  end(): void;
  /** Breaks the response off after an error, and reports that. */
  fail(error: unknown): void;
}

/** The end of a stream that sends texts. */
export interface Source {
  /** Continues after a pause. May be called at any time. */
  resume(): void;
  /** Sends nothing more. */
  close(): void;
}

/** The decision of an action or a rule, before it is written as a response. */
export interface Outcome {
  /** The operation's success status unless given. */
  readonly status?: number;
  /** Absent for an answer without content. */
  readonly body?: unknown;
  /** Whether the body has long lists, so that it is written in slices. */
  readonly isLong?: boolean;
  /** The content as it is, instead of a value. */
  readonly file?: { readonly mediaType: string; readonly bytes: Uint8Array };
  /** A content that comes in texts, instead of a value. One that `ends` by itself is an ordinary one. */
  readonly stream?: { readonly mediaType: string; readonly open: OpenStream; readonly ends?: boolean };
  readonly headers?: HeaderFields;
  /** Makes the whole outcome in slices, where doing it at once would keep all others waiting. */
  readonly later?: () => Promise<Outcome>;
}

/** Percent-encodes every character that is not visible ASCII, line breaks and control characters among them. */
export function toAscii(text: string): string {
  return text.replace(/[^\t -~]+/g, percentEncode);
}

/** Percent-encodes the characters of a path, query or URL that RFC 3986 does not allow there. */
export function toTarget(text: string): string {
  return NOT_URI.test(text) ? text.replace(/[^!#-;=?-Z[\]_a-z~]+/g, percentEncode) : text;
}

const NOT_URI = /[^!#-;=?-Z[\]_a-z~]/;

/** Never throws, unlike `encodeURI`, which refuses half of a surrogate pair. */
function percentEncode(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&');
}

/** Whether a text is a valid Host value: a host, which may be empty, and a port (RFC 9110 section 7.2, RFC 3986 section 3.2). */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

const HOST = /^(?:\[[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Whether a text is a token, such as the name of a header (RFC 9110 section 5.6.2). */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The statuses whose responses have no content. */
export const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** Estimates the memory that a response takes, in bytes. */
export function sizeOfResponse({ headers, body = '' }: MockResponse): number {
  return sizeOfHeaders(headers) + body.length;
}

/** Estimates the memory that a request takes, in bytes. */
export function sizeOfRequest({ path, query, headers, body }: MockRequest): number {
  const sent = body instanceof Uint8Array ? body.length : 0;
  return path.length + query.length + sizeOfHeaders(headers) + sent;
}

function sizeOfHeaders(headers: HeaderFields): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}

/** Builds a response with content and the headers that describe it. */
export function withContent(
  status: number,
  headers: HeaderFields,
  mediaType: string,
  body: string | Uint8Array,
): MockResponse {
  return { status, headers: joinHeaders(headers, toContentHeaders(mediaType, body)), body };
}

/** The headers that describe a content. */
export function toContentHeaders(mediaType: string, body: string | Uint8Array): HeaderFields {
  return { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)) };
}

/** Adds headers to a response. A Link joins the links of the response and replaces those of the same relation. */
export function withHeaders(response: MockResponse, ...added: readonly HeaderFields[]): MockResponse {
  const headers = joinHeaders(response.headers, ...added);
  const own = response.headers.Link;
  const link = own === undefined ? undefined : added.find(({ Link }) => Link !== undefined)?.Link;
  if (own !== undefined && link !== undefined) headers.Link = joinLinks(own, link);
  return { ...response, headers };
}

/** Joins headers; the later ones win. Spreading objects of many shapes would take up to twenty times as long. */
export function joinHeaders(...parts: readonly HeaderFields[]): Record<string, string> {
  return Object.assign({}, ...parts);
}

function joinLinks(own: string, added: string): string {
  const relations = new Set(toRelations(added));
  const others = own
    .split(/,\s*(?=<)/)
    .filter((link) => !toRelations(link).some((each) => relations.has(each)));
  return [...others, added].join(', ');
}

/** Lists the relations of links. Ignores their targets, because a path may contain `;rel=` too. */
function toRelations(links: string): string[] {
  const parameters = links.replace(/<[^<>]*>/g, '');
  return [...parameters.matchAll(/;\s*rel="?([^";,]+)/gi)].flatMap(([, relations = '']) =>
    relations.trim().split(/\s+/),
  );
}

/** Turns the answer to GET into the answer to HEAD (RFC 9110 section 9.3.2). */
export function withoutContent(response: MockResponse): MockResponse {
  return { status: response.status, headers: response.headers };
}
