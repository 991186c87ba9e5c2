import { createRandom } from '../generate/generate.ts';
import type { Resource } from '../resources/resources.ts';
import { toSnake } from '../resources/resources.ts';
import { type Schema, schemaTypes } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { isValid, type SeedingParts } from './drafts.ts';
import { type Edit, findLeaves, type Leaf, ownerOf, withEdits } from './leaves.ts';
import type { FindReferred } from './references.ts';

/** What drafts are completed with. */
export interface RefinerParts extends SeedingParts {
  readonly referred: FindReferred;
  /** The keys that exist. */
  readonly keysOf: (resource: Resource) => readonly string[];
}

/** Sets references and believable values into a draft, wherever it holds to its schema then. */
export function createRefiner(
  parts: RefinerParts,
): (resource: Resource, key: string, draft: Entity) => Entity {
  return (resource, key, draft) => {
    const leaves = findLeaves(parts.root, resource.schema, draft, toSnake(resource.singular));
    const own = leaves.filter(({ path: [first] }) => first !== resource.key?.property);
    const entity = `${parts.seed} ${resource.name} ${key}`;
    const references = own.flatMap((leaf) => toReference(parts, { resource, key, entity, leaf }) ?? []);
    const set = new Set(references.map(({ path }) => path.join('/')));
    const free = own.filter(({ path }) => !set.has(path.join('/')) && !set.has(path.slice(0, -1).join('/')));
    const values = free.flatMap((leaf) => toRealistic(parts, entity, leaf) ?? []);
    return withEdits(draft, [...references, ...values], (value) =>
      isValid(parts, resource, value as Entity),
    ) as Entity;
  };
}

interface Place {
  readonly resource: Resource;
  readonly key: string;
  /** What the entity's values are drawn by. */
  readonly entity: string;
  readonly leaf: Leaf;
}

function toReference({ referred, keysOf }: RefinerParts, place: Place): Edit | undefined {
  const { resource, key, entity, leaf } = place;
  const { path, value } = leaf;
  // A list is replaced as a whole, so that nothing is in it twice.
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

function toRealistic({ realist, root }: RefinerParts, entity: string, leaf: Leaf): Edit | undefined {
  const { path, schema, value } = leaf;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const listed = typeof path.at(-1) === 'number';
  const name = toSnake(leaf.name);
  const types = schemaTypes(root, schema);
  const number = types.includes('number') ? 'number' : 'integer';
  const field = {
    name: listed ? name.replace(/s$/, '') : name,
    owner: toSnake(leaf.owner),
    type: typeof value === 'string' ? ('string' as const) : (number as 'number' | 'integer'),
    format: typeof schema.format === 'string' ? schema.format : undefined,
  };
  const object = `${entity} ${path.slice(0, listed ? -2 : -1).join('/')}`;
  const seeds = { own: `${entity} ${path.join('/')}`, object };
  const made =
    realist(field, seeds) ??
    exampleOf(leaf, entity) ??
    // A text of a certain length would otherwise be a row of letters.
    (isMeasuredText(schema) ? realist({ ...field, name: 'name', owner: '' }, seeds) : undefined);
  return made === undefined ? undefined : { path, value: toFit(made, schema) };
}

function isMeasuredText({ type, format, pattern, minLength, maxLength }: Schema): boolean {
  const open = format === undefined && pattern === undefined;
  return type === 'string' && open && (minLength !== undefined || maxLength !== undefined);
}

/** A text that is too long loses its last words, or what is too much of its only one. */
function toFit(value: unknown, { maxLength, format }: Schema): unknown {
  if (typeof value !== 'string' || typeof maxLength !== 'number' || format !== undefined) return value;
  if (value.length <= maxLength) return value;
  const cut = value.slice(0, maxLength);
  return /^.+(?=\s\S*$)/.exec(value.slice(0, maxLength + 1))?.[0] ?? cut;
}

/** One of a property's own examples. */
function exampleOf({ schema, path }: Leaf, entity: string): unknown {
  if (!Array.isArray(schema.examples)) return undefined;
  const random = createRandom(`${entity} ${path.join('/')} example`);
  return schema.examples[Math.floor(random() * schema.examples.length)];
}
