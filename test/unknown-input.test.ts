import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { buildFindUnknown } from '../src/answer/validate/validate.ts';
import { toExchangeEntry } from '../src/cli/exchange-entry.ts';
import { createMock } from '../src/index.ts';
import type { Operation } from '../src/model/operations/operations.ts';
import { buildParameter } from '../src/model/operations/parameters.ts';
import { createSchemaReader } from '../src/schema/schema.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails } from './support/errors.ts';

afterAll(closeAll);

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };

const PARAMETERS = [
  { name: 'limit', in: 'query', schema: { type: 'integer' } },
  { name: 'page_size', in: 'query', schema: { type: 'integer' } },
  { name: 'tags', in: 'query', schema: TEXTS },
  {
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    schema: { type: 'object', properties: { color: TEXT } },
  },
  { name: 'range', in: 'query', schema: { type: 'object', properties: { from: TEXT, until: TEXT } } },
];

const BODY = {
  type: 'object',
  properties: {
    title: TEXT,
    author: { type: 'object', properties: { name: TEXT } },
    labels: { type: 'object', properties: { main: TEXT }, additionalProperties: TEXT },
    extra: { type: 'object' },
    lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
    either: {
      anyOf: [
        { type: 'object', properties: { a: TEXT } },
        { type: 'object', properties: { b: TEXT } },
      ],
    },
  },
};

const SPEC = {
  ...documentOf({
    '/things': { get: { operationId: 'listThings', parameters: PARAMETERS, responses: jsonAnswer(TEXT) } },
    '/anything': {
      get: {
        parameters: [...PARAMETERS, { name: 'rest', in: 'query', schema: { type: 'object' } }],
        responses: jsonAnswer(TEXT),
      },
    },
    '/posts': {
      post: {
        requestBody: { content: { 'application/json': { schema: BODY } } },
        responses: jsonAnswer(TEXT),
      },
    },
    '/keyed': {
      get: {
        security: [{ key: [] }],
        parameters: [{ name: 'api_kex', in: 'query', schema: TEXT }],
        responses: jsonAnswer(TEXT),
      },
    },
  }),
  components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } } },
};

type Case = [path: string, body: unknown, warning: string];

const UNKNOWN: readonly Case[] = [
  ['/things?lmit=1', undefined, 'query.lmit is not declared; did you mean limit? [parameter-unknown]'],
  ['/things?Limit=1', undefined, 'query.Limit is not declared; did you mean limit? [parameter-unknown]'],
  [
    '/things?pageSize=1',
    undefined,
    'query.pageSize is not declared; did you mean page_size? [parameter-unknown]',
  ],
  ['/things?tag=x', undefined, 'query.tag is not declared; did you mean tags? [parameter-unknown]'],
  ['/things?limit[]=x', undefined, 'query.limit[] is not declared; did you mean limit? [parameter-unknown]'],
  ['/things?form=x', undefined, 'query.form is not declared; did you mean from? [parameter-unknown]'],
  [
    '/things?lmit=1&lmit=2&tag=x',
    undefined,
    'query.lmit is not declared; did you mean limit? [parameter-unknown], query.tag is not declared; did you mean tags? [parameter-unknown]',
  ],
  ['/posts', { titel: 'x' }, 'body.titel is not declared; did you mean title? [member-unknown]'],
  ['/posts', { rating: 5 }, 'body.rating is not declared [member-unknown]'],
  [
    '/posts',
    { author: { nam: 'x' } },
    'body.author.nam is not declared; did you mean name? [member-unknown]',
  ],
  [
    '/posts',
    { lines: [{}, { amuont: 1 }] },
    'body.lines[1].amuont is not declared; did you mean amount? [member-unknown]',
  ],
  ['/posts', { either: { c: 'x' } }, 'body.either.c is not declared [member-unknown]'],
  ['/posts', { constructor: 1 }, 'body.constructor is not declared [member-unknown]'],
  ['/posts', { 'a\r\nb': 1 }, 'body.a%0D%0Ab is not declared [member-unknown]'],
  ['/posts', { Größe: 1 }, 'body.Gr%C3%B6%C3%9Fe is not declared [member-unknown]'],
  ['/posts', { ['x'.repeat(5000)]: 1 }, `body.${'x'.repeat(40)} is not declared [member-unknown]`],
];

const KNOWN: readonly (readonly [path: string, body: unknown])[] = [
  ['/things', undefined],
  ['/things?limit=1&page_size=2&tags=a&tags[]=b&tags[0]=c&filter[color]=x&from=a&until=b', undefined],
  ['/things?_=1700000000&utm_source=x&__code=200', undefined],
  [`/things?${'limi'.repeat(20)}=1`, undefined],
  ['/anything?lmit=1', undefined],
  ['/keyed?api_key=1', undefined],
  ['/posts', { title: 'x', author: { name: 'x' }, lines: [{ amount: 1 }], either: { a: 'x', b: 'y' } }],
  ['/posts', { labels: { man: 'x' }, extra: { titel: 'x' } }],
  ['/posts', {}],
];

