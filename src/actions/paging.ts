import type { Parameter } from '../operations/operations.ts';
import type { ListParameters } from './list-parameters.ts';

/** Which part of a list is asked for. */
export interface Paging {
  /** How many entities at most; all of them where nothing says. */
  readonly limit: number | undefined;
  readonly offset: number;
  /** The key after which the page begins, for a cursor that is one. */
  readonly after?: string;
}

/** How long a page is where the document has pages, and does not say. */
const PAGE_LENGTH = 20;

/** Reads which page is asked for. `read` gives the value of a parameter, its default if it was not given. */
export function toPaging(parameters: ListParameters, read: (parameter: Parameter) => unknown): Paging {
  const { page, cursor, offset } = parameters;
  const count = (parameter: Parameter | undefined) => (parameter ? toCount(read(parameter)) : undefined);
  const limit = count(parameters.limit) ?? (page || cursor ? PAGE_LENGTH : undefined);
  const number = count(page);
  if (page && number !== undefined)
    return { limit, offset: Math.min(Math.max(0, number - toFirstPage(page)) * (limit ?? 0), MOST) };
  const token = cursor && read(cursor);
  if (token !== undefined && token !== '') {
    const start = fromCursor(String(token));
    return start === undefined ? { limit, offset: 0, after: String(token) } : { limit, offset: start };
  }
  return { limit, offset: count(offset) ?? 0 };
}

/** A page of a list, and how to get to the others. */
export interface Pages {
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  /** The query of the page that begins with the entity at a position; `undefined` where the document has no way to ask for it. */
  readonly query: (start: number) => string | undefined;
  /** The number of the page that begins there. */
  readonly number: (start: number) => number;
}

/** Where the other pages of a list begin; without those that are not there. */
export function toStarts({
  limit,
  offset,
  total,
}: Omit<Pages, 'query' | 'number'>): Record<Relation, number | undefined> {
  const last = total === 0 || limit === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  return {
    first: 0,
    prev: offset > 0 ? Math.max(0, Math.min(offset - limit, last)) : undefined,
    // A page of nothing leads nowhere.
    next: limit > 0 && offset + limit < total ? offset + limit : undefined,
    last,
  };
}

const RELATIONS = ['first', 'prev', 'next', 'last'] as const;

export type Relation = (typeof RELATIONS)[number];

/** Describes a page of a list. `search` is the query of the request: every parameter of it that is not about pages is kept. */
export function buildPages(
  parameters: ListParameters,
  search: string,
  { limit, offset, total }: { readonly limit: number; readonly offset: number; readonly total: number },
): Pages {
  const { page, cursor } = parameters;
  const number = (start: number) => Math.floor(start / Math.max(1, limit)) + (page ? toFirstPage(page) : 1);
  const way: (readonly [name: string, value: (start: number) => string])[] = [
    ...(page ? [[page.name, (start: number) => String(number(start))] as const] : []),
    ...(parameters.offset ? [[parameters.offset.name, String] as const] : []),
    ...(cursor ? [[cursor.name, toCursor] as const] : []),
  ];
  let around: readonly [before: string, after: string] | undefined;
  return {
    limit,
    offset,
    total,
    number,
    query(start) {
      const [first, ...others] = way;
      if (!first) return undefined;
      const [name, toValue] = first;
      around ??= splitQuery(search, {
        name,
        dropped: others.map(([other]) => other),
        limit: parameters.limit && [parameters.limit.name, String(limit)],
      });
      // A number or a cursor stands in a query as it is.
      return around[0] + toValue(start) + around[1];
    },
  };
}

/** What is changed in the query of a request to make the query of another page. */
interface PageChange {
  /** The parameter that says where the page begins. */
  readonly name: string;
  /** Other parameters that would say so too. */
  readonly dropped: readonly string[];
  readonly limit: readonly [name: string, value: string] | undefined;
}

/** What stands in the query of another page before and after where it begins. */
function splitQuery(search: string, change: PageChange): [before: string, after: string] {
  const { name, dropped, limit } = change;
  const names = limit ? [name, limit[0]] : [name];
  if (limit?.[0] !== name && names.every((each) => PLAIN_NAME.test(each)) && PLAIN_QUERY.test(search))
    return splitPlain(search, change);
  const query = new URLSearchParams(search);
  for (const other of dropped) query.delete(other);
  if (limit) query.set(...limit);
  return splitAt(query, name);
}

/** A query in which nothing is encoded, and which an encoder would leave as it is. */
const PLAIN_QUERY = /^(?:[\w.*-]+=[\w.*-]*(?:&[\w.*-]+=[\w.*-]*)*)?$/;

/** A name that is written as it is. */
const PLAIN_NAME = /^\w+$/;

/** Does to a plain query what `URLSearchParams` would: what is set takes its first place, else the end. */
function splitPlain(search: string, { name, dropped, limit }: PageChange): [before: string, after: string] {
  let limited = limit && `&${limit[0]}=${limit[1]}`;
  let before: string | undefined;
  let text = '';
  for (const part of search.split('&')) {
    const own = part.slice(0, part.indexOf('='));
    if (part === '' || dropped.includes(own) || (own === name && before !== undefined)) continue;
    if (own === name) {
      before = `${text}&${name}=`.slice(1);
      text = '';
    } else if (own !== limit?.[0]) {
      text += `&${part}`;
    } else {
      text += limited;
      limited = '';
    }
  }
  text += limited ?? '';
  return before === undefined ? [`${text}&${name}=`.slice(1), ''] : [before, text];
}

/** What stands in a query before and after the value of one parameter. */
function splitAt(query: URLSearchParams, name: string): [before: string, after: string] {
  query.set(name, '');
  // An ampersand stands only between parameters, and this one is there only once.
  const start = PLAIN_NAME.test(name) ? `&${name}=` : `&${new URLSearchParams([[name, '']])}`;
  const [before = '', after = ''] = `&${query}`.split(start);
  return [(before + start).slice(1), after];
}

/** The `Link` value to the other pages (RFC 8288): first, prev, next and last. `undefined` where there is no way to them. */
export function toPageLinks(path: string, pages: Pages): string | undefined {
  const starts = toStarts(pages);
  let links: string | undefined;
  for (const relation of RELATIONS) {
    const start = starts[relation];
    const query = start === undefined ? undefined : pages.query(start);
    if (query === undefined) continue;
    const link = `<${path}?${query}>; rel="${relation}"`;
    links = links === undefined ? link : `${links}, ${link}`;
  }
  return links;
}

/** The cursor for the page that begins at a position. Clients have no business to know what it says. */
export function toCursor(start: number): string {
  return Buffer.from(`page from ${start}`).toString('base64url');
}

function fromCursor(cursor: string): number | undefined {
  const start = /^page from (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  return start === undefined ? undefined : Number(start);
}

/** Most documents count pages from 1; one that counts from 0 says so by a default or minimum. */
function toFirstPage({ schema }: Parameter): number {
  return schema.default === 0 || schema.minimum === 0 ? 0 : 1;
}

/** A larger count would be rounded, so that a link to another page would be refused. No list is that long. */
const MOST = Number.MAX_SAFE_INTEGER;

function toCount(value: unknown): number | undefined {
  const count = value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isNaN(count) ? undefined : Math.min(Math.max(0, Math.trunc(count)), MOST);
}
