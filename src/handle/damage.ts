import { damageResponse } from '../faults/faults.ts';
import type { MockResponse } from '../message/message.ts';
import type { Step } from './exchange.ts';

/** Lets a fault damage the finished answer. */
export const damage: Step = (exchange) => {
  const harm = exchange.fault?.damage;
  if (harm) exchange.response = damageResponse(exchange.response as MockResponse, harm);
  return undefined;
};
