import { once } from '../../base/once.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { type Operation, templateNames } from '../operations/operations.ts';
import { answerSchema } from './answers.ts';
import { findKey } from './keys.ts';
import type { ActionTarget, PartsEffect, Resource, ResourceAction } from './model.ts';
import { lastWord, type Paths, parseItemPath } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { toNameless } from './places.ts';
import { renameParameters } from './rename-parameters.ts';
import { isSameSchema } from './same-schema.ts';
import { isObjectSchema, withoutEnvelope } from './shapes.ts';
import { indexNames, toListNames, toSingular } from './words.ts';

/** Paths below an entity that change a list in it: `/cart/items` and `/cart/items/{itemId}`, which answer the cart. */
export interface PartsPath {
  readonly ownerPath: string;
  readonly path: string;
  /** The list in the owner. */
  readonly property: string;
  /** The schema of each item in it. */
  readonly schema: SchemaNode;
}

/** Finds the paths whose operations change a list in the entity above them, and answer that entity. */
export function findParts(paths: Paths): PartsPath[] {
  const byShape = once(() => new Map([...paths].map(([path, methods]) => [toNameless(path), methods])));
  const readAt = (path: string) => byShape().get(toNameless(path))?.get('GET');
  const changes = [...paths].flatMap(([path, methods]) => {
    const { collectionPath } = parseItemPath(path) ?? { collectionPath: path };
    const writing = [...methods.values()].filter(({ method }) => method !== 'GET');
    return writing.length > 0 && writing.length === methods.size ? [[collectionPath, writing] as const] : [];
  });
  const found = changes.flatMap(([path, operations]) => {
    const parts = paths.get(path)?.has('GET') ? undefined : toPartsPath(path, operations, readAt);
    return parts ? [[path, parts] as const] : [];
  });
  return [...new Map(found).values()];
}

function toPartsPath(
  path: string,
  operations: readonly PlacedOperation[],
  readAt: (path: string) => PlacedOperation | undefined,
): PartsPath | undefined {
  const word = lastWord(path);
  const ownerPath = path.slice(0, path.lastIndexOf('/'));
  const shown = word === undefined ? undefined : showing(readAt(ownerPath), ownerPath);
  if (word === undefined || !shown || !isObjectSchema(shown)) return undefined;
  const nameOf = indexNames(shown.sharedProperties.keys());
  const property = toListNames(word).flatMap((name) => nameOf(name) ?? [])[0];
  const schema = property === undefined ? undefined : shown.sharedProperties.get(property)?.items;
  if (property === undefined || !schema || !isObjectSchema(schema)) return undefined;
  const answersOwner = operations.some((operation) => {
    const answer = showing(operation, ownerPath);
    return answer !== undefined && isSameSchema(answer, shown);
  });
  return answersOwner ? { ownerPath, path, property, schema } : undefined;
}

/** Finds the entity in the answer of an operation, without its envelope. */
function showing(operation: Operation | undefined, ownerPath: string): SchemaNode | undefined {
  const schema = answerSchema(operation);
  return schema && withoutEnvelope(schema, toSingular(lastWord(ownerPath) ?? lastCollection(ownerPath)));
}

function lastCollection(path: string): string {
  return parseItemPath(path)?.word ?? '';
}

/** Infers the actions of operations that change parts. `findOwner` finds the entity at a path. */
export function inferPartsActions(
  all: readonly PartsPath[],
  operations: readonly PlacedOperation[],
  findOwner: (path: string) => ActionTarget | undefined,
): (readonly [operationId: string, action: ResourceAction])[] {
  return all.flatMap((parts) => {
    const owner = findOwner(parts.ownerPath);
    const own = operations.filter((operation) => isPartsOperation(parts, operation));
    return owner
      ? own.map((operation) => [operation.id, toPartsAction(parts, operation, owner)] as const)
      : [];
  });
}

/** Whether an operation changes parts, or empties the single thing that holds them. */
function isPartsOperation(parts: PartsPath, { path, method }: PlacedOperation): boolean {
  const isBelow = path === parts.path || parseItemPath(path)?.collectionPath === parts.path;
  return isBelow || (method === 'DELETE' && path === parts.ownerPath && !path.endsWith('}'));
}

function toPartsAction(
  { ownerPath, path, property, schema }: PartsPath,
  operation: PlacedOperation,
  owner: ActionTarget,
): ResourceAction {
  const [names, above] = [templateNames(operation.path), templateNames(ownerPath)];
  const parameter = operation.path.startsWith(`${path}/`) ? names.at(-1) : undefined;
  const singular = toSingular(lastWord(path) ?? property);
  const key = findKey(schema.sharedProperties, singular, parameter);
  const parts: PartsEffect = { property, singular, schema, key, parameter };
  const action = { ...owner, name: 'act', effect: { edits: [], isShown: true, parts } } as const;
  return renameParameters(action, (name) => names[above.indexOf(name)] ?? name);
}

/** Finds the single thing at a path. */
export function findSingle(resources: ReadonlyMap<string, Resource>, path: string): ActionTarget | undefined {
  const resource = [...resources.values()].find(({ key, collectionPath }) => !key && collectionPath === path);
  return resource && { resource, key: undefined, parents: [], within: [] };
}
