/** One bound on what clients can make a mock hold, read or do. `docs/limits.md` is made from these. */
export interface Limit {
  readonly value: number;
  readonly unit: 'bytes' | 'milliseconds' | 'values' | 'items' | 'levels' | 'characters';
  /** The thing that is bounded. */
  readonly of: string;
  /** The consequence of going beyond the bound. */
  readonly beyond: string;
  /** The flag that changes it. */
  readonly flag?: string;
}

export const KIBIBYTE: number = 1024;
export const MEBIBYTE: number = 1024 * 1024;

/** The characters of a text that count as one value of a made-up answer. */
export const TEXT_SHARE = 20;

type LimitName =
  | 'memory'
  | 'sessions'
  | 'sessionIdle'
  | 'journalEntries'
  | 'journalBytes'
  | 'answerCache'
  | 'idempotencyKeys'
  | 'idempotencyKeyLength'
  | 'logins'
  | 'snapshots'
  | 'faults'
  | 'delay'
  | 'rateCallers'
  | 'retiredKeys'
  | 'headers'
  | 'body'
  | 'bodyDepth'
  | 'fieldDepth'
  | 'unfinishedBodies'
  | 'waitingRequests'
  | 'streams'
  | 'unreadEvents'
  | 'logUnread'
  | 'wholeAnswer'
  | 'answerValues'
  | 'answerDepth'
  | 'variantGrowth'
  | 'coverageKinds'
  | 'coverageCallers';

