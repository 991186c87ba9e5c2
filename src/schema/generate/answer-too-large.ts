import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';

/** The 500 Problem for an answer that cannot be made up because even the smallest one is too large. */
export function answerTooLarge(): Problem {
  const most = LIMITS.answerValues.value.toLocaleString('en');
  const message = `The smallest answer that the document allows is too large to make up: more than ${most} values, or nested without end. Require fewer members and items, or add an example.`;
  return new Problem(500, 'answer_too_large', message);
}
