import { type Verification, verifySession } from '../verify/verify.ts';
import type { ControlActions } from './control-action.ts';
import { credentialsOf } from './public-entry.ts';

/** The action that compares the journal with what was expected. */
export const VERIFY_ACTIONS: ControlActions = {
  verifyRequests: ({ session, input }) => ({
    body: verifySession(session, input.body as Verification, credentialsOf(session.service)),
  }),
};
