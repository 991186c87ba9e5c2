import { SUNSET_MODES, type SunsetMode } from '../../answer/lifecycle/lifecycle.ts';
import { isInRange, LATEST, parseInstant, toDateTime } from '../../base/clock.ts';
import { addDuration } from '../../base/duration.ts';
import { Problem } from '../../base/problem.ts';
import { clearCaches, type Session } from './session.ts';

/** The time of a session. */
export interface ClockState {
  /** A date-time of RFC 3339. */
  readonly now: string;
  readonly frozen: boolean;
  /** How operations past their sunset are answered. */
  readonly sunset: SunsetMode;
}

/** A change of the clock of a session. Missing members stay as they are. */
export interface ClockChange {
  /** A date, or a date-time with its zone. */
  readonly now?: string | Date;
  readonly frozen?: boolean;
  /** How far to go on, after `now`: milliseconds, or a duration of ISO 8601. */
  readonly advance?: number | string;
  readonly sunset?: SunsetMode;
}

/** Reads the clock of a session. */
export function readClock({ clock, sunset, service }: Session): ClockState {
  return { now: toDateTime(clock.now()), frozen: clock.frozen, sunset: sunset ?? service.sunset };
}

/** Changes the clock of a session, and forgets what was answered under the former time. Throws a 422 Problem, and changes nothing then. */
export function changeClock(session: Session, { now, frozen, advance, sunset }: ClockChange): void {
  const { clock } = session;
  const set = now === undefined ? clock.now() : readTime(now);
  const time = advance === undefined ? set : addTime(set, advance);
  if (!isInRange(time)) throw clockInvalid('The clock of a session shows the years 1970 to 9999.');
  if (sunset !== undefined) session.sunset = checkMode(sunset);
  if (frozen === false) clock.resume();
  // Not set and then frozen, because a millisecond may pass in between.
  if (frozen === true) clock.freeze(time);
  else if (now !== undefined || advance !== undefined) clock.set(time);
  clearCaches(session);
}

function checkMode(mode: SunsetMode): SunsetMode {
  if (SUNSET_MODES.includes(mode)) return mode;
  throw clockInvalid(`A sunset is rehearsed as ${SUNSET_MODES.join(', ')}.`);
}

function readTime(now: string | Date): number {
  const time = parseInstant(now);
  if (time !== undefined) return time;
  throw clockInvalid('Write the time as a date, or with its zone, like 2027-01-01T00:00:00Z.');
}

function addTime(time: number, advance: number | string): number {
  const isText = typeof advance === 'string';
  const later = isText ? addDuration(time, advance) : time + advance;
  const isForward = isText || (advance >= 0 && advance <= LATEST);
  if (later !== undefined && isForward) return Math.floor(later);
  throw clockInvalid('Write how far to advance as milliseconds, or as a duration like P30D or PT1H30M.');
}

function clockInvalid(message: string): Problem {
  return new Problem(422, 'clock_invalid', message);
}
