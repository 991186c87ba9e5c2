/** A source of the time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The system time. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

/** The last millisecond of the year 9999, after which RFC 3339 has no text for a time. */
export const LATEST = 253_402_300_799_999;

/** Whether a time lies in the years 1970 to 9999. */
export function isInRange(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds <= LATEST;
}

/** The clock of a session: the system time until it is set or frozen. A class, because every session has one. */
export class SessionClock implements Clock {
  /** The milliseconds by which it is ahead of the system time. */
  #ahead = 0;
  #frozenAt: number | undefined;

  /** Begins at a time and goes on from there; without one, shows the system time. */
  constructor(start?: number) {
    this.reset(start);
  }

  now(): number {
    return this.#frozenAt ?? Math.min(Date.now() + this.#ahead, LATEST);
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Sets the time. A frozen clock stays frozen. */
  set(milliseconds: number): void {
    if (this.#frozenAt === undefined) this.#ahead = milliseconds - Date.now();
    else this.#frozenAt = milliseconds;
  }

  /** Stops at a time. */
  freeze(milliseconds: number): void {
    this.#frozenAt = milliseconds;
  }

  /** Goes on from the time at which it was frozen. */
  resume(): void {
    const now = this.now();
    this.#frozenAt = undefined;
    this.set(now);
  }

  /** Begins anew. */
  reset(start: number | undefined): void {
    this.#frozenAt = undefined;
    this.#ahead = start === undefined ? 0 : start - Date.now();
  }
}

/** Returns the current year in UTC. */
export function currentYear(): number {
  return toDate(Date.now()).getUTCFullYear();
}

/** Creates a `Date` from milliseconds since the epoch; no other file does. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Parses what `parseInstant` reads to whole Unix seconds. */
export function parseTimestamp(value: unknown): number | undefined {
  const milliseconds = parseInstant(value);
  return milliseconds === undefined ? undefined : Math.floor(milliseconds / 1000);
}

/**
 * Parses an RFC 3339 date (as its first moment in UTC) or date-time with zone to milliseconds since the epoch. Returns `undefined` for
 * anything else, including nonexistent days and times without zone, which `Date.parse` would guess.
 */
export function parseInstant(value: unknown): number | undefined {
  // A document given in process may contain a Date.
  const text = value instanceof Date ? toIso(value.getTime()) : String(value).toUpperCase();
  const day = DATE_TIME.exec(text ?? '')?.[1];
  if (text === undefined || day === undefined) return undefined;
  const exists = toIso(Date.parse(`${day}T00:00:00Z`))?.startsWith(day);
  const milliseconds = Date.parse(text);
  return exists && !Number.isNaN(milliseconds) ? milliseconds : undefined;
}

function toIso(milliseconds: number): string | undefined {
  return Number.isNaN(milliseconds) ? undefined : toDate(milliseconds).toISOString();
}

/** Formats a date-time of RFC 3339 in UTC. */
export function toDateTime(milliseconds: number): string {
  return toDate(milliseconds).toISOString();
}

/** Formats an IMF-fixdate (RFC 9110 section 5.6.7). */
export function toHttpDate(seconds: number): string {
  return toDate(seconds * 1000).toUTCString();
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec';
const MONTH = `(${MONTHS.replaceAll(' ', '|')})`;
const TIME = '(\\d\\d):(\\d\\d):(\\d\\d)';
const IMF_FIXDATE = new RegExp(`^[A-Z][a-z]{2}, (\\d\\d) ${MONTH} (\\d{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(`^[A-Z][a-z]{5,8}, (\\d\\d)-${MONTH}-(\\d\\d) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^[A-Z][a-z]{2} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`);

/**
 * Parses a date of a header, in each of the three formats that RFC 9110 section 5.6.7 has, to Unix seconds. Returns `undefined` for
 * anything else. A year of two digits is the last one that is at most 50 years ahead.
 */
export function parseHttpDate(text: string): number | undefined {
  const [, day, month, year, ...time] = IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? toDayFirst(text);
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  const index = MONTHS.indexOf(month) / 4;
  const whole = year.length === 2 ? toWholeYear(Number(year)) : Number(year);
  const midnight = Date.UTC(whole, index, Number(day));
  // A leap second is the one after it. `Date.UTC` takes years below 100 for those of the last century.
  const exists = toDate(midnight).getUTCDate() === Number(day) && hour < 24 && minute < 60 && second <= 60;
  return exists && whole >= 100 ? midnight / 1000 + hour * 3600 + minute * 60 + second : undefined;
}

/** The parts of an `asctime` date in the order of the other formats. */
function toDayFirst(text: string): readonly (string | undefined)[] {
  const [all, month, day, hour, minute, second, year] = ASCTIME.exec(text) ?? [];
  return [all, day, month, year, hour, minute, second].filter((part) => part !== undefined);
}

function toWholeYear(year: number): number {
  const latest = currentYear() + 50;
  return latest - ((((latest - year) % 100) + 100) % 100);
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
