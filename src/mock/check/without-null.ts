import { isObject } from '../../schema/schema.ts';

/**
 * Copies a schema, or anything that contains schemas, without null wherever it allows something else too: a query, a header or a form
 * has no text for null.
 */
export function withoutNullType(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNullType);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutNullType(narrowMember(key, value))]),
  );
}

/** Removes the properties that are null from a value, which a form leaves out. */
export function withoutNullMembers(value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Whether a value is null or has null anywhere inside. */
export function hasNull(value: unknown): boolean {
  return value === null || (isObject(value) && Object.values(value).some(hasNull));
}

const ALTERNATIVE_KEYWORDS: Readonly<Record<string, (choice: unknown) => boolean>> = {
  type: (choice) => choice === 'null',
  enum: (choice) => choice === null,
  anyOf: isNullSchema,
  oneOf: isNullSchema,
};

function narrowMember(key: string, value: unknown): unknown {
  const isNull = ALTERNATIVE_KEYWORDS[key];
  if (!isNull || !Object.hasOwn(ALTERNATIVE_KEYWORDS, key) || !Array.isArray(value)) return value;
  const others = value.filter((choice) => !isNull(choice));
  return others.length === 0 ? value : others;
}

function isNullSchema(schema: unknown): boolean {
  return isObject(schema) && [schema.type].flat().every((type) => type === 'null');
}
