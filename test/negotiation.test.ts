import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails, readError } from './support/errors.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };

/** A document with `GET /thing` and these responses. */
function thing(responses: object, components: object = {}): object {
  return documentOf({ '/thing': { get: { operationId: 'getThing', responses } } }, components);
}

function answerAs(content: object): object {
  return { 200: { description: 'Fine.', content } };
}

function path(name: string, schema: object): object {
  return { name, in: 'path', required: true, schema };
}

describeInProcess('JSON that is declared with nothing more', (adapter) => {
  it.each([200, 404])('is an empty object: %d', async (status) => {
    const answer = { description: '', content: { 'application/json': {} } };
    const { ask } = await adapter.open({ spec: thing({ 200: answer, 404: answer }) });
    const response = await ask('/thing', { headers: { Prefer: `code=${status}` } });
    expect([response.status, await response.json()]).toEqual([status, {}]);
  });
});

describeInProcess('a path without state answers a declared example', (adapter) => {
  it.each<[string, object, unknown, object?]>([
    ['the only one', jsonAnswer(STRING, { example: 'only' }), 'only'],
    [
      'the first of several',
      jsonAnswer(STRING, { examples: { b: { value: 'first' }, a: { value: 'second' } } }),
      'first',
    ],
    [
      'one by reference',
      jsonAnswer(STRING, { examples: { one: { $ref: '#/components/examples/One' } } }),
      'one',
      { examples: { One: { value: 'one' } } },
    ],
    ['0', jsonAnswer(INTEGER, { example: 0 }), 0],
    ['false', jsonAnswer({ type: 'boolean' }, { example: false }), false],
    ['an empty text', jsonAnswer(STRING, { example: '' }), ''],
    ['null', jsonAnswer({ ...STRING, nullable: true }, { example: null }), null],
    ['an empty list', jsonAnswer({ type: 'array', items: STRING }, { example: [] }), []],
    ['of a schema', jsonAnswer({ type: 'object', example: { name: 'Rex' } }), { name: 'Rex' }],
    [
      'of a schema by reference',
      jsonAnswer({ $ref: '#/components/schemas/Pet' }),
      { name: 'Rex' },
      { schemas: { Pet: { type: 'object', properties: { name: STRING }, example: { name: 'Rex' } } } },
    ],
    [
      'of each property',
      jsonAnswer({
        type: 'object',
        required: ['name', 'legs'],
        properties: { name: { ...STRING, example: 'Rex' }, legs: { ...INTEGER, example: 4 } },
      }),
      { name: 'Rex', legs: 4 },
    ],
    ['without a schema', answerAs({ 'application/json': { example: { a: [1] } } }), { a: [1] }],
  ])('%s', async (_, responses, expected, components) => {
    const { ask } = await adapter.open({ spec: thing(responses, components) });
    const response = await ask('/thing');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(expected);
  });

  const REFERENCES = {
    $ref: '#/components/schemas/A',
    list: [{ $ref: '#/nowhere' }, { $ref: './other.yaml#/B' }],
  };

  it.each<[string, object, object]>([
    ['example', { example: REFERENCES }, {}],
    ['examples', { examples: { one: { value: REFERENCES } } }, {}],
    [
      'components.examples',
      { examples: { one: { $ref: '#/components/examples/One' } } },
      { examples: { One: { value: REFERENCES } } },
    ],
  ])('in which $ref is only a name, as it stands in %s', async (_, content, components) => {
    const spec = thing(jsonAnswer({ type: 'object' }, content), { schemas: { A: STRING }, ...components });
    const { ask } = await adapter.open({ spec });
    expect(await (await ask('/thing')).json()).toEqual(REFERENCES);
  });
});

const BELIEVABLE = {
  type: 'object',
  required: ['id', 'born', 'seen', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    ownerId: { type: 'integer', format: 'int32' },
    price: { type: 'number' },
    born: { type: 'string', format: 'date' },
    seen: { type: 'string', format: 'date-time' },
    name: STRING,
    mail: { type: 'string', format: 'email' },
    uuid: { type: 'string', format: 'uuid' },
    code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
    kind: { type: 'string', enum: ['dog', 'cat'] },
    debt: { type: 'integer', minimum: -5, maximum: -1 },
    short: { type: 'string', minLength: 2, maxLength: 4 },
    tags: { type: 'array', items: STRING, minItems: 1, uniqueItems: true },
    friend: { $ref: '#/components/schemas/Friend' },
  },
};

const COMPONENTS = {
  schemas: {
    Friend: {
      type: 'object',
      required: ['name', 'friends'],
      properties: {
        name: STRING,
        friends: { type: 'array', items: { $ref: '#/components/schemas/Friend' } },
      },
    },
  },
};

/** A document with twenty paths that answer believable values. */
const MANY = documentOf(
  Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `/thing${index}`,
      { get: { operationId: `getThing${index}`, responses: jsonAnswer(BELIEVABLE) } },
    ]),
  ),
  COMPONENTS,
);

type Value = Readonly<Record<string, unknown>>;

const YEAR_MS = 366 * 24 * 3600 * 1000;

function isNear(value: unknown, pattern: RegExp): boolean {
  const text = String(value);
  return pattern.test(text) && Math.abs(Date.parse(text) - Date.now()) < 2 * YEAR_MS;
}

/** What makes each property of a value believable. */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  ownerId: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) < 2 ** 31,
  price: (value) => Number(value) > 0,
  born: (value) => isNear(value, /^\d{4}-\d\d-\d\d$/),
  seen: (value) => isNear(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  name: (value) => /^[A-Z][a-z]+( [A-Z]?[a-z]+)*$/.test(String(value)),
  mail: (value) => /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(String(value)),
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  code: (value) => /^[A-Z]{3}-\d{4}$/.test(String(value)),
  kind: (value) => ['dog', 'cat'].includes(String(value)),
  debt: (value) => [-5, -4, -3, -2, -1].includes(Number(value)),
  short: (value) => /^.{2,4}$/.test(String(value)),
  tags: (value) => Array.isArray(value) && value.length > 0 && new Set(value).size === value.length,
  friend: (value) => isFriend(value),
};

