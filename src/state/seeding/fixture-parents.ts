import type { Resource } from '../../model/resources/resources.ts';
import type { Entity } from '../store/store.ts';

/** A parent that an entity names, but that the fixtures do not have. */
interface MissingParent {
  /** `cat.ownerId` */
  readonly location: string;
  readonly message: string;
}

/** Finds the parents of an entity that do not exist, so that no path reaches it. `hasEntity` knows the fixtures. */
export function findMissingParents(
  { parents, singular }: Resource,
  entity: Entity,
  hasEntity: (resource: string, key: string) => boolean,
): readonly MissingParent[] {
  return parents.flatMap(({ property, resource }) => {
    const key = property === undefined ? undefined : entity[property];
    if (resource === undefined || key === undefined || hasEntity(resource, String(key))) return [];
    const message = `is ${JSON.stringify(key)}, but ${resource} has no such entity, so no path reaches this one`;
    return [{ location: `${singular}.${property}`, message }];
  });
}
