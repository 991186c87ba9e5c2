import { LONGEST_PAIR, SHORTEST_PAIR, WORDS } from './formats.ts';
import type { Work } from './walk-budget.ts';
import { type SizeOf, withoutTooLarge } from './without-too-large.ts';

export type { SizeOf } from './without-too-large.ts';

/** A narrowed copy of a schema. */
export interface Narrowed {
  readonly schema: object;
  /** Whether any part that was read so far had alternatives to choose from. */
  chosen(): boolean;
}

interface NarrowOptions {
  /** The target of the schema's `#/components/...` references. */
  readonly components: unknown;
  /** The alternative to leave in each `oneOf` and `anyOf`; all of them stay if it is absent. */
  readonly choice: Choice | undefined;
  readonly sizeOf: SizeOf;
  /** Spent by each schema that is copied. */
  readonly work: Work;
}

/** The alternative with an index, or the one with the smallest value. */
export type Choice = number | 'smallest';

/** Narrows a schema and the components that it refers to, where numbers, texts and members are unbounded. */
export function narrowSchema(schema: unknown, { components, ...options }: NarrowOptions): Narrowed {
  const shared = narrowComponents(components, options);
  const own: Narrowing = { ...options, components, chosen: false };
  const copy = { ...(toBelievable(schema, own) as object) };
  // Not enumerable, or the library would take it for a property of the object.
  Object.defineProperty(copy, 'components', { value: shared.components });
  return { schema: copy, chosen: () => own.chosen || shared.narrowing.chosen };
}

/** The alternative to leave, and whether there was one to choose. */
interface Narrowing extends NarrowOptions {
  chosen: boolean;
}

interface NarrowedComponents {
  readonly components: unknown;
  readonly narrowing: Narrowing;
}

/** Cached, because all schemas of a document share its components, which may be megabytes. */
const narrowedComponents = new WeakMap<object, Map<Choice | undefined, NarrowedComponents>>();

/** The components of a document, each copied when a reference first resolves to it. */
function narrowComponents(
  components: unknown,
  options: Omit<NarrowOptions, 'components'>,
): NarrowedComponents {
  const { choice } = options;
  const narrowing: Narrowing = { ...options, components, chosen: false };
  if (typeof components !== 'object' || components === null) return { components, narrowing };
  const byChoice = narrowedComponents.get(components) ?? new Map<Choice | undefined, NarrowedComponents>();
  narrowedComponents.set(components, byChoice);
  const known = byChoice.get(choice);
  if (known !== undefined) return known;
  const copy = Object.fromEntries(
    Object.entries(components).map(([kind, shared]) => [kind, toLazilyBelievable(shared, narrowing)]),
  );
  const made = { components: copy, narrowing };
  byChoice.set(choice, made);
  return made;
}

function toLazilyBelievable(shared: object, narrowing: Narrowing): object {
  const made = new Map<string | symbol, unknown>();
  return new Proxy(shared, {
    get(target, key) {
      if (!made.has(key)) made.set(key, toBelievable(Reflect.get(target, key), narrowing));
      return made.get(key);
    },
  });
}

const INT32_LIMIT = 2 ** 31 - 1;

/** A copy of a schema, narrowed where numbers and text are unbounded. */
function toBelievable(node: unknown, narrowing: Narrowing): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => toBelievable(item, narrowing));
  narrowing.work.left -= 1;
  const small = withoutTooLarge(node, narrowing);
  const given = narrowing.choice === undefined ? small : withChoice(small, narrowing);
  const members = Object.entries(given).filter(([, value]) => !isWriteOnly(value));
  const copy = Object.fromEntries(members.map(([key, value]) => [key, toBelievable(value, narrowing)]));
  if (Array.isArray(copy.required))
    copy.required = copy.required.filter((name) => !isWriteOnlyIn(node, name));
  // A range would exclude a listed 0.
  if (isOneOf(copy.type, ['integer', 'number']) && !hasFixedValues(copy))
    return { ...copy, ...toRange(copy) };
  if (isOneOf(copy.type, ['object'])) narrowObject(copy);
  if (isOneOf(copy.type, ['string'])) narrowText(copy);
  return copy;
}

/** Leaves one alternative of several. Lists get an item, because an empty list would match every alternative that is a list. */
function withChoice(node: object, narrowing: Narrowing): object {
  const copy: Record<string, unknown> = { ...node };
  if (isOneOf(copy.type, ['array']) && copy.maxItems !== 0) copy.minItems ??= 1;
  for (const key of ALTERNATIVES) {
    if (!Array.isArray(copy[key])) continue;
    const alternatives = copy[key].flatMap(flatten);
    if (alternatives.length < 2) continue;
    narrowing.chosen = true;
    copy[key] = [chooseAlternative(alternatives, narrowing)];
  }
  return copy;
}

