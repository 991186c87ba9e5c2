import { Problem } from '../../base/problem.ts';
import {
  findSnapshot,
  resetSession,
  restoreSnapshot,
  type Session,
  type Sessions,
} from '../../core/service/service.ts';
import type { Input } from '../../model/operations/operations.ts';
import { toAge } from './age.ts';
import type { ControlActions } from './control-action.ts';
import { countEntities } from './size.ts';

/** The actions on sessions. */
export const SESSION_ACTIONS: ControlActions = {
  resetSession({ session }) {
    resetSession(session);
    return {};
  },
  listSessions: ({ sessions }) => ({ body: sessions.all().map(toSessionInfo) }),
  createSession({ sessions, session, input }) {
    const { name, from } = input.body as { readonly name: string; readonly from?: string };
    if (sessions.find(name)) throw new Problem(409, 'session_exists', `There is a session ${name} already.`);
    const snapshot = from === undefined ? undefined : findSnapshot(sessions, session, from);
    // Whoever begins a session need not hear that an earlier one of this name was evicted.
    sessions.end(name);
    const created = sessions.use(name);
    if (snapshot) restoreSnapshot(created, snapshot);
    return { status: 201, body: toSessionInfo(created) };
  },
  getSession: ({ sessions, input }) => ({ body: toSessionInfo(findSession(sessions, input)) }),
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
