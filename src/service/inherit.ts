import type { EntityName, Rules } from '../petstore/petstore.ts';
import type { Resource, ResourceModel } from '../resources/resources.ts';
import { inKeyOrder } from '../resources/resources.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import type { CollectionSnapshot, Entity, Entries, Session } from '../store/store.ts';
import type { InitialState } from './initial-state.ts';

/** The state of a world, and what decides whether an entity fits it. */
export interface StateParts {
  readonly model: ResourceModel;
  readonly schemas: SchemaChecker;
  readonly rules: Rules | undefined;
  readonly session: Session;
  readonly initial: InitialState;
}

export type FormerState = Pick<StateParts, 'model' | 'session' | 'initial'>;

/**
 * Takes over what clients changed in a former state and still fits. An entity that no client touched follows the fixtures;
 * one that a client made, changed or deleted stays so. Returns a sentence for each thing that was dropped. Both states must be
 * ready.
 */
export function inherit(parts: StateParts, former: FormerState): string[] {
  const { model, rules, session } = parts;
  const dropped: string[] = [];
  const current = former.session.snapshot();
  for (const name of former.session.begun) {
    const now = current.collections[name] ?? EMPTY;
    const touched = findTouched(former.initial.of(name) ?? EMPTY, now);
    const target = model.resources.get(name);
    if (target) {
      const { snapshot, misfits } = merge(parts, target, touched, now.nextKey);
      session.fill(name, snapshot);
      dropped.push(...misfits);
    } else if (touched.length > 0) {
      dropped.push(`${touched.length} changed ${name}: the document has no such resource any more`);
    }
  }
  return rules ? [...dropped, ...settle({ ...parts, rules })] : dropped;
}

const EMPTY: CollectionSnapshot = { nextKey: 1, entries: [] };

/** What a client did to one entity: how it left it, or `undefined` if it deleted it. */
interface Touched {
  readonly scope: string;
  readonly key: string;
  readonly entity: Entity | undefined;
}

/** The entities of the fixtures with a client's changes over them, but for those that break the schema. */
function merge(
  { initial, schemas }: StateParts,
  resource: Resource,
  touched: readonly Touched[],
  formerKey: number,
): { readonly snapshot: CollectionSnapshot; readonly misfits: readonly string[] } {
  const first = initial.of(resource.name) ?? EMPTY;
  const names = new Set(['', ...Object.keys(first.scopes ?? {}), ...touched.map(({ scope }) => scope)]);
  const scopes = new Map([...names].map((scope) => [scope, new Map(entriesOf(first, scope))]));
  const misfits: string[] = [];
  for (const { scope, key, entity } of touched) {
    const entries = scopes.get(scope);
    const [violation] = entity ? schemas.check(resource.schema, entity, resource.singular) : [];
    if (violation) misfits.push(`${resource.singular} ${key}: ${violation.location} ${violation.message}`);
    else if (entity) entries?.set(key, entity);
    else entries?.delete(key);
  }
  const [unscoped, ...others] = [...scopes].map(
    ([scope, entries]) => [scope, inKeyOrder([...entries])] as const,
  );
  const snapshot = {
    nextKey: Math.max(first.nextKey, formerKey),
    entries: unscoped?.[1] ?? [],
    ...(others.length > 0 && { scopes: Object.fromEntries(others) }),
  };
  return { snapshot, misfits };
}

/** A scope that has no entities of its own shows those without a scope. */
function entriesOf({ entries, scopes = {} }: CollectionSnapshot, scope: string): Entries {
  return scope !== '' && Object.hasOwn(scopes, scope) ? (scopes[scope] as Entries) : entries;
}

/** Undoes changes that contradict the rules now, until none does; if undoing does not help, the fixtures win. */
function settle(parts: StateParts & { readonly rules: Rules }): string[] {
  const { rules, session, initial, model } = parts;
  const dropped: string[] = [];
  for (;;) {
    rules.complete(session);
    const contradictions = rules.findContradictions(session);
    if (contradictions.length === 0) {
      for (const [name, { nextKey, entries }] of Object.entries(session.snapshot().collections))
        session.fill(name, { nextKey, entries: inKeyOrder(entries) });
      return dropped;
    }
    const undone = contradictions.filter(
      ({ entity, missing }) => undo(session, initial, entity) || (missing && undo(session, initial, missing)),
    );
    if (undone.length === 0) {
      for (const name of model.resources.keys()) session.fill(name, initial.of(name) ?? EMPTY);
      return [`all changes of clients: with the new fixtures ${contradictions[0]?.message}`];
    }
    dropped.push(...undone.map(({ message }) => message));
  }
}

/** Puts an entity back to what the fixtures say of it. Returns whether that changed anything. */
function undo(session: Session, initial: InitialState, { resource, key }: EntityName): boolean {
  const first = new Map(initial.of(resource)?.entries).get(key);
  const collection = session.collection(resource);
  const now = collection.get(key);
  if (now === first) return false;
  if (first) collection.put(key, first);
  else collection.delete(key);
  return true;
}

/** An entity that no client touched is still the same object. */
function findTouched(first: CollectionSnapshot, now: CollectionSnapshot): Touched[] {
  const scopes = new Set(['', ...Object.keys(first.scopes ?? {}), ...Object.keys(now.scopes ?? {})]);
  return [...scopes].flatMap((scope) => {
    const before = new Map(entriesOf(first, scope));
    const after = new Map(entriesOf(now, scope));
    const gone = [...before.keys()].filter((key) => !after.has(key));
    const changed = [...after].filter(([key, entity]) => before.get(key) !== entity);
    return [
      ...gone.map((key) => ({ scope, key, entity: undefined })),
      ...changed.map(([key, entity]) => ({ scope, key, entity })),
    ];
  });
}
