import { RULES_SCHEMA, readRateLimits, readRules } from './fault-readers.ts';
import { readDelays } from './object-readers.ts';
import type { OptionTable } from './option.ts';
import { DELAY_SCHEMA } from './option-readers.ts';
import type { OptionSchema } from './option-schemas.ts';

const RATE_LIMIT: OptionSchema = {
  type: 'string',
  pattern: "^\\d{1,9}/(\\d{0,9}(ms|s|m|h|d)|P[^:]+)(:by=[\\w!#$%&'*+.^`|~-]+)?$",
};

/** The options that replace, damage and delay answers. */
export const FAULT_OPTIONS: Pick<OptionTable, 'delay' | 'errors' | 'faults' | 'rateLimit'> = {
  delay: {
    flag: '--delay <ms|min-max>',
    description: 'wait this many milliseconds before every answer, or OPERATION=MS for one; repeatable',
    default: 0,
    scope: 'both',
    read: readDelays,
    schema: DELAY_SCHEMA,
    list: true,
  },
  errors: {
    flag: '--error <rule>',
    description: 'answer with an error: OPERATION=STATUS[:CODE][@PROBABILITY][xTIMES]; repeatable',
    default: [],
    scope: 'both',
    read: readRules,
    schema: RULES_SCHEMA,
    list: true,
  },
  faults: {
    flag: '--fault <rule>',
    description:
      'replace or damage answers: OPERATION=503, =reset, =503,503,ok, or a rule as JSON; repeatable',
    default: [],
    scope: 'both',
    read: readRules,
    schema: RULES_SCHEMA,
    list: true,
  },
  rateLimit: {
    flag: '--rate-limit <limit>',
    description:
      'refuse further requests with 429: 10/1s, or 10/1s:by=HEADER for each value of a header; repeatable',
    default: [],
    defaultText: 'none',
    scope: 'both',
    read: readRateLimits,
    schema: { anyOf: [RATE_LIMIT, { type: 'array', items: RATE_LIMIT }] },
    list: true,
  },
};
