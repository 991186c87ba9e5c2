import { PLAIN_JSON, writeLong } from '../../answer/respond/respond.ts';
import { runInSlices } from '../../base/slices.ts';
import type { Match } from '../../model/operations/operations.ts';
import { type Format, LongObject, replaceLongLists, withoutLongLists } from '../../wire/codecs/codecs.ts';
import type { Outcome } from '../../wire/message/message.ts';
import type { Exchange } from './exchange.ts';

/** Writes an outcome with long lists in slices. */
export async function respondLong(
  exchange: Exchange,
  outcome: Outcome,
  format: Format = PLAIN_JSON,
): Promise<undefined> {
  const { service, preferences, fault, keyed, isWhole } = exchange;
  const { operation } = exchange.match as Match;
  const { toResponse } = service.responder;
  // The state may have changed when it is written, so it is not cached.
  exchange.until = 0;
  exchange.outcome = { ...outcome, body: toBeginning(outcome.body) };
  if (preferences.variant) {
    const whole = { ...outcome, body: withoutLongLists(outcome.body) };
    exchange.response = toResponse(operation, whole, format, preferences.variant);
    return undefined;
  }
  // Damage and repetition need the whole text.
  const mustBeWhole = isWhole || fault?.damage !== undefined || keyed !== undefined;
  const written = await runInSlices(writeLong(format, outcome.body, mustBeWhole));
  exchange.response =
    typeof written === 'string'
      ? toResponse(operation, { ...outcome, body: written }, { ...format, write: String })
      : toResponse(operation, { ...outcome, stream: written }, format);
  return undefined;
}

/** The items from which the coverage learns what the answer shows. */
const MOST_NOTED = 5000;

/** The body with the beginning of its lists. The coverage never sees a state. */
function toBeginning(body: unknown): unknown {
  if (body instanceof LongObject) return undefined;
  return replaceLongLists(body, (list) => {
    const items: unknown[] = [];
    for (const item of list.values()) if (items.push(item) === MOST_NOTED) break;
    return items;
  });
}
