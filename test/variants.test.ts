import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';

afterAll(closeAll);

/** The member that a path names. */
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

const VARIANTS = ['minimal', 'maximal', 'empty', 'long', 'unicode', 'null'];

const as = (variant: string): RequestInit => ({ headers: { Prefer: `variant=${variant}` } });
type Members = Readonly<Record<string, unknown>>;
const read = async (ask: Ask, path: string, init?: RequestInit) =>
  (await (await ask(path, init)).json()) as Members;

/** The ids of an entity, or of each in a list. */
function toIdentities(value: unknown): [id: unknown, petId: unknown][] {
  const entities = [value].flat() as Members[];
  return entities.map(({ id, petId }) => [id, petId]);
}

const TEXT = { type: 'string' };
const FREE = expect.stringMatching(/^Rex .*Llanfair.*Donaudampfschifffahrtselektrizitaeten.* /);
const SCRIPTS = expect.stringMatching(/^Rex .*ß.*漢字.*مرحبا.*\u{1f469}\u200d.*e\u0308.*'.*<b>/u);

/** A schema for a member, its value, and what the variants make of it; `undefined` where they leave it out. */
const MEMBERS: readonly (readonly [
  title: string,
  schema: object,
  value: unknown,
  pushed: Readonly<Record<string, unknown>>,
])[] = [
  ['a text', TEXT, 'Rex', { minimal: undefined, empty: '', long: FREE, unicode: SCRIPTS }],
  [
    'a text that may be null',
    { ...TEXT, nullable: true },
    'Rex',
    { minimal: undefined, empty: '', null: null, long: FREE, unicode: SCRIPTS },
  ],
  [
    'a text with a limit',
    { ...TEXT, maxLength: 8 },
    'Rex',
    { minimal: undefined, empty: '', long: 'Rex Llan', unicode: 'Rex ß' },
  ],
  [
    'a text at its limit',
    { ...TEXT, maxLength: 3, minLength: 3 },
    'Rex',
    { minimal: undefined, unicode: 'Rex' },
  ],
  ['a format', { ...TEXT, format: 'email' }, 'a@b.example', { minimal: undefined }],
  ['a pattern', { ...TEXT, pattern: '^R' }, 'Rex', { minimal: undefined }],
  ['an enum', { ...TEXT, enum: ['Rex'] }, 'Rex', { minimal: undefined }],
  ['a date without a format', TEXT, '2026-01-01', { minimal: undefined }],
  ['a link without a format', TEXT, 'https://a.example', { minimal: undefined, empty: '' }],
  [
    'a list',
    { type: 'array', items: TEXT },
    ['Rex'],
    {
      minimal: undefined,
      empty: [],
      long: [FREE],
      unicode: [SCRIPTS],
      maximal: ['Rex', expect.any(String), expect.any(String)],
    },
  ],
  [
    'a list with bounds',
    { type: 'array', minItems: 1, maxItems: 2, items: { ...TEXT, maxLength: 4 } },
    ['Rex'],
    {
      minimal: undefined,
      empty: [''],
      unicode: ['ß'],
      long: ['Rexx'],
      maximal: ['Rex', expect.any(String)],
    },
  ],
  [
    'a long list',
    { type: 'array', maxItems: 1000, items: { type: 'integer', maximum: 5 } },
    [1],
    { minimal: undefined, empty: [], long: [5], maximal: Array(10).fill(expect.any(Number)) },
  ],
  [
    'a map',
    { type: 'object', additionalProperties: TEXT },
    { a: 'Rex' },
    { minimal: undefined, empty: {}, long: { a: FREE }, unicode: { a: SCRIPTS } },
  ],
  ['an integer', { type: 'integer' }, 1, { minimal: undefined, long: 9_999_999_999 }],
  ['an int32', { type: 'integer', format: 'int32' }, 1, { minimal: undefined, long: 2_147_483_647 }],
  [
    'an int64',
    { type: 'integer', format: 'int64' },
    1,
    { minimal: undefined, long: Number.MAX_SAFE_INTEGER },
  ],
  ['a number', { type: 'number' }, 1, { minimal: undefined, long: 9_999_999_999.99 }],
  ['a price', { type: 'number', multipleOf: 0.01 }, 1, { minimal: undefined, long: expect.any(Number) }],
  [
    'a number with a limit',
    { type: 'integer', maximum: 100, exclusiveMaximum: true },
    1,
    { minimal: undefined, long: 99 },
  ],
  ['a multiple', { type: 'integer', maximum: 100, multipleOf: 7 }, 7, { minimal: undefined, long: 98 }],
  ['a negative limit', { type: 'integer', maximum: -3 }, -5, { minimal: undefined, long: -3 }],
  ['a truth', { type: 'boolean' }, true, { minimal: undefined }],
  [
    'an alternative',
    { oneOf: [{ type: 'integer' }, { ...TEXT, maxLength: 5 }] },
    'Rex',
    { minimal: undefined, empty: '', long: 'Rex L', unicode: 'Rex ß' },
  ],
  [
    'a part',
    { allOf: [TEXT, { maxLength: 5 }] },
    'Rex',
    { minimal: undefined, empty: '', long: 'Rex L', unicode: 'Rex ß' },
  ],
  [
    'a contradiction',
    { not: { enum: [''] }, type: 'string' },
    'Rex',
    { minimal: undefined, long: FREE, unicode: SCRIPTS },
  ],
  [
    'an object',
    { type: 'object', required: ['a'], properties: { a: TEXT, b: { ...TEXT, enum: ['B'] } } },
    { a: 'Rex' },
    {
      minimal: undefined,
      empty: { a: '' },
      long: { a: FREE },
      unicode: { a: SCRIPTS },
      maximal: { a: 'Rex', b: 'B' },
    },
  ],
  ['anything', {}, 'Rex', { minimal: undefined }],
];

describeInProcess('A variant', ({ open }) => {
  test.each(MEMBERS)('of %s', async (_, schema, value, pushed) => {
    const object = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, thing: schema },
    };
    const example = { id: 7, thing: value };
    const { ask } = await open({
      spec: documentOf({ '/thing': { get: { responses: jsonAnswer(object, { example }) } } }),
    });
    expect(await read(ask, '/thing')).toEqual(example);
    for (const variant of VARIANTS) {
      const { thing = value } = Object.hasOwn(pushed, variant) ? { thing: pushed[variant] ?? null } : {};
      const expected = variant in pushed && pushed[variant] === undefined ? { id: 7 } : { id: 7, thing };
      expect([variant, await read(ask, '/thing', as(variant))]).toEqual([variant, expected]);
    }
  });

  test.each(VARIANTS)('of an entity keeps its identities, and what is stored: %s', async (variant) => {
    const { ask } = await open();
    const paths = [
      '/pets/1',
      '/pets?limit=3',
      '/categories/1',
      '/store/orders/1',
      '/pets/1/profile',
      '/store/inventory',
    ];
    for (const path of paths) {
      const usual = await read(ask, path);
      const response = await ask(path, as(variant));
      expect([response.status, response.headers.get('Preference-Applied')]).toEqual([
        200,
        `variant=${variant}`,
      ]);
      const [all, found] = [toIdentities(usual), toIdentities(await response.json())];
      if (variant === 'empty' && Array.isArray(usual)) expect(found).toEqual([]);
      else if (variant !== 'minimal') expect(found).toEqual(all);
      else expect(found.map(([id]) => id)).toEqual(all.map(([id]) => id));
      expect(await read(ask, path)).toEqual(usual);
    }
  });

  test('of an answer to a write is not stored', async () => {
    const { ask } = await open();
    const init = json('POST', { name: 'Rex' }, { Prefer: 'variant=long' });
    const response = await ask('/categories', init);
    expect(response.status).toBe(201);
    const { id, name } = (await response.json()) as { id: number; name: string };
    expect(name).toEqual(FREE);
    expect(await read(ask, `/categories/${id}`)).toEqual({ id, name: 'Rex' });
  });

  test('without items empties lists, with their totals and links', async () => {
    const { ask } = await open();
    const response = await ask('/pets?limit=2&offset=4', as('empty'));
    expect(await response.json()).toEqual([]);
    expect(response.headers.get('X-Total-Count')).toBe('0');
    expect(response.headers.get('Link')).not.toContain('next');
    expect((await ask('/pets?limit=2')).headers.get('X-Total-Count')).not.toBe('0');
  });

  test('without items does not hide a mistake in the request', async () => {
    const parameters = [
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'cursor', in: 'query', schema: TEXT },
    ];
    const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: TEXT } };
    const page = { type: 'object', properties: { items: { type: 'array', items: item }, nextCursor: TEXT } };
    const spec = documentOf({
      '/bins': { get: { parameters, responses: { ...jsonAnswer(page), ...DEFAULT_ERROR } } },
      '/bins/{id}': { get: { parameters: [ID], responses: { ...jsonAnswer(item), ...DEFAULT_ERROR } } },
    });
    const bins = [1, 2, 3].map((id) => ({ id, name: 'Bin' }));
    const { ask } = await open({ spec, fixtures: { bins } });
    expect(await read(ask, '/bins?limit=1')).toMatchObject({
      items: [bins[0]],
      nextCursor: expect.any(String),
    });
    const empty = await read(ask, '/bins?limit=1', as('empty'));
    expect([empty.items, empty.nextCursor ?? '']).toEqual([[], '']);
    expect((await ask('/bins?cursor=none', as('empty'))).status).toBe(400);
  });

  test('is asked for by the query, also in strict mode', async () => {
    const { ask } = await open({ strict: true });
    const response = await ask('/pets/1?__variant=empty');
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([200, 'variant=empty']);
    expect(await response.json()).toMatchObject({ id: 1, name: '' });
    expect(await read(ask, '/pets/1?__variant=long', as('empty'))).toMatchObject({ name: '' });
  });

  test('has a cache and an ETag of its own', async () => {
    const { ask } = await open();
    const tags = new Set<string | null>();
    for (const turn of [1, 2]) {
      for (const variant of ['', 'empty', 'long']) {
        const response = await ask('/pets/1', variant === '' ? {} : as(variant));
        const { name } = (await response.json()) as { name: string };
        expect([turn, variant, name.length]).toEqual([
          turn,
          variant,
          { '': 7, empty: 0, long: 500 }[variant],
        ]);
        tags.add(response.headers.get('ETag'));
      }
    }
    expect(tags.size).toBe(3);
  });

  test('revalidates, and a change may name its ETag', async () => {
    const { ask } = await open();
    const tag = (await ask('/pets/1', as('long'))).headers.get('ETag') ?? '';
    const known = { headers: { Prefer: 'variant=long', 'If-None-Match': tag } };
    expect((await ask('/pets/1', known)).status).toBe(304);
    expect((await ask('/pets/1', { headers: { 'If-None-Match': tag } })).status).toBe(200);
    const change = { name: 'Bone' };
    const headers = { 'If-Match': tag };
    expect((await ask('/pets/1', json('PATCH', change, headers))).status).toBe(412);
    const same = json('PATCH', change, { ...headers, Prefer: 'variant=long' });
    expect((await ask('/pets/1', same)).status).toBe(200);
  });

  test('of an error pushes its message, if the error was asked for', async () => {
    const { ask } = await open();
    const asked = await ask('/pets/1', { headers: { Prefer: 'code=404, variant=long' } });
    expect(asked.headers.get('Preference-Applied')).toBe('code=404, variant=long');
    const usual = await read(ask, '/pets/1', { headers: { Prefer: 'code=404' } });
    const error = await asked.json();
    expect(error).toEqual({ ...usual, message: expect.stringContaining('Llanfair') });
    const real = await ask('/pets/4711', as('long'));
    expect([real.status, real.headers.get('Preference-Applied')]).toEqual([404, null]);
    expect(await real.text()).not.toContain('Llanfair');
  });

  test.each(['lengthy', '', 'LONG', 'long ', '__proto__', 'é'])(
    'that is unknown is named: %j',
    async (name) => {
      const { ask } = await open();
      const response = await ask(`/pets/1?__variant=${encodeURIComponent(name)}`);
      expect([response.status, response.headers.get('Preference-Applied')]).toEqual([200, null]);
      expect(response.headers.get('X-Mock-Warnings')).toMatch(
        /the variants are minimal maximal empty long unicode null \[preference-ignored\]$/,
      );
    },
  );
});

