import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it, test } from 'vitest';
import { loadDocument } from '../src/document/document.ts';
import { createMock } from '../src/index.ts';
import { createPrism } from '../src/mock/check/prism.ts';
import { buildOperationTable } from '../src/model/operations/operations.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails } from './support/errors.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };

function object(properties: object, required: readonly string[] = [], more: object = {}): object {
  return { type: 'object', properties, ...(required.length > 0 && { required }), ...more };
}

function list(items: object, more: object = {}): object {
  return { type: 'array', items, ...more };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function answers(content: object): object {
  return { description: 'A failure.', content };
}

/** A document of things whose failures all have this content. */
function things(content: object, schemas: object = {}): object {
  const thing = object({ id: INTEGER, name: STRING, size: { type: 'integer', minimum: 1 } }, ['id', 'name']);
  const body = object({ name: STRING, size: { type: 'integer', minimum: 1 } }, ['name']);
  const failure = answers(content);
  const id = { name: 'thingId', in: 'path', required: true, schema: INTEGER };
  return documentOf(
    {
      '/things': {
        get: {
          operationId: 'listThings',
          responses: { ...jsonAnswer(list(thing)), '4XX': failure, default: failure },
        },
        post: {
          operationId: 'createThing',
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            201: answers({ 'application/json': { schema: thing } }),
            422: failure,
            default: failure,
          },
        },
      },
      '/things/{thingId}': {
        get: {
          operationId: 'getThing',
          parameters: [id],
          responses: { ...jsonAnswer(thing), 404: failure, '5XX': failure, default: failure },
        },
      },
    },
    { schemas },
  );
}

/** A way to ask for a failure of `things`. */
interface Failing {
  readonly id: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly status: number;
}

const MISSING: Failing = { id: 'getThing', path: '/things/4711', status: 404 };
const INVALID: Failing = {
  id: 'createThing',
  path: '/things',
  init: json('POST', { size: 0 }),
  status: 422,
};
const PREFERRED: Failing = {
  id: 'getThing',
  path: '/things/1',
  init: { headers: { Prefer: 'code=503' } },
  status: 503,
};
const RULED: Failing = { id: 'listThings', path: '/things', status: 429 };
const FAILINGS = [MISSING, INVALID, PREFERRED, RULED];

const NO_THING = expect.stringContaining('4711');
const RECENT = expect.toSatisfy((text: string) => Math.abs(Date.now() - Date.parse(text)) < 60_000);

const DETAILS = object({
  type: { type: 'string', format: 'uri-reference' },
  title: STRING,
  status: INTEGER,
  detail: STRING,
  instance: { type: 'string', format: 'uri-reference' },
});

