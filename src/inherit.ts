import { inKeyOrder } from './fixtures.ts';
import type { Rules } from './petstore.ts';
import type { EntityName } from './petstore-state.ts';
import type { Resource, ResourceModel } from './resources.ts';
import type { SchemaChecker } from './schemas.ts';
import type { CollectionSnapshot, Entity, Session, Snapshot } from './store.ts';

/** The state of a world, and what decides whether an entity fits it. */
export interface StateParts {
  readonly model: ResourceModel;
  readonly schemas: SchemaChecker;
  readonly rules: Rules | undefined;
  readonly session: Session;
  readonly initial: Snapshot;
}

export type FormerState = Pick<StateParts, 'model' | 'session' | 'initial'>;

/**
 * Takes over what clients changed in a former state and still fits. An entity that no client touched follows the fixtures;
 * one that a client made, changed or deleted stays so. Returns a sentence for each thing that was dropped.
 */
export function inherit(parts: StateParts, former: FormerState): string[] {
  const { model, rules, session, initial } = parts;
  const dropped: string[] = [];
  const current = former.session.snapshot();
  const collections: Record<string, CollectionSnapshot> = { ...initial.collections };
  for (const resource of former.model.resources.values()) {
    const { name } = resource;
    const touched = findTouched(former.initial, current, name);
    const target = model.resources.get(name);
    if (target) {
      const { entries, misfits } = merge(parts, target, touched);
      const nextKey = Math.max(nextKeyOf(initial, name), nextKeyOf(current, name));
      collections[name] = { nextKey, entries };
      dropped.push(...misfits);
    } else if (touched.size > 0) {
      dropped.push(`${touched.size} changed ${name}: the document has no such resource any more`);
    }
  }
  session.restore(inKeyOrder({ collections }));
  return rules ? [...dropped, ...settle({ ...parts, rules })] : dropped;
}

/** The entities of the fixtures with a client's changes over them, but for those that break the schema. */
function merge({ initial, schemas }: StateParts, resource: Resource, touched: Touched) {
  const entries = new Map(initial.collections[resource.name]?.entries);
  const misfits: string[] = [];
  for (const [key, entity] of touched) {
    const [violation] = entity ? schemas.check(resource.schema, entity, resource.singular) : [];
    if (violation) misfits.push(`${resource.singular} ${key}: ${violation.location} ${violation.message}`);
    else if (entity) entries.set(key, entity);
    else entries.delete(key);
  }
  return { entries: [...entries], misfits };
}

function nextKeyOf({ collections }: Snapshot, name: string): number {
  return collections[name]?.nextKey ?? 1;
}

/** Undoes changes that contradict the rules now, until none does; if undoing does not help, the fixtures win. */
function settle({ rules, session, initial }: StateParts & { readonly rules: Rules }): string[] {
  const dropped: string[] = [];
  for (;;) {
    rules.complete(session);
    const contradictions = rules.findContradictions(session);
    if (contradictions.length === 0) {
      session.restore(inKeyOrder(session.snapshot()));
      return dropped;
    }
    const undone = contradictions.filter(
      ({ entity, missing }) => undo(session, initial, entity) || (missing && undo(session, initial, missing)),
    );
    if (undone.length === 0) {
      session.restore(initial);
      return [`all changes of clients: with the new fixtures ${contradictions[0]?.message}`];
    }
    dropped.push(...undone.map(({ message }) => message));
  }
}

/** Puts an entity back to what the fixtures say of it. Returns whether that changed anything. */
function undo(session: Session, initial: Snapshot, { resource, key }: EntityName): boolean {
  const first = new Map(initial.collections[resource]?.entries).get(key);
  const collection = session.collection(resource);
  const now = collection.get(key);
  if (now === first) return false;
  if (first) collection.put(key, first);
  else collection.delete(key);
  return true;
}

/** Key → the entity as a client left it, or `undefined` if one deleted it. */
type Touched = ReadonlyMap<string, Entity | undefined>;

/** An entity that no client touched is still the same object. */
function findTouched(initial: Snapshot, current: Snapshot, name: string): Touched {
  const first = new Map(initial.collections[name]?.entries);
  const now = new Map(current.collections[name]?.entries);
  const touched = new Map<string, Entity | undefined>();
  for (const key of first.keys()) if (!now.has(key)) touched.set(key, undefined);
  for (const [key, entity] of now) if (first.get(key) !== entity) touched.set(key, entity);
  return touched;
}
