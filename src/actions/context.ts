import type { MockRequest, Outcome } from '../message.ts';
import { readInteger } from '../number.ts';
import type { Operation } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import type { Resource, ResourceModel } from '../resources/resources.ts';
import { ONLY_KEY } from '../resources/resources.ts';
import { isObject } from '../schema/schema.ts';
import { type Collection, type Entity, type Store, toScope } from '../store/store.ts';
import type { Input } from '../validate/validate.ts';
import type { ActionPlan } from './plan.ts';
import type { Selections } from './selections.ts';
import type { ViewParts } from './view.ts';

/** What an action has to go by. */
export interface ActionContext extends ViewParts {
  readonly operation: Operation;
  readonly plan: ActionPlan;
  readonly model: ResourceModel;
  readonly input: Input;
  /** The base path under which the request came; empty for none. */
  readonly base: string;
  readonly request: MockRequest;
  readonly store: Store;
  readonly selections: Selections;
  /** Decides every generated value. */
  readonly seed: number;
}

/** Does one thing to one resource, or throws a Problem and leaves everything as it was. */
export type Action = (context: ActionContext) => Outcome;

/** The entities that the request is about: those below the items that its path names. Throws a 404 Problem if one is missing. */
export function collectionOf(context: ActionContext): Collection {
  const { plan, store } = context;
  if (plan.parents.length > 0) requireParents(context);
  return store.collection(plan.resource.name, scopeOf(context, plan.resource));
}

function scopeOf({ input }: ActionContext, { parents }: Resource): string {
  return parents.length === 0 ? '' : toScope(parents.map(({ parameter }) => input.path[parameter]));
}

function requireParents({ plan, model, store, input }: ActionContext): void {
  for (const { parameter, resource, scope } of plan.parents) {
    const parent = resource === undefined ? undefined : model.resources.get(resource);
    if (!parent) continue;
    const key = String(input.path[parameter]);
    const collection = store.collection(parent.name, toScope(scope.map((name) => input.path[name])));
    if (!collection.get(key)) throw notFound(parent, key);
  }
}

/** The entity that the request names, if it is there. */
export function findEntity(context: ActionContext): Entity | undefined {
  const entity = collectionOf(context).get(requestedKey(context));
  return entity && isTold(context, entity) ? entity : undefined;
}

/** The entity that the request names. Throws a 404 Problem if there is none. */
export function readEntity(context: ActionContext): Entity {
  const entity = findEntity(context);
  if (entity) return entity;
  throw notFound(context.plan.resource, requestedKey(context));
}

/** Whether an entity is one of those that the path speaks of. */
function isTold({ plan, input }: ActionContext, entity: Entity): boolean {
  return plan.within.every(
    ({ parameter, property }) => String(entity[property]) === String(input.path[parameter]),
  );
}

const NOTHING: Entity = {};

/** What the path tells of the properties of an entity. */
export function toldOf({ plan, input }: ActionContext): Entity {
  if (plan.told.length === 0) return NOTHING;
  return Object.fromEntries(
    plan.told.map(({ parameter, property, numeric }) => {
      const value = input.path[parameter];
      return [property, numeric ? toNumeric(value) : String(value)];
    }),
  );
}

/** The number that a parameter holds, which its schema may have as a text. */
function toNumeric(value: unknown): unknown {
  return typeof value === 'bigint' ? value : (readInteger(String(value)) ?? Number(value));
}

/** An entity as the path speaks of it: where every name of a parent will do, it is the one that was asked for. */
export function show(context: ActionContext, entity: Entity): Entity {
  const { parents } = context.plan.resource;
  if (!parents.some(({ resource, property }) => resource === undefined && property !== undefined))
    return entity;
  return { ...entity, ...toldOf(context) };
}

/**
 * The key by which the request names an entity; there is only one where there are no keys, and none may be named for what a PUT makes.
 * Throws a 422 Problem for a body that names none.
 */
export function requestedKey({ plan, input }: ActionContext): string {
  const { key, resource, unwrap } = plan;
  if (key === undefined) return ONLY_KEY;
  if (key !== 'body') return String(input.path[key.parameter]);
  const property = resource.key?.property ?? '';
  const given = toMember(unwrap(input.body), property);
  if (given !== undefined && given !== null && given !== '') return String(given);
  if (plan.creates) return '';
  throw violationProblem(422, 'validation_failed', [
    { location: `body.${property}`, message: 'is required' },
  ]);
}

function toMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function notFound({ singular, key }: Resource, value: string): Problem {
  const message = key ? `No ${singular} has the ${key.property} ${value}.` : `There is no ${singular}.`;
  return new Problem(404, `${singular}_not_found`, message);
}
