import { isObject, resolveReference, schemaProperties } from '../schema/schema.ts';

/** The properties of a schema and of every alternative of it. */
export function memberSchemas(root: unknown, schema: unknown): Map<string, unknown> {
  const resolved = resolveReference(root, schema);
  if (!isObject(resolved)) return new Map();
  const alternatives = [resolved.oneOf, resolved.anyOf].filter(Array.isArray).flat();
  return new Map([...alternatives, resolved].flatMap((part) => [...schemaProperties(root, part)]));
}
