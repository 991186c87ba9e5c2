import type { Input, Match } from '../../model/operations/operations.ts';
import type { Outcome } from '../../wire/message/message.ts';
import { carryOut } from './carry-out.ts';
import type { Exchange, Step } from './exchange.ts';
import { checkPreconditions } from './preconditions.ts';

/** The methods that need no memory, so that they work even when none is left. */
const RELEASING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** About the bytes of an entity beside those that its client sends. */
const ENTITY_BYTES = 1024;

/** Lets a rule or a generic action decide, if the preconditions of the request hold. */
export const act: Step = (exchange) => {
  const { service } = exchange;
  const perform = () => {
    const matched = exchange.match as Match;
    if (!RELEASING.has(exchange.request.method)) makeRoom(exchange);
    // Where no state answers, only a request with a key comes here.
    if (!exchange.keyed || service.actions.has(matched.operation)) checkPreconditions(exchange);
    exchange.acted = true;
    const outcome = carryOut(exchange, matched, exchange.input as Input);
    if (outcome?.later) return outcome.later().then((whole) => finishLater(exchange, whole));
    exchange.outcome = outcome;
    // An answer with a date of its own is of this moment, so it is not cached.
    if (exchange.outcome?.headers?.Date !== undefined) exchange.until = 0;
    return undefined;
  };
  return service.initial.ready()?.then(perform) ?? perform();
};

/** The state may have changed meanwhile, so the answer is not cached. */
function finishLater(exchange: Exchange, outcome: Outcome): undefined {
  exchange.outcome = outcome;
  exchange.until = 0;
}

/** Refuses a request that would leave more in memory than the mock may hold, before anything is written. */
function makeRoom({ session, request: { body } }: Exchange): void {
  session.account.reserve(ENTITY_BYTES + (body?.length ?? 0));
}
