import {
  type GenerateOptions as GenerateSyncOptions,
  generateSync,
  type JsonSchema,
} from 'json-schema-faker';
import { currentYear } from '../clock.ts';
import { toFormats } from './formats.ts';
import { type Narrowed, narrowSchema } from './narrow-schema.ts';

/** Draws numbers in [0, 1), in the same sequence for the same seed. */
export type Random = () => number;

/** Creates an independent sequence (mulberry32) for a seed. */
export function createRandom(seed: string): Random {
  let state = toHash(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface GenerateOptions {
  /** The same seed gives the same value, regardless of earlier calls. */
  readonly seed: string;
  /** The target of the schema's `#/components/...` references. */
  readonly components: unknown;
  /** Whether a value is valid against the original schema. */
  readonly isValid: (value: unknown) => boolean;
  /** Whether the document's examples may be used as values; true by default. */
  readonly examples?: boolean;
  /** Dates lie before the beginning of this year; the current year by default. */
  readonly year?: number;
}

/** The share of optional properties in each attempt. Fewer help where a value fails, as with a recursive schema. */
const OPTIONAL_SHARES = [1, 1, 0.7, 0.4, 0];

/** The number of `oneOf` or `anyOf` alternatives that are tried in turn after random choices failed. */
const CHOICES = 6;

interface Attempt {
  readonly share: number;
  /** The index of the alternative to take everywhere; random if absent. */
  readonly choice?: number;
}

const ATTEMPTS: readonly Attempt[] = [
  ...OPTIONAL_SHARES.map((share) => ({ share })),
  ...[1, 0].flatMap((share) => Array.from({ length: CHOICES }, (_, choice) => ({ share, choice }))),
];

/** Generates a believable value for a JSON Schema: positive numbers, dates near the present, words. `undefined` if every attempt fails. */
export function generateValue(schema: unknown, options: GenerateOptions): unknown {
  const { seed, components, isValid, examples = true, year = currentYear() } = options;
  let narrowed: Narrowed | undefined;
  for (const [index, { share, choice }] of ATTEMPTS.entries()) {
    if (choice && !narrowed?.chosen()) return undefined;
    narrowed = narrowSchema(schema, components, choice);
    const made = attemptValue(narrowed.schema as JsonSchema, {
      seed: toHash(`${seed}#${index}`),
      optionalsProbability: share,
      fixedProbabilities: true,
      formats: toFormats(year),
      maxDefaultItems: 3,
      // Examples come first, but an invalid one must not spoil every attempt.
      useExamplesValue: examples && index < 2,
    });
    const found = made && toCandidates(made.value).find((value) => isValid(value));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The library fills in null at its depth limit, so the value is also tried without nulls. */
function toCandidates(value: unknown): unknown[] {
  return JSON.stringify(value)?.includes('null') ? [value, withoutNulls(value)] : [value];
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Fills a schema with its defaults, first choices and zeros. The result may be invalid: use it only where `generateValue` fails. */
export async function sampleValue(schema: object, root: object): Promise<unknown> {
  const { sample } = await import('@stoplight/json-schema-sampler');
  return sample(schema, { ticks: SAMPLE_TICKS }, root);
}

/** Bounds the work on a recursive schema. */
const SAMPLE_TICKS = 2500;

/** Treats an error of the library, which it throws for an unsatisfiable schema, as a failed attempt. */
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
