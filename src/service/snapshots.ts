import { Problem } from '../problem.ts';
import type { Snapshot } from '../store/store.ts';
import type { Service } from './build.ts';
import { type GivenState, readWholeState } from './change-state.ts';
import { inherit } from './inherit.ts';
import type { SavedSnapshot, Session } from './session.ts';
import { DEFAULT_SESSION, type Sessions } from './sessions.ts';
import { type MockState, toMockState } from './state.ts';

/** Snapshots share the entities that did not change, but not the others. */
const MOST_SNAPSHOTS = 1000;

/** Saves the state of a session under a name, in O(1). Throws a 409 Problem if the session has too many snapshots. */
export function saveSnapshot(session: Session, name: string): SavedSnapshot {
  return keep(session, name, session.store.snapshot());
}

/** Saves the state that lists describe under a name. Throws like `replaceState` and `saveSnapshot`. */
export function importSnapshot(session: Session, name: string, given: GivenState): SavedSnapshot {
  return keep(
    session,
    name,
    readWholeState(session.service, given, (list) => `body.${list}`),
  );
}

/** The state of a snapshot as data, as a session would have it. */
export function exportSnapshot({ service }: Session, saved: SavedSnapshot): MockState {
  return toMockState(service, toStateOf(service, saved));
}

function keep(session: Session, name: string, state: Snapshot): SavedSnapshot {
  if (!session.snapshots.has(name) && session.snapshots.size >= MOST_SNAPSHOTS) {
    const message = `The session ${session.name} has ${MOST_SNAPSHOTS} snapshots. Delete one before you save another.`;
    throw new Problem(409, 'too_many_snapshots', message);
  }
  const saved = { name, service: session.service, state };
  session.snapshots.set(name, saved);
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
  return session.snapshots.delete(name);
}

/** Replaces the state of a session by that of a snapshot. Forgets the idempotency keys, whose answers belong to the state before. */
export function restoreSnapshot(session: Session, saved: SavedSnapshot): void {
  const store = session.service.createStore();
  store.restore(toStateOf(session.service, saved));
  session.store = store;
  session.idempotencyKeys?.clear();
}

/** The state of a snapshot. One of a former service keeps the changes of clients that still fit. */
export function toStateOf(service: Service, { service: former, state }: SavedSnapshot): Snapshot {
  if (former === service) return state;
  const store = former.createStore();
  store.restore(state);
  return inherit(service, { service: former, store }).store.snapshot();
}
