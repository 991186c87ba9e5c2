import { findNearest } from '../../base/find-nearest.ts';
import { readInteger } from '../../base/number.ts';
import { Problem, violationProblem } from '../../base/problem.ts';
import { ONLY_KEY, type Resource } from '../../model/resources/resources.ts';
import { mergePatch } from '../../state/actions/actions.ts';
import { findStateList, type StateList, toEntityScope } from '../../state/lists/lists.ts';
import type { ReadState } from '../../state/seeding/seeding.ts';
import { type Collection, type Entity, type Entries, type Entry, isEntity } from '../../state/store/store.ts';
import { LongList } from '../../wire/codecs/codecs.ts';
import type { Service } from './build.ts';
import { commitState, seedState } from './change-state.ts';
import type { Session } from './session.ts';

/** The entities of a list at this moment, in the order that clients see. Throws a 404 Problem for a list that cannot be. */
export function readStateList({ service, store }: Session, name: string): LongList {
  // Later changes do not reach a clone.
  const entities = collectionOf({ store: store.clone() }, findList(service, name)).all();
  return new LongList(() => entities.values(), entities.length);
}

/** Replaces a list, like `seedState`. */
export function replaceStateList(session: Session, name: string, given: unknown): void {
  findList(session.service, name);
  seedState(session, { [name]: given }, () => 'body');
}

/** Adds entities to a list, and merges those with a key that is there into the present ones (RFC 7396). Throws like `seedState`. */
export function mergeStateList(session: Session, name: string, given: readonly unknown[]): void {
  const { resource, scope } = findList(session.service, name);
  const data = given.map((each) => {
    const current = isEntity(each) ? findPresent(session, { resource, scope }, each) : undefined;
    return current && isEntity(each) ? merge(resource, current, each) : each;
  });
  const collection = collectionOf(session, { resource, scope });
  put(session, { name, data, location: 'body', beside: [...collection.values()] });
}

/** Reads an entity. Throws a 404 Problem if there is none. */
export function readStateEntity(session: Session, name: string, key: string): Entity {
  const entity = collectionOf(session, findList(session.service, name)).get(key);
  if (entity) return entity;
  throw new Problem(404, 'entity_not_found', `The list ${name} has no entity with the key ${key}.`);
}

/** Puts one entity, past the rules but through its schema. Returns it. Throws like `seedState`. */
export function putStateEntity(session: Session, name: string, key: string, given: unknown): Entity {
  const { resource } = findList(session.service, name);
  const entity = isEntity(given) ? withKey(resource, key, given) : given;
  const [, stored] = put(session, { name, data: [entity], location: 'body', isOne: true }, key)[0] as Entry;
  return stored;
}

/** Merges a patch into an entity (RFC 7396). Returns it. Throws like `seedState`, and a 404 Problem if there is none. */
export function mergeStateEntity(session: Session, name: string, key: string, patch: Entity): Entity {
  const { resource } = findList(session.service, name);
  const current = readStateEntity(session, name, key);
  return putStateEntity(session, name, key, merge(resource, current, patch));
}

/** Deletes an entity, and nothing else. Throws a 404 Problem if there is none. */
export function deleteStateEntity(session: Session, name: string, key: string): void {
  const { resource, scope } = findList(session.service, name);
  readStateEntity(session, name, key);
  commitState(session, (store) => store.collection(resource.name, scope).delete(key));
}

/** The entity that has the key and the place of another one. */
function findPresent({ store }: Session, { resource, scope }: StateList, other: Entity): Entity | undefined {
  const key = resource.key ? other[resource.key.property] : ONLY_KEY;
  if (key === undefined || typeof key === 'object') return undefined;
  return store.collection(resource.name, toEntityScope(resource, scope, other)).get(String(key));
}

/** Puts entities into a list, all or none. `key` is the one that they must have. */
function put(session: Session, list: Parameters<ReadState>[0][number], key?: string): Entries {
  const { lists, findings } = session.service.readState([list]);
  const [read] = lists;
  if (findings.length > 0 || !read) throw violationProblem(422, 'validation_failed', findings);
  const { resource, scope, entries } = read;
  if (key !== undefined && entries.some(([own]) => own !== key)) throw otherKey(resource, key);
  commitState(session, (store) => {
    for (const [own, entity] of entries)
      store.collection(resource.name, toEntityScope(resource, scope, entity)).put(own, entity);
  });
  return entries;
}

function otherKey({ key }: Resource, wanted: string): Problem {
  const location = key ? `body.${key.property}` : 'path.key';
  const message = `must be ${key ? wanted : ONLY_KEY}, as in the path`;
  return violationProblem(422, 'validation_failed', [{ location, message, code: 'const' }]);
}

/** The list with a name. Throws a 404 Problem if there can be none. */
function findList({ model }: Service, name: string): StateList {
  const list = findStateList(model.resources, name);
  if (list) return list;
  const known = [...model.resources.keys()];
  const nearest = findNearest(name, known);
  const hint = nearest === undefined ? `It has: ${known.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  throw new Problem(404, 'list_not_found', `The state has no list ${name}. ${hint}`);
}

function collectionOf({ store }: Pick<Session, 'store'>, { resource, scope }: StateList): Collection {
  return store.collection(resource.name, scope);
}

/** An entity with the key of the path where it has none. */
function withKey({ key }: Resource, text: string, entity: Entity): Entity {
  if (!key || (entity[key.property] ?? undefined) !== undefined) return entity;
  const number = key.type === 'integer' ? readInteger(text) : undefined;
  const value = number !== undefined && String(number) === text ? number : text;
  return { [key.property]: value, ...entity, [key.property]: value };
}

function merge({ schema }: Resource, current: Entity, patch: Entity): Entity {
  return mergePatch(current, patch, (path) => schema.at(path).isNullable) as Entity;
}
