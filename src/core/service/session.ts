import { Faults, NO_RULES } from '../../answer/faults/faults.ts';
import { type Brownout, createBrownout, type SunsetMode } from '../../answer/lifecycle/lifecycle.ts';
import type { Negotiated } from '../../answer/respond/respond.ts';
import type { Account, Budget, BudgetMember } from '../../base/budget.ts';
import { type Cache, createCache } from '../../base/cache.ts';
import { SessionClock } from '../../base/clock.ts';
import { createDoorkeeper, type Doorkeeper } from '../../base/doorkeeper.ts';
import { LIMITS } from '../../base/limits.ts';
import { Waits } from '../../base/waits.ts';
import type { Match } from '../../model/operations/operations.ts';
import { createSelections, dropExpiredTokens, type Selections } from '../../state/actions/actions.ts';
import type { EntityCount, Snapshot, Store } from '../../state/store/store.ts';
import type { MockRequest, MockResponse } from '../../wire/message/message.ts';
import { createJournal, type Journal, type Judgement, NO_JOURNAL } from '../journal/journal.ts';
import type { Service } from './build.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { NOTHING_ASIDE, type SetAside } from './inherit.ts';

/** One isolated copy of all state. */
export interface Session {
  readonly name: string;
  /** Whether it has ended. A request that still runs in it changes nothing that anybody sees. */
  isEnded: boolean;
  /** Its share of the memory of the mock. */
  readonly account: Account;
  /** The requests that wait. */
  readonly waits: Waits;
  /** The last use, by `performance.now()`. */
  usedAt: number;
  /** By `performance.now()`. */
  readonly createdAt: number;
  /** The service that the store fits. */
  service: Service;
  store: Store;
  /** Changes that the current document has no place for, but the next one may. */
  setAside: SetAside;
  /** The bytes written to the store that the budget has already counted. */
  counted: number;
  /** Whether faults, delays and rehearsals are left out. */
  readonly undisturbed: boolean;
  /** Fault rules with their counters and chance. */
  faults: Faults;
  /** Use `changeClock` to set it, because cached answers belong to its time. */
  readonly clock: SessionClock;
  /** How operations past their sunset are answered; `undefined` for the option of the service. */
  sunset: SunsetMode | undefined;
  /** The chance of brownouts. */
  brownout: Brownout;
  readonly journal: Journal;
  /** Answers to GETs, by path and query. Each one is valid while the store does not change, until its time. */
  readonly answers: Cache<CachedAnswer>;
  /** The requests that came before. Only answers to these are cached, because most others are never asked for again. */
  readonly asked: Doorkeeper;
  /** Answers from the document, by everything that decides them. */
  readonly negotiated: Cache<Negotiated>;
  /** The answers to requests with an Idempotency-Key; `undefined` where such keys mean nothing. */
  readonly idempotencyKeys: IdempotencyKeys | undefined;
  /** Saved states, by name. */
  readonly snapshots: Map<string, SavedSnapshot>;
  /** The latest selections of lists. */
  readonly selections: Selections;
}

/** A named snapshot, with the service that it was taken under. */
export interface SavedSnapshot {
  readonly name: string;
  readonly service: Service;
  readonly state: Snapshot;
}

/** An answer from state, with the request and the state that it belongs to. */
export interface CachedAnswer {
  /** The version of the store. */
  readonly version: number;
  /** The version of its hidden resources; `undefined` for an answer that does not depend on them. */
  readonly hiddenVersion: number | undefined;
  /** The time of the session from which it is no longer valid. */
  readonly until: number;
  readonly request: MockRequest;
  readonly match: Match;
  readonly response: MockResponse;
  readonly judgement: Judgement;
  /** The approximate memory that request and response hold, in bytes. */
  readonly bytes: number;
}

export interface SessionOptions {
  /** Neither a journal nor cached answers. */
  readonly memoryless?: boolean;
  /** The most entries of the journal. */
  readonly journal?: number;
  /** Neither faults nor delays, nor rehearsals of a sunset, nor idempotency keys. */
  readonly undisturbed?: boolean;
}

const NO_ANSWERS = { entries: 0 };
const ANSWER_BOUNDS = { entries: 256, bytes: LIMITS.answerCache.value };
const NEGOTIATED_BOUNDS = { entries: 1000, bytes: LIMITS.answerCache.value };
/** About the memory of a session that has done nothing yet. */
const SESSION_BYTES = 4096;

