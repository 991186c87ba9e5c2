import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMock, type MockOptions, SetupError } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { answerOf, create, idsOf } from './support/asking.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { runCommand } from './support/run-command.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fixtures-'));
});

afterEach(() => rm(directory, { recursive: true }));

const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };

/** A document with one resource for each name, whose entities have a schema. */
function specOf(schemas: Readonly<Record<string, { key: string; schema: object }>>): object {
  const paths = Object.entries(schemas).map(([name, { key, schema }]) => {
    const created = { 201: { description: 'Made.', content: { 'application/json': { schema } } } };
    const body = { content: { 'application/json': { schema: { ...schema, required: [] } } } };
    const type = (schema as { properties: Record<string, object> }).properties[key];
    return {
      [`/${name}`]: {
        get: { responses: jsonAnswer({ type: 'array', items: schema }) },
        post: { requestBody: body, responses: created },
      },
      [`/${name}/{${key}}`]: {
        parameters: [{ name: key, in: 'path', required: true, schema: type }],
        get: { responses: jsonAnswer(schema) },
      },
    };
  });
  return documentOf(Object.assign({}, ...paths));
}

const BOOK = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: NUMBER,
    title: TEXT,
    authorId: NUMBER,
    pages: { type: 'array', items: { type: 'object', properties: { amount: NUMBER } } },
  },
};
const AUTHOR = { type: 'object', properties: { id: NUMBER, name: TEXT } };
const LIBRARY = specOf({ books: { key: 'id', schema: BOOK }, authors: { key: 'id', schema: AUTHOR } });

async function refusal(fixtures: unknown, spec: object = LIBRARY): Promise<string> {
  const error: unknown = await createMock({ spec, fixtures: fixtures as never }).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(SetupError);
  return (error as SetupError).message.replaceAll(directory, '@');
}

