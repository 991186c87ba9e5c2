import { afterEach, expect, test } from 'vitest';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { answerOf, create, idsOf } from './support/asking.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  type Node,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toList,
  toObject,
  toOperation,
  toReference,
} from './support/small-documents.ts';

const PET = toObject({ id: INTEGER, name: TEXT, ownerId: TEXT }, 'id');
const NEW_PET = toObject({ name: TEXT });
const PETS = toDocument(toCrud('/pets', inPath('petId'), PET, { input: NEW_PET }));
afterEach(closeAll);

describeInProcess('an entity', ({ open }) => {
  test('is made, read, listed, replaced, changed and deleted, and then it is gone', async () => {
    const { ask } = await open({ spec: PETS, empty: true });
    const made = await ask('/pets', json('POST', { name: 'Ada' }));
    expect([made.status, made.headers.get('Location'), await made.json()]).toEqual([
      201,
      '/pets/1',
      { id: 1, name: 'Ada' },
    ]);
    expect(await answerOf(ask, '/pets')).toEqual([200, [{ id: 1, name: 'Ada' }]]);
    expect(await answerOf(ask, '/pets/1', json('PUT', { name: 'Bo' }))).toEqual([200, { id: 1, name: 'Bo' }]);
    expect(await answerOf(ask, '/pets/1', json('PATCH', { name: 'Cy' }))).toEqual([
      200,
      { id: 1, name: 'Cy' },
    ]);
    expect((await ask('/pets/1', { method: 'HEAD' })).status).toBe(200);
    expect(await answerOf(ask, '/pets/1', { method: 'DELETE' })).toEqual([204, undefined]);
    for (const init of [{}, json('PATCH', {}), { method: 'DELETE' }])
      expect(await answerOf(ask, '/pets/1', init)).toEqual([404, 'pet_not_found']);
    expect((await ask('/pets/1', { method: 'HEAD' })).status).toBe(404);
  });

  test('is made by a PUT where the document has 201 for it', async () => {
    const { ask } = await open({ spec: PETS, empty: true });
    const made = await ask('/pets/7', json('PUT', { name: 'Ada' }));
    expect([made.status, made.headers.get('Location'), await made.json()]).toEqual([
      201,
      '/pets/7',
      { id: 7, name: 'Ada' },
    ]);
    expect(await create(ask, '/pets')).toEqual({ id: 8 });
  });

  test.each(['1.0', 'abc', '1e3', '007', '%20', '-0'])(
    'with an integer for its key is not made by a PUT to /pets/%s',
    async (key) => {
      const spec = toDocument(toCrud('/pets', inPath('petId', TEXT), PET, { input: NEW_PET }));
      const { ask } = await open({ spec, empty: true });
      expect(await answerOf(ask, `/pets/${key}`, json('PUT', { name: 'x' }))).toEqual([
        422,
        'invalid_parameter',
      ]);
      expect(await idsOf(ask, '/pets')).toEqual([]);
    },
  );

  test('is named by the body of a PUT on the collection, which makes one where none is named', async () => {
    const thing = toObject({ id: TEXT, name: TEXT });
    const spec = (...statuses: number[]) =>
      toDocument({
        '/things': {
          get: toOperation(toAnswer(200, toList(thing))),
          put: toOperation(Object.assign({}, ...statuses.map((status) => toAnswer(status, thing))), thing),
        },
        '/things/{id}': { parameters: [inPath('id', TEXT)], get: toOperation(toAnswer(200, thing)) },
      });
    const { ask } = await open({ spec: spec(200, 201), empty: true });
    expect(await answerOf(ask, '/things', json('PUT', { id: 'a', name: 'x' }))).toEqual([
      201,
      { id: 'a', name: 'x' },
    ]);
    expect(await answerOf(ask, '/things', json('PUT', { id: 'a', name: 'y' }))).toEqual([
      200,
      { id: 'a', name: 'y' },
    ]);
    for (const body of [{ name: 'z' }, { id: '', name: 'z' }]) {
      const [status, made] = await answerOf(ask, '/things', json('PUT', body));
      expect([status, made]).toEqual([201, { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'z' }]);
    }
    const { ask: other } = await open({ spec: spec(200), empty: true });
    expect(await answerOf(other, '/things', json('PUT', { name: 'x' }))).toEqual([422, 'validation_failed']);
    expect(await answerOf(other, '/things', json('PUT', { id: 'a' }))).toEqual([404, 'thing_not_found']);
  });

  test('has the key that its client chose, unless that stands for none', async () => {
    const { ask } = await open({ spec: toDocument(toCrud('/pets', inPath('id'), PET)), empty: true });
    expect(await create(ask, '/pets', { id: 5 })).toEqual({ id: 5 });
    expect(await answerOf(ask, '/pets', json('POST', { id: 5 }))).toEqual([201, { id: 5 }]);
    expect(await create(ask, '/pets', { id: 0 })).toEqual({ id: 6 });
  });

  test('takes no key twice where the document declares a 409', async () => {
    const paths = toCrud('/pets', inPath('id'), PET) as Record<string, { post: { responses: object } }>;
    Object.assign(paths['/pets']?.post.responses ?? {}, { 409: { description: 'Taken' } });
    const { ask } = await open({ spec: toDocument(paths), empty: true });
    await create(ask, '/pets', { id: 5 });
    expect((await ask('/pets', json('POST', { id: 5 }))).status).toBe(409);
  });

  test('answers the methods with the statuses and bodies that the document has', async () => {
    const spec = toDocument({
      '/pets': {
        get: toOperation(toAnswer(200, toList(PET))),
        post: toOperation(toAnswer(200, toObject({ id: INTEGER }, 'id')), NEW_PET),
      },
      '/pets/{id}': {
        parameters: [inPath('id')],
        get: toOperation(toAnswer(200, PET)),
        put: toOperation(toAnswer(204), NEW_PET),
        patch: toOperation(toAnswer(202, PET), NEW_PET),
        delete: toOperation(toAnswer(200, PET)),
      },
    });
    const { ask } = await open({ spec, empty: true });
    expect(await answerOf(ask, '/pets', json('POST', { name: 'Ada' }))).toEqual([200, { id: 1 }]);
    expect(await answerOf(ask, '/pets/1', json('PUT', { name: 'Bo' }))).toEqual([204, undefined]);
    expect(await answerOf(ask, '/pets/1', json('PATCH', {}))).toEqual([202, { id: 1, name: 'Bo' }]);
    expect(await answerOf(ask, '/pets/1', { method: 'DELETE' })).toEqual([200, { id: 1, name: 'Bo' }]);
  });

  test('is shown in the envelope of the document, and taken from one', async () => {
    const spec = toDocument({
      '/articles': {
        get: toOperation(
          toAnswer(200, toObject({ articles: toList(PET), articlesCount: INTEGER }, 'articles')),
        ),
        post: toOperation(
          toAnswer(201, toObject({ article: PET }, 'article')),
          toObject({ article: NEW_PET }, 'article'),
        ),
      },
      '/articles/{id}': {
        parameters: [inPath('id')],
        get: toOperation(toAnswer(200, toObject({ article: PET }))),
      },
    });
    const { ask } = await open({ spec, empty: true });
    expect(await create(ask, '/articles', { article: { name: 'x' } })).toEqual({
      article: { id: 1, name: 'x' },
    });
    expect(await answerOf(ask, '/articles/1')).toEqual([200, { article: { id: 1, name: 'x' } }]);
    expect(await answerOf(ask, '/articles')).toEqual([
      200,
      { articles: [{ id: 1, name: 'x' }], articlesCount: 1 },
    ]);
  });

  test('may have properties that are called like those of every object', async () => {
    const team = toObject({ id: INTEGER, constructor: TEXT, valueOf: TEXT }, 'id', 'constructor');
    const query = [inQuery('constructor'), inQuery('sort')];
    const spec = toDocument(
      toCrud('/teams', inPath('id'), team, { input: toObject({ valueOf: TEXT, constructor: TEXT }), query }),
    );
    const { ask } = await open({ spec, empty: true });
    expect(await create(ask, '/teams')).toEqual({ id: 1, constructor: expect.any(String) });
    expect(await create(ask, '/teams', { constructor: 'a' })).toEqual({ id: 2, constructor: 'a' });
    expect(await idsOf(ask, '/teams')).toEqual([1, 2]);
    expect(await idsOf(ask, '/teams?constructor=a')).toEqual([2]);
    expect(await idsOf(ask, '/teams?sort=constructor')).toEqual([2, 1]);
    const { ask: seeded } = await open({ spec });
    expect(await idsOf(seeded, '/teams')).toHaveLength(10);
  });

  test('loses by null in a PATCH what has no null for a value, and keeps null elsewhere, however deep', async () => {
    const free = { type: 'string', nullable: true };
    const thing = toObject({
      id: INTEGER,
      note: free,
      name: TEXT,
      at: toObject({ zip: free, city: TEXT }, 'zip'),
    });
    const { ask } = await open({ spec: toDocument(toCrud('/things', inPath('id'), thing)), empty: true });
    await create(ask, '/things', { note: 'n', name: 'x', at: { zip: '1', city: 'y' } });
    const patch = json('PATCH', { note: null, name: null, at: { zip: null, city: null } });
    expect(await answerOf(ask, '/things/1', patch)).toEqual([200, { id: 1, note: null, at: { zip: null } }]);
  });

  test('is filled with the defaults of the document', async () => {
    const thing = toObject({ id: INTEGER, colour: { type: 'string', default: 'red' } });
    const { ask } = await open({ spec: toDocument(toCrud('/things', inPath('id'), thing)), empty: true });
    expect(await create(ask, '/things')).toEqual({ id: 1, colour: 'red' });
    expect(await create(ask, '/things', { colour: 'blue' })).toEqual({ id: 2, colour: 'blue' });
  });

  test('is filled with the defaults inside of what a client gives, and of nothing else', async () => {
    const part = {
      allOf: [
        toObject({ name: TEXT, size: { type: 'integer', default: 0 } }),
        toObject({
          parts: toList(toReference('Part')),
          spare: { allOf: [toReference('Part')], default: {} },
        }),
      ],
    };
    const thing = toObject({ id: INTEGER, part: toReference('Part'), other: toReference('Part') });
    const { ask } = await open({
      spec: toDocument(toCrud('/things', inPath('id'), thing), { Part: part }),
      empty: true,
    });
    const given = { part: { name: 'a', parts: [{ size: 2, spare: { name: 'b' } }, {}] } };
    const filled = {
      id: 1,
      part: {
        name: 'a',
        size: 0,
        spare: {},
        parts: [
          { size: 2, spare: { name: 'b', size: 0, spare: {} } },
          { size: 0, spare: {} },
        ],
      },
    };
    expect(await create(ask, '/things', given)).toEqual(filled);
    expect(await answerOf(ask, '/things/1', json('PUT', given))).toEqual([200, filled]);
    const patch = json('PATCH', { other: { name: 'c' } });
    expect(await answerOf(ask, '/things/1', patch)).toEqual([200, { ...filled, other: { name: 'c' } }]);
  });
});