const init = (body: unknown): RequestInit => (body === undefined ? {} : json('POST', body));

describeAdapters('input that is not declared', (adapter) => {
  it.each(UNKNOWN)('is named in a header: %s %j', async (path, body, warning) => {
    const { ask, mock } = await adapter.open({ spec: SPEC, auth: false });
    const response = await ask(path, init(body));
    expect(response.status).toBe(200);
    expect(response.headers.get('x-mock-warnings')).toBe(warning);
    const [entry] = mock.journal;
    expect(entry?.warnings).not.toEqual([]);
  });

  it.each(UNKNOWN)('is refused in strict mode: %s %j', async (path, body) => {
    const { ask } = await adapter.open({ spec: SPEC, auth: false, strict: true });
    const response = await ask(path, init(body));
    expect(response.status).toBe(422);
    const { message } = await readDetails(response);
    expect(message).toMatch(/^(query|body)\./);
    expect(message).toContain(' is not declared');
    expect(response.headers.get('x-mock-warnings')).toBeNull();
  });

  it.each(KNOWN)('is not confused with what may be there: %s %j', async (path, body) => {
    const { ask } = await adapter.open({ spec: SPEC, strict: true });
    const response = await ask(path, init(body));
    expect([response.status, response.headers.get('x-mock-violations')]).toEqual([200, null]);
    expect(response.headers.get('x-mock-warnings')).toBeNull();
  });

  it('is named beside an error as well, and in an answer that is repeated', async () => {
    const { ask, mock } = await adapter.open();
    const warning = 'query.statuss is not declared; did you mean status? [parameter-unknown]';
    for (let i = 0; i < 3; i++)
      expect((await ask('/pets?statuss=sold')).headers.get('x-mock-warnings')).toBe(warning);
    expect((await ask('/pets?statuss=sold&limit=0')).headers.get('x-mock-warnings')).toBe(warning);
    expect(mock.journal.map(({ warnings }) => warnings)).toEqual([
      [warning],
      [warning],
      [warning],
      [warning],
    ]);
    expect((await ask('/pets?status=sold')).headers.get('x-mock-warnings')).toBeNull();
  });

  it('is bounded in number', async () => {
    const { ask } = await adapter.open({ spec: SPEC });
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`titl${index}`, 1]));
    const posted = await ask('/posts', json('POST', many));
    expect(posted.headers.get('x-mock-warnings')?.split(', ')).toHaveLength(5);
    const query = Array.from({ length: 1000 }, (_, index) => `limi${index}=1`).join('&');
    const asked = await ask(`/things?${query}`);
    expect(asked.headers.get('x-mock-warnings')?.split(', ').length).toBeLessThanOrEqual(5);
  });
});

describe('The log', () => {
  test('names input that is not declared, as a warning, without control characters', async () => {
    const mock = await createMock({ spec: SPEC });
    await mock.fetch('/posts', json('POST', { '\u001b[31m': 1 }));
    const [exchange] = mock.journal;
    if (!exchange) throw new Error('no exchange');
    const { level, text, data } = toExchangeEntry(exchange, false);
    expect(level).toBe('warn');
    expect(text).toMatch(/ warning: body\.\\u001b\[31m is not declared \[member-unknown\]$/);
    expect(data.warning).toBe('body.\\u001b[31m is not declared [member-unknown]');
  });
});

describe('The search for unknown input', () => {
  const reader = createSchemaReader({});
  const parameters = PARAMETERS.map(({ name, schema }) =>
    buildParameter(reader, 'query', { name, schema, style: 'form' }),
  );
  const operation = { parameters } as unknown as Operation;
  const findUnknown = buildFindUnknown([]);

  test('takes any query and any body, and reports five of each at most, all short', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('lmit', 'tag', 'tags[', '[', 'limit]', '__proto__', 'toString'),
    );
    const queries = fc.array(fc.tuple(names, fc.string()));
    fc.assert(
      fc.property(queries, fc.jsonValue(), (pairs, value) => {
        const query = new URLSearchParams(pairs);
        const body = { schema: reader.read(BODY), value };
        const found = findUnknown(operation, { query, body });
        for (const list of [found.parameters, found.body]) {
          expect(list.length).toBeLessThanOrEqual(5);
          for (const { location } of list) expect(location.length).toBeLessThan(100);
        }
      }),
    );
  });

  test('ends at a schema that contains itself, however deep and wide the body is', () => {
    const root = {
      components: {
        schemas: { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      },
    };
    const recursive = createSchemaReader(root).read({ $ref: '#/components/schemas/Node' });
    let deep: object = { other: 1 };
    for (let depth = 0; depth < 5000; depth++) deep = { next: deep };
    expect(
      findUnknown(operation, { query: undefined, body: { schema: recursive, value: deep } }).body,
    ).toEqual([]);
  });
});
