import { answerSchema, isOpenAnswer } from './answers.ts';
import type { ResourceModel } from './model.ts';
import { type Paths, parseItemPath } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';

import { findListShape, isObjectSchema, isOpenSchema } from './shapes.ts';
import { findPathKey } from './unshown.ts';

/** An operation without state among the others of its document. */
interface StatelessView {
  readonly operation: PlacedOperation;
  readonly paths: Paths;
  readonly model: ResourceModel;
}

/** Explains, as a clause, why inference gave an operation no state. */
export function explainStateless(view: StatelessView): string {
  const { method } = view.operation;
  if (!CLAUSES_BY_METHOD.includes(method)) return `${method} neither shows nor changes an entity`;
  return explainOwnPath(view) ?? explainItem(view) ?? explainRest(view);
}

const CLAUSES_BY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The reason for an operation on the path of a resource whose other operations have state. */
function explainOwnPath({ operation, model }: StatelessView): string | undefined {
  const { path, method } = operation;
  for (const { collectionPath, itemPath, key } of model.resources.values()) {
    if (path === itemPath) return explainOnItem(operation);
    if (path !== collectionPath) continue;
    if (!key) return method === 'POST' ? 'POST to a path of one object' : explainOnItem(operation);
    return ON_COLLECTION[method];
  }
  return undefined;
}

const ON_COLLECTION: Readonly<Record<string, string>> = {
  GET: 'answers no list of objects',
  POST: 'its body is not one object',
  PUT: 'changes a collection, and its body has no key',
  PATCH: 'changes a collection, and its body has no key',
  DELETE: 'DELETE of a whole collection',
};

function explainOnItem({ method, keyIn }: PlacedOperation): string {
  if (method === 'GET') return 'answers no object';
  return keyIn === 'body' ? 'its body has no key' : 'its body is not one object';
}

/** The reason for an operation whose path ends in a parameter. */
function explainItem({ operation, paths }: StatelessView): string | undefined {
  const { path, method } = operation;
  if (!path.endsWith('}')) return undefined;
  const parts = parseItemPath(path);
  if (!parts) return 'its path names no collection';
  const { collectionPath, parameter } = parts;
  if (findPathKey(operation)?.schema.keywords.enum) return `{${parameter}} is one of a few values`;
  if (method === 'GET' && answersNothing(operation)) return NO_CLAUSE;
  const methods = [...(paths.get(path)?.keys() ?? [])];
  if (!paths.has(collectionPath) && methods.every((each) => each === 'GET'))
    return `no operation changes its item, and none has the path ${collectionPath}`;
  return `no answer shows an object whose key is {${parameter}}, and no POST creates one`;
}

/** The reason for an operation on any other path. */
function explainRest({ operation, paths }: StatelessView): string {
  const { path, method } = operation;
  const hasItems = [...paths.keys()].some((each) => parseItemPath(each)?.collectionPath === path);
  const others = paths.get(path);
  if (method === 'GET') return explainGet(operation, hasItems || others?.has('POST') === true);
  if (method === 'DELETE') return 'removes something that no other operation creates';
  const shown = others?.get('GET');
  if (method === 'POST')
    return shown || hasItems ? 'no answer shows an object with a key' : 'POST without a list or items';
  if (!shown) return `${method} without a GET on its path`;
  return 'GET on its path answers no object';
}

function explainGet(operation: PlacedOperation, isCollection: boolean): string {
  if (isOpenAnswer(operation))
    return isCollection
      ? 'its answer is not declared, and no POST takes an object'
      : 'its answer is not declared, and no POST creates entities here';
  const list = findListShape(answerSchema(operation), []);
  if (list && !isObjectSchema(list.schema) && !isOpenSchema(list.schema))
    return 'lists values that are not objects';
  if (list)
    return isCollection
      ? 'lists objects without a key'
      : 'lists objects, but no POST creates any, and none has a path';
  return answersNothing(operation) ? NO_CLAUSE : 'answers an object that no PUT or PATCH changes';
}

const NO_CLAUSE = 'answers no object and no list';

function answersNothing(operation: PlacedOperation): boolean {
  const schema = answerSchema(operation);
  if (isOpenAnswer(operation)) return false;
  return !schema || !(isObjectSchema(schema) || findListShape(schema, []));
}