function isFriend(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && 'friends' in value;
}

async function readAll(ask: Ask, count = 20): Promise<Value[]> {
  const values: Value[] = [];
  for (let index = 0; index < count; index++) {
    values.push((await (await ask(`/thing${index}`)).json()) as Value);
  }
  return values;
}

describe('a path without state and without example answers a value', () => {
  it.each([1, 2, 3])('that a person would believe, with the seed %d', async (seed) => {
    const mock = await createMock({ spec: MANY, seed });
    for (const value of await readAll((path) => mock.fetch(path))) {
      const odd = Object.entries(value).filter(([name, each]) => !CHECKS[name]?.(each));
      expect(odd).toEqual([]);
      expect(Object.keys(value)).toEqual(expect.arrayContaining(['id', 'born', 'seen', 'name']));
    }
  });

  it('that is the same for the same request', async () => {
    const mock = await createMock({ spec: MANY });
    const first = await readAll((path) => mock.fetch(path));
    expect(await readAll((path) => mock.fetch(path))).toEqual(first);
    mock.reset();
    expect(await readAll((path) => mock.fetch(path))).toEqual(first);
  });

  it('that is the same in two mocks, in any order, also at once', async () => {
    const forward = await createMock({ spec: MANY });
    const backward = await createMock({ spec: structuredClone(MANY) });
    const expected = await readAll((path) => forward.fetch(path));
    const values = await Promise.all(
      expected.map(async (_, index) => (await backward.fetch(`/thing${19 - index}`)).json()),
    );
    expect(values.reverse()).toEqual(expected);
  });

  it('that differs from operation to operation', async () => {
    const mock = await createMock({ spec: MANY });
    const values = await readAll((path) => mock.fetch(path));
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(15);
  });

  it('that differs with another seed', async () => {
    const read = async (seed: number) => {
      const mock = await createMock({ spec: MANY, seed });
      return readAll((path) => mock.fetch(path));
    };
    expect(await read(1)).not.toEqual(await read(2));
  });
});

/** Its `code` can have no value, and its `count` has one of its own. */
const IMPOSSIBLE = {
  type: 'object',
  required: ['code', 'count'],
  properties: { code: { type: 'string', pattern: '^(?!)$' }, count: { $ref: '#/components/schemas/Count' } },
};

describe('a schema that no value holds to', () => {
  it('is answered with what it looks like', async () => {
    const schemas = { Count: { ...INTEGER, default: 7 } };
    const mock = await createMock({ spec: thing(jsonAnswer(IMPOSSIBLE), { schemas }) });
    expect(await (await mock.fetch('/thing')).json()).toEqual({ code: 'string', count: 7 });
  });
});

/** Schemas as real documents have them. */
describeInProcess('a schema', (adapter) => {
  it.each<[string, object, (value: unknown) => boolean]>([
    ['that leads back to itself', { $ref: '#/components/schemas/Friend' }, (value) => isFriend(value)],
    [
      'with nullable but without type',
      { type: 'object', required: ['a'], properties: { a: { nullable: true, description: 'Anything.' } } },
      (value) => typeof value === 'object' && value !== null && 'a' in value,
    ],
    [
      'with oneOf',
      { oneOf: [STRING, INTEGER] },
      (value) => typeof value === 'string' || Number.isInteger(value),
    ],
    [
      'with allOf',
      {
        allOf: [
          { $ref: '#/components/schemas/Friend' },
          { type: 'object', required: ['age'], properties: { age: INTEGER } },
        ],
      },
      (value) => isFriend(value) && 'age' in (value as object),
    ],
    [
      'with additionalProperties',
      { type: 'object', additionalProperties: INTEGER },
      (value) => Object.values(value as object).every(Number.isInteger),
    ],
    ['that allows anything', {}, () => true],
    [
      'that nothing fulfils',
      { type: 'string', minLength: 5, maxLength: 3 },
      (value) => typeof value === 'string',
    ],
  ])('%s is answered', async (_, schema, isFine) => {
    const { ask } = await adapter.open({ spec: thing(jsonAnswer(schema), COMPONENTS) });
    const response = await ask('/thing');
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(isFine(text === '' ? undefined : JSON.parse(text)), text).toBe(true);
  });

  // OpenAPI 3.0: where a property is required, that holds for the answer alone if it is readOnly.
  it('need not be sent what is readOnly', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { ...INTEGER, readOnly: true }, name: STRING },
    };
    const post = {
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 204: { description: '' } },
    };
    const { ask } = await adapter.open({ spec: documentOf({ '/thing': { post } }) });
    expect((await ask('/thing', json('POST', { name: 'Rex' }))).status).toBe(204);
    expect((await ask('/thing', json('POST', {}))).status).toBe(422);
  });

  it('does not answer what is writeOnly', async () => {
    const schema = {
      type: 'object',
      required: ['password', 'name'],
      properties: { password: { ...STRING, writeOnly: true }, name: STRING },
    };
    const { ask } = await adapter.open({ spec: thing(jsonAnswer(schema)) });
    expect(Object.keys((await (await ask('/thing')).json()) as object)).toEqual(['name']);
  });
});

