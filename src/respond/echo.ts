import { readInteger } from '../number.ts';
import { indexNames } from '../resources/resources.ts';
import { isObject } from '../schema/schema.ts';

/**
 * A generated value with the values of the path in its members of the same name, of the object itself or of the only object in it:
 * `/profiles/jake` answers the profile of jake.
 */
export function withEchoes(
  value: unknown,
  path: Readonly<Record<string, string>>,
  isValid: (value: unknown) => boolean,
): unknown {
  const echoed = Object.entries(path).reduce((current, [name, text]) => echo(current, name, text), value);
  return echoed === value || isValid(echoed) ? echoed : value;
}

function echo(value: unknown, name: string, text: string): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  const member = indexNames(Object.keys(value))(name);
  if (member !== undefined) return { ...value, [member]: toLike(value[member], text) };
  const [only, ...others] = Object.entries(value);
  return only && others.length === 0 ? { [only[0]]: echo(only[1], name, text) } : value;
}

/** A text in the type of another value. */
function toLike(like: unknown, text: string): unknown {
  return typeof like === 'number' ? (readInteger(text) ?? like) : typeof like === 'string' ? text : like;
}
