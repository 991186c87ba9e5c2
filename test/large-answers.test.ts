import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { createSchemaReader } from '../src/schema/schema.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

/** Far more than any answer takes, and far less than each of them took or would take. */
const PATIENCE = 5000;
const LEAF: Schema = { type: 'object', required: ['value'], properties: { value: { type: 'integer' } } };
const FIRST = toReference('S0');

afterEach(closeAll);

function toReference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A chain of schemas, each made of a reference to the next one, with `LEAF` at its end. */
function toChain(length: number, make: (next: Schema) => Schema): Schemas {
  const chain = Array.from({ length }, (_, index) => [
    `S${index}`,
    make(toReference(index + 1 < length ? `S${index + 1}` : 'End')),
  ]);
  return { ...Object.fromEntries(chain), End: LEAF };
}

function toObject(properties: Schema, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: 'object', properties, required };
}

const toTwice = (length: number) => toChain(length, (next) => toObject({ left: next, right: next }));

/** A document that answers with a schema at `/made`. */
function toMade(schema: Schema, schemas: Schemas = {}, version = '3.0.3'): object {
  return {
    ...documentOf({ '/made': { get: { responses: jsonAnswer(schema) } } }, { schemas }),
    openapi: version,
  };
}

const TOO_LARGE: readonly [what: string, spec: object][] = [
  ['19 objects that each require the next one twice', toMade(FIRST, toTwice(19))],
  ['40 of them', toMade(FIRST, toTwice(40))],
  [
    'lists of ten lists',
    toMade(
      FIRST,
      toChain(17, (next) => ({ type: 'array', items: next, minItems: 10 })),
    ),
  ],
  ['a list of a million numbers', toMade({ type: 'array', minItems: 1e6, items: { type: 'integer' } })],
  ['a list of a million values of any kind', toMade({ type: 'array', minItems: 1e6 })],
  ['a text of a billion characters', toMade({ type: 'string', minLength: 1e9 })],
  ['long texts', toMade({ type: 'array', minItems: 100, items: { type: 'string', minLength: 1e5 } })],
  [
    'a million members',
    toMade({ type: 'object', minProperties: 1e6, additionalProperties: { type: 'integer' } }),
  ],
  [
    'a web of additional members',
    toMade(
      FIRST,
      toChain(40, (next) => ({ type: 'object', additionalProperties: next, minProperties: 2 })),
    ),
  ],
  [
    'a web of parts',
    toMade(
      FIRST,
      toChain(30, (next) => ({ allOf: [toObject({ left: next }), toObject({ right: next })] })),
    ),
  ],
  [
    'a web of alternatives',
    toMade(
      FIRST,
      toChain(30, (next) => toObject({ left: { anyOf: [next, next] }, right: { oneOf: [next] } })),
    ),
  ],
  [
    'tuples of tuples',
    toMade(
      FIRST,
      toChain(30, (next) => ({ type: 'array', prefixItems: [next, next], minItems: 2 })),
      '3.1.0',
    ),
  ],
  [
    'an object that requires itself',
    toMade(toReference('Node'), { Node: toObject({ next: toReference('Node') }) }),
  ],
  [
    '3,000 levels',
    toMade(
      FIRST,
      toChain(3000, (next) => toObject({ next })),
    ),
  ],
];

describeAdapters('An answer whose smallest form is too large to make up', ({ open }) => {
  test.each(TOO_LARGE)('is a 500 that says so, not a wait: %s', async (_, spec) => {
    const { ask, mock } = await open({ spec });
    const { notes } = mock.document;
    expect(notes).toMatchObject([{ code: 'answer-too-large', what: 'GET /made' }]);
    const start = performance.now();
    for (const init of [
      {},
      { headers: { Prefer: 'dynamic=true' } },
      { headers: { Prefer: 'variant=maximal' } },
    ]) {
      const response = await ask('/made', init);
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ code: 'answer_too_large' });
    }
    expect((await ask('/made', { method: 'HEAD' })).status).toBe(500);
    expect(performance.now() - start).toBeLessThan(PATIENCE);
  });

  test('is in the shape of the document', async () => {
    const error = toObject({ fault: { type: 'string' }, message: { type: 'string' } });
    const responses = {
      ...jsonAnswer(FIRST),
      default: { description: 'Any error', content: { 'application/json': { schema: error } } },
    };
    const spec = documentOf({ '/made': { get: { responses } } }, { schemas: toTwice(19) });
    const response = await (await open({ spec })).ask('/made');
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/^The smallest answer /) });
  });
});

