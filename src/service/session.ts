import { createSelections, type Selections } from '../actions/actions.ts';
import { type Budget, type Cache, createCache, type Member } from '../cache.ts';
import { type Clock, SYSTEM_CLOCK } from '../clock.ts';
import { createFaults, type Faults, NO_FAULTS } from '../faults/faults.ts';
import { createJournal, type Journal } from '../journal.ts';
import type { MockRequest, MockResponse } from '../message.ts';
import type { Match } from '../operations/operations.ts';
import type { Negotiated } from '../respond/respond.ts';
import type { Store } from '../store/store.ts';
import type { Service } from './build.ts';

/** One isolated copy of everything that changes. */
export interface Session extends Member {
  /** The service that the store fits. */
  service: Service;
  store: Store;
  /** Fault counters and the chance of faults and delays. */
  faults: Faults;
  readonly clock: Clock;
  readonly journal: Journal;
  /** Answers to GETs, by path and query, for as long as the store does not change. */
  readonly answers: Cache<KeptAnswer>;
  /** Answers out of the document, by everything that decides about them. */
  readonly negotiated: Cache<Negotiated>;
  /** What lists selected last. */
  selections: Selections;
}

/** An answer from state, and the request and state that it answers. */
export interface KeptAnswer {
  /** The version of the store. */
  readonly version: number;
  readonly headers: MockRequest['headers'];
  readonly match: Match;
  readonly response: MockResponse;
}

export interface SessionOptions {
  readonly clock?: Clock;
  /** Neither faults nor delays. */
  readonly undisturbed?: boolean;
}

const ANSWER_BOUNDS = { entries: 256, bytes: 4 * 1024 * 1024 };
const NEGOTIATED_BOUNDS = { entries: 1000, bytes: 4 * 1024 * 1024 };

/** A fresh session: the store as the fixtures have it, counts at zero, chance from the seed. */
export function createSession(
  service: Service,
  budget: Budget,
  { clock = SYSTEM_CLOCK, undisturbed = false }: SessionOptions = {},
): Session {
  const session: Session = {
    service,
    store: service.createStore(),
    faults: undisturbed ? NO_FAULTS : createFaults(service.faultRules),
    clock,
    journal: createJournal(budget),
    answers: createCache(ANSWER_BOUNDS, budget),
    negotiated: createCache(NEGOTIATED_BOUNDS, budget),
    selections: createSelections(),
    shed() {
      clearCaches(session);
      session.journal.clear();
    },
  };
  return session;
}

/** Sets a session back to its beginning, the journal included. */
export function resetSession(session: Session): void {
  session.store = session.service.createStore();
  session.faults = session.faults === NO_FAULTS ? NO_FAULTS : createFaults(session.service.faultRules);
  session.journal.clear();
  clearCaches(session);
}

/** Moves a session to another service, with a store that fits it. The journal stays; counts and chance begin anew. */
export function moveSession(session: Session, service: Service, store: Store): void {
  session.service = service;
  session.store = store;
  session.faults = session.faults === NO_FAULTS ? NO_FAULTS : createFaults(service.faultRules);
  clearCaches(session);
}

function clearCaches(session: Session): void {
  session.answers.clear();
  session.negotiated.clear();
  session.selections = createSelections();
}
