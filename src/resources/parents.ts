import type { Parent } from './model.ts';
import { lastWord, parametersOf } from './paths.ts';
import { indexNames, toSingular } from './words.ts';

/** The resource whose items a path names. */
export type FindOwner = (
  itemPath: string,
) => { readonly name: string; readonly collectionPath: string } | undefined;

/** The items that a path goes through. `properties` are those of the entities below, but for their key. */
export function toParents(path: string, properties: readonly string[], findOwner: FindOwner): Parent[] {
  const parameters = parametersOf(path);
  if (parameters.length === 0) return [];
  const nameOf = indexNames(properties);
  return parameters.map(({ parameter, prefix }) => {
    const owner = findOwner(prefix);
    const word = lastWord(prefix.slice(0, prefix.lastIndexOf('/')));
    const candidates = [parameter, ...(word === undefined ? [] : [`${toSingular(word)}_id`])];
    return {
      parameter,
      resource: owner?.name,
      scope: owner ? parametersOf(owner.collectionPath).map((each) => each.parameter) : [],
      property: candidates.map(nameOf).find((each) => each !== undefined),
    };
  });
}
