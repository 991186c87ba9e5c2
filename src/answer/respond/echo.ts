import { readFraction } from '../../base/number.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { indexNames, isPageName } from '../../model/resources/resources.ts';
import { isObject, type SchemaNode } from '../../schema/schema.ts';

/** Values of a request by name: those of the path as text, those of the query with their types. */
export type Echoes = Readonly<Record<string, unknown>>;

/**
 * Puts values of the request into the members of the same name in a generated value, of the object itself or of the only object in it:
 * `/profiles/jake` answers the profile of jake, and `/weather?city=Oslo` the weather of Oslo. Skips values that the schema forbids.
 */
export function withEchoes(value: unknown, echoes: Echoes, isValid: (value: unknown) => boolean): unknown {
  const all = Object.entries(echoes);
  const echoed = all.reduce((current, [name, given]) => echo(current, name, given), value);
  if (echoed === value || isValid(echoed)) return echoed;
  return all.reduce((current, [name, given]) => {
    const next = echo(current, name, given);
    return next === current || isValid(next) ? next : current;
  }, value);
}

/** Finds the values of a query that the answers of an operation may repeat. */
type FindEchoes = (operation: Operation, query: Echoes) => Echoes;

const NO_ECHOES: Echoes = {};

/** Creates a finder that reads the answers of each operation once. */
export function createEchoFinder(): FindEchoes {
  const known = new WeakMap<Operation, readonly string[]>();
  return (operation, query) => {
    const names = known.get(operation) ?? findNames(operation);
    known.set(operation, names);
    const found = names.filter((name) => isFilledIn(query[name]));
    return found.length === 0 ? NO_ECHOES : Object.fromEntries(found.map((name) => [name, query[name]]));
  };
}

/** Finds the query parameters that a success has a member for. With a list in it, leaves out the parameters of pages. */
function findNames({ parameters, responses }: Operation): string[] {
  const names = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
  if (names.length === 0) return [];
  const schemas = responses
    .filter(({ code }) => code.startsWith('2'))
    .flatMap(({ contents }) => contents.flatMap(({ schema }) => schema ?? []));
  const objects = schemas.flatMap(toObjects);
  const hasList = objects.some(({ allProperties }) =>
    [...allProperties.values()].some(({ types }) => types.includes('array')),
  );
  const memberOf = indexNames(objects.flatMap(({ allProperties }) => [...allProperties.keys()]));
  return names.filter((name) => memberOf(name) !== undefined && !(hasList && isPageName(name)));
}

/** Returns an object and the only object in it. */
function toObjects(schema: SchemaNode): SchemaNode[] {
  const [only, ...others] = schema.allProperties.values();
  return only && others.length === 0 ? [schema, only] : [schema];
}

/** Whether a value is a scalar that the client filled in. */
function isFilledIn(value: unknown): boolean {
  return value !== '' && ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function echo(value: unknown, name: string, given: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  const member = indexNames(Object.keys(value))(name);
  // A computed name keeps `__proto__` an ordinary member.
  if (member !== undefined) return { ...value, [member]: toLike(value[member], given) };
  const [only, ...others] = Object.entries(value);
  return only && others.length === 0 ? { [only[0]]: echo(only[1], name, given) } : value;
}

/** Converts a scalar to the type of `like`. Returns `like` if that is impossible. */
function toLike(like: unknown, given: unknown): unknown {
  if (like === null || typeof like === typeof given) return given;
  if (typeof like === 'string') return String(given);
  if (typeof like === 'number')
    return typeof given === 'boolean' ? like : (readFraction(String(given)) ?? like);
  return like;
}