describe('A document with parts that are too large to make up', () => {
  const ID = { type: 'integer' };
  const large = toTwice(40);

  async function read(
    mock: Mock,
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; body: unknown }> {
    const response = await mock.fetch(path, init);
    return { status: response.status, body: await response.json() };
  }

  test.each<[string, Schema, Schemas]>([
    ['members', toObject({ id: ID, deep: FIRST }, ['id']), large],
    ['items', toObject({ id: ID, list: { type: 'array', items: FIRST } }, ['id']), large],
    ['alternatives', toObject({ id: ID, any: { oneOf: [FIRST, ID] } }), large],
    ['additional members', { ...toObject({ id: ID }), additionalProperties: FIRST }, large],
    ['texts', toObject({ id: ID, text: { type: 'string', minLength: 1e9 } }, ['id']), {}],
    [
      'texts that may be long',
      toObject({ id: ID, text: { type: 'string', format: 'x', maxLength: 1e9 } }),
      {},
    ],
    [
      'lists that may be long',
      toObject({ id: ID, list: { type: 'array', items: ID, maxItems: 1e9 } }, ['id']),
      {},
    ],
  ])('answers without them where it can: %s', async (_, schema, schemas) => {
    const mock = await createMock({ spec: toMade(schema, schemas) });
    expect(mock.document.notes).toEqual([]);
    const start = performance.now();
    expect(await read(mock, '/made')).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
    expect(await read(mock, '/made', { headers: { Prefer: 'variant=maximal' } })).toMatchObject({
      status: 200,
    });
    expect(performance.now() - start).toBeLessThan(PATIENCE);
  });

  test('keeps members where 50,000 values leave room for them', async () => {
    const mock = await createMock({ spec: toMade(FIRST, toTwice(12)) });
    const { status, body } = await read(mock, '/made');
    expect(status).toBe(200);
    expect(JSON.stringify(body).match(/"value":\d/g)).toHaveLength(2 ** 12);
  });

  test('answers with an example', async () => {
    const content = { example: { left: 1 } };
    const spec = documentOf(
      { '/made': { get: { responses: jsonAnswer(FIRST, content) } } },
      { schemas: large },
    );
    const mock = await createMock({ spec });
    expect(mock.document.notes).toEqual([]);
    expect((await mock.fetch('/made', { headers: { Prefer: 'dynamic=true' } })).status).toBe(500);
  });

  test('serves a collection of them as far as its answers go', async () => {
    const thing = toObject({ id: ID, name: { type: 'string' }, deep: FIRST }, ['id', 'deep']);
    const parameters = [{ name: 'id', in: 'path', required: true, schema: ID }];
    const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
    const spec = documentOf(
      {
        '/things': {
          get: { responses: jsonAnswer({ type: 'array', items: thing }) },
          post: { requestBody, responses: { 201: { ...(jsonAnswer(thing) as Record<200, object>)[200] } } },
        },
        '/things/{id}': { parameters, get: { responses: jsonAnswer(thing) } },
      },
      { schemas: large },
    );
    const start = performance.now();
    const mock = await createMock({ spec });
    expect(mock.document.notes.map(({ what }) => what)).toEqual(['POST /things', 'GET /things/{id}']);
    expect(await read(mock, '/things')).toEqual({ status: 200, body: [] });
    expect(await read(mock, '/things', json('POST', { name: 'One' }))).toMatchObject({
      status: 500,
      body: { code: 'answer_too_large' },
    });
    expect(performance.now() - start).toBeLessThan(PATIENCE);
  });

  test.each([
    [1e9, 500],
    [1000, 200],
  ])('pads a list to %d items as far as it is made up: %d', async (minItems, status) => {
    const thing = toObject({ id: ID, name: { type: 'string' } });
    const parameters = [{ name: 'id', in: 'path', required: true, schema: ID }];
    const spec = documentOf({
      '/things': { get: { responses: jsonAnswer({ type: 'array', items: thing, minItems }) } },
      '/things/{id}': { parameters, get: { responses: jsonAnswer(thing) } },
    });
    const response = await (await createMock({ spec })).fetch('/things');
    expect(response.status).toBe(status);
    const ids = status === 200 ? ((await response.json()) as { id: number }[]).map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(status === 200 ? minItems : 0);
  });

  test('writes errors with the members that are not', async () => {
    const error = toObject({ message: { type: 'string' }, deep: FIRST });
    const responses = {
      ...jsonAnswer(LEAF),
      default: { description: 'Any error', content: { 'application/json': { schema: error } } },
    };
    const parameters = [{ name: 'count', in: 'query', schema: ID }];
    const spec = documentOf({ '/made': { get: { parameters, responses } } }, { schemas: large });
    const mock = await createMock({ spec });
    expect(await read(mock, '/made?count=x')).toMatchObject({
      status: 400,
      body: { message: 'query.count: must be integer' },
    });
  });
});

