import type { FindingCode } from '../../base/finding-code.ts';
import { readInteger } from '../../base/number.ts';
import { Problem, violationProblem } from '../../base/problem.ts';
import type { Input, Operation } from '../../model/operations/operations.ts';
import type { Resource, ResourceModel } from '../../model/resources/resources.ts';
import { ONLY_KEY } from '../../model/resources/resources.ts';
import type { MockRequest, Outcome, PublicAddress } from '../../wire/message/message.ts';
import { type Collection, type Entity, type Store, toScope } from '../store/store.ts';
import type { ActionSpec } from './action-spec.ts';
import { type CallerRules, callerKey } from './caller.ts';
import { memberOf } from './json-object.ts';
import type { Selections } from './selections.ts';
import type { ViewParts } from './view.ts';

/** One call of an action, with everything that it may read or change. */
export interface ActionContext extends ViewParts {
  readonly operation: Operation;
  readonly spec: ActionSpec;
  readonly model: ResourceModel;
  readonly input: Input;
  /** The base path of the request; empty for none. */
  readonly base: string;
  /** Where the client reached the mock. */
  readonly address: PublicAddress;
  readonly request: MockRequest;
  readonly store: Store;
  readonly selections: Selections;
  /** The time of the session, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether the client asks to see lists without items. */
  readonly isEmptied: boolean;
  /** Whether the outcome is needed at once, however long the list is. */
  readonly isAtOnce: boolean;
  readonly callers: CallerRules;
  /** Decides every generated value. */
  readonly seed: number;
}

/** Does one thing to one resource, or throws a Problem and changes nothing. */
export type Action = (context: ActionContext) => Outcome;

/** The collection of the request, below the parents in its path. Throws a 404 Problem if a parent is missing. */
export function collectionOf(context: ActionContext): Collection {
  const { spec, store } = context;
  if (spec.parents.length > 0) requireParents(context);
  const { name } = spec.resource;
  return store.collection(name, toScope(scopeKeys(context)));
}

/** The keys of the parents that the collection of the request belongs to, under the names that its operation gives them. */
export function scopeKeys({ spec, input }: Pick<ActionContext, 'spec' | 'input'>): unknown[] {
  const own = spec.parents.slice(0, spec.resource.parents.length);
  return own.map(({ parameter }) => input.path[parameter]);
}

function requireParents({ spec, model, store, input }: ActionContext): void {
  for (const { parameter, resource, scope } of spec.parents) {
    const parent = resource === undefined ? undefined : model.resources.get(resource);
    if (!parent) continue;
    const key = String(input.path[parameter]);
    const collection = store.collection(parent.name, toScope(scope.map((name) => input.path[name])));
    if (!collection.get(key)) throw notFound(parent, key);
  }
}

/** The entity that the request names, if it exists. */
export function findRequested(context: ActionContext): Entity | undefined {
  const { spec, input } = context;
  const entity = collectionOf(context).get(requestedKey(context));
  const matchesPath = spec.within.every(
    ({ parameter, property }) => String(entity?.[property]) === String(input.path[parameter]),
  );
  return matchesPath ? entity : undefined;
}

/** The entity that the request names. Throws a 404 Problem if there is none. */
export function readEntity(context: ActionContext): Entity {
  const entity = findRequested(context);
  if (entity) return entity;
  throw notFound(context.spec.resource, requestedKey(context));
}

/** The properties whose values the path of the request decides. */
export function pathPropertiesOf({ spec, input }: ActionContext): Entity {
  return Object.fromEntries(
    spec.pathProperties.map(({ parameter, property, isNumeric }) => {
      const value = input.path[parameter];
      return [property, isNumeric ? toNumeric(value) : String(value)];
    }),
  );
}

/** The number in a parameter, whose own schema may be a string. */
function toNumeric(value: unknown): unknown {
  return typeof value === 'bigint' ? value : (readInteger(String(value)) ?? Number(value));
}

/** An entity for an answer. Where a parent is not a resource, any name of it matches, so the entity takes the one in the path. */
export function withPathParents(context: ActionContext, entity: Entity): Entity {
  return showsPathParents(context.spec.resource) ? { ...entity, ...pathPropertiesOf(context) } : entity;
}

/** Whether entities of a resource show parents that are not resources. */
export function showsPathParents({ parents }: Resource): boolean {
  return parents.some(({ resource, property }) => resource === undefined && property !== undefined);
}

/**
 * Returns the key of the entity that a request names: the fixed one of a resource without keys, and an empty one for a PUT that may
 * create an entity and names none. Throws a 422 Problem for any other body without a key, and a 400 Problem for a query without one.
 */
export function requestedKey(context: ActionContext): string {
  const { spec, input } = context;
  const { key, resource, unwrap } = spec;
  if (key === undefined) return ONLY_KEY;
  if (key === 'token') return callerKey(context, resource);
  if (key !== 'body')
    return String('query' in key ? readQueryKey(input, key.query) : input.path[key.parameter]);
  const property = resource.key?.property ?? '';
  const given = memberOf(unwrap(input.body), property);
  if (given !== undefined && given !== null && given !== '') return String(given);
  if (spec.createsMissing) return '';
  throw invalidBody(`body.${property}`, 'is required', 'required');
}

/** Reads the key in the query. Throws a 400 Problem if the client left out an optional parameter for it. */
function readQueryKey({ query }: Input, name: string): unknown {
  const key = query[name];
  if (key !== undefined && key !== '') return key;
  throw violationProblem(400, 'invalid_parameter', [
    { location: `query.${name}`, message: 'is required', code: 'required' },
  ]);
}

/** The 422 Problem for one value of a body. */
export function invalidBody(location: string, message: string, code: FindingCode): Problem {
  return violationProblem(422, 'validation_failed', [{ location, message, code }]);
}

function notFound({ singular, key }: Resource, value: string): Problem {
  const isNamed = key && value !== '';
  const message = isNamed ? `No ${singular} has the ${key.property} ${value}.` : `There is no ${singular}.`;
  return new Problem(404, `${singular}_not_found`, message);
}
