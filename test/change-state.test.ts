import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { answerOf, idsOf } from './support/asking.ts';
import { INTEGER, inPath, TEXT, toCrud, toDocument, toObject } from './support/small-documents.ts';

const POST = toObject({ id: INTEGER, title: TEXT, userId: INTEGER }, 'id', 'title');
const BLOG = toDocument({
  ...toCrud('/users', inPath('userId'), toObject({ id: INTEGER, name: { ...TEXT, nullable: true } }, 'id')),
  ...toCrud('/users/{userId}/posts', inPath('postId'), POST, { above: [inPath('userId')] }),
  ...toCrud('/tags', inPath('slug', TEXT), toObject({ slug: TEXT, title: TEXT, uses: INTEGER }, 'slug')),
});

const REX = { id: 5, name: 'Rex', categoryId: 99, status: 'sold' };

afterEach(closeAll);

const send = async (ask: Ask, method: string, path: string, body?: unknown) => {
  const response = await ask(`/__mock/state${path}`, body === undefined ? { method } : json(method, body));
  const text = await response.text();
  return [response.status, text === '' ? undefined : JSON.parse(text)] as const;
};

describeInProcess('A change of the state', ({ open }) => {
  test('replaces everything, and what is left out is empty', async () => {
    const { ask, mock } = await open();
    expect(await send(ask, 'PUT', '', { pets: [REX] })).toEqual([204, undefined]);
    expect(await mock.state()).toEqual({
      categories: [],
      pets: [REX],
      // The inventory of a pet follows from it.
      inventory: [{ petId: 5, quantity: 0, status: 'sold' }],
      orders: [],
    });
    expect(await answerOf(ask, '/pets/5')).toEqual([200, REX]);
    mock.reset();
    expect((await answerOf(ask, '/pets/1'))[0]).toBe(200);
    expect(mock.diff()).toEqual({ added: [], removed: [], changed: [] });
  });

  test('replaces a list, in the order that is given, and keeps the others', async () => {
    const { ask, mock } = await open();
    const before = await mock.state();
    const categories = [{ id: 7, name: 'Cats' }, { name: 'Dogs' }, { id: 2, name: 'Birds' }];
    expect(await send(ask, 'PUT', '/categories', categories)).toEqual([204, undefined]);
    expect(await idsOf(ask, '/categories')).toEqual([7, 8, 2]);
    expect((await mock.state()).orders).toEqual(before.orders);
    expect(await answerOf(ask, '/categories', json('POST', { name: 'Next' }))).toMatchObject([
      201,
      { id: 9 },
    ]);
    expect(await send(ask, 'DELETE', '/categories')).toEqual([204, undefined]);
    expect(await idsOf(ask, '/categories')).toEqual([]);
  });

  test('merges entities into a list by their keys', async () => {
    const { ask } = await open({ spec: BLOG, fixtures: { users: [{ id: 1, name: 'Ada' }, { id: 2 }] } });
    const patch = [{ id: 2, name: 'Bo' }, { id: 1, name: null }, { name: 'Cy' }];
    expect(await send(ask, 'PATCH', '/users', patch)).toEqual([204, undefined]);
    expect(await send(ask, 'GET', '/users')).toEqual([
      200,
      [
        { id: 1, name: null },
        { id: 2, name: 'Bo' },
        { id: 3, name: 'Cy' },
      ],
    ]);
  });

  test('puts, changes and deletes one entity', async () => {
    const { ask } = await open();
    const { id, ...rest } = REX;
    expect(await send(ask, 'PUT', '/pets/5', rest)).toEqual([200, REX]);
    expect(await answerOf(ask, '/pets/5')).toEqual([200, REX]);
    expect(await send(ask, 'PATCH', '/pets/5', { name: 'Max' })).toEqual([200, { ...REX, name: 'Max' }]);
    // A client may not delete a category with pets.
    expect((await answerOf(ask, '/categories/1', { method: 'DELETE' }))[0]).toBe(409);
    expect(await send(ask, 'DELETE', '/categories/1')).toEqual([204, undefined]);
    expect((await answerOf(ask, '/categories/1'))[0]).toBe(404);
    expect(await send(ask, 'PUT', '/pets/100', { name: 'Far', categoryId: 1 })).toMatchObject([
      200,
      { id: 100 },
    ]);
    expect(await send(ask, 'GET', '/inventory/100')).toMatchObject([200, { petId: 100 }]);
  });

  test('reaches lists below others', async () => {
    const { ask } = await open({ spec: BLOG, empty: true });
    await send(ask, 'PUT', '', { users: [{ id: 1 }, { id: 2 }], posts: [{ id: 1, title: 'a', userId: 1 }] });
    expect(await send(ask, 'PUT', '/posts@users%2F2', [{ title: 'b' }, { title: 'c' }])).toEqual([
      204,
      undefined,
    ]);
    expect(await idsOf(ask, '/users/1/posts')).toEqual([1]);
    // An entity may name its parent instead.
    expect(await send(ask, 'PATCH', '/posts', [{ id: 1, userId: 1, title: 'A' }])).toEqual([204, undefined]);
    expect(await answerOf(ask, '/users/1/posts')).toEqual([200, [{ id: 1, userId: 1, title: 'A' }]]);
    expect(await idsOf(ask, '/users/2/posts')).toEqual([1, 2]);
    expect(await send(ask, 'PATCH', '/posts@users%2F2/2', { title: 'd' })).toEqual([
      200,
      { id: 2, title: 'd', userId: 2 },
    ]);
    expect(await send(ask, 'DELETE', '/posts@users%2F2/1')).toEqual([204, undefined]);
    expect(await idsOf(ask, '/users/2/posts')).toEqual([2]);
    expect(await send(ask, 'PUT', '/posts', [])).toEqual([204, undefined]);
    expect(await idsOf(ask, '/users/2/posts')).toEqual([]);
  });

  test('with mistakes names all of them, and changes nothing', async () => {
    const { ask, mock } = await open();
    const wrong = {
      pets: [REX, { id: '5', categoryId: 1 }, REX],
      pest: [],
      categories: [{ id: 1 }],
    };
    const [status, { code, message }] = await send(ask, 'PUT', '', wrong);
    expect([status, code, message.split('; ')]).toEqual([
      422,
      'validation_failed',
      [
        'body.pets[1].name: is required',
        'body.pets[1].id: must be integer',
        'body.pets[2].id: must differ from that of every other entity',
        'body.pest: is not a list of the state',
        'did you mean pets?',
        'body.categories[0].name: is required',
      ],
    ]);
    await expect(mock.seed(wrong)).rejects.toThrow(/^pets\[1\]\.name: is required; .*categories\[0\]/s);
    expect(mock.diff()).toEqual({ added: [], removed: [], changed: [] });
  });
});

