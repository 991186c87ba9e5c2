import type { ResourceCandidate } from './candidates.ts';
import { toParents } from './parents.ts';
import { type Paths, parametersOf } from './paths.ts';
import { isSameSchema } from './same-schema.ts';

/** Finds the candidate whose entities another one serves too. `found` are all candidates. */
export function findTwin(
  paths: Paths,
  candidate: ResourceCandidate,
  found: readonly ResourceCandidate[],
): ResourceCandidate | undefined {
  if (!candidate.key) return undefined;
  return findFlatTwin(candidate, found) ?? findCreatingTwin(paths, candidate, found);
}

/**
 * Finds the candidate without parents that has the same entities as one below parents: they share a schema, and either a property names
 * the parent or no item path exists below the parents.
 */
function findFlatTwin(
  candidate: ResourceCandidate,
  found: readonly ResourceCandidate[],
): ResourceCandidate | undefined {
  const { collectionPath, schema } = candidate;
  if (parametersOf(collectionPath).length === 0) return undefined;
  return found.find(
    (other) =>
      parametersOf(other.collectionPath).length === 0 &&
      other.key !== undefined &&
      other.itemPath !== undefined &&
      isSameSchema(other.schema, schema) &&
      (candidate.itemPath === undefined || namesParent(candidate)),
  );
}

/** Finds the candidate that creates the entities another one only shows: `/api/admin/restaurants` for `/api/restaurants`. */
function findCreatingTwin(
  paths: Paths,
  candidate: ResourceCandidate,
  found: readonly ResourceCandidate[],
): ResourceCandidate | undefined {
  if (creates(paths, candidate)) return undefined;
  const { singular, schema, collectionPath } = candidate;
  const depth = parametersOf(collectionPath).length;
  return found.find(
    (other) =>
      other !== candidate &&
      other.singular === singular &&
      parametersOf(other.collectionPath).length === depth &&
      creates(paths, other) &&
      isSameSchema(other.schema, schema),
  );
}

function creates(paths: Paths, { collectionPath }: ResourceCandidate): boolean {
  return paths.get(collectionPath)?.has('POST') === true;
}

function namesParent({ collectionPath, schema, key }: ResourceCandidate): boolean {
  const names = [...schema.sharedProperties.keys()].filter((name) => name !== key?.property);
  return toParents(collectionPath, names, () => undefined).at(-1)?.property !== undefined;
}
