import { TEXT_SHARE } from '../base/limits.ts';
import { isObject, isReference } from './reference.ts';

/** The parts of the smallest value of a schema. */
export interface SizeParts {
  /** The value itself, and its members of any kind. */
  readonly base: number;
  /** The members and items that it must have. */
  readonly needs: readonly Need[];
  /** Lists of alternatives, one of which it must match. */
  readonly choices: readonly (readonly object[])[];
}

/** A member or item that must match all of some schemas. */
interface Need {
  readonly schemas: readonly object[];
  readonly times: number;
}

type Definition = Record<string, unknown>;

/** Reads the parts of a schema and of all that it is composed of. Never counts too much: where it is in doubt, it counts one value. */
export function readSizeParts(schema: object, resolve: (part: unknown) => unknown): SizeParts {
  const definitions = flatten(schema, resolve);
  if (definitions.some((each) => each.enum !== undefined || each.const !== undefined)) return ONE;
  const types = findTypes(definitions);
  const scalars = types.filter((type) => type !== 'object' && type !== 'array');
  if (scalars.some((type) => type !== 'string')) return ONE;
  const least = (keyword: string) =>
    Math.max(0, ...definitions.map((each) => Number(each[keyword] ?? 0) || 0));
  const text = Math.floor(least('minLength') / TEXT_SHARE);
  if (scalars.length > 0) return { ...ONE, base: 1 + text };
  const choices = definitions.flatMap(({ oneOf, anyOf }) => [oneOf, anyOf].filter(isFilledList));
  const needs = [
    ...(types.includes('array') || types.length > 1 ? [] : readMembers(definitions, least('minProperties'))),
    ...(types.includes('object') ? [] : readItems(definitions, least('minItems'))),
  ];
  const free = needs.filter(({ schemas }) => schemas.length === 0).reduce((sum, { times }) => sum + times, 0);
  return {
    // Without a type, values are made of the kind that the keywords are about.
    base: 1 + (types.length === 0 && needs.length === 0 ? text : free),
    needs: needs.filter(({ schemas }) => schemas.length > 0),
    choices: choices.map((list) => list.filter(isObject)).filter((list) => list.length > 0),
  };
}

const ONE: SizeParts = { base: 1, needs: [], choices: [] };

/** A schema and its `allOf` parts at the ends of their references, each once. */
function flatten(schema: object, resolve: (part: unknown) => unknown): Definition[] {
  const found = new Set<Definition>();
  const stack: unknown[] = [schema];
  while (stack.length > 0) {
    const next = stack.pop();
    const target = isReference(next) ? resolve(next) : next;
    if (!isObject(target) || found.has(target)) continue;
    found.add(target);
    if (Array.isArray(target.allOf)) stack.push(...target.allOf);
  }
  return [...found];
}

/** The types of a value; empty if the schema names none. */
function findTypes(definitions: readonly Definition[]): unknown[] {
  const { type, nullable } = definitions.find((each) => each.type !== undefined) ?? {};
  return type === undefined ? [] : [...[type].flat(), ...(nullable === true ? ['null'] : [])];
}

function isFilledList(list: unknown): list is unknown[] {
  return Array.isArray(list) && list.length > 0;
}

/** The required members, and the additional ones that `least` asks for. Answers never show writeOnly members. */
function readMembers(definitions: readonly Definition[], least: number): Need[] {
  const required = new Set(
    definitions.flatMap((each) => (Array.isArray(each.required) ? each.required : [])),
  );
  const declared = definitions.flatMap(({ properties }) => (isObject(properties) ? [properties] : []));
  const needs = [...required].flatMap((name): Need[] => {
    const schemas = declared
      .flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []))
      .filter(isObject);
    return schemas.some(({ writeOnly }) => writeOnly === true) ? [] : [{ schemas, times: 1 }];
  });
  const names = new Set([...required, ...declared.flatMap(Object.keys)]);
  const others = definitions.some((each) => each.patternProperties !== undefined)
    ? []
    : definitions.map((each) => each.additionalProperties).filter(isObject);
  const named = Math.max(0, Math.min(least, names.size) - required.size);
  const unnamed = Math.max(0, least - names.size);
  return [...needs, ...toNeed([], named), ...toNeed(others, unnamed)];
}

/** The items that a list must have. */
function readItems(definitions: readonly Definition[], least: number): Need[] {
  if (least === 0) return [];
  const lists = definitions.flatMap(({ prefixItems, items }) => [prefixItems, items].filter(isFilledList));
  const own = (lists[0] ?? []).slice(0, least);
  const others = definitions
    .map(({ items }) => items)
    .filter((items) => isObject(items) && !Array.isArray(items)) as object[];
  return [
    ...own.flatMap((item) => toNeed(isObject(item) ? [item] : [], 1)),
    ...toNeed(others, least - own.length),
  ];
}

function toNeed(schemas: readonly object[], times: number): Need[] {
  return times > 0 ? [{ schemas, times }] : [];
}
