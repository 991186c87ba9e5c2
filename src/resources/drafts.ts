import type { Operation } from '../operations/operations.ts';
import type { Schema } from '../schema/schema.ts';
import { findKey, type Key, toKey } from './keys.ts';
import { toParents } from './parents.ts';
import { answerSchema, lastWord, type Paths, parametersOf, toItemPath } from './paths.ts';
import {
  entityProperties,
  findCustomaryList,
  findEntity,
  findList,
  isObjectSchema,
  isSameSchema,
} from './shapes.ts';
import { toListNames, toSingular } from './words.ts';

/** What might be a resource: paths that go together, and what an entity is there. */
export interface Draft {
  /** What somebody calls it; else it is called after its path. */
  readonly name?: string;
  /** The last word of the collection's path. */
  readonly word: string;
  readonly singular: string;
  readonly collectionPath: string;
  /** `undefined` where no path names an item. */
  readonly itemPath: string | undefined;
  /** `undefined` where there is only one. */
  readonly key: Key | undefined;
  readonly schema: Schema;
  readonly reason: string;
}

/** Every pair of a collection and an item path, every collection without items, and every single thing that can be changed. */
export function draftResources(root: unknown, paths: Paths): Draft[] {
  const withItems = new Set([...paths.keys()].map((path) => toItemPath(path)?.collectionPath));
  return [...paths.keys()].flatMap((path) => {
    if (toItemPath(path)) return draftPair(root, paths, path) ?? [];
    if (withItems.has(path)) return [];
    return draftCollection(root, paths, path) ?? draftSingleton(root, paths, path) ?? [];
  });
}

/** Where to look for what an entity is: an operation, and whether it answers a list. */
type Witness = readonly [label: string, operation: Operation | undefined, lists: boolean];

function draftPair(root: unknown, paths: Paths, itemPath: string): Draft | undefined {
  const parts = toItemPath(itemPath);
  if (!parts) return undefined;
  const { collectionPath, word, parameter } = parts;
  const [collection, item] = [paths.get(collectionPath), paths.get(itemPath)];
  const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].some((method) => item?.has(method));
  if (!collection && !writes) return undefined;
  const found = findWitnessed(root, { word, parameter }, witnessesOf(paths, collectionPath, itemPath));
  if (!found) return undefined;
  const reason = `${found.label} answers ${found.what} whose "${found.key.property}" is named by {${parameter}}`;
  return { word, singular: toSingular(word), collectionPath, itemPath, ...found, reason };
}

function witnessesOf(paths: Paths, collectionPath: string, itemPath: string | undefined): Witness[] {
  const collection = paths.get(collectionPath);
  const item = itemPath === undefined ? undefined : paths.get(itemPath);
  return [
    [`GET ${itemPath}`, item?.get('GET'), false],
    [`GET ${collectionPath}`, collection?.get('GET'), true],
    [`POST ${collectionPath}`, collection?.get('POST'), false],
    [`PUT ${itemPath}`, item?.get('PUT'), false],
  ];
}

/** What somebody says of a resource: its paths, its key, and what it is called. */
export interface Given {
  readonly name?: string;
  readonly collection?: string;
  readonly item?: string;
  readonly key?: string;
}

/** The draft as somebody wants it, over what was found; or a sentence that says why it cannot be. */
export function draftGiven(
  root: unknown,
  paths: Paths,
  given: Given,
  found: Draft | undefined,
): Draft | { readonly mistake: string } {
  const itemPath = given.item ?? found?.itemPath;
  const collectionPath =
    given.collection ?? found?.collectionPath ?? (itemPath && toItemPath(itemPath)?.collectionPath);
  const missing = [itemPath, given.collection].find((path) => path !== undefined && !paths.has(path));
  if (missing !== undefined)
    return {
      mistake: `the document has no path ${missing}. "petstore-mock routes" lists the paths there are.`,
    };
  if (collectionPath === undefined)
    return { mistake: 'it has no path. Name its "collection", its "item" or both.' };
  const named = given.name === undefined ? {} : { name: given.name };
  // A thing of which there is only one has no key to speak of.
  if (found && !found.key && given.key === undefined) return { ...found, ...named };
  const word = given.name ?? found?.word ?? lastWord(collectionPath) ?? 'item';
  const parameter = itemPath && parametersOf(itemPath).at(-1)?.parameter;
  const wanted = { word, parameter, property: given.key };
  const made = findWitnessed(root, wanted, witnessesOf(paths, collectionPath, itemPath));
  if (!made) {
    const key = given.key === undefined ? 'a key' : `the key "${given.key}"`;
    return {
      mistake: `no answer of ${[collectionPath, itemPath].filter(Boolean).join(' or ')} shows an object with ${key}. Name another "key".`,
    };
  }
  const reason = `document or options say so, and ${made.label} answers ${made.what} with "${made.key.property}"`;
  return { ...named, word, singular: toSingular(word), collectionPath, itemPath, ...made, reason };
}

