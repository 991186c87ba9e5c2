/** The clock of a session. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The system time. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

/** Returns the current year in UTC. */
export function currentYear(): number {
  return toDate(Date.now()).getUTCFullYear();
}

/** Creates a `Date` from milliseconds since the epoch; no other file does. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * Parses an RFC 3339 date (as its first second in UTC) or date-time with zone to whole Unix seconds. Returns `undefined` for anything
 * else, including nonexistent days and times without zone, which `Date.parse` would guess.
 */
export function parseTimestamp(value: unknown): number | undefined {
  // A document given in process may contain a Date.
  const text = value instanceof Date ? toIso(value.getTime()) : String(value).toUpperCase();
  const day = DATE_TIME.exec(text ?? '')?.[1];
  if (text === undefined || day === undefined) return undefined;
  const exists = toIso(Date.parse(`${day}T00:00:00Z`))?.startsWith(day);
  const milliseconds = Date.parse(text);
  return exists && !Number.isNaN(milliseconds) ? Math.floor(milliseconds / 1000) : undefined;
}

function toIso(milliseconds: number): string | undefined {
  return Number.isNaN(milliseconds) ? undefined : toDate(milliseconds).toISOString();
}

/** Formats an IMF-fixdate (RFC 9110 section 5.6.7). */
export function toHttpDate(seconds: number): string {
  return toDate(seconds * 1000).toUTCString();
}

/** Formats a date such as `2027-06-30`, with the time unless it is midnight UTC. */
export function toDay(seconds: number): string {
  const text = toDate(seconds * 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000', '');
}

/** The real time of a moment by `performance.now()`, in ISO 8601. */
export function toRealTime(moment: number): string {
  return toDate(performance.timeOrigin + moment).toISOString();
}
