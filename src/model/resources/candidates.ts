import type { SchemaNode, SchemaNodes } from '../../schema/schema.ts';
import type { Operation } from '../operations/operations.ts';
import { answerSchema, isListOrOpen } from './answers.ts';
import { hasItemVerb } from './item-verbs.ts';
import { buildKey, findKey, type Key } from './keys.ts';
import type { ResourceOverride } from './model.ts';
import type { PartsPath } from './parts.ts';
import { findPlace, lastWord, type Paths, parametersOf, parseItemPath } from './paths.ts';
import type { Methods } from './places.ts';
import { findPlainSelfLink, findSelfLink } from './self-links.ts';
import {
  findCustomaryListShape,
  findEntityShape,
  findListShape,
  isObjectSchema,
  withoutEnvelope,
} from './shapes.ts';
import { findPathKey, findUnshown, type LinkedShape } from './unshown.ts';
import { toListNames, toSingular } from './words.ts';

/** A possible resource: the paths that belong together, and the schema and key of their entities. */
export interface ResourceCandidate {
  /** The name that the document or the options declare; the path names it otherwise. */
  readonly name?: string;
  /** The last word of the collection's path. */
  readonly word: string;
  readonly singular: string;
  readonly collectionPath: string;
  /** `undefined` where no path names an item. */
  readonly itemPath: string | undefined;
  /** `undefined` for a singleton. */
  readonly key: Key | undefined;
  readonly schema: SchemaNode;
  readonly reason: string;
}

/** Infers every pair of collection and item path, every collection without item paths, and every writable singleton. */
export function inferCandidates(paths: Paths, parts: readonly PartsPath[]): ResourceCandidate[] {
  const owned = new Set(parts.map(({ path }) => path));
  const owners = new Set(parts.map(({ ownerPath }) => ownerPath));
  const withItems = new Set([...paths.keys()].map((path) => parseItemPath(path)?.collectionPath));
  return [...paths.keys()].flatMap((path) => {
    const item = parseItemPath(path);
    if (owned.has(item?.collectionPath ?? path)) return [];
    if (item) return inferPair(paths, path) ?? [];
    if (withItems.has(path)) return [];
    return inferCollection(paths, path) ?? inferSingleton(paths, path, owners.has(path)) ?? [];
  });
}

/** An operation whose answer shows an entity, or a list of entities. */
type Witness = readonly [label: string, operation: Operation | undefined, lists: boolean];

function inferPair(paths: Paths, itemPath: string): ResourceCandidate | undefined {
  const parts = parseItemPath(itemPath);
  if (!parts) return undefined;
  const { collectionPath, word, parameter } = parts;
  const [collection, item] = [paths.get(collectionPath), paths.get(itemPath)];
  const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].some((method) => item?.has(method));
  if (namesFewItems(item)) return undefined;
  if (!collection && !writes && !hasItemVerb(paths, itemPath)) return undefined;
  const found = findWitnessed({ word, parameter }, witnessesOf(paths, collectionPath, itemPath));
  const place = { word, singular: toSingular(word), collectionPath, itemPath };
  if (!found) {
    const linked = findLinked(word, witnessesOf(paths, collectionPath, itemPath));
    const unshown = findUnshown(parameter, { collection, item, linked });
    return unshown && { ...place, ...unshown };
  }
  const reason = `${found.label} answers ${found.what} whose "${found.key.property}" is named by {${parameter}}`;
  return { ...place, ...found, reason };
}

