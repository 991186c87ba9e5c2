import { isNumeric, type SchemaNode, type SchemaNodes } from '../../schema/schema.ts';
import { toSnake } from './snake-case.ts';
import { indexNames } from './words.ts';

/** Identifies the entities of a resource. */
export interface Key {
  /** The property of the entity. */
  readonly property: string;
  /** The path parameter that names an item; the property's name where no path names items. */
  readonly parameter: string;
  readonly type: 'integer' | 'string';
  readonly schema: SchemaNode;
}

/** The key of a singleton in the store. */
export const ONLY_KEY = 'only';

/** The key of an entity in the store. */
export function keyOf(
  { key }: { readonly key: Key | undefined },
  entity: Readonly<Record<string, unknown>>,
): string {
  return key ? String(entity[key.property]) : ONLY_KEY;
}

/** The range of integer keys, from 1 up, that every one of these schemas allows. */
export function keyBounds(schemas: readonly (SchemaNode | undefined)[]): {
  readonly least: number;
  readonly most: number;
} {
  const found = schemas.map((schema) => schema?.keywords ?? {});
  const numbers = (name: string, toInteger: (bound: number) => number) =>
    found.flatMap(({ [name]: bound }) => (typeof bound === 'number' ? [toInteger(bound)] : []));
  return {
    least: Math.max(
      1,
      ...numbers('minimum', Math.ceil),
      ...numbers('exclusiveMinimum', (low) => Math.floor(low) + 1),
    ),
    most: Math.min(
      Number.MAX_SAFE_INTEGER,
      ...numbers('maximum', Math.floor),
      ...numbers('exclusiveMaximum', (high) => Math.ceil(high) - 1),
    ),
  };
}

/** Properties that are usually keys, the likeliest first. */
const CUSTOMARY = ['id', '_id', 'uuid', 'guid', 'slug', 'username'];

/** The properties that a parameter with another name may mean. */
const PARAMETER_SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['username', ['username', 'user_name', 'login', 'name']],
  ['user', ['username', 'login', 'id']],
  ['slug', ['slug']],
  ['name', ['name', 'slug']],
]);

/**
 * The key among these properties: the one that the parameter is named after (`isbn`, or `number` for `issue_number`), else a
 * customary one. `undefined` where no string or integer has such a name.
 */
export function findKey(properties: SchemaNodes, singular: string, parameter?: string): Key | undefined {
  const nameOf = indexNames(properties.keys());
  for (const candidate of [...named(singular, parameter), ...own(singular), ...CUSTOMARY]) {
    const property = nameOf(candidate);
    const key = property === undefined ? undefined : buildKey(properties, property, parameter);
    if (key) return key;
  }
  return undefined;
}

/** The key in this property; `undefined` unless it is a string or an integer. */
export function buildKey(
  properties: SchemaNodes,
  property: string,
  parameter: string = property,
): Key | undefined {
  const schema = properties.get(property);
  if (!schema) return undefined;
  // Generators for JavaScript write every number as `number`.
  const type = isNumeric(schema) ? 'integer' : schema.types.includes('string') ? 'string' : undefined;
  return type && { property, parameter, type, schema };
}

function named(singular: string, parameter: string | undefined): string[] {
  if (parameter === undefined) return [];
  const snake = toSnake(parameter);
  const stripped = snake.startsWith(`${singular}_`) ? [snake.slice(singular.length + 1)] : [];
  const last = /_(id|uuid|guid|slug|key|code|number|name)$/.exec(snake)?.[1];
  return [
    parameter,
    ...stripped,
    ...(PARAMETER_SYNONYMS.get(snake) ?? []),
    ...(last === undefined ? [] : [last]),
  ];
}

function own(singular: string): string[] {
  // The items of `MenuItem` may have an `itemId`.
  const words = singular.split('_');
  const tails = words.map((_, index) => `${words.slice(index).join('_')}_id`);
  return ['id', ...tails, `${singular}_uuid`];
}
