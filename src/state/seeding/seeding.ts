import type { Resource } from '../../model/resources/resources.ts';
import { findEmbeds, keyInSelfLink, ONLY_KEY } from '../../model/resources/resources.ts';
import { toScopes } from '../lists/lists.ts';
import { type CollectionSnapshot, type Entity, type Entries, toScope } from '../store/store.ts';
import { completeSample, relateSample } from './complete-sample.ts';
import { withEmbeddedSamples } from './embedded-samples.ts';
import { findExampleEntities } from './entity-examples.ts';
import { buildPickFilterValue } from './filter-values.ts';
import { findLeaves, ownerOf } from './leaves.ts';
import { buildReferences, type FindReferred } from './references.ts';
import {
  candidateKeys,
  countWanted,
  type EntitiesByKey,
  generateSamples,
  isValidEntity,
  orNothing,
  type SeedingParts,
} from './sample-entities.ts';
import { withUniqueSlugs } from './unique-slugs.ts';

export { createFixtureMistakes } from './fixture-mistakes.ts';
export { OWN_MEMBER } from './fixture-parts.ts';
export { type FixtureOptions, type FixturesOrigin, loadFixtures } from './fixtures.ts';
export type { ValuePath } from './leaves.ts';
export type { GenerateRealistic } from './property-hint.ts';
export { createRealism, type Realism } from './realism.ts';
export { withRealisticValues } from './realistic-edits.ts';
export { hasRelations, relateMembers } from './related-members.ts';
export type { SeedingParts } from './sample-entities.ts';
export { toSlugKey } from './slug.ts';
export { buildReadState, type ReadState, type ReadStateList } from './state-data.ts';
export { CREATED, isLaterEvent, PUBLISHED, UPDATED } from './time-names.ts';

/** Makes the initial entities of a resource. */
type Seeder = (resource: Resource) => CollectionSnapshot;

/**
 * Creates a seeder that takes entities from the document's examples and generates the others. A generated entity depends on seed, resource
 * and key alone, except for the entities that it refers to or shows and the number of a repeated slug.
 */
export function createSeeder(parts: SeedingParts): Seeder {
  const { model } = parts;
  const resources = [...model.resources.values()];
  const referred = buildReferences(resources);
  const shownOf = perResource((resource: Resource) => collectExamples(parts, resource));
  const samplesOf = perResource(
    (resource: Resource): EntitiesByKey => sampleResource(parts, { referred, shownOf, keysOf }, resource),
    new Map(),
  );
  const keysOf = (resource: Resource): string[] => [
    ...shownOf(resource).keys(),
    ...samplesOf(resource).keys(),
  ];
  const completion = { ...parts, referred, keysOf, pickFilterValue: buildPickFilterValue(parts) };
  const completedOf = perResource(
    (resource: Resource): EntitiesByKey =>
      new Map(
        [...samplesOf(resource)].map(([key, sample]) => [
          key,
          completeSample(completion, resource, key, sample),
        ]),
      ),
  );
  const entitiesOf = perResource(
    (resource: Resource): EntitiesByKey => new Map([...shownOf(resource), ...completedOf(resource)]),
  );
  const seed: Seeder = perResource((resource: Resource) => {
    const embeds = findEmbeds(model, resource);
    const isValid = (entity: Entity) => isValidEntity(parts, resource, entity);
    const generated = [...completedOf(resource)].map(([key, sample]) => {
      const seedOfKey = `${parts.seed} ${resource.name} ${key}`;
      const shown = withEmbeddedSamples({ embeds, entitiesOf, isValid, seed: seedOfKey }, sample);
      return [key, shown === sample ? sample : relateSample(parts, resource, shown)] as const;
    });
    const own = withUniqueSlugs(resource, shownOf(resource).values(), generated, isValid);
    return place(parts, resource, [...shownOf(resource), ...own], seed);
  });
  return seed;
}

/** Access to the other resources, for generating the entities of one. */
interface Neighbours {
  readonly referred: FindReferred;
  /** The entities that the document's examples show. */
  readonly shownOf: (resource: Resource) => EntitiesByKey;
  readonly keysOf: (resource: Resource) => readonly string[];
}

/** Generates the entities of a resource, without references. A companion has the keys of its main resource. */
function sampleResource(parts: SeedingParts, neighbours: Neighbours, resource: Resource): EntitiesByKey {
  const { referred, shownOf, keysOf } = neighbours;
  const main = resource.key && referred({ name: resource.key.property, owner: '', resource });
  const companion = main !== undefined && main !== resource;
  if (companion && parts.withoutCompanions) return new Map();
  const keys = companion
    ? keysOf(main)
    : candidateKeys(parts, resource, findWanted(parts, neighbours, resource));
  // Each entity of the main resource has a companion.
  const wanted = countWanted(parts, companion ? main : resource);
  return generateSamples(parts, resource, keys, shownOf(resource), wanted);
}