/** A collection that entities can be added to, though no path names one of them. */
function draftCollection(root: unknown, paths: Paths, path: string): Draft | undefined {
  const word = lastWord(path);
  const [list, create] = [paths.get(path)?.get('GET'), paths.get(path)?.get('POST')];
  if (!word || !list || !create) return undefined;
  const found = findWitnessed(root, { word }, [[`GET ${path}`, list, true]]);
  if (!found) return undefined;
  const reason = `GET ${path} answers ${found.what} with "${found.key.property}", and POST adds to it`;
  return { word, singular: toSingular(word), collectionPath: path, itemPath: undefined, ...found, reason };
}

function draftSingleton(root: unknown, paths: Paths, path: string): Draft | undefined {
  const word = lastWord(path);
  const methods = paths.get(path);
  const schema = answerSchema(methods?.get('GET'));
  const method = ['PUT', 'PATCH'].find((each) => methods?.has(each));
  if (!word || !schema || !method || !isObjectSchema(root, schema)) return undefined;
  if (findCustomaryList(root, schema, toListNames(word))) return undefined;
  const reason = `GET ${path} answers one object, and ${method} changes it`;
  const singular = toSingular(word);
  return { word, singular, collectionPath: path, itemPath: undefined, key: undefined, schema, reason };
}

/** What is looked for: a word that tells what the entities are, and what is known of their key. */
interface Wanted {
  readonly word: string;
  readonly parameter?: string | undefined;
  readonly property?: string | undefined;
}

function findWitnessed(
  root: unknown,
  { word, parameter, property }: Wanted,
  witnesses: readonly Witness[],
): { readonly key: Key; readonly schema: Schema; readonly label: string; readonly what: string } | undefined {
  const singular = toSingular(word);
  const keyIn = (members: ReadonlyMap<string, unknown>) =>
    property === undefined
      ? findKey(root, members, singular, parameter)
      : toKey(root, members, property, parameter);
  for (const [label, operation, lists] of witnesses) {
    const answer = answerSchema(operation);
    const shape = lists
      ? findList(root, answer, toListNames(word))
      : findEntity(root, answer, (members) => keyIn(members) !== undefined, [singular]);
    if (!shape || !isObjectSchema(root, shape.schema)) continue;
    const key = keyIn(entityProperties(root, shape.schema));
    if (key) return { key, schema: shape.schema, label, what: lists ? 'a list of objects' : 'an object' };
  }
  return undefined;
}

/**
 * The one of `flat`, which have no parents, whose entities a draft below parents shows: they hold to the same schema, and say by a
 * property what they belong to, or no other path names them.
 */
export function findFlatTwin(root: unknown, draft: Draft, flat: readonly Draft[]): Draft | undefined {
  const { collectionPath, schema, key } = draft;
  if (!key || parametersOf(collectionPath).length === 0) return undefined;
  return flat.find(
    (other) =>
      other.key !== undefined &&
      other.itemPath !== undefined &&
      isSameSchema(root, other.schema, schema) &&
      (draft.itemPath === undefined || namesParent(root, draft)),
  );
}

function namesParent(root: unknown, { collectionPath, schema, key }: Draft): boolean {
  const names = [...entityProperties(root, schema).keys()].filter((name) => name !== key?.property);
  return toParents(collectionPath, names, () => undefined).at(-1)?.property !== undefined;
}
