import type { Resource } from '../../model/resources/resources.ts';
import { toSnake } from '../../model/resources/resources.ts';

/** A property that may refer to another entity. */
interface PropertyReference {
  readonly name: string;
  /** The property whose object contains it; empty if it is the entity's own. */
  readonly owner: string;
  /** The resource of the entity. */
  readonly resource: Resource;
}

/** Finds the resource that a property refers to by its name. */
export type FindReferred = (reference: PropertyReference) => Resource | undefined;

/** Takes `authorId`, `author_id`, `authorIds` and `coAuthorId` for authors, and `parentId` for the entity's own resource. */
export function buildReferences(resources: readonly Resource[]): FindReferred {
  const find = (stem: string) =>
    resources.find(({ singular }) => singular === stem) ??
    resources
      .filter(({ singular }) => stem.endsWith(`_${singular}`))
      .sort((one, other) => other.singular.length - one.singular.length)[0];
  return ({ name, owner, resource }) => {
    const snake = toSnake(name);
    if (snake === 'id') return owner === '' ? undefined : find(toSnake(owner));
    const stem = /^(.+)_ids?$/.exec(snake)?.[1];
    if (stem === undefined) return undefined;
    return find(stem) ?? (stem === 'parent' ? resource : undefined);
  };
}

/** Builds the test whether the key of a resource names an entity of another one, so that none can be made up. */
export function buildRefersByKey(resources: readonly Resource[]): (resource: Resource) => boolean {
  const referred = buildReferences(resources);
  return (resource) => {
    const name = resource.key?.property;
    const target = name === undefined ? undefined : referred({ name, owner: '', resource });
    return target !== undefined && target !== resource;
  };
}
