import { toPreferredOutcome } from '../../answer/respond/respond.ts';
import type { Match } from '../../model/operations/operations.ts';
import type { Outcome } from '../../wire/message/message.ts';
import type { Exchange } from './exchange.ts';

/** The kinds of actions that change state, after which a client may not need the entity. A token or a list it always needs. */
const CHANGES: ReadonlySet<string> = new Set(['create', 'replace', 'update', 'remove', 'act']);

/** The outcome of a change in the form that the client prefers, if the document allows it. */
export function toPreferred({ service, request, match }: Exchange, outcome: Outcome): Outcome {
  const { prefer: header } = request.headers;
  if (header === undefined || request.method === 'GET') return outcome;
  const { operation } = match as Match;
  const action = service.model.actions.get(operation.id)?.name ?? '';
  return CHANGES.has(action) ? toPreferredOutcome(operation, outcome, header) : outcome;
}
