import { type Edit, keyOf } from '../../model/resources/resources.ts';
import type { Entity } from '../store/store.ts';
import { toUpdateTimes } from './change.ts';
import { type ActionContext, collectionOf, readEntity } from './context.ts';
import { toTimestamp } from './fresh.ts';
import { isJsonObject, memberOf, omit, pick } from './json-object.ts';
import { changeParts } from './parts.ts';
import { withRelated } from './relate.ts';
import { mergeValid } from './view.ts';

/**
 * Applies an operation to the entity of a request and returns it. Takes the members of the body that the entity has a property for.
 * Leaves out changes that would break the schema of the entity.
 */
export function putActed(context: ActionContext): Entity {
  const { spec, schemas, input } = context;
  const { resource } = spec;
  const parts = spec.effect?.parts;
  const current = readEntity(context);
  const body = spec.unwrap(input.body);
  const given = isJsonObject(body) && !parts ? toGiven(context, body) : {};
  const changes = parts
    ? { [parts.property]: changeParts(context, current, parts) }
    : toChanges(context, current, given);
  const isValid = (value: unknown) => schemas.check(resource.schema, value, '').length === 0;
  const acted = mergeValid(current, changes, isValid) as Entity;
  if (Object.keys(acted).every((name) => acted[name] === current[name])) return current;
  const changed = mergeValid(acted, toUpdateTimes(context, acted, given), isValid) as Entity;
  return collectionOf(context).put(keyOf(resource, changed), withRelated(context, changed));
}

/** The members of a body that a client may change. */
function toGiven({ spec }: ActionContext, body: Entity): Entity {
  const { serverProperties, resource } = spec;
  return omit(pick(body, new Set(resource.properties)), serverProperties);
}

/** The new values of an entity's properties. A boolean in the body takes precedence over the path. */
function toChanges(context: ActionContext, current: Entity, given: Entity): Entity {
  const edits = context.spec.effect?.edits ?? [];
  const fixed = edits.flatMap((edit) => {
    const value = toActValue(context, current, edit);
    const isGiven = typeof memberOf(given, edit.property) === 'boolean';
    return value === undefined || isGiven ? [] : [[edit.property, value] as const];
  });
  const changes = { ...given, ...Object.fromEntries(fixed) };
  const counts = edits.flatMap((edit) => {
    const count = edit.kind === 'count' ? toNewCount(edit, current, changes) : undefined;
    return count === undefined ? [] : [[edit.property, count] as const];
  });
  return { ...changes, ...Object.fromEntries(counts) };
}

/** The value that an edit sets; `undefined` where it sets none. */
function toActValue({ spec, now }: ActionContext, current: Entity, edit: Edit): unknown {
  if (edit.kind === 'time') return toTimestamp(spec.resource.schema.at([edit.property]), now);
  if (edit.kind === 'count') return undefined;
  const isLeft = edit.from !== undefined && memberOf(current, edit.property) !== edit.from;
  return isLeft ? undefined : edit.value;
}

/** A count after a change of the boolean beside it. */
function toNewCount(
  { property, beside }: Extract<Edit, { readonly kind: 'count' }>,
  current: Entity,
  changes: Entity,
): number | undefined {
  const count = memberOf(current, property) ?? 0;
  const before = memberOf(current, beside) ?? false;
  const after = memberOf(changes, beside);
  if (typeof count !== 'number' || typeof after !== 'boolean' || after === before) return undefined;
  return Math.max(0, count + (after ? 1 : -1));
}
