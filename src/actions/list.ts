import { writeInSteps } from '../codecs/codecs.ts';
import type { Outcome } from '../message/message.ts';
import { findResponse } from '../operations/operations.ts';
import { Problem, violationProblem } from '../problem.ts';
import { runAtOnce, runInSlices, type Steps } from '../slices.ts';
import type { Collection, Entity } from '../store/store.ts';
import { type ActionContext, collectionOf, showsPathParents, withPathParents } from './context.ts';
import type { ListInput } from './list-inputs.ts';
import { toUrl } from './location.ts';
import { withModified } from './modified.ts';
import { toPageLinks } from './paging.ts';
import {
  type EntitySelection,
  isSelecting,
  type ListQuery,
  type Page,
  queryPage,
  selectInSteps,
  toPage,
} from './query.ts';
import { toShown } from './shown.ts';

/** Lists and pages of more entities are made in slices. */
const MOST_AT_ONCE = 5000;

/** Answers with the page of entities that the request selects, as the document lists them. */
export function list(context: ActionContext): Outcome {
  const { spec } = context;
  if (!spec.list) return {};
  const query = spec.list.readQuery(context.input, toPathValues(context));
  const collection = collectionOf(context);
  const { size } = collection;
  if (
    !context.isAtOnce &&
    size > MOST_AT_ONCE &&
    (isSelecting(query) || (query.limit ?? size) > MOST_AT_ONCE)
  ) {
    // Later changes do not reach a clone.
    const apart = { ...context, store: context.store.clone() };
    return { later: () => listInSlices(apart, query) };
  }
  return toList(context, query, queryCollection(context, collection, query));
}

async function listInSlices(context: ActionContext, query: ListQuery): Promise<Outcome> {
  const { store, selections, request } = context;
  const collection = collectionOf(context);
  const known = isSelecting(query) ? selections.find(store, request.path, query) : undefined;
  const selection = known ?? (await runInSlices(selectFrom(collection, query)));
  if (!known && Array.isArray(selection)) selections.keep(store, request.path, query, selection);
  const page = toPage(selection, query);
  const items = await runInSlices(writeInSteps(page.entities, toShow(context)));
  return toList(context, query, page, items);
}

type Show = (entity: Entity) => unknown;

function toShow(context: ActionContext): Show {
  const { list, resource } = context.spec;
  const view = list?.view ?? ((entity) => entity);
  const locate = (entity: Entity) => toUrl(context, entity);
  if (!showsPathParents(resource)) return (entity) => view(entity, locate);
  return (entity) => view(withPathParents(context, entity), locate);
}

/** The answer with a page. `shown` are its items, where they are known. */
function toList(context: ActionContext, query: ListQuery, found: Page, shown?: unknown[]): Outcome {
  const { spec, request, address } = context;
  if (!spec.list) return {};
  const { parameters, toPages, wrap, most, pad } = spec.list;
  // An unknown cursor is a mistake in any list.
  const page = context.isEmptied && found.offset !== undefined ? EMPTY_PAGE : found;
  const { total } = page;
  const offset = page.offset ?? (parameters.cursor?.path ? total : undefined);
  if (offset === undefined) throw unknownCursor(parameters.cursor);
  const limit = query.limit ?? Math.min(total, most);
  const pages = toPages(request.query, { limit, offset, total });
  const items = pad((page === found && shown) || page.entities.map(toShow(context)));
  const { query: toQuery, number } = pages;
  const { origin, prefix } = address;
  const path = prefix + request.path;
  const body = wrap(items, {
    limit,
    offset,
    total,
    query: toQuery,
    number,
    count: items.length,
    path,
    origin,
  });
  if (!parameters.limit && !parameters.page) return { body };
  const link = query.limit === undefined ? undefined : toPageLinks(path, pages);
  const count = String(total);
  return {
    body,
    headers: link === undefined ? { 'X-Total-Count': count } : { 'X-Total-Count': count, Link: link },
  };
}

/** Answers with the first entity that matches the request. */
export function findFirst(context: ActionContext): Outcome {
  const { spec, operation } = context;
  const filters = spec.readFilters(context.input);
  const query = { ...filters, pathValues: toPathValues(context), offset: 0, limit: 1 };
  const [entity] = queryCollection(context, collectionOf(context), query).entities;
  if (entity)
    return withModified(context, entity, { body: toShown(context, entity, operation.successStatus) });
  // An operation without a 404 always has an answer, so it falls back to the document's example.
  if (findResponse(operation, 404)?.code !== '404') return {};
  const { singular } = spec.resource;
  throw new Problem(404, `${singular}_not_found`, `There is no ${singular} like that.`);
}

/** The page of a list that has no items, at the beginning. */
const EMPTY_PAGE: Page = { entities: [], total: 0, offset: 0 };

function queryCollection(context: ActionContext, collection: Collection, query: ListQuery): Page {
  const { store, selections, request } = context;
  if (!isSelecting(query)) return queryPage(collection.all(), query);
  const known = selections.find(store, request.path, query);
  if (known) return toPage(known, query);
  const selection = runAtOnce(selectFrom(collection, query));
  // A selection found by an index is not an array, and needs no memory of its own.
  if (Array.isArray(selection)) selections.keep(store, request.path, query, selection);
  return toPage(selection, query);
}

function selectFrom(collection: Collection, query: ListQuery): Steps<EntitySelection> {
  return selectInSteps(collection.all(), query, (property, text) => collection.having(property, text));
}

function toPathValues({ spec, input }: ActionContext): [property: string, text: string][] {
  return spec.within.map(({ parameter, property }) => [property, String(input.path[parameter])]);
}

function unknownCursor(cursor: ListInput | undefined): Problem {
  const message = 'must be a cursor from an answer of this list, or be left out';
  return violationProblem(400, 'invalid_parameter', [
    { location: `query.${cursor?.name}`, message, code: 'cursor-unknown' },
  ]);
}
