import { toDate } from '../base/clock.ts';
import { changeClock, type Session } from '../core/service/service.ts';

/** The clock of a session. Each method throws an `Error` for a time outside of the years 1970 to 9999. */
export interface MockClock {
  /** The time of the session. */
  now(): Date;
  /** Whether the time stands still. */
  readonly frozen: boolean;
  /** Sets the time: a Date, a date, or a date-time with its zone. A clock that runs goes on from there, a frozen one stays frozen. */
  set(time: Date | string): void;
  /** Stops the clock, at a time if one is given. */
  freeze(time?: Date | string): void;
  /** Lets a frozen clock go on. */
  resume(): void;
  /** Goes on by milliseconds, or by a duration of ISO 8601 such as `P30D`. A frozen clock stays frozen. */
  advance(by: number | string): void;
}

/** Creates the handle of a session's clock. */
export function createMockClock(use: () => Session): MockClock {
  return {
    now: () => toDate(use().clock.now()),
    get frozen() {
      return use().clock.frozen;
    },
    set: (now) => changeClock(use(), { now }),
    freeze: (now) => changeClock(use(), { frozen: true, ...(now !== undefined && { now }) }),
    resume: () => changeClock(use(), { frozen: false }),
    advance: (advance) => changeClock(use(), { advance }),
  };
}
