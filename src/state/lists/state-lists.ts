import { readInteger } from '../../base/number.ts';
import type { Resource } from '../../model/resources/resources.ts';
import { isNumeric } from '../../schema/schema.ts';
import { type Entity, joinEntities, toScope } from '../store/store.ts';

/** A list of entities in fixtures, or in the state as data. */
export interface StateList {
  readonly resource: Resource;
  /** The keys of the items above, as the store has them; empty for a list that names none. */
  readonly scope: string;
}

/** The name of a list: `pets`, or `comments@users/3/posts/5` for one below other items. */
export function toStateListName(resource: Resource, scope: string): string {
  if (scope === '') return resource.name;
  const keys = scope.split('/');
  const steps = parentNames(resource).map((parent, index) => `${parent}/${keys[index] ?? ''}`);
  return `${resource.name}@${steps.join('/')}`;
}

/** Finds the list with a name. `undefined` if the document has no such resource, or has it elsewhere. */
export function findStateList(resources: ReadonlyMap<string, Resource>, name: string): StateList | undefined {
  const plain = resources.get(name);
  if (plain) return { resource: plain, scope: '' };
  const at = name.indexOf('@', 1);
  const resource = at < 0 ? undefined : resources.get(name.slice(0, at));
  const parents = resource ? parentNames(resource) : [];
  // A client may send a name of many megabytes.
  const steps = name.slice(at + 1).split('/', 2 * parents.length + 1);
  const isPlace = parents.length > 0 && steps.length === 2 * parents.length;
  if (!resource || !isPlace || parents.some((parent, index) => steps[2 * index] !== parent)) return undefined;
  const keys = steps.filter((_, index) => index % 2 === 1).map(decode);
  const isReachable = keys.every((key) => key !== '' && isNameable(key));
  return isReachable ? { resource, scope: toScope(keys) } : undefined;
}

/** Whether a value can stand in a path: no object can, and no half of a character. */
export function isNameable(value: unknown): boolean {
  return typeof value === 'object' ? value === null : !LONE_SURROGATE.test(String(value));
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** An entity of a list below other items, with the properties that name these where it leaves them out. */
export function withListParents({ resource, scope }: StateList, entity: Entity): Entity {
  if (scope === '') return entity;
  const keys = scope.split('/').map(decode);
  const named = resource.parents.flatMap(({ property }, index) =>
    property === undefined || entity[property] !== undefined
      ? []
      : [[property, toTyped(resource, property, keys[index] ?? '')] as const],
  );
  return named.length === 0 ? entity : joinEntities(entity, Object.fromEntries(named));
}

function toTyped({ schema }: Resource, property: string, key: string): unknown {
  return isNumeric(schema.at([property])) ? (readInteger(key) ?? key) : key;
}

function parentNames({ parents }: Resource): string[] {
  return parents.map(({ resource, parameter }) => encodeURIComponent(resource ?? parameter));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
