import type { Operation } from '../operations/operations.ts';
import { createFilterFinder } from './filters.ts';
import type { Parent, Resource, Within } from './model.ts';
import { lastWord } from './paths.ts';
import { toSnake } from './snake-case.ts';

/** Whether an operation searches the collection of a resource by what its body says: `POST /books/search`. */
export function isSearch({ path }: Operation, { collectionPath }: Resource): boolean {
  const start = `${collectionPath}/`;
  return path.startsWith(start) && SEARCH.test(path.slice(start.length));
}

const SEARCH = /^_?(search|query|filter)$/;

/** Finds the properties that a path below a collection selects by: `/books/by-category/{id}`, `/books/author/{name}`. */
export function findSelections(path: string, resource: Resource, parents: readonly Parent[]): Within[] {
  if (!path.startsWith(`${resource.collectionPath}/`)) return [];
  const finder = createFilterFinder(resource);
  return parents.flatMap((parent) => {
    const { parameter } = parent;
    if (parent.resource !== undefined || parent.property !== undefined) return [];
    const before = path.slice(0, path.indexOf(`/{${parameter}}`));
    const word = toSnake(lastWord(before) ?? '').replace(/^(find_|get_|search_|list_)?by_/, '');
    if (word === '') return [];
    const property = finder.named(word) ?? finder.referred(word, resource.schema.derive({}))?.property;
    return property === undefined ? [] : [{ parameter, property }];
  });
}
