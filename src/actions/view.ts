import type { Resource } from '../resources/resources.ts';
import { entityProperties, isSameSchema } from '../resources/resources.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import { isObject, type Schema } from '../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { buildHide } from './one-way.ts';

/** What entities are shown by. */
export interface ViewParts {
  readonly root: unknown;
  readonly schemas: SchemaChecker;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: Schema, name: string) => unknown;
}

/** An entity as an answer shows it. */
export type View = (entity: Entity) => unknown;

/** How entities of a resource are shown where the document has `schema`: without what is writeOnly, and as a whole where it fits. */
export function buildView({ root, schemas, generate }: ViewParts, resource: Resource, schema: Schema): View {
  const members = entityProperties(root, schema);
  const hide = buildHide(root, schema);
  const show: View = hide ? (entity) => hide(entity) : (entity) => entity;
  if (isSameSchema(root, schema, resource.schema)) return show;
  const isValid = (value: unknown) => schemas.check(schema, value, '').length === 0;
  const shape = (entity: Entity) => {
    const shown = show(entity) as Entity;
    const picked = without(
      shown,
      Object.keys(shown).filter((name) => !members.has(name)),
    );
    if (members.size > 0 && isValid(picked)) return picked;
    if (isValid(shown)) return shown;
    const key = resource.key ? String(entity[resource.key.property]) : '';
    return mend(generate(schema, `${resource.name} ${key}`), picked, isValid);
  };
  // Entities never change, so each is shaped once.
  const shaped = new WeakMap<Entity, unknown>();
  return (entity) => {
    const known = shaped.get(entity);
    if (known !== undefined) return known;
    const value = shape(entity);
    shaped.set(entity, value);
    return value;
  };
}

/** A valid value with as much of an entity in it as it can take. */
export function mend(base: unknown, entity: Entity, isValid: (value: unknown) => boolean): unknown {
  if (!isObject(base) || Array.isArray(base)) return base;
  const whole = { ...base, ...entity };
  if (isValid(whole)) return whole;
  let value: Entity = base;
  for (const [name, member] of Object.entries(entity)) {
    const next = { ...value, [name]: member };
    if (isValid(next)) value = next;
  }
  return value;
}

export function without(entity: Entity, properties: readonly string[]): Entity {
  if (!properties.some((name) => Object.hasOwn(entity, name))) return entity;
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !properties.includes(name)));
}
