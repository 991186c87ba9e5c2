import type { Outcome } from '../message/message.ts';
import type { Match } from '../operations/operations.ts';
import type { Input } from '../validate/validate.ts';
import type { Exchange } from './exchange.ts';

/** Carries out an operation in the session of an exchange. Returns `undefined` where the document answers. */
export function carryOut(
  {
    service,
    session,
    request,
    preferences,
  }: Pick<Exchange, 'service' | 'session' | 'request' | 'preferences'>,
  { operation, base }: Match,
  input: Input,
): Outcome | undefined {
  const { store, selections, clock } = session;
  const action = service.actions.get(operation);
  const now = clock.now();
  const address = service.addressOf(request);
  const isEmptied = preferences.variant === 'empty';
  return action?.({ store, selections, request, input, base, address, now, isEmptied });
}
