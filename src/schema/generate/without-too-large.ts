import { isObject, resolveReference, type Schema, type SchemaSize } from '../schema.ts';

/** Measures a schema. */
export type SizeOf = (schema: unknown) => SchemaSize;

interface Bounds {
  readonly sizeOf: SizeOf;
  /** The target of the schema's `#/components/...` references. */
  readonly components: unknown;
}

/** A copy of a schema without the members, items and alternatives that it can do without and that are too large for any answer. */
export function withoutTooLarge(node: object, bounds: Bounds): object {
  const schema = node as Schema;
  const changes = { ...toFewerMembers(schema, bounds), ...toFewerParts(schema, bounds) };
  return Object.keys(changes).length === 0 ? node : { ...node, ...changes };
}

/** The changed keywords about members and items. */
function toFewerMembers(schema: Schema, { sizeOf }: Bounds): Schema {
  const isTooLarge = (own: unknown) => sizeOf(own).isTooLarge;
  const { properties, required, items, minItems, additionalProperties } = schema;
  const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
  const large = isPlainObject(properties)
    ? Object.keys(properties).filter((name) => !isNeeded(name) && isTooLarge(properties[name]))
    : [];
  return {
    ...(large.length > 0 && { properties: omit(properties as Schema, new Set(large)) }),
    ...(isPlainObject(items) && !minItems && isTooLarge(items) && { maxItems: 0 }),
    ...(isPlainObject(additionalProperties) &&
      isTooLarge(additionalProperties) && { additionalProperties: false }),
  };
}

/** The changed keywords that compose a schema of others. */
function toFewerParts(schema: Schema, bounds: Bounds): Schema {
  const { allOf } = schema;
  const changes: Record<string, unknown> = {};
  for (const key of ['oneOf', 'anyOf']) {
    const list: unknown = schema[key];
    const left = Array.isArray(list) ? list.filter((each) => !bounds.sizeOf(each).isTooLarge) : [];
    if (Array.isArray(list) && left.length > 0 && left.length < list.length) changes[key] = left;
  }
  if (Array.isArray(allOf) && isWeb(allOf, bounds)) changes.allOf = untangle(allOf, bounds);
  return changes;
}

function omit(object: Schema, names: ReadonlySet<string>): Schema {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

function isPlainObject(value: unknown): value is Schema {
  return isObject(value) && !Array.isArray(value);
}

/** The parts of a composition, counted as often as they are reached. */
const MOST_PARTS = 500;

/** Whether the parts of a composition lead to each other in so many ways that no library can merge them. */
function isWeb(parts: readonly unknown[], bounds: Bounds): boolean {
  const stack = [...parts];
  for (let count = 0; stack.length > 0; count++) {
    if (count > MOST_PARTS) return true;
    const { allOf } = toTarget(stack.pop(), bounds);
    if (Array.isArray(allOf)) stack.push(...allOf);
  }
  return false;
}

/** All parts of a composition side by side, each once. */
function untangle(parts: readonly unknown[], bounds: Bounds): object[] {
  const found = new Set<Schema>();
  const stack = parts.toReversed();
  while (stack.length > 0) {
    const target = toTarget(stack.pop(), bounds);
    if (found.has(target)) continue;
    found.add(target);
    if (Array.isArray(target.allOf)) stack.push(...target.allOf.toReversed());
  }
  return [...found].map(({ allOf: _, ...own }) => own);
}

function toTarget(part: unknown, { components }: Bounds): Schema {
  const target = resolveReference({ components }, part);
  return isPlainObject(target) ? target : {};
}
