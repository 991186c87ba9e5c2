import {
  buildDrafts,
  type Entities,
  hasIntegerKey,
  isValid,
  orNothing,
  type SeedingParts,
} from './drafts.ts';
import { findExampleEntities } from './entity-examples.ts';
import { loadRealist } from './realistic.ts';
import { buildReferences } from './references.ts';
import { createRefiner } from './refine.ts';
import type { Resource } from './resources.ts';
import type { Entity, Snapshot } from './store.ts';

/**
 * The entities that a document starts with: those that its examples show, and generated ones. Each of these depends on seed,
 * resource and key alone, but for what it refers to.
 */
export async function seedEntities(parts: SeedingParts): Promise<Snapshot> {
  const resources = [...parts.model.resources.values()];
  const referred = buildReferences(resources);
  const shown = new Map(resources.map((resource) => [resource.name, collectExamples(parts, resource)]));
  const drafts = buildDrafts(parts, referred, shown);
  const keys = new Map(
    resources.map(({ name }) => [name, [...(shown.get(name) ?? []), ...(drafts.get(name) ?? [])].map(toKey)]),
  );
  const generates = [...drafts.values()].some(({ size }) => size > 0);
  const realist = generates ? await loadRealist() : () => undefined;
  const refine = createRefiner({ ...parts, referred, keys, realist });
  const collections = resources.map((resource) => {
    const { name } = resource;
    const generated = [...(drafts.get(name) ?? [])].map(
      ([key, draft]) => [key, refine(resource, key, draft)] as const,
    );
    return [name, { nextKey: 1, entries: [...(shown.get(name) ?? []), ...generated] }];
  });
  return { collections: Object.fromEntries(collections) };
}

function toKey([key]: readonly [key: string, entity: Entity]): string {
  return key;
}

/** The entities of the examples that hold to the schema, by key. One without a key gets the next free one. */
function collectExamples(parts: SeedingParts, resource: Resource): Entities {
  return orNothing(() => {
    const { property } = resource.key;
    const entities = findExampleEntities(parts, resource);
    const found: Entities = new Map();
    const add = (entity: Entity) => {
      const key = String(entity[property]);
      if (!found.has(key) && isValid(parts, resource, entity)) found.set(key, entity);
    };
    for (const entity of entities) if (entity[property] !== undefined) add(entity);
    if (!hasIntegerKey(parts, resource)) return found;
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
