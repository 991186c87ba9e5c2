import type { FaultRule } from './faults.ts';
import type { LifecycleFacts } from './lifecycle.ts';
import { isObject } from './schema.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Everything that can be set, by flag, environment variable or config file. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly spec: string | undefined;
  readonly fixtures: string | undefined;
  readonly empty: boolean;
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

/** A value that was read, or the sentence that says why it could not be. */
export type Reading = { readonly value: unknown } | { readonly mistake: string };

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
    description: 'the OpenAPI 3.0 document to serve (default: the pet store)',
    initial: undefined,
    read: text,
    path: true,
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
    description: LOG_LEVELS.join(', '),
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
    key: 'lifecycle',
    description: 'deprecation and stability of operations, over what the document says',
    initial: {},
    read: lifecycle,
  },
];

function text(value: unknown): Reading {
  return typeof value === 'string' && value !== ''
    ? { value }
    : { mistake: 'must be a text that is not empty' };
}

function truth(value: unknown): Reading {
  if (value === true || value === 'true' || value === '1') return { value: true };
  if (value === false || value === 'false' || value === '0') return { value: false };
  return { mistake: 'must be true or false' };
}

function integer(low: number, high: number): (value: unknown) => Reading {
  return (value) => {
    const number = toInteger(value);
    if (number !== undefined && number >= low && number <= high) return { value: number };
    return { mistake: `must be an integer from ${low} to ${high}` };
  };
}

function oneOf(words: readonly string[]): (value: unknown) => Reading {
  return (value) =>
    words.includes(value as string) ? { value } : { mistake: `must be one of ${words.join(', ')}` };
}

function delay(value: unknown): Reading {
  const bounds = typeof value === 'string' ? value.split('-').map(toInteger) : [value].flat().map(toInteger);
  const [from, to = from] = bounds;
  if (from === undefined || to === undefined || bounds.length > 2 || from > to || to > MAX_DELAY_MS) {
    return { mistake: `must be milliseconds up to ${MAX_DELAY_MS}, like 200, or a range, like 100-500` };
  }
  return { value: [from, to] };
}

/** Ten minutes: no client waits longer, and a timer of more than 24 days would fire at once. */
const MAX_DELAY_MS = 600_000;

const RULE_MEMBERS: Readonly<Record<keyof FaultRule, (value: unknown) => boolean>> = {
  operation: (value) => typeof value === 'string',
  status: (value) => toInteger(value) !== undefined,
  code: (value) => typeof value === 'string',
  message: (value) => typeof value === 'string',
  headers: (value) => isObject(value) && Object.values(value).every((member) => typeof member === 'string'),
  delay: (value) => 'value' in delay(value) && typeof value === 'number',
  probability: (value) => typeof value === 'number',
  times: (value) => toInteger(value) !== undefined,
};

function rules(value: unknown): Reading {
  const list = [value].flat();
  for (const rule of list) {
    const mistake = typeof rule === 'string' ? undefined : findWrongMember(rule, RULE_MEMBERS, ['operation']);
    if (mistake) return { mistake: `must be rules like "getPet=503" or objects: ${mistake}` };
  }
  return { value: list };
}

const isText = (value: unknown): boolean => typeof value === 'string';

const LIFECYCLE_MEMBERS: Readonly<Record<keyof LifecycleFacts, (value: unknown) => boolean>> = {
  deprecated: (value) => typeof value === 'boolean',
  deprecation: isText,
  sunset: isText,
  successor: isText,
  deprecationLink: isText,
  sunsetLink: isText,
  stability: isText,
};

function lifecycle(value: unknown): Reading {
  if (!isObject(value) || Array.isArray(value)) return { mistake: 'must map operations to their lifecycle' };
  for (const [operation, facts] of Object.entries(value)) {
    const mistake = findWrongMember(facts, LIFECYCLE_MEMBERS, []);
    if (mistake) return { mistake: `must be right for ${operation}: ${mistake}` };
  }
  return { value };
}

function findWrongMember(
  value: unknown,
  members: Readonly<Record<string, (value: unknown) => boolean>>,
  required: readonly string[],
): string | undefined {
  if (!isObject(value) || Array.isArray(value)) return 'expected an object';
  for (const name of required) if (!(name in value)) return `"${name}" is missing`;
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(members, name))
      return `"${name}" is unknown; there are ${Object.keys(members).join(', ')}`;
    if (!members[name]?.(member)) return `"${name}" can't be ${JSON.stringify(member)}`;
  }
  return undefined;
}

function toInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}
