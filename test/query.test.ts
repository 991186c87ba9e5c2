import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildParameter } from '../src/model/operations/parameters.ts';
import { createSchemaReader } from '../src/schema/schema.ts';
import { buildPages, toPageLinks } from '../src/state/actions/paging.ts';
import { type ListQuery, queryPage, toSortTerms } from '../src/state/actions/query.ts';
import type { Entity } from '../src/state/store/store.ts';

const PETS: readonly Entity[] = [
  { id: 1, name: 'Cy', size: 10, sold: true },
  { id: 2, name: 'Ada', size: 9, sold: false },
  { id: 3, name: 'bo', size: 10 },
  { id: 4, name: 'Ada', sold: true },
  { id: 5, size: -1.5, sold: null },
];

describe('a filter', () => {
  test.each<[filters: [property: string, wanted: unknown][], ids: number[]]>([
    [[], [1, 2, 3, 4, 5]],
    [[['name', 'Ada']], [2, 4]],
    [[['name', 'ada']], []],
    [[['name', '']], []],
    [[['size', 10]], [1, 3]],
    [[['size', 1]], []],
    [[['size', -1.5]], [5]],
    [[['sold', false]], [2]],
    [[['sold', true]], [1, 4]],
    [[['size', [9, 10]]], [1, 2, 3]],
    [[['size', [9, 9]]], [2]],
    [[['size', []]], []],
    [
      [
        ['name', 'Ada'],
        ['sold', true],
      ],
      [4],
    ],
    [[['toString', 'x']], []],
  ])('%j leaves what passes all of it', (filters, ids) => {
    const page = queryPage(PETS, toQuery({ filters }));
    expect(page.entities.map(({ id }) => id)).toEqual(ids);
    expect(page.total).toBe(ids.length);
  });

  test('by an integer beyond the exact range equals no nearby number', () => {
    const entities = [{ id: 2 ** 53 }, { id: 2 ** 53 - 1 }];
    const page = queryPage(entities, toQuery({ filters: [['id', 2n ** 53n + 1n]] }));
    expect(page.entities).toEqual([]);
  });

  test('never matches a missing property by the text undefined', () => {
    const page = (wanted: unknown) => queryPage(PETS, toQuery({ filters: [['size', wanted]] })).total;
    expect([page('undefined'), page(undefined)]).toEqual([0, 0]);
  });
});

describe('a sort', () => {
  test.each<[sort: string | undefined, ids: number[]]>([
    [undefined, [1, 2, 3, 4, 5]],
    ['id', [1, 2, 3, 4, 5]],
    ['-id', [5, 4, 3, 2, 1]],
    ['name', [2, 4, 1, 3, 5]],
    ['size', [5, 2, 1, 3, 4]],
    ['+size', [5, 2, 1, 3, 4]],
    ['name,-id', [4, 2, 1, 3, 5]],
    ['-size,id', [4, 1, 3, 2, 5]],
    ['size,-name', [5, 2, 3, 1, 4]],
  ])('by %s puts the entities in order, equal ones as they came', (sort, ids) => {
    const { entities } = queryPage(
      PETS,
      toQuery({ sort: sort === undefined ? undefined : toSortTerms(sort) }),
    );
    expect(entities.map(({ id }) => id)).toEqual(ids);
  });

  test.each<[sort: string, terms: [property: string, descending: boolean][]]>([
    ['name', [['name', false]]],
    [
      '-name, +id',
      [
        ['name', true],
        ['id', false],
      ],
    ],
    [
      'name:desc,id:asc',
      [
        ['name', true],
        ['id', false],
      ],
    ],
    ['name.desc', [['name', true]]],
    ['name DESC', [['name', true]]],
    ['created.at', [['created.at', false]]],
    ['', [['', false]]],
  ])('may be written as "%s"', (sort, terms) => {
    expect(toSortTerms(sort).map(({ property, descending }) => [property, descending])).toEqual(terms);
  });

  test('leaves its input as it is', () => {
    const list = [...PETS];
    queryPage(list, toQuery({ sort: toSortTerms('-id'), offset: 1 }));
    expect(list).toEqual(PETS);
  });
});

