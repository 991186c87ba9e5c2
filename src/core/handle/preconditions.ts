import { PLAIN_JSON, writeLong } from '../../answer/respond/respond.ts';
import { type RawInput, toInput } from '../../answer/validate/validate.ts';
import { parseHttpDate } from '../../base/clock.ts';
import { Problem } from '../../base/problem.ts';
import { runAtOnce } from '../../base/slices.ts';
import type { Match } from '../../model/operations/operations.ts';
import type { Format } from '../../wire/codecs/codecs.ts';
import {
  type HeaderFields,
  hasStrongly,
  hasWeakly,
  type MockRequest,
  type MockResponse,
  NO_HEADERS,
  type Outcome,
  toEntityTag,
} from '../../wire/message/message.ts';
import { carryOut } from './carry-out.ts';
import type { Exchange } from './exchange.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The ETag of a successful answer to a GET or HEAD; none for any other. */
export function toValidator({ method }: MockRequest, { status, body }: MockResponse): HeaderFields {
  return status === 200 && body && READS.has(method) ? { ETag: toEntityTag(body) } : NO_HEADERS;
}

/** Answers 304 instead to a client that has an answer already (RFC 9110 sections 13.1.2 and 13.1.3). */
export function revalidate(request: MockRequest, response: MockResponse): MockResponse {
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  if (known === undefined && since === undefined) return response;
  if (response.status !== 200 || !READS.has(request.method)) return response;
  const { 'Content-Type': _, 'Content-Length': __, ...others } = response.headers;
  const { ETag: tag, 'Last-Modified': modified } = others;
  // The date is for those who do not know the ETag (RFC 9110 section 13.2.2).
  const isKnown =
    known === undefined ? isSince(modified, since) === false : tag !== undefined && hasWeakly(known, tag);
  return isKnown ? { status: 304, headers: others } : response;
}

/** Whether a `Last-Modified` is later than a date; `undefined` unless both can be read. */
function isSince(modified: string | undefined, date: string | undefined): boolean | undefined {
  const known = date === undefined ? undefined : parseHttpDate(date);
  const changed = modified === undefined || known === undefined ? undefined : parseHttpDate(modified);
  return changed === undefined || known === undefined ? undefined : changed > known;
}

/**
 * Throws a 412 Problem if the entity changed since the client read it (RFC 9110 sections 13.1.1, 13.1.2 and 13.1.4), and a 428 Problem
 * if the document declares that and the client does not say what it read. Called just before the action, when the request is valid.
 */
export function checkPreconditions(exchange: Exchange): void {
  const { method, headers } = exchange.request;
  if (READS.has(method)) return;
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-unmodified-since': date } = headers;
  if (match !== undefined || noneMatch !== undefined) {
    const read = readCurrent(exchange);
    if (match === undefined) checkDate(read, date);
    if (read !== UNKNOWN) checkTags(exchange, read?.tag);
    return;
  }
  // A date that cannot be compared is ignored.
  if (date === undefined || !checkDate(readCurrent(exchange), date)) requirePrecondition(exchange);
}

/** Throws a 412 Problem if the entity changed since a date. Returns whether it can be compared. */
function checkDate(read: Validators | undefined, date: string | undefined): boolean {
  const isChanged = isSince(read?.modified, date);
  if (isChanged) throw preconditionFailed('If-Unmodified-Since');
  return isChanged !== undefined;
}

function checkTags({ request, match: matched }: Exchange, current: string | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  const isChanged = match !== undefined && (current === undefined || !hasStrongly(match, current));
  const mayCreate = request.method === 'PUT' && !(matched as Match).operation.codes.includes('404');
  // The action itself answers 404, unless it would create what is missing.
  if (isChanged && (current !== undefined || mayCreate)) throw preconditionFailed('If-Match');
  if (noneMatch !== undefined && current !== undefined && hasWeakly(noneMatch, current))
    throw preconditionFailed('If-None-Match');
}

function requirePrecondition({ match, request }: Exchange): void {
  if ((match as Match).operation.codes.includes('428')) throw preconditionRequired(request.path);
}

/** The ETag and the `Last-Modified` of an answer. */
interface Validators {
  readonly tag: string;
  readonly modified?: string | undefined;
}

const UNKNOWN: Validators = { tag: '' };

/** The validators of a GET of the same path; `undefined` if it finds nothing, `UNKNOWN` where no state answers it. */
function readCurrent(exchange: Exchange): Validators | undefined {
  const { service, session, preferences } = exchange;
  const { path, headers } = exchange.request;
  const { table, actions, responder } = service;
  const operation = table.probe('GET', path);
  if (!operation || !actions.has(operation)) return UNKNOWN;
  const request = { method: 'GET', path, query: '', headers };
  const match = table.match('GET', path);
  try {
    const input = toInput(operation, service.readInput(request, match) as RawInput);
    // In a clone, because a document may declare a GET that changes something.
    const apart = { ...session, store: session.store.clone() };
    // At once, because nothing may change between the check and the action.
    const call = { service, session: apart, request, preferences, isAtOnce: true };
    const outcome = carryOut(call, match, input);
    const format = outcome && responder.chooseFormat(operation, request);
    if (outcome?.isLong) return readLong(outcome, format);
    const body = outcome && responder.toResponse(operation, outcome, format, preferences.variant).body;
    if (body === undefined) return UNKNOWN;
    return { tag: toEntityTag(body), modified: outcome?.headers?.['Last-Modified'] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.status === 404 ? undefined : UNKNOWN;
  }
}

/** The validators of an answer with long lists. One that is sent while it is made has no ETag, so no client can know it. */
function readLong({ body, headers }: Outcome, format: Format | undefined): Validators {
  const text = runAtOnce(writeLong(format ?? PLAIN_JSON, body));
  return { tag: typeof text === 'string' ? toEntityTag(text) : '', modified: headers?.['Last-Modified'] };
}

function preconditionFailed(header: string): Problem {
  const message = `${header} does not hold: the entity is another one than the client knows. Read it again, and send its ETag.`;
  return new Problem(412, 'precondition_failed', message);
}

function preconditionRequired(path: string): Problem {
  const message = `This request needs If-Match. Read ${path} first, and send its ETag.`;
  return new Problem(428, 'precondition_required', message);
}
