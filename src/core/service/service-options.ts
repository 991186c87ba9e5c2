import type { DelayOption, FaultRule } from '../../answer/faults/faults.ts';
import type { LifecycleFacts, SunsetMode } from '../../answer/lifecycle/lifecycle.ts';
import type { ResourceOverrides } from '../../model/resources/resources.ts';
import type { FixturesOrigin } from '../../state/seeding/seeding.ts';
import type { JournalEntry } from '../journal/journal.ts';

/** The options that decide how a mock answers. A reload can change all of them. */
export interface ServiceOptions {
  /** The OpenAPI document: a file, a URL or the parsed object. Default: the pet store. */
  readonly spec?: string | object;
  /** Follow the document's references to other hosts. Default: false. */
  readonly allowRemoteRefs?: boolean;
  /** Require the credentials that the document declares. Only their form is checked. Default: true. */
  readonly auth?: boolean;
  /** Refuse wrong passwords, unknown names and unknown tokens. Default: false. */
  readonly strictAuth?: boolean;
  /** Refuse query parameters and members of bodies that are probably mistyped, instead of naming them in a warning. Default: false. */
  readonly strict?: boolean;
  /**
   * The entities to start with: a directory with a file for each resource, one file with all of them, or an object with a list for each,
   * such as `{ pets: [...] }`. Default: the pet store's own, or generated entities.
   */
  readonly fixtures?: FixturesOrigin;
  /** Start without entities. Default: false. */
  readonly empty?: boolean;
  /**
   * Where clients reach the mock, if a proxy does not say so: a URL or a path, such as `https://app.example.com/api` or `/api`. Links
   * begin with it.
   */
  readonly baseUrl?: string;
  /** The path below which the mock answers about itself, where the document has `/__mock` for something else. Default: `/__mock`. */
  readonly controlPath?: string;
  /** Keep no state, or none for these resources: answer from the document's examples and schemas. Default: false. */
  readonly stateless?: boolean | readonly string[];
  /** Which resources have state, by name. Overrides what is inferred from the document. */
  readonly resources?: ResourceOverrides;
  /** Make up answers without state instead of taking the document's examples. Default: false. */
  readonly dynamic?: boolean;
  /** Decides all generated values and random choices: a number or any text. Default: 1. */
  readonly seed?: number | string;
  /**
   * Milliseconds to wait before every answer, or a range to pick each wait from. By operationId or label it is that of an operation,
   * such as `{ listPets: 2000 }`, and `*` stands for all others. Default: 0.
   */
  readonly delay?: DelayOption;
  /** Faults, usually in their short form: `getPet=503`. They are asked before `faults`. */
  readonly errors?: readonly (string | FaultRule)[];
  /** Faults, as objects or as short text. The first one that hits a request wins. */
  readonly faults?: readonly (string | FaultRule)[];
  /** Limits for the requests of a session, such as `10/1s` or `100/1m:by=X-Api-Key`. They are asked before all faults. Default: none. */
  readonly rateLimit?: readonly string[];
  /**
   * The time at which the clock of every session begins, and from which it goes on: a date, or a date-time with its zone. Default: the
   * system time.
   */
  readonly now?: string | Date;
  /**
   * How operations answer once their sunset has passed: as before (`warn`), with a 503 for a growing share of requests (`brownout`),
   * or with a 410 (`gone`). Default: warn.
   */
  readonly sunset?: SunsetMode;
  /** Deprecation and stability by operationId or label, such as `GET /books`. Overrides the document. */
  readonly lifecycle?: Readonly<Record<string, LifecycleFacts>>;
}

/** The usual path before everything that is about the mock itself. */
export const CONTROL_PATH = '/__mock';

/** Something that happened beside any request. */
export interface MockNotice {
  /** `session-evicted` or `state-file-changed` */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  readonly session: string;
}

/** The options of `createMock`. */
export interface MockOptions extends ServiceOptions {
  /**
   * Keep the state of the default session over restarts, in this file. It is written after changes and by `close`. Where it exists,
   * the session begins with it instead of the fixtures. Default: none.
   */
  readonly state?: string;
  /** Let clients read and change the mock itself, below `controlPath`. Default: true. */
  readonly control?: boolean;
  /** A Bearer token with which every machine, and pages of any origin under any host name, may use the control API. Default: none. */
  readonly controlToken?: string;
  /** The host names under which clients may use the control API, beside IP addresses and localhost. Default: none. */
  readonly allowedHosts?: readonly string[];
  /**
   * The other machines that may use the control API: addresses, networks such as `10.0.0.0/8`, `private` or `all`. Default: none, so only
   * this machine may.
   */
  readonly allowControlFrom?: readonly string[];
  /** The most sessions at a time, beside the default one. Default: 10,000. */
  readonly maxSessions?: number;
  /** The most memory that requests make the mock hold, in MiB. Beyond it they are answered 507. Default: 256. */
  readonly memory?: number;
  /** The most entries that the journal of a session has; 0 for none. They hold at most 8 MiB. Default: 250. */
  readonly journal?: number;
  /** Send CORS headers, so that web pages of any origin can use the mock. Default: true. */
  readonly cors?: boolean;
  /**
   * The origins that may send credentials, such as `https://app.example.com`; `loopback` stands for every origin on this machine.
   * Pages of all others can use the mock without credentials. Default: loopback.
   */
  readonly corsOrigin?: readonly string[];
  /** Called after every answer. A request for which it throws is answered 500. */
  readonly onExchange?: (exchange: JournalEntry) => void;
  /** Called with what happens beside requests, such as a session that was evicted. */
  readonly onNotice?: (notice: MockNotice) => void;
  /** Called with errors that no exchange shows: what `onExchange` threw, failures while an answer was sent, and a state file that cannot be written. */
  readonly onError?: (error: unknown) => void;
}
