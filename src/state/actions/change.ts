import { once } from '../../base/once.ts';
import { violationProblem } from '../../base/problem.ts';
import { isPassword, keyOf, type Resource } from '../../model/resources/resources.ts';
import { type Entity, joinEntities } from '../store/store.ts';
import {
  toFreshAttributes,
  toKeptAttributes,
  withAttributes,
  withAttributeTimes,
} from './change-attributes.ts';
import {
  type ActionContext,
  collectionOf,
  invalidBody,
  pathPropertiesOf,
  readEntity,
  requestedKey,
} from './context.ts';
import { findMadeUp, withEmbedded, withStored } from './embed.ts';
import { toFitting } from './fit.ts';
import { isUpdateTime, toFreshValue, toTimestamp } from './fresh.ts';
import { isJsonObject, memberOf, omit, pick } from './json-object.ts';
import { mergePatch } from './merge-patch.ts';
import { checkNameable, keyTaken, toNewKey, toTypedKey } from './new-key.ts';
import { toOwner } from './ownership.ts';
import { isNewEntity, withRelated } from './relate.ts';
import { toNewName } from './rename.ts';
import { mergeValid } from './view.ts';

/** Stores an entity that an action made and returns it. Throws a 422 Problem if it would break the schema of its resource. */
export function putEntity(context: ActionContext, made: Entity): Entity {
  const entity = embedIn(context, made);
  const { spec, schemas } = context;
  const { schema } = spec.resource;
  const related = withRelated(context, entity);
  // `withRelated` has already checked an entity that it changed.
  const violations = related === entity ? schemas.check(schema, entity, 'body') : [];
  if (violations.length === 0) return store(context, related);
  const fitting = toFitting(schema, entity) as Entity;
  if (schemas.check(schema, fitting, '').length === 0) return store(context, withRelated(context, fitting));
  throw violationProblem(422, 'validation_failed', violations);
}

/**
 * Stores the entity of a valid request. Replaces values that the schema of the body allows and the schema of the entity forbids by
 * generated ones: the client cannot know that the document contradicts itself. Throws a 422 Problem for an undeclared value that breaks
 * the schema of the entity.
 */