/** Whether the last parameter of a path has an enum. Such items are parts of one thing, not entities. */
function namesFewItems(item: Methods | undefined): boolean {
  const [operation] = item?.values() ?? [];
  return operation !== undefined && findPathKey(operation)?.schema.keywords.enum !== undefined;
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

/** Builds the declared candidate on top of the inferred one, or explains the mistake in the declaration. */
export function buildDeclared(
  paths: Paths,
  given: ResourceOverride & { readonly name?: string },
  found: ResourceCandidate | undefined,
): ResourceCandidate | { readonly mistake: string } {
  const itemPath = findPlace(paths, given.item) ?? found?.itemPath;
  const collectionPath =
    findPlace(paths, given.collection) ??
    found?.collectionPath ??
    (itemPath && parseItemPath(itemPath)?.collectionPath);
  const missing = [itemPath, given.collection && collectionPath].find(
    (path) => path !== undefined && !paths.has(path),
  );
  if (missing !== undefined)
    return {
      mistake: `the document has no path ${missing}. "petstore-mock routes" lists its paths.`,
    };
  if (collectionPath === undefined)
    return { mistake: 'it has no path. Name its "collection", its "item" or both.' };
  const named = given.name === undefined ? {} : { name: given.name };
  // A singleton needs no key.
  if (found && !found.key && given.key === undefined) return { ...found, ...named };
  const word = given.name ?? found?.word ?? lastWord(collectionPath) ?? 'item';
  const parameter = itemPath && parametersOf(itemPath).at(-1)?.parameter;
  const wanted = { word, parameter, property: given.key };
  const made = findWitnessed(wanted, witnessesOf(paths, collectionPath, itemPath));
  if (!made) {
    const key = given.key === undefined ? 'a key' : `the key "${given.key}"`;
    return {
      mistake: `no answer of ${[collectionPath, itemPath].filter(Boolean).join(' or ')} shows an object with ${key}. Name another "key".`,
    };
  }
  const reason = `document or options say so, and ${made.label} answers ${made.what} with "${made.key.property}"`;
  return { ...named, word, singular: toSingular(word), collectionPath, itemPath, ...made, reason };
}

/** A collection with POST whose items have no path of their own. */
function inferCollection(paths: Paths, path: string): ResourceCandidate | undefined {
  const word = lastWord(path);
  const [list, create] = [paths.get(path)?.get('GET'), paths.get(path)?.get('POST')];
  if (!word || !list || !create) return undefined;
  if (!isListOrOpen(list)) return undefined;
  const place = { word, singular: toSingular(word), collectionPath: path, itemPath: undefined };
  const found = findWitnessed({ word }, [
    [`GET ${path}`, list, true],
    [`POST ${path}`, create, false],
  ]);
  if (!found) {
    const unshown = findUnshown(undefined, { collection: paths.get(path), item: undefined });
    return unshown && { ...place, ...unshown };
  }
  const answers = `${found.label} answers ${found.what} with "${found.key.property}"`;
  const reason = `${answers}, and ${found.label.startsWith('GET') ? 'POST adds to it' : 'GET lists them'}`;
  return { ...place, ...found, reason };
}

function inferSingleton(paths: Paths, path: string, hasParts: boolean): ResourceCandidate | undefined {
  const word = lastWord(path);
  const methods = paths.get(path);
  const schema = answerSchema(methods?.get('GET'));
  const method = ['PUT', 'PATCH'].find((each) => methods?.has(each));
  if (!word || !schema || !(method || hasParts) || !isObjectSchema(schema)) return undefined;
  if (!hasParts && findCustomaryListShape(schema, toListNames(word))) return undefined;
  const reason = `GET ${path} answers one object, and ${method ?? 'another path'} changes it`;
  const singular = toSingular(word);
  return {
    ...{ word, singular, collectionPath: path, itemPath: undefined, key: undefined },
    ...{ schema: withoutEnvelope(schema, singular), reason },
  };
}

/** The word for the entities, and the parameter or property of their key, where known. */
interface Wanted {
  readonly word: string;
  readonly parameter?: string | undefined;
  readonly property?: string | undefined;
}

function findWitnessed(
  { word, parameter, property }: Wanted,
  witnesses: readonly Witness[],
):
  | { readonly key: Key; readonly schema: SchemaNode; readonly label: string; readonly what: string }
  | undefined {
  const singular = toSingular(word);
  const keyIn = (members: SchemaNodes) =>
    property === undefined ? findKey(members, singular, parameter) : buildKey(members, property, parameter);
  for (const [label, operation, lists] of witnesses) {
    const answer = answerSchema(operation);
    const shape = lists
      ? findListShape(answer, toListNames(word))
      : findEntityShape(answer, (members) => keyIn(members) !== undefined, [singular]);
    if (!shape || !isObjectSchema(shape.schema)) continue;
    const key = keyIn(shape.schema.sharedProperties);
    if (key) return { key, schema: shape.schema, label, what: lists ? 'a list of objects' : 'an object' };
  }
  return undefined;
}

/** Finds the schema of entities that show a link to themselves instead of a key. */
function findLinked(word: string, witnesses: readonly Witness[]): LinkedShape | undefined {
  const singular = toSingular(word);
  for (const [label, operation, lists] of witnesses) {
    const answer = answerSchema(operation);
    const shape = lists
      ? findListShape(answer, toListNames(word))
      : findEntityShape(answer, (members) => LINKS.some((name) => members.has(name)), [singular]);
    const { schema } = shape ?? {};
    if (schema && (findSelfLink(schema) ?? findPlainSelfLink(schema, { word, showsKey: false })))
      return { schema, label };
  }
  return undefined;
}

const LINKS = ['_links', 'links', 'link', 'self', 'href', 'url'];
