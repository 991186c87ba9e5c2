import type { SchemaNode } from '../../schema/schema.ts';
import type { Resource } from './model.ts';

/** The member of an entity that holds its other properties. */
interface Attributes extends Pick<Resource, 'properties' | 'schema'> {
  readonly property: string;
}

/** Finds the `attributes` of a JSON:API resource object. */
export function findAttributes({ schema, key }: Pick<Resource, 'schema' | 'key'>): Attributes | undefined {
  const own: SchemaNode | undefined = schema.sharedProperties.get(ATTRIBUTES);
  if (!key || !own || own.sharedProperties.size === 0) return undefined;
  return { property: ATTRIBUTES, schema: own, properties: [...own.sharedProperties.keys()] };
}

const ATTRIBUTES = 'attributes';