export function putRequested(context: ActionContext, requested: Entity): Entity {
  const entity = embedIn(context, requested);
  const { spec, schemas, input } = context;
  const { resource } = spec;
  checkNameable(resource, entity);
  const related = withRelated(context, entity);
  const violations = related === entity ? schemas.check(resource.schema, entity, 'body') : [];
  if (violations.length === 0) return store(context, related);
  const isValid = (value: unknown) => schemas.check(resource.schema, value, '').length === 0;
  const fitting = toFitting(resource.schema, entity) as Entity;
  if (isValid(fitting)) return store(context, withRelated(context, fitting));
  const known = new Set(resource.properties);
  const wrong = violations.map(({ location }) => /^body\.?([^.[]*)/.exec(location)?.[1] ?? '');
  const body = spec.unwrap(input.body);
  const isGiven = (name: string) => entity[name] !== undefined || memberOf(body, name) === null;
  if (wrong.some((name) => known.has(name) && isGiven(name) && !spec.bodyProperties.has(name)))
    throw violationProblem(422, 'validation_failed', violations);
  const declared = pick(fitting, known);
  const valid = mergeValid(generateEntity(context, entity), declared, isValid) as Entity;
  const key = resource.key?.property;
  return putEntity(context, key === undefined ? valid : joinEntities(valid, { [key]: entity[key] }));
}

/** An entity with the stored entities that it shows, if it stays valid with them. */
function embedIn(context: ActionContext, entity: Entity): Entity {
  const { spec, schemas, store, input } = context;
  const { embeds, unwrap } = spec;
  if (embeds.length === 0) return entity;
  const body = unwrap(input.body);
  const madeUp = findMadeUp(embeds, entity, body);
  const isChosen = madeUp.length > 0 && isNewEntity(context, entity);
  const own = isChosen ? withStored(madeUp, store, entity) : entity;
  const embedded = withEmbedded(embeds, store, own, body);
  if (embedded === entity) return entity;
  const fitting = toFitting(spec.resource.schema, embedded) as Entity;
  return schemas.check(spec.resource.schema, fitting, '').length === 0 ? fitting : entity;
}

function store(context: ActionContext, entity: Entity): Entity {
  return collectionOf(context).put(keyOf(context.spec.resource, entity), entity);
}

/** The entity of a POST, under its key: the client's, where the document lets it choose, else the next free one. */
export function toNewEntity(context: ActionContext, body: Entity = readBodyObject(context)): Entity {
  const { spec } = context;
  const { key } = spec.resource;
  const keyed = key ? { [key.property]: toNewKey(context, body) } : {};
  const given = withDefaults(context, body, spec.serverProperties);
  return completeNew(
    context,
    joinEntities(keyed, spec.defaults, toOwner(context, spec.ownerships), given, pathPropertiesOf(context)),
  );
}

/** The entity of a PUT, under the key of the one it replaces. */
export function toReplacedEntity(context: ActionContext): Entity {
  const { spec } = context;
  const current = readEntity(context);
  const body = readBodyObject(context);
  const renamed = toNewName(context, current, body);
  const isKept = (name: string) =>
    spec.isPartial ||
    spec.serverProperties.includes(name) ||
    (spec.resource.properties.includes(name) && !spec.bodyProperties.has(name));
  const kept = Object.entries(current).filter(([name]) => isKept(name));
  const entity = joinEntities(
    spec.defaults,
    Object.fromEntries(kept),
    withAttributes(
      context,
      withDefaults(context, body, spec.serverProperties),
      toKeptAttributes(context, current),
    ),
    pathPropertiesOf(context),
    renamed,
  );
  return withUpdateTime(context, restoreReadOnly(context, entity, current), body);
}

/** The entity of a PUT that creates one, under the key that the request names. */
export function toPutEntity(context: ActionContext): Entity {
  const { spec } = context;
  const { key, readOnly } = spec.resource;
  const body = readBodyObject(context);
  const given = withDefaults(context, body, readOnly);
  const entity = joinEntities(spec.defaults, given, pathPropertiesOf(context));
  if (!key) return completeNew(context, entity);
  const name = requestedKey(context);
  if (spec.key === 'body' && (name === '' || name === '0')) return toNewEntity(context);
  const typed = toTypedKey(key, name);
  // An entity has the key, but does not match the other parameters of the path.
  if (collectionOf(context).get(name)) throw keyTaken(context, name);
  if (Object.hasOwn(body, key.property)) checkSame(key.property, typed, body[key.property]);
  return completeNew(context, joinEntities(entity, { [key.property]: typed }));
}

/** The entity of a PATCH: the stored one with the body as a JSON merge patch (RFC 7396). */
export function toMergedEntity(context: ActionContext): Entity {
  const { spec, input } = context;
  const { key, properties, schema } = spec.resource;
  const current = readEntity(context);
  const patch = readBodyObject(context);
  const property = key?.property ?? '';
  const renamed = toNewName(context, current, patch);
  const fromQuery = Object.entries(input.query).filter(
    ([name]) =>
      properties.includes(name) && name !== property && spec.name === 'update' && spec.key !== 'body',
  );
  const changes = omit({ ...Object.fromEntries(fromQuery), ...patch }, spec.serverProperties);
  const merged = mergePatch(current, changes, (path) => schema.at(path).isNullable) as Entity;
  const entity = joinEntities(merged, pathPropertiesOf(context), renamed);
  return withUpdateTime(context, restoreReadOnly(context, entity, current), patch);
}

/** Sets the time of the change in an entity that has a property for it, unless the client sent one. */
function withUpdateTime(context: ActionContext, changed: Entity, body: Entity): Entity {
  const entity = withAttributeTimes(context, changed, body);
  const times = toUpdateTimes(context, entity, body);
  return Object.keys(times).length === 0 ? entity : joinEntities(entity, times);
}

/** The properties with the time of the last change that an entity has and the client did not send. */
export function toUpdateTimes({ spec, now }: ActionContext, entity: Entity, body: Entity): Entity {
  const times = Object.keys(entity).flatMap((name) => {
    if (!isUpdateTime(name) || Object.hasOwn(body, name)) return [];
    const time = toTimestamp(spec.resource.schema.at([name]), now);
    return time === undefined ? [] : [[name, time] as const];
  });
  return Object.fromEntries(times);
}

/** A body without some properties, and with the defaults of its nested members. */
function withDefaults({ spec }: ActionContext, body: Entity, excluded: readonly string[]): Entity {
  const given = omit(body, excluded);
  return spec.fillDefaults?.(given) ?? given;
}

/** Throws a 422 Problem if a request would change a property that cannot change. */
export function checkSame(property: string, current: unknown, requested: unknown): void {
  if (requested !== current)
    throw invalidBody(`body.${property}`, `must stay ${String(current)} or be left out`, 'property-fixed');
}

/** Generates the required and readOnly properties that a new entity lacks. */
function completeNew(context: ActionContext, entity: Entity): Entity {
  const fresh = toFreshAttributes(context);
  const restored = restoreReadOnly(context, withAttributes(context, entity, fresh), fresh);
  const missing = context.spec.completed.filter((name) => !has(restored, name));
  if (missing.length === 0) return restored;
  const made = once(() => generateEntity(context, restored));
  const found = missing.flatMap((name) => {
    const fresh = toValidFresh(context, name);
    const value = fresh === undefined ? memberOf(made(), name) : fresh;
    return value === undefined ? [] : [[name, value] as const];
  });
  return joinEntities(restored, Object.fromEntries(found));
}

/** The value of a property of a new entity, if its schema allows it. */
function toValidFresh({ spec, schemas, now }: ActionContext, name: string): unknown {
  const schema = spec.resource.schema.at([name]);
  const value = toFreshValue(name, schema, now);
  return value !== undefined && schemas.check(schema, value, '').length === 0 ? value : undefined;
}

/** Restores the nested readOnly members of an entity from the current one, or generates them. */
function restoreReadOnly(context: ActionContext, entity: Entity, current?: Entity): Entity {
  const sources = () => [current, generateEntity(context, entity)];
  return context.spec.restoreReadOnly?.(entity, sources) ?? entity;
}

/** Whether an entity has a property of its own, not one like `constructor` that every object inherits. */
function has(entity: Entity, name: string): boolean {
  return memberOf(entity, name) !== undefined;
}

function generateEntity({ spec, generate }: ActionContext, entity: Entity): Entity {
  const { resource } = spec;
  return (generate(resource.schema, `${resource.name} ${keyOf(resource, entity)}`) ?? {}) as Entity;
}

/** The object in the body of a request. Throws a 422 Problem for anything else. */
export function readBodyObject({ spec, input }: ActionContext): Entity {
  const body = spec.unwrap(input.body);
  if (isJsonObject(body)) return spec.isUser ? withoutPasswords(spec.resource, body) : body;
  if (body === undefined) return {};
  throw invalidBody('body', 'must be object', 'type');
}

/** Drops passwords that the resource has no property for, since no answer shows them. */
function withoutPasswords({ properties }: Resource, body: Entity): Entity {
  return omit(
    body,
    Object.keys(body).filter((name) => isPassword(name) && !properties.includes(name)),
  );
}