describeInProcess('the status of success', (adapter) => {
  it.each<[string, object, number]>([
    [
      'is the lowest one',
      { 202: { description: '' }, 201: { description: '' }, 404: { description: '' } },
      201,
    ],
    ['is 200 for a range', { '2XX': { description: '' } }, 200],
    ['is 200 for a range in lower case', { '2xx': { description: '' } }, 200],
    ['is 200 where there is only a default', DEFAULT_ERROR, 200],
    ['is 204 where that is all there is', { 204: { description: '' } }, 204],
    ['is never an error', { 400: { description: '' }, 203: { description: '' } }, 203],
  ])('%s', async (_, responses, status) => {
    const { ask } = await adapter.open({ spec: thing(responses) });
    const response = await ask('/thing');
    expect(response.status).toBe(status);
    await response.text();
  });

  it.each<[string, object]>([
    ['of a range', { '2XX': { description: '', content: { 'application/json': { schema: INTEGER } } } }],
    [
      'of the default',
      { default: { description: '', content: { 'application/json': { schema: INTEGER } } } },
    ],
  ])('comes with the content %s', async (_, responses) => {
    const { ask } = await adapter.open({ spec: thing(responses) });
    expect(Number.isInteger(await (await ask('/thing')).json())).toBe(true);
  });

  it.each<[string, object]>([
    ['204', { 204: { description: 'Nothing.' } }],
    ['200 without content', { 200: { description: 'Nothing.' } }],
    ['204 with content, which it cannot have', { 204: { description: '', ...answerContent('x') } }],
  ])('can be %s', async (_, responses) => {
    const { ask } = await adapter.open({ spec: thing(responses) });
    const response = await ask('/thing');
    expect(response.headers.get('content-type')).toBeNull();
    expect(await response.text()).toBe('');
    expect((await ask('/thing')).status).toBe(response.status);
  });

  function answerContent(example: string): object {
    return { content: { 'application/json': { schema: STRING, example } } };
  }
});

const TWO_TYPES = thing(
  answerAs({ 'application/json': { example: { a: 1 } }, 'text/plain': { example: 'plain' } }),
);

