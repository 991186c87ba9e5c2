import { checkSessionName } from './handle/handle.ts';
import type { JournalEntry } from './journal.ts';
import {
  diffState,
  type Eviction,
  findSnapshot,
  type MockNotice,
  resetSession,
  restoreSnapshot,
  type Session,
  type Sessions,
  type StateDiff,
  saveSnapshot,
} from './service/service.ts';
import {
  type RequestPattern,
  type Verification,
  VerifyError,
  verifySession,
  type WaitOptions,
  waitForRequest,
} from './verify/verify.ts';

/** One session of a mock, which shares nothing with the others. */
export interface MockSession {
  readonly name: string;
  /** Answers a request in this session, like `fetch` of the mock. */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Resets state, fault counters and chance, and empties the journal. */
  reset(): void;
  /** Ends the session. Its next request begins it anew. */
  end(): void;
  /** Saves the state under a name, in O(1). */
  snapshot(name: string): void;
  /** Returns to the state of a snapshot, of this session or else of the default one. Throws an `Error` if there is none. */
  restore(name: string): void;
  /** Lists the changes since a snapshot, or since the session began. Throws an `Error` if there is no such snapshot. */
  diff(from?: string): StateDiff;
  /**
   * Compares the journal with the requests that were expected, and returns the entries that match, oldest first. Throws a `VerifyError`
   * that shows the nearest misses.
   */
  verify(verification: Verification): JournalEntry[];
  /**
   * Resolves to the first request that matches: one in the journal, else the next one. Rejects with a `VerifyError` after `timeout`
   * milliseconds, 5000 unless given.
   */
  waitFor(pattern: RequestPattern, options?: WaitOptions): Promise<JournalEntry>;
  /** The exchanges since the start or the last reset, oldest first. */
  readonly journal: readonly JournalEntry[];
}

type FetchIn = (session: string, ...asked: Parameters<MockSession['fetch']>) => Promise<Response>;

/** Creates the handle of a session. */
export function createMockSession(sessions: Sessions, name: string, fetchIn: FetchIn): MockSession {
  return {
    name,
    fetch: (input, init) => fetchIn(name, input, init),
    reset: () => resetSession(sessions.use(name)),
    end: () => {
      sessions.end(name);
    },
    snapshot(snapshot) {
      saveSnapshot(sessions.use(name), checkSessionName(snapshot));
    },
    restore(snapshot) {
      const session = sessions.use(name);
      restoreSnapshot(session, findSnapshot(sessions, session, snapshot));
    },
    diff(from) {
      const session = sessions.use(name);
      return diffState(session, from === undefined ? undefined : findSnapshot(sessions, session, from));
    },
    verify: (verification) => verifyRequests(sessions.use(name), verification),
    waitFor: async (pattern, options) => waitForRequest(sessions.use(name), pattern, options),
    get journal() {
      return sessions.use(name).journal.entries();
    },
  };
}

function verifyRequests(session: Session, verification: Verification): JournalEntry[] {
  const verdict = verifySession(session, verification);
  if (!verdict.ok) throw new VerifyError(verdict);
  const ids = new Set(verdict.matches);
  return session.journal.entries().filter(({ id }) => ids.has(id));
}

/** Words an eviction for the log. */
export function toEvictionNotice({ session, reason }: Eviction): MockNotice {
  const why =
    reason === 'idle'
      ? 'no request used it for an hour'
      : 'it was the least recently used one, and a new one needed its place; --max-sessions allows more';
  return { code: 'session-evicted', session, message: `The session ${session} was evicted: ${why}.` };
}
