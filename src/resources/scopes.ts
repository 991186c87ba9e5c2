import {
  type CollectionSnapshot,
  type Entity,
  type Entries,
  type Entry,
  toCollectionSnapshot,
  toScope,
} from '../store/store.ts';
import type { Parent, Resource } from './model.ts';

/** The scope of an entity; `undefined` for the initial collection of every scope. */
type FindScope = (entity: Entity, index: number) => string | undefined;

/** Sorts entities by key into scopes, by default those of the parents that they name. */
export function toScopes(
  { parents }: Resource,
  entries: Entries,
  findScope: FindScope = (entity) => toNamedScope(parents, entity),
): CollectionSnapshot {
  const open = parents.length === 0 || parents.some(({ resource }) => resource === undefined);
  if (open) return toCollectionSnapshot(inKeyOrder(entries));
  const scopes = new Map<string | undefined, Entry[]>();
  for (const [index, entry] of entries.entries()) {
    const scope = findScope(entry[1], index);
    const own = scopes.get(scope);
    if (own) own.push(entry);
    else scopes.set(scope, [entry]);
  }
  const unscoped = scopes.get(undefined) ?? [];
  scopes.delete(undefined);
  const scoped = [...scopes].map(([scope, own]) => [scope, inKeyOrder(own)] as const);
  return toCollectionSnapshot(inKeyOrder(unscoped), { scopes: Object.fromEntries(scoped) });
}

function toNamedScope(parents: readonly Parent[], entity: Entity): string | undefined {
  const named = parents.map(({ property }) => (property === undefined ? undefined : entity[property]));
  return named.includes(undefined) ? undefined : toScope(named);
}

/** Sorts integer keys by size and leaves other keys in their order. Every list starts in this order. */
export function inKeyOrder(entries: Iterable<Entry>): Entries {
  return [...entries].sort(([a], [b]) =>
    INTEGER_KEY.test(a) && INTEGER_KEY.test(b) ? Number(a) - Number(b) : 0,
  );
}

const INTEGER_KEY = /^-?\d+$/;