/** Error schemas as they are found in the wild: what 404 and 422 have to say in them, and their components. */
const WILD: readonly [name: string, schema: object, missing: unknown, invalid: unknown, schemas?: object][] =
  [
    [
      'problem details',
      DETAILS,
      {
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: NO_THING,
        instance: '/things/4711',
      },
      { status: 422, instance: '/things', detail: expect.stringContaining('body.name: is required') },
    ],
    [
      'problem details with violations',
      { allOf: [DETAILS, object({ errors: list(object({ detail: STRING, pointer: STRING })) })] },
      expect.not.objectContaining({ errors: expect.anything() }),
      {
        errors: [
          { detail: 'is required', pointer: '#/name' },
          { detail: 'must be >= 1', pointer: '#/size' },
        ],
      },
    ],
    [
      'an error object in an object',
      object({ error: object({ code: STRING, message: STRING }, ['code', 'message']) }, ['error']),
      { error: { code: 'thing_not_found', message: NO_THING } },
      { error: { code: 'validation_failed' } },
    ],
    [
      'a list of fields',
      object({ errors: list(object({ field: STRING, message: STRING })) }, ['errors']),
      { errors: [{ message: NO_THING }] },
      {
        errors: [
          { field: 'name', message: 'is required' },
          { field: 'size', message: 'must be >= 1' },
        ],
      },
    ],
    [
      'a list of texts',
      object({ message: STRING, errors: list(STRING) }, ['message', 'errors']),
      { message: NO_THING, errors: [] },
      { errors: ['body.name: is required', 'body.size: must be >= 1'] },
    ],
    [
      'statusCode, error and message',
      object({ statusCode: INTEGER, error: STRING, message: STRING }, ['statusCode', 'error', 'message']),
      { statusCode: 404, error: 'thing_not_found', message: NO_THING },
      { statusCode: 422, error: 'validation_failed' },
    ],
    [
      'code as a number and status as a name',
      object(
        {
          error: object(
            {
              code: INTEGER,
              message: STRING,
              status: STRING,
              details: list({ type: 'object', additionalProperties: true }),
            },
            ['code', 'message', 'status', 'details'],
          ),
        },
        ['error'],
      ),
      { error: { code: 404, message: NO_THING, status: 'NOT_FOUND', details: [] } },
      {
        error: {
          code: 422,
          status: 'UNPROCESSABLE_ENTITY',
          details: [
            { location: 'body.name', message: 'is required' },
            { location: 'body.size', message: 'must be >= 1' },
          ],
        },
      },
    ],
    [
      'time, phrase and path',
      object(
        {
          timestamp: { type: 'string', format: 'date-time' },
          status: INTEGER,
          error: STRING,
          message: STRING,
          path: STRING,
        },
        ['timestamp', 'status', 'path'],
      ),
      { timestamp: RECENT, status: 404, message: NO_THING, path: '/things/4711' },
      { timestamp: RECENT, status: 422, path: '/things' },
    ],
    [
      'nothing but a text',
      object({ error: STRING }, ['error']),
      { error: NO_THING },
      { error: expect.stringContaining('is required') },
    ],
    ['a bare text', STRING, NO_THING, expect.stringContaining('is required')],
    [
      'an error code and its description',
      object({ error: STRING, error_description: STRING, error_uri: STRING }, ['error']),
      { error: 'thing_not_found', error_description: NO_THING },
      { error: 'validation_failed' },
    ],
    [
      'one of two',
      { oneOf: [object({ pets: list(STRING) }, ['pets']), ref('Failure')] },
      { errorCode: 'thing_not_found', msg: NO_THING },
      { errorCode: 'validation_failed' },
      { Failure: object({ errorCode: STRING, msg: STRING }, ['errorCode', 'msg']) },
    ],
    [
      'a common part and its own',
      { allOf: [ref('Base'), object({ traceId: { type: 'string', format: 'uuid' } }, ['traceId'])] },
      { code: 'thing_not_found', message: NO_THING, traceId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { code: 'validation_failed' },
      { Base: object({ code: STRING, message: STRING }, ['code', 'message']) },
    ],
    [
      'codes of an enum',
      object(
        {
          code: { type: 'string', enum: ['UNKNOWN', 'RATE_LIMITED', 'VALIDATION_ERROR', 'NOT_FOUND'] },
          message: STRING,
        },
        ['code', 'message'],
      ),
      { code: 'NOT_FOUND', message: NO_THING },
      { code: 'VALIDATION_ERROR' },
    ],
    [
      'an enum in which nothing fits',
      object({ code: { type: 'string', enum: ['E1', 'E2'] }, message: STRING }, ['code']),
      { code: 'E1', message: NO_THING },
      { code: 'E1' },
    ],
    [
      'codes of a pattern',
      object({ code: { type: 'string', pattern: '^[A-Z_]+$' }, message: { type: 'string', maxLength: 20 } }, [
        'code',
        'message',
      ]),
      { code: 'THING_NOT_FOUND', message: 'Not Found' },
      { code: 'VALIDATION_FAILED', message: 'Unprocessable Entity' },
    ],
    [
      'a closed object with more that is required',
      object(
        { status: STRING, title: STRING, retries: { type: 'integer', minimum: 3, maximum: 5 } },
        ['status', 'title', 'retries'],
        { additionalProperties: false },
      ),
      { status: '404', title: 'Not Found', retries: expect.any(Number) },
      { status: '422', title: 'Unprocessable Entity' },
    ],
    [
      'success, status and data',
      object({
        success: { type: 'boolean' },
        status: { type: 'string', enum: ['success', 'fail', 'error'] },
        message: STRING,
        data: object({ id: INTEGER }),
      }),
      { success: false, status: 'error', message: NO_THING },
      { success: false },
    ],
    [
      'messages by field',
      object({
        title: STRING,
        errors: { type: 'object', additionalProperties: list(STRING) },
      }),
      { title: 'Not Found' },
      { errors: { name: ['is required'], size: ['must be >= 1'] } },
    ],
    [
      'steps to the field',
      object({
        detail: list(object({ loc: list({ anyOf: [STRING, INTEGER] }), msg: STRING, type: STRING }, ['loc'])),
      }),
      { detail: [{ loc: ['request'], msg: NO_THING, type: 'thing_not_found' }] },
      { detail: [{ loc: ['body', 'name'], msg: 'is required' }, { loc: ['body', 'size'] }] },
    ],
    [
      'a list of errors with a source',
      object({
        errors: list(
          object({ status: STRING, code: STRING, detail: STRING, source: object({ pointer: STRING }) }),
          { minItems: 1 },
        ),
      }),
      { errors: [{ status: '404', code: 'thing_not_found', detail: NO_THING }] },
      { errors: [{ detail: 'is required', source: { pointer: '#/name' } }, { detail: 'must be >= 1' }] },
    ],
    [
      'a schema without end',
      ref('Nested'),
      { code: 'thing_not_found', message: NO_THING },
      { code: 'validation_failed' },
      {
        Nested: object(
          { code: STRING, message: STRING, innerError: ref('Nested'), errors: list(ref('Nested')) },
          ['code', 'message'],
        ),
      },
    ],
    [
      'an open object',
      { type: 'object' },
      { code: 'thing_not_found', message: NO_THING, status: 404 },
      { code: 'validation_failed' },
    ],
    ['a number', { type: 'integer' }, 404, 422],
    [
      'nothing that has to do with an error',
      object({ weight: { type: 'number', minimum: 1 } }, ['weight'], { additionalProperties: false }),
      { weight: expect.any(Number) },
      { weight: expect.any(Number) },
    ],
  ];

/** What breaks the schema of an error in the mind of a validator that shares nothing with the code under test. */
function judgeBySchema(schema: object, schemas: object, body: unknown): unknown {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.validate({ ...schema, components: { schemas } }, body);
  return ajv.errors;
}

async function judgeByPrism(spec: object, { id }: Failing, response: Response): Promise<unknown> {
  const document = await loadDocument(spec);
  const operation = buildOperationTable(document).find(id);
  if (!operation) throw new Error(`No operation ${id}`);
  const answer = {
    status: response.status,
    headers: { 'Content-Type': response.headers.get('content-type') ?? '' },
    body: await response.clone().text(),
  };
  const request = { method: operation.method, path: operation.path, query: '', headers: {} };
  return (await createPrism(document)).judge(operation, request, answer);
}

async function fail(ask: Ask, { path, init, status }: Failing): Promise<Response> {
  const response = await ask(path, init);
  expect(response.status).toBe(status);
  return response;
}

describeInProcess('an error has the shape that the document declares', (adapter) => {
  it.each(WILD)('%s', async (_, schema, missing, invalid, schemas = {}) => {
    const spec = things({ 'application/json': { schema } }, schemas);
    const { ask } = await adapter.open({ spec, errors: ['listThings=429'] });
    const bodies = [];
    for (const failing of FAILINGS) {
      const response = await fail(ask, failing);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await judgeByPrism(spec, failing, response)).toEqual([]);
      const body = await response.json();
      expect(judgeBySchema(schema, schemas, body)).toBeNull();
      bodies.push(body);
    }
    const like = (expected: unknown, actual: unknown) =>
      Array.isArray(expected) || typeof expected !== 'object' || expected === null || '$$typeof' in expected
        ? expect(actual).toEqual(expected)
        : expect(actual).toMatchObject(expected);
    like(missing, bodies[0]);
    like(invalid, bodies[1]);
  });

  it('in an optional list, says nothing twice', async () => {
    const schema = object({ code: STRING, message: STRING, details: list(object({ message: STRING })) });
    const { ask } = await adapter.open({ spec: things({ 'application/json': { schema } }) });
    expect(Object.keys((await (await fail(ask, MISSING)).json()) as object)).toEqual(['code', 'message']);
  });
});