describeInProcess('Accept', (adapter) => {
  const opened = once(() => adapter.open({ spec: TWO_TYPES }));

  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/*', 'application/json'],
    ['text/plain', 'text/plain'],
    ['TEXT/PLAIN', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/plain, application/json', 'text/plain'],
    ['text/plain;q=0.1, application/json', 'application/json'],
    ['application/json;q=0.1, text/plain', 'text/plain'],
    ['application/json;q=0.1,text/plain;q=0.2', 'text/plain'],
    ['application/json;q=0, text/plain', 'text/plain'],
    ['application/json;q=0, */*', 'text/plain'],
    ['image/png, */*;q=0.1', 'application/json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
  ])('%s is answered as %s', async (accept, mediaType) => {
    const { ask } = await opened();
    const response = await ask('/thing', { headers: { Accept: accept } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toBe(mediaType === 'text/plain' ? 'plain' : '{"a":1}');
  });

  it.each(['image/png', 'application/json;q=0', 'application/xml, text/html', '*/*;q=0'])(
    '%s is not acceptable',
    async (accept) => {
      const { ask } = await opened();
      const response = await ask('/thing', { headers: { Accept: accept } });
      expect(response.status).toBe(406);
      const { code, message } = await readDetails(response);
      expect(code).toBe('not_acceptable');
      expect(message).toMatch(/application\/json, text\/plain/);
    },
  );

  it('of one request does not stick to the next one', async () => {
    const { ask } = await adapter.open({ spec: TWO_TYPES });
    const typeOf = async (headers: Record<string, string>) =>
      (await ask('/thing', { headers })).headers.get('content-type');
    expect(await typeOf({ Accept: 'text/plain' })).toBe('text/plain');
    expect(await typeOf({ Accept: 'application/json' })).toBe('application/json');
    expect(await typeOf({})).toBe('application/json');
  });

  it('can be made up thousands of times', async () => {
    const { ask } = await opened();
    for (let i = 0; i < 1_100; i++) {
      const response = await ask('/thing', { headers: { Accept: `text/x-${i}, text/plain;q=0.5` } });
      expect(response.headers.get('content-type')).toBe('text/plain');
      await response.text();
    }
  });

  it('is nothing to an answer without content', async () => {
    const { ask } = await adapter.open({ spec: thing({ 204: { description: '' } }) });
    expect((await ask('/thing', { headers: { Accept: 'image/png' } })).status).toBe(204);
  });
});

describeAdapters('content other than JSON', (adapter) => {
  it.each<[string, object, RegExp]>([
    ['text/plain', { schema: STRING, example: 'Hällo "you"' }, /^Hällo "you"$/],
    ['text/plain', { schema: STRING }, /^[a-z ]+$/],
    ['text/plain; charset=utf-8', { example: 'Hello' }, /^Hello$/],
    ['text/html', { example: '<p>Hello</p>' }, /^<p>Hello<\/p>$/],
    ['text/csv', { example: 'a,b\n1,2\n' }, /^a,b\n1,2\n$/],
    ['application/xml', { schema: { type: 'object' }, example: '<pet/>' }, /^<pet\/>$/],
    ['application/problem+json', { example: { title: 'x' } }, /^\{"title":"x"\}$/],
    ['application/vnd.pets+json; version=1', { example: ['a'] }, /^\["a"\]$/],
    ['application/json', { schema: STRING, example: 'text' }, /^"text"$/],
  ])('is answered as it is declared: %s %o', async (mediaType, content, expected) => {
    const { ask } = await adapter.open({ spec: thing(answerAs({ [mediaType]: content })) });
    const response = await ask('/thing');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(mediaType);
    const text = await response.text();
    expect(text).toMatch(expected);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });
});

const REPORT = fileURLToPath(new URL('./documents/negotiation.yaml', import.meta.url));

interface NegotiationCase {
  readonly name: string;
  readonly path?: string;
  readonly method?: string;
  readonly accept?: string;
  readonly prefer?: string;
  readonly status: number;
  readonly type: string | null;
  readonly body: RegExp;
}

const JSON_TYPE = 'application/json';
const V2 = 'application/vnd.report.v2+json';
const PROBLEM = 'application/problem+json';
const SHORT_JSON = /^\{"id":1,"title":"Short"\}$/;
const SHORT_XML = /<report id="1"><title>Short<\/title><\/report>$/;

/** What Prism's documentation promises of Accept and Prefer. */
const PROMISES: readonly NegotiationCase[] = [
  { name: 'JSON for no preference', status: 200, type: JSON_TYPE, body: SHORT_JSON },
  { name: 'JSON for any type', accept: '*/*', status: 200, type: JSON_TYPE, body: SHORT_JSON },
  { name: 'JSON for a range', accept: 'application/*', status: 200, type: JSON_TYPE, body: SHORT_JSON },
  { name: 'the first text', accept: 'text/*', status: 200, type: 'text/csv', body: /^id,title\n1,Short\n$/ },
  { name: 'XML', accept: 'application/xml', status: 200, type: 'application/xml', body: SHORT_XML },
  { name: 'made-up text', accept: 'text/plain', status: 200, type: 'text/plain', body: /^\w+ \w+$/ },
  { name: 'the vendor type', accept: V2, status: 200, type: V2, body: /^\{"id":\d+,"title":"[\w /-]+"/ },
  {
    name: 'the best quality',
    accept: 'application/json;q=0.2, application/xml;q=0.8, text/plain;q=0.5',
    status: 200,
    type: 'application/xml',
    body: SHORT_XML,
  },
  {
    name: 'what is left by a quality of 0',
    accept: 'application/json;q=0, application/xml;q=0, text/csv;q=0.1',
    status: 200,
    type: 'text/csv',
    body: /^id/,
  },
  { name: '406 for none of them', accept: 'image/png', status: 406, type: PROBLEM, body: /406/ },
  {
    name: 'an example by name',
    prefer: 'example=long',
    status: 200,
    type: JSON_TYPE,
    body: /^\{"id":3,"title":"Long","notes":\["a","b"\]\}$/,
  },
  {
    name: 'an example by name in the type that has it',
    prefer: 'example=written',
    status: 200,
    type: 'application/xml',
    body: /^<report id="2"><title>Written<\/title><\/report>$/,
  },
  {
    name: 'an example of the type that is asked for',
    accept: 'application/xml',
    prefer: 'example=short',
    status: 200,
    type: 'application/xml',
    body: SHORT_XML,
  },
  {
    name: '404 for an example that the type does not have',
    accept: 'application/xml',
    prefer: 'example=long',
    status: 404,
    type: JSON_TYPE,
    body: /example_not_found.*short, written/,
  },
  {
    name: 'a made-up value',
    prefer: 'dynamic=true',
    status: 200,
    type: JSON_TYPE,
    body: /^\{"id":\d+,"title":"(?!Short)[\w /-]+"/,
  },
  {
    name: 'a made-up value in XML',
    accept: 'application/xml',
    prefer: 'dynamic=true',
    status: 200,
    type: 'application/xml',
    body: /<report id="\d+"><title>(?!Short)[\w /-]+<\/title>/,
  },
  { name: 'a status', prefer: 'code=404', status: 404, type: JSON_TYPE, body: /^\{"code":"not_found"/ },
  { name: 'a status of a range', prefer: 'code=418', status: 418, type: PROBLEM, body: /"status":418/ },
  { name: 'a status of the default', prefer: 'code=503', status: 503, type: JSON_TYPE, body: /^\{"code":/ },
  { name: 'no content with 304', prefer: 'code=304', status: 304, type: null, body: /^$/ },
  { name: 'no content with 204', method: 'DELETE', status: 204, type: null, body: /^$/ },
  {
    name: 'text with a status of a range',
    method: 'DELETE',
    prefer: 'code=502',
    status: 502,
    type: 'text/plain',
    body: /./,
  },
  {
    name: '404 for a status that is not declared',
    method: 'DELETE',
    prefer: 'code=404',
    status: 404,
    type: PROBLEM,
    body: /response_not_declared/,
  },
  {
    name: 'JSON where anything is declared',
    path: '/anything',
    status: 200,
    type: JSON_TYPE,
    body: /"title"/,
  },
];

describeInProcess('as Prism documents it, an answer is', (adapter) => {
  const opened = once(() => adapter.open({ spec: REPORT }));

  it.each(PROMISES)('$name', async ({ path: target = '/reports/latest', method = 'GET', ...expected }) => {
    const { ask } = await opened();
    const headers = {
      ...(expected.accept !== undefined && { Accept: expected.accept }),
      ...(expected.prefer !== undefined && { Prefer: expected.prefer }),
    };
    const response = await ask(target, { method, headers });
    expect(response.status).toBe(expected.status);
    expect(response.headers.get('content-type')).toBe(expected.type);
    const body = await response.text();
    expect(body).toMatch(expected.body);
    if (method !== 'GET') return;
    const head = await ask(target, { method: 'HEAD', headers });
    expect(head.status).toBe(expected.status);
    expect(await head.text()).toBe('');
    // The connection is a matter between client and socket.
    const others = (all: Headers) =>
      [...all].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name));
    expect(others(head.headers)).toEqual(others(response.headers));
    if (expected.type !== null) {
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    }
  });
});

describeInProcess('an answer of state', (adapter) => {
  const PET = { type: 'object', required: ['id'], properties: { id: INTEGER, name: STRING } };
  const opened = (...types: readonly string[]) => {
    const contentOf = (schema: object, csv: string) =>
      Object.fromEntries(
        types.map((type) => [type, type === 'text/csv' ? { schema: STRING, example: csv } : { schema }]),
      );
    const answer = (schema: object, csv: string) => ({ description: '', content: contentOf(schema, csv) });
    return adapter.open({
      empty: true,
      spec: documentOf({
        '/pets': {
          get: { responses: { 200: answer({ type: 'array', items: PET }, 'id\n1\n') } },
          post: {
            requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
            responses: { 201: answer(PET, 'id\n1\n') },
          },
        },
        '/pets/{id}': {
          get: { parameters: [path('id', INTEGER)], responses: { 200: answer(PET, 'id\n1\n') } },
        },
      }),
    });
  };

  it.each<[declared: string[], accept: string, type: string, body: RegExp]>([
    [['application/xml', 'application/json'], '*/*', 'application/json', /^\{"id":1/],
    [['application/xml', 'application/json'], 'application/xml', 'application/xml', /<id>1<\/id>/],
    [['application/xml'], '*/*', 'application/xml', /<id>1<\/id>/],
    [['text/xml'], 'text/*', 'text/xml', /<id>1<\/id>/],
    [['application/pet+xml'], '*/*', 'application/pet+xml', /<id>1<\/id>/],
    [['*/*'], '*/*', 'application/json', /^\{"id":1/],
    [['application/*'], 'application/json', 'application/json', /^\{"id":1/],
    [['application/json', 'text/csv'], 'text/csv', 'text/csv', /^id\n1\n$/],
    [['application/json', 'text/csv'], 'text/csv;q=0.5, application/json', 'application/json', /^\{"id":1/],
  ])('declared as %s, asked for as %s, is %s', async (declared, accept, type, body) => {
    const { ask } = await opened(...declared);
    const created = await ask('/pets', json('POST', { name: 'Rex' }));
    expect([201, created.headers.get('location')]).toEqual([created.status, '/pets/1']);
    await created.text();
    const response = await ask('/pets/1', { headers: { Accept: accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toMatch(body);
  });

  it('is never given for a change in a type that it cannot be written in', async () => {
    const { ask } = await opened('application/json', 'text/csv');
    expect((await ask('/pets', json('POST', {}, { Accept: 'text/csv' }))).status).toBe(406);
    expect(await (await ask('/pets')).json()).toEqual([]);
  });
});

describeAdapters('declared response headers', (adapter) => {
  function withHeaders(headers: object): object {
    return thing({ 200: { description: '', headers, content: { 'application/json': { example: 1 } } } });
  }

  it.each<[string, object, string | null]>([
    ['X-Text', { schema: STRING, example: 'a, b' }, 'a, b'],
    ['X-Number', { schema: INTEGER, example: 5 }, '5'],
    ['X-Zero', { schema: INTEGER, example: 0 }, '0'],
    ['X-Flag', { schema: { type: 'boolean' }, example: false }, 'false'],
    ['X-List', { schema: { type: 'array', items: STRING }, example: ['a', 'b'] }, 'a,b'],
    ['X-Shape', { schema: { type: 'object' }, example: { a: 1, b: 2 } }, 'a,1,b,2'],
    ['X-Exploded', { schema: { type: 'object' }, explode: true, example: { a: 1, b: 2 } }, 'a=1,b=2'],
    ['X-Default', { schema: { ...INTEGER, default: 7 } }, '7'],
    ['X-Schema', { schema: { ...INTEGER, example: 8 } }, '8'],
    ['X-Only', { schema: { ...STRING, enum: ['only'] } }, 'only'],
    ['X-Json', { content: { 'application/json': { schema: INTEGER, example: 9 } } }, '9'],
    ['Link', { schema: STRING }, null],
    ['Retry-After', { schema: INTEGER }, null],
    ['Set-Cookie', { schema: STRING }, null],
    ['Content-Encoding', { schema: STRING, example: 'gzip' }, null],
  ])('%s is sent as the document has it', async (name, header, value) => {
    const { ask } = await adapter.open({ spec: withHeaders({ [name]: header }) });
    expect((await ask('/thing')).headers.get(name)).toBe(value);
  });

  it.each([
    ['X-Must', { required: true, schema: INTEGER }, /^\d+$/],
    ['X-May', { schema: { ...INTEGER, minimum: 3, maximum: 5 } }, /^[345]$/],
    ['X-Expires-After', { schema: { ...STRING, format: 'date-time' } }, /^\d{4}-\d\d-\d\dT/],
    ['X-List', { schema: { type: 'array', minItems: 2, items: INTEGER } }, /^\d+(,\d+)+$/],
    ['Link', { required: true, schema: { ...STRING, pattern: '^<a>$' } }, /^<a>$/],
  ])('%s is made up of its schema', async (name, header, expected) => {
    const { ask } = await adapter.open({ spec: withHeaders({ [name]: header }) });
    const value = (await ask('/thing')).headers.get(name);
    expect(value).toMatch(expected);
    expect((await ask('/thing')).headers.get(name)).toBe(value);
  });

  it('are the same from state, from the document and in errors, but for what is decided there', async () => {
    const pet = { type: 'object', required: ['id'], properties: { id: INTEGER } };
    const headers = {
      'X-Rate-Limit': { schema: INTEGER, example: 60 },
      'X-Next': { schema: { ...STRING, format: 'uuid' } },
      Link: { schema: STRING, example: '<https://example.com>; rel="next"' },
      Location: { schema: STRING, example: '/pets/99' },
      'X-Total-Count': { schema: INTEGER, example: 4711 },
    };
    const of = (schema: object) => ({
      description: '',
      headers,
      content: { 'application/json': { schema } },
    });
    const responses = { 200: of({ type: 'array', items: pet }) };
    const spec = documentOf({
      '/pets': {
        get: { parameters: [{ name: 'limit', in: 'query', schema: INTEGER }], responses },
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 201: of(pet) },
        },
      },
      '/pets/{id}': {
        get: { parameters: [path('id', INTEGER)], responses: { 200: of(pet), 404: of({ type: 'object' }) } },
      },
    });
    const { ask } = await adapter.open({ spec, empty: true });
    const read = async (response: Response) => {
      await response.text();
      return Object.fromEntries(Object.keys(headers).map((name) => [name, response.headers.get(name)]));
    };
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const common = { 'X-Rate-Limit': '60', 'X-Next': uuid, Link: null, Location: null };
    const listed = await ask('/pets');
    expect(listed.status).toBe(200);
    const fromState = await read(listed);
    expect(fromState).toEqual({ ...common, 'X-Total-Count': '0' });
    expect(await read(await ask('/pets', json('POST', {})))).toMatchObject({ Location: '/pets/1' });
    expect(await read(await ask('/pets/9'))).toEqual({ ...common, 'X-Total-Count': null });
    const fromDocument = await read(await ask('/pets', { headers: { Prefer: 'dynamic=true, code=200' } }));
    expect(fromDocument['X-Next']).toBe(fromState['X-Next']);
  });

  it('ends where a folded text of YAML ends with a line break', async () => {
    const { ask } = await adapter.open({
      spec: withHeaders({ 'X-Note': { schema: STRING, example: 'a b\n' } }),
    });
    expect((await ask('/thing')).headers.get('x-note')).toBe('a b');
  });

  it.each(['a ☃', 'é', 'a\r\nX-Injected: 1', '\u0000'])(
    'is harmless with the example %j',
    async (example) => {
      const { ask } = await adapter.open({ spec: withHeaders({ 'X-Note': { schema: STRING, example } }) });
      const response = await ask('/thing');
      expect(response.status).toBe(200);
      expect(response.headers.get('x-injected')).toBeNull();
      expect(response.headers.get('x-note') ?? '').toMatch(/^[ -~]*$/);
    },
  );

  // OpenAPI 3.0: a response header named Content-Type is to be ignored.
  it.each(['Content-Type', 'content-type', 'Content-Length', 'content-length'])(
    'cannot be %s, which the content decides',
    async (name) => {
      const example = name.endsWith('ype') ? 'text/plain' : '3';
      const { ask } = await adapter.open({ spec: withHeaders({ [name]: { schema: STRING, example } }) });
      const response = await ask('/thing');
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('content-length')).toBe('1');
      expect(await response.text()).toBe('1');
    },
  );

  it('with a name that is none is refused at start, or not sent, but never leaves a request open', async () => {
    const spec = withHeaders({ 'X Bad': { schema: STRING, example: 'a' } });
    const opened = await adapter.open({ spec }).catch((error: Error) => error);
    if (opened instanceof Error) {
      expect(opened.message).toContain('X Bad');
      return;
    }
    const response = await opened.ask('/thing', { signal: AbortSignal.timeout(2_000) });
    expect(response.status).toBe(200);
  });
});

const FILTER = {
  name: 'filter',
  in: 'query',
  style: 'deepObject',
  explode: true,
  schema: {
    type: 'object',
    required: ['color'],
    properties: { color: { type: 'string', enum: ['red', 'blue'] }, size: INTEGER },
  },
};

/** Operations that take more than plain parameters and JSON. */
const NOT_PLAIN = documentOf({
  '/search': {
    get: {
      operationId: 'search',
      parameters: [FILTER, { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } }],
      responses: {
        ...jsonAnswer({ type: 'array', items: STRING }, { example: ['found'] }),
        ...DEFAULT_ERROR,
      },
    },
  },
  '/things/{id}/search': {
    get: {
      operationId: 'searchThing',
      parameters: [
        path('id', { type: 'integer', format: 'int64' }),
        { ...FILTER, schema: { type: 'object' } },
      ],
      responses: { ...jsonAnswer(STRING, { example: 'found' }), ...DEFAULT_ERROR },
    },
  },
  '/form': {
    post: {
      operationId: 'sendForm',
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['name'],
              properties: { name: STRING, age: INTEGER, tags: { type: 'array', items: STRING } },
            },
          },
        },
      },
      responses: {
        201: { description: '', content: { 'application/json': { example: 'created' } } },
        ...DEFAULT_ERROR,
      },
    },
  },
  '/upload': {
    post: {
      operationId: 'upload',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['file'],
              properties: { file: { type: 'string', format: 'binary' }, note: STRING },
            },
          },
        },
      },
      responses: { 204: { description: '' }, ...DEFAULT_ERROR },
    },
  },
  '/mixed': {
    post: {
      operationId: 'sendMixed',
      requestBody: {
        content: {
          'application/json': {
            schema: { type: 'object', required: ['name'], properties: { name: STRING } },
          },
          'text/plain': { schema: { type: 'string', minLength: 3 } },
        },
      },
      responses: { 204: { description: '' }, ...DEFAULT_ERROR },
    },
  },
});

