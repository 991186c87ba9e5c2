import { createSelections, type Selections } from '../actions/actions.ts';
import { type Budget, type BudgetMember, type Cache, createCache } from '../cache.ts';
import { SessionClock } from '../clock.ts';
import { Faults, NO_RULES } from '../faults/faults.ts';
import { createJournal, type Journal, NO_JOURNAL } from '../journal.ts';
import { type Brownout, createBrownout, type SunsetMode } from '../lifecycle/lifecycle.ts';
import type { MockRequest, MockResponse } from '../message/message.ts';
import type { Match } from '../operations/operations.ts';
import type { Negotiated } from '../respond/respond.ts';
import type { Snapshot, Store } from '../store/store.ts';
import type { Service } from './build.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';

/** One isolated copy of all state. */
export interface Session extends BudgetMember {
  readonly name: string;
  /** The last use, by `performance.now()`. */
  usedAt: number;
  /** By `performance.now()`. */
  readonly createdAt: number;
  /** The service that the store fits. */
  service: Service;
  store: Store;
  /** Whether faults, delays and rehearsals are left out. */
  readonly undisturbed: boolean;
  /** Fault rules with their counters and chance. */
  faults: Faults;
  /** Use `changeClock` to set it, because cached answers belong to its time. */
  readonly clock: SessionClock;
  /** What operations past their sunset answer; `undefined` for what the service says. */
  sunset: SunsetMode | undefined;
  /** The chance of brownouts. */
  brownout: Brownout;
  readonly journal: Journal;
  /** Answers to GETs, by path and query. Each one is valid while the store does not change, until its time. */
  readonly answers: Cache<CachedAnswer>;
  /** Answers from the document, by everything that decides them. */
  readonly negotiated: Cache<Negotiated>;
  /** The answers to requests with an Idempotency-Key; `undefined` where such keys mean nothing. */
  readonly idempotencyKeys: IdempotencyKeys | undefined;
  /** Saved states, by name. */
  readonly snapshots: Map<string, SavedSnapshot>;
  /** The latest selections of lists. */
  selections: Selections;
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
  /** The time of the session from which it is no longer valid. */
  readonly until: number;
  readonly request: MockRequest;
  readonly match: Match;
  readonly response: MockResponse;
  readonly warnings: readonly string[];
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
const ANSWER_BOUNDS = { entries: 256, bytes: 4 * 1024 * 1024 };
const NEGOTIATED_BOUNDS = { entries: 1000, bytes: 4 * 1024 * 1024 };

/** Creates a fresh session: the store from the fixtures, counts at zero, chance from the seed. */
export function createSession(
  name: string,
  service: Service,
  budget: Budget,
  { undisturbed = false, memoryless = false, journal }: SessionOptions = {},
): Session {
  const createdAt = performance.now();
  const session: Session = {
    ...{ name, createdAt, usedAt: createdAt },
    service,
    store: service.createStore(),
    undisturbed,
    faults: createFaults({ service, undisturbed }),
    clock: new SessionClock(service.startTime),
    sunset: undisturbed ? 'warn' : undefined,
    brownout: createBrownout(toChanceSeed(service)),
    journal: memoryless
      ? NO_JOURNAL
      : createJournal(budget, journal === undefined ? {} : { entries: journal }),
    answers: createCache(memoryless ? NO_ANSWERS : ANSWER_BOUNDS, budget),
    negotiated: createCache(NEGOTIATED_BOUNDS, budget),
    idempotencyKeys: undisturbed ? undefined : new IdempotencyKeys(budget),
    snapshots: new Map(),
    selections: createSelections(),
    shed() {
      clearCaches(session);
      session.idempotencyKeys?.clear();
      session.journal.clear();
    },
  };
  return session;
}

/** Resets a session, clock and journal included. */
export function resetSession(session: Session): void {
  session.store = session.service.createStore();
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
  session.store = store;
  startChance(session);
  session.idempotencyKeys?.clear();
  clearCaches(session);
}

/** Forgets the answers and lists that a session might repeat. */
export function clearCaches(session: Session): void {
  session.answers.clear();
  session.negotiated.clear();
  session.selections = createSelections();
}

/** Starts counts and chance again. */
function startChance(session: Session): void {
  session.faults = createFaults(session);
  session.brownout = createBrownout(toChanceSeed(session.service));
}

function createFaults({ service, undisturbed }: Pick<Session, 'service' | 'undisturbed'>): Faults {
  return new Faults(undisturbed ? NO_RULES : service.faultRules, toChanceSeed(service));
}

/** Without the name of the session, because tests that begin one each often make up its name. */
function toChanceSeed({ seed }: Service): string {
  return String(seed);
}
