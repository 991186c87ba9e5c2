import { type DirectionMark, isObject, type SchemaReader } from '../../schema/schema.ts';

/** A changed copy of anything that contains schemas. Stands apart from Prism, whose types the declarations must not load. */
export type ShowPart = <T>(part: T) => T;

const MARKS: ReadonlySet<string> = new Set(['readOnly', 'writeOnly']);

/**
 * Copies a schema, or anything that contains schemas, for one direction. Removes the properties with the mark `hidden` (`readOnly`
 * in a request, `writeOnly` in an answer), and all marks.
 */
export function hideProperties(reader: SchemaReader, node: unknown, hidden: DirectionMark): unknown {
  if (Array.isArray(node)) return node.map((item) => hideProperties(reader, item, hidden));
  if (!isObject(node)) return node;
  const properties = isObject(node.properties) ? Object.entries(node.properties) : [];
  const names = new Set(
    properties.flatMap(([name, schema]) => (reader.read(schema).isMarked(hidden) ? [name] : [])),
  );
  const copied = Object.entries(node)
    .filter(([key, value]) => !(MARKS.has(key) && value === true))
    .map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, value.filter((name) => !names.has(name))];
      const shown =
        key === 'properties' && isObject(value)
          ? Object.fromEntries(properties.filter(([name]) => !names.has(name)))
          : value;
      return [key, hideProperties(reader, shown, hidden)];
    });
  return Object.fromEntries(copied);
}