function form(body: string, type = 'application/x-www-form-urlencoded'): RequestInit {
  return { method: 'POST', body, headers: { 'Content-Type': type } };
}

function upload(fields: Record<string, string | Blob>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { method: 'POST', body };
}

describeAdapters('an operation that takes more than plain parameters and JSON', (adapter) => {
  const opened = once(() => adapter.open({ spec: NOT_PLAIN }));

  it.each<[string, RequestInit, number]>([
    ['/search?filter[color]=red', {}, 200],
    ['/search?filter%5Bcolor%5D=red&filter%5Bsize%5D=3&limit=2', {}, 200],
    ['/search?filter[color]=red&unknown=1', {}, 200],
    ['/search?filter[color]=red&__proto__=1&toString=2&constructor=3', {}, 200],
    ['/search?filter[color]=red&filter[__proto__]=1', {}, 200],
    ['/things/1/search', {}, 200],
    ['/things/-1/search?filter[a]=b', {}, 200],
    ['/things/9007199254740993/search', {}, 200],
    ['/things/9223372036854775807/search', {}, 200],
    ['/form', form('name=Rex'), 201],
    ['/form', form('name=R%C3%A9x+the+dog&age=3'), 201],
    ['/form', form('name=Rex&tags=a&tags=b'), 201],
    ['/form', form('name=Rex', 'application/x-www-form-urlencoded; charset=utf-8'), 201],
    ['/upload', upload({ file: new Blob(['abc']) }), 204],
    ['/upload', upload({ file: new Blob(['abc']), note: 'x' }), 204],
    ['/mixed', json('POST', { name: 'Rex' }), 204],
    ['/mixed', form('plain', 'text/plain'), 204],
    ['/mixed', { method: 'POST' }, 204],
  ])('takes what is valid: %s %o', async (path, init, status) => {
    const { ask } = await opened();
    const response = await ask(path, init);
    expect(response.status).toBe(status);
    await response.text();
  });

  it.each<[string, RequestInit, number, string, string | undefined, RegExp]>([
    ['/search?filter[size]=3', {}, 400, 'invalid_parameter', 'query.filter.color', /is required/],
    ['/search?filter[color]=green', {}, 400, 'invalid_parameter', 'query.filter.color', /red, blue/],
    [
      '/search?filter[color]=red&filter[size]=big',
      {},
      400,
      'invalid_parameter',
      'query.filter.size',
      /integer/,
    ],
    ['/search?filter=red', {}, 400, 'invalid_parameter', 'query.filter', /filter/],
    ['/search?filter[color]=red&limit=0', {}, 400, 'invalid_parameter', 'query.limit', />= 1/],
    ['/search?filter[color]=red&limit=many', {}, 400, 'invalid_parameter', 'query.limit', /integer/],
    ['/search?filter[color]=red&limit=1&limit=2', {}, 400, 'invalid_parameter', 'query.limit', /./],
    ['/things/abc/search', {}, 400, 'invalid_parameter', 'path.id', /integer/],
    ['/things/%ZZ/search', {}, 400, 'malformed_path', undefined, /%ZZ/],
    ['/form', form('age=3'), 422, 'validation_failed', 'body.name', /is required/],
    ['/form', form('name=Rex&age=old'), 422, 'validation_failed', 'body.age', /integer/],
    ['/form', form('name=Rex&age=1&age=2'), 422, 'validation_failed', 'body.age', /integer/],
    ['/form', form('=&=&'), 422, 'validation_failed', 'body.name', /is required/],
    ['/form', form(''), 422, 'validation_failed', 'body.name', /is required/],
    ['/form', { method: 'POST' }, 422, 'validation_failed', 'body', /is required/],
    [
      '/form',
      json('POST', { name: 'Rex' }),
      415,
      'unsupported_media_type',
      undefined,
      /x-www-form-urlencoded/,
    ],
    ['/form', form('name=Rex', 'text/plain'), 415, 'unsupported_media_type', undefined, /text\/plain/],
    ['/upload', upload({ note: 'x' }), 422, 'validation_failed', 'body.file', /is required/],
    [
      '/upload',
      form('garbage', 'multipart/form-data; boundary=x'),
      400,
      'malformed_multipart',
      undefined,
      /boundary/,
    ],
    ['/mixed', json('POST', {}), 422, 'validation_failed', 'body.name', /is required/],
    ['/mixed', form('{', 'application/json'), 400, 'malformed_json', undefined, /body/i],
    ['/mixed', form('ab', 'text/plain'), 422, 'validation_failed', 'body', /3 characters/],
    ['/mixed', json('POST', { name: 9007199254740992 }), 422, 'validation_failed', 'body.name', /string/],
  ])('explains what is not: %s %o', async (path, init, status, code, location, message) => {
    const { ask } = await opened();
    const response = await ask(path, init);
    const violations = JSON.parse(response.headers.get('x-mock-violations') ?? '[]') as {
      location: string;
    }[];
    expect(response.status).toBe(status);
    const error = await readError(response);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(violations[0]?.location).toBe(location);
    if (location !== undefined) expect(error.message).toContain(`${location}: `);
  });

  it.each(['1e3', '0x10', '007', '+7', '%20', '%207', '1.0', '1.5', '9223372036854775808'])(
    'takes %s for no integer, as the plain ones do',
    async (text) => {
      const { ask } = await opened();
      for (const path of [
        `/things/${text}/search`,
        `/search?filter[color]=red&limit=${text.replace('+', '%2B')}`,
      ]) {
        const response = await ask(path);
        expect(response.status, path).toBe(400);
        expect((await readError(response)).code).toBe('invalid_parameter');
      }
    },
  );

  it('takes an empty parameter for no integer', async () => {
    const { ask } = await opened();
    expect((await ask('/search?filter[color]=red&limit=')).status).toBe(400);
  });

  it('names everything that is wrong, in one answer', async () => {
    const { ask } = await opened();
    const { message } = await readError(await ask('/search?filter[color]=green&limit=0'));
    expect(message).toMatch(/(^|; )query\.filter\.color: .*red, blue/);
    expect(message).toMatch(/(^|; )query\.limit: must be >= 1/);
  });

  it('has state like any other', async () => {
    const pet = { type: 'object', required: ['id'], properties: { id: INTEGER, color: STRING } };
    const spec = documentOf({
      '/pets': {
        get: { parameters: [FILTER], responses: jsonAnswer({ type: 'array', items: pet }) },
        post: {
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 201: { description: '', content: { 'application/json': { schema: pet } } } },
        },
      },
      '/pets/{id}': { get: { parameters: [path('id', INTEGER)], responses: jsonAnswer(pet) } },
    });
    const { ask } = await adapter.open({ spec, empty: true });
    await ask('/pets', json('POST', { color: 'red' }));
    expect(await (await ask('/pets?filter[color]=red')).json()).toEqual([{ id: 1, color: 'red' }]);
    expect((await ask('/pets?filter[color]=green')).status).toBe(422);
  });
});

