import { type Problem, violationProblem } from '../problem.ts';
import type { Collection, Entities, Entity } from '../store/store.ts';

/** What a list operation was asked for. Absent members were not asked for. */
export interface ListQuery {
  /** Property → the value, or the values of which any will do. */
  readonly filters: ReadonlyMap<string, unknown>;
  /** Properties and the text that each must be. */
  readonly within?: readonly (readonly [property: string, text: string])[];
  /** A text that some text of the entity contains, in whatever case. */
  readonly search?: string | undefined;
  readonly sort?: readonly SortTerm[] | undefined;
  readonly limit?: number | undefined;
  readonly offset: number;
  /** The last entity before the page, by its key, where that is told by an entity instead of a number. */
  readonly after?: { readonly key: string; readonly is: (entity: Entity) => boolean } | undefined;
}

export interface SortTerm {
  readonly property: string;
  readonly descending: boolean;
}

export interface Page {
  readonly entities: readonly Entity[];
  /** How many come before it; `undefined` where the entity that it comes after is not there. */
  readonly offset: number | undefined;
  /** How many entities pass the filters, on all pages together. */
  readonly total: number;
}

/** Finds at once what has a value, where that can be; see `Collection`. */
type Having = Collection['having'];

/** Filters, sorts and cuts. Looks at no entity outside the page where neither order nor filters ask for it. */
export function queryPage(all: Entities, query: ListQuery, having?: Having, keep?: Keep): Page {
  return cut(select(all, query, having, keep), query);
}

/** Gives what was selected before by the same query, pages apart, or selects it now. */
export type Keep = (query: ListQuery, make: () => Selection) => Selection;

/** What passes the filters of a query, in its order. */
export type Selection = Pick<Entities, 'length' | 'slice' | 'positionOf'> &
  Partial<Pick<Entity[], 'findIndex'>>;

const MAKE: Keep = (_, make) => make();

function select(all: Entities, query: ListQuery, having: Having = () => undefined, keep = MAKE): Selection {
  const { entities, tests } = narrow(all, query, having);
  const { sort = [] } = query;
  if (tests.length === 0 && sort.length === 0) return entities;
  return keep(query, () => {
    const passed: Entity[] = [];
    for (const entity of entities.values()) if (tests.every((test) => test(entity))) passed.push(entity);
    return sort.length > 0 ? passed.sort(toComparison(sort)) : passed;
  });
}

function cut(selection: Selection, query: ListQuery): Page {
  const { after } = query;
  const total = selection.length;
  const offset = after
    ? (selection.positionOf?.(after.key) ?? selection.findIndex?.(after.is) ?? -1) + 1
    : query.offset;
  if (after && offset === 0) return { entities: [], offset: undefined, total };
  return { entities: selection.slice(offset, toEnd(offset, query)), offset, total };
}

function toEnd(offset: number, { limit }: ListQuery): number | undefined {
  return limit === undefined ? undefined : offset + limit;
}

type Test = (entity: Entity) => boolean;

/** The fewest entities that an index finds, and what else they must pass. */
function narrow(all: Entities, { filters, within = [], search }: ListQuery, having: Having) {
  const conditions = [
    ...[...filters].map(([property, wanted]) => ({
      test: toTest(property, wanted),
      found: findIndexed(having, property, wanted),
    })),
    ...within.map(([property, text]) => ({
      test: (entity: Entity) => String(entity[property]) === text,
      found: having(property, text),
    })),
  ];
  let best: (typeof conditions)[number] | undefined;
  for (const each of conditions)
    if (each.found && each.found.length < (best?.found?.length ?? Number.POSITIVE_INFINITY)) best = each;
  const tests: Test[] = conditions.filter((each) => each !== best).map(({ test }) => test);
  if (search) tests.push(toSearch(search));
  return { entities: best?.found ?? all, tests };
}

function findIndexed(having: Having, property: string, wanted: unknown): Entities | undefined {
  const [only, ...others] = [wanted].flat();
  return only === undefined || isObject(only) || others.length > 0
    ? undefined
    : having(property, String(only));
}

/** The terms of a sort parameter: `-price,name`, `price:desc`, `name.asc` or `price desc`. */
export function toSortTerms(sort: string): SortTerm[] {
  return sort.split(',').map((term) => {
    const [, sign, property = '', direction = ''] = SORT_TERM.exec(term.trim()) ?? [];
    return { property, descending: sign === '-' || /^desc/i.test(direction) };
  });
}

const SORT_TERM = /^([-+]?)(.*?)(?:[:.\s](asc|desc|ascending|descending))?$/i;

/** The Problem for a sort by something that is no property. */
export function unknownSort(parameter: string, property: string, properties: readonly string[]): Problem {
  return violationProblem(400, 'invalid_parameter', [
    {
      location: `query.${parameter}`,
      message: `"${property}" is no property; there are ${properties.join(', ')}`,
    },
  ]);
}

/** An object asks for objects with its members. Integers beyond the exact range arrive as bigint; compared as text they equal only themselves. */
function toTest(property: string, wanted: unknown): Test {
  if (isObject(wanted)) {
    const tests = Object.entries(wanted).map(([name, value]) => toTest(name, value));
    return (entity) => {
      const value = readOwn(entity, property);
      return isObject(value) && tests.every((test) => test(value));
    };
  }
  const values = new Set((Array.isArray(wanted) ? wanted : [wanted]).map(String));
  return (entity) => hasOneOf(readOwn(entity, property), values);
}

/** What an entity itself has, where null is as good as nothing. */
function readOwn(entity: Entity, property: string): unknown {
  return Object.hasOwn(entity, property) ? (entity[property] ?? undefined) : undefined;
}

function isObject(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list has what one of its members has; an object in a list has what it is called by. */
function hasOneOf(value: unknown, values: ReadonlySet<string>): boolean {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.some((item) => hasOneOf(item, values));
  if (typeof value !== 'object' || value === null) return values.has(String(value));
  return Object.entries(value).some(([name, member]) => NAMING.test(name) && values.has(String(member)));
}

const NAMING = /^(id|name|slug|key|code)$/i;

function toSearch(text: string): (entity: Entity) => boolean {
  const wanted = text.toLowerCase();
  const holds = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted);
    return typeof value === 'object' && value !== null && Object.values(value).some(holds);
  };
  return holds;
}

function toComparison(terms: readonly SortTerm[]): (a: Entity, b: Entity) => number {
  return (a, b) => {
    for (const { property, descending } of terms) {
      const order = compare(readOwn(a, property), readOwn(b, property));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  // Comparing a number with a bigint is exact.
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : Number(a > b);
  return String(a) < String(b) ? -1 : 1;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
