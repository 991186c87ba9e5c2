import { type CheckedRule, damageResponse, type Fault } from '../../answer/faults/faults.ts';
import type { RawInput } from '../../answer/validate/validate.ts';
import { Problem } from '../../base/problem.ts';
import type { Match } from '../../model/operations/operations.ts';
import { withEnd } from './damage.ts';
import type { Exchange, Step } from './exchange.ts';
import { settle } from './idempotency.ts';
import { respondFromDocument } from './steps.ts';

/** Decides the fault and the delay of a request, once, and answers in its place where the fault says so. */
export const intercept: Step = (exchange) => {
  const { session, service, request, match, fault } = exchange;
  if (fault) return strike(exchange, fault);
  const own = request.headers['x-mock-fault'];
  if (exchange.intercepted || !match || (session.faults.none && own === undefined)) return undefined;
  exchange.intercepted = true;
  const rule = own === undefined ? undefined : service.readFaultHeader(own, match.operation);
  if (!(rule ? rule.readsBody : session.faults.readsBody)) return decide(exchange, match, rule, undefined);
  const body = readBody(exchange, match);
  return body instanceof Promise
    ? body.then((read) => decide(exchange, match, rule, read))
    : decide(exchange, match, rule, body);
};

function decide(
  exchange: Exchange,
  { operation, base }: Match,
  rule: CheckedRule | undefined,
  body: unknown,
): ReturnType<Step> {
  const { session, request } = exchange;
  const now = session.clock.now();
  const { delay, fault, quotas } = session.faults.decide({ operation, base, request, body, now }, rule);
  exchange.fault = fault;
  exchange.quotas = quotas;
  if (delay > 0) return wait(exchange, delay);
  return fault && strike(exchange, fault);
}

/** The value of a body; `undefined` for one that validation will refuse. */
function readBody({ service, request }: Exchange, match: Match): unknown {
  const toValue = ({ body }: RawInput) => body?.value;
  const refuse = (error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  };
  try {
    const raw = service.readInput(request, match);
    return raw instanceof Promise ? raw.then(toValue).catch(refuse) : toValue(raw);
  } catch (error) {
    return refuse(error);
  }
}

/** Answers in the place of the operation, if the fault does. */
function strike(exchange: Exchange, { problem, example, damage }: Fault): ReturnType<Step> {
  if (problem) {
    exchange.source = 'fault';
    throw problem;
  }
  if (damage?.effect === 'reset' || damage?.effect === 'timeout') {
    exchange.source = 'fault';
    exchange.response = withEnd(damageResponse(NO_RESPONSE, damage), exchange.session.waits);
    return settle;
  }
  if (!example) return undefined;
  const finish = () => {
    exchange.source = 'fault';
    return settle;
  };
  const answered = respondFromDocument(exchange, example, undefined);
  return answered instanceof Promise ? answered.then(finish) : finish();
}

const NO_RESPONSE = { status: 0, headers: {} };

/** Waits, and goes on here. A request of a connection does not keep the process alive once the connection is gone. */
async function wait({ session, client }: Exchange, milliseconds: number): Promise<Step> {
  const isDone = await session.waits.wait(milliseconds, !client?.isConnected, client?.signal);
  // `handle` answers requests of an ended session itself.
  if (!isDone && !session.isEnded) throw clientGone();
  return intercept;
}

/** Refuses a request whose client, session or mock is gone after its wait. */
export function clientGone(): Problem {
  const message = 'The server was closed, or the client gave up, before this request was carried out.';
  return new Problem(503, 'server_busy', message);
}
