import { mergePatch } from './merge-patch.ts';
import type { MockRequest, Outcome } from './message.ts';
import type { Operation } from './operations.ts';
import { Problem, violationProblem } from './problem.ts';
import { type ListQuery, queryPage, toPageLinks, toSortProperty } from './query.ts';
import type { ActionName, Resource } from './resources.ts';
import type { SchemaChecker } from './schemas.ts';
import type { Collection, Entity, Session } from './store.ts';
import type { Input } from './validator.ts';

/** What an action has to go by. */
export interface ActionContext {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly input: Input;
  /** The base path under which the request came; empty for none. */
  readonly base: string;
  readonly request: MockRequest;
  readonly session: Session;
  readonly schemas: SchemaChecker;
  /** A generated entity of the resource, the same for the same key. */
  readonly generate: (resource: Resource, key: string) => Entity;
}

/** Does one thing to one resource, or throws a Problem and leaves everything as it was. */
export type Action = (context: ActionContext) => Outcome;

/** The actions that serve any resource. */
export const ACTIONS: Readonly<Record<ActionName, Action>> = {
  list,
  create: (context) => toCreated(context, putEntity(context, toNewEntity(context))),
  read: (context) => ({ body: toShown(context, readEntity(context)) }),
  replace: (context) => ({ body: toShown(context, putEntity(context, toReplacedEntity(context))) }),
  update: (context) => ({ body: toShown(context, putEntity(context, toMergedEntity(context))) }),
  remove(context) {
    const entity = readEntity(context);
    collectionOf(context).delete(keyOf(context.resource, entity));
    return {};
  },
};

/** The entity that the path names. Throws a 404 Problem if there is none. */
export function readEntity(context: ActionContext): Entity {
  const { resource, input } = context;
  const key = String(input.path[resource.key.parameter]);
  const entity = collectionOf(context).get(key);
  if (entity) return entity;
  throw new Problem(404, `${resource.singular}_not_found`, noEntityMessage(resource, key));
}

/** Stores an entity and returns it. Throws a 422 Problem if it would break the schema of its resource. */
export function putEntity(context: ActionContext, entity: Entity): Entity {
  const { resource, schemas } = context;
  const violations = schemas.check(resource.schema, entity, 'body');
  if (violations.length > 0) throw violationProblem(422, 'validation_failed', violations);
  return collectionOf(context).put(keyOf(resource, entity), entity);
}

/** The entity that a POST asks for, under the next free key. A key in the body is passed over: the server gives it. */
export function toNewEntity(context: ActionContext): Entity {
  const { resource } = context;
  const { property } = resource.key;
  const key = collectionOf(context).nextKey();
  const entity: Entity = {
    [property]: key,
    ...without(readObject(context), [property, ...resource.readOnly]),
  };
  // What every entity must have and no client was asked for, the server makes up.
  const missing = resource.required.filter((name) => entity[name] === undefined);
  if (missing.length === 0) return entity;
  const generated = context.generate(resource, String(key));
  return { ...entity, ...Object.fromEntries(missing.map((name) => [name, generated[name]])) };
}

/** The entity that a PUT asks for, under the key of the one it replaces. */
export function toReplacedEntity(context: ActionContext): Entity {
  const { key, readOnly } = context.resource;
  const current = readEntity(context);
  const body = readObject(context);
  if (Object.hasOwn(body, key.property)) checkSame(key.property, current[key.property], body[key.property]);
  const kept = [key.property, ...readOnly].filter((name) => current[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, current[name]])),
    ...without(body, [key.property, ...readOnly]),
  };
}

/** The entity that a PATCH asks for: the stored one with the body as a JSON merge patch (RFC 7396). */
export function toMergedEntity(context: ActionContext): Entity {
  const { key, readOnly } = context.resource;
  const current = readEntity(context);
  const patch = readObject(context);
  if (Object.hasOwn(patch, key.property)) checkSame(key.property, current[key.property], patch[key.property]);
  return mergePatch(current, without(patch, [key.property, ...readOnly])) as Entity;
}

/** The answer to a creation: the entity, and where it is from now on. */
export function toCreated(context: ActionContext, entity: Entity): Outcome {
  const { resource, base } = context;
  const path = resource.itemPath.replace(/\{[^{}]+\}$/, encodeURIComponent(keyOf(resource, entity)));
  return { body: toShown(context, entity), headers: { Location: base + path } };
}

/** Throws a 422 Problem if a request would change a property that stays as it is for good. */
export function checkSame(property: string, current: unknown, asked: unknown): void {
  if (asked === current) return;
  throw violationProblem(422, 'validation_failed', [
    { location: `body.${property}`, message: `must stay ${String(current)} or be left out` },
  ]);
}

function list(context: ActionContext): Outcome {
  const { resource, request } = context;
  const query = toListQuery(context);
  const page = queryPage(collectionOf(context).values(), query, resource.properties);
  const { total } = page;
  const entities = page.entities.map((entity) => toShown(context, entity));
  if (!context.operation.parameters.some(({ name }) => name === 'limit')) return { body: entities };
  const link = toPageLinks(request.path, request.query, query, total);
  return { body: entities, headers: { 'X-Total-Count': String(total), ...(link && { Link: link }) } };
}

function toListQuery({ operation, resource, input }: ActionContext): ListQuery {
  const { sort, limit, offset, ...rest } = input.query;
  const terms = typeof sort === 'string' ? sort.split(',') : [];
  // The document may name orders that are no properties, like `newest`; there is nothing to go by.
  const named = operation.parameters.some(({ name, schema }) => name === 'sort' && schema.enum !== undefined);
  const known = named ? terms.filter((term) => resource.properties.includes(toSortProperty(term))) : terms;
  const filters = Object.entries(rest).filter(([name]) => resource.properties.includes(name));
  return {
    filters: new Map(filters),
    sort: known.length === 0 ? undefined : known.join(','),
    limit: limit === undefined ? undefined : Number(limit),
    offset: Number(offset ?? 0),
  };
}

function collectionOf({ session, resource }: ActionContext): Collection {
  return session.collection(resource.name);
}

function keyOf(resource: Resource, entity: Entity): string {
  return String(entity[resource.key.property]);
}

function readObject({ input }: ActionContext): Entity {
  const { body } = input;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Entity;
  if (body === undefined) return {};
  throw violationProblem(422, 'validation_failed', [{ location: 'body', message: 'must be object' }]);
}

/** An entity as an answer shows it. */
function toShown({ resource }: ActionContext, entity: Entity): Entity {
  return resource.writeOnly.length === 0 ? entity : without(entity, resource.writeOnly);
}

function without(entity: Entity, properties: readonly string[]): Entity {
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !properties.includes(name)));
}

function noEntityMessage({ singular, key }: Resource, value: string): string {
  return `No ${singular} has the ${key.property} ${value}.`;
}
