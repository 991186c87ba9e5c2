import type { Resource } from '../../model/resources/resources.ts';
import { isSameSchema } from '../../model/resources/resources.ts';
import type { SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import type { Entity } from '../store/store.ts';
import { mergeDeep, toFitting } from './fit.ts';
import { isJsonObject, memberOf, pick } from './json-object.ts';
import { buildOmitWriteOnly } from './write-only.ts';

/** The parts of a service that a view needs. */
export interface ViewParts {
  readonly schemas: SchemaChecker;
  /** A value for a schema, the same for the same name; `undefined` if none is found. */
  readonly generate: (schema: SchemaNode, name: string) => unknown;
}

/** Shows an entity as an answer does, with its URL as the link to itself. */
export type View = (entity: Entity, locate: Locate) => unknown;

/** Finds the URL of an entity, if it has one. */
export type Locate = (entity: Entity) => string | undefined;

/** Gives an entity the shape of an answer. */
type Render = (entity: Entity) => unknown;

/** Builds the view of a resource's entities under `schema`: without writeOnly members, and with generated ones where they do not fit it. */
export function buildView(parts: ViewParts, resource: Resource, schema: SchemaNode): Render {
  const { schemas, generate } = parts;
  const members = schema.sharedProperties;
  const omitWriteOnly: Render = buildOmitWriteOnly(schema) ?? ((entity) => entity);
  if (isSameSchema(schema, resource.schema)) return omitWriteOnly;
  const isValid = (value: unknown) => schemas.check(schema, value, '').length === 0;
  const shape = (entity: Entity) => {
    const shown = omitWriteOnly(entity) as Entity;
    const declared = pick(shown, members);
    if (members.size > 0 && isValid(declared)) return declared;
    if (isValid(shown)) return shown;
    const fitting = toFitting(schema, declared) as Entity;
    if (members.size > 0 && isValid(fitting)) return fitting;
    const key = resource.key ? String(entity[resource.key.property]) : '';
    return mergeValid(generate(schema, `${resource.name} ${key}`), fitting, isValid);
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

/** Builds the view of a resource's entities for an answer that the document leaves open: all but the writeOnly members. */
export function buildOpenView({ schema }: Resource): Render {
  return buildOmitWriteOnly(schema) ?? ((entity) => entity);
}

/** The valid value `base` with as many members of an entity as it can take and stay valid. */
export function mergeValid(base: unknown, entity: Entity, isValid: (value: unknown) => boolean): unknown {
  if (!isJsonObject(base)) return base;
  const whole = { ...base, ...entity };
  if (isValid(whole)) return whole;
  let value: Entity = base;
  for (const [name, member] of Object.entries(entity)) {
    const own = [member, mergeDeep(memberOf(base, name), member)].find((each) =>
      isValid({ ...value, [name]: each }),
    );
    if (own !== undefined) value = { ...value, [name]: own };
  }
  return value;
}
