import type { Outcome } from '../message/message.ts';
import { readVersion } from '../package-files.ts';
import { Problem } from '../problem.ts';
import {
  findSnapshot,
  resetSession,
  restoreSnapshot,
  type Session,
  type Sessions,
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
  const { collections } = store.snapshot();
  const counts = [...service.model.resources.keys()].map(
    (resource) => collections[resource]?.size ?? service.initial.countOf(resource) ?? 0,
  );
  const size = counts.reduce((sum, count) => sum + count, 0);
  return { name, age: toSeconds(performance.now() - createdAt), size };
}

const STARTED = performance.now();

/** The state of the mock itself. */
export function toHealth(): object {
  const uptime = toSeconds(performance.now() - STARTED);
  return { status: 'ok', name: 'petstore-mock', version: readVersion(), uptime };
}

function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
