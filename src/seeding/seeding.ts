import type { Resource } from '../resources/resources.ts';
import { ONLY_KEY, toScopes } from '../resources/resources.ts';
import { type CollectionSnapshot, type Entity, type Entries, toScope } from '../store/store.ts';
import {
  candidateKeys,
  draftEntities,
  type Entities,
  isValid,
  orNothing,
  type SeedingParts,
} from './drafts.ts';
import { findExampleEntities } from './entity-examples.ts';
import { findLeaves, ownerOf } from './leaves.ts';
import { buildReferences, type FindReferred } from './references.ts';
import { createRefiner } from './refine.ts';

export type { SeedingParts } from './drafts.ts';
export type { Realist } from './field.ts';
export { type FixtureOptions, loadFixtures } from './fixtures.ts';
export { loadRealist } from './realistic.ts';

/** Makes the entities that a resource starts with, when they are asked for. */
export type Seeder = (resource: Resource) => CollectionSnapshot;

/**
 * Makes the entities that a document starts with: those that its examples show, and generated ones. Each of these depends on
 * seed, resource and key alone, but for what it refers to.
 */
export function createSeeder(parts: SeedingParts): Seeder {
  const { model } = parts;
  const resources = [...model.resources.values()];
  const referred = buildReferences(resources);
  const shownOf = once((resource: Resource) => collectExamples(parts, resource));
  const draftsOf = once((resource: Resource): Entities => {
    const main = resource.key && referred({ name: resource.key.property, owner: '', resource });
    const companion = main !== undefined && main !== resource;
    if (companion && parts.withoutCompanions) return new Map();
    const keys = companion
      ? keysOf(main)
      : candidateKeys(parts, resource, findWanted(parts, referred, shownOf, resource));
    return draftEntities(parts, resource, keys, shownOf(resource));
  }, new Map());
  const keysOf = (resource: Resource): string[] => [
    ...shownOf(resource).keys(),
    ...draftsOf(resource).keys(),
  ];
  const refine = createRefiner({ ...parts, referred, keysOf });
  const seed: Seeder = once((resource: Resource) => {
    const generated = [...draftsOf(resource)].map(
      ([key, draft]) => [key, refine(resource, key, draft)] as const,
    );
    return place(parts, resource, [...shownOf(resource), ...generated], seed);
  });
  return seed;
}

/** Makes it once for each resource; `meanwhile` is what there is while it is being made. */
function once<T>(make: (resource: Resource) => T, meanwhile?: T): (resource: Resource) => T {
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

/** Puts entities below parents that exist: those that they name, else one after the other. */
function place(parts: SeedingParts, resource: Resource, entries: Entries, seed: Seeder): CollectionSnapshot {
  const nearest = resource.parents.at(-1);
  const parent = nearest?.resource === undefined ? undefined : parts.model.resources.get(nearest.resource);
  if (!parent || !resource.key) return toScopes(resource, entries);
  const { entries: unscoped, scopes } = seed(parent);
  const places = [
    ...Array.from(unscoped, ([key]) => toScope([key])),
    ...[...scopes].flatMap(([scope, own]) => Array.from(own, ([key]) => `${scope}/${toScope([key])}`)),
  ];
  const unnamed = {
    ...resource,
    parents: resource.parents.map((each) => ({ ...each, property: undefined })),
  };
  const placed = entries.map(([key, entity], index) => {
    const scope = places[index % places.length];
    return [key, scope === undefined ? entity : withParents(parts, resource, entity, scope)] as const;
  });
  return toScopes(unnamed, placed, (_, index) => places[index % places.length]);
}

/** An entity that says which parents it is below, if it can. */
function withParents(parts: SeedingParts, resource: Resource, entity: Entity, scope: string): Entity {
  const keys = scope.split('/').map(decodeURIComponent);
  let named = entity;
  for (const [index, { property }] of resource.parents.entries()) {
    const key = keys[index];
    if (property === undefined || key === undefined) continue;
    const next = { ...named, [property]: typeof named[property] === 'number' ? Number(key) : key };
    if (isValid(parts, resource, next)) named = next;
  }
  return named;
}

/** The keys by which the examples of other resources refer to one. */
function findWanted(
  { root, model }: SeedingParts,
  referred: FindReferred,
  shownOf: (resource: Resource) => Entities,
  target: Resource,
): Set<string> {
  const referring = [...model.resources.values()].filter((resource) =>
    resource.properties.some((name) => referred({ name, owner: '', resource }) === target),
  );
  const values = referring.flatMap((resource) =>
    [...shownOf(resource).values()].flatMap((entity) =>
      findLeaves(root, resource.schema, entity, resource.singular)
        .filter((leaf) => referred({ ...leaf, owner: ownerOf(leaf), resource }) === target)
        .map(({ value }) => value),
    ),
  );
  const isKey = target.key?.type === 'string' ? isText : Number.isSafeInteger;
  return new Set(values.filter(isKey).map(String));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The entities of the examples that hold to the schema, by key. One without a key gets the next free one. */
function collectExamples(parts: SeedingParts, resource: Resource): Entities {
  return orNothing(() => {
    const entities = findExampleEntities(parts, resource);
    const found: Entities = new Map();
    if (!resource.key)
      return new Map(
        entities
          .filter((each) => isValid(parts, resource, each))
          .slice(0, 1)
          .map((each) => [ONLY_KEY, each]),
      );
    const { property, type } = resource.key;
    const add = (entity: Entity) => {
      const key = String(entity[property]);
      if (!found.has(key) && isValid(parts, resource, entity)) found.set(key, entity);
    };
    for (const entity of entities) if (entity[property] !== undefined) add(entity);
    if (type !== 'integer') return found;
    for (const entity of entities) {
      const known = [...found.values()].some((other) => includes(other, entity));
      const key = nextKey(found);
      if (entity[property] === undefined && !known) add({ [property]: key, ...entity, [property]: key });
    }
    return found;
  });
}

function nextKey(entities: Entities): number {
  let key = 1;
  while (entities.has(String(key))) key += 1;
  return key;
}

/** Whether everything in `part` is in the other entity too, as in the answer to the request that shows it. */
function includes(entity: Entity, part: Entity): boolean {
  return Object.entries(part).every(
    ([name, value]) => JSON.stringify(entity[name]) === JSON.stringify(value),
  );
}