const ERROR = object({ code: STRING, message: STRING }, ['code', 'message']);

describeInProcess('an error has the media type that the document declares', (adapter) => {
  it.each<[string, object, string]>([
    ['problem details', { 'application/problem+json': { schema: DETAILS } }, 'application/problem+json'],
    [
      'problem details, which come first',
      { 'application/problem+json': { schema: DETAILS }, 'application/json': { schema: ERROR } },
      'application/problem+json',
    ],
    [
      'JSON, which comes first',
      { 'application/json': { schema: ERROR }, 'application/problem+json': { schema: DETAILS } },
      'application/json',
    ],
    [
      'JSON of its own kind',
      { 'application/vnd.error+json': { schema: ERROR } },
      'application/vnd.error+json',
    ],
    [
      'JSON beside XML',
      { 'application/xml': { schema: ERROR }, 'application/json': { schema: ERROR } },
      'application/json',
    ],
    ['any', { '*/*': { schema: ERROR } }, 'application/json'],
    ['JSON of no schema', { 'application/json': { example: {} } }, 'application/json'],
  ])('%s', async (_, content, type) => {
    const spec = things(content);
    const { ask } = await adapter.open({ spec });
    for (const failing of [MISSING, INVALID]) {
      const response = await fail(ask, failing);
      expect(response.headers.get('content-type')).toBe(type);
      expect(await judgeByPrism(spec, failing, response)).toEqual([]);
    }
  });
});

