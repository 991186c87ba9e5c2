import type { Parent, Within } from './model.ts';
import { lastWord, parametersOf } from './paths.ts';
import { indexNames, toSingular } from './words.ts';

/** Finds the resource with this item path. */
type FindOwner = (itemPath: string) => { readonly name: string; readonly collectionPath: string } | undefined;

/** The parent items in a path. `properties` are those of the entities below them, without their key. */
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

/** The parents that a property names, each with that property. */
export function toNamedParents(parents: readonly Parent[]): Within[] {
  return parents.flatMap(({ parameter, property }) =>
    property === undefined ? [] : [{ parameter, property }],
  );
}