describe('A variant in other formats', () => {
  const item = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 12 } },
  };
  const list = { type: 'array', items: item };
  const content = {
    'application/json': { schema: list },
    'application/xml': { schema: { ...list, xml: { name: 'shelves', wrapped: true } } },
    'text/csv': { schema: list },
  };
  const spec = documentOf({
    '/shelves': { get: { responses: { 200: { description: 'Fine.', content } } } },
    '/shelves/{id}': { get: { parameters: [ID], responses: jsonAnswer(item) } },
    '/photo': {
      get: {
        responses: {
          200: {
            description: 'Fine.',
            content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
  });

  test.each([
    ['application/xml', /<name>Up Llanfairp<\/name>/],
    ['text/csv', /^id,name\r\n1,Up Llanfairp\r\n/],
    ['application/json', /"name":"Up Llanfairp"/],
  ])('is written in %s', async (type, text) => {
    const mock = await createMock({ spec, fixtures: { shelves: [{ id: 1, name: 'Up' }] } });
    const headers = { Accept: type, Prefer: 'variant=long' };
    expect(await (await mock.fetch('/shelves', { headers })).text()).toMatch(text);
  });

  test('leaves files as they are', async () => {
    const mock = await createMock({ spec });
    const bytes = async (init?: RequestInit) => (await mock.fetch('/photo', init)).arrayBuffer();
    const usual = await bytes();
    for (const variant of VARIANTS) expect(await bytes(as(variant))).toEqual(usual);
  });
});

describe('The envelope of a list', () => {
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: TEXT } };
  const envelope = {
    type: 'object',
    properties: {
      items: { type: 'array', nullable: true, items: item },
      total: { type: 'integer' },
      hasMore: { type: 'boolean' },
      next: { type: 'string', nullable: true },
      title: TEXT,
    },
  };
  const example = { items: [{ id: 3, name: 'Up' }], total: 9, hasMore: true, next: 'abc', title: 'Rex' };
  const spec = documentOf({ '/report': { get: { responses: jsonAnswer(envelope, { example }) } } });

  test.each([
    ['minimal', { items: [{ id: 3 }] }],
    ['maximal', example],
    ['empty', { ...example, items: [], total: 0, hasMore: false, title: '' }],
    ['long', { ...example, title: FREE, items: [{ id: 3, name: expect.stringContaining('Llanfair') }] }],
    ['unicode', { ...example, title: SCRIPTS, items: [{ id: 3, name: expect.stringContaining('漢字') }] }],
    ['null', example],
  ])('keeps what it says of the page: %s', async (variant, expected) => {
    const mock = await createMock({ spec });
    expect(await (await mock.fetch('/report', as(variant))).json()).toEqual(expected);
  });
});