describeInProcess('an error that is declared only as', (adapter) => {
  const opened = once(() =>
    adapter.open({
      spec: twoOperations(
        { default: answers({ 'application/xml': { schema: { ...ERROR, xml: { name: 'error' } } } }) },
        { default: answers({ 'text/plain': { schema: STRING } }) },
      ),
    }),
  );

  it.each(['application/json', 'application/xml', '*/*'])('XML is XML, with Accept: %s', async (accept) => {
    const { ask } = await opened();
    const response = await ask('/thing/x', { headers: { Accept: accept } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/xml');
    expect(await response.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<error><code>invalid_parameter</code><message>path.id: must be integer</message></error>',
    );
  });

  it('text is its message', async () => {
    const { ask } = await opened();
    const response = await ask('/other/x');
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(await response.text()).toBe('path.id: must be integer');
  });

  it('XML is problem details where no operation was found', async () => {
    const { ask } = await opened();
    expect(await readDetails(await ask('/nope'))).toMatchObject({ code: 'path_not_found' });
  });
});

/** `GET /thing` with an error of its own, `GET /other` without one. */
function twoOperations(first: object, second: object): object {
  const id = { name: 'id', in: 'path', required: true, schema: INTEGER };
  const get = (responses: object) => ({
    get: { parameters: [id], responses: { ...jsonAnswer(STRING), ...responses } },
  });
  return documentOf({ '/thing/{id}': get(first), '/other/{id}': get(second) });
}

describeInProcess('where the document declares no shape', (adapter) => {
  it.each<[string, object, number]>([
    ['content', {}, 422],
    ['but an empty response', { 400: { description: 'Bad.' }, 404: { description: 'None.' } }, 400],
  ])('%s, an error is problem details', async (_, responses, status) => {
    const { ask } = await adapter.open({ spec: twoOperations(responses, responses) });
    const invalid = await ask('/thing/x');
    const { violations } = (await invalid.clone().json()) as { violations: unknown };
    expect(violations).toEqual([{ location: 'path.id', message: 'must be integer' }]);
    expect(await readDetails(invalid)).toMatchObject({ code: 'invalid_parameter', status });
    expect(await readDetails(await ask('/nope'))).toMatchObject({ code: 'path_not_found', status: 404 });
    const wrong = await ask('/thing/1', { method: 'DELETE' });
    expect(wrong.headers.get('allow')).toContain('GET');
    expect(await readDetails(wrong)).toMatchObject({ code: 'method_not_allowed', status: 405 });
  });

  it('at one place, an error has the shape of all others', async () => {
    const { ask } = await adapter.open({ spec: twoOperations(DEFAULT_ERROR, {}) });
    for (const [path, code] of [
      ['/thing/x', 'invalid_parameter'],
      ['/other/x', 'invalid_parameter'],
      ['/nope', 'path_not_found'],
    ] as const) {
      const response = await ask(path);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual({
        code,
        message: expect.any(String),
        status: response.status,
      });
    }
  });

  it('and others are of different shapes, an error is problem details', async () => {
    const other = { 404: answers({ 'application/json': { schema: ERROR } }) };
    const { ask } = await adapter.open({ spec: twoOperations(DEFAULT_ERROR, other) });
    expect((await ask('/thing/x')).headers.get('content-type')).toBe('application/json');
    expect(await readDetails(await ask('/other/x'))).toMatchObject({ code: 'invalid_parameter' });
    expect(await readDetails(await ask('/nope'))).toMatchObject({ code: 'path_not_found' });
  });
});

describe('an error schema of alternatives that do not exclude each other', () => {
  it('is filled all the same, though no value holds to it', async () => {
    const base = object({ error: STRING, message: STRING });
    const named = (name: string) => ({ allOf: [base, object({ error: { type: 'string', default: name } })] });
    const schema = { oneOf: [named('KEY_EMPTY'), named('KEY_UNKNOWN')] };
    const mock = await createMock({ spec: things({ 'application/json': { schema } }) });
    const response = await mock.fetch('/things/999');
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: 'thing_not_found', message: 'No thing has the id 999.' },
    ]);
  });
});

