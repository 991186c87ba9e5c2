import type { Outcome } from '../message.ts';
import type { Parameter } from '../operations/operations.ts';
import { findResponse } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import { indexNames, keyOf } from '../resources/resources.ts';
import { type ActionContext, collectionOf, show } from './context.ts';
import type { ListParameters } from './list-parameters.ts';
import { buildPages, toPageLinks, toPaging } from './paging.ts';
import type { ListPlan } from './plan.ts';
import { type ListQuery, type Page, queryPage, type SortTerm, toSortTerms, unknownSort } from './query.ts';

/** Answers with the entities that the request asks for, as the document lists them. */
export function list(context: ActionContext): Outcome {
  const { plan, request } = context;
  if (!plan.list) return {};
  const { parameters, wrap, most, view } = plan.list;
  const query = toListQuery(context, plan.list);
  const page = queryIn(context, query);
  const { total, offset } = page;
  if (offset === undefined) throw unknownCursor(parameters.cursor);
  const limit = query.limit ?? Math.min(total, most);
  const pages = buildPages(parameters, request.query, { limit, offset, total });
  const items = plan.list.pad(page.entities.map((entity) => view(show(context, entity))));
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

/** Answers with the first entity that the request fits. */
export function find(context: ActionContext): Outcome {
  const { plan, operation } = context;
  const query = { filters: toFilters(context, plan.filters), within: toWithin(context), offset: 0, limit: 1 };
  const [entity] = queryIn(context, query).entities;
  if (entity) return { body: plan.answer(show(context, entity), operation.successStatus) };
  // Without an entity there is what the document shows, unless it says that there may be none.
  if (findResponse(operation, 404)?.code !== '404') return {};
  const { singular } = plan.resource;
  throw new Problem(404, `${singular}_not_found`, `There is no ${singular} like that.`);
}

function queryIn(context: ActionContext, query: ListQuery): Page {
  const { store, selections, request } = context;
  const collection = collectionOf(context);
  return queryPage(
    collection.all(),
    query,
    (property, text) => collection.having(property, text),
    (asked, select) => selections(store, request.path, asked, select),
  );
}

/** What the path says of properties. */
function toWithin({ plan, input }: ActionContext): [property: string, text: string][] {
  return plan.within.map(({ parameter, property }) => [property, String(input.path[parameter])]);
}

function toListQuery(context: ActionContext, { parameters, most, least }: ListPlan): ListQuery {
  const { resource } = context.plan;
  const paging = toPaging(parameters, (parameter) => read(context, parameter));
  const search = parameters.search && read(context, parameters.search);
  const { after } = paging;
  return {
    filters: toFilters(context, parameters.filters),
    within: toWithin(context),
    search: search === undefined ? undefined : String(search),
    sort: toSort(context, parameters),
    limit:
      paging.limit === undefined && most === Number.POSITIVE_INFINITY
        ? undefined
        : Math.max(Math.min(paging.limit ?? most, most), least),
    offset: paging.offset,
    after:
      after === undefined ? undefined : { key: after, is: (entity) => keyOf(resource, entity) === after },
  };
}

function toFilters(context: ActionContext, filters: ListParameters['filters']): Map<string, unknown> {
  const wanted = new Map<string, unknown>();
  for (const { parameter, property } of filters) {
    const value = read(context, parameter);
    if (value !== undefined) wanted.set(property, value);
  }
  return wanted;
}

function toSort(context: ActionContext, { sort, direction }: ListParameters): SortTerm[] {
  const value = sort && read(context, sort);
  if (!sort || value === undefined || value === '') return [];
  const { properties } = context.plan.resource;
  const descending = direction !== undefined && /^desc/i.test(String(read(context, direction) ?? ''));
  // Arrays are given in a style of their own, each item a term.
  const terms = [value].flat().flatMap((term) => toSortTerms(String(term)));
  const nameOf = indexNames(properties);
  // A second term for a property decides nothing, but would be compared each time.
  const byProperty = new Map<string, SortTerm>();
  for (const term of terms) {
    const property = nameOf(term.property);
    // The document may name orders that are not properties, like `newest`; there is nothing to go by.
    if (property === undefined && isNamed(sort)) continue;
    if (property === undefined) throw unknownSort(sort.name, term.property, properties);
    if (!byProperty.has(property))
      byProperty.set(property, { property, descending: term.descending || descending });
  }
  return [...byProperty.values()];
}

function isNamed({ schema }: Parameter): boolean {
  const { items } = schema as { readonly items?: { readonly enum?: unknown } };
  return schema.enum !== undefined || items?.enum !== undefined;
}

/** The value of a parameter; its default if it was not given. */
function read({ input }: ActionContext, { name, schema }: Parameter): unknown {
  return (Object.hasOwn(input.query, name) ? input.query[name] : undefined) ?? schema.default;
}

function unknownCursor(cursor: Parameter | undefined): Problem {
  const message = 'is no cursor of this list; take one from an answer, or leave it out';
  return violationProblem(400, 'invalid_parameter', [{ location: `query.${cursor?.name}`, message }]);
}