/** Requests that are refused. */
const REFUSED: readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
])[] = [
  ['GET', '/pest', undefined, 404, 'list_not_found'],
  ['GET', '/constructor', undefined, 404, 'list_not_found'],
  ['GET', '/pets@users%2F3', undefined, 404, 'list_not_found'],
  ['GET', '/__proto__/1', undefined, 404, 'list_not_found'],
  ['GET', '/pets/0', undefined, 404, 'entity_not_found'],
  ['GET', '/pets/__proto__', undefined, 404, 'entity_not_found'],
  ['PATCH', '/pets/0', {}, 404, 'entity_not_found'],
  ['DELETE', '/pets/0', undefined, 404, 'entity_not_found'],
  ['DELETE', '/pest', undefined, 404, 'list_not_found'],
  ['PUT', '/pest', [], 404, 'list_not_found'],
  ['PUT', '/pets', {}, 422, 'validation_failed'],
  ['PUT', '/pets', [null], 422, 'validation_failed'],
  ['PUT', '', [], 422, 'validation_failed'],
  ['PUT', '', { pets: {} }, 422, 'validation_failed'],
  ['PUT', '/pets/5', { ...REX, id: 6 }, 422, 'validation_failed'],
  ['PUT', '/pets/x', { ...REX, id: undefined }, 422, 'validation_failed'],
  ['PUT', '/pets/05', { ...REX, id: undefined }, 422, 'validation_failed'],
  ['PATCH', '/pets/5', { name: null }, 422, 'validation_failed'],
  ['PATCH', '/pets/5', [], 422, 'validation_failed'],
];

