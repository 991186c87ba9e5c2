import type { Rules } from './petstore.ts';
import type { ResourceModel } from './resources.ts';
import type { SchemaChecker } from './schemas.ts';
import type { Entity, Session, Snapshot } from './store.ts';

/** The state of a world, and what decides whether an entity fits it. */
export interface StateParts {
  readonly model: ResourceModel;
  readonly schemas: SchemaChecker;
  readonly rules: Rules | undefined;
  readonly session: Session;
  readonly initial: Snapshot;
}

/**
 * Takes over what clients changed in a former state and still fits. An entity that no client touched follows the fixtures; one that a client made, changed or deleted stays so.
 * Returns a sentence for each thing that was dropped.
 */
export function inherit(
  { model, schemas, rules, session, initial }: StateParts,
  former: Pick<StateParts, 'session' | 'initial'>,
): string[] {
  const dropped: string[] = [];
  const before = former.session.snapshot();
  for (const resource of model.resources.values()) {
    const collection = session.collection(resource.name);
    const touched = findTouched(former.initial, before, resource.name);
    for (const [key, entity] of touched) {
      if (entity === undefined) {
        collection.delete(key);
        continue;
      }
      const [violation] = schemas.check(resource.schema, entity, resource.singular);
      if (violation) dropped.push(`${resource.singular} ${key}: ${violation.location} ${violation.message}`);
      else collection.put(key, entity);
    }
  }
  rules?.complete(session);
  const contradictions = rules?.findContradictions(session) ?? [];
  if (contradictions.length > 0) {
    session.restore(initial);
    return [`all changes of clients: with the new fixtures ${contradictions[0]}`];
  }
  return dropped;
}

/** Key → the entity as a client left it, or `undefined` if one deleted it. Untouched entities are still the same object. */
function findTouched(initial: Snapshot, current: Snapshot, name: string): Map<string, Entity | undefined> {
  const first = new Map(initial.collections[name]?.entries);
  const now = new Map(current.collections[name]?.entries);
  const touched = new Map<string, Entity | undefined>();
  for (const key of first.keys()) if (!now.has(key)) touched.set(key, undefined);
  for (const [key, entity] of now) if (first.get(key) !== entity) touched.set(key, entity);
  return touched;
}
