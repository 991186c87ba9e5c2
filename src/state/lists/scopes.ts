import type { Parent, Resource } from '../../model/resources/resources.ts';
import {
  type CollectionSnapshot,
  type Entity,
  type Entries,
  type Entry,
  toCollectionSnapshot,
  toScope,
} from '../store/store.ts';
import { isNameable } from './state-lists.ts';

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

/** The entities of one list of a resource. */
interface ListEntries {
  /** The scope of the list; empty for one in which each entity may name its own. */
  readonly scope: string;
  readonly entries: Entries;
}

interface ListOptions {
  /** Puts the entities of a scope into order. */
  readonly order?: (entries: Iterable<Entry>) => Entries;
  /** The collection whose other lists stay. */
  readonly onto?: CollectionSnapshot;
  /** The entities of the fixtures, where clients wrote all others. */
  readonly given?: CollectionSnapshot | undefined;
}

/** Builds a collection of lists. A list without a scope is the first that each scope shows. */
export function toListedCollection(
  resource: Resource,
  lists: readonly ListEntries[],
  { order = inKeyOrder, onto, given }: ListOptions = {},
): CollectionSnapshot {
  const scopes = new Map<string, Entry[]>([['', [...(onto?.entries ?? [])]]]);
  for (const [scope, entries] of onto?.scopes ?? []) scopes.set(scope, [...entries]);
  // A list of its own hides the entities without a scope, even an empty list.
  for (const { scope } of lists) scopes.set(scope, []);
  for (const { scope, entries } of lists) {
    for (const entry of entries) {
      const name = toEntityScope(resource, scope, entry[1]);
      const own = scopes.get(name);
      if (own) own.push(entry);
      else scopes.set(name, [entry]);
    }
  }
  const { '': unscoped = [], ...scoped } = Object.fromEntries(
    [...scopes].map(([scope, entries]) => [scope, order(entries)] as const),
  );
  return toCollectionSnapshot(order(unscoped), {
    scopes: scoped,
    given,
    ...(onto && { nextKey: onto.nextKey, retired: onto.retired }),
  });
}

/** The scope of an entity in a list: that of the list, or else of the parents that the entity names. */
export function toEntityScope({ parents }: Resource, listScope: string, entity: Entity): string {
  if (listScope !== '' || parents.length === 0) return listScope;
  const isNamed = parents.every(
    ({ resource, property }) =>
      resource !== undefined && property !== undefined && isNameable(entity[property]),
  );
  return (isNamed ? toNamedScope(parents, entity) : undefined) ?? '';
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
