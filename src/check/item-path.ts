import { templateNames } from '../operations/operations.ts';
import type { Resource } from '../resources/resources.ts';

/** The path at which one entity is: that of its item, or that of a thing of which there is only one. */
export function itemPathOf({ itemPath, collectionPath }: Resource): string {
  return itemPath ?? collectionPath;
}

/** Whether a resource has many entities, each with a key in the path. */
export function isKeyed({ itemPath }: Resource): boolean {
  return itemPath !== undefined;
}

/** The raw values of an item path's parameters for a new entity. */
export function toItem(resource: Resource, parents: readonly string[], key: string): string[] {
  return [...parents.slice(0, templateNames(itemPathOf(resource)).length - 1), key];
}

/** The raw values that a Location has for the parameters of an item path, under whatever base. */
export function readLocation(resource: Resource, location: string | undefined): string[] | undefined {
  if (location === undefined || !URL.canParse(location, 'http://localhost')) return undefined;
  const pattern = itemPathOf(resource)
    .split(/\{[^{}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return new RegExp(`${pattern}$`).exec(new URL(location, 'http://localhost').pathname)?.slice(1);
}
