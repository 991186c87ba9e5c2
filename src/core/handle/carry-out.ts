import type { Input, Match } from '../../model/operations/operations.ts';
import type { Outcome } from '../../wire/message/message.ts';
import type { Exchange } from './exchange.ts';

/** The parts of an exchange that an operation needs. */
type Call = Pick<Exchange, 'service' | 'session' | 'request' | 'preferences'> &
  Partial<Pick<Exchange, 'format'>> & {
    /** Whether the outcome is needed at once, however long it takes. */
    readonly isAtOnce?: boolean;
  };

/** Carries out an operation in the session of an exchange. Returns `undefined` where the document answers. */
export function carryOut(
  { service, session, request, preferences, format, isAtOnce = false }: Call,
  { operation, base }: Match,
  input: Input,
): Outcome | undefined {
  const { store, selections, clock } = session;
  const action = service.actions.get(operation);
  const now = clock.now();
  const address = service.addressOf(request);
  const isEmptied = preferences.variant === 'empty';
  const mediaType = format?.mediaType;
  return action?.({ store, selections, request, input, base, address, now, isEmptied, isAtOnce, mediaType });
}