describe('A web of parts that all are the same', () => {
  test.each([
    ['allOf', toChain(30, (next) => ({ allOf: [next, next] }))],
    [
      'allOf, with members',
      toChain(30, (next) => ({ allOf: [next, next], properties: { x: { type: 'string' } } })),
    ],
    ['anyOf', toChain(30, (next) => ({ anyOf: [next, next] }))],
  ])('is loaded, made and checked: %s', async (_, schemas) => {
    const requestBody = { content: { 'application/json': { schema: FIRST } } };
    const spec = documentOf(
      { '/made': { post: { requestBody, responses: jsonAnswer(FIRST) } } },
      { schemas },
    );
    const start = performance.now();
    const mock = await createMock({ spec });
    const response = await mock.fetch('/made', json('POST', { value: 1 }));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ value: expect.any(Number) });
    expect((await mock.fetch('/made', json('POST', 'text'))).status).toBe(422);
    expect(performance.now() - start).toBeLessThan(PATIENCE);
  });
});

describe('The smallest size of a schema', () => {
  const sizeOf = (schema: Schema, schemas: Schemas = {}) =>
    createSchemaReader({ components: { schemas } }).read(schema).size.smallest;
  const text = { type: 'string' };

  test.each<[string, Schema, Schemas, number]>([
    ['a scalar', text, {}, 1],
    ['a long text', { type: 'string', minLength: 100 }, {}, 6],
    ['required members', toObject({ a: text, b: text, c: text }, ['a', 'b']), {}, 3],
    [
      'required members of parts, each once',
      { allOf: [toObject({ a: text }), toObject({ a: text, b: text })] },
      {},
      3,
    ],
    ['items', { type: 'array', minItems: 4, items: toObject({ a: text }) }, {}, 9],
    ['the smaller alternative', { oneOf: [toObject({ a: text }), text] }, {}, 1],
    ['what may be null', { ...toObject({ a: text }), nullable: true }, {}, 1],
    ['what never shows', toObject({ a: { ...text, writeOnly: true } }), {}, 1],
    [
      'members of any name',
      { type: 'object', minProperties: 3, additionalProperties: toObject({ a: text }) },
      {},
      7,
    ],
    ['twelve times two', FIRST, toTwice(12), 3 * 2 ** 12 - 1],
    [
      'an expression, whose alternatives lead back to it',
      toReference('Sum'),
      {
        Sum: {
          type: 'object',
          required: ['left', 'right'],
          properties: { left: toReference('Any'), right: toReference('Any') },
        },
        Any: {
          oneOf: [
            toReference('Sum'),
            { type: 'object', required: ['not'], properties: { not: toReference('Any') } },
            text,
          ],
        },
      },
      3,
    ],
    [
      'what has no end',
      toReference('Node'),
      { Node: toObject({ next: toReference('Node') }) },
      Number.POSITIVE_INFINITY,
    ],
  ])('counts %s', (_, schema, schemas, size) => {
    expect(sizeOf(schema, schemas)).toBe(size);
  });
});
