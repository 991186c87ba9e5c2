import { once } from '../once.ts';
import type { Operation } from '../operations/operations.ts';
import type { DirectionMark } from '../schema/schema.ts';
import { type FindParents, inferActions, withOwnNames } from './actions.ts';
import { inferCandidates, type ResourceCandidate } from './candidates.ts';
import { createFilterFinder } from './filters.ts';
import { indexItems, inferFreeAction, withEffect } from './item-actions.ts';
import { toMarkedAction } from './marked-action.ts';
import type { Resource, ResourceModel, ResourceOverrides } from './model.ts';
import { readMark, withMarks, withOverrides } from './overrides.ts';
import { toParents } from './parents.ts';
import { buildPaths, type Paths } from './paths.ts';
import { type PlacedOperation, placeOperations } from './places.ts';
import { indexBySchema } from './shapes.ts';
import { toSnake } from './snake-case.ts';
import { findTwin } from './twin-candidates.ts';
import { findPathKey } from './unshown.ts';

export { findBodyEntity } from './actions.ts';
export { answerSchema, bodySchema, isOpenAnswer } from './answers.ts';
export { findAttributes } from './attributes.ts';
export { explainMoves, explainStatelessOperations } from './explain.ts';
export { createFilterFinder, type FilterTarget, toBareName } from './filters.ts';
export { type Key, keyBounds, keyOf, ONLY_KEY } from './keys.ts';
export type {
  ActionName,
  Edit,
  Effect,
  Parent,
  Resource,
  ResourceAction,
  ResourceModel,
  ResourceOverride,
  ResourceOverrides,
  Within,
} from './model.ts';
export { inKeyOrder, toScopes } from './scopes.ts';
export {
  findPlainSelfLink,
  findSelfLink,
  keyInSelfLink,
  type SelfLink,
} from './self-links.ts';
export {
  findEntityShape,
  findListShape,
  findOpenListShape,
  isObjectSchema,
  isOpenSchema,
  isSameSchema,
} from './shapes.ts';
export { toSnake } from './snake-case.ts';
export { generateTextKey, toKeyCheck } from './text-keys.ts';
export { indexNames, toListNames, toSingular } from './words.ts';

/** A model without resources, so every operation is stateless. */
export const STATELESS: ResourceModel = { resources: new Map(), actions: new Map() };

/**
 * Infers the resources of a document from its paths, its schemas, its `x-mock-resource` marks and the overrides. Throws a SetupError for an impossible mark or override.
 */
export function inferResources(
  operations: readonly Operation[],
  overrides: ResourceOverrides = {},
): ResourceModel {
  const placed = placeOperations(operations.filter((operation) => readMark(operation) !== false));
  const paths = buildPaths(placed);
  const byPath = groupByPath(placed);
  const isOff = (name: string) => Object.hasOwn(overrides, name) && overrides[name] === false;
  const { named, off, routes } = layOut(paths, overrides, isOff);
  const owners = new Map(routes.map(({ candidate, name }) => [candidate.itemPath, { ...candidate, name }]));
  const findParents: FindParents = (path, properties, key) => {
    const others = properties.filter((name) => name !== key?.property);
    return toParents(path, others, (itemPath) => owners.get(itemPath));
  };
  const resources = new Map(
    [...named].map(([candidate, name]) => [name, toResource(paths, candidate, name, findParents)]),
  );
  const actions = new Map(
    routes.flatMap(({ candidate, name }) => {
      const resource = resources.get(name);
      if (!resource) return [];
      const parents = findParents(candidate.collectionPath, resource.properties, resource.key);
      const { collectionPath, itemPath = '' } = candidate;
      const own = [collectionPath, itemPath].flatMap((path) => byPath.get(path) ?? []);
      return inferActions({ operations: own, candidate, resource, parents });
    }),
  );
  const creating = new Set(
    [...actions.values()].flatMap((each) => (each.name === 'create' ? [each.resource] : [])),
  );
  const owned = routes.map(({ candidate, name }) => [candidate, resources.get(name)] as const);
  const items = indexItems(owned, findParents);
  const lookup = {
    withSchema: indexBySchema([...resources.values()]),
    findParents,
    canCreate: (resource: Resource) => creating.has(resource),
  };
  for (const operation of placed) {
    const isFree =
      !actions.has(operation.id) && !off.some((candidate) => isPathOf(candidate, operation.path));
    const action =
      toMarkedAction(operation, resources, isOff, findParents) ??
      (isFree ? inferFreeAction(lookup, items, withoutPlacedKey(operation)) : undefined);
    const found = action ?? actions.get(operation.id);
    if (found) actions.set(operation.id, withOwnNames(operation, withEffect(lookup, operation, found)));
  }
  return { resources, actions };
}

/** The operation as the document has it, where the place adds a parameter that its own path lacks. */
function withoutPlacedKey(operation: PlacedOperation): Operation {
  return operation.keyIn === undefined ? operation : operation.declared;
}

