import type { Outcome } from '../message/message.ts';
import type { Parameter } from '../operations/operations.ts';
import { findResponse } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import { indexNames, keyOf } from '../resources/resources.ts';
import { type ActionContext, collectionOf, withPathParents } from './context.ts';
import { memberOf } from './json-object.ts';
import type { ListParameters } from './list-parameters.ts';
import type { ListSpec } from './list-spec.ts';
import { buildPages, toPageLinks, toPaging } from './paging.ts';
import { type ListQuery, type Page, queryPage, type SortTerm, toSortTerms, unknownSort } from './query.ts';

/** Answers with the page of entities that the request selects, as the document lists them. */
export function list(context: ActionContext): Outcome {
  const { spec, request } = context;
  if (!spec.list) return {};
  const { parameters, wrap, most, view, pad } = spec.list;
  const query = toListQuery(context, spec.list);
  const page = queryCollection(context, query);
  const { total, offset } = page;
  if (offset === undefined) throw unknownCursor(parameters.cursor);
  const limit = query.limit ?? Math.min(total, most);
  const pages = buildPages(parameters, request.query, { limit, offset, total });
  const items = pad(page.entities.map((entity) => view(withPathParents(context, entity))));
  const { query: toQuery, number } = pages;
  const count = items.length;
  const { path } = request;
  const origin = `http://${request.headers.host || 'localhost'}`;
  const body = wrap(items, { limit, offset, total, query: toQuery, number, count, path, origin });
  if (!parameters.limit && !parameters.page) return { body };
  const link = query.limit === undefined ? undefined : toPageLinks(path, pages);
  const shown = String(total);
  return {
    body,
    headers: link === undefined ? { 'X-Total-Count': shown } : { 'X-Total-Count': shown, Link: link },
  };
}

/** Answers with the first entity that matches the request. */
export function findFirst(context: ActionContext): Outcome {
  const { spec, operation } = context;
  const filters = toFilters(context, spec.filters);
  const query = { filters, pathValues: toPathValues(context), offset: 0, limit: 1 };
  const [entity] = queryCollection(context, query).entities;
  if (entity) return { body: spec.toBody(withPathParents(context, entity), operation.successStatus) };
  // An operation without a 404 always has an answer, so it falls back to the document's example.
  if (findResponse(operation, 404)?.code !== '404') return {};
  const { singular } = spec.resource;
  throw new Problem(404, `${singular}_not_found`, `There is no ${singular} like that.`);
}

function queryCollection(context: ActionContext, query: ListQuery): Page {
  const { store, selections, request } = context;
  const collection = collectionOf(context);
  return queryPage(
    collection.all(),
    query,
    (property, text) => collection.having(property, text),
    (own, select) => selections(store, request.path, own, select),
  );
}

function toPathValues({ spec, input }: ActionContext): [property: string, text: string][] {
  return spec.within.map(({ parameter, property }) => [property, String(input.path[parameter])]);
}

function toListQuery(context: ActionContext, { parameters, most, least }: ListSpec): ListQuery {
  const { resource } = context.spec;
  const { limit, offset, after } = toPaging(parameters, (parameter) => readParameter(context, parameter));
  const search = parameters.search && readParameter(context, parameters.search);
  const isUnlimited = limit === undefined && most === Number.POSITIVE_INFINITY;
  return {
    filters: toFilters(context, parameters.filters),
    pathValues: toPathValues(context),
    search: search === undefined ? undefined : String(search),
    sort: toSort(context, parameters),
    limit: isUnlimited ? undefined : Math.max(Math.min(limit ?? most, most), least),
    offset,
    after:
      after === undefined ? undefined : { key: after, is: (entity) => keyOf(resource, entity) === after },
  };
}

function toFilters(context: ActionContext, filters: ListParameters['filters']): Map<string, unknown> {
  const wanted = new Map<string, unknown>();
  for (const { parameter, property } of filters) {
    const value = readParameter(context, parameter);
    if (value !== undefined) wanted.set(property, value);
  }
  return wanted;
}

function toSort(context: ActionContext, { sort, direction }: ListParameters): SortTerm[] {
  const value = sort && readParameter(context, sort);
  if (!sort || value === undefined || value === '') return [];
  const { properties } = context.spec.resource;
  const descending =
    direction !== undefined && /^desc/i.test(String(readParameter(context, direction) ?? ''));
  // An array parameter has one term in each item.
  const terms = [value].flat().flatMap((term) => toSortTerms(String(term)));
  const nameOf = indexNames(properties);
  // A second term for a property decides nothing, but would be compared each time.
  const byProperty = new Map<string, SortTerm>();
  for (const term of terms) {
    const property = nameOf(term.property);
    // The document may declare orders that are not properties, like `newest`. They leave the order as it is.
    if (property === undefined && hasEnum(sort)) continue;
    if (property === undefined) throw unknownSort(sort.name, term.property, properties);
    if (!byProperty.has(property))
      byProperty.set(property, { property, descending: term.descending || descending });
  }
  return [...byProperty.values()];
}

function hasEnum({ schema }: Parameter): boolean {
  return [schema, schema.items].some((each) => each?.keywords.enum !== undefined);
}

/** The value of a parameter, or its default if the request has none. */
function readParameter({ input }: ActionContext, { name, schema }: Parameter): unknown {
  return memberOf(input.query, name) ?? schema.keywords.default;
}

function unknownCursor(cursor: Parameter | undefined): Problem {
  const message = 'must be a cursor from an answer of this list, or be left out';
  return violationProblem(400, 'invalid_parameter', [{ location: `query.${cursor?.name}`, message }]);
}