describe('a page', () => {
  test.each<[limit: number | undefined, offset: number, ids: number[]]>([
    [undefined, 0, [1, 2, 3, 4, 5]],
    [undefined, 3, [4, 5]],
    [undefined, 5, []],
    [2, 0, [1, 2]],
    [2, 1, [2, 3]],
    [2, 4, [5]],
    [2, 5, []],
    [5, 0, [1, 2, 3, 4, 5]],
    [99, 0, [1, 2, 3, 4, 5]],
    [Number.MAX_SAFE_INTEGER, 4, [5]],
    [1, Number.MAX_SAFE_INTEGER, []],
  ])('of %s from %i on is cut out, and the total stays', (limit, offset, ids) => {
    const page = queryPage(PETS, toQuery({ limit, offset }));
    expect(page.entities.map(({ id }) => id)).toEqual(ids);
    expect(page.total).toBe(5);
  });

  test('is a part of the filtered and sorted entities', () => {
    const query = toQuery({
      filters: [['sold', [true, false]]],
      sort: toSortTerms('-name'),
      limit: 1,
      offset: 1,
    });
    expect(queryPage(PETS, query)).toEqual({ entities: [PETS[1]], offset: 1, total: 3 });
  });
});

describe('the links of a page', () => {
  test.each<[limit: number, offset: number, total: number, offsets: Record<string, number>]>([
    [3, 0, 0, { first: 0, last: 0 }],
    [3, 0, 1, { first: 0, last: 0 }],
    [3, 0, 3, { first: 0, last: 0 }],
    [3, 0, 4, { first: 0, next: 3, last: 3 }],
    [3, 0, 7, { first: 0, next: 3, last: 6 }],
    [3, 3, 7, { first: 0, prev: 0, next: 6, last: 6 }],
    [3, 6, 7, { first: 0, prev: 3, last: 6 }],
    [3, 2, 7, { first: 0, prev: 0, next: 5, last: 6 }],
    [3, 4, 7, { first: 0, prev: 1, last: 6 }],
    [3, 7, 7, { first: 0, prev: 4, last: 6 }],
    [3, 100, 7, { first: 0, prev: 6, last: 6 }],
    [3, 100, 0, { first: 0, prev: 0, last: 0 }],
    [1, 0, 2, { first: 0, next: 1, last: 1 }],
  ])('of %i from %i on, out of %i, are %j', (limit, offset, total, offsets) => {
    const links = readLinks(linksOf(limit, offset, total));
    const found = Object.entries(links).map(([rel, target]) => [
      rel,
      Number(target.searchParams.get('offset')),
    ]);
    expect(Object.fromEntries(found)).toEqual(offsets);
    for (const target of Object.values(links)) expect(target.searchParams.get('limit')).toBe(String(limit));
  });

  test('follow RFC 8288', () => {
    expect(linksOf(3, 0, 28, 'limit=3')).toBe(
      '</pets?limit=3&offset=0>; rel="first", </pets?limit=3&offset=3>; rel="next", ' +
        '</pets?limit=3&offset=27>; rel="last"',
    );
  });

  test('keep the other parameters, and have no character that would end a link', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string())), (pairs) => {
        const others = pairs.filter(([name]) => name !== 'limit' && name !== 'offset');
        const search = new URLSearchParams(others).toString();
        const value = linksOf(3, 3, 9, search);
        expect(value).toMatch(/^[!-~ ]*$/);
        const links = readLinks(value);
        expect(Object.keys(links)).toEqual(['first', 'prev', 'next', 'last']);
        for (const { pathname, searchParams } of Object.values(links)) {
          const kept = [...searchParams].filter(([name]) => name !== 'limit' && name !== 'offset');
          expect(pathname).toBe('/pets');
          expect(kept).toEqual([...new URLSearchParams(search)]);
        }
      }),
    );
  });
});

