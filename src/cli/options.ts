import type { FaultRule } from '../faults.ts';
import type { LifecycleFacts } from '../lifecycle/facts.ts';
import {
  delay,
  integer,
  lifecycle,
  oneOf,
  type Reading,
  resources,
  rules,
  stateless,
  text,
  truth,
} from '../option-readers.ts';
import type { ResourceOverrides } from '../resources.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Everything that can be set, by flag, environment variable or config file. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly spec: string | undefined;
  readonly allowRemoteRefs: boolean;
  readonly auth: boolean;
  readonly fixtures: string | undefined;
  readonly empty: boolean;
  readonly stateless: boolean | readonly string[];
  readonly resources: ResourceOverrides;
  readonly seed: number;
  readonly watch: boolean;
  readonly delay: number | readonly [from: number, to: number];
  readonly errors: readonly (string | FaultRule)[];
  readonly cors: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly color: boolean;
  readonly lifecycle: Readonly<Record<string, LifecycleFacts>>;
}

/** One option in all its forms. */
export interface Option {
  readonly key: keyof Settings;
  /** The flag as `commander` declares it; none for what only a file can hold. */
  readonly flag?: string;
  readonly description: string;
  readonly initial: unknown;
  /** Reads a text from the command line or the environment, or a value from the config file. */
  readonly read: (value: unknown) => Reading;
  /** Whether it names a file, which is relative to where it was named. */
  readonly path?: boolean;
  /** Whether the flag may be repeated, and the variable hold several values with `;` in between. */
  readonly list?: boolean;
}

/** The one table that flags, variables, config file and `--help` come from. */
export const OPTIONS: readonly Option[] = [
  {
    key: 'port',
    flag: '--port <port>',
    description: 'the port to listen on; 0 takes a free one',
    initial: 4010,
    read: integer(0, 65_535),
  },
  {
    key: 'host',
    flag: '--host <host>',
    description: 'the address to listen on; 0.0.0.0 lets other machines in',
    initial: '127.0.0.1',
    read: text,
  },
  {
    key: 'spec',
    flag: '--spec <file|url>',
    description: 'the OpenAPI or Swagger document to serve; - reads standard input (default: the pet store)',
    initial: undefined,
    read: text,
    path: true,
  },
  {
    key: 'allowRemoteRefs',
    flag: '--allow-remote-refs',
    description: "let the document's references lead to other hosts",
    initial: false,
    read: truth,
  },
  {
    key: 'auth',
    flag: '--no-auth',
    description: 'do not check that requests have the credentials that the document asks for',
    initial: true,
    read: truth,
  },
  {
    key: 'fixtures',
    flag: '--fixtures <dir>',
    description: 'a directory with a JSON or YAML file of entities for each resource',
    initial: undefined,
    read: text,
    path: true,
  },
  {
    key: 'empty',
    flag: '--empty',
    description: 'start without entities',
    initial: false,
    read: truth,
  },
  {
    key: 'stateless',
    flag: '--stateless [resources]',
    description: "keep no state, or none of these: answer from the document's examples and schemas alone",
    initial: false,
    read: stateless,
  },
  {
    key: 'seed',
    flag: '--seed <number>',
    description: 'decides every generated value and every chance',
    initial: 1,
    read: integer(0, Number.MAX_SAFE_INTEGER),
  },
  {
    key: 'watch',
    flag: '--watch',
    description: 'reload document, fixtures and config file when they change',
    initial: false,
    read: truth,
  },
  {
    key: 'delay',
    flag: '--delay <ms|min-max>',
    description: 'wait before every answer',
    initial: 0,
    read: delay,
  },
  {
    key: 'errors',
    flag: '--error <rule>',
    description: 'answer with an error: OPERATION=STATUS[:CODE][@PROBABILITY][xTIMES]; repeatable',
    initial: [],
    read: rules,
    list: true,
  },
  {
    key: 'cors',
    flag: '--no-cors',
    description: 'send no CORS headers',
    initial: true,
    read: truth,
  },
  {
    key: 'logLevel',
    flag: '--log-level <level>',
    description: `${LOG_LEVELS.join(', ')} (headers and bodies too)`,
    initial: 'info',
    read: oneOf(LOG_LEVELS),
  },
  {
    key: 'logFormat',
    flag: '--log-format <format>',
    description: LOG_FORMATS.join(' or '),
    initial: 'pretty',
    read: oneOf(LOG_FORMATS),
  },
  {
    key: 'color',
    flag: '--no-color',
    description: 'print without colors',
    initial: true,
    read: truth,
  },
  {
    key: 'resources',
    description: 'what has state, over what is inferred from the document',
    initial: {},
    read: resources,
  },
  {
    key: 'lifecycle',
    description: 'deprecation and stability of operations, over what the document says',
    initial: {},
    read: lifecycle,
  },
];