describe('Mistakes in fixtures', () => {
  test('are reported together, of all files', async () => {
    await write({
      'books.json':
        '[\n{ "id": 1, "titel": "a" },\n{ "id": "x", "title": 7 },\n{ "id": 2, "title": "b" },\n{ "id": 2, "title": "c" }]',
      'authors.yaml': '- id: 1\n  name: [\n',
      'book.json': '[]',
      'users.json': '[]',
    });
    const lines = (await refusal(directory)).split('\n');
    expect(lines.filter((line) => !/^ +(>|\d* \|)/.test(line))).toEqual([
      'The fixtures have 6 mistakes:',
      expect.stringMatching(
        /^ {2}Failed to load the fixtures file @\/authors\.yaml: line \d, column \d: .*there\.$/,
      ),
      '  @/book.json: the document has no resource "book". Did you mean books? It has: books, authors.',
      '  @/books.json: line 2: #/0: book.title is required; book.titel is not declared; did you mean title?',
      '  @/books.json: line 3: #/1: book.id must be integer; book.title must be string.',
      '  @/books.json: line 5: #/3: the id 2 is taken already; leave it out to get a free one.',
      '  @/users.json: the document has no resource "users". It has: books, authors.',
      'Correct them there, or start without entities: --empty.',
    ]);
  });

  test('are counted beyond the first twenty', async () => {
    const books = Array.from({ length: 5000 }, () => ({ title: 1 }));
    const lines = (await refusal({ books, authros: [] })).split('\n');
    expect(lines).toHaveLength(23);
    expect(lines[0]).toBe('The fixtures have 5001 mistakes:');
    expect(lines[1]).toBe('  the fixtures: #/books/0: book.title must be string.');
    expect(lines[21]).toBe('  ... and 4981 more');
  });

  test('name five violations of an entity at most', async () => {
    const properties = Object.fromEntries('abcdefghij'.split('').map((name) => [name, NUMBER]));
    const schema = { type: 'object', properties: { id: NUMBER, ...properties } };
    const wrong = Object.fromEntries(Object.keys(properties).map((name) => [name, 'x']));
    const spec = specOf({ things: { key: 'id', schema } });
    expect(await refusal({ things: [wrong] }, spec)).toBe(
      'the fixtures: #/things/0: thing.a must be integer; thing.b must be integer; thing.c must be integer; thing.d must be integer; thing.e must be integer; and 5 more. Correct the entity there.',
    );
  });

  test('that contradict the rules are reported together too', async () => {
    await write({
      'categories.json': '[]',
      'pets.json': '[{ "name": "a", "categoryId": 1 },\n{ "name": "b", "categoryId": 2 }]',
    });
    const error = await createMock({ fixtures: directory }).catch((cause: Error) => cause.message);
    expect(error).toMatch(
      /^The fixtures have 2 mistakes:\n.*line 1: #\/0: pet 1 .*category 1.*\n.*line 2: #\/1: pet 2 /,
    );
  });

  test('suggest the property that a closed schema has', async () => {
    const schema = { ...AUTHOR, additionalProperties: false };
    const spec = specOf({ authors: { key: 'id', schema } });
    expect(await refusal({ authors: [{ nmae: 'x' }] }, spec)).toBe(
      'the fixtures: #/authors/0: author.nmae is not allowed here; did you mean name? Correct the entity there.',
    );
  });

  test.each<[what: string, fixtures: object, message: string]>([
    [
      'a list inside of an object',
      { books: { books: [] } },
      'Name the list alone, without the "books" around it.',
    ],
    ['entities by their keys', { books: { 1: { title: 'a' } } }, 'Put the entities into [ ].'],
    ['nothing', { books: null }, 'Put the entities into [ ].'],
  ])('are explained where %s takes the place of a list', async (_, fixtures, message) => {
    expect(await refusal(fixtures)).toBe(`the fixtures: #/books: expected a list of books. ${message}`);
  });

  test('are found in any data, without a crash', async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { id: fc.jsonValue(), title: fc.jsonValue(), __proto__: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    );
    const fixtures = fc.dictionary(
      fc.constantFrom('books', 'authors', 'book', '__proto__', 'toString', ''),
      fc.oneof(fc.jsonValue(), fc.array(odd)),
    );
    await fc.assert(
      fc.asyncProperty(fixtures, async (given) => {
        const result = await createMock({ spec: LIBRARY, fixtures: given as never }).catch((cause) => cause);
        if (result instanceof Error) expect(result).toBeInstanceOf(SetupError);
      }),
      { numRuns: 60 },
    );
  });
});