describeInProcess('what goes one way only', ({ open }) => {
  const address = toObject(
    { city: TEXT, geo: { type: 'string', readOnly: true }, pin: { type: 'string', writeOnly: true } },
    'city',
    'geo',
    'pin',
  );
  const thing = {
    allOf: [
      toObject(
        {
          id: { type: 'integer', readOnly: true },
          at: toReference('Address'),
          all: toList(toReference('Address')),
        },
        'id',
      ),
      toObject(
        { secret: { allOf: [toReference('Secret')] }, stamp: toReference('Stamp') },
        'secret',
        'stamp',
      ),
    ],
  };
  const schemas = {
    Address: address,
    Secret: { type: 'string', writeOnly: true },
    Stamp: { type: 'string', readOnly: true },
  };
  const spec = toDocument(toCrud('/things', inPath('id'), thing), schemas);
  const given = { city: 'x', geo: 'CLIENT', pin: 'HIDDEN' };
  const body = { at: given, all: [given], secret: 'HIDDEN', stamp: 'CLIENT' };

  test('is neither taken nor shown, however deep and behind whatever references', async () => {
    const { ask } = await open({ spec, empty: true });
    const made = await create(ask, '/things', body);
    expect(made).toMatchObject({
      at: { city: 'x', geo: expect.any(String) },
      all: [{ city: 'x' }],
      stamp: expect.any(String),
    });
    for (const method of ['PATCH', 'PUT'])
      expect(await answerOf(ask, '/things/1', json(method, { ...body, id: 1 }))).toEqual([200, made]);
    const shown = JSON.stringify([made, await answerOf(ask, '/things'), await answerOf(ask, '/things/1')]);
    expect(shown).not.toMatch(/CLIENT|HIDDEN/);
  });

  test('is right for the document everywhere', async () => {
    const { mock } = await open({ spec });
    expect((await mock.check()).violations).toEqual([]);
  });
});

