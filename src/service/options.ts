import { LOOPBACK } from '../message/message.ts';
import { readDelays, readLifecycle, readResources, readRules } from './object-readers.ts';
import type { Option, OptionTable } from './option.ts';
import {
  readBoolean,
  readDocumentInCode,
  readFixturesInCode,
  readFunction,
  readIntegerBetween,
  readOneOf,
  readOrigins,
  readStateless,
  readStatelessInCode,
  readString,
} from './option-readers.ts';
import { LOG_FORMATS, LOG_LEVELS } from './settings.ts';

/** The one table of options: flags, variables, config file, `--help`, the library's options and the README follow from it. */
export const OPTIONS: OptionTable = {
  port: {
    flag: '--port <port>',
    description: 'the port to listen on; 0 picks a free one',
    default: 4010,
    scope: 'command',
    read: readIntegerBetween(0, 65_535),
    fixed: true,
  },
  host: {
    flag: '--host <host>',
    description: 'the address to listen on; 0.0.0.0 lets other machines in',
    default: '127.0.0.1',
    scope: 'command',
    read: readString,
    fixed: true,
  },
  spec: {
    flag: '--spec <file|url>',
    description:
      'the document to serve: OpenAPI 3.0 or 3.1 or Swagger 2.0, YAML or JSON; - reads standard input',
    default: undefined,
    defaultText: 'the pet store',
    scope: 'both',
    read: readString,
    readInCode: readDocumentInCode,
    path: true,
  },
  allowRemoteRefs: {
    flag: '--allow-remote-refs',
    description: "follow the document's references to other hosts",
    default: false,
    scope: 'both',
    read: readBoolean,
  },
  auth: {
    flag: '--no-auth',
    description: 'do not require the credentials that the document declares',
    default: true,
    scope: 'both',
    read: readBoolean,
  },
  strictAuth: {
    flag: '--strict-auth',
    description: 'refuse wrong passwords, and names and tokens that no user of the mock has',
    default: false,
    scope: 'both',
    read: readBoolean,
  },
  strict: {
    flag: '--strict',
    description: 'refuse query parameters and members of bodies that are probably mistyped',
    default: false,
    scope: 'both',
    read: readBoolean,
  },
  fixtures: {
    flag: '--fixtures <dir|file>',
    description:
      'entities to start with: a directory of lists (pets.json, orders.yaml, ...), or one file of all',
    default: undefined,
    defaultText: "the pet store's own, or generated entities",
    scope: 'both',
    read: readString,
    readInCode: readFixturesInCode,
    path: true,
  },
  empty: {
    flag: '--empty',
    description: 'start without entities',
    default: false,
    scope: 'both',
    read: readBoolean,
  },
  stateless: {
    flag: '--stateless [resources]',
    description: 'keep no state, or none for these (orders,pets): answer from examples and schemas',
    default: false,
    scope: 'both',
    read: readStateless,
    readInCode: readStatelessInCode,
  },
  seed: {
    flag: '--seed <number>',
    description: 'the number that decides all generated values and random choices',
    default: 1,
    scope: 'both',
    read: readIntegerBetween(0, Number.MAX_SAFE_INTEGER),
  },
  watch: {
    flag: '--watch',
    description: 'reload document, fixtures and config file when they change; state and port stay',
    default: false,
    scope: 'command',
    read: readBoolean,
    fixed: true,
  },
  delay: {
    flag: '--delay <ms|min-max>',
    description: 'wait this many milliseconds before every answer, or OPERATION=MS for one; repeatable',
    default: 0,
    scope: 'both',
    read: readDelays,
    list: true,
  },
  errors: {
    flag: '--error <rule>',
    description: 'answer with an error: OPERATION=STATUS[:CODE][@PROBABILITY][xTIMES]; repeatable',
    default: [],
    scope: 'both',
    read: readRules,
    list: true,
  },
  cors: {
    flag: '--no-cors',
    description: 'send no CORS headers',
    default: true,
    scope: 'both',
    read: readBoolean,
    fixed: true,
  },
  corsOrigin: {
    flag: '--cors-origin <origin>',
    description: 'an origin that may send credentials, or loopback for all on this machine; repeatable',
    default: [LOOPBACK],
    defaultText: LOOPBACK,
    scope: 'both',
    read: readOrigins,
    list: true,
    fixed: true,
  },
  logLevel: {
    flag: '--log-level <level>',
    description: 'silent, error, warn, info or debug; debug adds headers and bodies, with credentials hidden',
    default: 'info',
    scope: 'command',
    read: readOneOf(LOG_LEVELS),
    fixed: true,
  },
  logFormat: {
    flag: '--log-format <format>',
    description: 'pretty or json',
    default: 'pretty',
    scope: 'command',
    read: readOneOf(LOG_FORMATS),
    fixed: true,
  },
  color: {
    flag: '--no-color',
    description: 'print without colors',
    default: true,
    scope: 'command',
    read: readBoolean,
    fixed: true,
  },
  resources: {
    description: 'which resources have state, over what is inferred from the document',
    default: {},
    scope: 'both',
    read: readResources,
  },
  lifecycle: {
    description: 'deprecation and stability of operations, over what the document says',
    default: {},
    scope: 'both',
    read: readLifecycle,
  },
  onExchange: {
    description: 'a function to call after every answer',
    default: undefined,
    scope: 'library',
    read: readFunction,
  },
  onError: {
    description: 'a function to call with errors that no exchange shows',
    default: undefined,
    scope: 'library',
    read: readFunction,
  },
};

const ALL: readonly Option[] = Object.entries(OPTIONS).map(([name, option]) => ({ name, ...option }));

/** The options of `createMock`. */
export const LIBRARY_OPTIONS: readonly Option[] = ALL.filter(({ scope }) => scope !== 'command');

/** The options that the command takes from flags, environment and config file. */
export const COMMAND_OPTIONS: readonly Option[] = ALL.filter(({ scope }) => scope !== 'library');

/** The option that names the config file: a flag and a variable, but nothing in the file itself. */
export const CONFIG_OPTION: Omit<Option, 'scope' | 'read'> = {
  name: 'config',
  flag: '--config <file>',
  description: 'a JSON or YAML file with options',
  default: undefined,
  defaultText: 'petstore-mock.config.json, .yaml or .yml, if there is one',
};
