import type { OptionTable } from './option.ts';
import { isString, mustBe, type ReadResult, readIntegerBetween } from './option-readers.ts';
import { type OptionSchema, toIntegerSchema } from './option-schemas.ts';
import { CONTROL_PATH } from './service-options.ts';
import { MOST_SESSIONS } from './sessions.ts';

/** Plain segments, which need no escapes. */
const PLAIN_PATH = /^(\/[\w.~-]+)+$/;
const CONTROL_PATH_SCHEMA: OptionSchema = { type: 'string', pattern: PLAIN_PATH.source };

/** The options of what the mock offers to tests. */
export const TEST_OPTIONS: Pick<OptionTable, 'maxSessions' | 'controlPath'> = {
  maxSessions: {
    flag: '--max-sessions <number>',
    description: 'how many sessions may exist at a time; the least recently used one makes room',
    default: MOST_SESSIONS,
    scope: 'both',
    read: readIntegerBetween(1, 1_000_000),
    schema: toIntegerSchema(1, 1_000_000),
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
};

function readControlPath(given: unknown): ReadResult<string> {
  return isString(given) && PLAIN_PATH.test(given)
    ? { value: given }
    : mustBe('a path like /__control', given);
}
