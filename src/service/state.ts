import { writeInSteps } from '../codecs/codecs.ts';
import { type Resource, toStateListName } from '../resources/resources.ts';
import { eachInSteps, runAtOnce, runInSlices, type Steps } from '../slices.ts';
import { type CollectionSnapshot, EMPTY_COLLECTION, type Entity, type Snapshot } from '../store/store.ts';
import type { Service } from './build.ts';
import type { Session } from './session.ts';

/** The entities of a session by the names of their lists, in the shape of fixtures: `pets`, `posts@users/3`. */
export type MockState = Readonly<Record<string, readonly Entity[]>>;

/** The whole state of a session as data. */
export function readState({ service, store }: Session): MockState {
  return toMockState(service, store.snapshot());
}

/** The same in slices, as it is at the moment of the call. */
export function readStateInSlices({ service, store }: Session): Promise<MockState> {
  return toMockStateInSlices(service, store.snapshot());
}

/** Writes a state as data, each list in the order that clients see. The first entities must be ready. */
function toMockState(service: Service, state: Snapshot): MockState {
  return runAtOnce(toStateInSteps(service, state));
}

/** The same in slices. Its entities are written, too, so that `toJson` is fast. */
export async function toMockStateInSlices(service: Service, state: Snapshot): Promise<MockState> {
  const lists = await runInSlices(toStateInSteps(service, state));
  const written: [name: string, entities: readonly Entity[]][] = [];
  for (const [name, entities] of Object.entries(lists)) written.push([name, await writeInSlices(entities)]);
  return Object.fromEntries(written);
}

/** Lists entities, and writes the list ahead, in slices. */
export async function writeInSlices(entities: readonly Entity[]): Promise<readonly Entity[]> {
  return (await runInSlices(writeInSteps(entities, (entity) => entity))) as Entity[];
}

function* toStateInSteps(service: Service, state: Snapshot): Steps<MockState> {
  const lists: StateLists = [];
  for (const resource of service.model.resources.values())
    lists.push(...(yield* toListsInSteps(service, state, resource)));
  return Object.fromEntries(lists);
}

type StateLists = [name: string, entities: readonly Entity[]][];

/** The lists of one resource in a state, by their names. At least one, so that an empty resource is named too. */
export function toStateLists(service: Service, state: Snapshot, resource: Resource): StateLists {
  return runAtOnce(toListsInSteps(service, state, resource));
}

function* toListsInSteps(service: Service, state: Snapshot, resource: Resource): Steps<StateLists> {
  const collection = collectionIn(service, state, resource.name);
  const unscoped = yield* toEntitiesInSteps(collection.entries);
  const scoped: StateLists = [];
  for (const [scope, entries] of collection.scopes) {
    const entities = yield* toEntitiesInSteps(entries);
    // An empty list matters only where it hides the entities that every other scope shows.
    if (entities.length > 0 || unscoped.length > 0) scoped.push([toStateListName(resource, scope), entities]);
    yield;
  }
  const isShown = unscoped.length > 0 || scoped.length === 0;
  return isShown ? [[resource.name, unscoped], ...scoped] : scoped;
}

/** The collection of a resource in a state, or else the first one. */
export function collectionIn({ initial }: Service, state: Snapshot, resource: string): CollectionSnapshot {
  const { collections } = state;
  const known = Object.hasOwn(collections, resource) ? collections[resource] : undefined;
  return known ?? initial.of(resource) ?? EMPTY_COLLECTION;
}

function* toEntitiesInSteps(entries: CollectionSnapshot['entries']): Steps<Entity[]> {
  const entities: Entity[] = [];
  yield* eachInSteps(entries, ([, entity]) => entities.push(entity));
  return entities;
}
