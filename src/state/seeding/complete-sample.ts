import type { Resource } from '../../model/resources/resources.ts';
import { toSnake } from '../../model/resources/resources.ts';
import { createRandom } from '../../schema/generate/generate.ts';
import type { Entity } from '../store/store.ts';
import type { PickFilterValue } from './filter-values.ts';
import { findLeaves, type LeafEdit, ownerOf, type ValueLeaf, type ValuePath, withEdits } from './leaves.ts';
import { toRealistic } from './realistic-edits.ts';
import type { FindReferred } from './references.ts';
import { relateMembers } from './related-members.ts';
import { isValidEntity, type SeedingParts } from './sample-entities.ts';
import { findTitle, fromSlug, SLUG } from './slug.ts';

/** The parts that references and realistic values come from. */
interface CompletionParts extends SeedingParts {
  readonly referred: FindReferred;
  /** All keys of a resource. */
  readonly keysOf: (resource: Resource) => readonly string[];
  readonly pickFilterValue: PickFilterValue;
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
  const toFiltered = ({ path, name }: ValueLeaf): LeafEdit | undefined => {
    const seed = `${entity} ${path.join('/')}`;
    const value = path.length === 1 ? parts.pickFilterValue(resource, name, seed) : undefined;
    return value === undefined ? undefined : { path, value };
  };
  const isNamedBySlug = SLUG.test(toSnake(resource.key?.property ?? ''));
  const title = isNamedBySlug ? findTitle(resource.schema) : undefined;
  const toTitle = ({ path }: ValueLeaf): LeafEdit | undefined =>
    path.length === 1 && path[0] === title ? { path, value: fromSlug(key) } : undefined;
  const values = free.flatMap(
    (leaf) =>
      toTitle(leaf) ??
      toFiltered(leaf) ??
      toTypeName(resource, leaf) ??
      toRealistic(parts.generateRealistic, entity, leaf) ??
      [],
  );
  const isValid = (value: unknown) => isValidEntity(parts, resource, value as Entity);
  return relateSample(parts, resource, withEdits(sample, [...references, ...values], isValid) as Entity);
}

/** Makes the members of a sample agree with each other. */
export function relateSample(parts: SeedingParts, resource: Resource, sample: Entity): Entity {
  const isFree = ([first]: ValuePath) => first !== resource.key?.property;
  const isValid = (value: unknown) => isValidEntity(parts, resource, value as Entity);
  return relateMembers({ schema: resource.schema, isFree, isValid }, sample) as Entity;
}

/** The type of a JSON:API resource object, which is the name of its collection. */
function toTypeName(
  { name, properties }: Resource,
  { path, schema, value }: ValueLeaf,
): LeafEdit | undefined {
  const isType = path.length === 1 && path[0] === 'type' && properties.includes('attributes');
  const isFree = typeof value === 'string' && schema.keywords.examples === undefined;
  return isType && isFree ? { path, value: name.split('.').at(-1) } : undefined;
}

interface SampleLeaf {
  readonly resource: Resource;
  readonly key: string;
  /** The seed of the entity's values. */
  readonly entity: string;
  readonly leaf: ValueLeaf;
}

function toReference({ referred, keysOf }: CompletionParts, place: SampleLeaf): LeafEdit | undefined {
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
