import { LIMITS } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { type Snapshot, sizeOfValue } from '../../state/store/store.ts';
import type { Service } from './build.ts';
import { type GivenState, readWholeState } from './change-state.ts';
import { inherit, NOTHING_ASIDE } from './inherit.ts';
import { replaceStore, type SavedSnapshot, type Session } from './session.ts';
import { DEFAULT_SESSION, type Sessions } from './sessions.ts';
import { toLongState } from './state.ts';

/** A snapshot, and the nodes that the next change copies. */
const SNAPSHOT_BYTES = 8192;

/**
 * Saves the state of a session under a name, in O(1). Throws a 409 Problem if the session has too many snapshots, and a 507 Problem
 * if it does not fit into memory.
 */
export function saveSnapshot(session: Session, name: string): SavedSnapshot {
  return keep(session, name, session.store.snapshot());
}

/** Saves the state that lists describe under a name. Throws like `seedState` and `saveSnapshot`. */
export function importSnapshot(session: Session, name: string, given: GivenState): SavedSnapshot {
  // Refuse a state that will not fit before reading it, which would leave more garbage than the text itself.
  session.account.reserve(SHARE_OF_STORE * sizeOfValue(given));
  const store = readWholeState(session.service, given, (list) => `body.${list}`);
  session.account.reserve(store.written);
  const saved = keep(session, name, store.snapshot());
  session.account.write(store.written);
  return saved;
}

/** A store takes several times as much as its text: it has trees and indexes, and rules add entities, such as the stock of a pet. */
const SHARE_OF_STORE = 6;

/** The state of a snapshot as a session would have it: lists that are read later. */
export function exportSnapshot({ service }: Session, saved: SavedSnapshot): ReturnType<typeof toLongState> {
  return toLongState(service, toStateOf(service, saved));
}

function keep(session: Session, name: string, state: Snapshot): SavedSnapshot {
  const { snapshots, account } = session;
  const { value: most } = LIMITS.snapshots;
  if (!snapshots.has(name) && snapshots.size >= most) {
    const message = `The session ${session.name} has ${most} snapshots. Delete one before you save another.`;
    throw new Problem(409, 'too_many_snapshots', message);
  }
  if (!snapshots.has(name)) account.kept.hold(SNAPSHOT_BYTES);
  const saved = { name, service: session.service, state };
  snapshots.set(name, saved);
  return saved;
}

/** Finds a snapshot of a session, or else of the default session. Throws a 404 Problem if there is none. */
export function findSnapshot(sessions: Sessions, session: Session, name: string): SavedSnapshot {
  const found = session.snapshots.get(name) ?? sessions.find(DEFAULT_SESSION)?.snapshots.get(name);
  if (found) return found;
  throw new Problem(404, 'snapshot_not_found', `No snapshot has the name ${name}.`);
}

/** Deletes a snapshot of a session. Returns whether it existed. */
export function deleteSnapshot(session: Session, name: string): boolean {
  const isDeleted = session.snapshots.delete(name);
  if (isDeleted) {
    session.account.kept.spend(-SNAPSHOT_BYTES);
    session.account.release();
  }
  return isDeleted;
}

/** Replaces the state of a session by that of a snapshot. Forgets the idempotency keys, whose answers belong to the state before. */
export function restoreSnapshot(session: Session, saved: SavedSnapshot): void {
  const store = session.service.createStore();
  store.restore(toStateOf(session.service, saved));
  replaceStore(session, store);
  session.setAside = NOTHING_ASIDE;
  session.idempotencyKeys?.clear();
}

/** The state of a snapshot. One of a former service keeps the changes of clients that still fit. */
export function toStateOf(service: Service, { service: former, state }: SavedSnapshot): Snapshot {
  if (former === service) return state;
  const store = former.createStore();
  store.restore(state);
  return inherit(service, { service: former, store }).store.snapshot();
}
