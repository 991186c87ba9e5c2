import type { MockOptions } from './service-options.ts';

/** The levels of the log, from nothing to everything. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** The formats of the log: for people and for programs. */
export const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The options of the command alone. */
interface CommandOptions {
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  /** The address to listen on. */
  readonly host: string;
  /** Open the overview of the mock in a browser. */
  readonly open: boolean;
  /** Reload document, fixtures and config file when they change. */
  readonly watch: boolean;
  /** Files for the coverage of the contract. */
  readonly report: readonly string[];
  /** The least share of operations to call, in percent. */
  readonly minCoverage: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Print with colors, on a terminal that has them. */
  readonly color: boolean;
}

/** The options that may be missing, or that only code can set. */
type Special =
  | 'baseUrl'
  | 'controlToken'
  | 'now'
  | 'spec'
  | 'state'
  | 'fixtures'
  | 'onExchange'
  | 'onNotice'
  | 'onError';

/** The command's options, once flags, environment and config file are read and defaults filled in. */
export interface Settings extends CommandOptions, Required<Omit<MockOptions, Special>> {
  readonly baseUrl?: string;
  readonly controlToken?: string;
  readonly now?: string;
  readonly spec?: string;
  readonly fixtures?: string;
  readonly state?: string;
}