describeInProcess('a path template', (adapter) => {
  const named = (name: string, ...parameters: string[]) => ({
    get: {
      operationId: name,
      parameters: parameters.map((parameter) => path(parameter, STRING)),
      responses: jsonAnswer(STRING, { example: name }),
    },
  });
  const spec = documentOf({
    '/a/{x}': named('one', 'x'),
    '/a/mine': named('mine'),
    '/a/{x}/b/{y}': named('two', 'x', 'y'),
    '/a/{x}.{y}': named('dotted', 'x', 'y'),
    '/v{version}/a': named('partial', 'version'),
    '/slash/': named('slash'),
    '/colon:verb': named('colon'),
    '/star/*/(x)': named('star'),
    '/': named('root'),
    '/odd/{weird-name.x}': named('weird', 'weird-name.x'),
  });
  const opened = once(() => adapter.open({ spec }));

  it.each([
    ['/a/1', 'one'],
    ['/a/mine', 'mine'],
    ['/a/mine%20', 'one'],
    ['/a/1/b/2', 'two'],
    ['/a/1.2', 'dotted'],
    ['/v7/a', 'partial'],
    ['/slash/', 'slash'],
    ['/colon:verb', 'colon'],
    ['/star/*/(x)', 'star'],
    ['/', 'root'],
    ['/odd/1', 'weird'],
  ])('%s is answered by %s', async (target, expected) => {
    const { ask } = await opened();
    expect(await (await ask(target)).json()).toBe(expected);
  });

  it.each(['/a', '/a/', '/a/1/', '/a/1/b/', '/slash', '/v/a', '/star/1/x', '/colonverb', '/odd/', '/a//b/2'])(
    '%s is answered by none',
    async (target) => {
      const { ask } = await opened();
      const response = await ask(target);
      expect(response.status).toBe(404);
      expect((await readDetails(response)).code).toBe('path_not_found');
    },
  );
});