/** Every bound that a client can meet. A bound that only shortens a message stays beside that message. */
export const LIMITS: Readonly<Record<LimitName, Limit>> = {
  memory: {
    value: 256 * MEBIBYTE,
    unit: 'bytes',
    of: 'everything that requests make the mock hold, in all sessions together: entities, snapshots, uploads, faults, idempotency keys, journals and caches. Fixtures do not count',
    beyond:
      'caches go first, then expired tokens, then the oldest journal entries. The rest is never dropped: the request is answered 507 `limit_reached`',
    flag: '--memory',
  },
  sessions: {
    value: 10_000,
    unit: 'items',
    of: 'sessions beside the default one',
    beyond: 'the least recently used one is evicted, and its next request is answered 410 `session_lost`',
    flag: '--max-sessions',
  },
  sessionIdle: {
    value: 60 * 60 * 1000,
    unit: 'milliseconds',
    of: 'the time that a session lives without requests',
    beyond: 'the session is evicted, as above',
  },
  journalEntries: {
    // A thousand would live long enough for the collector to promote them, which would slow down POST by a quarter.
    value: 250,
    unit: 'items',
    of: 'the entries of the journal of a session',
    beyond: 'the oldest entry is dropped, and `verify` says how many are missing',
    flag: '--journal',
  },
  journalBytes: {
    value: 8 * MEBIBYTE,
    unit: 'bytes',
    of: 'the journal of a session',
    beyond: 'the oldest entries are dropped, as above',
  },
  answerCache: {
    value: 4 * MEBIBYTE,
    unit: 'bytes',
    of: 'each of the two caches of answers of a session',
    beyond: 'answers that were not used for long are made again',
  },
  idempotencyKeys: {
    value: 24 * 60 * 60 * 1000,
    unit: 'milliseconds',
    of: 'the time, by the clock of the session, for which an idempotency key is remembered',
    beyond: 'the key is free again',
  },
  idempotencyKeyLength: {
    value: 255,
    unit: 'characters',
    of: 'an idempotency key',
    beyond: 'the request is answered 400 `invalid_idempotency_key`',
  },
  logins: {
    value: 1000,
    unit: 'items',
    of: 'the logins of a session, with those that have expired',
    beyond: 'each new login takes the place of up to two that have expired. Valid ones stay',
  },
  snapshots: {
    value: 1000,
    unit: 'items',
    of: 'the snapshots of a session',
    beyond: 'the request is answered 409 `too_many_snapshots`',
  },
  faults: {
    value: 1000,
    unit: 'items',
    of: 'the faults of a session',
    beyond: 'the request is answered 409 `too_many_faults`',
  },
  delay: {
    value: 600_000,
    unit: 'milliseconds',
    of: 'a delay',
    beyond: 'the rule is refused with 422 `fault_invalid`',
  },
  rateCallers: {
    value: 1000,
    unit: 'items',
    of: 'the callers that one rate limit counts apart',
    beyond: 'the count of a caller that was not seen for long starts again',
  },
  retiredKeys: {
    value: 10_000,
    unit: 'items',
    of: 'the deleted keys of a resource that are not generated again',
    beyond: 'the oldest one may be generated again',
  },
  headers: {
    value: 16 * KIBIBYTE,
    unit: 'bytes',
    of: 'the request line and the headers of a request. The option `--max-http-header-size` of Node changes it',
    beyond: 'the request is answered 431 `headers_too_large`',
  },
  body: {
    value: MEBIBYTE,
    unit: 'bytes',
    of: 'the body of a request',
    beyond: 'the request is answered 413 `body_too_large`',
  },
  bodyDepth: {
    value: 200,
    unit: 'levels',
    of: 'the nesting of a body',
    beyond: 'JSON is refused with the finding `nesting-deep`, XML with 400 `malformed_xml`',
  },
  fieldDepth: {
    value: 50,
    unit: 'levels',
    of: 'the brackets in the name of a parameter or of a field of a form, as in `a[b][c]`',
    beyond: 'a parameter is refused; in a form the brackets are a part of the name',
  },
  unfinishedBodies: {
    value: 64 * MEBIBYTE,
    unit: 'bytes',
    of: 'all bodies that are still arriving',
    beyond: 'the one that stalled longest ago is answered 408 `request_timeout`',
  },
  waitingRequests: {
    value: 64 * MEBIBYTE,
    unit: 'bytes',
    of: 'all requests that wait for a delay',
    beyond: 'further requests are answered 503 `server_busy`',
  },
  streams: {
    value: 100,
    unit: 'items',
    of: 'the clients that follow `/__mock/events`',
    beyond: 'the request is answered 429 `too_many_streams`',
  },
  unreadEvents: {
    value: 4 * MEBIBYTE,
    unit: 'bytes',
    of: 'the events that wait for a client that does not read them',
    beyond: 'the stream ends',
  },
  logUnread: {
    value: MEBIBYTE,
    unit: 'bytes',
    of: 'the log that nobody has read yet',
    beyond: 'further requests are left out of it, and it says how many',
  },
  wholeAnswer: {
    value: 4 * MEBIBYTE,
    unit: 'characters',
    of: 'a list, a state or a snapshot that is sent whole',
    beyond:
      'it is sent while it is made, as fast as the client reads, without `Content-Length` and `ETag`, and the journal has no body of it. One that a fault damages or `Prefer: variant=` changes is made whole, and keeps others waiting meanwhile',
  },
  answerValues: {
    value: 50_000,
    unit: 'values',
    of: `a made-up answer. A text counts as a value for each ${TEXT_SHARE} characters`,
    beyond:
      'optional members go first, then lists become as short as they may be. Where that is not enough, the request is answered 500 `answer_too_large`',
  },
  answerDepth: {
    value: 400,
    unit: 'levels',
    of: 'the nesting of a made-up answer',
    beyond: 'as above',
  },
  variantGrowth: {
    value: MEBIBYTE,
    unit: 'characters',
    of: 'the text by which `Prefer: variant=` makes an answer longer',
    beyond: 'further values stay short',
  },
  coverageKinds: {
    value: 1000,
    unit: 'items',
    of: 'the kinds of breaches that the coverage counts one by one',
    beyond: 'further kinds are counted together, as `others`',
  },
  coverageCallers: {
    value: 50,
    unit: 'items',
    of: 'the callers, and the sessions, that the coverage names for a deprecated operation',
    beyond: 'the calls of others are counted, but not by name',
  },
};