describe('A property that is probably mistyped', () => {
  const warningsOf = async (books: object[], options: MockOptions = {}) =>
    (await createMock({ spec: LIBRARY, fixtures: { books } as never, ...options })).warnings;

  test.each<[what: string, books: object[], warnings: string[]]>([
    [
      'beside the declared ones',
      [{ id: 1, title: 'a', auhtorId: 1 }],
      [
        'the fixtures: #/books/0: book.auhtorId is not declared; did you mean authorId? [fixture-property-unknown]',
      ],
    ],
    [
      'in a list',
      [{ id: 1, title: 'a', pages: [{}, { amuont: 1 }] }],
      [
        'the fixtures: #/books/0: book.pages[1].amuont is not declared; did you mean amount? [fixture-property-unknown]',
      ],
    ],
    [
      'in many entities',
      [1, 2, 3].map((id) => ({ id, title: 'a', titles: [] })),
      [
        'the fixtures: #/books/0: book.titles is not declared; did you mean title? (3 times in these fixtures) [fixture-property-unknown]',
      ],
    ],
    ['that resembles nothing', [{ id: 1, title: 'a', rating: 5, x: 1 }], []],
  ])('is a warning, and kept: %s', async (_, books, warnings) => {
    expect(await warningsOf(books)).toEqual(warnings);
    const mock = await createMock({ spec: LIBRARY, fixtures: { books } as never });
    expect(await answerOf(mock.fetch, '/books')).toEqual([200, books]);
  });

  test('is not a warning where the schema is open on purpose', async () => {
    const spec = specOf({ books: { key: 'id', schema: { ...BOOK, additionalProperties: true } } });
    expect(await warningsOf([{ id: 1, title: 'a', titles: [] }], { spec })).toEqual([]);
  });

  test('is named at the start', async () => {
    const [spec, fixtures] = [join(directory, 'api.yaml'), join(directory, 'all.json')];
    await write({
      'api.yaml': JSON.stringify(LIBRARY),
      'all.json': '{ "books": [{ "title": "a", "titels": 1 }] }',
    });
    const { code, out } = await runCommand([spec, '--port', '0', '--fixtures', fixtures]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /all\.json: line 1: #\/books\/0: book\.titels is not declared; did you mean title\? \[fixture-property-unknown\]\n/,
    );
  });

  test('is a parent that does not exist as well', async () => {
    const body = { content: { 'application/json': { schema: BOOK } } };
    const spec = documentOf({
      ...(specOf({ authors: { key: 'id', schema: AUTHOR } }) as { paths: object }).paths,
      '/authors/{id}/books': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: NUMBER }],
        get: { responses: jsonAnswer({ type: 'array', items: BOOK }) },
        post: { requestBody: body, responses: { 201: { description: 'Made.', ...body } } },
      },
    });
    const books = [9, 1, 8].map((authorId) => ({ title: 'a', authorId }));
    const { warnings } = await createMock({
      spec,
      fixtures: { authors: [{}], books: [...books, { title: 'b' }] },
    });
    expect(warnings).toEqual([
      'the fixtures: #/books/0: book.authorId is 9, but authors has no such entity, so no path reaches this one (2 times in these fixtures) [fixture-parent-missing]',
    ]);
  });

  test('is a directory without fixtures as well', async () => {
    await write({ 'books.csv': 'id' });
    const { warnings } = await createMock({ spec: LIBRARY, fixtures: directory });
    expect(warnings).toEqual([
      `Not read: ${join(directory, 'books.csv')}. Fixtures are .json, .yaml or .yml files. [fixtures-ignored]`,
      expect.stringMatching(/has no fixtures, so the mock starts empty\. Name the files after/),
    ]);
  });
});

