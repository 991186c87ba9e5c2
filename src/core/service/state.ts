import type { Resource } from '../../model/resources/resources.ts';
import { toStateListName } from '../../state/lists/lists.ts';
import {
  type CollectionSnapshot,
  EMPTY_COLLECTION,
  type Entity,
  type Snapshot,
} from '../../state/store/store.ts';
import { LongList, LongObject } from '../../wire/codecs/codecs.ts';
import type { Service } from './build.ts';
import type { Session } from './session.ts';

/** The entities of a session by the names of their lists, in the shape of fixtures: `pets`, `posts@users/3`. */
export type MockState = Readonly<Record<string, readonly Entity[]>>;

/** The whole state of a session as data. */
export function readState({ service, store }: Session): MockState {
  return toMockState(service, store.snapshot());
}

/** The state of a session at this moment, whose lists are made when they are read. */
export function readLongState({ service, store }: Session): LongObject {
  return toLongState(service, store.snapshot());
}

/** A state whose lists are made when they are read. */
export function toLongState(service: Service, state: Snapshot): LongObject {
  return new LongObject(() => longListsOf(service, state));
}

function* longListsOf(service: Service, state: Snapshot): Generator<[name: string, LongList], undefined> {
  for (const resource of service.model.resources.values())
    for (const [name, entries] of findLists(service, state, resource))
      yield [name, new LongList(() => entitiesOf(entries))];
}

/** Writes a state as data, each list in the order that clients see. The first entities must be ready. */
function toMockState(service: Service, state: Snapshot): MockState {
  const resources = [...service.model.resources.values()];
  return Object.fromEntries(resources.flatMap((resource) => toStateLists(service, state, resource)));
}

/** The lists of one resource in a state, by their names. At least one, so that an empty resource is named too. */
export function toStateLists(
  service: Service,
  state: Snapshot,
  resource: Resource,
): [name: string, entities: readonly Entity[]][] {
  return Array.from(findLists(service, state, resource), ([name, entries]) => [name, toEntities(entries)]);
}

type Entries = CollectionSnapshot['entries'];

function* findLists(
  service: Service,
  state: Snapshot,
  resource: Resource,
): Generator<[name: string, Entries], undefined> {
  const { entries: unscoped, scopes } = collectionIn(service, state, resource.name);
  const hasUnscoped = !isEmpty(unscoped);
  if (hasUnscoped) yield [resource.name, unscoped];
  let hasAny = hasUnscoped;
  for (const [scope, entries] of scopes) {
    // An empty list matters only where it hides the entities that every other scope shows.
    if (!hasUnscoped && isEmpty(entries)) continue;
    hasAny = true;
    yield [toStateListName(resource, scope), entries];
  }
  if (!hasAny) yield [resource.name, unscoped];
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
