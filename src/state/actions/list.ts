import { Problem, violationProblem } from '../../base/problem.ts';
import { runAtOnce, runInSlices, STEP_ITEMS, type Steps } from '../../base/slices.ts';
import { findResponse } from '../../model/operations/operations.ts';
import { LongList } from '../../wire/codecs/codecs.ts';
import type { Outcome } from '../../wire/message/message.ts';
import type { Collection, Entity } from '../store/store.ts';
import { type ActionContext, collectionOf, showsPathParents, withPathParents } from './context.ts';
import type { ListInput } from './list-inputs.ts';
import { toUrl } from './location.ts';
import { withModified } from './modified.ts';
import { toPageLinks } from './paging.ts';
import {
  type EntitySelection,
  endOfPage,
  findOffset,
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
  if (size > MOST_AT_ONCE && (isSelecting(query) || (query.limit ?? size) > MOST_AT_ONCE)) {
    // Later changes do not reach a clone.
    const apart = { ...context, store: context.store.clone() };
    if (context.isAtOnce) return runAtOnce(listInSteps(apart, query));
    return { later: () => runInSlices(listInSteps(apart, query)) };
  }
  return toList(context, query, queryCollection(context, collection, query));
}

function* listInSteps(context: ActionContext, query: ListQuery): Steps<Outcome> {
  const { store, selections, request } = context;
  const collection = collectionOf(context);
  const known = isSelecting(query) ? selections.find(store, request.path, query) : undefined;
  const selection = known ?? (yield* selectFrom(collection, query));
  if (!known && Array.isArray(selection)) selections.keep(store, request.path, query, selection);
  const { length: total } = selection;
  const offset = findOffset(selection, query) ?? total;
  const end = endOfPage(offset, total, query);
  if (end - offset <= MOST_AT_ONCE) return toList(context, query, toPage(selection, query));
  const show = toShow(context);
  const items = new LongList(() => showEach(selection, offset, end, show), end - offset);
  return { ...toList(context, query, { entities: [], offset, total }, items), isLong: true };
}

/** Cuts a few entities at a time, because a client may take long to read them all. */
function* showEach(selection: EntitySelection, start: number, end: number, show: Show): Generator<unknown> {
  for (let at = start; at < end; at += STEP_ITEMS)
    for (const entity of selection.slice(at, Math.min(at + STEP_ITEMS, end))) yield show(entity);
}

type Show = (entity: Entity) => unknown;

function toShow(context: ActionContext): Show {
  const { list, resource } = context.spec;
  const view = list?.view ?? ((entity) => entity);
  const locate = (entity: Entity) => toUrl(context, entity);
  if (!showsPathParents(resource)) return (entity) => view(entity, locate);
  return (entity) => view(withPathParents(context, entity), locate);
}

/** The answer with a page. `long` are its items where they are too many for the page itself. */
function toList(context: ActionContext, query: ListQuery, found: Page, long?: LongList): Outcome {
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
  const items = pad((page === found && long) || page.entities.map(toShow(context)));
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
  throw new Problem(404, `${singular}_not_found`, `No ${singular} matches this request.`);
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
