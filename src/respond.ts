import { isJson, negotiateMediaType, toMediaType } from './media-type.ts';
import type { MockRequest, MockResponse, Outcome } from './message.ts';
import { findResponse, mediaTypesOf, type Operation } from './operations.ts';
import { Problem, toErrorHeaders } from './problem.ts';

/**
 * The media type in which state is answered, `undefined` where the document declares no content. Throws a 406 Problem;
 * so it is asked before anything is changed.
 */
export function chooseMediaType(operation: Operation, request: MockRequest): string | undefined {
  const declared = mediaTypesOf(findResponse(operation, operation.successStatus));
  const writable = declared.filter((mediaType) => isJson(toMediaType(mediaType) ?? ''));
  if (writable.length === 0) return undefined;
  const chosen = negotiateMediaType(request.headers.accept, writable);
  if (chosen !== undefined) return chosen;
  throw notAcceptable(operation, request.headers.accept, writable);
}

export function notAcceptable(
  operation: Operation,
  accept: string | undefined,
  offered: readonly string[],
): Problem {
  const types = offered.join(', ');
  return new Problem(
    406,
    'not_acceptable',
    `${operation.id} answers as ${types}, which "Accept: ${accept}" excludes.`,
  );
}

/** Writes what an action decided. */
export function toResponse(
  operation: Operation,
  outcome: Outcome,
  mediaType: string | undefined,
): MockResponse {
  const { status = operation.successStatus, headers = {}, body } = outcome;
  if (mediaType === undefined || body === undefined) return { status, headers };
  return withContent(status, headers, mediaType, JSON.stringify(body));
}

/** Writes an error: always JSON, whatever Accept says, because no client is helped by less. */
export function toProblemResponse(problem: Problem, mediaType: string, body: unknown): MockResponse {
  return withContent(problem.status, toErrorHeaders(problem), mediaType, JSON.stringify(body));
}

/** A response with content and the headers that describe it. */
export function withContent(
  status: number,
  headers: Readonly<Record<string, string>>,
  mediaType: string,
  body: string,
): MockResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)) },
    body,
  };
}

/** A response with more headers. The links that are there already are kept, but for those of a relation that is added. */
export function withHeaders(response: MockResponse, headers: Readonly<Record<string, string>>): MockResponse {
  const { Link: own } = response.headers;
  const link = own !== undefined && headers.Link !== undefined ? { Link: joinLinks(own, headers.Link) } : {};
  return { ...response, headers: { ...response.headers, ...headers, ...link } };
}

function joinLinks(own: string, added: string): string {
  const relations = new Set(toRelations(added));
  const others = own
    .split(/,\s*(?=<)/)
    .filter((link) => !toRelations(link).some((each) => relations.has(each)));
  return [...others, added].join(', ');
}

function toRelations(links: string): string[] {
  return [...links.matchAll(/;\s*rel="?([^";,]+)/gi)].flatMap(([, relations = '']) =>
    relations.trim().split(/\s+/),
  );
}

/** The answer to HEAD (RFC 9110 section 9.3.2): all of GET but the content. */
export function withoutContent(response: MockResponse): MockResponse {
  return { status: response.status, headers: response.headers };
}