const KEYS: readonly [what: string, schema: Node][] = [
  ['an integer', INTEGER],
  ['an integer above a bound', { type: 'integer', format: 'int64', minimum: 10_000_000_000 }],
  ['an integer above an open bound', { type: 'integer', minimum: 100, exclusiveMinimum: true }],
  ['a UUID', { type: 'string', format: 'uuid' }],
  ['a pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d{2}$' }],
  ['a short text', { type: 'string', minLength: 3, maxLength: 5 }],
  ['a text like its example', { type: 'string', example: 'sku-1' }],
];

describeInProcess('a generated key', ({ open }) => {
  const toSpec = (schema: Node) =>
    toDocument(toCrud('/things', inPath('id', schema), toObject({ id: schema }, 'id'), { input: NEW_PET }));
  const make = async (ask: Ask, count: number) => {
    const keys: unknown[] = [];
    for (let index = 0; index < count; index++) keys.push((await create(ask, '/things')).id);
    return keys;
  };
  const drop = async (ask: Ask, keys: readonly unknown[]) => {
    for (const key of keys) expect((await ask(`/things/${key}`, { method: 'DELETE' })).status).toBe(204);
  };

  test.each(KEYS)('that is %s comes never twice, not even after a delete', async (_, schema) => {
    const { ask } = await open({ spec: toSpec(schema) });
    const first = await idsOf(ask, '/things');
    const second = await make(ask, 12);
    await drop(ask, [...first, ...second]);
    const third = await make(ask, 12);
    expect(new Set([...first, ...second, ...third]).size).toBe(first.length + 24);
  });

  test.each(KEYS)('that is %s is the same after a reset', async (_, schema) => {
    const { ask, mock } = await open({ spec: toSpec(schema) });
    const before = await make(ask, 3);
    await drop(ask, before);
    mock.reset();
    expect(await make(ask, 3)).toEqual(before);
  });

  test.each<[what: string, property: Node, parameter: Node]>([
    ['digits in a text', TEXT, INTEGER],
    ['a number in a path that is text', INTEGER, TEXT],
    ['a pattern of the path alone', TEXT, { type: 'string', pattern: '^[a-z]{24}$' }],
    ['a bound of the path alone', INTEGER, { type: 'integer', minimum: 100 }],
  ])('can be asked for: %s', async (_, property, parameter) => {
    const spec = toDocument(
      toCrud('/things', inPath('id', parameter), toObject({ id: property }, 'id'), { input: NEW_PET }),
    );
    const { ask, mock } = await open({ spec });
    const keys = [...(await idsOf(ask, '/things')), ...(await make(ask, 3))];
    for (const key of keys) expect.soft([key, (await ask(`/things/${key}`)).status]).toEqual([key, 200]);
    expect((await mock.check()).violations).toEqual([]);
  });

  test('is a 409 where none is left', async () => {
    const { ask } = await open({ spec: toSpec({ type: 'integer', minimum: 3, maximum: 4 }), empty: true });
    expect(await make(ask, 2)).toEqual([3, 4]);
    expect(await answerOf(ask, '/things', json('POST', {}))).toEqual([409, 'thing_exists']);
    await drop(ask, [3]);
    expect(await make(ask, 1)).toEqual([3]);
  });
});
