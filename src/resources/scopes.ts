import {
  type CollectionSnapshot,
  type Entity,
  type Entries,
  type Entry,
  toCollectionSnapshot,
  toScope,
} from '../store/store.ts';
import type { Resource } from './model.ts';

/** Where an entity belongs that does not say so; `undefined` for the collection that every scope begins with. */
export type PlaceEntity = (entity: Entity, index: number) => string | undefined;

/**
 * The entities of a resource as a session begins with them, in the order of their keys: below the parents that they name, else
 * where `place` puts them.
 */
export function toScopes(
  { parents }: Resource,
  entries: Entries,
  place: PlaceEntity = () => undefined,
): CollectionSnapshot {
  const open = parents.length === 0 || parents.some(({ resource }) => resource === undefined);
  if (open) return toCollectionSnapshot(inKeyOrder(entries));
  const scopes = new Map<string | undefined, (readonly [string, Entity])[]>();
  for (const [index, [key, entity]] of entries.entries()) {
    const named = parents.map(({ property }) => (property === undefined ? undefined : entity[property]));
    const scope = named.includes(undefined) ? place(entity, index) : toScope(named);
    scopes.set(scope, [...(scopes.get(scope) ?? []), [key, entity]]);
  }
  const unscoped = scopes.get(undefined) ?? [];
  scopes.delete(undefined);
  const scoped = [...scopes].map(([scope, own]) => [scope, inKeyOrder(own)] as const);
  return toCollectionSnapshot(inKeyOrder(unscoped), { scopes: Object.fromEntries(scoped) });
}

/** Entities in the order of their keys, which is the order of every list: numbers by size, texts as they came. */
export function inKeyOrder(entries: Iterable<Entry>): Entries {
  return [...entries].sort(([a], [b]) => (NUMBER.test(a) && NUMBER.test(b) ? Number(a) - Number(b) : 0));
}

const NUMBER = /^-?\d+$/;
