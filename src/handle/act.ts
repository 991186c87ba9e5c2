import type { Match } from '../operations/operations.ts';
import type { Input } from '../validate/validate.ts';
import { carryOut } from './carry-out.ts';
import type { Step } from './exchange.ts';
import { checkPreconditions } from './preconditions.ts';

/** Lets a rule or a generic action decide, if the preconditions of the request hold. */
export const act: Step = (exchange) => {
  const { service } = exchange;
  const perform = () => {
    const matched = exchange.match as Match;
    // Where no state answers, only a request with a key comes here.
    if (!exchange.keyed || service.actions.has(matched.operation)) checkPreconditions(exchange);
    exchange.acted = true;
    exchange.outcome = carryOut(exchange, matched, exchange.input as Input);
    // An answer with a date of its own is of this moment, so it is not cached.
    if (exchange.outcome?.headers?.Date !== undefined) exchange.until = 0;
    return undefined;
  };
  return service.initial.ready()?.then(perform) ?? perform();
};