/** Creates a fresh session: the store from the fixtures, counts at zero, chance from the seed. */
export function createSession(
  name: string,
  service: Service,
  budget: Budget,
  { undisturbed = false, memoryless = false, journal }: SessionOptions = {},
): Session {
  const createdAt = performance.now();
  const member = new Member();
  const account = budget.open(member);
  account.kept.spend(SESSION_BYTES);
  const session: Session = {
    ...{ name, createdAt, usedAt: createdAt, isEnded: false, account },
    service,
    store: service.createStore(),
    setAside: NOTHING_ASIDE,
    counted: 0,
    waits: new Waits(),
    undisturbed,
    faults: createFaults({ service, undisturbed, account }),
    clock: new SessionClock(service.startTime),
    sunset: undisturbed ? 'warn' : undefined,
    brownout: createBrownout(toChanceSeed(service)),
    journal: memoryless
      ? NO_JOURNAL
      : createJournal(account.journal, journal === undefined ? {} : { entries: journal }),
    answers: createCache(memoryless ? NO_ANSWERS : ANSWER_BOUNDS, account.caches),
    asked: createDoorkeeper(),
    negotiated: createCache(NEGOTIATED_BOUNDS, account.caches),
    idempotencyKeys: undisturbed ? undefined : new IdempotencyKeys(account.kept),
    snapshots: new Map(),
    selections: createSelections(account.caches),
  };
  member.session = session;
  return session;
}

/** The parts of a session that the budget can free. */
class Member implements BudgetMember {
  session: Session | undefined;

  dropCaches(): void {
    if (this.session) clearCaches(this.session);
  }

  dropExpired(): void {
    if (!this.session) return;
    const { clock, idempotencyKeys, store } = this.session;
    idempotencyKeys?.dropExpired(clock.now());
    dropExpiredTokens(store, clock.now());
  }

  dropEntries(bytes: number): void {
    this.session?.journal.dropOldest(bytes);
  }
}

/** Tells the budget what clients wrote to the store since the last call. Called after each exchange. */
export function countWritten(session: Session): void {
  const { written } = session.store;
  if (written === session.counted) return;
  session.account.write(written - session.counted);
  session.counted = written;
}

/** Gives a session another store, which counts what is written to it from 0. */
export function replaceStore(session: Session, store: Store): void {
  session.store = store;
  session.counted = 0;
  session.account.release();
}

/** Adds the entities of a session and its snapshots to a count. */
export function countEntities({ store, setAside, snapshots, service }: Session, count: EntityCount): void {
  store.countInto(count);
  for (const { now } of setAside.values()) count.add(now);
  for (const { state } of snapshots.values()) {
    for (const [name, collection] of Object.entries(state.collections)) {
      const first = service.initial.of(name);
      if (first) count.leaveOut(first);
      count.add(collection);
    }
  }
}

/** Ends a session for good: wakes what waits in it, tells who follows it, and returns its memory. */
export function endSession(session: Session): void {
  session.isEnded = true;
  session.account.close();
  clearCaches(session);
  session.idempotencyKeys?.clear();
  session.journal.clear();
  session.journal.end();
  session.waits.end();
}

/** Resets a session, clock and journal included. */
export function resetSession(session: Session): void {
  replaceStore(session, session.service.createStore());
  session.setAside = NOTHING_ASIDE;
  startChance(session);
  session.sunset = session.undisturbed ? 'warn' : undefined;
  session.clock.reset(session.service.startTime);
  session.journal.clear();
  session.idempotencyKeys?.clear();
  clearCaches(session);
}

/** Moves a session to another service, with a store that fits it. Journal and clock stay; counts and chance start again. */
export function moveSession(session: Session, service: Service, store: Store): void {
  session.service = service;
  replaceStore(session, store);
  startChance(session);
  session.idempotencyKeys?.clear();
  clearCaches(session);
}

/** Forgets the answers and lists that a session might repeat. */
export function clearCaches(session: Session): void {
  session.answers.clear();
  session.negotiated.clear();
  session.selections.clear();
}

/** Starts counts and chance again. */
function startChance(session: Session): void {
  session.faults.clear();
  session.faults = createFaults(session);
  session.brownout = createBrownout(toChanceSeed(session.service));
}

function createFaults({
  service,
  undisturbed,
  account,
}: Pick<Session, 'service' | 'undisturbed' | 'account'>): Faults {
  return new Faults(undisturbed ? NO_RULES : service.faultRules, toChanceSeed(service), account.kept);
}

/** Without the name of the session, because tests that begin one each often make up its name. */
function toChanceSeed({ seed }: Service): string {
  return String(seed);
}
