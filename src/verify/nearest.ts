import type { JournalEntry } from '../journal.ts';
import { HIDDEN, type IsCredential, redactBody, redactHeaders, redactJson } from '../redact/redact.ts';
import { toTokens } from '../schema/schema.ts';
import type { Difference } from './compare.ts';
import type { Matcher } from './matcher.ts';
import type { NearMiss } from './verdict.ts';

const MOST_MISSES = 3;

/**
 * Finds the requests that differ least from a pattern, the latest first among equals. Those of other operations only count where there are
 * no better ones.
 */
export function findNearestRequests(
  entries: readonly JournalEntry[],
  matcher: Matcher,
  isCredential?: IsCredential,
): NearMiss[] {
  const misses = entries
    .map((entry) => ({ entry, differences: matcher.differ(entry) }))
    .filter(({ differences }) => differences.length > 0)
    .map((miss) => ({ ...miss, distance: toDistance(miss.differences) }))
    .sort((one, other) => one.distance - other.distance || other.entry.id - one.entry.id);
  const close = misses.filter(({ distance }) => distance < OTHER_TARGET);
  return (close.length > 0 ? close : misses)
    .slice(0, MOST_MISSES)
    .map(({ entry: { id, method, path, status }, differences }) => ({
      ...{ id, method, path, status },
      differences: isCredential
        ? differences.map((each) => redactDifference(each, isCredential))
        : differences,
    }));
}

/** Another operation is farther away than any other input. */
const OTHER_TARGET = 1000;
const TARGETS: ReadonlySet<string> = new Set(['/operation', '/method', '/path']);

function toDistance(differences: readonly Difference[]): number {
  return differences.reduce((sum, difference) => sum + toWeight(difference), 0);
}

/** A body of another kind is farther away than one that lacks a member, and that one than another value. */
function toWeight({ path, actual }: Difference): number {
  if (TARGETS.has(path)) return OTHER_TARGET;
  if (path === '/body') return 10;
  return actual === undefined ? 3 : 1;
}

function redactDifference(difference: Difference, isCredential: IsCredential): Difference {
  const { path, actual } = difference;
  if (actual === undefined) return difference;
  const [place, ...names] = toTokens(`#${escapePercent(path)}`);
  if (names.some(isCredential)) return { ...difference, actual: HIDDEN };
  if (typeof actual === 'object') {
    return { ...difference, actual: JSON.parse(redactJson(JSON.stringify(actual), isCredential)) as unknown };
  }
  if (typeof actual !== 'string') return difference;
  const isHeader = place === 'headers';
  const text = isHeader
    ? redactHeaders({ text: actual }, isCredential).text
    : redactBody(actual, '', isCredential);
  return { ...difference, actual: text };
}

/** A pointer that a client chose may have a `%` that escapes nothing. */
function escapePercent(pointer: string): string {
  return pointer.replaceAll('%', '%25');
}
