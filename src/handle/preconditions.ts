import {
  type HeaderFields,
  hasStrongly,
  hasWeakly,
  type MockRequest,
  type MockResponse,
  NO_HEADERS,
  toEntityTag,
} from '../message/message.ts';
import type { Match } from '../operations/operations.ts';
import { Problem } from '../problem.ts';
import { type RawInput, toInput } from '../validate/validate.ts';
import { carryOut } from './carry-out.ts';
import type { Exchange } from './exchange.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The ETag of a successful answer to a GET or HEAD; none for any other. */
export function toValidator({ method }: MockRequest, { status, body }: MockResponse): HeaderFields {
  return status === 200 && body && READS.has(method) ? { ETag: toEntityTag(body) } : NO_HEADERS;
}

/** Answers 304 instead to a client that has an answer already (RFC 9110 section 13.1.2). */
export function revalidate(request: MockRequest, response: MockResponse): MockResponse {
  const known = request.headers['if-none-match'];
  if (known === undefined || response.status !== 200 || !READS.has(request.method)) return response;
  const { ETag: tag, 'Content-Type': _, 'Content-Length': __, ...others } = response.headers;
  const isKnown = tag !== undefined && hasWeakly(known, tag);
  return isKnown ? { status: 304, headers: { ...others, ETag: tag } } : response;
}

/**
 * Throws a 412 Problem if the entity changed since the client read it (RFC 9110 sections 13.1.1 and 13.1.2), and a 428 Problem if the
 * document declares that and the client does not say what it read. Called just before the action, when the request is valid.
 */
export function checkPreconditions(exchange: Exchange): void {
  const { request } = exchange;
  if (READS.has(request.method)) return;
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  const { operation } = exchange.match as Match;
  if (match === undefined && noneMatch === undefined) {
    if (operation.codes.includes('428')) throw preconditionRequired(request.path);
    return;
  }
  const current = readCurrent(exchange);
  if (current === 'unknown') return;
  const isChanged = match !== undefined && (current === undefined || !hasStrongly(match, current));
  const mayCreate = request.method === 'PUT' && !operation.codes.includes('404');
  // The action itself answers 404, unless it would create what is missing.
  if (isChanged && (current !== undefined || mayCreate)) throw preconditionFailed('If-Match');
  if (noneMatch !== undefined && current !== undefined && hasWeakly(noneMatch, current))
    throw preconditionFailed('If-None-Match');
}

/** The ETag of what a GET of the same path would answer; `undefined` if it finds nothing, `unknown` where no state answers it. */
function readCurrent(exchange: Exchange): string | undefined {
  const { service, session, preferences } = exchange;
  const { path, headers } = exchange.request;
  const { table, actions, responder } = service;
  const operation = table.probe('GET', path);
  if (!operation || !actions.has(operation)) return 'unknown';
  const request = { method: 'GET', path, query: '', headers };
  const match = table.match('GET', path);
  try {
    const input = toInput(operation, service.readInput(request, match) as RawInput);
    // In a clone, because a document may declare a GET that changes something.
    const apart = { ...session, store: session.store.clone() };
    const outcome = carryOut({ service, session: apart, request, preferences }, match, input);
    const format = outcome && responder.chooseFormat(operation, request);
    const body = outcome && responder.toResponse(operation, outcome, format, preferences.variant).body;
    return body === undefined ? 'unknown' : toEntityTag(body);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.status === 404 ? undefined : 'unknown';
  }
}

function preconditionFailed(header: string): Problem {
  const message = `${header} does not hold: the entity is another one than the client knows. Read it again, and send its ETag.`;
  return new Problem(412, 'precondition_failed', message);
}

function preconditionRequired(path: string): Problem {
  const message = `This request needs If-Match. Read ${path} first, and send its ETag.`;
  return new Problem(428, 'precondition_required', message);
}
