import { SUNSET_MODES } from '../../answer/lifecycle/lifecycle.ts';
import { isInRange, parseInstant, toDateTime } from '../../base/clock.ts';
import type { OptionTable } from './option.ts';
import { isString, mustBe, type ReadResult, readOneOf } from './option-readers.ts';
import { toChoice } from './option-schemas.ts';

/** The options of the time of sessions. */
export const CLOCK_OPTIONS: Pick<OptionTable, 'now' | 'sunset'> = {
  now: {
    flag: '--now <time>',
    description: 'when the clock of every session begins, like 2027-01-01T00:00:00Z; it goes on from there',
    default: undefined,
    defaultText: 'the system time',
    scope: 'both',
    read: readTime,
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt].*)?$' },
  },
  sunset: {
    flag: '--sunset <mode>',
    description: 'answers past a sunset: warn, brownout (a growing share of 503) or gone (410)',
    default: 'warn',
    scope: 'both',
    read: readOneOf(SUNSET_MODES),
    schema: toChoice(SUNSET_MODES),
  },
};

/** Reads a date or a date-time in the years 1970 to 9999. */
function readTime(given: unknown): ReadResult<string> {
  const time = isString(given) || given instanceof Date ? parseInstant(given) : undefined;
  if (time === undefined || !isInRange(time)) {
    return mustBe(
      'a date, or a date-time with its zone, like 2027-01-01T00:00:00Z, from 1970 to 9999',
      given,
    );
  }
  return { value: isString(given) ? given : toDateTime(time) };
}
