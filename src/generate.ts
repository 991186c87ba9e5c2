import { generateSync, type JsonSchema } from 'json-schema-faker';

/** Numbers in [0, 1), the same sequence for the same seed. */
export type Random = () => number;

/** A sequence of its own for every seed text; nothing is shared between two of them. */
export function createRandom(seed: string): Random {
  let state = toHash(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface GenerateOptions {
  /** The same seed gives the same value, whatever was generated before. */
  readonly seed: string;
  /** What the schema's `#/components/...` references resolve in. */
  readonly components: unknown;
  /** Whether a value holds to the original schema. */
  readonly isValid: (value: unknown) => boolean;
  /** Whether the document's examples are taken for values; they are unless this says no. */
  readonly examples?: boolean;
}

/** Optional properties are all there at first; when a value fails (a schema without end, say), fewer and fewer. */
const OPTIONAL_SHARES = [1, 1, 0.7, 0.4, 0];

/**
 * A believable value for a JSON Schema: positive numbers, dates around now, words for free text. `undefined` if none of
 * the attempts was valid.
 */
export function generateValue(schema: unknown, options: GenerateOptions): unknown {
  const { seed, components, isValid, examples = true } = options;
  const believable = {
    ...(toBelievable(schema) as object),
    components: toBelievableComponents(components),
  } as JsonSchema;
  for (const [attempt, optionalsProbability] of OPTIONAL_SHARES.entries()) {
    const value = generateSync(believable, {
      seed: toHash(`${seed}#${attempt}`),
      optionalsProbability,
      fixedProbabilities: true,
      formats: FORMATS,
      maxDefaultItems: 3,
      // The document's own examples come first, but a wrong one must not spoil every attempt.
      useExamplesValue: examples && attempt < 2,
    });
    if (isValid(value)) return value;
  }
  return undefined;
}

const WORDS =
  'amber birch cedar clover coral dune ember fern ginger hazel iris juniper maple olive pebble reed'.split(
    ' ',
  );

interface Chance {
  int(min: number, max: number): number;
}

const FORMATS: Record<string, (random: Chance) => string> = {
  'date-time': (random) => toDate(random).toISOString().replace('.000', ''),
  date: (random) => toDate(random).toISOString().slice(0, 10),
  words: (random) => `${toWord(random)} ${toWord(random)}`,
};

function toWord(random: Chance): string {
  return WORDS[random.int(0, WORDS.length - 1)] as string;
}

/** Within a year of the beginning of this year: near to now, and yet the same in every run until the year is over. */
function toDate(random: Chance): Date {
  const year = new Date().getUTCFullYear();
  return new Date(
    Date.UTC(year, 0, 1 + random.int(-365, 365), random.int(7, 20), random.int(0, 59), random.int(0, 59)),
  );
}

/** Components are shared by all the schemas of a document, and may be megabytes. */
const believableComponents = new WeakMap<object, unknown>();

function toBelievableComponents(components: unknown): unknown {
  if (typeof components !== 'object' || components === null) return components;
  const known = believableComponents.get(components);
  if (known !== undefined) return known;
  const copy = toBelievable(components);
  believableComponents.set(components, copy);
  return copy;
}

const INT32_LIMIT = 2 ** 31 - 1;

/** A copy of a schema, narrowed where it leaves numbers and text wide open. */
function toBelievable(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(toBelievable);
  const members = Object.entries(node).filter(([, value]) => !isWriteOnly(value));
  const copy = Object.fromEntries(members.map(([key, value]) => [key, toBelievable(value)]));
  if (Array.isArray(copy.required))
    copy.required = copy.required.filter((name) => !isWriteOnlyIn(node, name));
  if (isOneOf(copy.type, ['integer', 'number'])) return { ...copy, ...toRange(copy) };
  if (isOneOf(copy.type, ['string']) && OPEN_TEXT.every((key) => copy[key] === undefined))
    copy.format = 'words';
  return copy;
}

/** What only a request holds is not made up for an answer. */
function isWriteOnly(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'writeOnly' in value && value.writeOnly === true;
}

function isWriteOnlyIn(schema: object, name: string): boolean {
  return (
    'properties' in schema && isWriteOnly((schema.properties as Record<string, unknown> | undefined)?.[name])
  );
}

const OPEN_TEXT = ['format', 'pattern', 'enum', 'const', 'minLength', 'maxLength'];

function isOneOf(type: unknown, wanted: readonly string[]): boolean {
  return [type].flat().some((each) => wanted.includes(String(each)));
}

/** From 1 to 1000, or a range as wide at the limit that the schema sets. */
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

/** FNV-1a, 32 bits. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