describe('an error schema that no validator can be made of as it stands', () => {
  it('is mended at load, so that errors have its shape all the same', async () => {
    const schema = object({ code: { type: 'string', pattern: '(' }, message: STRING }, ['code']);
    const broken = { default: answers({ 'application/json': { schema } }) };
    const mock = await createMock({ spec: twoOperations(broken, broken) });
    expect(mock.document.notes).toMatchObject([
      { effect: 'ignored', what: 'pattern' },
      { effect: 'ignored', what: 'pattern' },
    ]);
    expect(await (await mock.fetch('/thing/x')).json()).toMatchObject({ code: 'invalid_parameter' });
    expect(await (await mock.fetch('/nope')).json()).toMatchObject({ code: 'path_not_found' });
  });
});

describe('what a document declares for another status', () => {
  it.each([
    [404, 'own'],
    [409, 'range'],
    [500, 'default'],
  ])('is not taken for %d, which has its %s', async (status, name) => {
    const of = (member: string) =>
      answers({ 'application/json': { schema: object({ [member]: STRING, message: STRING }, [member]) } });
    const responses = { 404: of('own'), '4XX': of('range'), default: of('default') };
    const mock = await createMock({
      spec: twoOperations(responses, {}),
      errors: [{ operation: 'GET /thing/{id}', status }],
    });
    const body = (await (await mock.fetch('/thing/1')).json()) as object;
    expect(Object.keys(body)).toEqual([name, 'message']);
  });
});

const TODAY = '2027-01-01';
const NIL = '00000000-0000-0000-0000-000000000000';
const MAP = { type: 'object', additionalProperties: STRING };
const unknown = (schema: object) => object({ amber: schema }, ['amber'], { additionalProperties: false });