/** Calls `make` once for each resource. A circular call gets `meanwhile`. */
function perResource<T>(make: (resource: Resource) => T, meanwhile?: T): (resource: Resource) => T {
  const made = new Map<Resource, T>();
  return (resource) => {
    const known = made.get(resource);
    if (known !== undefined) return known;
    if (meanwhile !== undefined) made.set(resource, meanwhile);
    const value = make(resource);
    made.set(resource, value);
    return value;
  };
}

/** Distributes entities among the existing parents in turn. */
function place(parts: SeedingParts, resource: Resource, entries: Entries, seed: Seeder): CollectionSnapshot {
  const nearest = resource.parents.at(-1);
  const parent = nearest?.resource === undefined ? undefined : parts.model.resources.get(nearest.resource);
  if (!parent || !resource.key) return toScopes(resource, entries);
  const { entries: unscoped, scopes } = seed(parent);
  const places = [
    ...Array.from(unscoped, ([key]) => toScope([key])),
    ...[...scopes].flatMap(([scope, own]) => Array.from(own, ([key]) => `${scope}/${toScope([key])}`)),
  ];
  const scopeAt = (index: number) => places[index % places.length];
  const placed = entries.map(([key, entity], index) => {
    const scope = scopeAt(index);
    return [key, scope === undefined ? entity : withParents(parts, resource, entity, scope)] as const;
  });
  return toScopes(resource, placed, (_, index) => scopeAt(index));
}

/** Sets the properties that name the parents where the entity stays valid. */
function withParents(parts: SeedingParts, resource: Resource, entity: Entity, scope: string): Entity {
  const keys = scope.split('/').map(decodeURIComponent);
  let named = entity;
  for (const [index, { property }] of resource.parents.entries()) {
    const key = keys[index];
    if (property === undefined || key === undefined) continue;
    const next = { ...named, [property]: typeof named[property] === 'number' ? Number(key) : key };
    if (isValidEntity(parts, resource, next)) named = next;
  }
  return named;
}

/** The keys of a resource that the examples of others refer to. */
function findWanted(
  { model }: SeedingParts,
  { referred, shownOf }: Pick<Neighbours, 'referred' | 'shownOf'>,
  target: Resource,
): Set<string> {
  const referring = [...model.resources.values()].filter((resource) =>
    resource.properties.some((name) => referred({ name, owner: '', resource }) === target),
  );
  const values = referring.flatMap((resource) =>
    [...shownOf(resource).values()].flatMap((entity) =>
      findLeaves(resource.schema, entity, resource.singular)
        .filter((leaf) => referred({ ...leaf, owner: ownerOf(leaf), resource }) === target)
        .map(({ value }) => value),
    ),
  );
  const isKey = target.key?.type === 'string' ? isFilledText : Number.isSafeInteger;
  return new Set(values.filter(isKey).map(String));
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The valid entities of the examples by key. An entity without a key gets the next free one. */
function collectExamples(parts: SeedingParts, resource: Resource): EntitiesByKey {
  return orNothing(() => {
    const entities = findExampleEntities(parts, resource);
    const found: EntitiesByKey = new Map();
    if (!resource.key)
      return new Map(
        entities
          .filter((each) => isValidEntity(parts, resource, each))
          .slice(0, 1)
          .map((each) => [ONLY_KEY, each]),
      );
    const { property, type } = resource.key;
    const add = (entity: Entity) => {
      const key = String(entity[property]);
      if (!found.has(key) && isValidEntity(parts, resource, entity)) found.set(key, entity);
    };
    const keyed = entities.map((entity) => withLinkedKey(resource, property, entity));
    for (const entity of keyed) if (entity[property] !== undefined) add(entity);
    if (type !== 'integer') return found;
    for (const entity of keyed) {
      const known = [...found.values()].some((other) => includes(other, entity));
      const key = nextKey(found);
      if (entity[property] === undefined && !known) add({ [property]: key, ...entity, [property]: key });
    }
    return found;
  });
}

/** Adds the key that the entity's link to itself names. */
function withLinkedKey(resource: Resource, property: string, entity: Entity): Entity {
  const key = entity[property] === undefined ? keyInSelfLink(resource, entity) : undefined;
  return key === undefined ? entity : { [property]: key, ...entity, [property]: key };
}

function nextKey(entities: EntitiesByKey): number {
  let key = 1;
  while (entities.has(String(key))) key += 1;
  return key;
}

/** Whether an entity has all members of `part`: the example of a body often reappears in the answer. */
function includes(entity: Entity, part: Entity): boolean {
  return Object.entries(part).every(
    ([name, value]) => JSON.stringify(entity[name]) === JSON.stringify(value),
  );
}
