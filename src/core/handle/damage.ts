import { damageResponse } from '../../answer/faults/faults.ts';
import type { Waits } from '../../base/waits.ts';
import type { MockResponse } from '../../wire/message/message.ts';
import type { Step } from './exchange.ts';

/** Lets a fault damage the finished answer. */
export const damage: Step = (exchange) => {
  const harm = exchange.fault?.damage;
  if (!harm) return undefined;
  const response = exchange.response as MockResponse;
  // A reset or a timeout has already replaced the answer, and sends no headers.
  exchange.response =
    response.status === 0
      ? { ...response, headers: {} }
      : withEnd(damageResponse(response, harm), exchange.session.waits);
  return undefined;
};

/** Lets an answer that comes slowly or never end with its session. */
export function withEnd(response: MockResponse, waits: Waits): MockResponse {
  const { transmission } = response;
  if (transmission?.kind !== 'timeout' && transmission?.kind !== 'drip') return response;
  return { ...response, transmission: { ...transmission, onEnd: (giveUp) => waits.add(giveUp) } };
}
