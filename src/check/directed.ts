import { isMarked, isObject } from '../schema/schema.ts';

/**
 * A copy of a schema, or of anything that holds schemas, as it is for one direction: without the properties that are
 * `hidden` there (`readOnly` in a request, `writeOnly` in an answer), and without marks for the other direction.
 */
export function toDirected(root: unknown, node: unknown, hidden: 'readOnly' | 'writeOnly'): unknown {
  if (Array.isArray(node)) return node.map((item) => toDirected(root, item, hidden));
  if (!isObject(node)) return node;
  const { properties, required } = node;
  const names = new Set(
    isObject(properties)
      ? Object.entries(properties).flatMap(([name, schema]) => (isMarked(root, schema, hidden) ? [name] : []))
      : [],
  );
  const kept = Object.entries(node).filter(([key, value]) => !(MARKS.has(key) && value === true));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key === 'required' && Array.isArray(required))
        return [key, required.filter((name) => !names.has(name))];
      if (key === 'properties' && isObject(value))
        return [key, toDirected(root, without(value, names), hidden)];
      return [key, toDirected(root, value, hidden)];
    }),
  );
}

const MARKS: ReadonlySet<string> = new Set(['readOnly', 'writeOnly']);

function without(properties: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)));
}
