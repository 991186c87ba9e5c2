import { CLOCK_ACTIONS } from './clock-actions.ts';
import type { ControlActions } from './control-action.ts';
import { FAULT_ACTIONS } from './fault-actions.ts';
import { toHealth } from './health.ts';
import { JOURNAL_ACTIONS } from './journal-actions.ts';
import { SESSION_ACTIONS } from './session-actions.ts';
import { SNAPSHOT_ACTIONS } from './snapshot-actions.ts';
import { STATE_ACTIONS } from './state-actions.ts';
import { VERIFY_ACTIONS } from './verify-actions.ts';

/** The actions of the control API, by operationId. */
export const CONTROL_ACTIONS: ControlActions = {
  getHealth: () => ({ body: toHealth() }),
  ...SESSION_ACTIONS,
  ...SNAPSHOT_ACTIONS,
  ...STATE_ACTIONS,
  ...CLOCK_ACTIONS,
  ...FAULT_ACTIONS,
  ...JOURNAL_ACTIONS,
  readCoverage: ({ coverage, session }) => ({ body: coverage.report(session.service) }),
  clearCoverage({ coverage }) {
    coverage.clear();
    return {};
  },
  ...VERIFY_ACTIONS,
};
