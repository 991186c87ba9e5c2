import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadDocument } from '../src/document/document.ts';
import { createMock, type Mock, SetupError } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

const KEYWORDS = [
  ...['$id', '$schema', '$async', '$anchor', '$comment', 'id', 'title', 'description', 'type', 'nullable'],
  ...['enum', 'const', 'default', 'example', 'examples', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'required', 'properties'],
  ...[
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'items',
  ],
  ...['additionalItems', 'prefixItems', 'contains', 'minContains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies', 'dependentRequired'],
  ...['readOnly', 'writeOnly', 'deprecated', 'discriminator', 'xml', 'definitions', '$defs'],
  ...[
    '$dynamicRef',
    '$dynamicAnchor',
    'contentMediaType',
    'contentEncoding',
    'unevaluatedProperties',
    '__proto__',
    'x-nullable',
    'x-example',
  ],
];

const LEAVES = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    3,
    1.5,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '',
    'x',
    '(',
    '[a-',
    '^\\w-\\-\\@$',
    '(?i)a',
    '1',
  ],
  ...[
    'string',
    'integer',
    'array',
    'object',
    'null',
    'any',
    'file',
    'date-time',
    'int32',
    'byte',
    'uuid',
    'ipv6',
  ],
  ...[[], {}, ['a', 'a'], ['string', 'null'], ['string', 'string'], [null], [1, 'a'], { a: null }, { a: 3 }],
);

/** A schema of keywords, each with something that may or may not belong there. */
const { junk: JUNK } = fc.letrec<{ junk: unknown; value: unknown }>((tie) => ({
  junk: fc
    .array(fc.tuple(fc.constantFrom(...KEYWORDS), tie('value')), { maxLength: 5 })
    .map((members) => Object.fromEntries(members)),
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    { weight: 6, arbitrary: LEAVES },
    { weight: 2, arbitrary: tie('junk') },
    { weight: 1, arbitrary: fc.array(tie('junk'), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(fc.constantFrom('a', 'b', '^x', '('), tie('junk'), { maxKeys: 3 }),
    },
  ),
}));

const BODIES = [null, 1, '', 'a', [], ['a'], {}, { a: 1, b: 'x' }];