/** Schemas that say nothing about their strings, and what 404 has to say in them. */
const SPEECHLESS: readonly (readonly [name: string, schema: object, missing: unknown])[] = [
  ['a map of texts', MAP, { code: 'thing_not_found', message: NO_THING, status: '404' }],
  [
    'a map of texts below a member',
    object({ error: MAP }, ['error']),
    { error: { code: 'thing_not_found', message: NO_THING, status: '404' } },
  ],
  ['a map of numbers', { type: 'object', additionalProperties: INTEGER }, { status: 404 }],
  ['a map of lists', { type: 'object', additionalProperties: list(STRING) }, { error: [NO_THING] }],
  [
    'a map of errors',
    { type: 'object', additionalProperties: object({ code: STRING, message: STRING }, ['code', 'message']) },
    { error: { code: 'thing_not_found', message: NO_THING } },
  ],
  [
    'a map that needs many members',
    { type: 'object', additionalProperties: STRING, minProperties: 5 },
    { message: NO_THING, code: 'thing_not_found', status: 'THING_NOT_FOUND' },
  ],
  ['a member that nobody knows', unknown(STRING), { amber: NO_THING }],
  [
    'members that nobody knows',
    object({ amber: STRING, fern: STRING, message: STRING }, ['amber', 'fern', 'message']),
    { amber: 'thing_not_found', fern: 'thing_not_found', message: NO_THING },
  ],
  ['an object of such', unknown(object({ fern: STRING }, ['fern'])), { amber: { fern: NO_THING } }],
  ['a required map of texts', object({ amber: MAP, message: STRING }, ['amber', 'message']), { amber: {} }],
  ['a list of texts', unknown(list(STRING, { minItems: 1, maxItems: 1 })), { amber: [NO_THING] }],
  [
    'a list of texts that differ',
    unknown(list(STRING, { minItems: 3, uniqueItems: true })),
    { amber: [NO_THING, 'thing_not_found', 'THING_NOT_FOUND'] },
  ],
  ['a short text', unknown({ type: 'string', maxLength: 3 }), { amber: '404' }],
  [
    'a long text',
    unknown({ type: 'string', minLength: 100 }),
    { amber: expect.stringMatching(/4711.*\.{9}$/) },
  ],
  ['an enum', unknown({ type: 'string', enum: ['E1', 'E2'] }), { amber: 'E1' }],
  ['a constant', unknown({ enum: ['E1'] }), { amber: 'E1' }],
  ['an example', unknown({ type: 'string', example: 'E7' }), { amber: 'E7' }],
  [
    'a pattern that the code fits',
    unknown({ type: 'string', pattern: '^[A-Z_]+$' }),
    { amber: 'THING_NOT_FOUND' },
  ],
  [
    'a pattern',
    unknown({ type: 'string', pattern: '^E-\\d{4}$' }),
    { amber: expect.stringMatching(/^E-\d{4}$/) },
  ],
  ['a time', unknown({ type: 'string', format: 'date-time' }), { amber: `${TODAY}T00:00:00.000Z` }],
  ['a date', unknown({ type: 'string', format: 'date' }), { amber: TODAY }],
  ['a URI', unknown({ type: 'string', format: 'uri' }), { amber: 'about:blank' }],
  ['a UUID', unknown({ type: 'string', format: 'uuid' }), { amber: NIL }],
  ['an address', unknown({ type: 'string', format: 'email' }), { amber: 'nobody@example.com' }],
  ['a host', unknown({ type: 'string', format: 'hostname' }), { amber: 'example.com' }],
  ['an IP address', unknown({ type: 'string', format: 'ipv4' }), { amber: '192.0.2.1' }],
  ['a bare URI', { type: 'string', format: 'uri' }, 'about:blank'],
  ['one of two', { oneOf: [unknown(STRING), unknown(INTEGER)] }, { amber: NO_THING }],
];

/** All strings in a value, names of members too. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsOf(member)]);
}

describeInProcess('no string of an error is made up', (adapter) => {
  it.each(SPEECHLESS)('%s', async (name, schema, missing) => {
    const spec = things({ 'application/json': { schema } });
    const strings: string[][] = [];
    for (const seed of [1, 2]) {
      const { ask, mock } = await adapter.open({ spec, seed, errors: ['listThings=429'] });
      mock.clock.freeze(TODAY);
      for (const failing of FAILINGS) {
        const body = await (await fail(ask, failing)).json();
        expect(judgeBySchema(schema, {}, body)).toBeNull();
        if (failing === MISSING && seed === 1) expect(body).toEqual(like(body, missing));
        strings.push(stringsOf(body));
      }
    }
    // What is made up depends on the seed.
    if (name !== 'a pattern') expect(strings.slice(4)).toEqual(strings.slice(0, 4));
  });
});

test('no string of an error is made up in the shapes of a whole document', async () => {
  const spec = fileURLToPath(new URL('documents/error-shapes.yaml', import.meta.url));
  const asked: readonly (readonly [path: string, init?: RequestInit])[] = [
    ['/tickets', json('POST', {})],
    ['/tickets/404'],
    ['/tickets/x'],
    ['/tickets', { headers: { Prefer: 'code=503' } }],
    ['/tickets/1', { headers: { Prefer: 'code=400' } }],
    ['/nowhere'],
  ];
  const bodies = [1, 2].map(async (seed) => {
    const mock = await createMock({ spec, seed });
    return Promise.all(asked.map(async (each) => (await mock.fetch(...each)).json()));
  });
  const [one, other] = await Promise.all(bodies);
  expect(one).toEqual(other);
});

/** A matcher for an object that may have more members. */
function like(body: unknown, expected: unknown): unknown {
  return typeof body === 'object' && body !== null ? expect.objectContaining(expected as object) : expected;
}
