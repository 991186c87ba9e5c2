import { isMapping } from '../document/document.ts';
import { ALL_OTHERS, type Delay, type DelayOption, type FaultRule } from '../faults/faults.ts';
import { findNearest } from '../find-nearest.ts';
import type { LifecycleFacts } from '../lifecycle/lifecycle.ts';
import type { ResourceOverride, ResourceOverrides } from '../resources/resources.ts';
import { formatValue, isString, MAX_DELAY_MS, mustBe, type ReadResult, readDelay } from './option-readers.ts';
import { type OptionSchema, toIntegerSchema, toMapping, toObjectSchema } from './option-schemas.ts';

/** Reads one rule or a list of them, each as short text or as an object. */
export function readRules(given: unknown): ReadResult<readonly (string | FaultRule)[]> {
  const rules: unknown[] = Array.isArray(given) ? given : [given];
  for (const [index, rule] of rules.entries()) {
    if (isString(rule)) continue;
    if (!isMapping(rule)) return mustBe('rules like "getPet=503" or objects', given);
    const place = `in rule ${index + 1}`;
    if (!Object.hasOwn(rule, 'operation'))
      return { mistake: `has a mistake ${place}: "operation" is missing; write it like ${RULE_EXAMPLE}` };
    const mistake = findWrongMember(rule, RULE_MEMBERS);
    if (mistake) return { mistake: `has a mistake ${place}: ${mistake}` };
  }
  return { value: rules as (string | FaultRule)[] };
}

const RULE_EXAMPLE = '{"operation": "getPet", "status": 503} or "getPet=503"';

/** Reads one delay, or delays by operation: a mapping, or texts such as `listPets=2000`. */
export function readDelays(given: unknown): ReadResult<DelayOption> {
  if (isMapping(given) && Object.keys(given).length > 0) return readDelayMapping(Object.entries(given));
  const texts = [given].flat();
  if (!texts.every(isString) || !texts.some((text) => text.includes('=')))
    return readDelay(texts.length === 1 ? texts[0] : given);
  return readDelayMapping(
    texts.map((text): [string, string] => {
      const mark = text.lastIndexOf('=');
      return mark < 0 ? [ALL_OTHERS, text] : [text.slice(0, mark), text.slice(mark + 1)];
    }),
  );
}

function readDelayMapping(entries: readonly (readonly [string, unknown])[]): ReadResult<DelayOption> {
  const delays: [string, Delay][] = [];
  for (const [operation, delay] of entries) {
    const result = readDelay(delay);
    if ('mistake' in result) return { mistake: `has a mistake in ${operation}: it ${result.mistake}` };
    delays.push([operation, result.value]);
  }
  return { value: Object.fromEntries(delays) };
}

/** Reads overrides by the name of a resource. */
export function readResources(given: unknown): ReadResult<ResourceOverrides> {
  return readMapping(given, 'resource names to false or to their collection, item and key', (override) =>
    override === false ? undefined : findWrongMember(override, OVERRIDE_MEMBERS),
  );
}

/** Reads deprecation and stability by operation. */
export function readLifecycle(given: unknown): ReadResult<Readonly<Record<string, LifecycleFacts>>> {
  return readMapping(given, 'operations to their deprecation and stability', (facts) =>
    findWrongMember(facts, LIFECYCLE_MEMBERS),
  );
}

function readMapping<Value>(
  given: unknown,
  what: string,
  findMistake: (member: unknown) => string | undefined,
): ReadResult<Readonly<Record<string, Value>>> {
  if (!isMapping(given)) return mustBe(`a mapping from ${what}`, given);
  for (const [name, member] of Object.entries(given)) {
    const mistake = findMistake(member);
    if (mistake) return { mistake: `has a mistake in ${name}: ${mistake}` };
  }
  return { value: given as Readonly<Record<string, Value>> };
}

/** A check of a member of an object. Text is never converted to a number here. */
interface MemberRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  readonly schema: OptionSchema;
}

type MembersOf<Value> = Readonly<Record<keyof Value, MemberRule>>;

const STRING: MemberRule = { expected: 'a string', accepts: isString, schema: { type: 'string' } };

const RULE_MEMBERS: MembersOf<FaultRule> = {
  operation: STRING,
  status: { expected: 'an integer', accepts: Number.isSafeInteger, schema: { type: 'integer' } },
  code: STRING,
  message: STRING,
  headers: {
    expected: 'a mapping from names to strings',
    accepts: (value) => isMapping(value) && Object.values(value).every(isString),
    schema: toMapping({ type: 'string' }),
  },
  delay: {
    expected: `milliseconds up to ${MAX_DELAY_MS}`,
    accepts: (value) => typeof value === 'number' && 'value' in readDelay(value),
    schema: toIntegerSchema(0, MAX_DELAY_MS),
  },
  probability: {
    expected: 'a number',
    accepts: (value) => typeof value === 'number',
    schema: { type: 'number' },
  },
  times: {
    expected: 'a positive integer',
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    schema: { type: 'integer', minimum: 1 },
  },
};

const OVERRIDE_MEMBERS: MembersOf<ResourceOverride> = { collection: STRING, item: STRING, key: STRING };

const LIFECYCLE_MEMBERS: MembersOf<LifecycleFacts> = {
  deprecated: {
    expected: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    schema: { type: 'boolean' },
  },
  deprecation: STRING,
  sunset: STRING,
  successor: STRING,
  deprecationLink: STRING,
  sunsetLink: STRING,
  stability: STRING,
};

const RULE_SCHEMA: OptionSchema = {
  anyOf: [{ type: 'string' }, toObjectSchema(RULE_MEMBERS, ['operation'])],
};

/** What `readRules` reads. */
export const RULES_SCHEMA: OptionSchema = { anyOf: [{ type: 'array', items: RULE_SCHEMA }, RULE_SCHEMA] };

/** What `readResources` reads. */
export const RESOURCES_SCHEMA: OptionSchema = toMapping({
  anyOf: [{ const: false }, toObjectSchema(OVERRIDE_MEMBERS)],
});

/** What `readLifecycle` reads. */
export const LIFECYCLE_SCHEMA: OptionSchema = toMapping(toObjectSchema(LIFECYCLE_MEMBERS));

function findWrongMember(value: unknown, members: Readonly<Record<string, MemberRule>>): string | undefined {
  if (!isMapping(value)) return `expected an object, got ${formatValue(value)}`;
  for (const [name, given] of Object.entries(value)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!member) return toUnknownMember(name, Object.keys(members));
    if (!member.accepts(given)) return `"${name}" must be ${member.expected}, not ${formatValue(given)}`;
  }
  return undefined;
}

function toUnknownMember(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const remedy = nearest === undefined ? `choose from ${known.join(', ')}` : `did you mean ${nearest}?`;
  return `unknown member "${name}"; ${remedy}`;
}
