import { templateNames } from '../../model/operations/operations.ts';
import type { Resource } from '../../model/resources/resources.ts';

/** The path of one entity: the item path, or the collection path of a singleton. */
export function itemPathOf({ itemPath, collectionPath }: Resource): string {
  return itemPath ?? collectionPath;
}

/** Whether a resource has many entities, each with a key in the path. */
export function isKeyed({ itemPath }: Resource): boolean {
  return itemPath !== undefined;
}

/** Lists the raw values of an item path's parameters for a new entity. */
export function toItem(resource: Resource, parents: readonly string[], key: string): string[] {
  const { itemPath, collectionPath } = resource;
  const above =
    itemPath === undefined ? templateNames(collectionPath).length : templateNames(itemPath).length - 1;
  return [...parents.slice(0, above), key];
}

/** Reads the raw values of an item path's parameters from a Location, under any base path. */
export function readItemLocation(resource: Resource, location: string | undefined): string[] | undefined {
  if (location === undefined || !URL.canParse(location, 'http://localhost')) return undefined;
  const pattern = itemPathOf(resource)
    .split(/\{[^{}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return new RegExp(`${pattern}$`).exec(new URL(location, 'http://localhost').pathname)?.slice(1);
}
