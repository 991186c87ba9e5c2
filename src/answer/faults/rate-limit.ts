import type { Ledger } from '../../base/budget.ts';
import { type Cache, createCache } from '../../base/cache.ts';
import { addDuration } from '../../base/duration.ts';
import { LIMITS } from '../../base/limits.ts';
import type { HeaderFields, MockRequest } from '../../wire/message/message.ts';

/** A limit for the requests in each window of time. */
export interface RateLimit {
  /** The most requests in a window. */
  readonly most: number;
  /** The length of a window in milliseconds. */
  readonly window: number;
  /** The header by whose values requests are counted apart, in lower case; absent where all count together. */
  readonly by?: string;
}

/** The state of a limit after a request. */
export interface Quota {
  readonly policy: string;
  readonly limit: RateLimit;
  /** How many more requests the window allows. */
  readonly remaining: number;
  /** Until the next window, in seconds, rounded up. */
  readonly reset: number;
  /** Whether the request is past the limit. */
  readonly isExceeded: boolean;
}

const LIMIT = /^(\d{1,9})\/(.+?)(?::by=([\w!#$%&'*+.^`|~-]+))?$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a limit such as `10/1s` or `100/PT1M:by=X-Api-Key`; `undefined` for any other text. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, most, length = '', by] = LIMIT.exec(text) ?? [];
  const window = readWindow(length);
  if (most === undefined || window === undefined || !(window > 0)) return undefined;
  return { most: Number(most), window, ...(by !== undefined && { by: by.toLowerCase() }) };
}

/** Reads `1s`, `500ms`, `s` or a duration of ISO 8601, in milliseconds. */
function readWindow(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{0,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? addDuration(0, text) : Number(count === '' ? 1 : count) * factor;
}

/** Clients choose the values of headers, so only the latest are counted. */
const WINDOW_BOUNDS = { entries: LIMITS.rateCallers.value, bytes: 256 * 1024 };

interface Window {
  readonly start: number;
  count: number;
}

/** The counts of one limit in a session. */
export class RateCounter {
  readonly #policy: string;
  readonly #limit: RateLimit;
  readonly #windows: Cache<Window>;

  constructor(policy: string, limit: RateLimit, ledger: Ledger | undefined) {
    this.#policy = policy;
    this.#limit = limit;
    this.#windows = createCache(WINDOW_BOUNDS, ledger);
  }

  /** Releases what it holds. */
  end(): void {
    this.#windows.clear();
  }

  /** Counts a request at a time. One past the limit takes nothing from it. */
  take({ headers }: MockRequest, now: number): Quota {
    const { most, window: length, by } = this.#limit;
    const key = by === undefined ? '' : Object.hasOwn(headers, by) ? (headers[by] ?? '') : '';
    const known = this.#windows.get(key);
    // The clock may have been set back.
    const isOpen = known !== undefined && now >= known.start && now < known.start + length;
    const window = isOpen ? known : { start: now, count: 0 };
    const isExceeded = window.count >= most;
    if (!isExceeded) window.count += 1;
    if (!isOpen) this.#windows.set(key, window, key.length);
    return {
      policy: this.#policy,
      limit: this.#limit,
      remaining: most - window.count,
      reset: Math.ceil((window.start + length - now) / 1000),
      isExceeded,
    };
  }
}

/** The fields that announce limits (draft-ietf-httpapi-ratelimit-headers, sections 3 and 4). */
export function toQuotaHeaders(quotas: readonly Quota[]): HeaderFields {
  const write = (toItem: (quota: Quota) => string) => quotas.map(toItem).join(', ');
  return {
    'RateLimit-Policy': write(({ policy, limit }) => `"${policy}";q=${limit.most};w=${toSeconds(limit)}`),
    RateLimit: write(({ policy, remaining, reset }) => `"${policy}";r=${remaining};t=${reset}`),
  };
}

/** The field has whole seconds, and no zero. */
function toSeconds({ window }: RateLimit): number {
  return Math.ceil(window / 1000);
}
