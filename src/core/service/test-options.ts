import { LIMITS, MEBIBYTE } from '../../base/limits.ts';
import { NETWORKS_SCHEMA, readNetworks } from './network-readers.ts';
import type { OptionTable } from './option.ts';
import { isString, mustBe, type ReadResult, readBoolean, readIntegerBetween } from './option-readers.ts';
import { type OptionSchema, TRUTH, toIntegerSchema } from './option-schemas.ts';
import { CONTROL_PATH } from './service-options.ts';

/** Plain segments, which need no escapes. */
const PLAIN_PATH = /^(\/[\w.~-]+)+$/;
const CONTROL_PATH_SCHEMA: OptionSchema = { type: 'string', pattern: PLAIN_PATH.source };

/** A Bearer token as RFC 6750 defines it. */
const TOKEN = /^[\w.~+/-]+=*$/;
const HOST_NAME = /^[A-Za-z\d]([\w.-]*[A-Za-z\d])?$/;

/** The options of what the mock offers to tests. */
export const TEST_OPTIONS: Pick<
  OptionTable,
  | 'maxSessions'
  | 'memory'
  | 'journal'
  | 'control'
  | 'controlPath'
  | 'controlToken'
  | 'allowedHosts'
  | 'allowControlFrom'
> = {
  maxSessions: {
    flag: '--max-sessions <number>',
    description: 'how many sessions may exist at a time; the least recently used one makes room',
    default: LIMITS.sessions.value,
    scope: 'both',
    read: readIntegerBetween(1, 1_000_000),
    schema: toIntegerSchema(1, 1_000_000),
    fixed: true,
  },
  memory: {
    flag: '--memory <MiB>',
    description: 'how much memory requests may make the mock hold; beyond it they are answered 507',
    default: LIMITS.memory.value / MEBIBYTE,
    scope: 'both',
    read: readIntegerBetween(1, 1_000_000),
    schema: toIntegerSchema(1, 1_000_000),
    fixed: true,
  },
  journal: {
    flag: '--journal <number>',
    description: 'how many requests the journal of each session keeps, up to 8 MiB of them; 0 keeps none',
    default: LIMITS.journalEntries.value,
    scope: 'both',
    read: readIntegerBetween(0, 100_000),
    schema: toIntegerSchema(0, 100_000),
    fixed: true,
  },
  control: {
    flag: '--no-control',
    description: 'switch off the control API',
    default: true,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
    fixed: true,
  },
  controlPath: {
    flag: '--control-path <path>',
    description: 'the path of sessions and of the control API, where the document uses /__mock itself',
    default: CONTROL_PATH,
    scope: 'both',
    read: readControlPath,
    schema: CONTROL_PATH_SCHEMA,
  },
  controlToken: {
    flag: '--control-token <token>',
    description:
      'a Bearer token that opens the control API to other machines, pages of other sites and other host names',
    default: undefined,
    defaultText: 'none',
    scope: 'both',
    read: readToken,
    schema: { type: 'string', pattern: TOKEN.source },
    fixed: true,
  },
  allowedHosts: {
    flag: '--allowed-hosts <name>',
    description: 'a host name for the control API, beside IP addresses and localhost; repeatable',
    default: [],
    defaultText: 'none',
    scope: 'both',
    read: readHostNames,
    schema: { type: 'array', items: { type: 'string', pattern: HOST_NAME.source } },
    list: true,
    fixed: true,
  },
  allowControlFrom: {
    flag: '--allow-control-from <net>',
    description:
      'other machines that may use the control API: addresses, networks like 10.0.0.0/8, private or all; repeatable',
    default: [],
    defaultText: 'this machine alone',
    scope: 'both',
    read: readNetworks,
    schema: NETWORKS_SCHEMA,
    list: true,
    fixed: true,
  },
};

function readToken(given: unknown): ReadResult<string> {
  return isString(given) && TOKEN.test(given)
    ? { value: given }
    : mustBe('letters, digits and "-._~+/"', given);
}

/** Reads one host name or a list of them. */
function readHostNames(given: unknown): ReadResult<readonly string[]> {
  const names: unknown[] = [given].flat();
  const wrong = names.find((name) => !isString(name) || !HOST_NAME.test(name));
  return wrong === undefined
    ? { value: names as readonly string[] }
    : mustBe('host names like mock.example.com, without a port', wrong);
}

function readControlPath(given: unknown): ReadResult<string> {
  return isString(given) && PLAIN_PATH.test(given)
    ? { value: given }
    : mustBe('a path like /__control', given);
}
