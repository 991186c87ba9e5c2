import type { FaultEffect, FaultRule } from '../answer/faults/faults.ts';
import { checkSessionName } from '../core/handle/handle.ts';
import type { JournalEntry } from '../core/journal/journal.ts';
import {
  changeClock,
  diffState,
  type Eviction,
  findSnapshot,
  type MockNotice,
  type MockOptions,
  type MockState,
  readState,
  resetSession,
  restoreSnapshot,
  type Session,
  type Sessions,
  type StateDiff,
  type SunsetMode,
  saveSnapshot,
  seedState,
  toPlainState,
} from '../core/service/service.ts';
import { toSessionHar } from './control/control.ts';
import { createMockClock, type MockClock } from './mock-clock.ts';
import { createMockFaults, failOperation, type MockFaults } from './mock-faults.ts';
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
  /** Resets state, clock, fault counters and chance, and empties the journal. */
  reset(): void;
  /** The entities by the names of their lists, in the shape of fixtures and in the order that clients see. */
  state(): Promise<MockState>;
  /**
   * Replaces the lists that are named: entities pass the business rules, but not their schemas. The others stay. Rejects with an
   * `Error` that names everything that is wrong, and changes nothing then. `reset` undoes it.
   */
  seed(lists: Readonly<Record<string, readonly object[]>>): Promise<void>;
  /** Ends the session. Its next request begins it anew. */
  end(): void;
  /** Saves the state under a name, in O(1). */
  snapshot(name: string): void;
  /** Returns to the state of a snapshot, of this session or else of the default one. Throws an `Error` if there is none. */
  restore(name: string): void;
  /** Lists the changes since a snapshot, or since the session began. Throws an `Error` for an unknown snapshot. */
  diff(from?: string): StateDiff;
  /** The time of the session, which `reset` returns to its start. */
  readonly clock: MockClock;
  /** Decides how operations answer once their sunset has passed. A reset returns to the option `sunset`. */
  sunset(mode: SunsetMode): void;
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
  /**
   * Lets an operation fail from now on: with a status, an effect such as `reset`, or all that a rule can say. Replaces an earlier failure of
   * the operation. Returns the id of the rule. Throws an `Error` for what the document does not allow.
   */
  fail(operation: string, fault: number | FaultEffect | Omit<FaultRule, 'operation'>): string;
  /** The rules that replace, damage and delay answers. A reset returns to those of the options. */
  readonly faults: MockFaults;
  /** The exchanges since the start or the last reset, oldest first. */
  readonly journal: readonly JournalEntry[];
  /** The journal as an HTTP Archive 1.2, which the network tools of browsers open. Credentials are hidden. */
  har(): object;
}

type FetchIn = (session: string, ...asked: Parameters<MockSession['fetch']>) => Promise<Response>;

/** Creates the handle of a session. */
export function createMockSession(sessions: Sessions, name: string, fetchIn: FetchIn): MockSession {
  return {
    name,
    fetch: (input, init) => fetchIn(name, input, init),
    reset: () => resetSession(sessions.use(name)),
    state: async () => readState(await useReady(sessions, name)),
    async seed(lists) {
      const given = toPlainState(lists);
      seedState(await useReady(sessions, name), given, (list) => list);
    },
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
    clock: createMockClock(() => sessions.use(name)),
    sunset: (mode) => changeClock(sessions.use(name), { sunset: mode }),
    fail: (operation, fault) => failOperation(sessions.use(name), operation, fault),
    faults: createMockFaults(() => sessions.use(name)),
    verify: (verification) => verifyRequests(sessions.use(name), verification),
    waitFor: async (pattern, options) => waitForRequest(sessions.use(name), pattern, options),
    har: () => toSessionHar(sessions.use(name)),
    get journal() {
      return sessions.use(name).journal.entries();
    },
  };
}

/** The session, once the entities that are made up at their first use can be. A reload meanwhile leaves them ready. */
async function useReady(sessions: Sessions, name: string): Promise<Session> {
  await sessions.service.initial.ready();
  return sessions.use(name);
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

/** Builds the function that hands a notice to `onNotice`. It does not throw. */
export function toNotify(
  { onNotice }: Pick<MockOptions, 'onNotice'>,
  report: (error: unknown) => void,
): (notice: MockNotice) => void {
  return (notice) => {
    Promise.resolve(notice).then(onNotice).catch(report);
  };
}