describeInProcess('a preference about values', (adapter) => {
  const item = { type: 'object', required: ['name'], properties: { name: STRING, legs: INTEGER } };
  const spec = thing({
    ...jsonAnswer(item, {
      examples: { rex: { value: { name: 'Rex', legs: 4 } }, bo: { value: { name: 'Bo' } } },
    }),
    404: { description: '', content: { 'application/json': { example: { name: 'nobody' } } } },
  });
  const read = async (path: string, prefer = '') => {
    const { ask } = await adapter.open({ spec });
    const response = await ask(path, { headers: { Prefer: prefer } });
    return { status: response.status, body: (await response.json()) as { name?: string } };
  };

  it('dynamic=true makes a value up, the same for the same seed', async () => {
    const made = await read('/thing', 'dynamic=true');
    expect(made.body.name).not.toBe('Rex');
    expect(await read('/thing', 'dynamic=true')).toEqual(made);
    const seeded = await read('/thing', 'dynamic=true, seed=7');
    expect(seeded).not.toEqual(made);
    expect(await read('/thing', 'dynamic=true, seed=7')).toEqual(seeded);
    expect((await read('/thing', 'dynamic=false')).body.name).toBe('Rex');
  });

  it.each([
    ['/thing?__code=404', '', 404, 'nobody'],
    ['/thing?__example=bo', '', 200, 'Bo'],
    ['/thing?__code=200&__example=bo', '', 200, 'Bo'],
    ['/thing?__code=404', 'code=200', 200, 'Rex'],
    ['/thing?__code=abc&__else=1', '', 200, 'Rex'],
  ])('may stand in the query: %s, Prefer: %s', async (path, prefer, status, name) => {
    expect(await read(path, prefer)).toMatchObject({ status, body: { name } });
  });

  it('may ask for a made-up value in the query', async () => {
    expect(await read('/thing?__dynamic=true&__seed=7')).toEqual(
      await read('/thing', 'dynamic=true, seed=7'),
    );
  });
});

