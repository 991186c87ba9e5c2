import type { SchemaNode } from '../../schema/schema.ts';
import { type Operation, templateNames } from '../operations/operations.ts';
import { type FindParents, inferOtherAction, type ResourceLookup } from './actions.ts';
import { answerSchema } from './answers.ts';
import type { ResourceCandidate } from './candidates.ts';
import { toEdits } from './effects.ts';
import { CHANGING, type ItemVerb, invert, readItemVerb } from './item-verbs.ts';
import type { ActionTarget, Effect, Parent, Resource, ResourceAction } from './model.ts';
import { toNamedParents } from './parents.ts';
import { lastWord } from './paths.ts';
import { toNameless } from './places.ts';
import { renameParameters } from './rename-parameters.ts';
import { findEntityShape } from './shapes.ts';

/** The items at a path, and the parents above them. */
interface ItemRoute {
  readonly itemPath: string;
  readonly resource: Resource;
  readonly parents: readonly Parent[];
}

/** Indexes the items of candidates, which come with the resources they serve, by path without the names of parameters. */
export function indexItems(
  routes: readonly (readonly [ResourceCandidate, Resource | undefined])[],
  findParents: FindParents,
): ReadonlyMap<string, ItemRoute> {
  return new Map(
    routes.flatMap(([{ itemPath, collectionPath }, resource]) => {
      if (!resource?.key || itemPath === undefined) return [];
      const parents = findParents(collectionPath, resource.properties, resource.key);
      return [[toNameless(itemPath), { itemPath, resource, parents }]];
    }),
  );
}

type SchemaLookup = Pick<ResourceLookup, 'withSchema'>;

/** Infers the action of an operation outside a resource's own paths, from the item above it or the entities in its answer. */
export function inferFreeAction(
  lookup: ResourceLookup,
  items: ReadonlyMap<string, ItemRoute>,
  operation: Operation,
): ResourceAction | undefined {
  const act = inferItemAction(lookup, items, operation);
  return act?.effect?.isShown ? act : (inferOtherAction(lookup, operation) ?? act);
}

/**
 * Infers the effect of an operation right below an item: `POST /orders/{id}/cancel`. `undefined` unless the last word of its path is a
 * verb that concerns the item.
 */
function inferItemAction(
  lookup: SchemaLookup,
  items: ReadonlyMap<string, ItemRoute>,
  operation: Operation,
): ResourceAction | undefined {
  const { path, method } = operation;
  const route = items.get(toNameless(path.slice(0, path.lastIndexOf('/'))));
  const verb = route && CHANGING.has(method) ? readVerbOf(operation) : undefined;
  if (!route || !verb) return undefined;
  const { itemPath, resource } = route;
  const effect = toEffect(lookup, operation, verb, resource);
  if (!verb.isKnown && effect.edits.length === 0) return undefined;
  const [names, own] = [templateNames(itemPath), templateNames(path)];
  const action = { ...toActionTarget(route), name: 'act', effect } as const;
  return renameParameters(action, (name) => own[names.indexOf(name)] ?? name);
}

/** Finds the item at a path, as the target of an action with that path's parameter names. */
export function findItem(items: ReadonlyMap<string, ItemRoute>, path: string): ActionTarget | undefined {
  const route = items.get(toNameless(path));
  if (!route) return undefined;
  const [names, own] = [templateNames(route.itemPath), templateNames(path)];
  return renameParameters(toActionTarget(route), (name) => own[names.indexOf(name)] ?? name);
}

function toActionTarget({ itemPath, resource, parents }: ItemRoute): ActionTarget {
  const within = resource.parents.length > 0 ? [] : toNamedParents(parents);
  return { resource, key: { parameter: templateNames(itemPath).at(-1) ?? '' }, parents, within };
}

/** An action with its effect, if it is an `act` that has none yet. */
export function withEffect(
  lookup: SchemaLookup,
  operation: Operation,
  action: ResourceAction,
): ResourceAction {
  if (action.name !== 'act' || action.effect) return action;
  const verb = readVerbOf(operation);
  const effect = verb ? toEffect(lookup, operation, verb, action.resource) : { edits: [], isShown: true };
  return { ...action, effect };
}

function readVerbOf({ path, method }: Operation): ItemVerb | undefined {
  const word = lastWord(path);
  if (word === undefined) return undefined;
  const verb = readItemVerb(word);
  return method === 'DELETE' ? invert(verb) : verb;
}

function toEffect(
  { withSchema }: SchemaLookup,
  operation: Operation,
  verb: ItemVerb,
  resource: Resource,
): Effect {
  const shown = findShown(operation, resource);
  const owners = shown ? withSchema(shown) : [];
  const isShown = owners.length === 0 || owners.includes(resource);
  return { edits: toEdits(verb, resource.schema), isShown };
}

/** The schema of the entity in an answer. */
function findShown(operation: Operation, { properties, singular }: Resource): SchemaNode | undefined {
  const isEntity = (members: ReadonlyMap<string, SchemaNode>) => properties.some((name) => members.has(name));
  return findEntityShape(answerSchema(operation), isEntity, [singular])?.schema;
}
