import { fromBase64Url, toBase64Url } from './base64url.ts';
import { buildReadValue, type ListInput, type ListSource } from './list-inputs.ts';
import type { ListParameters } from './list-parameters.ts';

/** The part of a list that a request selects. */
interface Paging {
  /** The most entities on a page; `undefined` for no limit. */
  readonly limit: number | undefined;
  readonly offset: number;
  /** The key after which the page starts, where the cursor is a key. */
  readonly after?: string;
}

/** The length of a page where the document has pages and sets no limit. */
const DEFAULT_LIMIT = 20;

/** Reads the page that a request selects. */
type ReadPaging = (source: ListSource) => Paging;

type PageParameters = Pick<ListParameters, 'limit' | 'offset' | 'page' | 'cursor'>;

/** Builds the reader of pages. */
export function buildReadPaging(parameters: PageParameters): ReadPaging {
  const [readLimit, readOffset, readPage, readCursor] = [
    parameters.limit,
    parameters.offset,
    parameters.page,
    parameters.cursor,
  ].map((input) => input && buildReadValue(input));
  const firstPage = parameters.page ? toFirstPage(parameters.page) : 1;
  const usualLimit = readPage || readCursor ? DEFAULT_LIMIT : undefined;
  return (source) => {
    const limit = (readLimit && toCount(readLimit(source))) ?? usualLimit;
    const number = readPage && toCount(readPage(source));
    if (number !== undefined)
      return { limit, offset: Math.min(Math.max(0, number - firstPage) * (limit ?? 0), MAX_COUNT) };
    const token = readCursor?.(source);
    if (token !== undefined && token !== '') {
      const start = fromCursor(String(token));
      return start === undefined ? { limit, offset: 0, after: String(token) } : { limit, offset: start };
    }
    return { limit, offset: (readOffset && toCount(readOffset(source))) ?? 0 };
  };
}

/** A page of a list, and how to reach the others. */
export interface Pages {
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  /** The query of the page that starts at a position; `undefined` where the document has no parameter for it. */
  readonly query: (start: number) => string | undefined;
  /** The number of that page. */
  readonly number: (start: number) => number;
}

/** The positions at which the other pages of a list start; `undefined` for a page that does not exist. */
export function toStarts({
  limit,
  offset,
  total,
}: Omit<Pages, 'query' | 'number'>): Record<LinkRelation, number | undefined> {
  const last = total === 0 || limit === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  return {
    first: 0,
    prev: offset > 0 ? Math.max(0, Math.min(offset - limit, last)) : undefined,
    // A page of length 0 has no next one.
    next: limit > 0 && offset + limit < total ? offset + limit : undefined,
    last,
  };
}

const RELATIONS = ['first', 'prev', 'next', 'last'] as const;

type LinkRelation = (typeof RELATIONS)[number];

/** Describes a page of a list. Queries of other pages keep the parameters of `search`, the query of the request, that are not about pages. */
export type ToPages = (search: string, page: Pick<Pages, 'limit' | 'offset' | 'total'>) => Pages;

/** Builds the function that describes the pages of a list. */
export function buildPages(parameters: PageParameters): ToPages {
  const inQuery = (input: ListInput | undefined) => (input?.inBody ? undefined : input);
  const [page, cursor] = [inQuery(parameters.page), inQuery(parameters.cursor)];
  const [offsetInput, limitInput] = [inQuery(parameters.offset), inQuery(parameters.limit)];
  const firstPage = parameters.page ? toFirstPage(parameters.page) : 1;
  const [first, ...others] = [page, offsetInput, cursor].flatMap((input) => input?.name ?? []);
  const toStart = page ? undefined : offsetInput ? String : toCursor;
  const split = first === undefined ? undefined : buildSplitQuery(first, others, limitInput?.name);
  return (search, { limit, offset, total }) => {
    const number = (start: number) => Math.floor(start / Math.max(1, limit)) + firstPage;
    let around: readonly [before: string, after: string] | undefined;
    return {
      limit,
      offset,
      total,
      number,
      query(start) {
        if (!split) return undefined;
        around ??= split(search, String(limit));
        // Numbers and cursors need no encoding in a query.
        return around[0] + (toStart ? toStart(start) : String(number(start))) + around[1];
      },
    };
  };
}

/** Splits the query of another page around the value of its start parameter. */
type SplitQuery = (search: string, limit: string) => readonly [before: string, after: string];

