import { toDate } from './clock.ts';

/** Weeks may stand beside other units, as in RFC 5545's profiles and in every modern reader. Only seconds have a fraction. */
const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?$/;

/**
 * Adds an ISO 8601 duration, such as `P1M` or `PT90S`, to a time. Months are those of the calendar in UTC: one after January 31 is the
 * last day of February. Returns `undefined` for any other text, and NaN beyond the range of dates.
 */
export function addDuration(milliseconds: number, text: string): number | undefined {
  const parts = DURATION.exec(text);
  if (!parts) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number((part ?? '0').replace(',', '.')));
  const whole = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
  return addMonths(milliseconds, years * 12 + months) + Math.round(whole * 1000);
}

function addMonths(milliseconds: number, months: number): number {
  if (months === 0) return milliseconds;
  const date = toDate(milliseconds);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // A month that is too short runs over into the next one, whose day 0 is its last.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
