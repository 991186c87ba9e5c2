/** Tells the time of a session. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The time of the machine. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

/** The running year, UTC. */
export function currentYear(): number {
  return toDate(Date.now()).getUTCFullYear();
}

/** A `Date` of milliseconds since the epoch; no other file makes one. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * The instant of an RFC 3339 date (its first second, UTC) or date-time with zone, in whole Unix seconds. `undefined` for
 * anything else, days that do not exist and times without zone included: `Date.parse` would guess at those.
 */
export function parseTimestamp(value: unknown): number | undefined {
  // An object document may hold a Date already.
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

/** An IMF-fixdate (RFC 9110 section 5.6.7). */
export function toHttpDate(seconds: number): string {
  return toDate(seconds * 1000).toUTCString();
}

/** `2027-06-30`, or with the time where it is not midnight UTC. */
export function toDay(seconds: number): string {
  const text = toDate(seconds * 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('.000', '');
}
