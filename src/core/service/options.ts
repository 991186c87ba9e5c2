import { CLOCK_OPTIONS } from './clock-options.ts';
import { COVERAGE_OPTIONS } from './coverage-options.ts';
import { FAULT_OPTIONS } from './fault-options.ts';
import { LOG_OPTIONS } from './log-options.ts';
import { CLIENT_OPTIONS, LISTEN_OPTIONS } from './network-options.ts';
import { LIFECYCLE_SCHEMA, RESOURCES_SCHEMA, readLifecycle, readResources } from './object-readers.ts';
import type { OptionTable } from './option.ts';
import {
  readBoolean,
  readDocumentInCode,
  readFixturesInCode,
  readFunction,
  readSeed,
  readStateless,
  readStatelessInCode,
  readString,
  STATELESS_SCHEMA,
} from './option-readers.ts';
import { TEXT, TRUTH, toIntegerSchema } from './option-schemas.ts';
import { STATE_FILE_OPTIONS } from './state-file-options.ts';
import { TEST_OPTIONS } from './test-options.ts';

/** The one table of options: flags, variables, config file, `--help`, the library's options and the README follow from it. */
export const OPTIONS: OptionTable = {
  ...LISTEN_OPTIONS,
  spec: {
    flag: '--spec <file|url>',
    description:
      'the document to serve: OpenAPI 3.0 to 3.2 or Swagger 2.0, YAML or JSON; - reads standard input',
    default: undefined,
    defaultText: 'the pet store',
    scope: 'both',
    read: readString,
    schema: TEXT,
    readInCode: readDocumentInCode,
    path: true,
  },
  allowRemoteRefs: {
    flag: '--allow-remote-refs',
    description: "follow the document's references to other hosts",
    default: false,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
  },
  auth: {
    flag: '--no-auth',
    description: 'do not require the credentials that the document declares',
    default: true,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
  },
  strictAuth: {
    flag: '--strict-auth',
    description: 'refuse wrong passwords, and names and tokens that no user of the mock has',
    default: false,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
  },
  strict: {
    flag: '--strict',
    description: 'refuse query parameters and members of bodies that are probably mistyped',
    default: false,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
  },
  fixtures: {
    flag: '--fixtures <dir|file>',
    description:
      'entities to start with: a directory of lists (pets.json, orders.yaml, ...), or one file of all',
    default: undefined,
    defaultText: "the pet store's own, or generated entities",
    scope: 'both',
    read: readString,
    schema: TEXT,
    readInCode: readFixturesInCode,
    path: true,
  },
  empty: {
    flag: '--empty',
    description: 'start without entities',
    default: false,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
  },
  stateless: {
    flag: '--stateless [resources]',
    description: 'keep no state, or none for these (orders,pets): answer from examples and schemas',
    default: false,
    scope: 'both',
    read: readStateless,
    schema: STATELESS_SCHEMA,
    readInCode: readStatelessInCode,
  },
  dynamic: {
    flag: '--dynamic',
    description: 'make up answers without state, as "Prefer: dynamic=true" does, instead of taking examples',
    default: false,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
  },
  seed: {
    flag: '--seed <number|text>',
    description: 'the number or text that decides all generated values and random choices',
    default: 1,
    scope: 'both',
    read: readSeed,
    schema: { anyOf: [toIntegerSchema(0, Number.MAX_SAFE_INTEGER), TEXT] },
  },
  watch: {
    flag: '--watch',
    description: 'reload document, fixtures and config file when they change; state and port stay',
    default: false,
    scope: 'command',
    read: readBoolean,
    schema: TRUTH,
    fixed: true,
  },
  ...FAULT_OPTIONS,
  ...CLOCK_OPTIONS,
  ...STATE_FILE_OPTIONS,
  ...TEST_OPTIONS,
  ...COVERAGE_OPTIONS,
  ...CLIENT_OPTIONS,
  ...LOG_OPTIONS,
  resources: {
    description: 'which resources have state, over what is inferred from the document',
    default: {},
    scope: 'both',
    read: readResources,
    schema: RESOURCES_SCHEMA,
  },
  lifecycle: {
    description: 'deprecation and stability of operations, over what the document says',
    default: {},
    scope: 'both',
    read: readLifecycle,
    schema: LIFECYCLE_SCHEMA,
  },
  onExchange: {
    description: 'a function to call after every answer',
    default: undefined,
    scope: 'library',
    read: readFunction,
  },
  onNotice: {
    description: 'a function to call with what happens beside requests',
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
