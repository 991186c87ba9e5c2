import { isDeepStrictEqual } from 'node:util';
import { toSnake } from '../../model/resources/resources.ts';
import { createRandom } from '../../schema/generate/generate.ts';
import type { Schema, SchemaNode } from '../../schema/schema.ts';
import { findLeaves, type LeafEdit, type ValueLeaf, withEdits } from './leaves.ts';
import type { GenerateRealistic, PropertyHint } from './property-hint.ts';
import { relateMembers } from './related-members.ts';

/** A generated value that should look real. */
interface RealisticOptions {
  readonly schema: SchemaNode;
  /** The word for the value: `pet`. */
  readonly owner: string;
  /** The same seed gives the same value. */
  readonly seed: string;
  readonly isValid: (value: unknown) => boolean;
}

/** A generated value with realistic texts and numbers wherever it stays valid. */
export function withRealisticValues(
  generateRealistic: GenerateRealistic,
  { schema, owner, seed, isValid }: RealisticOptions,
  value: unknown,
): unknown {
  const leaves = findLeaves(schema, value, toSnake(owner), isExample);
  const edits = leaves.flatMap((leaf) => toRealistic(generateRealistic, seed, leaf) ?? []);
  const realistic = edits.length === 0 ? value : withEdits(value, edits, isValid);
  return relateMembers({ schema, isGiven: isExample, isValid }, realistic);
}

/** Whether a value is an example or the default of its schema. */
function isExample({ keywords: { examples, default: usual } }: SchemaNode, value: unknown): boolean {
  const given = Array.isArray(examples) ? [...examples, usual] : [usual];
  return given.some((each) => each !== undefined && isDeepStrictEqual(each, value));
}

/** Generates a realistic value for a leaf; `undefined` where nothing hints at one. */
export function toRealistic(
  generateRealistic: GenerateRealistic,
  seed: string,
  leaf: ValueLeaf,
): LeafEdit | undefined {
  const { path, value } = leaf;
  const { keywords, types } = leaf.schema;
  const type = toType(value, types);
  if (!type) return undefined;
  const listed = typeof path.at(-1) === 'number';
  const name = toSnake(leaf.name);
  const field = {
    name: listed ? name.replace(/s$/, '') : name,
    owner: toSnake(leaf.owner),
    type,
    format: typeof keywords.format === 'string' ? keywords.format : undefined,
    most: toMost(keywords),
  };
  const object = `${seed} ${path.slice(0, listed ? -2 : -1).join('/')}`;
  const seeds = { own: `${seed} ${path.join('/')}`, object, whole: seed };
  const made =
    generateRealistic(field, seeds) ??
    drawExample(leaf, seed) ??
    generateRealistic(field, seeds, 'word') ??
    // A text with a set length would otherwise be random letters.
    (isMeasuredText(keywords) ? generateRealistic({ ...field, name: 'name', owner: '' }, seeds) : undefined);
  return made === undefined ? undefined : { path, value: toFit(made, keywords) };
}

function toMost({ maximum, maxLength }: Schema): number | undefined {
  return [maximum, maxLength].find((each) => typeof each === 'number') as number | undefined;
}

/** The type of a scalar; a number is an integer if the schema allows no other. */
function toType(value: unknown, types: readonly string[]): PropertyHint['type'] | undefined {
  if (typeof value === 'number') return types.includes('number') ? 'number' : 'integer';
  return typeof value === 'string' || typeof value === 'boolean'
    ? (typeof value as 'string' | 'boolean')
    : undefined;
}

function isMeasuredText({ type, format, pattern, minLength, maxLength }: Schema): boolean {
  const open = format === undefined && pattern === undefined;
  return type === 'string' && open && (minLength !== undefined || maxLength !== undefined);
}

/** Cuts a text to its maximum length, between words if possible. */
function toFit(value: unknown, { maxLength, format }: Schema): unknown {
  if (typeof value !== 'string' || typeof maxLength !== 'number' || format !== undefined) return value;
  if (value.length <= maxLength) return value;
  const cut = value.slice(0, maxLength);
  return /^.+(?=\s\S*$)/.exec(value.slice(0, maxLength + 1))?.[0] ?? cut;
}

/** Picks one of a property's own examples. */
function drawExample({ schema, path }: ValueLeaf, seed: string): unknown {
  const { examples } = schema.keywords;
  if (!Array.isArray(examples)) return undefined;
  const random = createRandom(`${seed} ${path.join('/')} example`);
  return examples[Math.floor(random() * examples.length)];
}