/** Builds the function that splits queries around the parameter `name`, and sets `limit`. `dropped` would decide the start too. */
function buildSplitQuery(name: string, dropped: readonly string[], limit: string | undefined): SplitQuery {
  const splitUsual = buildSplitUsual(name, dropped, limit);
  return (search, value) => {
    const usual = splitUsual?.(search, value);
    if (usual) return usual;
    const query = new URLSearchParams(search);
    for (const other of dropped) query.delete(other);
    if (limit !== undefined) query.set(limit, value);
    return splitAt(query, name);
  };
}

/** A query that URLSearchParams would leave as it is. */
const UNENCODED_QUERY = /^(?:[\w.*-]+=[\w.*-]*(?:&[\w.*-]+=[\w.*-]*)*)?$/;

/** A name that needs no encoding. */
const UNENCODED_NAME = /^\w+$/;

/** Builds the same without URLSearchParams, for queries that need no encoding and have each parameter once; `undefined` for others. */
function buildSplitUsual(
  name: string,
  dropped: readonly string[],
  limit: string | undefined,
): ((...given: Parameters<SplitQuery>) => ReturnType<SplitQuery> | undefined) | undefined {
  const names = limit === undefined ? [name] : [name, limit];
  if (limit === name || !names.every((each) => UNENCODED_NAME.test(each))) return undefined;
  const findStart = buildFindParameter(name);
  const findLimit = limit === undefined ? undefined : buildFindParameter(limit);
  return (search, value) => {
    if (!UNENCODED_QUERY.test(search) || dropped.some((other) => search.includes(other))) return undefined;
    const limited = findLimit?.(search);
    if (limited === 'several' || (limited && limited.value !== value)) return undefined;
    const text = findLimit && !limited ? append(search, `${limit}=${value}`) : search;
    const start = findStart(text);
    if (start === 'several') return undefined;
    return start ? [text.slice(0, start.at), text.slice(start.end)] : [append(text, `${name}=`), ''];
  };
}

/** Builds the function that finds the value of a parameter in a query that needs no encoding. */
function buildFindParameter(name: string) {
  const [first, next] = [`${name}=`, `&${name}=`];
  return (search: string): { at: number; end: number; value: string } | 'several' | undefined => {
    const other = search.indexOf(next);
    const isFirst = search.startsWith(first);
    if (!isFirst && other < 0) return undefined;
    if (search.indexOf(next, isFirst ? 0 : other + 1) >= 0) return 'several';
    const at = isFirst ? first.length : other + next.length;
    const after = search.indexOf('&', at);
    const end = after < 0 ? search.length : after;
    return { at, end, value: search.slice(at, end) };
  };
}

function append(query: string, parameter: string): string {
  return query === '' ? parameter : `${query}&${parameter}`;
}

/** Splits a query around the value of one parameter. */
function splitAt(query: URLSearchParams, name: string): [before: string, after: string] {
  query.set(name, '');
  // An ampersand stands only between parameters, and this parameter occurs once.
  const start = UNENCODED_NAME.test(name) ? `&${name}=` : `&${new URLSearchParams([[name, '']])}`;
  const [before = '', after = ''] = `&${query}`.split(start);
  return [(before + start).slice(1), after];
}

/** The `Link` value to the other pages (RFC 8288): first, prev, next and last. `undefined` where no parameter leads to them. */
export function toPageLinks(path: string, pages: Pages): string | undefined {
  const starts = toStarts(pages);
  let links = '';
  for (const relation of RELATIONS) {
    const start = starts[relation];
    const query = start === undefined ? undefined : pages.query(start);
    if (query !== undefined) links += `${links && ', '}<${path}?${query}>; rel="${relation}"`;
  }
  return links || undefined;
}

/** The cursor for the page that starts at a position, opaque to clients. */
export function toCursor(start: number): string {
  return toBase64Url(`page from ${start}`);
}

function fromCursor(cursor: string): number | undefined {
  const start = /^page from (\d{1,15})$/.exec(fromBase64Url(cursor))?.[1];
  return start === undefined ? undefined : Number(start);
}

/** The number of the first page: 1, or 0 where the parameter has 0 as its default or minimum, or is that of a `Pageable` of Spring. */
function toFirstPage({ schema: { keywords }, path: [object = ''] = [] }: ListInput): number {
  const isOfSpring = /pageable/i.test(object) && keywords.minimum !== 1 && keywords.default !== 1;
  return keywords.default === 0 || keywords.minimum === 0 || isOfSpring ? 0 : 1;
}

/** A larger count would be rounded, and a link with it refused. No list is that long. */
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

function toCount(value: unknown): number | undefined {
  const count = value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isNaN(count) ? undefined : Math.min(Math.max(0, Math.trunc(count)), MAX_COUNT);
}
