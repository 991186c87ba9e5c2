import { Problem } from '../../base/problem.ts';
import { findCode, type Operation } from '../../model/operations/operations.ts';

/**
 * A Problem with a status that its operation declares, where HTTP leaves the choice to the document. The code and the message stay.
 * Problems of faults keep the status that their rule names, so they must not come here.
 */
export function toDeclaredProblem(problem: Problem, operation: Operation): Problem {
  const status = toDeclaredStatus(problem, operation);
  if (status === problem.status) return problem;
  const { code, message, violations, headers, cause } = problem;
  return new Problem(status, code, message, { violations, headers, cause });
}

function toDeclaredStatus(problem: Problem, operation: Operation): number {
  const { status, code } = problem;
  if (status === 409) return toConflict(operation);
  if (status !== 400 && status !== 422) return status;
  // RFC 9110 section 15.5.1: 400 is for a request that cannot be read at all.
  if (code.startsWith('malformed_')) return choose(operation, [400, 422], 400);
  return isAboutParameters(problem) ? choose(operation, [400, 422], 422) : choose(operation, [422, 400], 422);
}

/** The first status that is declared by itself; the usual one, the first, under a range or the default; else `other`. */
function choose(operation: Operation, usual: readonly [number, number], other: number): number {
  const exact = usual.find((status) => operation.codes.includes(String(status)));
  return exact ?? (findCode(operation, usual[0]) === undefined ? other : usual[0]);
}

function isAboutParameters({ violations: [first] }: Problem): boolean {
  return first !== undefined && /^(path|query|header|cookie)\b/.test(first.location);
}

/** A conflict is the declared 409, else the first declared 4xx, preferably one that does not mean something else to HTTP. */
function toConflict(operation: Operation): number {
  if (findCode(operation, 409) !== undefined) return 409;
  const declared = operation.codes.filter((code) => /^4\d\d$/.test(code)).map(Number);
  const free = declared.find((status) => !HTTP_STATUSES.has(status));
  return free ?? declared.find((status) => status !== 401) ?? 409;
}

/** Client errors with a meaning in HTTP that a conflict does not have. */
const HTTP_STATUSES: ReadonlySet<number> = new Set([
  ...[401, 404, 405, 406, 407, 408, 410, 411, 412, 413, 414, 415, 416, 417, 421, 426, 428, 429, 431],
]);
