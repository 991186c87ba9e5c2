import type { Operation, Parameter } from '../operations/operations.ts';
import type { Resource } from '../resources/resources.ts';
import { indexNames, toSnake } from '../resources/resources.ts';

/** The query parameters of a list by their meaning. A parameter that the document does not declare has none. */
export interface ListParameters {
  readonly limit: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly page: Parameter | undefined;
  readonly cursor: Parameter | undefined;
  readonly sort: Parameter | undefined;
  readonly direction: Parameter | undefined;
  readonly search: Parameter | undefined;
  /** The parameters that are named like a property. */
  readonly filters: readonly { readonly parameter: Parameter; readonly property: string }[];
}

type Role = Exclude<keyof ListParameters, 'filters'>;

/** The usual names of the parameters, in snake_case. */
const NAMES: Readonly<Record<Role, RegExp>> = {
  limit: /^(limit|per_page|page_?size|page_limit|size|take|top|max_results|max_items|count|first)$/,
  offset: /^(offset|skip|start|start_index|from)$/,
  page: /^(page|page_?number|page_?index|page_no|p)$/,
  cursor: /^(cursor|after|page_token|next_token|next_cursor|continuation_token|starting_after|after_id)$/,
  sort: /^(sort|sort_by|order_?by|sort_field|sort_column|ordering)$/,
  direction: /^(order|direction|dir|sort_order|sort_dir|sort_direction|order_dir)$/,
  search: /^(q|query|search|search_term|keyword|keywords|term|text)$/,
};

/** Infers the meaning of an operation's query parameters from their names. */
export function buildListParameters(operation: Operation, resource: Resource): ListParameters {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const nameOf = indexNames(resource.properties);
  const filters = query.flatMap((parameter) => {
    const property = nameOf(parameter.name.replace(/\[\]$/, ''));
    if (property === undefined || isAboutPages(parameter, resource, property)) return [];
    return [{ parameter, property }];
  });
  const filtering = new Set(filters.map(({ parameter }) => parameter.name));
  const find = (role: Role) =>
    query.find(({ name }) => !filtering.has(name) && NAMES[role].test(toSnake(name)));
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

/**
 * Whether a parameter that is named like a property is about the page or the order nevertheless: its type differs from that of the
 * property, or it has a default, which would filter every list.
 */
function isAboutPages(parameter: Parameter, { schema }: Resource, property: string): boolean {
  const name = toSnake(parameter.name);
  const roles = Object.entries(NAMES).flatMap(([role, pattern]) => (pattern.test(name) ? [role] : []));
  if (roles.length === 0) return false;
  if (isDirection(parameter) || (roles[0] !== 'search' && parameter.schema.keywords.default !== undefined))
    return true;
  const types = schema.at([property]).types;
  const own = parameter.schema.types;
  const mayMatch = types.includes('array') || types.length === 0 || own.includes('array');
  return !mayMatch && !own.some((type) => types.includes(type));
}

function isDirection({ schema: { keywords } }: Parameter): boolean {
  const values = Array.isArray(keywords.enum) ? keywords.enum : [];
  return values.some((value) => /^(asc|desc)/i.test(String(value)));
}
