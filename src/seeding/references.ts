import type { Resource } from '../resources/resources.ts';
import { toSnake } from '../resources/resources.ts';

/** A property of an entity that may refer to another one. */
export interface Reference {
  readonly name: string;
  /** The name of the property that holds the object that it is in; empty if that is the entity itself. */
  readonly owner: string;
  /** Of which the entity is. */
  readonly resource: Resource;
}

/** The resource that a property refers to by name, if it does. */
export type FindReferred = (reference: Reference) => Resource | undefined;

/** `authorId` and `author_id` refer to an author, `authorIds` to several, `coAuthorId` to one too, `parentId` to its like. */
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
