import { isMarked, isObject, schemaItems } from '../schema/schema.ts';
import { hasMarkedMember } from './has-marked-member.ts';
import { memberSchemas } from './member-schemas.ts';

/** Builds a function that omits writeOnly members at any depth; `undefined` where the schema has none. */
export function buildOmitWriteOnly(
  root: unknown,
  schema: unknown,
): ((value: unknown) => unknown) | undefined {
  if (!hasMarkedMember(root, schema, 'writeOnly')) return undefined;
  const omitWriteOnly = (node: unknown, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => omitWriteOnly(schemaItems(root, node), item));
    if (!isObject(value)) return value;
    const members = memberSchemas(root, node);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const own = members.get(name);
        return isMarked(root, own, 'writeOnly') ? [] : [[name, omitWriteOnly(own, member)] as const];
      }),
    );
  };
  return (value) => omitWriteOnly(schema, value);
}
