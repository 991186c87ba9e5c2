import { FAULT_EFFECTS, type FaultRule, parseRateLimit, parseSequence } from '../../answer/faults/faults.ts';
import { isMapping } from '../../document/document.ts';
import { findWrongMember, type MemberRule, type MembersOf, STRING } from './object-readers.ts';
import { DELAY_SCHEMAS, isString, mustBe, type ReadResult, readDelay } from './option-readers.ts';
import { type OptionSchema, toIntegerSchema, toMapping, toObjectSchema } from './option-schemas.ts';

/** Reads one rule or a list of them, each as short text, as JSON or as an object. */
export function readRules(given: unknown): ReadResult<readonly (string | FaultRule)[]> {
  const rules: (string | FaultRule)[] = [];
  for (const [index, text] of (Array.isArray(given) ? given : [given]).entries()) {
    const rule = readJson(text);
    if (!isString(rule) && !isMapping(rule)) return mustBe('rules like "getPet=503" or objects', given);
    const mistake = isString(rule) ? findJsonMistake(rule) : findRuleMistake(rule);
    if (mistake !== undefined) return { mistake: `has a mistake in rule ${index + 1}: ${mistake}` };
    rules.push(rule as string | FaultRule);
  }
  return { value: rules };
}

/** A command line has the object of a rule as JSON. Leaves any other value as it is. */
function readJson(given: unknown): unknown {
  return isString(given) && isJsonObject(given) && findJsonMistake(given) === undefined
    ? JSON.parse(given)
    : given;
}

function findJsonMistake(text: string): string | undefined {
  if (!isJsonObject(text)) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `it is not valid JSON: ${(error as Error).message}`;
  }
}

function isJsonObject(text: string): boolean {
  return text.trimStart().startsWith('{');
}

/** Finds the first mistake in the form of a rule, in words. */
export function findRuleMistake(rule: unknown): string | undefined {
  if (isMapping(rule) && !Object.hasOwn(rule, 'operation'))
    return `"operation" is missing; write it like ${RULE_EXAMPLE}`;
  return findWrongMember(rule, RULE_MEMBERS);
}

const RULE_EXAMPLE = '{"operation": "getPet", "status": 503} or "getPet=503"';

/** Reads one limit or a list of them. */
export function readRateLimits(given: unknown): ReadResult<readonly string[]> {
  const limits: unknown[] = [given].flat();
  const wrong = limits.find((limit) => !isString(limit) || !parseRateLimit(limit));
  return wrong === undefined
    ? { value: limits as readonly string[] }
    : mustBe('limits like 10/1s, 100/1m or 10/1s:by=X-Api-Key', wrong);
}

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

const FAULT_VALUES: MemberRule = {
  expected: 'a mapping from names to texts, numbers, true, false or null',
  accepts: (value) => isMapping(value) && Object.values(value).every(isScalar),
  schema: toMapping({ type: ['string', 'number', 'boolean', 'null'] }),
};

const MATCH_MEMBERS = { query: FAULT_VALUES, headers: FAULT_VALUES, body: FAULT_VALUES };

const POSITIVE: MemberRule = {
  expected: 'a positive integer',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  schema: { type: 'integer', minimum: 1 },
};

const NATURAL: MemberRule = {
  expected: 'an integer from 0',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  schema: { type: 'integer', minimum: 0 },
};

const RULE_MEMBERS: MembersOf<FaultRule> = {
  operation: STRING,
  match: {
    expected: 'an object with query, headers and body, each a mapping from names to values',
    accepts: (value) => findWrongMember(value, MATCH_MEMBERS) === undefined,
    schema: toObjectSchema(MATCH_MEMBERS),
  },
  status: { expected: 'an integer', accepts: Number.isSafeInteger, schema: { type: 'integer' } },
  code: STRING,
  message: STRING,
  headers: {
    expected: 'a mapping from names to strings',
    accepts: (value) => isMapping(value) && Object.values(value).every(isString),
    schema: toMapping({ type: 'string' }),
  },
  example: STRING,
  effect: {
    expected: `one of ${FAULT_EFFECTS.join(', ')}`,
    accepts: (value) => FAULT_EFFECTS.some((effect) => effect === value),
    schema: { enum: FAULT_EFFECTS },
  },
  bytes: NATURAL,
  bytesPerSecond: POSITIVE,
  delay: {
    expected: 'milliseconds up to 600000, a range like [100, 500], or {"median": 80, "sigma": 0.4}',
    accepts: (value) => !isString(value) && 'value' in readDelay(value),
    schema: { anyOf: DELAY_SCHEMAS.filter(({ type }) => type !== 'string') },
  },
  probability: {
    expected: 'a number',
    accepts: (value) => typeof value === 'number',
    schema: { type: 'number' },
  },
  times: POSITIVE,
  after: NATURAL,
  every: POSITIVE,
  sequence: {
    expected: 'a sequence like 503,503,ok',
    accepts: (value) => parseSequence([value].flat().map(String).join(',')) !== undefined,
    schema: {
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          minItems: 1,
          items: { anyOf: [toIntegerSchema(400, 599), { enum: [...FAULT_EFFECTS, 'ok'] }] },
        },
      ],
    },
  },
  from: STRING,
  until: STRING,
  rateLimit: STRING,
  undeclared: {
    expected: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    schema: { type: 'boolean' },
  },
};

const RULE_SCHEMA: OptionSchema = {
  anyOf: [{ type: 'string' }, toObjectSchema(RULE_MEMBERS, ['operation'])],
};

/** The form that `readRules` accepts. */
export const RULES_SCHEMA: OptionSchema = { anyOf: [{ type: 'array', items: RULE_SCHEMA }, RULE_SCHEMA] };
