import type { Fault } from '../../answer/faults/faults.ts';
import {
  hasBody,
  type MockRequest,
  type MockResponse,
  sizeOfRequest,
  sizeOfResponse,
  withoutContent,
} from '../../wire/message/message.ts';
import type { JournalFault, Recorded } from '../journal/journal.ts';
import type { Exchange, Step } from './exchange.ts';
import { judge } from './judge.ts';

/** Repeats the answer to an equal GET, if nothing has changed since. */
export const recall: Step = (exchange) => {
  const { request, session, version, hiddenVersion } = exchange;
  // Faults and delays apply to every request, so none is answered from the cache where there are some.
  if (request.method !== 'GET' || hasBody(request) || !session.faults.none) return undefined;
  const key = toAnswerKey(request);
  exchange.answerKey = key;
  const known = session.answers.get(key);
  if (known?.version !== version || !isSameRequest(known.request, request)) return undefined;
  if (known.hiddenVersion !== undefined && known.hiddenVersion !== hiddenVersion) return undefined;
  if (known.until !== Number.POSITIVE_INFINITY && session.clock.now() >= known.until) return undefined;
  exchange.match = known.match;
  exchange.source = 'state';
  exchange.response = known.response;
  exchange.judgement = known.judgement;
  exchange.recalled = known;
  return record;
};

/** Enters the exchange in the journal, and caches its answer for the next equal request. */
export const record: Step = (exchange) => {
  const { request, recalled, source } = exchange;
  if (source === 'control') return undefined;
  if (!recalled) exchange.judgement = judge(exchange);
  const bytes = recalled?.bytes ?? sizeOfRequest(request) + sizeOfResponse(exchange.response as MockResponse);
  const recorded = toRecorded(exchange);
  exchange.recorded = recorded;
  exchange.id = exchange.session.journal.record(recorded, bytes);
  if (isRepeatable(exchange)) cacheAnswer(exchange, bytes);
  return undefined;
};

/**
 * Whether an equal request gets the same answer while nothing changes, and has come before, so that it will probably come again. A
 * document may declare a GET that changes something.
 */
function isRepeatable(exchange: Exchange): boolean {
  const { answerKey, recalled, intercepted, source, problem, session, version, hiddenVersion, until } =
    exchange;
  return (
    answerKey !== undefined &&
    !recalled &&
    !intercepted &&
    source === 'state' &&
    problem === undefined &&
    until > 0 &&
    session.store.version === version &&
    session.store.hiddenVersion === hiddenVersion &&
    session.asked.knows(answerKey)
  );
}

function cacheAnswer(exchange: Exchange, bytes: number): void {
  const { answerKey, session, version, hiddenVersion, hiddenUses, until } = exchange;
  const { request, match, response, judgement } = exchange;
  if (answerKey === undefined || !match || !response) return;
  const isPersonal = session.store.hiddenUses !== hiddenUses;
  const seen = isPersonal ? hiddenVersion : undefined;
  // Written out, because spreading takes longer than all else here.
  const answer = { version, hiddenVersion: seen, until, request, match, response, judgement, bytes };
  session.answers.set(answerKey, answer, bytes);
}

function toAnswerKey({ path, query }: MockRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** Whether two requests for one path and query come to the mock in the same way. */
function isSameRequest(one: MockRequest, other: MockRequest): boolean {
  return (
    one.origin === other.origin && one.prefix === other.prefix && hasSameHeaders(one.headers, other.headers)
  );
}

/** Compares all headers, because an answer may depend on any of them. */
function hasSameHeaders(one: MockRequest['headers'], other: MockRequest['headers']): boolean {
  let count = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    count += 1;
  }
  for (const _ in other) count -= 1;
  return count === 0;
}

/** The parts of an exchange that the journal stores. */
function toRecorded({
  request,
  response,
  started,
  service,
  session,
  match,
  source,
  problem,
  ignoresBody,
  judgement,
  fault,
}: Exchange): Recorded {
  const notice = match && service.lifecycles.get(match.operation)?.notice;
  return {
    request,
    response: withoutStream(response as MockResponse),
    started,
    milliseconds: performance.now() - started,
    operation: match?.operation.id,
    session: session.name,
    source,
    notice: ignoresBody && match ? withIgnored(match.operation.id, notice) : notice,
    judgement,
    problem,
    fault: fault && toJournalFault(fault),
  };
}

/** A stream would hold the state from which it is made. */
function withoutStream(response: MockResponse): MockResponse {
  return response.transmission?.kind === 'stream' ? withoutContent(response) : response;
}

function toJournalFault({ rule, number, problem, damage, delay }: Fault): JournalFault {
  return {
    ...{ rule, number },
    ...(problem && { status: problem.status, code: problem.code }),
    ...(damage && { effect: damage.effect }),
    ...(delay > 0 && { delay: Math.round(delay) }),
  };
}

function withIgnored(operation: string, notice: string | undefined): string {
  const ignored = `${operation} takes no body, so the one that was sent is ignored [body-ignored]`;
  return notice === undefined ? ignored : `${notice}; ${ignored}`;
}
