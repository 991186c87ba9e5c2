import { Problem } from '../../base/problem.ts';
import type { Session } from '../../core/service/service.ts';
import type { Input } from '../../model/operations/operations.ts';
import type { ControlActions } from './control-action.ts';

/** The actions on faults. */
export const FAULT_ACTIONS: ControlActions = {
  listFaults: ({ session }) => ({ body: session.faults.list() }),
  createFault({ session, input }) {
    const id = session.faults.add(session.service.readFault(input.body));
    return { status: 201, body: findFault(session, id) };
  },
  clearFaults({ session }) {
    session.faults.clear();
    return {};
  },
  getFault: ({ session, input }) => ({ body: findFault(session, idOf(input)) }),
  deleteFault({ session, input }) {
    if (!session.faults.remove(idOf(input))) throw faultNotFound(idOf(input));
    return {};
  },
};

function idOf({ path }: Input): string {
  return String(path.fault);
}

function findFault({ faults }: Session, id: string): object {
  const found = faults.list().find((rule) => rule.id === id);
  if (found) return found;
  throw faultNotFound(id);
}

function faultNotFound(id: string): Problem {
  return new Problem(404, 'fault_not_found', `No fault has the id ${id}.`);
}
