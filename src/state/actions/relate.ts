import { keyOf } from '../../model/resources/resources.ts';
import { hasRelations, relateMembers, type ValuePath } from '../seeding/seeding.ts';
import type { Entity } from '../store/store.ts';
import { type ActionContext, collectionOf } from './context.ts';
import { memberOf } from './json-object.ts';

/**
 * Makes the members of an entity agree with the values that the client sent: the slug of a new entity with its title, counts and totals
 * with a changed list. Leaves the values of the client alone. A changed entity is valid.
 */
export function withRelated(context: ActionContext, entity: Entity): Entity {
  const { spec, schemas, input } = context;
  const { resource, pathProperties } = spec;
  const hasParts = spec.effect?.parts !== undefined;
  if ((spec.name === 'act' && !hasParts) || !hasRelations(resource.schema)) return entity;
  // The body of a part does not describe the entity around it.
  const body = hasParts ? undefined : spec.unwrap(input.body);
  const isNew = !hasParts && isNewEntity(context, entity);
  if (!isNew && !hasParts && !hasList(body)) return entity;
  const isFixed = (name: unknown) =>
    name === resource.key?.property || pathProperties.some(({ property }) => property === name);
  const isAbsent = (path: ValuePath) =>
    path.reduce((value, step) => memberOf(value, String(step)), body) === undefined;
  return relateMembers(
    {
      schema: resource.schema,
      isFree: (path) => !isFixed(path[0]) && isAbsent(path),
      isValid: (value) => schemas.check(resource.schema, value, '').length === 0,
      only: isNew ? undefined : 'sums',
    },
    entity,
  ) as Entity;
}

/** Whether the store has no entity with this key. */
export function isNewEntity(context: ActionContext, entity: Entity): boolean {
  return collectionOf(context).get(keyOf(context.spec.resource, entity)) === undefined;
}

function hasList(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.values(body).some(Array.isArray);
}
