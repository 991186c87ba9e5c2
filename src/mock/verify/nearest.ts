import {
  HIDDEN,
  type IsCredential,
  redactBody,
  redactHeaders,
  redactJson,
} from '../../base/redact/redact.ts';
import type { JournalEntry } from '../../core/journal/journal.ts';
import { toTokens } from '../../schema/schema.ts';
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

/** Bounds an answer over HTTP: many patterns may each miss the same large bodies. */
const MOST_CHARACTERS = 10_000;

function redactDifference(difference: Difference, isCredential: IsCredential): Difference {
  const { path, actual } = difference;
  if (actual === undefined) return difference;
  const [place, ...names] = toTokens(`#${escapePercent(path)}`);
  if (names.some(isCredential)) return { ...difference, actual: HIDDEN };
  return { ...difference, actual: redactValue(actual, place === 'headers', isCredential) };
}

function redactValue(actual: unknown, isHeader: boolean, isCredential: IsCredential): unknown {
  if (typeof actual === 'object') {
    const json = redactJson(JSON.stringify(actual), isCredential);
    return json.length > MOST_CHARACTERS ? cut(json) : (JSON.parse(json) as unknown);
  }
  if (typeof actual !== 'string') return actual;
  const text = isHeader
    ? redactHeaders({ text: actual }, isCredential).text
    : redactBody(actual, '', isCredential);
  return cut(text ?? '');
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

/** A pointer that a client chose may have a `%` that escapes nothing. */
function escapePercent(pointer: string): string {
  return pointer.replaceAll('%', '%25');
}
