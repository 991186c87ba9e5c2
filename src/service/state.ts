import { type Resource, toStateListName } from '../resources/resources.ts';
import { type CollectionSnapshot, EMPTY_COLLECTION, type Entity, type Snapshot } from '../store/store.ts';
import type { Service } from './build.ts';
import type { Session } from './session.ts';

/** The entities of a session by the names of their lists, in the shape of fixtures: `pets`, `posts@users/3`. */
export type MockState = Readonly<Record<string, readonly Entity[]>>;

/** The whole state of a session as data. */
export function readState({ service, store }: Session): MockState {
  return toMockState(service, store.snapshot());
}

/** Writes a state as data, each list in the order that clients see. The first entities must be ready. */
export function toMockState(service: Service, state: Snapshot): MockState {
  const lists = [...service.model.resources.values()].flatMap((resource) =>
    toStateLists(service, state, resource),
  );
  return Object.fromEntries(lists);
}

/** The lists of one resource in a state, by their names. At least one, so that an empty resource is named too. */
export function toStateLists(
  service: Service,
  state: Snapshot,
  resource: Resource,
): (readonly [name: string, entities: readonly Entity[]])[] {
  const collection = collectionIn(service, state, resource.name);
  const unscoped = toEntities(collection.entries);
  const scoped = [...collection.scopes]
    .map(([scope, entries]) => [toStateListName(resource, scope), toEntities(entries)] as const)
    // An empty list matters only where it hides the entities that every other scope shows.
    .filter(([, entities]) => entities.length > 0 || unscoped.length > 0);
  const isShown = unscoped.length > 0 || scoped.length === 0;
  return isShown ? [[resource.name, unscoped] as const, ...scoped] : scoped;
}

/** The collection of a resource in a state, or else the first one. */
export function collectionIn({ initial }: Service, state: Snapshot, resource: string): CollectionSnapshot {
  const { collections } = state;
  const known = Object.hasOwn(collections, resource) ? collections[resource] : undefined;
  return known ?? initial.of(resource) ?? EMPTY_COLLECTION;
}

function toEntities(entries: CollectionSnapshot['entries']): Entity[] {
  return Array.from(entries, ([, entity]) => entity);
}
