import type { Resource } from '../../model/resources/resources.ts';
import { keyOf } from '../../model/resources/resources.ts';
import type { Condition } from './conditions.ts';
import { buildReadValue, type ListSource } from './list-inputs.ts';
import type { ListFilter, ListParameters } from './list-parameters.ts';
import { buildReadPaging } from './paging.ts';
import type { ListQuery } from './query.ts';
import { buildReadSort, type Sortables } from './sorting.ts';

/** Reads the query of a list from a request; the values in its path are the caller's. */
export type ReadListQuery = (
  source: ListSource,
  pathValues: NonNullable<ListQuery['pathValues']>,
) => ListQuery;

/** The parts of a list that decide how its queries are read. */
interface ListQueryParts {
  readonly parameters: ListParameters;
  /** The most entities that one answer may have. */
  readonly most: number;
  /** The fewest. */
  readonly least: number;
  readonly sortables: Sortables;
}

/** Builds the reader of a list's queries, which looks up once where each parameter is and what its default is. */
export function buildReadListQuery(resource: Resource, parts: ListQueryParts): ReadListQuery {
  const { parameters, most, least, sortables } = parts;
  const readFilters = buildReadFilters(parameters.filters, resource);
  const readPaging = buildReadPaging(parameters);
  const readSort = buildReadSort(parameters, sortables);
  const readSearch = parameters.search && buildReadValue(parameters.search);
  return (source, pathValues) => {
    const { filters, conditions } = readFilters(source);
    const { limit, offset, after } = readPaging(source);
    const search = readSearch?.(source);
    const isUnlimited = limit === undefined && most === Number.POSITIVE_INFINITY;
    return {
      filters,
      conditions,
      pathValues,
      search: search === undefined ? undefined : String(search),
      sort: readSort(source),
      limit: isUnlimited ? undefined : Math.max(Math.min(limit ?? most, most), least),
      offset,
      after: after === undefined ? undefined : { key: after, is: (each) => keyOf(resource, each) === after },
    };
  };
}

/** Reads the conditions for the parameters of a request. */
export type ReadFilters = (source: ListSource) => Pick<ListQuery, 'filters' | 'conditions'>;

/** Builds the reader of conditions. An empty bound or key means a field that was not filled in. */
export function buildReadFilters(filters: readonly ListFilter[], { key }: Resource): ReadFilters {
  const readers = filters.map(({ parameter, property, member, bound }) => ({
    ...{ property, member, bound },
    read: buildReadValue(parameter),
    ignoresBlank: bound !== undefined || property === key?.property,
  }));
  return (source) => {
    const equalities: [property: string, wanted: unknown][] = [];
    const conditions: Condition[] = [];
    for (const { property, member, bound, read, ignoresBlank } of readers) {
      const wanted = read(source);
      if (wanted === undefined || (wanted === '' && ignoresBlank)) continue;
      if (member === undefined && !bound) equalities.push([property, wanted]);
      else conditions.push({ property, member, bound, wanted });
    }
    return { filters: equalities, conditions };
  };
}