function groupByPath(placed: readonly PlacedOperation[]): Map<string, PlacedOperation[]> {
  const byPath = new Map<string, PlacedOperation[]>();
  for (const operation of placed) {
    const own = byPath.get(operation.path) ?? [];
    byPath.set(operation.path, own);
    own.push(operation);
  }
  return byPath;
}

/** Decides which candidates become resources, and names them. */
interface Layout {
  readonly named: ReadonlyMap<ResourceCandidate, string>;
  /** Switched off by the options. */
  readonly off: readonly ResourceCandidate[];
  /** Every candidate with the name of the resource that its paths serve. */
  readonly routes: readonly { readonly candidate: ResourceCandidate; readonly name: string }[];
}

function layOut(paths: Paths, overrides: ResourceOverrides, isOff: (name: string) => boolean): Layout {
  const found = withMarks(paths, inferCandidates(paths));
  const twins = new Map(found.map((candidate) => [candidate, findTwin(paths, candidate, found)]));
  const own = nameCandidates(found.filter((candidate) => !twins.get(candidate)));
  const all = withOverrides(paths, own, overrides);
  const aliases = [...twins].flatMap(([candidate, twin]) =>
    twin ? [{ candidate, name: own.get(twin) ?? '' }] : [],
  );
  return {
    named: new Map([...all].filter(([, name]) => !isOff(name))),
    off: [...all].flatMap(([candidate, name]) => (isOff(name) ? [candidate] : [])),
    routes: [...aliases, ...[...all].map(([candidate, name]) => ({ candidate, name }))],
  };
}

function isPathOf({ itemPath, collectionPath }: ResourceCandidate, path: string): boolean {
  return [itemPath, collectionPath].some((own) => own === path || path.startsWith(`${own}/`));
}

/** The properties worth an index: references to other resources, and the filters of the list. */
export function inferIndexes(
  { resources, actions }: ResourceModel,
  resource: Resource,
  find: (id: string) => Operation | undefined,
): string[] {
  const { name, properties } = resource;
  const singulars = new Set([...resources.values()].map(({ singular }) => singular));
  const lists = [...actions].filter(([, action]) => action.resource.name === name && action.name === 'list');
  const finder = createFilterFinder(resource);
  const filters = new Set(
    lists.flatMap(([id]) =>
      (find(id)?.parameters ?? []).flatMap((each) => {
        if (each.in !== 'query') return [];
        const property = finder.named(each.name);
        const target = property === undefined ? finder.referred(each.name, each.schema) : { property };
        return target && target.member === undefined ? [target.property] : [];
      }),
    ),
  );
  return properties.filter(
    (property) => filters.has(property) || singulars.has(toSnake(property).replace(/_id$/, '')),
  );
}

/** Names each candidate by the last word of its path, with the words before it if that name is taken. */
function nameCandidates(candidates: readonly ResourceCandidate[]): Map<ResourceCandidate, string> {
  const taken = new Set<string>();
  const names = new Map<ResourceCandidate, string>();
  for (const candidate of candidates) {
    const words = candidate.collectionPath.split('/').filter((word) => word !== '' && !word.includes('{'));
    let name = candidate.name ?? candidate.word;
    for (let count = 2; taken.has(name); count++)
      name =
        count <= words.length
          ? words.slice(-count).join('.')
          : `${words.join('.')}.${count - words.length + 1}`;
    taken.add(name);
    names.set(candidate, name);
  }
  return names;
}

function toResource(
  paths: Paths,
  candidate: ResourceCandidate,
  name: string,
  findParents: FindParents,
): Resource {
  const { singular, collectionPath, itemPath, key, schema, reason } = candidate;
  const members = schema.sharedProperties;
  const properties = [...members.keys()];
  const marked = (mark: DirectionMark) =>
    [...members].flatMap(([property, node]) => (node.isMarked(mark) ? [property] : []));
  const item = [...(paths.get(itemPath ?? '')?.values() ?? [])];
  const reading = item.find(({ method }) => method === 'GET') ?? item[0];
  const parameterSchema = once(() => reading && findPathKey(reading)?.schema);
  const readOnly = once(() => marked('readOnly'));
  const writeOnly = once(() => marked('writeOnly'));
  return {
    name,
    singular,
    collectionPath,
    itemPath,
    key,
    location: toItemLocation(reading),
    get parameterSchema() {
      return parameterSchema();
    },
    parents: findParents(collectionPath, properties, key),
    schema,
    properties,
    required: schema.required,
    // Lazy: finding the marks resolves every property's schema, and only writes need them.
    get readOnly() {
      return readOnly();
    },
    get writeOnly() {
      return writeOnly();
    },
    reason,
  };
}

/** The path by which an item is read; that of any other operation on it only if no verb stands in it. */
function toItemLocation(item: PlacedOperation | undefined): string | undefined {
  if (!item || item.keyIn !== undefined) return undefined;
  const { method, path, declared } = item;
  return method === 'GET' || declared.path.replace(/\/$/, '') === path ? declared.path : undefined;
}
