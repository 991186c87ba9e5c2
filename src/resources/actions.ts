import type { Operation } from '../operations/operations.ts';
import { SetupError } from '../problem.ts';
import { type Schema, schemaTypes } from '../schema/schema.ts';
import type { Draft } from './drafts.ts';
import type { Key } from './keys.ts';
import type { ActionName, Parent, Resource, ResourceAction, Within } from './model.ts';
import { readMark } from './overrides.ts';
import { answerSchema, bodySchema, type Paths } from './paths.ts';
import { entityProperties, findEntity, findList, isObjectSchema } from './shapes.ts';
import { toListNames } from './words.ts';

/** An operation by its id, and what it does. */
export type Assigned = readonly [id: string, action: ResourceAction];

/** The path through parents to some entities, and whose entities they are. */
export interface Route {
  readonly root: unknown;
  readonly paths: Paths;
  readonly draft: Draft;
  readonly resource: Resource;
  /** The items that the paths of the draft go through. */
  readonly parents: readonly Parent[];
}

/** What the operations of a draft's own paths do. */
export function inferActions(route: Route): Assigned[] {
  const { draft, paths } = route;
  const collection = paths.get(draft.collectionPath);
  if (!draft.key) return assign(route, collection, SINGLETON, undefined);
  const parameter = draft.key.parameter;
  const item = draft.itemPath === undefined ? undefined : paths.get(draft.itemPath);
  return [
    ...assign(route, collection, COLLECTION, undefined),
    ...assign(route, collection, COLLECTION_BY_BODY, 'body'),
    ...assign(route, item, ITEM, { parameter }),
  ];
}

interface Rule {
  readonly name: ActionName;
  readonly fits: (operation: Operation, route: Route) => boolean;
}

type Rules = Readonly<Record<string, Rule>>;

const COLLECTION: Rules = {
  GET: { name: 'list', fits: answersList },
  POST: { name: 'create', fits: takesOne },
};

const COLLECTION_BY_BODY: Rules = {
  PUT: { name: 'replace', fits: takesKey },
  PATCH: { name: 'update', fits: takesKey },
};

const ITEM: Rules = {
  GET: { name: 'read', fits: answersObject },
  PUT: { name: 'replace', fits: takesOne },
  PATCH: { name: 'update', fits: takesOne },
  POST: { name: 'update', fits: takesOne },
  DELETE: { name: 'remove', fits: () => true },
};

const SINGLETON: Rules = {
  GET: { name: 'read', fits: answersObject },
  PUT: { name: 'replace', fits: takesOne },
  PATCH: { name: 'update', fits: takesOne },
  DELETE: { name: 'remove', fits: () => true },
};

function assign(
  route: Route,
  methods: ReadonlyMap<string, Operation> | undefined,
  rules: Rules,
  key: ResourceAction['key'],
): Assigned[] {
  const { resource, parents } = route;
  // The entities of a resource with parents are kept apart already.
  const within = resource.parents.length > 0 ? [] : toWithin(parents);
  return Object.entries(rules).flatMap(([method, { name, fits }]) => {
    const operation = methods?.get(method);
    if (!operation || !fits(operation, route)) return [];
    return [[operation.id, { name, resource, key, parents, within }] as const];
  });
}

function answersList(operation: Operation, { root, draft }: Route): boolean {
  const list = findList(root, answerSchema(operation), toListNames(draft.word));
  return list !== undefined && isObjectSchema(root, list.schema);
}

function answersObject(operation: Operation, { root }: Route): boolean {
  const schema = answerSchema(operation);
  return schema !== undefined && isObjectSchema(root, schema);
}

/** Whether the operation takes one entity, or nothing: a list of them would be many. */
function takesOne(operation: Operation, { root }: Route): boolean {
  const types = schemaTypes(root, bodySchema(operation));
  return types.length === 0 || types.includes('object');
}

function takesKey(operation: Operation, { root, resource }: Route): boolean {
  return findBody(root, bodySchema(operation), resource)?.has(resource.key?.property ?? '') ?? false;
}

