import { type ClockChange, changeClock, readClock } from '../../core/service/service.ts';
import type { ControlActions } from './control-action.ts';

/** The actions on the clock. */
export const CLOCK_ACTIONS: ControlActions = {
  readClock: ({ session }) => ({ body: readClock(session) }),
  changeClock({ session, input }) {
    changeClock(session, input.body as ClockChange);
    return { body: readClock(session) };
  },
};
