import { readFraction, readInteger } from '../../base/number.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { isJsonObject, memberOf } from './json-object.ts';

/**
 * A value as a schema wants it, where the document describes the same thing in two ways: a number for a text, an entity for its key,
 * an object without members that the schema forbids. Whatever has no such form stays as it is.
 */
export function toFitting(schema: SchemaNode, value: unknown): unknown {
  const { types } = schema;
  if (value === null || value === undefined || types.length === 0) return value;
  if (Array.isArray(value)) return types.includes('array') ? fitItems(schema, value) : value;
  if (isJsonObject(value))
    return types.includes('object') ? fitMembers(schema, value) : fitScalar(schema, keyIn(value) ?? value);
  return fitScalar(schema, value);
}

function fitItems({ items }: SchemaNode, value: readonly unknown[]): unknown[] {
  return items ? value.map((item) => toFitting(items, item)) : [...value];
}

function fitMembers(schema: SchemaNode, value: Readonly<Record<string, unknown>>): unknown {
  const members = schema.allProperties;
  const isClosed = schema.parts.some(({ definition }) => definition.additionalProperties === false);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const own = members.get(name);
      if (!own) return isClosed ? [] : [[name, member]];
      return [[name, toFitting(own, member)]];
    }),
  );
}

function fitScalar(schema: SchemaNode, value: unknown): unknown {
  const { types } = schema;
  const type = typeof value;
  if (types.includes(type) || (type === 'number' && types.includes('integer'))) return value;
  if (types.includes('string') && type !== 'object') return String(value);
  if (type === 'string' && types.includes('integer')) return readInteger(String(value)) ?? value;
  if (type === 'string' && types.includes('number')) return readFraction(String(value)) ?? value;
  if (types.includes('object') && (type === 'string' || type === 'number')) return toReferred(schema, value);
  return value;
}

/** The entity that a key stands for, as far as the key tells. */
function toReferred(schema: SchemaNode, key: unknown): unknown {
  const name = KEY_NAMES.find((each) => schema.allProperties.has(each));
  const own = name === undefined ? undefined : schema.allProperties.get(name);
  return name === undefined || !own ? key : { [name]: fitScalar(own, key) };
}

function keyIn(value: unknown): unknown {
  return KEY_NAMES.map((name) => memberOf(value, name)).find((key) => key !== undefined);
}

const KEY_NAMES = ['id', '_id', 'uuid', 'slug'];

/** A generated value with a client's own members wherever it has them, at any depth. */
export function mergeDeep(base: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const like: readonly unknown[] = Array.isArray(base) ? base : [];
    return value.map((item, index) => mergeDeep(like[index % Math.max(1, like.length)], item));
  }
  if (!isJsonObject(value) || !isJsonObject(base)) return value;
  const merged = Object.entries(value).map(([name, member]) => [
    name,
    mergeDeep(memberOf(base, name), member),
  ]);
  return { ...base, ...Object.fromEntries(merged) };
}
