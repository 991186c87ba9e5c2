import { findAttributes, type Resource } from '../../model/resources/resources.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema.ts';
import { isTimestamp } from './fresh.ts';
import { isJsonObject, omit, pick } from './json-object.ts';

/** The attributes of an action's entities (JSON:API). */
export interface AttributesSpec {
  /** The property that holds them. */
  readonly property: string;
  readonly schema: SchemaNode;
  /** The attributes that every new entity gets: required and readOnly ones, and times that clients cannot send. */
  readonly completed: readonly string[];
  /** The attributes that a body may have. */
  readonly declared: SchemaNodes;
  /** Whether a body has them at its top level. */
  readonly isFlat: boolean;
}

/** Builds the spec for entities with attributes; `undefined` for others. `body` describes the entity in a request. */
export function buildAttributes(
  resource: Resource,
  body: SchemaNode | undefined,
): AttributesSpec | undefined {
  const found = findAttributes(resource);
  if (!found) return undefined;
  const { property, schema, properties } = found;
  const members: SchemaNodes = body?.sharedProperties ?? new Map();
  const isFlat = !members.has(property) && properties.some((name) => members.has(name));
  const declared = isFlat ? members : (members.get(property)?.sharedProperties ?? new Map());
  const always = [...schema.sharedProperties].flatMap(([name, node]) =>
    node.isMarked('readOnly') || (isTimestamp(name) && !declared.has(name)) ? [name] : [],
  );
  const completed = [...new Set([...schema.required, ...always])];
  return { property, schema, completed, declared, isFlat };
}

/** Moves the attributes of a flat body to where the entity has them. */
export function toNestedBody(spec: AttributesSpec | undefined, resource: Resource, body: unknown): unknown {
  if (!spec?.isFlat || !isJsonObject(body)) return body;
  const { properties } = resource;
  return { ...pick(body, new Set(properties)), [spec.property]: omit(body, properties) };
}
