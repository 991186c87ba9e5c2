import type { JournalEntry } from '../../core/journal/journal.ts';
import type { Difference } from './compare.ts';
import { toShown } from './compare.ts';

/** Whether a journal has what was expected. */
export interface Verdict {
  readonly ok: boolean;
  /** The ids of the requests that match. */
  readonly matches: readonly number[];
  /** The requests that nearly match, the nearest first; none if all is as expected. */
  readonly nearest: readonly NearMiss[];
  /** The verdict in words, for people. */
  readonly text: string;
}

/** A recorded request and its differences from a pattern. */
export interface NearMiss extends Pick<JournalEntry, 'id' | 'method' | 'path' | 'status'> {
  readonly differences: readonly Difference[];
}

/**
 * Thrown by `verify` and `waitFor`. It is not named AssertionError, because Jest would take it for one of Node's and show a comparison of
 * two values instead of this message.
 */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
  readonly matches: readonly number[];
  readonly nearest: readonly NearMiss[];

  constructor({ text, matches, nearest }: Omit<Verdict, 'ok'>) {
    super(text);
    this.matches = matches;
    this.nearest = nearest;
  }
}

/** Writes near misses as lines. */
export function toMissLines(nearest: readonly NearMiss[]): string[] {
  if (nearest.length === 0) return [];
  return [
    'The nearest:',
    ...nearest.flatMap((miss) => [toRequestLine(miss), ...miss.differences.map(toDifferenceLine)]),
  ];
}

function toDifferenceLine({ path, expected, actual }: Difference): string {
  return `    ${path}: expected ${toShown(expected)}, got ${toShown(actual)}`;
}

/** Writes a request as a line: `#2 POST /store/orders 201`. */
export function toRequestLine({ id, method, path, status }: Omit<NearMiss, 'differences'>): string {
  return `  #${id} ${method} ${path} ${status}`;
}
