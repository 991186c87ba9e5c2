import type { JournalEntry } from '../../core/journal/journal.ts';
import type { Session } from '../../core/service/service.ts';
import { checkPattern } from './check-verification.ts';
import { buildMatcher } from './matcher.ts';
import { findNearestRequests } from './nearest.ts';
import type { RequestPattern } from './request-pattern.ts';
import { toMissLines, VerifyError } from './verdict.ts';

export interface WaitOptions {
  /** Milliseconds. Default: 5000. */
  readonly timeout?: number;
  /** Only requests after the entry of this id count. Default: 0, all that the journal has. */
  readonly after?: number;
}

/** Resolves to the first request that matches, now or later. Rejects with the nearest misses once the time is over. */
export async function waitForRequest(
  session: Session,
  pattern: RequestPattern,
  { timeout = 5000, after = 0 }: WaitOptions = {},
): Promise<JournalEntry> {
  checkPattern(pattern);
  const matcher = buildMatcher(pattern, session);
  const isWanted = (entry: JournalEntry) => entry.id > after && matcher.differ(entry).length === 0;
  const known = session.journal.entries().find(isWanted);
  if (known) return known;
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      stop();
      clearTimeout(timer);
      finish();
    };
    const onEntry = (entry: JournalEntry) => {
      try {
        if (isWanted(entry)) settle(() => resolve(entry));
      } catch (error) {
        // A matcher of the test may throw, and the request must be answered all the same.
        settle(() => reject(error));
      }
    };
    const stop = session.journal.listen({ onEntry });
    const timer = setTimeout(() => {
      const entries = session.journal.entries().filter(({ id }) => id > after);
      const nearest = findNearestRequests(entries, matcher);
      const start = `Waited ${timeout} ms for ${matcher.label}, but 0 of ${entries.length} requests matched.`;
      settle(() =>
        reject(new VerifyError({ text: [start, ...toMissLines(nearest)].join('\n'), matches: [], nearest })),
      );
    }, timeout);
  });
}
