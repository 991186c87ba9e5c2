import type { Operation } from '../operations/operations.ts';
import { toAccountAction } from './accounts.ts';
import {
  type ActionEntry,
  type FindParents,
  inferActions,
  type ResourceLookup,
  withOwnNames,
} from './actions.ts';
import { buildResource } from './build-resource.ts';
import type { ResourceCandidate } from './candidates.ts';
import { inferFiles } from './files.ts';
import { findItem, indexItems, inferFreeAction, withEffect } from './item-actions.ts';
import { type Layout, layOut } from './layout.ts';
import { toMarkedAction } from './marked-action.ts';
import type { ActionTarget, Resource, ResourceAction, ResourceModel, ResourceOverrides } from './model.ts';
import { readMark } from './overrides.ts';
import { toParents } from './parents.ts';
import { findSingle, inferPartsActions } from './parts.ts';
import { buildPaths } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { placeOperations } from './places.ts';
import { indexBySchema } from './same-schema.ts';

/** A model without resources, so every operation is stateless. */
export const STATELESS: ResourceModel = {
  resources: new Map(),
  actions: new Map(),
  users: new Set(),
  files: new Map(),
};

/**
 * Infers the resources of a document from its paths, its schemas, its `x-mock-resource` marks and the overrides. Throws a SetupError for
 * an impossible mark or override.
 */
export function inferResources(
  operations: readonly Operation[],
  overrides: ResourceOverrides = {},
): ResourceModel {
  const placed = placeOperations(operations.filter((operation) => readMark(operation) !== false));
  const paths = buildPaths(placed);
  const byPath = groupByPath(placed);
  const isOff = (name: string) => Object.hasOwn(overrides, name) && overrides[name] === false;
  const { named, off, routes, accounts, parts } = layOut(placed, paths, overrides, isOff);
  const owners = new Map(routes.map(({ candidate, name }) => [candidate.itemPath, { ...candidate, name }]));
  const findParents: FindParents = (path, properties, key) => {
    const others = properties.filter((name) => name !== key?.property);
    return toParents(path, others, (itemPath) => owners.get(itemPath));
  };
  const resources = new Map(
    [...named].map(([candidate, name]) => [name, buildResource(paths, candidate, name, findParents)]),
  );
  const find = (name: string) => resources.get(name);
  const owned = routes.map(({ candidate, name }) => [candidate, resources.get(name)] as const);
  const items = indexItems(owned, findParents);
  const actions = new Map([
    ...inferOwnActions(routes, byPath, findParents, find),
    ...inferPartsActions(parts, placed, (path) => findItem(items, path) ?? findSingle(resources, path)),
    ...inferSignIn(accounts, find),
  ]);
  const lookup = createLookup(resources, actions, findParents);
  for (const operation of placed) {
    const isFree =
      !actions.has(operation.id) && !off.some((candidate) => isPathOf(candidate, operation.path));
    const action =
      toMarkedAction(operation, resources, isOff, findParents) ??
      (isFree ? inferFreeAction(lookup, items, withoutPlacedKey(operation)) : undefined);
    const found = action ?? actions.get(operation.id);
    if (found) actions.set(operation.id, withOwnNames(operation, withEffect(lookup, operation, found)));
  }
  const isOn = ({ path }: PlacedOperation) => !off.some((candidate) => isPathOf(candidate, path));
  const findOwner = (path: string) => findItem(items, path) ?? findUser(byPath, actions, path);
  const files = inferFiles(placed.filter(isOn), { actions, findOwner });
  return { resources, actions, users: toUsers(actions), files };
}

function createLookup(
  resources: ReadonlyMap<string, Resource>,
  actions: ReadonlyMap<string, ResourceAction>,
  findParents: FindParents,
): ResourceLookup {
  const creating = new Set(
    [...actions.values()].flatMap((each) => (each.name === 'create' ? [each.resource] : [])),
  );
  return {
    withSchema: indexBySchema([...resources.values()]),
    findParents,
    canCreate: (resource) => creating.has(resource),
  };
}

type FindResource = (name: string) => Resource | undefined;

/** The actions of operations on the resources' own paths. */
function inferOwnActions(
  routes: Layout['routes'],
  byPath: ReadonlyMap<string, PlacedOperation[]>,
  findParents: FindParents,
  find: FindResource,
): ActionEntry[] {
  return routes.flatMap(({ candidate, name }) => {
    const resource = find(name);
    if (!resource) return [];
    const { collectionPath, itemPath = '' } = candidate;
    const parents = findParents(collectionPath, resource.properties, resource.key);
    const operations = [collectionPath, itemPath].flatMap((path) => byPath.get(path) ?? []);
    return inferActions({ operations, candidate, resource, parents });
  });
}

/** The actions of operations by which users sign in. */
function inferSignIn(accounts: Layout['accounts'], find: FindResource): ActionEntry[] {
  return accounts.flatMap(({ account, name }) => {
    const resource = find(name);
    if (!resource?.key) return [];
    return account.members.map((member) => [member.operation.id, toAccountAction(member, resource)] as const);
  });
}

/** Finds the users behind a path such as `/users/me`, which names the user of the request. */
function findUser(
  byPath: ReadonlyMap<string, PlacedOperation[]>,
  actions: ReadonlyMap<string, ResourceAction>,
  path: string,
): ActionTarget | undefined {
  const found = (byPath.get(path) ?? []).map(({ id }) => actions.get(id));
  return found.find((action) => action?.key === 'token');
}

/** The names of the resources whose entities sign in. */
function toUsers(actions: ReadonlyMap<string, ResourceAction>): Set<string> {
  const signing = [...actions.values()].filter(
    ({ name, key }) => key === 'token' || name === 'login' || name === 'refresh' || name === 'logout',
  );
  return new Set(signing.map(({ resource }) => resource.name));
}

/** Returns the declared operation if the place adds a parameter that the declared path lacks. */
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

function isPathOf({ itemPath, collectionPath }: ResourceCandidate, path: string): boolean {
  return [itemPath, collectionPath].some((own) => own === path || path.startsWith(`${own}/`));
}
