import { toDeclaredProblem } from '../../answer/errors/errors.ts';
import { Problem, toProblem } from '../../base/problem.ts';
import {
  type Client,
  type MockRequest,
  type MockResponse,
  NO_HEADERS,
  toSendable,
  withHeaders,
} from '../../wire/message/message.ts';
import type { Recorded } from '../journal/journal.ts';
import type { Session, Sessions } from '../service/service.ts';
import { act } from './act.ts';
import { toContentGuard } from './content-guard.ts';
import { damage } from './damage.ts';
import { decorate } from './decorate.ts';
import { type Control, chooseSession, createExchange, type Exchange, type Step } from './exchange.ts';
import { release, repeat, reserve, settle } from './idempotency.ts';
import { clientGone, intercept } from './intercept.ts';
import { recall, record } from './record.ts';
import { rehearse } from './rehearse.ts';
import {
  authorize,
  choose,
  control,
  match,
  negotiate,
  prefer,
  preflight,
  respond,
  validate,
} from './steps.ts';

export type { Control } from './exchange.ts';

/** Sees every finished exchange but those of the control API. It must not throw, and must not hold on to them. */
export type Observe = (exchange: Exchange) => void;

/** Receives each exchange as the journal stores it, with its id there. */
export type OnRecorded = (exchange: Recorded, id: number) => void;

export { checkSessionName, withSession } from './session-name.ts';

/** The steps of every request, top to bottom. */
const STEPS: readonly Step[] = [
  preflight,
  choose,
  recall,
  control,
  match,
  reserve,
  intercept,
  prefer,
  rehearse,
  authorize,
  validate,
  negotiate,
  repeat,
  act,
  respond,
  settle,
  decorate,
  damage,
  record,
];

const MATCH = STEPS.indexOf(match);
const SETTLE = STEPS.indexOf(settle);

/** Answers requests. */
export interface Handler {
  /**
   * Answers at once, or later if a body, a delay or the first entities take time. An unexpected error becomes a 500. A request
   * that still waits when its client is gone, its session ends or the mock closes is not carried out.
   */
  answer(request: MockRequest, client?: Client): MockResponse | Promise<MockResponse>;
  /** Builds the answer to a request of an origin that is not carried out. */
  refuse(problem: Problem, origin?: string): MockResponse;
}

interface HandlerOptions {
  readonly sessions: Sessions;
  readonly control?: Control | undefined;
  /** Whether every answer is needed whole, however long it is. */
  readonly isWhole?: boolean;
  /** Called after every answer. `answer` throws the errors that it throws. */
  readonly onRecorded?: OnRecorded | undefined;
  readonly observe?: Observe | undefined;
}

export function createHandler({
  sessions,
  control: answerControl,
  isWhole = false,
  onRecorded,
  observe,
}: HandlerOptions): Handler {
  const finish = (exchange: Exchange): MockResponse => {
    sessions.settle(exchange.session);
    // Whoever asks the mock about itself leaves no trace.
    if (exchange.source !== 'control') {
      observe?.(exchange);
      onRecorded?.(exchange.recorded as Recorded, exchange.id);
    }
    return exchange.response as MockResponse;
  };
  return {
    answer(request, client) {
      const parts = { sessions, control: answerControl, isWhole };
      const exchange = runSteps(createExchange(parts, request, client), 0);
      return exchange instanceof Promise ? exchange.then(finish) : finish(exchange);
    },
    refuse(problem, origin) {
      const { errors, cors } = sessions.service;
      const { session } = chooseSession(sessions);
      const response = errors.respond(problem, undefined, { path: '', now: session.clock.now() });
      const guard = toContentGuard({ source: 'error' }, response);
      return toSendable(withHeaders(response, guard, cors?.headers(origin) ?? NO_HEADERS));
    },
  };
}

/** Takes an exchange through the steps, synchronously until one of them returns a promise. */
function runSteps(exchange: Exchange, from: number): Exchange | Promise<Exchange> {
  try {
    let at = from;
    for (let step = STEPS[at]; step; step = STEPS[at]) {
      const next = step(exchange);
      if (next instanceof Promise) return resume(exchange, next, at);
      at = toIndex(next, at);
    }
    return exchange;
  } catch (error) {
    return answerError(exchange, error);
  }
}

/** Continues after an asynchronous step: at the next one, or at `match` if the service was replaced meanwhile. */
async function resume(exchange: Exchange, pending: Promise<Step | undefined>, at: number): Promise<Exchange> {
  let from: number;
  try {
    from = toIndex(await pending, at);
  } catch (error) {
    return answerError(exchange, error);
  }
  // The service that carried out an action also answers it.
  if (exchange.outcome !== undefined) return runSteps(exchange, from);
  // Using an ended session would begin it anew, though nobody asks for that.
  if (exchange.session.isEnded) {
    // The fault was for the answer of a request that is carried out, and ends with its session.
    exchange.fault = undefined;
    return answerError(exchange, sessionEnded(exchange.session));
  }
  if (exchange.client?.isGone()) return answerError(exchange, clientGone());
  if (exchange.service !== exchange.sessions.service) {
    Object.assign(exchange, chooseSession(exchange.sessions, exchange.session.name));
    return runSteps(exchange, MATCH);
  }
  return runSteps(exchange, from);
}

/** The index of the step that follows the one at `at`. */
function toIndex(next: Step | undefined, at: number): number {
  return next === undefined ? at + 1 : STEPS.indexOf(next);
}

function sessionEnded({ name }: Session): Problem {
  const message = `The session ${name} ended while this request waited, so it was not carried out. Send it again to begin the session anew.`;
  return new Problem(410, 'session_ended', message);
}

/** Answers with an error in the shape of the document. Leaves a second error in one exchange to the adapter. */
function answerError(exchange: Exchange, error: unknown): Exchange | Promise<Exchange> {
  if (exchange.problem) {
    release(exchange);
    throw error;
  }
  const { service, session, request } = exchange;
  const problem = toAnswerable(exchange, toProblem(error));
  exchange.problem = problem;
  exchange.source ??= 'error';
  const occurrence = { path: request.path, now: session.clock.now() };
  exchange.response = service.errors.respond(problem, exchange.match?.operation, occurrence);
  return runSteps(exchange, SETTLE);
}

/** A Problem with a status that the document declares. A fault has the one that its rule names. */
function toAnswerable({ source, match: matched }: Exchange, problem: Problem): Problem {
  return matched && source !== 'fault' ? toDeclaredProblem(problem, matched.operation) : problem;
}
