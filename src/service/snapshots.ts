import { Problem } from '../problem.ts';
import type { Store } from '../store/store.ts';
import type { Service } from './build.ts';
import { inherit } from './inherit.ts';
import type { SavedSnapshot, Session } from './session.ts';
import { DEFAULT_SESSION, type Sessions } from './sessions.ts';

/** Snapshots share the entities that did not change, but not the others. */
const MOST_SNAPSHOTS = 1000;

/** Saves the state of a session under a name, in O(1). Throws a 409 Problem if the session has too many snapshots. */
export function saveSnapshot(session: Session, name: string): SavedSnapshot {
  if (!session.snapshots.has(name) && session.snapshots.size >= MOST_SNAPSHOTS) {
    const message = `The session ${session.name} has ${MOST_SNAPSHOTS} snapshots. Delete one before you save another.`;
    throw new Problem(409, 'too_many_snapshots', message);
  }
  const { service, store } = session;
  const saved = { name, service, state: store.snapshot(), savedAt: performance.now() };
  session.snapshots.set(name, saved);
  return saved;
}

/** Finds a snapshot of a session, or else of the default session. Throws a 404 Problem if there is none. */
export function findSnapshot(sessions: Sessions, session: Session, name: string): SavedSnapshot {
  const found = session.snapshots.get(name) ?? sessions.find(DEFAULT_SESSION)?.snapshots.get(name);
  if (found) return found;
  throw new Problem(404, 'snapshot_not_found', `No snapshot has the name ${name}.`);
}

/** Replaces the state of a session by that of a snapshot. */
export function restoreSnapshot(session: Session, { service, state }: SavedSnapshot): void {
  session.store = toStore(session.service, service, state);
}

/** A store with a state. A state of another service keeps the changes that still fit. */
function toStore(current: Service, former: Service, state: SavedSnapshot['state']): Store {
  const store = former.createStore();
  store.restore(state);
  return former === current ? store : inherit(current, { service: former, store }).store;
}
