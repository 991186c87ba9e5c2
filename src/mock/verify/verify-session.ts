import type { IsCredential } from '../../base/redact/redact.ts';
import { type JournalEntry, toBreachText } from '../../core/journal/journal.ts';
import type { Session } from '../../core/service/service.ts';
import { toBounds, toBoundsText, toExpectations } from './check-verification.ts';
import { buildMatcher, type Matcher } from './matcher.ts';
import { findNearestRequests } from './nearest.ts';
import type { Expectation, Verification } from './request-pattern.ts';
import { type NearMiss, toMissLines, toRequestLine, type Verdict } from './verdict.ts';

/** One expectation with the requests that match it. */
interface Found {
  readonly matcher: Matcher;
  readonly bounds: ReturnType<typeof toBounds>;
  /** How its requests are listed. */
  readonly toLine: (entry: JournalEntry) => string;
  readonly matches: readonly JournalEntry[];
}

/** A part of the verdict that is not as expected. */
interface Failure {
  readonly lines: readonly string[];
  readonly nearest: readonly NearMiss[];
}

/**
 * Compares the journal of a session with what was expected. With `isCredential` the values of credentials are hidden. Throws a 422 Problem
 * for a pattern that no request could match.
 */
export function verifySession(
  session: Session,
  verification: Verification,
  isCredential?: IsCredential,
): Verdict {
  const entries = session.journal.entries();
  const expectations = toExpectations(verification);
  const found = expectations.map((expectation) => find(expectation, entries, session));
  const matches = new Set(found.flatMap(({ matches: own }) => own));
  const failures = [
    ...found.flatMap((each) => checkCount(each, entries, isCredential)),
    ...(verification.inOrder ? checkOrder(found) : []),
    ...(verification.nothingElse ? checkOthers(entries, matches) : []),
  ];
  const lines = failures.flatMap((failure) => failure.lines);
  return {
    ok: failures.length === 0,
    matches: [...matches].map(({ id }) => id).sort((one, other) => one - other),
    nearest: failures.flatMap(({ nearest }) => nearest),
    text: [...(lines.length > 0 ? lines : [toSuccess(matches.size)]), ...warnOfDropped(session)].join('\n'),
  };
}

function find(expectation: Expectation, entries: readonly JournalEntry[], session: Session): Found {
  const matcher = buildMatcher(expectation, session);
  const matches = entries.filter((entry) => matcher.differ(entry).length === 0);
  const toLine = expectation.breaches === undefined ? toRequestLine : toReasonedLine;
  return { matcher, bounds: toBounds(expectation), toLine, matches };
}

function checkCount(
  { matcher, bounds, toLine, matches }: Found,
  entries: readonly JournalEntry[],
  isCredential: IsCredential | undefined,
): Failure[] {
  const [least, most] = bounds;
  if (matches.length >= least && matches.length <= most) return [];
  const counts = `${matches.length} of ${entries.length} requests matched`;
  const start = `Expected ${matcher.label} ${toBoundsText(bounds)}, but ${counts}.`;
  if (matches.length > most) return [{ lines: [start, ...toRequestLines(matches, toLine)], nearest: [] }];
  const nearest = findNearestRequests(entries, matcher, isCredential);
  return [{ lines: [start, ...toMissLines(nearest)], nearest }];
}

/** Each kind of requests must come after the one before it, as often as it is expected at least. */
function checkOrder(found: readonly Found[]): Failure[] {
  let last = 0;
  for (const [index, { matcher, bounds, matches }] of found.entries()) {
    const [least] = bounds;
    const later = matches.filter(({ id }) => id > last).slice(0, least);
    if (later.length < Math.min(least, matches.length)) {
      const before = found[index - 1]?.matcher.label;
      const start = `Expected ${matcher.label} after ${before}, which came last as #${last}.`;
      return [{ lines: [start, ...toRequestLines(matches)], nearest: [] }];
    }
    last = later.at(-1)?.id ?? last;
  }
  return [];
}

/** Requests that nothing decides, such as preflights, are left out, because browsers send them by themselves. */
function checkOthers(entries: readonly JournalEntry[], matches: ReadonlySet<JournalEntry>): Failure[] {
  const others = entries.filter((entry) => entry.source !== undefined && !matches.has(entry));
  if (others.length === 0) return [];
  const start = `Expected nothing else, but ${others.length} other ${others.length === 1 ? 'request' : 'requests'} came.`;
  return [{ lines: [start, ...toRequestLines(others)], nearest: [] }];
}

const MOST_LINES = 10;

function toRequestLines(entries: readonly JournalEntry[], toLine: Found['toLine'] = toRequestLine): string[] {
  const more = entries.length - MOST_LINES;
  return [...entries.slice(0, MOST_LINES).map(toLine), ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** A request with the reasons why it breaks the contract, if it does. */
function toReasonedLine(entry: JournalEntry): string {
  const { breaches } = entry;
  if (breaches.length === 0) return toRequestLine(entry);
  return `${toRequestLine(entry)}: ${breaches.slice(0, MOST_REASONS).map(toBreachText).join('; ')}`;
}

const MOST_REASONS = 3;

function toSuccess(count: number): string {
  return count === 1 ? '1 request matched.' : `${count} requests matched.`;
}

/** Counts are wrong if requests are missing. */
function warnOfDropped({ journal }: Session): string[] {
  const { dropped } = journal;
  return dropped === 0
    ? []
    : [
        `${dropped === 1 ? '1 entry was' : `${dropped} entries were`} dropped, so requests may be missing here. --journal and --memory set how many entries the journal keeps.`,
      ];
}
