import type { PlacedOperation } from './placed-operation.ts';
import type { Methods } from './places.ts';

/** The operations of a document by path and method. */
export type Paths = ReadonlyMap<string, Methods>;

/** Indexes operations by path and method. Where two have the same place, the one that was not moved there comes first. */
export function buildPaths(operations: readonly PlacedOperation[]): Paths {
  const paths = new Map<string, Map<string, PlacedOperation>>();
  for (const operation of operations) {
    const { path, method, declared } = operation;
    const methods = paths.get(path) ?? new Map<string, PlacedOperation>();
    paths.set(path, methods);
    if (!methods.has(method) || declared.path === path) methods.set(method, operation);
  }
  return paths;
}

/** The path of the place at which a path of the document stands; the path itself if it is unknown. */
export function findPlace(paths: Paths, path: string | undefined): string | undefined {
  if (path === undefined || paths.has(path)) return path;
  const all = [...paths.values()].flatMap((methods) => [...methods.values()]);
  return all.find(({ declared }) => declared.path === path)?.path ?? path;
}

/** The parts of a path that names an item; `undefined` for any other. */
export function parseItemPath(path: string): ItemPath | undefined {
  const [, collectionPath, word, parameter] = ITEM_PATH.exec(path) ?? [];
  return collectionPath && word && parameter ? { collectionPath, word, parameter } : undefined;
}

interface ItemPath {
  readonly collectionPath: string;
  /** The last word of the collection's path. */
  readonly word: string;
  readonly parameter: string;
}

const ITEM_PATH = /^(.*\/([^/{}]+))\/\{([^{}]+)\}$/;

/** The last word of a path; `undefined` if the path ends in a parameter or a slash. */
export function lastWord(path: string): string | undefined {
  return /\/([^/{}]+)$/.exec(path)?.[1];
}

/** Each parameter of a path, with the path up to it: `/owners/{ownerId}` for `ownerId` of `/owners/{ownerId}/pets`. */
export function parametersOf(path: string): { readonly parameter: string; readonly prefix: string }[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(({ 0: text, 1: parameter = '', index }) => ({
    parameter,
    prefix: path.slice(0, index + text.length),
  }));
}