describeInProcess('plain text that holds objects', (adapter) => {
  const entity = { type: 'object', required: ['id'], properties: { id: INTEGER, name: STRING } };
  const inBoth = (status: number, schema: object) => ({
    [status]: {
      description: '',
      content: { 'text/plain': { schema }, 'application/json': { schema } },
    },
  });
  const spec = documentOf({
    '/things': {
      get: { operationId: 'listThings', responses: inBoth(200, { type: 'array', items: entity }) },
      post: {
        operationId: 'createThing',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: inBoth(201, entity),
      },
    },
  });

  it('is the JSON of state, for a client that asks for it', async () => {
    const { ask } = await adapter.open({ spec, empty: true });
    const made = await ask('/things', json('POST', { name: 'new' }, { Accept: 'text/plain' }));
    expect([made.status, made.headers.get('content-type')]).toEqual([201, 'text/plain']);
    expect(JSON.parse(await made.text())).toEqual({ id: 1, name: 'new' });
    const listed = await ask('/things', { headers: { Accept: 'text/plain' } });
    expect(listed.headers.get('content-type')).toBe('text/plain');
    expect(JSON.parse(await listed.text())).toEqual([{ id: 1, name: 'new' }]);
    expect((await ask('/things')).headers.get('content-type')).toBe('application/json');
  });
});
