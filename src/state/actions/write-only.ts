import { isObject, type SchemaNode } from '../../schema/schema.ts';

/** Builds a function that omits writeOnly members at any depth; `undefined` where the schema has none. */
export function buildOmitWriteOnly(schema: SchemaNode): ((value: unknown) => unknown) | undefined {
  if (!schema.hasMarkedMember('writeOnly')) return undefined;
  const omitWriteOnly = (node: SchemaNode | undefined, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => omitWriteOnly(node?.items, item));
    if (!isObject(value) || !node) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const own = node.allProperties.get(name);
        return own?.isMarked('writeOnly') ? [] : [[name, omitWriteOnly(own, member)] as const];
      }),
    );
  };
  return (value) => omitWriteOnly(schema, value);
}