describe('An entity without a key gets one', () => {
  const schemaOf = (key: object, name = 'id') => ({
    type: 'object',
    required: [name],
    properties: { [name]: key, name: TEXT, title: TEXT },
  });

  test.each<[what: string, key: object, things: object[], ids: unknown[]]>([
    ['the first numbers', NUMBER, [{}, {}], [1, 2]],
    ['the next numbers', NUMBER, [{}, { id: 7 }, {}], [7, 8, 9]],
    ['an exported null', NUMBER, [{ id: null }, { id: 3 }], [3, 4]],
    ['the first number that the document allows', { ...NUMBER, minimum: 100 }, [{}, { id: 101 }], [101, 102]],
    ['the free numbers of a small range', { ...NUMBER, maximum: 3 }, [{ id: 3 }, {}, {}], [1, 2, 3]],
    ['numbers that fit, whatever others have', NUMBER, [{ id: 2 ** 53 - 1 }, {}], [1, 2 ** 53 - 1]],
  ])('%s', async (_, key, things, ids) => {
    const spec = specOf({ things: { key: 'id', schema: schemaOf(key) } });
    const mock = await createMock({ spec, fixtures: { things } });
    expect(await idsOf(mock.fetch, '/things')).toEqual(ids);
    for (const id of ids) expect(await answerOf(mock.fetch, `/things/${id}`)).toMatchObject([200, { id }]);
  });

  test('and a POST goes on behind it', async () => {
    const spec = specOf({ things: { key: 'id', schema: schemaOf(NUMBER) } });
    const mock = await createMock({ spec, fixtures: { things: [{}, { id: 4 }] } });
    expect(await create(mock.fetch, '/things', { name: 'x' })).toMatchObject({ id: 6 });
  });

  test('that is refused where no number is left', async () => {
    const spec = specOf({ things: { key: 'id', schema: schemaOf({ ...NUMBER, maximum: 1 }) } });
    expect(await refusal({ things: [{}, {}] }, spec)).toBe(
      'the fixtures: #/things/1: thing.id is required. Correct the entity there.',
    );
  });

  test.each<[what: string, name: string, key: object, pattern: RegExp]>([
    ['a UUID', 'id', { ...TEXT, format: 'uuid' }, /^[0-9a-f]{8}-[0-9a-f]{4}-4/],
    ['a text', 'id', TEXT, /./],
    ['a text of a pattern', 'id', { ...TEXT, pattern: '^th_[0-9]{6}$' }, /^th_\d{6}$/],
    ['a username', 'username', TEXT, /./],
  ])('%s, the same at every start', async (_, name, key, pattern) => {
    const spec = specOf({ things: { key: name, schema: schemaOf(key, name) } });
    const things = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    const keysOf = async () => {
      const mock = await createMock({ spec, fixtures: { things } });
      const [, list] = await answerOf(mock.fetch, '/things');
      const keys = (list as Record<string, string>[]).map((thing) => String(thing[name]));
      for (const each of keys) expect((await answerOf(mock.fetch, `/things/${each}`))[0]).toBe(200);
      const made = await create(mock.fetch, '/things', { name: 'd' });
      expect(keys).not.toContain(made[name]);
      return keys;
    };
    const keys = await keysOf();
    expect(new Set(keys).size).toBe(3);
    for (const each of keys) expect(each).toMatch(pattern);
    expect(await keysOf()).toEqual(keys);
  });

  test('a slug of its title, with a number where that is taken', async () => {
    const spec = specOf({ things: { key: 'slug', schema: schemaOf(TEXT, 'slug') } });
    const things = [{ title: 'On Tea' }, { title: 'On Tea' }, { slug: 'on-milk' }, { title: 'On Milk' }];
    const mock = await createMock({ spec, fixtures: { things } });
    const [, list] = await answerOf(mock.fetch, '/things');
    expect((list as { slug: string }[]).map(({ slug }) => slug)).toEqual([
      'on-tea',
      'on-tea-1',
      'on-milk',
      'on-milk-2',
    ]);
  });

  test('that others may refer to', async () => {
    const fixtures = { authors: [{ name: 'a' }, { name: 'b' }], books: [{ title: 'x', authorId: 2 }] };
    const mock = await createMock({ spec: LIBRARY, fixtures });
    expect(await answerOf(mock.fetch, '/authors/2')).toEqual([200, { id: 2, name: 'b' }]);
    expect(await answerOf(mock.fetch, '/books/1')).toEqual([200, { id: 1, title: 'x', authorId: 2 }]);
  });

  test('and rules see it', async () => {
    const fixtures = { categories: [{ name: 'Dogs' }], pets: [{ name: 'Rex', categoryId: 1 }] };
    const mock = await createMock({ fixtures });
    expect(await answerOf(mock.fetch, '/store/inventory/1')).toMatchObject([200, { petId: 1 }]);
    expect((await mock.fetch('/store/orders', json('POST', { petId: 1 }))).status).toBe(201);
  });

  test('unless the key names an entity of another resource', async () => {
    const message = await createMock({ fixtures: { inventory: [{ quantity: 1 }] } as never }).catch(
      (cause: Error) => cause.message,
    );
    expect(message).toMatch(/^the fixtures: #\/inventory\/0: .*petId is required/);
  });

  test('for any keys that others have', async () => {
    const ids = fc.uniqueArray(fc.option(fc.integer({ min: -5, max: 30 }), { nil: undefined }), {
      selector: (id) => id ?? Symbol('none'),
      maxLength: 30,
    });
    const spec = specOf({ things: { key: 'id', schema: schemaOf(NUMBER) } });
    await fc.assert(
      fc.asyncProperty(ids, async (given) => {
        const mock = await createMock({ spec, fixtures: { things: given.map((id) => ({ id })) } as never });
        const found = await idsOf(mock.fetch, '/things');
        expect(new Set(found).size).toBe(given.length);
        for (const id of given) if (id !== undefined) expect(found).toContain(id);
      }),
      { numRuns: 50 },
    );
  });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}
