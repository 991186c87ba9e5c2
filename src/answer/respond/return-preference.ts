import { findResponse, type Operation } from '../../model/operations/operations.ts';
import { BODILESS_STATUSES, joinHeaders, type Outcome } from '../../wire/message/message.ts';
import { parsePairs } from './prefer.ts';

type ReturnPreference = 'minimal' | 'representation';

/**
 * Gives the outcome of a change the form that `Prefer: return=` asks for, where the document allows it, and says so (RFC 7240 section
 * 4.2).
 */
export function toPreferredOutcome(operation: Operation, outcome: Outcome, header: string): Outcome {
  const preference = readReturnPreference(header);
  if (preference === undefined) return outcome;
  const preferred = preference === 'minimal' ? toMinimal(operation, outcome) : toWhole(outcome);
  if (!preferred) return outcome;
  const applied = { 'Preference-Applied': `return=${preference}` };
  return { ...preferred, headers: joinHeaders(preferred.headers ?? {}, applied) };
}

/** Reads the preference: the first of equal ones, and neither where a header has both. */
function readReturnPreference(header: string): ReturnPreference | undefined {
  const values = parsePairs(header).flatMap(([name, value]) => (name === 'return' ? [value] : []));
  const [first] = values;
  if (first !== 'minimal' && first !== 'representation') return undefined;
  const other = first === 'minimal' ? 'representation' : 'minimal';
  return values.includes(other) ? undefined : first;
}

/** The outcome without content; `undefined` where the document allows no such answer. */
function toMinimal(operation: Operation, outcome: Outcome): Outcome | undefined {
  const { status = operation.successStatus, file, headers = {} } = outcome;
  if (file) return undefined;
  if (hasNoContent(operation, status)) return { status, headers };
  // A PUT that creates something must answer 201 (RFC 9110 section 9.3.4).
  const mustSayCreated = operation.method === 'PUT' && status === 201;
  const declaresEmpty = operation.codes.includes('204') && hasNoContent(operation, 204);
  return declaresEmpty && !mustSayCreated ? { status: 204, headers } : undefined;
}

function hasNoContent(operation: Operation, status: number): boolean {
  const contents = findResponse(operation, status)?.contents ?? [];
  return contents.length === 0 || BODILESS_STATUSES.has(status);
}

/** The outcome if it has content. An operation answers with content wherever the document declares both, so there is nothing to add. */
function toWhole(outcome: Outcome): Outcome | undefined {
  return outcome.body === undefined ? undefined : outcome;
}
