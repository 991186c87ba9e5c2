import type { Outcome } from '../message/message.ts';
import { readVersion } from '../package-files.ts';
import { Problem } from '../problem.ts';
import {
  deleteSnapshot,
  diffState,
  findSnapshot,
  resetSession,
  restoreSnapshot,
  type SavedSnapshot,
  type Service,
  type Session,
  type Sessions,
  saveSnapshot,
} from '../service/service.ts';
import type { Input } from '../validate/validate.ts';

/** A valid control request. */
interface ControlCall {
  readonly sessions: Sessions;
  /** The session that the request means. */
  readonly session: Session;
  readonly input: Input;
}

/** Carries out an operation of the control document. */
type ControlAction = (call: ControlCall) => Outcome;

/** The actions of the control API, by operationId. */
export const CONTROL_ACTIONS: Readonly<Record<string, ControlAction>> = {
  getHealth: () => ({ body: toHealth() }),
  resetSession({ session }) {
    resetSession(session);
    return {};
  },
  listSessions: ({ sessions }) => ({ body: sessions.all().map(toSessionInfo) }),
  createSession({ sessions, session, input }) {
    const { name, from } = input.body as { readonly name: string; readonly from?: string };
    if (sessions.find(name)) throw new Problem(409, 'session_exists', `There is a session ${name} already.`);
    const snapshot = from === undefined ? undefined : findSnapshot(sessions, session, from);
    const created = sessions.use(name);
    if (snapshot) restoreSnapshot(created, snapshot);
    return { status: 201, body: toSessionInfo(created) };
  },
  getSession: ({ sessions, input }) => ({ body: toSessionInfo(findSession(sessions, input)) }),
  listSnapshots: ({ session }) => ({ body: [...session.snapshots.values()].map(toSnapshotInfo) }),
  saveSnapshot({ session, input }) {
    const { name } = input.body as { readonly name: string };
    return { status: 201, body: toSnapshotInfo(saveSnapshot(session, name)) };
  },
  deleteSnapshot({ session, input }) {
    const name = String(input.path.snapshot);
    if (deleteSnapshot(session, name)) return {};
    throw new Problem(404, 'snapshot_not_found', `The session ${session.name} has no snapshot ${name}.`);
  },
  restoreSnapshot({ sessions, session, input }) {
    restoreSnapshot(session, findSnapshot(sessions, session, String(input.path.snapshot)));
    return {};
  },
  diffState({ sessions, session, input }) {
    const { from } = input.query;
    return {
      body: diffState(
        session,
        from === undefined ? undefined : findSnapshot(sessions, session, String(from)),
      ),
    };
  },
  endSession({ sessions, input }) {
    sessions.end(findSession(sessions, input).name);
    return {};
  },
};

function findSession(sessions: Sessions, { path }: Input): Session {
  const name = String(path.session);
  const session = sessions.find(name);
  if (session) return session;
  throw new Problem(404, 'session_not_found', `No session has the name ${name}.`);
}

function toSessionInfo({ name, createdAt, store, service }: Session): object {
  return { name, age: toAge(createdAt), size: countEntities(service, store.snapshot()) };
}

function toSnapshotInfo({ name, service, state }: SavedSnapshot): object {
  return { name, size: countEntities(service, state) };
}

/** The entities of a state, without those that would be generated at their first use. */
function countEntities({ model, initial }: Service, { collections }: SavedSnapshot['state']): number {
  const counts = [...model.resources.keys()].map(
    (resource) => collections[resource]?.size ?? initial.countOf(resource) ?? 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Seconds since a moment by `performance.now()`. */
function toAge(moment: number): number {
  return Math.round(performance.now() - moment) / 1000;
}

const STARTED = performance.now();

/** The state of the mock itself. */
export function toHealth(): object {
  return { status: 'ok', name: 'petstore-mock', version: readVersion(), uptime: toAge(STARTED) };
}
