import { violationProblem } from '../problem.ts';
import { entityProperties, keyOf } from '../resources/resources.ts';
import { isNullable, type Schema } from '../schema/schema.ts';
import { type Entity, joinEntities } from '../store/store.ts';
import { type ActionContext, collectionOf, readEntity, requestedKey, toldOf } from './context.ts';
import { mergePatch } from './merge-patch.ts';
import { checkNameable, keyTaken, toNewKey, toTypedKey } from './new-key.ts';
import { mend, without } from './view.ts';

/** Stores an entity that an action made and returns it. Throws a 422 Problem if it would break the schema of its resource. */
export function putEntity(context: ActionContext, entity: Entity): Entity {
  const { plan, schemas } = context;
  const violations = schemas.check(plan.resource.schema, entity, 'body');
  if (violations.length > 0) throw violationProblem(422, 'validation_failed', violations);
  return store(context, entity);
}

/**
 * Stores an entity that a valid request asks for. What a body may hold by its own schema and an entity may not gives way to what is
 * generated: a client is not to blame for a document that takes one thing and answers another. Throws a 422 Problem for what no
 * schema of the body speaks of, and that of the entity forbids.
 */
export function putAsked(context: ActionContext, entity: Entity): Entity {
  const { plan, schemas } = context;
  const { resource } = plan;
  checkNameable(resource, entity);
  const violations = schemas.check(resource.schema, entity, 'body');
  if (violations.length === 0) return store(context, entity);
  const known = new Set(resource.properties);
  const wrong = violations.map(({ location }) => /^body\.?([^.[]*)/.exec(location)?.[1] ?? '');
  if (wrong.some((name) => known.has(name) && entity[name] !== undefined && !plan.declared.has(name)))
    throw violationProblem(422, 'validation_failed', violations);
  const declared = without(
    entity,
    Object.keys(entity).filter((name) => !known.has(name)),
  );
  const isValid = (value: unknown) => schemas.check(resource.schema, value, '').length === 0;
  const mended = mend(generated(context, entity), declared, isValid) as Entity;
  const key = resource.key?.property;
  return putEntity(context, key === undefined ? mended : joinEntities(mended, { [key]: entity[key] }));
}

function store(context: ActionContext, entity: Entity): Entity {
  return collectionOf(context).put(keyOf(context.plan.resource, entity), entity);
}

/** The entity that a POST asks for, under its key: the client's, where the document lets it choose, else the next free one. */
export function toNewEntity(context: ActionContext): Entity {
  const { plan } = context;
  const { key } = plan.resource;
  const body = readObject(context);
  const keyed = key ? { [key.property]: toNewKey(context, body) } : {};
  const asked = toAsked(context, body, plan.kept);
  return complete(context, joinEntities(keyed, plan.defaults, asked, toldOf(context)));
}

/** The entity that a PUT asks for, under the key of the one it replaces. */
export function toReplacedEntity(context: ActionContext): Entity {
  const { plan } = context;
  const { key } = plan.resource;
  const current = readEntity(context);
  const body = readObject(context);
  const property = key?.property ?? '';
  if (Object.hasOwn(body, property)) checkSame(property, current[property], body[property]);
  const kept = plan.kept.filter((name) => has(current, name));
  const asked = joinEntities(
    Object.fromEntries(kept.map((name) => [name, current[name]])),
    plan.defaults,
    toAsked(context, body, plan.kept),
    toldOf(context),
  );
  return settle(context, asked, current);
}

/** The entity that a PUT asks for where there is none yet, under the key that the request names. */
export function toPutEntity(context: ActionContext): Entity {
  const { plan } = context;
  const { key, readOnly } = plan.resource;
  const body = readObject(context);
  const asked = joinEntities(plan.defaults, toAsked(context, body, readOnly), toldOf(context));
  if (!key) return complete(context, asked);
  const name = requestedKey(context);
  if (plan.key === 'body' && (name === '' || name === '0')) return toNewEntity(context);
  const typed = toTypedKey(key, name);
  // It is there, but not among those that the path speaks of.
  if (collectionOf(context).get(name)) throw keyTaken(context, name);
  if (Object.hasOwn(body, key.property)) checkSame(key.property, typed, body[key.property]);
  return complete(context, joinEntities(asked, { [key.property]: typed }));
}

/** The entity that a PATCH asks for: the stored one with the body as a JSON merge patch (RFC 7396). */
export function toMergedEntity(context: ActionContext): Entity {
  const { plan, root, input } = context;
  const { key, properties, schema } = plan.resource;
  const current = readEntity(context);
  const patch = readObject(context);
  const property = key?.property ?? '';
  if (Object.hasOwn(patch, property)) checkSame(property, current[property], patch[property]);
  const fromQuery = Object.entries(input.query).filter(
    ([name]) =>
      properties.includes(name) && name !== property && plan.name === 'update' && plan.key !== 'body',
  );
  const asked = without({ ...Object.fromEntries(fromQuery), ...patch }, plan.kept);
  const merged = mergePatch(current, asked, (path) => isNullableAt(root, schema, path)) as Entity;
  return settle(context, joinEntities(merged, toldOf(context)), current);
}

/** Whether null is a value of the member of an entity at a path. */
function isNullableAt(root: unknown, schema: Schema, path: readonly string[]): boolean {
  const node = path.reduce<unknown>((at, name) => entityProperties(root, at).get(name), schema);
  return isNullable(root, node);
}

/** What a body gives for an entity as a whole: all but some properties, with the defaults inside of them. */
function toAsked({ plan }: ActionContext, body: Entity, excluded: readonly string[]): Entity {
  const given = without(body, excluded);
  return plan.fillIn?.(given) ?? given;
}

/** Throws a 422 Problem if a request would change a property that stays as it is for good. */
export function checkSame(property: string, current: unknown, asked: unknown): void {
  if (asked === current) return;
  throw violationProblem(422, 'validation_failed', [
    { location: `body.${property}`, message: `must stay ${String(current)} or be left out` },
  ]);
}

/** What every entity has and no client was asked for, or may set, the server makes up. */
function complete(context: ActionContext, entity: Entity): Entity {
  const { required, readOnly } = context.plan.resource;
  const settled = settle(context, entity);
  const isMissing = (name: string) => !has(settled, name);
  if (!required.some(isMissing) && !readOnly.some(isMissing)) return settled;
  const missing = [...new Set([...required, ...readOnly])].filter(isMissing);
  const made = generated(context, settled);
  const found = missing.flatMap((name) => (has(made, name) ? [[name, made[name]] as const] : []));
  return joinEntities(settled, Object.fromEntries(found));
}

/** What no client sets inside an entity is as it was, else made up. */
function settle(context: ActionContext, entity: Entity, current?: Entity): Entity {
  const sources = () => [current, generated(context, entity)];
  return context.plan.settle?.(entity, sources) ?? entity;
}

/** Whether an entity has a property of its own: `constructor` is a name like any other. */
function has(entity: Entity, name: string): boolean {
  return Object.hasOwn(entity, name) && entity[name] !== undefined;
}

function generated({ plan, generate }: ActionContext, entity: Entity): Entity {
  const { resource } = plan;
  return (generate(resource.schema, `${resource.name} ${keyOf(resource, entity)}`) ?? {}) as Entity;
}

/** The object in the body of a request. Throws a 422 Problem for anything else. */
export function readObject({ plan, input }: ActionContext): Entity {
  const body = plan.unwrap(input.body);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Entity;
  if (body === undefined) return {};
  throw violationProblem(422, 'validation_failed', [{ location: 'body', message: 'must be object' }]);
}
