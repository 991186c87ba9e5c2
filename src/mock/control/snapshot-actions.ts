import { Problem } from '../../base/problem.ts';
import {
  deleteSnapshot,
  diffState,
  exportSnapshot,
  findSnapshot,
  type GivenState,
  importSnapshot,
  restoreSnapshot,
  type SavedSnapshot,
  saveSnapshot,
} from '../../core/service/service.ts';
import type { ControlActions } from './control-action.ts';
import { countEntities } from './size.ts';

/** The actions on snapshots. */
export const SNAPSHOT_ACTIONS: ControlActions = {
  listSnapshots: ({ session }) => ({ body: [...session.snapshots.values()].map(toSnapshotInfo) }),
  saveSnapshot({ session, input }) {
    const { name } = input.body as { readonly name: string };
    return { status: 201, body: toSnapshotInfo(saveSnapshot(session, name)) };
  },
  exportSnapshot({ sessions, session, input }) {
    const saved = findSnapshot(sessions, session, String(input.path.snapshot));
    return { body: exportSnapshot(session, saved), isLong: true };
  },
  importSnapshot({ session, input }) {
    const saved = importSnapshot(session, String(input.path.snapshot), input.body as GivenState);
    return { body: toSnapshotInfo(saved) };
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
};

function toSnapshotInfo({ name, service, state }: SavedSnapshot): object {
  return { name, size: countEntities(service, state) };
}
