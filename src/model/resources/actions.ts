import type { SchemaNode, SchemaNodes } from '../../schema/schema.ts';
import { type Operation, templateNames } from '../operations/operations.ts';
import { answerSchema, answersObject, bodySchema, isOpenAnswer } from './answers.ts';
import { findAttributes } from './attributes.ts';
import type { ResourceCandidate } from './candidates.ts';
import type { Key } from './keys.ts';
import type { ActionName, Parent, Resource, ResourceAction } from './model.ts';
import { toNamedParents } from './parents.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { toOwnName } from './places.ts';
import { renameParameters } from './rename-parameters.ts';
import { findSelections, isSearch } from './selecting-paths.ts';
import {
  type EntityShape,
  findEntityShape,
  findListShape,
  findOpenListShape,
  isObjectSchema,
  isOpenSchema,
} from './shapes.ts';
import { toListNames } from './words.ts';

/** An operation's action, as an entry of the model. */
export type ActionEntry = readonly [operationId: string, action: ResourceAction];

/** A candidate's paths, and the resource whose entities they serve. */
interface ResourceRoute {
  /** The operations at the candidate's places. */
  readonly operations: readonly PlacedOperation[];
  readonly candidate: ResourceCandidate;
  readonly resource: Resource;
  /** The parent items in the candidate's paths. */
  readonly parents: readonly Parent[];
}

/** Infers the actions of the operations at a candidate's places. */
export function inferActions(route: ResourceRoute): ActionEntry[] {
  const { collectionPath, itemPath, key } = route.candidate;
  return route.operations.flatMap((operation) => {
    if (operation.path === itemPath)
      return namesItem(operation, route) ? assign(route, operation, ITEM, keyOfItem(operation)) : [];
    if (operation.path !== collectionPath) return [];
    if (!key) return assign(route, operation, SINGLETON, undefined);
    const [own] = assign(route, operation, COLLECTION, undefined);
    return own ? [own] : assign(route, operation, COLLECTION_BY_BODY, 'body');
  });
}

/** The source of the key in an operation on an item. */
function keyOfItem({ keyIn, path }: PlacedOperation): ResourceAction['key'] {
  return keyIn ?? { parameter: templateNames(path).at(-1) ?? '' };
}

/** An action with the names that its operation gives to the parameters of its path. */
export function withOwnNames(operation: PlacedOperation, action: ResourceAction): ResourceAction {
  if (operation.path === operation.declared.path) return action;
  return renameParameters(action, (name) => toOwnName(operation, name) ?? name);
}

interface ActionRule {
  readonly name: ActionName;
  readonly fits: (operation: Operation, route: ResourceRoute) => boolean;
}

type ActionRules = Readonly<Record<string, ActionRule>>;

const COLLECTION: ActionRules = {
  GET: { name: 'list', fits: answersList },
  POST: { name: 'create', fits: takesOne },
};

const COLLECTION_BY_BODY: ActionRules = {
  PUT: { name: 'replace', fits: takesKey },
  PATCH: { name: 'update', fits: takesKey },
};

const ITEM: ActionRules = {
  GET: { name: 'read', fits: answersObject },
  PUT: { name: 'replace', fits: takesOne },
  PATCH: { name: 'update', fits: takesOne },
  POST: { name: 'update', fits: takesOne },
  DELETE: { name: 'remove', fits: () => true },
};

const SINGLETON: ActionRules = {
  GET: { name: 'read', fits: answersObject },
  PUT: { name: 'replace', fits: takesOne },
  PATCH: { name: 'update', fits: takesOne },
  DELETE: { name: 'remove', fits: () => true },
};

function assign(
  route: ResourceRoute,
  operation: PlacedOperation,
  rules: ActionRules,
  key: ResourceAction['key'],
): ActionEntry[] {
  const rule = rules[operation.method];
  if (!rule?.fits(operation, route)) return [];
  const { resource, parents } = route;
  // A resource with parents already has a collection for each of them.
  const within = resource.parents.length > 0 ? [] : toNamedParents(parents);
  return [[operation.id, { name: rule.name, resource, key, parents, within }]];
}

function answersList(operation: Operation, { candidate }: ResourceRoute): boolean {
  if (isOpenAnswer(operation)) return true;
  const [schema, names] = [answerSchema(operation), toListNames(candidate.word)];
  const list = findListShape(schema, names) ?? findOpenListShape(schema, names);
  return list !== undefined && (isObjectSchema(list.schema) || isOpenSchema(list.schema));
}

