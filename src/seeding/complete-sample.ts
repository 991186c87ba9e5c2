import { createRandom } from '../generate/generate.ts';
import type { Resource } from '../resources/resources.ts';
import { toSnake } from '../resources/resources.ts';
import type { Schema } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { type Edit, findLeaves, ownerOf, type ValueLeaf, withEdits } from './leaves.ts';
import type { FindReferred } from './references.ts';
import { isValidEntity, type SeedingParts } from './sample-entities.ts';

/** The parts that references and realistic values come from. */
interface CompletionParts extends SeedingParts {
  readonly referred: FindReferred;
  /** All keys of a resource. */
  readonly keysOf: (resource: Resource) => readonly string[];
}

/** Sets references and realistic values in a sample where it stays valid. */
export function completeSample(
  parts: CompletionParts,
  resource: Resource,
  key: string,
  sample: Entity,
): Entity {
  const leaves = findLeaves(resource.schema, sample, toSnake(resource.singular));
  const own = leaves.filter(({ path: [first] }) => first !== resource.key?.property);
  const entity = `${parts.seed} ${resource.name} ${key}`;
  const references = own.flatMap((leaf) => toReference(parts, { resource, key, entity, leaf }) ?? []);
  const set = new Set(references.map(({ path }) => path.join('/')));
  const free = own.filter(({ path }) => !set.has(path.join('/')) && !set.has(path.slice(0, -1).join('/')));
  const values = free.flatMap((leaf) => toRealistic(parts, entity, leaf) ?? []);
  const isValid = (value: unknown) => isValidEntity(parts, resource, value as Entity);
  return withEdits(sample, [...references, ...values], isValid) as Entity;
}

interface SampleLeaf {
  readonly resource: Resource;
  readonly key: string;
  /** The seed of the entity's values. */
  readonly entity: string;
  readonly leaf: ValueLeaf;
}

function toReference({ referred, keysOf }: CompletionParts, place: SampleLeaf): Edit | undefined {
  const { resource, key, entity, leaf } = place;
  const { path, value } = leaf;
  // A list is replaced as a whole, so that it has no duplicates.
  if (typeof path.at(-1) === 'number') return undefined;
  const target = referred({ ...leaf, owner: ownerOf(leaf), resource });
  if (!target) return undefined;
  const all = keysOf(target);
  const others = target === resource ? all.filter((each) => each !== key) : all;
  if (others.length === 0) return undefined;
  const random = createRandom(`${entity} ${path.join('/')}`);
  const first = Math.floor(random() * others.length);
  const pick = (like: unknown, index: number) => {
    const picked = others[(first + index) % others.length];
    return typeof like === 'number' ? Number(picked) : picked;
  };
  if (!Array.isArray(value)) return { path, value: pick(value, 0) };
  return { path, value: value.slice(0, others.length).map(pick) };
}

function toRealistic(
  { generateRealistic }: CompletionParts,
  entity: string,
  leaf: ValueLeaf,
): Edit | undefined {
  const { path, value } = leaf;
  const { keywords, types } = leaf.schema;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const listed = typeof path.at(-1) === 'number';
  const name = toSnake(leaf.name);
  const number = types.includes('number') ? 'number' : 'integer';
  const field = {
    name: listed ? name.replace(/s$/, '') : name,
    owner: toSnake(leaf.owner),
    type: typeof value === 'string' ? ('string' as const) : (number as 'number' | 'integer'),
    format: typeof keywords.format === 'string' ? keywords.format : undefined,
  };
  const object = `${entity} ${path.slice(0, listed ? -2 : -1).join('/')}`;
  const seeds = { own: `${entity} ${path.join('/')}`, object };
  const made =
    generateRealistic(field, seeds) ??
    exampleOf(leaf, entity) ??
    // A text with a set length would otherwise be random letters.
    (isMeasuredText(keywords) ? generateRealistic({ ...field, name: 'name', owner: '' }, seeds) : undefined);
  return made === undefined ? undefined : { path, value: toFit(made, keywords) };
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
function exampleOf({ schema, path }: ValueLeaf, entity: string): unknown {
  const { examples } = schema.keywords;
  if (!Array.isArray(examples)) return undefined;
  const random = createRandom(`${entity} ${path.join('/')} example`);
  return examples[Math.floor(random() * examples.length)];
}