describe('The state', () => {
  test.each(REFUSED)('refuses %s %s with %j: %i %s', async (method, path, body, status, code) => {
    const mock = await createMock();
    const answer = await send(mock.fetch, method, path, body);
    expect(answer).toEqual([status, expect.objectContaining({ code })]);
    expect(mock.diff()).toEqual({ added: [], removed: [], changed: [] });
  });

  test('takes contradictions, and the mock goes on', async () => {
    const mock = await createMock();
    await mock.seed({
      pets: [REX, { id: 2 ** 53 - 1, name: 'Last', categoryId: 1, status: 'available' }],
      inventory: [{ petId: 77, quantity: -3, status: 'pending' }],
      orders: [{ id: 1, petId: 404, quantity: -(2 ** 40), complete: false }],
      categories: [],
    });
    for (const [method, path] of [
      ['GET', '/pets'],
      ['GET', '/inventory'],
      ['GET', '/orders'],
      ['GET', '/pets/5/profile'],
      ['POST', '/pets'],
      ['DELETE', '/orders/1'],
      ['DELETE', '/pets/5'],
    ] as const) {
      const body = method === 'POST' ? json(method, { name: 'New', categoryId: 1 }) : { method };
      expect.soft([path, (await mock.fetch(path, body)).status < 500]).toEqual([path, true]);
    }
    expect(await mock.reload()).toBeInstanceOf(Array);
  });

  test('is seeded with plain data: a copy, dates as texts, large integers exact', async () => {
    const mock = await createMock({ spec: BLOG, empty: true });
    const tags = [{ slug: 'a', title: new Date(0), uses: 1 }];
    await mock.seed({ tags });
    if (tags[0]) tags[0].uses = 2;
    expect((await mock.state()).tags).toEqual([{ slug: 'a', title: '1970-01-01T00:00:00.000Z', uses: 1 }]);
    await mock.seed({ tags: [{ slug: 'b', uses: 2n ** 60n }, { title: 'c' }] });
    const state = await mock.state();
    expect(state.tags).toEqual([
      { slug: 'b', uses: 2n ** 60n },
      { slug: expect.any(String), title: 'c' },
    ]);
    await mock.seed(state);
    expect(await mock.state()).toEqual(state);
    const circular: Record<string, unknown> = { slug: 'c' };
    circular.self = circular;
    await expect(mock.seed({ tags: [circular] })).rejects.toThrow('The state is not plain data');
    await expect(mock.seed([] as never)).rejects.toThrow('Expected lists by the names of resources');
    await expect(mock.seed(undefined as never)).rejects.toThrow(/plain data|Expected lists/);
  });

  test.each([
    ['a lone surrogate as key', [{ slug: '\ud800' }]],
    ['a lone surrogate as parent', { 'posts@users/\ud800': [] }],
  ])('refuses %s', async (_, body) => {
    const mock = await createMock({ spec: BLOG, empty: true });
    const path = Array.isArray(body) ? '/tags' : '';
    expect(await send(mock.fetch, 'PUT', path, body)).toMatchObject([422, { code: 'validation_failed' }]);
  });

  test('takes a list of eighty thousand mistakes, and one of as many entities without a key', async () => {
    const mock = await createMock({ spec: BLOG, empty: true });
    const many = (entity: object) => Array.from({ length: 80_000 }, () => entity);
    const response = await mock.fetch('/__mock/state/users', json('PUT', many({ id: 'x' })));
    expect(response.status).toBe(422);
    expect(((await response.json()) as { message: string }).message).toMatch(/and 79990 more$/);
    expect((await send(mock.fetch, 'PUT', '/users', many({})))[0]).toBe(204);
    expect((await send(mock.fetch, 'PUT', '/tags', many({})))[0]).toBe(204);
  }, 30_000);

  test('never fails for any data', async () => {
    const mock = await createMock({ spec: BLOG });
    const name = fc.constantFrom(
      'users',
      'posts',
      'posts@users/1',
      'tags',
      '__proto__',
      'posts@users/%',
      '@',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(
        fc.record(
          {
            id: fc.oneof(fc.integer(), fc.jsonValue()),
            userId: fc.oneof(fc.integer(), fc.constant({ toString: 1 })),
            slug: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
            title: fc.string(),
          },
          { requiredKeys: [] },
        ),
      ),
    );
    const method = fc.constantFrom('PUT', 'PATCH', 'DELETE', 'GET');
    await fc.assert(
      fc.asyncProperty(
        method,
        name,
        value,
        fc.option(fc.string({ unit: 'binary' })),
        async (by, list, body, key) => {
          const parts = [list, ...(key === null || /\p{Surrogate}/u.test(key) ? [] : [key])].map(
            encodeURIComponent,
          );
          const init = by === 'GET' || by === 'DELETE' ? { method: by } : json(by, body);
          const response = await mock.fetch(`/__mock/state/${parts.join('/')}`, init);
          expect(response.status).toBeLessThan(500);
          const whole = await mock.fetch('/__mock/state', json('PUT', { [list]: body }));
          expect(whole.status).toBeLessThan(500);
          for (const path of ['/__mock/state', '/users', '/tags', '/users/1/posts'])
            expect((await mock.fetch(path)).status).toBeLessThan(500);
        },
      ),
      { numRuns: 150 },
    );
  });
});
