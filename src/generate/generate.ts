import {
  type GenerateOptions as GenerateSyncOptions,
  generateSync,
  type JsonSchema,
} from 'json-schema-faker';
import { FORMATS } from './formats.ts';
import { type Narrowed, narrow } from './narrow.ts';

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

/** How many alternatives of a `oneOf` or `anyOf` are tried one by one when chance finds none. */
const CHOICES = 6;

interface Attempt {
  readonly share: number;
  /** The place of the alternative that is taken wherever there are some; left to chance where there is none. */
  readonly choice?: number;
}

const ATTEMPTS: readonly Attempt[] = [
  ...OPTIONAL_SHARES.map((share) => ({ share })),
  ...[1, 0].flatMap((share) => Array.from({ length: CHOICES }, (_, choice) => ({ share, choice }))),
];

/**
 * A believable value for a JSON Schema: positive numbers, dates around now, words for free text. `undefined` if none of
 * the attempts was valid.
 */
export function generateValue(schema: unknown, options: GenerateOptions): unknown {
  const { seed, components, isValid, examples = true } = options;
  let narrowed: Narrowed | undefined;
  for (const [index, { share, choice }] of ATTEMPTS.entries()) {
    if (choice && !narrowed?.chosen()) return undefined;
    narrowed = narrow(schema, components, choice);
    const made = attemptValue(narrowed.schema as JsonSchema, {
      seed: toHash(`${seed}#${index}`),
      optionalsProbability: share,
      fixedProbabilities: true,
      formats: FORMATS,
      maxDefaultItems: 3,
      // The document's own examples come first, but a wrong one must not spoil every attempt.
      useExamplesValue: examples && index < 2,
    });
    const found = made && toCandidates(made.value).find((value) => isValid(value));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The library puts null where it goes no deeper: a value without these is as good, and shorter. */
function toCandidates(value: unknown): unknown[] {
  return JSON.stringify(value)?.includes('null') ? [value, withoutNulls(value)] : [value];
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** What a schema looks like, where no valid value was found: its defaults, first choices and zeros, not always valid. */
export async function sampleValue(schema: object, root: object): Promise<unknown> {
  const { sample } = await import('@stoplight/json-schema-sampler');
  return sample(schema, { ticks: SAMPLE_TICKS }, root);
}

/** How much of a schema without end is looked at. */
const SAMPLE_TICKS = 2500;

/** The library throws for a schema that no value can hold to, which is a failed attempt like any other. */
function attemptValue(
  schema: JsonSchema,
  options: GenerateSyncOptions,
): { readonly value: unknown } | undefined {
  try {
    return { value: generateSync(schema, options) };
  } catch {
    return undefined;
  }
}

/** FNV-1a, 32 bits. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
