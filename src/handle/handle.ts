import { toSendable } from '../headers.ts';
import { type JournalEntry, toJournalEntry } from '../journal.ts';
import { type MockRequest, type MockResponse, withHeaders } from '../message.ts';
import { Problem, toProblem } from '../problem.ts';
import type { Sessions } from '../service/service.ts';
import { decorate } from './decorate.ts';
import { chooseSession, createExchange, type Exchange, type Step } from './exchange.ts';
import { recall, record, toRecorded } from './record.ts';
import {
  act,
  authorize,
  intercept,
  match,
  negotiate,
  prefer,
  preflight,
  respond,
  validate,
} from './steps.ts';

/** What every request goes through, top to bottom. */
const STEPS: readonly Step[] = [
  preflight,
  recall,
  match,
  intercept,
  prefer,
  authorize,
  validate,
  negotiate,
  act,
  respond,
  decorate,
  record,
];

const MATCH = STEPS.indexOf(match);
const DECORATE = STEPS.indexOf(decorate);

/** Answers requests. */
export interface Handler {
  /**
   * Answers at once, or later where a body, a delay or the first entities take time. A bug of ours becomes a 500. Once `isOver`
   * says so, nobody waits for the answer any more, and a request that still waits is not carried out.
   */
  answer(request: MockRequest, isOver?: () => boolean): MockResponse | Promise<MockResponse>;
  /** The answer to what never became a request. */
  refuse(problem: Problem): MockResponse;
}

export interface HandlerOptions {
  readonly sessions: Sessions;
  /** Called after every answer. What it throws, `answer` throws. */
  readonly onExchange?: ((exchange: JournalEntry) => void) | undefined;
}

export function createHandler({ sessions, onExchange }: HandlerOptions): Handler {
  const finish = (exchange: Exchange): MockResponse => {
    onExchange?.(toJournalEntry(toRecorded(exchange)));
    return exchange.response as MockResponse;
  };
  return {
    answer(request, isOver) {
      const exchange = run(createExchange(sessions, request, isOver), 0);
      return exchange instanceof Promise ? exchange.then(finish) : finish(exchange);
    },
    refuse(problem) {
      const { errors, cors } = sessions.service;
      const { session } = chooseSession(sessions);
      const response = errors.respond(problem, undefined, { path: '', now: session.clock.now() });
      return toSendable(cors ? withHeaders(response, cors.headers) : response);
    },
  };
}

/** Takes an exchange through the steps, synchronously until one of them returns a promise. */
function run(exchange: Exchange, from: number): Exchange | Promise<Exchange> {
  try {
    let at = from;
    for (let step = STEPS[at]; step; step = STEPS[at]) {
      const next = step(exchange);
      if (next instanceof Promise) return resume(exchange, next, at);
      at = next === undefined ? at + 1 : STEPS.indexOf(next);
    }
    return exchange;
  } catch (error) {
    return fail(exchange, error);
  }
}

/** Goes on after a step that took time: at the next step, or from `match` on if the service was replaced meanwhile. */
async function resume(exchange: Exchange, pending: Promise<Step | undefined>, at: number): Promise<Exchange> {
  let next: Step | undefined;
  try {
    next = await pending;
  } catch (error) {
    return fail(exchange, error);
  }
  // An action that is done is answered, by the service that did it.
  if (exchange.outcome !== undefined) return run(exchange, next === undefined ? at + 1 : STEPS.indexOf(next));
  if (exchange.isOver?.()) return fail(exchange, CLOSED);
  if (exchange.service !== exchange.sessions.service) {
    Object.assign(exchange, chooseSession(exchange.sessions));
    return run(exchange, MATCH);
  }
  return run(exchange, next === undefined ? at + 1 : STEPS.indexOf(next));
}

const CLOSED = new Problem(503, 'server_busy', 'The server was closed before this request was carried out.');

/** Answers with an error in the shape of the document. A second error in one exchange is left to the adapter. */
function fail(exchange: Exchange, error: unknown): Exchange | Promise<Exchange> {
  if (exchange.problem) throw error;
  const { service, session, request } = exchange;
  const problem = toProblem(error);
  exchange.problem = problem;
  exchange.source ??= 'error';
  const occurrence = { path: request.path, now: session.clock.now() };
  exchange.response = service.errors.respond(problem, exchange.match?.operation, occurrence);
  return run(exchange, DECORATE);
}
