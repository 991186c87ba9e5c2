import { STATUS_CODES } from 'node:http';
import type { Problem, Violation } from '../../base/problem.ts';

/** The facts of an error that the body of its answer may contain. */
export interface Facts extends Occurrence {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The source of a list of errors in the body. */
  readonly violations: readonly Violation[];
  /** The subject of an item of such a list; `undefined` if the item is about the whole request. */
  readonly violation: Violation | undefined;
}

/** Where and when an error occurs. */
export interface Occurrence {
  /** The path of the request; empty if there is none. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Thousands of violations would not help a client; the message counts them. */
const MOST_VIOLATIONS = 100;

export function toErrorFacts(problem: Problem, { path, now }: Occurrence): Facts {
  const { status, code, message } = problem;
  const violations = problem.violations.slice(0, MOST_VIOLATIONS);
  return { status, code, message, path, now, violations, violation: undefined };
}

export function toPhrase(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}

/** `body.tags[0]` → `tags[0]`, `body` → `body` */
export function toField({ location }: Violation): string {
  return location.replace(/^[a-z]+(\.|(?=\[))/, '');
}
