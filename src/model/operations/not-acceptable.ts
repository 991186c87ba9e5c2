import { Problem } from '../../base/problem.ts';
import type { Operation } from './operation.ts';

/** The 406 Problem for an Accept value that excludes everything on offer. */
export function notAcceptable(
  operation: Operation,
  accept: string | undefined,
  offered: readonly string[],
): Problem {
  const types = offered.join(', ');
  return new Problem(
    406,
    'not_acceptable',
    `${operation.id} answers as ${types}, which "Accept: ${accept}" excludes.`,
  );
}