function findBody(root: unknown, schema: Schema | undefined, { singular, properties }: Resource) {
  const isEntity = (members: ReadonlyMap<string, unknown>) => properties.some((name) => members.has(name));
  const shape = findEntity(root, schema, isEntity, [singular]);
  return shape && entityProperties(root, shape.schema);
}

/** The items that a path goes through; those below them have the properties, and the key. */
export type FindParents = (path: string, properties: readonly string[], key: Key | undefined) => Parent[];

/** What is known of a document besides the operation at hand. */
export interface Others {
  readonly root: unknown;
  /** The resources whose entities hold to a schema. */
  readonly withSchema: (schema: Schema) => readonly Resource[];
  readonly findParents: FindParents;
}

/** What an operation of another path does that answers with entities of a resource, or with one of them. */
export function inferOtherAction(others: Others, operation: Operation): ResourceAction | undefined {
  const { root, withSchema, findParents } = others;
  const schema = answerSchema(operation);
  if (!schema) return undefined;
  const reach = (resource: Resource) =>
    reachOf(resource, findParents(operation.path, resource.properties, resource.key));
  const one = isObjectSchema(root, schema) ? withSchema(schema) : [];
  for (const resource of one) {
    const action = toActionOnOne(operation, resource, reach(resource));
    if (action) return action;
  }
  const list = operation.method === 'GET' ? findList(root, schema, []) : undefined;
  for (const resource of list ? withSchema(list.schema) : []) {
    const reached = reach(resource);
    if (reached) return { name: 'list', resource, key: undefined, ...reached };
  }
  return undefined;
}

type Reach = Pick<ResourceAction, 'parents' | 'within'>;

/** Whose entities a path shows; `undefined` where it leaves out the parents that these stand below. */
function reachOf(resource: Resource, parents: readonly Parent[]): Reach | undefined {
  const { key } = resource;
  if (!key || resource.parents.some(({ parameter }, index) => parents[index]?.parameter !== parameter))
    return undefined;
  const others = parents.slice(resource.parents.length);
  return { parents, within: toWithin(others) };
}

/** What is done to the one entity that is answered: to the one that the path goes through, if it does. */
function toActionOnOne(
  { method, path }: Operation,
  resource: Resource,
  reach: Reach | undefined,
): ResourceAction | undefined {
  const { key, itemPath, parents } = resource;
  if (!reach || !key) return undefined;
  if (itemPath !== undefined && path.startsWith(`${itemPath}/`)) {
    // A second item on the way, and it is not clear which of the two is meant.
    if (method === 'DELETE' || reach.parents.length > parents.length + 1) return undefined;
    const name = method === 'GET' ? 'read' : 'update';
    return { name, resource, key: { parameter: key.parameter }, parents, within: [] };
  }
  return method === 'GET' ? { name: 'find', resource, key: undefined, ...reach } : undefined;
}

function toWithin(parents: readonly Parent[]): Within[] {
  return parents.flatMap(({ parameter, property }) =>
    property === undefined ? [] : [{ parameter, property }],
  );
}

const BY_KEY: readonly ActionName[] = ['read', 'replace', 'update', 'remove'];

/** What an operation says that it does; nothing if its resource is off. Throws a SetupError if there is no such resource. */
export function toMarkedAction(
  operation: Operation,
  resources: ReadonlyMap<string, Resource>,
  isOff: (name: string) => boolean,
  findParents: FindParents,
): ResourceAction | undefined {
  const mark = readMark(operation);
  if (!mark || mark.action === undefined || isOff(mark.name ?? '')) return undefined;
  const { action: name } = mark;
  const resource = resources.get(mark.name ?? '');
  if (!resource) {
    const known = [...resources.keys()].join(', ') || 'none';
    throw new SetupError(
      `The document says that ${operation.label} does something to "${mark.name}", which is no resource. It has: ${known}.`,
    );
  }
  const all = findParents(operation.path, resource.properties, resource.key);
  const last = all.at(-1);
  const keyed = BY_KEY.includes(name) && resource.key !== undefined;
  const named = keyed && last !== undefined && all.length > resource.parents.length;
  const parents = named ? all.slice(0, -1) : all;
  const key = named ? { parameter: last.parameter } : keyed ? 'body' : undefined;
  return { name, resource, key, parents, within: toWithin(parents.slice(resource.parents.length)) };
}
