import { type Problem, violationProblem } from './problem.ts';
import type { Entity } from './store.ts';

/** What a list operation was asked for. Absent members were not asked for. */
export interface ListQuery {
  /** Property → the value, or the values of which any will do. */
  readonly filters: ReadonlyMap<string, unknown>;
  /** Property names, comma-separated, `-` before one for descending order. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset: number;
}

export interface Page {
  readonly entities: readonly Entity[];
  /** How many entities pass the filters, on all pages together. */
  readonly total: number;
}

/** Filters, sorts and cuts. Throws a Problem for a sort by something that is no property. */
export function queryPage(entities: Iterable<Entity>, query: ListQuery, properties: readonly string[]): Page {
  const tests = [...query.filters].map(([property, wanted]) => toTest(property, wanted));
  const passed: Entity[] = [];
  for (const entity of entities) if (tests.every((test) => test(entity))) passed.push(entity);
  if (query.sort) passed.sort(toComparison(query.sort, properties));
  const end = query.limit === undefined ? undefined : query.offset + query.limit;
  return { entities: passed.slice(query.offset, end), total: passed.length };
}

/** The `Link` value to the other pages (RFC 8288): first, prev, next and last, every other parameter kept. */
export function toPageLinks(
  path: string,
  search: string,
  query: ListQuery,
  total: number,
): string | undefined {
  const { limit, offset } = query;
  if (limit === undefined) return undefined;
  const link = (rel: string, start: number) => {
    const parameters = new URLSearchParams(search);
    parameters.set('limit', String(limit));
    parameters.set('offset', String(start));
    return `<${path}?${parameters}>; rel="${rel}"`;
  };
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  return [
    link('first', 0),
    ...(offset > 0 ? [link('prev', Math.max(0, Math.min(offset - limit, last)))] : []),
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
    link('last', last),
  ].join(', ');
}

/** The property of a term of `sort`, without its direction. */
export function toSortProperty(term: string): string {
  return term.replace(/^[-+]/, '');
}

/** Integers beyond the exact range arrive as bigint; compared as text they equal only themselves. */
function toTest(property: string, wanted: unknown): (entity: Entity) => boolean {
  const values = new Set((Array.isArray(wanted) ? wanted : [wanted]).map(String));
  return (entity) => entity[property] !== undefined && values.has(String(entity[property]));
}

function toComparison(sort: string, properties: readonly string[]): (a: Entity, b: Entity) => number {
  const orders = sort.split(',').map((term) => {
    const property = toSortProperty(term);
    if (!properties.includes(property)) throw unknownProperty(property, properties);
    return { property, sign: term.startsWith('-') ? -1 : 1 };
  });
  return (a, b) => {
    for (const { property, sign } of orders) {
      const order = compare(a[property], b[property]);
      if (order !== 0) return order * sign;
    }
    return 0;
  };
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}

function unknownProperty(property: string, properties: readonly string[]): Problem {
  return violationProblem(400, 'invalid_parameter', [
    { location: 'query.sort', message: `"${property}" is no property; there are ${properties.join(', ')}` },
  ]);
}
