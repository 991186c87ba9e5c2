import type { Operation } from '../../model/operations/operations.ts';
import type { FilterTarget, Resource } from '../../model/resources/resources.ts';
import {
  bodySchema,
  createFilterFinder,
  findAttributes,
  LIST_ROLES,
  type ListRole,
  toSnake,
} from '../../model/resources/resources.ts';
import type { Bound } from './conditions.ts';
import { type ListInput, toBodyInputs, toListInputs } from './list-inputs.ts';
import { createRangeFinder } from './ranges.ts';

/** The query parameters of a list by their meaning. A parameter that the document does not declare has none. */
export interface ListParameters {
  readonly limit: ListInput | undefined;
  readonly offset: ListInput | undefined;
  readonly page: ListInput | undefined;
  readonly cursor: ListInput | undefined;
  readonly sort: ListInput | undefined;
  readonly direction: ListInput | undefined;
  readonly search: ListInput | undefined;
  /** The parameters that are named like a property, like a part of one, or like a bound of one. */
  readonly filters: readonly ListFilter[];
}

/** A parameter, and what it selects by: the value of a property or of its member, or a bound. */
export interface ListFilter extends FilterTarget {
  readonly parameter: ListInput;
  readonly bound?: Bound;
}

/** Infers the meaning of an operation's query parameters from their names. */
export function buildListParameters(operation: Operation, resource: Resource): ListParameters {
  const query = toInputs(operation, resource);
  const filters = findAllFilters(query, resource);
  const filtering = new Set(filters.map(({ parameter }) => parameter));
  const find = (role: ListRole) =>
    query.find((input) => !filtering.has(input) && LIST_ROLES[role].test(toSnake(input.name)));
  const direction = find('direction');
  // `order` names the sort property where no other parameter does, unless it can only be asc or desc.
  const sort = find('sort') ?? (direction && !isDirection(direction) ? direction : undefined);
  return {
    limit: find('limit'),
    offset: find('offset'),
    page: find('page'),
    cursor: find('cursor'),
    sort,
    direction: sort === direction ? undefined : direction,
    search: find('search'),
    filters,
  };
}

/** The query parameters, with the members of those that are objects and no property, and the members of the body of a search. */
function toInputs(operation: Operation, resource: Resource): ListInput[] {
  const finder = createFilterFinder(resource);
  const names = [...resource.properties, ...(findAttributes(resource)?.properties ?? [])];
  const inQuery = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter): readonly ListInput[] => {
      const property = finder.named(parameter.name);
      const types = property === undefined ? [] : resource.schema.at([property]).types;
      const isWhole = property !== undefined && !types.some((type) => SCALARS.test(type));
      return isWhole ? [parameter] : toListInputs(parameter, names);
    });
  return operation.method === 'POST' ? [...inQuery, ...toBodyInputs(bodySchema(operation))] : inQuery;
}

const SCALARS = /^(string|integer|number|boolean)$/;

/** The filters by the properties of the entities, and by their attributes. */
function findAllFilters(inputs: readonly ListInput[], resource: Resource): ListFilter[] {
  const own = findFilters(inputs, resource);
  const attributes = findAttributes(resource);
  if (!attributes) return own;
  const used = new Set(own.map(({ parameter }) => parameter));
  const others = inputs.filter((input) => !used.has(input));
  const inside = findFilters(others, attributes).filter(({ member }) => member === undefined);
  return [
    ...own,
    ...inside.map((each) => ({ ...each, property: attributes.property, member: each.property })),
  ];
}

type Filtered = Pick<Resource, 'properties' | 'schema'>;

function findFilters(inputs: readonly ListInput[], resource: Filtered): ListFilter[] {
  const finder = createFilterFinder(resource);
  const findRange = createRangeFinder(resource, inputs);
  return inputs.flatMap((parameter) => {
    const { name, schema } = parameter;
    const property = finder.named(name);
    if (property !== undefined && !isAboutPages(parameter, resource, property))
      return [{ parameter, property }];
    const isPage = rolesOf(parameter).length > 0;
    const found =
      property === undefined && !isPage
        ? (finder.referred(name, schema) ?? findRange(parameter))
        : findTimeRange(parameter, findRange);
    return found ? [{ parameter, ...found }] : [];
  });
}

/** The range of a parameter that is named like one about pages: a number of that name is about pages. */
function findTimeRange(parameter: ListInput, findRange: ReturnType<typeof createRangeFinder>) {
  return parameter.schema.types.includes('string') ? findRange(parameter) : undefined;
}

function rolesOf({ name }: ListInput): string[] {
  const snake = toSnake(name);
  return Object.entries(LIST_ROLES).flatMap(([role, pattern]) => (pattern.test(snake) ? [role] : []));
}

/**
 * Whether a parameter that is named like a property is about the page or the order nevertheless: its type differs from that of the
 * property, or it has a default, which would filter every list.
 */
function isAboutPages(parameter: ListInput, { schema }: Filtered, property: string): boolean {
  const roles = rolesOf(parameter);
  if (roles.length === 0) return false;
  if (isDirection(parameter) || (roles[0] !== 'search' && parameter.schema.keywords.default !== undefined))
    return true;
  const types = schema.at([property]).types;
  const own = parameter.schema.types;
  const mayMatch = types.includes('array') || types.length === 0 || own.includes('array');
  return !mayMatch && !own.some((type) => types.includes(type));
}

function isDirection({ schema: { keywords } }: ListInput): boolean {
  const values = Array.isArray(keywords.enum) ? keywords.enum : [];
  return values.some((value) => /^(asc|desc)/i.test(String(value)));
}
