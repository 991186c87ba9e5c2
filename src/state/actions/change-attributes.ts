import type { Entity } from '../store/store.ts';
import type { ActionContext } from './context.ts';
import { isUpdateTime, toFreshValue, toTimestamp } from './fresh.ts';
import { isJsonObject, memberOf, omit } from './json-object.ts';

/** The attributes of a new entity whose first value is known: the current time, a count of zero, the first state. */
export function toFreshAttributes({ spec, schemas, now }: ActionContext): Entity {
  const { attributes } = spec;
  if (!attributes) return {};
  const fresh = attributes.completed.flatMap((name) => {
    const schema = attributes.schema.at([name]);
    const value = toFreshValue(name, schema, now);
    const isValid = value !== undefined && schemas.check(schema, value, '').length === 0;
    return isValid ? [[name, value] as const] : [];
  });
  return { [attributes.property]: Object.fromEntries(fresh) };
}

/** Adds the members of `others` to the attributes of an entity that lack them. */
export function withAttributes({ spec }: ActionContext, entity: Entity, others: Entity): Entity {
  const name = spec.attributes?.property ?? '';
  const [own, added] = [memberOf(entity, name), memberOf(others, name)];
  return isJsonObject(own) && isJsonObject(added) ? { ...entity, [name]: { ...added, ...own } } : entity;
}

/** The attributes of an entity that no body of the operation declares. */
export function toKeptAttributes({ spec }: ActionContext, entity: Entity): Entity {
  const { property, declared } = spec.attributes ?? {};
  const own = property === undefined ? undefined : memberOf(entity, property);
  if (property === undefined || !isJsonObject(own)) return {};
  return { [property]: omit(own, [...(declared?.keys() ?? [])]) };
}

/** Sets the time of the change in the attributes of an entity, unless the client sent one. */
export function withAttributeTimes({ spec, now }: ActionContext, entity: Entity, body: Entity): Entity {
  const { property = '', schema } = spec.attributes ?? {};
  const [own, sent] = [memberOf(entity, property), memberOf(body, property)];
  if (!schema || !isJsonObject(own) || !isJsonObject(sent)) return entity;
  const times = Object.keys(own).flatMap((name) => {
    const time = isUpdateTime(name) && !Object.hasOwn(sent, name) && toTimestamp(schema.at([name]), now);
    return typeof time === 'string' ? [[name, time] as const] : [];
  });
  return times.length === 0 ? entity : { ...entity, [property]: { ...own, ...Object.fromEntries(times) } };
}