describe('whatever stands in a schema', () => {
  const answers = (schema: unknown, status = 200) => ({
    [status]: { description: '', content: { 'application/json': { schema } } },
  });
  const toSpec = (schema: unknown) =>
    documentOf(
      {
        '/things': {
          get: {
            parameters: [
              { name: 'q', in: 'query', schema },
              { name: 'X-Q', in: 'header', schema },
            ],
            responses: {
              ...answers({ type: 'array', items: { $ref: '#/components/schemas/Junk' } }),
              ...answers(schema, 400),
            },
          },
          post: {
            requestBody: { content: { 'application/json': { schema: { allOf: [schema] } } } },
            responses: {
              ...answers(schema, 201),
              default: { description: '', ...Object.values(answers(schema))[0] },
            },
          },
        },
        '/things/{id}': {
          get: { responses: answers({ $ref: '#/components/schemas/Junk' }) },
          put: {
            requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } },
            responses: answers({ type: 'object', properties: { a: schema } }),
          },
        },
      },
      { schemas: { Junk: schema } },
    );

  test('every validator can be made of what is left of it', async () => {
    await fc.assert(
      fc.asyncProperty(JUNK, async (schema) => {
        for (const version of ['3.0.3', '3.1.0']) {
          const { root } = await loadDocument({ ...toSpec(schema), openapi: version });
          const ajv = new Ajv({ strict: false, logger: false });
          addFormats.default(ajv);
          ajv.compile((root.components.schemas as { Junk: object }).Junk);
        }
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test('no request is answered with 500', async () => {
    await fc.assert(
      fc.asyncProperty(JUNK, async (schema) => {
        await expectNoFailure(await createMock({ spec: toSpec(schema) }));
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});

/** Prism fails over a header of an object that is not there. */
const HEADERS = { 'X-Q': 'a' };

/** Asks every operation of a mock for everything. */
async function expectNoFailure(mock: Mock): Promise<void> {
  for (const { method, path } of mock.operations) {
    if (method === 'TRACE') continue;
    const url = `http://localhost${path.replace(/\{[^{}]*\}/g, '1')}`;
    const inits: RequestInit[] =
      method === 'GET' || method === 'HEAD'
        ? [{ headers: HEADERS }, { headers: { ...HEADERS, Prefer: 'dynamic=true' } }]
        : [
            { body: 'a=1&b=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
            ...BODIES.map((body) => json(method, body)),
          ];
    for (const init of inits) {
      const response = await mock.fetch(`${url}?q=a`, { method, ...init });
      const text = await response.text();
      expect(response.status === 500 ? [method, path, init, text] : []).toEqual([]);
    }
  }
}

describe('whatever is changed in a document', () => {
  const own = parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8')) as object;
  const values = [
    undefined,
    null,
    3,
    'x',
    true,
    [],
    ['x'],
    [null],
    {},
    { x: null },
    { $ref: '#/x' },
    { $ref: 3 },
  ];

  test.each([
    ['the pet store', own],
    ['a Swagger document', SWAGGER],
    ['a document with everything in it', EVERYTHING],
  ])(
    'it is served as far as it goes, or refused with its place: %s',
    async (_, original) => {
      const change = fc.record({
        place: fc.constantFrom(...findPlaces(original, [])),
        value: fc.constantFrom<unknown>(...values),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          const spec = changes.reduce(
            (document, { place, value }) => withChange(document, place, value),
            original,
          );
          const mock = await createMock({ spec }).catch((error: unknown) => error);
          if (!(mock instanceof Error)) return expectNoFailure(mock as Mock);
          expect(mock).toBeInstanceOf(SetupError);
          expect(mock.message).toMatch(
            /^(Failed to load the document given as an object|[A-Z]+ \/\S*: ).*[.?]/,
          );
        }),
        { numRuns: 25 },
      );
    },
    60_000,
  );
});

const SCHEMA = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', pattern: '^\\w' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const SWAGGER: object = {
  swagger: '2.0',
  info: { title: 'Small', version: '1' },
  host: 'localhost',
  basePath: '/v1',
  schemes: ['http'],
  consumes: ['application/json'],
  produces: ['application/json'],
  security: [{ key: [] }],
  securityDefinitions: {
    key: { type: 'apiKey', name: 'X-Key', in: 'header' },
    login: { type: 'oauth2', flow: 'implicit', authorizationUrl: '/', scopes: { read: 'Read' } },
  },
  definitions: { Thing: SCHEMA },
  parameters: { Limit: { name: 'limit', in: 'query', type: 'integer', minimum: 1 } },
  responses: { None: { description: 'None.', schema: { $ref: '#/definitions/Thing' } } },
  paths: {
    '/things': {
      parameters: [
        { name: 'X-A', in: 'header', type: 'array', items: { type: 'string' }, collectionFormat: 'csv' },
      ],
      get: {
        operationId: 'listThings',
        tags: ['things'],
        parameters: [{ $ref: '#/parameters/Limit' }],
        responses: {
          200: {
            description: 'All.',
            headers: { 'X-Total': { type: 'integer' } },
            schema: { type: 'array', items: { $ref: '#/definitions/Thing' } },
          },
          404: { $ref: '#/responses/None' },
        },
      },
      post: {
        parameters: [{ name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } }],
        responses: {
          201: {
            description: 'Made.',
            schema: { $ref: '#/definitions/Thing' },
            examples: { 'application/json': { id: 1 } },
          },
        },
      },
    },
    '/things/{id}/file': {
      post: {
        consumes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
        security: [],
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'integer', format: 'int64' },
          { name: 'a', in: 'formData', type: 'file' },
          { name: 'b', in: 'formData', type: 'string', enum: ['x'] },
        ],
        responses: { 204: { description: 'Done.' } },
      },
    },
  },
};

const EVERYTHING: object = {
  openapi: '3.1.0',
  info: {
    title: 'Small',
    version: '1',
    license: { name: 'MIT' },
    contact: { name: 'A' },
    'x-logo': { url: 'a' },
  },
  jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
  servers: [{ url: '/{version}', variables: { version: { default: 'v1', enum: ['v1'] } } }],
  tags: [{ name: 'things', description: 'Things', externalDocs: { url: 'https://example.com' } }],
  externalDocs: { url: 'https://example.com' },
  security: [{ key: [] }],
  webhooks: { made: { post: { responses: { 200: { description: '' } } } } },
  components: {
    schemas: { Thing: SCHEMA, Other: { allOf: [{ $ref: '#/components/schemas/Thing' }], nullable: true } },
    parameters: {
      Limit: { name: 'limit', in: 'query', schema: { type: 'integer' }, examples: { one: { value: 1 } } },
    },
    headers: { Total: { schema: { type: 'integer' }, example: 3 } },
    examples: { One: { summary: 'One', value: { id: 1 } } },
    responses: {
      Thing: {
        description: '',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      },
    },
    requestBodies: {
      Thing: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Other' } } },
      },
    },
    securitySchemes: {
      key: { type: 'apiKey', name: 'X-Key', in: 'header' },
      login: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/', scopes: { read: 'Read' } } } },
      bearer: { type: 'http', scheme: 'bearer' },
    },
    links: { Self: { operationId: 'getThing' } },
    callbacks: { done: { '{$request.body#/url}': { post: { responses: { 200: { description: '' } } } } } },
  },
  paths: {
    '/things': {
      summary: 'Things',
      servers: [{ url: 'https://example.com/base' }],
      parameters: [{ $ref: '#/components/parameters/Limit' }],
      get: {
        operationId: 'listThings',
        deprecated: true,
        parameters: [
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', properties: { a: { type: 'string' } } },
          },
          { name: 'json', in: 'query', content: { 'application/json': { schema: SCHEMA } } },
          { name: 'X-A', in: 'header', schema: { type: 'string' }, example: 'a' },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'All.',
            headers: {
              'X-Total': { $ref: '#/components/headers/Total' },
              'x-more': { schema: { type: 'string' } },
            },
            links: { self: { $ref: '#/components/links/Self' } },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
                examples: { one: { $ref: '#/components/examples/One' }, two: { value: [] } },
              },
              'text/plain': { example: 'things' },
            },
          },
          '4XX': { $ref: '#/components/responses/Thing' },
        },
      },
      post: {
        operationId: 'addThing',
        security: [{ bearer: [] }, {}],
        requestBody: { $ref: '#/components/requestBodies/Thing' },
        callbacks: { done: { $ref: '#/components/callbacks/done' } },
        responses: {
          201: { $ref: '#/components/responses/Thing' },
          default: { $ref: '#/components/responses/Thing' },
        },
      },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: ['integer', 'string'] } }],
      get: {
        operationId: 'getThing',
        'x-note': { a: 1 },
        responses: { 200: { $ref: '#/components/responses/Thing' } },
      },
      put: {
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: SCHEMA,
              encoding: { tags: { style: 'form', explode: true } },
            },
            'multipart/form-data': {
              schema: SCHEMA,
              encoding: {
                name: { contentType: 'text/plain', headers: { 'X-A': { schema: { type: 'string' } } } },
              },
            },
            'application/xml': { schema: SCHEMA },
          },
        },
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Other' } } },
          },
        },
      },
    },
  },
};

type Path = readonly (string | number)[];

function* findPlaces(node: unknown, path: Path): Generator<Path> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    yield [...path, key];
    yield* findPlaces(value, [...path, key]);
  }
}

/** A copy in which something else stands at a place; nothing, if it is `undefined`. */
function withChange<T>(node: T, [key, ...rest]: Path, value: unknown): T {
  if (key === undefined || typeof node !== 'object' || node === null || !Object.hasOwn(node, key))
    return node;
  const copy = (Array.isArray(node) ? [...node] : { ...node }) as Record<string | number, unknown>;
  if (rest.length > 0) copy[key] = withChange(copy[key], rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy as T;
}