function chooseAlternative(alternatives: readonly unknown[], { choice = 0, sizeOf }: Narrowing): unknown {
  if (choice !== 'smallest') return alternatives[choice % alternatives.length];
  return alternatives.reduce((one, other) => (sizeOf(other).smallest < sizeOf(one).smallest ? other : one));
}

/** The keys of generated dictionaries. */
const KEYS = WORDS.slice(0, 3);

const ALTERNATIVES = ['oneOf', 'anyOf'];

/** Expands an alternative that consists only of alternatives. */
function flatten(alternative: unknown): unknown[] {
  if (typeof alternative !== 'object' || alternative === null) return [alternative];
  const entries = Object.entries(alternative).filter(
    ([key]) => !/^(\$schema|title|description|x-.*)$/.test(key),
  );
  const [[key, value] = []] = entries;
  const nests = entries.length === 1 && ALTERNATIVES.includes(String(key)) && Array.isArray(value);
  return nests ? value.flatMap(flatten) : [alternative];
}

/** Strips `.*` from both ends of a pattern, because it only lengthens the text. */
function narrowText(copy: Record<string, unknown>): void {
  if (typeof copy.pattern === 'string') {
    copy.pattern = copy.pattern.replace(/^\^?\.\*/, '').replace(/(?<!\\)\.\*\$?$/, '');
    if (copy.pattern === '' || copy.pattern === '$') delete copy.pattern;
  }
  if (isOpenText(copy)) copy.format = 'words';
  // The library takes any length up to the limit.
  if (Number(copy.maxLength) > LONGEST_TEXT)
    copy.maxLength = Math.max(LONGEST_TEXT, Number(copy.minLength ?? 0));
}

/** The longest text that is not asked for. */
const LONGEST_TEXT = 10_000;

/** Gives a dictionary some keys: an empty one would not show what it holds. */
function narrowObject(copy: Record<string, unknown>): void {
  const { additionalProperties: each, minProperties = 0, maxProperties = KEYS.length } = copy;
  // Without `properties`, the library takes unknown keywords for properties.
  copy.properties ??= {};
  const open = [copy.patternProperties, copy.propertyNames, copy.required].every((one) => one === undefined);
  const fits = Number(minProperties) <= KEYS.length && Number(maxProperties) >= KEYS.length;
  if (typeof each !== 'object' || each === null || !open || !fits) return;
  if (Object.keys(copy.properties as object).length > 0) return;
  copy.properties = Object.fromEntries(KEYS.map((key) => [key, each]));
}

/** Generated values are for answers, which never show write-only properties. */
function isWriteOnly(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'writeOnly' in value && value.writeOnly === true;
}

function isWriteOnlyIn(schema: object, name: string): boolean {
  return (
    'properties' in schema && isWriteOnly((schema.properties as Record<string, unknown> | undefined)?.[name])
  );
}

/** Whether any words are valid. They read better than random letters up to a limit of thousands. */
function isOpenText(schema: Record<string, unknown>): boolean {
  const free =
    ['format', 'pattern'].every((keyword) => schema[keyword] === undefined) && !hasFixedValues(schema);
  return (
    free &&
    Number(schema.minLength ?? 0) <= SHORTEST_PAIR &&
    Number(schema.maxLength ?? LONGEST_PAIR) >= LONGEST_PAIR
  );
}

function hasFixedValues(schema: Record<string, unknown>): boolean {
  return schema.enum !== undefined || schema.const !== undefined;
}

function isOneOf(type: unknown, wanted: readonly string[]): boolean {
  return [type].flat().some((each) => wanted.includes(String(each)));
}

/** A range from 1 to 1000, or an equally wide one from the schema's own limit. */
function toRange({ type, minimum, maximum, multipleOf }: Record<string, unknown>): Record<string, unknown> {
  const low = typeof minimum === 'number' && minimum > -INT32_LIMIT ? minimum : undefined;
  const high = typeof maximum === 'number' && maximum < INT32_LIMIT ? maximum : undefined;
  const from = low ?? (high !== undefined && high < 1 ? high - 999 : 1);
  return {
    minimum: from,
    maximum: high ?? from + 999,
    ...(isOneOf(type, ['number']) && multipleOf === undefined && { multipleOf: 0.5 }),
  };
}
