import { addField, createField, toFieldValue } from '../../wire/codecs/codecs.ts';
import type { ParameterSource } from './parameter-source.ts';
import type { ParameterReading, ParameterStyle } from './parameter-split.ts';

type ReadBrackets = (source: ParameterSource) => ParameterReading | undefined;

/**
 * Reads the items of a list in a query from `tags[]=a&tags[]=b` and `tags[0]=a&tags[1]=b`, which axios, qs and jQuery send for a
 * parameter that the document calls `tags`. A name that the document declares with its brackets is a parameter of its own.
 */
export function buildBrackets({ place, name, shape }: ParameterStyle): ReadBrackets {
  if (place !== 'query') return () => undefined;
  const base = name.replace(/\[\]$/, '');
  const start = `${base}[`;
  const itself = base === name;
  return ({ query, declared }) => {
    let field: ReturnType<typeof createField> | undefined;
    for (const [key, text] of query ?? []) {
      if (!key.startsWith(start) || declared.some((parameter) => parameter.name === key)) continue;
      // With `tags[]` declared too, the brackets are its own.
      if (itself && declared.some((parameter) => parameter.name === `${name}[]`)) return undefined;
      field ??= createField();
      if (addField(field, key.slice(base.length), text)) continue;
      return { fault: `must be given as ${name}=value or ${start}]=value, not "${key.slice(0, 100)}"` };
    }
    return field && { value: toFieldValue(field, shape) };
  };
}