test('A list may have the name of a paging member', async () => {
  const page = {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'integer' }, name: TEXT } },
  };
  const envelope = { type: 'object', properties: { page } };
  const example = { page: [{ id: 1, name: 'Up' }] };
  const mock = await createMock({
    spec: documentOf({ '/report': { get: { responses: jsonAnswer(envelope, { example }) } } }),
  });
  const answers = ['minimal', 'empty', 'null'].map(async (each) =>
    (await mock.fetch('/report', as(each))).json(),
  );
  expect(await Promise.all(answers)).toEqual([{ page: [{ id: 1 }] }, { page: [] }, example]);
});

describe('A large or deep answer', () => {
  const node = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      text: TEXT,
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`none${index}`, { ...TEXT, nullable: true }]),
      ),
      parent: { $ref: '#/components/schemas/Node' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    },
  };
  const spec = documentOf(
    {
      '/nodes': {
        get: { responses: jsonAnswer({ type: 'array', items: { $ref: '#/components/schemas/Node' } }) },
      },
      '/nodes/{id}': {
        get: { parameters: [ID], responses: jsonAnswer({ $ref: '#/components/schemas/Node' }) },
      },
    },
    { schemas: { Node: node } },
  );

  test.each(VARIANTS)('stays within bounds: %s', async (variant) => {
    const nodes = Array.from({ length: 5000 }, (_, index) => ({ id: index + 1, text: 'Rex' }));
    const mock = await createMock({ spec, fixtures: { nodes } });
    const usual = await (await mock.fetch('/nodes')).text();
    const start = performance.now();
    const text = await (await mock.fetch('/nodes', as(variant))).text();
    expect(performance.now() - start).toBeLessThan(5000);
    expect(text.length).toBeLessThan(usual.length + 2 ** 20);
    expect(JSON.parse(text).length).toBe(variant === 'empty' ? 0 : 5000);
  });

  test.each(VARIANTS)('may be thousands of levels deep: %s', async (variant) => {
    const deep = Array.from({ length: 1500 }).reduce<object>((parent, _, id) => ({ id, parent }), { id: 0 });
    const content = { example: deep };
    const answers = jsonAnswer({ $ref: '#/components/schemas/Node' }, content);
    const mock = await createMock({
      spec: documentOf({ '/node': { get: { responses: answers } } }, { schemas: { Node: node } }),
    });
    const response = await mock.fetch('/node', as(variant));
    expect(response.status).toBe(200);
  });
});

