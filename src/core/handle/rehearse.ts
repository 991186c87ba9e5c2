import type { Lifecycle } from '../../answer/lifecycle/lifecycle.ts';
import { toDay } from '../../base/clock.ts';
import { Problem } from '../../base/problem.ts';
import type { Match } from '../../model/operations/operations.ts';
import type { Exchange, Step } from './exchange.ts';

/** Refuses operations whose sunset has passed, if the session rehearses it. */
export const rehearse: Step = (exchange) => {
  const { session, service, preferences } = exchange;
  const mode = session.sunset ?? service.sunset;
  // A request that asks for an answer by status or name gets that one.
  if (mode === 'warn' || preferences.code !== undefined || preferences.example !== undefined)
    return undefined;
  const { operation } = exchange.match as Match;
  const lifecycle = service.lifecycles.get(operation);
  if (lifecycle?.sunset === undefined) return undefined;
  const sunset = lifecycle.sunset * 1000;
  const overdue = session.clock.now() - sunset;
  if (overdue < 0) {
    exchange.until = sunset;
    return undefined;
  }
  if (mode === 'gone') throw operationGone(exchange, lifecycle);
  if (session.brownout.refuses(operation.id, overdue)) throw operationBrownout(exchange, lifecycle);
  // The next request is decided anew.
  exchange.until = 0;
  return undefined;
};

function operationGone(exchange: Exchange, lifecycle: Lifecycle): Problem {
  return new Problem(410, 'operation_gone', `${toEnd(exchange, lifecycle)}.${toRemedy(exchange, lifecycle)}`);
}

function operationBrownout(exchange: Exchange, lifecycle: Lifecycle): Problem {
  const message = `${toEnd(exchange, lifecycle)} and refuses more requests each day.${toRemedy(exchange, lifecycle)}`;
  return new Problem(503, 'operation_brownout', message, { headers: SOON });
}

/** RFC 9110 section 10.2.3. Each request is decided anew, so the shortest wait is enough. */
const SOON = { 'Retry-After': '1' };

function toEnd({ match }: Exchange, { sunset = 0 }: Lifecycle): string {
  return `${(match as Match).operation.id} ended on ${toDay(sunset)}`;
}

function toRemedy({ match, service, request }: Exchange, { successor, link }: Lifecycle): string {
  if (successor === undefined) return '';
  const { parameters, base } = match as Match;
  const target = link(parameters, service.addressOf(request).prefix + base);
  const isSame = target === undefined || target === successor;
  return ` Use ${successor} instead${isSame ? '' : `: ${target}`}`;
}
