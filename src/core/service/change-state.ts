import { isDeepStrictEqual } from 'node:util';
import { violationProblem } from '../../base/problem.ts';
import type { Resource } from '../../model/resources/resources.ts';
import { toEntityScope, toListedCollection } from '../../state/lists/lists.ts';
import { OWN_MEMBER, type ReadStateList } from '../../state/seeding/seeding.ts';
import {
  type CollectionSnapshot,
  EMPTY_COLLECTION,
  type Entries,
  type Store,
} from '../../state/store/store.ts';
import type { Service } from './build.ts';
import { NOTHING_ASIDE } from './inherit.ts';
import type { Session } from './session.ts';
import { collectionIn } from './state.ts';

/** Lists by their names, as a client sends them. */
export type GivenState = Readonly<Record<string, unknown>>;

/** The place of a list in what a client sends, by its name. */
type Locate = (name: string) => string;

/**
 * Replaces the lists that are named, past the rules but through the schemas. The name of a resource replaces all lists of it.
 * Throws a 422 Problem with the findings, and changes nothing then. The first entities must be ready.
 */
export function seedState(session: Session, given: GivenState, locate: Locate): void {
  const lists = readLists(session.service, given, locate);
  commitState(session, (store) => fill(session.service, store, lists, EMPTY_COLLECTION));
}

/**
 * Replaces the whole state: a resource that is not named has no entities. Forgets the idempotency keys, like the restoration of a
 * snapshot. Throws like `seedState`.
 */
export function replaceState(session: Session, given: GivenState, locate: Locate): void {
  const { service } = session;
  const { collections } = readWholeState(service, given, locate).snapshot();
  commitState(session, (store) => {
    for (const [name, collection] of Object.entries(collections)) store.fill(name, collection);
  });
  session.setAside = NOTHING_ASIDE;
  session.idempotencyKeys?.clear();
}

/** Reads the state of every resource. Throws like `seedState`. */
export function readWholeState(service: Service, given: GivenState, locate: Locate): Store {
  const lists = readLists(service, given, locate);
  const store = service.createStore();
  for (const name of service.model.resources.keys()) store.fill(name, EMPTY_COLLECTION);
  fill(service, store, lists, EMPTY_COLLECTION);
  service.rules?.complete(store);
  return store;
}

/**
 * Reads a state in which the resources that are not named begin as in a fresh session. An entity that equals one of the fixtures is
 * that very object, so that it counts as unchanged. The user gave it, so it takes nothing of the budget. Throws like `seedState`.
 */
export function readStateOver(service: Service, given: GivenState, locate: Locate): Store {
  const lists = readLists(service, given, locate).map((list) => withFirstEntities(service, list));
  const store = service.createStore();
  for (const { resource } of lists) store.fill(resource.name, EMPTY_COLLECTION);
  fill(service, store, lists);
  return store;
}

/**
 * Changes a copy of the state, adds what follows from it by the rules, and only then makes it the current one. Throws a 507 Problem
 * if it does not fit into memory.
 */
export function commitState(session: Session, change: (store: Store) => void): void {
  const store = session.store.clone();
  change(store);
  session.service.rules?.complete(store);
  session.account.reserve(store.written - session.store.written);
  session.store = store;
}

function withFirstEntities({ initial }: Service, list: ReadStateList): ReadStateList {
  const { resource, scope, entries } = list;
  // Generated entities are made at their first use, and a comparison would make all of them.
  const first = initial.countOf(resource.name) === undefined ? undefined : initial.of(resource.name);
  if (!first) return list;
  const shared = entries.map(([key, entity]) => {
    const same = first.get(key, toEntityScope(resource, scope, entity));
    return [key, same && isDeepStrictEqual(same, entity) ? same : entity] as const;
  });
  return { ...list, entries: shared };
}

function readLists(service: Service, given: GivenState, locate: Locate): readonly ReadStateList[] {
  const { lists, findings } = service.readState(
    Object.entries(given)
      // A state file has it for what no entity shows.
      .filter(([name]) => name !== OWN_MEMBER)
      .map(([name, data]) => ({ name, data, location: locate(name) })),
  );
  if (findings.length > 0) throw violationProblem(422, 'validation_failed', findings);
  return lists;
}

/** Puts lists into a store. With `own` clients wrote the entities that it does not have, else the user gave all. */
function fill(
  service: Service,
  store: Store,
  lists: readonly ReadStateList[],
  own?: CollectionSnapshot,
): void {
  const groups = new Map<Resource, ReadStateList[]>();
  for (const list of lists) {
    const group = groups.get(list.resource);
    if (group) group.push(list);
    else groups.set(list.resource, [list]);
  }
  const state = store.snapshot();
  for (const [resource, group] of groups) {
    const isWhole = group.some(({ scope }) => scope === '');
    const onto = isWhole ? undefined : collectionIn(service, state, resource.name);
    store.fill(
      resource.name,
      toListedCollection(resource, group, { order: asGiven, ...(onto && { onto }), given: own }),
    );
  }
}

const asGiven = (entries: Iterable<Entries[number]>): Entries => [...entries];
