import { findNearest } from '../../base/find-nearest.ts';
import { invalidPattern } from './matcher.ts';
import type { Expectation, Verification } from './request-pattern.ts';

const PATTERN = ['operation', 'method', 'path', 'query', 'headers', 'body', 'status', 'breaches'];
const EXPECTATION = [...PATTERN, 'times', 'never'];
const VERIFICATION = ['requests', 'inOrder', 'nothingElse'];

/** Lists the expectations of a verification. Throws a 422 Problem for members that are unknown, or that contradict each other. */
export function toExpectations(verification: Verification): readonly Expectation[] {
  const { requests } = verification;
  checkMembers(verification, requests ? VERIFICATION : [...EXPECTATION, ...VERIFICATION]);
  const expectations = requests ?? [verification];
  for (const expectation of requests ?? []) checkMembers(expectation, EXPECTATION);
  for (const { times, never } of expectations) {
    if (never !== undefined && times !== undefined)
      throw invalidPattern('Give either times or never, not both.');
  }
  return expectations;
}

/** Throws a 422 Problem for a pattern with unknown members, which would silently match more. */
export function checkPattern(pattern: object): void {
  checkMembers(pattern, PATTERN);
}

function checkMembers(given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const meant = findNearest(unknown.slice(0, 64), names);
  const hint = meant === undefined ? `Known are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  throw invalidPattern(`Unknown member ${unknown.slice(0, 64)} of a pattern. ${hint}`);
}

/** The least and the most requests that are expected. */
export function toBounds({ times, never = false }: Expectation): readonly [least: number, most: number] {
  if (never) return [0, 0];
  if (typeof times === 'number') return [times, times];
  const { atMost = Number.POSITIVE_INFINITY, atLeast = times?.atMost === undefined ? 1 : 0 } = times ?? {};
  return [atLeast, atMost];
}

/** Words the bounds: `exactly once`. */
export function toBoundsText([least, most]: readonly [least: number, most: number]): string {
  if (most === 0) return 'never';
  if (least === most) return `exactly ${toCount(least)}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${toCount(least)}`;
  return least === 0 ? `at most ${toCount(most)}` : `${least} to ${most} times`;
}

function toCount(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
