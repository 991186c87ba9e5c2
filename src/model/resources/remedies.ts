import { SetupError } from '../../base/problem.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import type { Operation } from '../operations/operations.ts';
import { NO_CREATION } from './actions.ts';
import { answerSchema, bodySchema, isOpenAnswer } from './answers.ts';
import type { ActionName, Resource, ResourceModel, ResourceOverride, ResourceOverrides } from './model.ts';
import { lastWord, parametersOf, parseItemPath } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';

import { isSameSchema } from './same-schema.ts';
import { findListShape, isObjectSchema, isOpenSchema } from './shapes.ts';
import { toSingular } from './words.ts';

/** Infers a model from some of the operations, to try a declaration out. */
type Infer = (operations: readonly Operation[], overrides: ResourceOverrides) => ResourceModel;

interface RemedyParts {
  readonly model: ResourceModel;
  readonly placed: readonly PlacedOperation[];
  readonly infer: Infer;
}

/** The line of the document or the config file that would give an operation state; `undefined` if none is known. */
export function findRemedy(operation: PlacedOperation, parts: RemedyParts): string | undefined {
  return toActionMark(operation, parts.model) ?? toDeclaration(operation, parts);
}

/** The mark that gives an operation the state of a resource that its path or its schema names. */
function toActionMark(operation: PlacedOperation, { resources }: ResourceModel): string | undefined {
  const answer = answerSchema(operation);
  const list = findListShape(answer, [])?.schema;
  const shown = list ?? (answer && isObjectSchema(answer) ? answer : undefined);
  if (!shown || operation.method === 'DELETE') return undefined;
  const isShown = (resource: Resource) =>
    isSameSchema(shown, resource.schema) || (isNameOf(operation.path, resource) && areAlike(shown, resource));
  for (const resource of resources.values()) {
    if (!resource.key || !isShown(resource)) continue;
    const action = list ? 'list' : toKeyedRemedy(operation, resource);
    if (action) return `x-mock-resource: { name: ${resource.name}, action: ${action} }`;
  }
  return undefined;
}

function isNameOf(path: string, { collectionPath, singular }: Resource): boolean {
  const words = path.split('/').filter((word) => word !== '' && !word.includes('{'));
  return path.startsWith(`${collectionPath}/`) || words.some((word) => toSingular(word) === singular);
}

/** The action of an operation that answers with one entity. */
function toKeyedRemedy(operation: PlacedOperation, resource: Resource): ActionName | undefined {
  const { method, path } = operation;
  const { itemPath = '', collectionPath } = resource;
  if (path === itemPath) return undefined;
  const depth = parametersOf(path).length;
  const isOnItem = path.startsWith(`${itemPath}/`) && depth === parametersOf(itemPath).length;
  if (method === 'GET') return isOnItem ? 'read' : 'find';
  const body = bodySchema(operation);
  if (body && !areAlike(body, resource)) return undefined;
  if (isOnItem) return 'update';
  const creates =
    method === 'POST' && depth === parametersOf(collectionPath).length && !NO_CREATION.test(path);
  return creates ? 'create' : undefined;
}

/** Whether at least half of the properties of a schema are those of a resource. */
function areAlike({ sharedProperties }: SchemaNode, { properties }: Resource): boolean {
  const shared = properties.filter((name) => sharedProperties.has(name));
  return shared.length > 0 && shared.length * 2 >= sharedProperties.size;
}

/** The entry of the config file that makes a resource of an operation's path. It has been tried out. */
function toDeclaration(
  operation: PlacedOperation,
  { model, placed, infer }: RemedyParts,
): string | undefined {
  const parts = parseItemPath(operation.path);
  const collection = parts?.collectionPath ?? operation.path;
  const name = lastWord(collection);
  if (name === undefined || model.resources.has(name) || operation.method !== 'GET') return undefined;
  const near = placed.filter(({ path }) => path === collection || path.startsWith(`${collection}/`));
  const place = {
    ...(near.some(({ path }) => path === collection) && { collection }),
    ...(parts && { item: operation.path }),
  };
  const works = (given: ResourceOverride) => {
    try {
      const operations = near.map(({ declared }) => declared);
      return infer(operations, { [name]: given }).actions.has(operation.id);
    } catch (error) {
      if (error instanceof SetupError) return false;
      throw error;
    }
  };
  const choices = [place, ...keysOf(operation).map((key) => ({ ...place, key }))];
  const found = choices.find(works);
  return found && `resources: { ${name}: ${toYaml(found)} }`;
}

const MOST_KEYS = 3;

/** The properties that could be the key of the objects in an answer, the required ones first. */
function keysOf(operation: PlacedOperation): string[] {
  const answer = isOpenAnswer(operation) ? undefined : answerSchema(operation);
  const schema = findListShape(answer, [])?.schema ?? answer;
  if (!schema || isOpenSchema(schema)) return [];
  const names = [...schema.sharedProperties].flatMap(([name, { types }]) =>
    types.some((type) => type === 'integer' || type === 'string') ? [name] : [],
  );
  const required = names.filter((name) => schema.required.includes(name));
  return [...new Set([...required, ...names])].slice(0, MOST_KEYS);
}

function toYaml(given: object): string {
  const members = Object.entries(given).map(([name, value]) => `${name}: ${toYamlScalar(String(value))}`);
  return `{ ${members.join(', ')} }`;
}

function toYamlScalar(text: string): string {
  return /^[\w/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
