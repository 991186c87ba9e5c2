import { LongList } from '../codecs/codecs.ts';
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

/** The state of a session at this moment as lists that are read later, each of entities. */
export function readLongState({ service, store }: Session): LongState {
  return toLongState(service, store.snapshot());
}

type LongState = Readonly<Record<string, LongList>>;

/** A state as lists that are read later. */
export function toLongState(service: Service, state: Snapshot): LongState {
  return mapLists(service, state, toLongList);
}

/** Entities as a list that is read later. */
function toLongList(entries: Entries): LongList {
  return new LongList(() => entitiesOf(entries));
}

/** Writes a state as data, each list in the order that clients see. The first entities must be ready. */
function toMockState(service: Service, state: Snapshot): MockState {
  return mapLists(service, state, toEntities);
}

function mapLists<T>(
  service: Service,
  state: Snapshot,
  toList: (entries: Entries) => T,
): Readonly<Record<string, T>> {
  const lists = [...service.model.resources.values()].flatMap((resource) =>
    findLists(service, state, resource),
  );
  return Object.fromEntries(lists.map(([name, entries]) => [name, toList(entries)]));
}

/** The lists of one resource in a state, by their names. At least one, so that an empty resource is named too. */
export function toStateLists(
  service: Service,
  state: Snapshot,
  resource: Resource,
): [name: string, entities: readonly Entity[]][] {
  return findLists(service, state, resource).map(([name, entries]) => [name, toEntities(entries)]);
}

type Entries = CollectionSnapshot['entries'];

function findLists(service: Service, state: Snapshot, resource: Resource): [name: string, Entries][] {
  const { entries: unscoped, scopes } = collectionIn(service, state, resource.name);
  const hasUnscoped = !isEmpty(unscoped);
  const scoped: [string, Entries][] = [];
  // An empty list matters only where it hides the entities that every other scope shows.
  for (const [scope, entries] of scopes)
    if (hasUnscoped || !isEmpty(entries)) scoped.push([toStateListName(resource, scope), entries]);
  return hasUnscoped || scoped.length === 0 ? [[resource.name, unscoped], ...scoped] : scoped;
}

function isEmpty(entries: Entries): boolean {
  for (const _ of entries) return false;
  return true;
}

/** The collection of a resource in a state, or else the first one. */
export function collectionIn({ initial }: Service, state: Snapshot, resource: string): CollectionSnapshot {
  const { collections } = state;
  const known = Object.hasOwn(collections, resource) ? collections[resource] : undefined;
  return known ?? initial.of(resource) ?? EMPTY_COLLECTION;
}

function toEntities(entries: Entries): Entity[] {
  return Array.from(entries, ([, entity]) => entity);
}

function* entitiesOf(entries: Entries): Generator<Entity, undefined> {
  for (const [, entity] of entries) yield entity;
}
