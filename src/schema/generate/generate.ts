import {
  type GenerateOptions as GenerateSyncOptions,
  generateSync,
  type JsonSchema,
} from 'json-schema-faker';
import { currentYear } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { SchemaSize } from '../schema.ts';
import { answerTooLarge } from './answer-too-large.ts';
import { toFormats } from './formats.ts';
import { type Choice, type Narrowed, narrowSchema, type SizeOf } from './narrow-schema.ts';
import { createWalkBudget, createWork, type WalkBudget, type Work } from './walk-budget.ts';

export { answerTooLarge } from './answer-too-large.ts';
export { createWork, type Work } from './walk-budget.ts';

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
  /** Spent by every attempt; without any left, all attempts fail. Enough for this value by default. */
  readonly work?: Work;
  /** The same seed gives the same value, regardless of earlier calls. */
  readonly seed: string;
  /** The target of the schema's `#/components/...` references. */
  readonly components: unknown;
  /** Whether a value is valid against the original schema. */
  readonly isValid: (value: unknown) => boolean;
  /** Whether the document's examples may be used as values; true by default. */
  readonly examples?: boolean;
  /** Measures schemas. A value does without parts that are too large where it can. */
  readonly sizeOf?: SizeOf;
  /** Dates lie before the beginning of this year; the current year by default. */
  readonly year?: number;
}

/** The share of optional properties in each attempt. Fewer help where a value fails, as with a recursive schema. */
const OPTIONAL_SHARES = [1, 1, 0.7, 0.4, 0];

/** The number of `oneOf` or `anyOf` alternatives that are tried in turn after random choices failed. */
const CHOICES = 6;

interface Attempt {
  readonly share: number;
  /** The alternative to take everywhere; random if absent. */
  readonly choice?: Choice;
  /** How deep objects are made. The library stops early, because recursive schemas grow with each level. */
  readonly depth?: number;
}

const ATTEMPTS: readonly Attempt[] = [
  ...OPTIONAL_SHARES.map((share) => ({ share })),
  ...[1, 0].flatMap((share) => Array.from({ length: CHOICES }, (_, choice) => ({ share, choice }))),
];

/** Makes the smallest value, at any depth. */
const SMALLEST_ATTEMPT: Attempt = { share: 0, choice: 'smallest', depth: 1000 };

/**
 * Generates a believable value for a JSON Schema: positive numbers, dates near the present, words. `undefined` if every attempt fails.
 * If values become too large, leaves out optional members and makes lists as short as they may be.
 */
export function generateValue(schema: unknown, options: GenerateOptions): unknown {
  const work = options.work ?? createWork();
  const { sizeOf = () => SMALL } = options;
  if (sizeOf(schema).isTooLarge) return undefined;
  let narrowed: Narrowed | undefined;
  const attempt = (index: number, { share, choice, depth }: Attempt): unknown => {
    if (share > (largestShares.get(schema as object) ?? 1)) return undefined;
    narrowed = narrowSchema(schema, { components: options.components, choice, sizeOf, work });
    const budget = createWalkBudget(work);
    const given = {
      ...toLibraryOptions(options, index),
      optionalsProbability: share,
      ...(depth !== undefined && { maxDepth: depth }),
    };
    const made = attemptValue(narrowed.schema as JsonSchema, budget, given);
    if (budget.isTooLarge) largestShares.set(schema as object, share === 0 ? -1 : 0);
    return made && toCandidates(made.value).find((value) => options.isValid(value));
  };
  for (const [index, each] of ATTEMPTS.entries()) {
    if (each.choice && !narrowed?.chosen()) break;
    const found = attempt(index, each);
    if (found !== undefined) return found;
  }
  return attempt(ATTEMPTS.length, SMALLEST_ATTEMPT);
}

const SMALL: SchemaSize = { isTooLarge: false, smallest: 1 };

/** The share of optional properties with which the values of a schema are not too large, if that is not 1; -1 if there is none. */
const largestShares = new WeakMap<object, number>();

function toLibraryOptions(
  { seed, examples = true, year = currentYear() }: GenerateOptions,
  attempt: number,
): GenerateSyncOptions {
  return {
    seed: toHash(`${seed}#${attempt}`),
    fixedProbabilities: true,
    formats: toFormats(year),
    maxDefaultItems: 3,
    // Examples come first, but an invalid one must not spoil every attempt.
    useExamplesValue: examples && attempt < 2,
  };
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
  try {
    return sample(schema, { ticks: LIMITS.answerValues.value }, root);
  } catch (error) {
    // The library throws its own class of errors at its limit, which is no Error.
    if (error instanceof Error) throw error;
    throw answerTooLarge();
  }
}

/** Treats an error of the library, which it throws for an unsatisfiable schema, and a spent budget as a failed attempt. */
function attemptValue(
  schema: JsonSchema,
  budget: WalkBudget,
  options: GenerateSyncOptions,
): { readonly value: unknown } | undefined {
  try {
    return { value: generateSync(schema, { ...options, ...budget.options }) };
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