/** Whether the body is one entity or absent, rather than a list. */
function takesOne(operation: Operation): boolean {
  const types = bodySchema(operation)?.types ?? [];
  return types.length === 0 || types.includes('object');
}

/** Whether an operation on an item can name one. Its body must have the key, where the path and the query do not. */
function namesItem(operation: PlacedOperation, route: ResourceRoute): boolean {
  const body = bodySchema(operation);
  if (operation.keyIn !== 'body') return true;
  return body !== undefined && (isOpenSchema(body) || takesKey(operation, route));
}

function takesKey(operation: Operation, { resource }: ResourceRoute): boolean {
  const body = findBodyEntity(operation, resource);
  return body?.schema.sharedProperties.has(resource.key?.property ?? '') ?? false;
}

/** Finds the entity in the body of an operation. */
export function findBodyEntity(operation: Operation, resource: Resource): EntityShape | undefined {
  const { singular, properties } = resource;
  const names = [...properties, ...(findAttributes(resource)?.properties ?? [])];
  const isEntity = (members: SchemaNodes) => names.some((name) => members.has(name));
  return findEntityShape(bodySchema(operation), isEntity, [singular]);
}

/** Finds the parent items in a path to entities with these properties and this key. */
export type FindParents = (path: string, properties: readonly string[], key: Key | undefined) => Parent[];

/** Looks up resources by schema and parents by path. */
export interface ResourceLookup {
  /** The resources whose entities have this schema. */
  readonly withSchema: (schema: SchemaNode) => readonly Resource[];
  readonly findParents: FindParents;
  /** Whether an operation on its own paths creates entities. */
  readonly canCreate: (resource: Resource) => boolean;
}

/** Infers the action of an operation outside a resource's own paths from the schema of its answer. */
export function inferOtherAction(lookup: ResourceLookup, operation: Operation): ResourceAction | undefined {
  const { withSchema, findParents, canCreate } = lookup;
  const schema = answerSchema(operation);
  if (!schema) return undefined;
  const reach = (resource: Resource) =>
    reachOf(resource, findParents(operation.path, resource.properties, resource.key));
  const one = isObjectSchema(schema) ? withSchema(schema) : [];
  for (const resource of one) {
    const action = toActionOnOne(operation, resource, reach(resource));
    if (action && !(action.name === 'create' && canCreate(resource))) return action;
  }
  const list = LISTING.has(operation.method) ? findListShape(schema, []) : undefined;
  for (const resource of list ? withSchema(list.schema) : []) {
    const reached = reach(resource);
    if (!reached || (operation.method === 'POST' && !isSearch(operation, resource))) continue;
    const { parents, within } = reached;
    const chosen = findSelections(operation.path, resource, parents);
    return { name: 'list', resource, key: undefined, parents, within: [...within, ...chosen] };
  }
  return undefined;
}

const LISTING: ReadonlySet<string> = new Set(['GET', 'POST']);

type Reach = Pick<ResourceAction, 'parents' | 'within'>;

/** The parents in a path to entities of a resource; `undefined` if the path lacks one that the resource has. */
function reachOf(resource: Resource, parents: readonly Parent[]): Reach | undefined {
  const { key } = resource;
  if (!key || resource.parents.some(({ parameter }, index) => parents[index]?.parameter !== parameter))
    return undefined;
  return { parents, within: toNamedParents(parents.slice(resource.parents.length)) };
}

/** The action of an operation that answers with one entity: the entity that its path names, or the first that matches. */
function toActionOnOne(
  operation: Operation,
  resource: Resource,
  reach: Reach | undefined,
): ResourceAction | undefined {
  const { method, path } = operation;
  const { key, itemPath, parents } = resource;
  if (!reach || !key) return undefined;
  if (itemPath !== undefined && path.startsWith(`${itemPath}/`)) {
    // With a second item in the path, either of the two could be meant.
    if (method === 'DELETE' || reach.parents.length > parents.length + 1) return undefined;
    const name = method === 'GET' ? 'read' : 'update';
    return { name, resource, key: { parameter: key.parameter }, parents, within: [] };
  }
  if (method === 'GET') return { name: 'find', resource, key: undefined, ...reach };
  const creates = method === 'POST' && !path.endsWith('}') && !NO_CREATION.test(path) && takesOne(operation);
  return creates ? { name: 'create', resource, key: undefined, ...reach } : undefined;
}

/** Paths by which a POST answers an entity that exists. */
export const NO_CREATION: RegExp =
  /(login|logout|signin|sign-in|auth|token|refresh|search|query|find|verify|validate|reset|me)$/i;
