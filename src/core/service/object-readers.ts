import { ALL_OTHERS, type Delay, type DelayOption, isLognormal } from '../../answer/faults/faults.ts';
import type { LifecycleFacts } from '../../answer/lifecycle/lifecycle.ts';
import { findNearest } from '../../base/find-nearest.ts';
import { isMapping } from '../../document/document.ts';
import type { ResourceOverride, ResourceOverrides } from '../../model/resources/resources.ts';
import { formatValue, isString, mustBe, type ReadResult, readDelay } from './option-readers.ts';
import { type OptionSchema, toMapping, toObjectSchema } from './option-schemas.ts';

/** Reads one delay, or delays by operation: a mapping, or texts such as `listPets=2000`. */
export function readDelays(given: unknown): ReadResult<DelayOption> {
  if (isMapping(given) && Object.keys(given).length > 0 && !isLognormal(given))
    return readDelayMapping(Object.entries(given));
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
export interface MemberRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  readonly schema: OptionSchema;
}

export type MembersOf<Value> = Readonly<Record<keyof Value, MemberRule>>;

export const STRING: MemberRule = { expected: 'a string', accepts: isString, schema: { type: 'string' } };

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

/** The form that `readResources` accepts. */
export const RESOURCES_SCHEMA: OptionSchema = toMapping({
  anyOf: [{ const: false }, toObjectSchema(OVERRIDE_MEMBERS)],
});

/** The form that `readLifecycle` accepts. */
export const LIFECYCLE_SCHEMA: OptionSchema = toMapping(toObjectSchema(LIFECYCLE_MEMBERS));

/** Finds the first member of an object that is unknown, or has a wrong value. */
export function findWrongMember(
  value: unknown,
  members: Readonly<Record<string, MemberRule>>,
): string | undefined {
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