test('Whatever a client stores has every variant, and stays as it was stored', async () => {
  const thing = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', nullable: true, maxLength: 40 },
      any: {},
      tags: { type: 'array', uniqueItems: true, items: TEXT },
      map: { type: 'object', additionalProperties: { oneOf: [TEXT, { type: 'integer' }] } },
    },
  };
  const reference = { $ref: '#/components/schemas/Thing' };
  const body = { content: { 'application/json': { schema: reference } } };
  const created = { 201: { description: 'Made.', content: { 'application/json': { schema: reference } } } };
  const paths = {
    '/things': {
      get: { responses: jsonAnswer({ type: 'array', items: reference }) },
      post: { requestBody: body, responses: { ...created, ...DEFAULT_ERROR } },
    },
    '/things/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { ...jsonAnswer(reference), ...DEFAULT_ERROR },
      },
    },
  };
  const mock = await createMock({
    spec: documentOf(paths, { schemas: { Thing: thing } }),
    fixtures: { things: [] },
  });
  const given = fc.record(
    {
      name: fc.option(fc.string({ unit: 'grapheme', maxLength: 40 })),
      any: fc.jsonValue(),
      tags: fc.uniqueArray(fc.string({ unit: 'binary' })),
      map: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer())),
      more: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...VARIANTS), async (thing, variant) => {
      mock.reset();
      const made = await mock.fetch('/things', json('POST', thing));
      if (made.status !== 201) return;
      const stored = await (await mock.fetch('/things/1')).text();
      for (const path of ['/things/1', '/things']) {
        const response = await mock.fetch(path, as(variant));
        expect(response.status).toBe(200);
        await response.json();
      }
      expect(await (await mock.fetch('/things/1')).text()).toBe(stored);
    }),
    { numRuns: 200 },
  );
});

test('A variant and the form of the answer may be preferred together', async () => {
  const mock = await createMock();
  const headers = { 'Content-Type': 'application/json', Prefer: 'return=representation, variant=long' };
  const init = { method: 'POST', headers, body: '{"name":"Dragons"}' };
  const response = await mock.fetch('/categories', init);
  expect(response.headers.get('preference-applied')).toBe('return=representation, variant=long');
  expect(response.headers.get('location')).toBe('/categories/9');
  expect(((await response.json()) as { name: string }).name.length).toBeGreaterThan(7);
});
