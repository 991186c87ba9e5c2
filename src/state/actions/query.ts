import { type Problem, violationProblem } from '../../base/problem.ts';
import { eachInSteps, runAtOnce, type Steps, sortInSteps } from '../../base/slices.ts';
import type { Collection, Entities, Entity } from '../store/store.ts';
import { type Condition, toConditionTest } from './conditions.ts';
import { isJsonObject } from './json-object.ts';

/** The parts of a list query; absent members select everything. */
export interface ListQuery {
  /** Properties, each with the value, or the values any of which matches. */
  readonly filters: readonly (readonly [property: string, wanted: unknown])[];
  readonly conditions?: readonly Condition[] | undefined;
  /** Properties and the text of the value that each must have, from the path. */
  readonly pathValues?: readonly (readonly [property: string, text: string])[];
  /** Text that some string of the entity contains, ignoring case. */
  readonly search?: string | undefined;
  readonly sort?: readonly SortTerm[] | undefined;
  readonly limit?: number | undefined;
  readonly offset: number;
  /** The last entity before the page, where a key instead of an offset decides where the page starts. */
  readonly after?: { readonly key: string; readonly is: (entity: Entity) => boolean } | undefined;
}

export interface SortTerm {
  readonly property: string;
  /** The member of the property's object to sort by instead. */
  readonly member?: string | undefined;
  readonly descending: boolean;
}

export interface Page {
  readonly entities: readonly Entity[];
  /** How many entities come before it; `undefined` where the entity that it should follow is missing. */
  readonly offset: number | undefined;
  /** How many entities pass the filters, on all pages. */
  readonly total: number;
}

type Having = Collection['having'];

/** Filters, sorts and pages entities at once. Without filters and sort terms it reads only the entities on the page. */
export function queryPage(all: Entities, query: ListQuery, having: Having = () => undefined): Page {
  return toPage(isSelecting(query) ? runAtOnce(selectInSteps(all, query, having)) : all, query);
}

/** The entities that pass the filters of a query, in its order. */
export type EntitySelection = Pick<Entities, 'length' | 'slice' | 'positionOf'> &
  Partial<Pick<Entity[], 'findIndex'>>;

/** Whether a query selects entities by looking at them, instead of by their places. */
export function isSelecting({ filters, conditions, pathValues, search, sort }: ListQuery): boolean {
  return Boolean(filters.length || conditions?.length || pathValues?.length || sort?.length || search);
}

/** Filters and sorts entities. With neither, it looks at none of them. */
export function* selectInSteps(all: Entities, query: ListQuery, having: Having): Steps<EntitySelection> {
  const { entities, tests } = narrowByIndex(all, query, having);
  const { sort = [] } = query;
  if (tests.length === 0 && sort.length === 0) return entities;
  const passed: Entity[] = [];
  yield* eachInSteps(entities.values(), (entity) => {
    if (tests.every((test) => test(entity))) passed.push(entity);
  });
  return sort.length > 0 ? yield* sortInSteps(passed, toComparison(sort)) : passed;
}

/** Cuts the page of a query from its selection. */
export function toPage(selection: EntitySelection, query: ListQuery): Page {
  const total = selection.length;
  const offset = findOffset(selection, query);
  if (offset === undefined) return { entities: [], offset, total };
  return { entities: selection.slice(offset, endOfPage(offset, total, query)), offset, total };
}

/** The position at which the page of a query begins; `undefined` where the entity that it should follow is missing. */
export function findOffset(selection: EntitySelection, { after, offset }: ListQuery): number | undefined {
  if (!after) return offset;
  const before = selection.positionOf?.(after.key) ?? selection.findIndex?.(after.is) ?? -1;
  return before === -1 ? undefined : before + 1;
}

/** The position at which it ends. */
export function endOfPage(offset: number, total: number, { limit }: ListQuery): number {
  return limit === undefined ? total : Math.min(offset + limit, total);
}

type Test = (entity: Entity) => boolean;

const NO_TESTS: readonly Test[] = [];

/** The fewest entities that an index finds, and the tests that they must pass besides. */
function narrowByIndex(all: Entities, query: ListQuery, having: Having) {
  const { filters, conditions = [], pathValues = [], search } = query;
  // Most lists are asked for whole, or for a page of the whole.
  if (filters.length + conditions.length + pathValues.length === 0 && !search)
    return { entities: all, tests: NO_TESTS };
  const equalities = [
    ...filters.map(([property, wanted]) => ({
      test: toTest(property, wanted),
      found: findIndexed(having, property, wanted),
    })),
    ...pathValues.map(([property, text]) => ({
      test: toTest(property, text),
      found: having(property, text),
    })),
  ];
  let best: (typeof equalities)[number] | undefined;
  for (const each of equalities)
    if (each.found && each.found.length < (best?.found?.length ?? Number.POSITIVE_INFINITY)) best = each;
  const tests: Test[] = equalities.filter((each) => each !== best).map(({ test }) => test);
  tests.push(...conditions.map(toConditionTest));
  if (search) tests.push(toSearch(search));
  return { entities: best?.found ?? all, tests };
}

function findIndexed(having: Having, property: string, wanted: unknown): Entities | undefined {
  const [only, ...others] = [wanted].flat();
  return only === undefined || isJsonObject(only) || others.length > 0
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

/** The 400 Problem for a sort by an unknown property. */
export function unknownSort(parameter: string, property: string, properties: readonly string[]): Problem {
  return violationProblem(400, 'invalid_parameter', [
    {
      location: `query.${parameter}`,
      message: `Unknown property "${property}"; sort by one of ${properties.join(', ')}`,
      code: 'sort-unknown',
    },
  ]);
}

/**
 * Compares values as text, so that integers beyond the exact range, which arrive as bigint, equal only themselves. An object matches
 * objects with its members.
 */
function toTest(property: string, wanted: unknown): Test {
  if (isJsonObject(wanted)) {
    const tests = Object.entries(wanted).map(([name, value]) => toTest(name, value));
    return (entity) => {
      const value = readOwn(entity, property);
      return isJsonObject(value) && tests.every((test) => test(value));
    };
  }
  const values = new Set((Array.isArray(wanted) ? wanted : [wanted]).map(String));
  return (entity) => hasOneOf(readOwn(entity, property), values);
}

/** The own property of an entity, with null as `undefined`. */
function readOwn(entity: Entity, property: string): unknown {
  return Object.hasOwn(entity, property) ? (entity[property] ?? undefined) : undefined;
}

/** Whether a value is one of `values`: a list if one of its items is, an object if one of its names is. */
function hasOneOf(value: unknown, values: ReadonlySet<string>): boolean {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.some((item) => hasOneOf(item, values));
  if (typeof value !== 'object' || value === null) return values.has(String(value));
  return Object.entries(value).some(
    ([name, member]) => NAME_PROPERTY.test(name) && values.has(String(member)),
  );
}

const NAME_PROPERTY = /^(id|uuid|name|slug|key|code|user_?name|login|email)$/i;

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
    for (const { property, member, descending } of terms) {
      const order = compare(readSorted(a, property, member), readSorted(b, property, member));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

function readSorted(entity: Entity, property: string, member: string | undefined): unknown {
  const value = readOwn(entity, property);
  if (member === undefined) return value;
  return isJsonObject(value) ? readOwn(value, member) : undefined;
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  // Comparing a number with a bigint is exact.
  if (isOrderedNumber(a) && isOrderedNumber(b)) return a < b ? -1 : Number(a > b);
  return String(a) < String(b) ? -1 : 1;
}

function isOrderedNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