describe('any list', () => {
  test('is all of its pages, one after the other', () => {
    fc.assert(
      fc.property(list(), fc.integer({ min: 1, max: 9 }), sort(), (entities, limit, by) => {
        const terms = by === undefined ? [] : toSortTerms(by);
        const all = queryPage(entities, toQuery({ sort: terms })).entities;
        const pages: Entity[] = [];
        for (let offset = 0; offset < entities.length; offset += limit) {
          const page = queryPage(entities, toQuery({ sort: terms, limit, offset }));
          expect(page.total).toBe(entities.length);
          pages.push(...page.entities);
        }
        expect(pages).toEqual(all);
        expect(new Set(pages)).toEqual(new Set(entities));
      }),
    );
  });

  test('is visited completely, each entity once, by next from the first page and by prev from the last', () => {
    fc.assert(
      fc.property(list(), fc.integer({ min: 1, max: 9 }), (entities, limit) => {
        const all = entities.map(({ id }) => id);
        const forward = walk(entities, limit, 'first', 'next');
        expect(forward.flat()).toEqual(all);
        expect(walk(entities, limit, 'last', 'prev').reverse()).toEqual(forward);
      }),
    );
  });

  test('has a link to the next and the previous page where there is one', () => {
    fc.assert(
      fc.property(list(), fc.integer({ min: 1, max: 9 }), fc.nat(50), (entities, limit, offset) => {
        const links = readLinks(linksOf(limit, offset, entities.length));
        const at = (rel: string) => Number(links[rel]?.searchParams.get('offset'));
        expect('next' in links).toBe(offset + limit < entities.length);
        expect('prev' in links).toBe(offset > 0);
        if ('next' in links) expect(at('next')).toBe(offset + limit);
        if ('prev' in links) expect(at('prev')).toBeLessThan(offset);
        expect(at('first')).toBe(0);
        expect(at('last')).toBeLessThanOrEqual(Math.max(0, entities.length - 1));
        expect(at('last') + limit).toBeGreaterThanOrEqual(entities.length);
      }),
    );
  });
});

function toQuery(query: Partial<ListQuery>): ListQuery {
  return { filters: [], offset: 0, ...query };
}

/** The links of a page in a list that is paged by limit and offset. */
function linksOf(limit: number, offset: number, total: number, search = ''): string {
  const reader = createSchemaReader({});
  const parameter = (name: string) => buildParameter(reader, 'query', { name, schema: { type: 'integer' } });
  const parameters = { ...NONE, limit: parameter('limit'), offset: parameter('offset') };
  return toPageLinks('/pets', buildPages(parameters)(search, { limit, offset, total })) ?? '';
}

const NONE = {
  page: undefined,
  cursor: undefined,
  sort: undefined,
  direction: undefined,
  search: undefined,
  filters: [],
};

function readLinks(value: string): Record<string, URL> {
  return Object.fromEntries(
    value.split(', ').map((link) => {
      const [, target = '', rel = ''] = /^<([^<>]*)>; rel="([a-z]+)"$/.exec(link) ?? [];
      expect(link).toBe(`<${target}>; rel="${rel}"`);
      return [rel, new URL(target, 'http://localhost')];
    }),
  );
}

/** The ids on each page, from the page that `start` leads to along `rel`. */
function walk(entities: readonly Entity[], limit: number, start: string, rel: string): unknown[][] {
  const linksAt = (offset: number) => readLinks(linksOf(limit, offset, entities.length));
  const pages: unknown[][] = [];
  for (let target = linksAt(0)[start]; target; ) {
    const offset = Number(target.searchParams.get('offset'));
    const page = queryPage(entities, toQuery({ limit, offset }));
    pages.push(page.entities.map(({ id }) => id));
    target = linksAt(offset)[rel];
    expect(pages.length).toBeLessThanOrEqual(entities.length + 1);
  }
  return pages;
}

function list(): fc.Arbitrary<Entity[]> {
  const name = fc.constantFrom('a', 'b', 'B', undefined);
  const size = fc.constantFrom(1, 2, 10, undefined);
  return fc
    .array(fc.record({ name, size }), { maxLength: 30, size: 'max' })
    .map((entities) => entities.map((entity, index) => ({ id: index + 1, ...entity })));
}

function sort(): fc.Arbitrary<string | undefined> {
  return fc.constantFrom(undefined, 'id', '-id', 'name', '-name', 'size', '-size,name');
}
