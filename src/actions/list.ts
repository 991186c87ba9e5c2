import type { Outcome } from '../message/message.ts';
import { findResponse } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import { keyOf } from '../resources/resources.ts';
import type { Entity } from '../store/store.ts';
import type { Condition } from './conditions.ts';
import { type ActionContext, collectionOf, withPathParents } from './context.ts';
import { type ListInput, readListInput } from './list-inputs.ts';
import type { ListFilter } from './list-parameters.ts';
import type { ListSpec } from './list-spec.ts';
import { toUrl } from './location.ts';
import { withModified } from './modified.ts';
import { buildPages, toPageLinks, toPaging } from './paging.ts';
import { type ListQuery, type Page, queryPage } from './query.ts';
import { toShown } from './shown.ts';
import { toListSort } from './sorting.ts';

/** Answers with the page of entities that the request selects, as the document lists them. */
export function list(context: ActionContext): Outcome {
  const { spec, request, address } = context;
  if (!spec.list) return {};
  const { parameters, wrap, most, view, pad } = spec.list;
  const query = toListQuery(context, spec.list);
  const found = queryCollection(context, query);
  // An unknown cursor is a mistake in any list.
  const page = context.isEmptied && found.offset !== undefined ? EMPTY_PAGE : found;
  const { total } = page;
  const offset = page.offset ?? (parameters.cursor?.path ? total : undefined);
  if (offset === undefined) throw unknownCursor(parameters.cursor);
  const limit = query.limit ?? Math.min(total, most);
  const pages = buildPages(parameters, request.query, { limit, offset, total });
  const locate = (entity: Entity) => toUrl(context, entity);
  const items = pad(page.entities.map((entity) => view(withPathParents(context, entity), locate)));
  const { query: toQuery, number } = pages;
  const count = items.length;
  const { origin, prefix } = address;
  const path = prefix + request.path;
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
  const query = { ...filters, pathValues: toPathValues(context), offset: 0, limit: 1 };
  const [entity] = queryCollection(context, query).entities;
  if (entity)
    return withModified(context, entity, { body: toShown(context, entity, operation.successStatus) });
  // An operation without a 404 always has an answer, so it falls back to the document's example.
  if (findResponse(operation, 404)?.code !== '404') return {};
  const { singular } = spec.resource;
  throw new Problem(404, `${singular}_not_found`, `There is no ${singular} like that.`);
}

/** The page of a list that has no items, at the beginning. */
const EMPTY_PAGE: Page = { entities: [], total: 0, offset: 0 };

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

function toListQuery(context: ActionContext, { parameters, most, least, sortables }: ListSpec): ListQuery {
  const { resource } = context.spec;
  const { limit, offset, after } = toPaging(parameters, (parameter) => readParameter(context, parameter));
  const search = parameters.search && readParameter(context, parameters.search);
  const isUnlimited = limit === undefined && most === Number.POSITIVE_INFINITY;
  return {
    ...toFilters(context, parameters.filters),
    pathValues: toPathValues(context),
    search: search === undefined ? undefined : String(search),
    sort: toListSort(parameters, (input) => readParameter(context, input), sortables),
    limit: isUnlimited ? undefined : Math.max(Math.min(limit ?? most, most), least),
    offset,
    after:
      after === undefined ? undefined : { key: after, is: (entity) => keyOf(resource, entity) === after },
  };
}

/** The conditions for the parameters of a request. An empty bound or key means a field that was not filled in. */
function toFilters(
  context: ActionContext,
  filters: readonly ListFilter[],
): Pick<ListQuery, 'filters' | 'conditions'> {
  const equalities: [property: string, wanted: unknown][] = [];
  const conditions: Condition[] = [];
  for (const { parameter, property, member, bound } of filters) {
    const wanted = readParameter(context, parameter);
    const isBlank = wanted === '' && (bound || property === context.spec.resource.key?.property);
    if (wanted === undefined || isBlank) continue;
    if (member === undefined && !bound) equalities.push([property, wanted]);
    else conditions.push({ property, member, bound, wanted });
  }
  return { filters: equalities, conditions };
}

function readParameter({ input }: ActionContext, parameter: ListInput): unknown {
  return readListInput(input, parameter);
}

function unknownCursor(cursor: ListInput | undefined): Problem {
  const message = 'must be a cursor from an answer of this list, or be left out';
  return violationProblem(400, 'invalid_parameter', [
    { location: `query.${cursor?.name}`, message, code: 'cursor-unknown' },
  ]);
}
