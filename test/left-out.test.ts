import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Diagnostic } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'left-out-'));
});

afterAll(() => rm(directory, { recursive: true }));
afterEach(closeAll);

const HEAD = 'openapi: 3.0.3\ninfo: { title: Half, version: 1.0.0 }\n';
const FINE = '{ 200: { description: Done } }';

/** A diagnostic without the location of the file. */
function toShort({ code, effect, what, place, reason, remedy }: Diagnostic): string[] {
  return [code, `${effect} ${what}`, place.replace(/^.*openapi\.yaml: /, ''), reason, remedy];
}

/** A document, the requests that it answers or not, and its one diagnostic. */
type Half = readonly [name: string, text: string, there: string[], gone: string[], note: (string | RegExp)[]];

const ENTRY = (members: string) => `paths:\n  /fine: { get: { responses: ${FINE} } }\n${members}`;
const DANGLING = `{ $ref: '#/components/schemas/Nope' }`;
const answer = (schema: string) =>
  `{ 200: { description: '', content: { application/json: { schema: ${schema} } } } }`;

const HALVES: readonly Half[] = [
  [
    'an operation without responses',
    ENTRY('  /bad:\n    get: { summary: Bad }\n    post: { responses: { 200: { description: Done } } }\n'),
    ['GET /fine', 'POST /bad', 'GET /bad'],
    [],
    [
      'responses-missing',
      'changed GET /bad',
      'line 6: #/paths/~1bad/get',
      'the operation has no "responses", so it answers 200 without content',
      'Declare at least one response.',
    ],
  ],
  [
    'a status that is none',
    ENTRY(`  /bad:\n    get:\n      responses:\n        ok: {}\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'status-invalid',
      'left out GET /bad',
      'line 8: #/paths/~1bad/get/responses/ok',
      'invalid status "ok"',
      'Write one like 200, 4XX or default.',
    ],
  ],
  [
    'an operation that is a text',
    ENTRY('  /bad:\n    get: Done\n'),
    ['GET /fine'],
    ['GET /bad'],
    [
      'type-unexpected',
      'left out GET /bad',
      'line 6: #/paths/~1bad/get',
      'expected a mapping, got a string',
      'Describe the operation there.',
    ],
  ],
  [
    'a path without a slash',
    ENTRY(`  bad: { get: { responses: ${FINE} } }\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'path-invalid',
      'left out bad',
      'line 5: #/paths/bad',
      'the path "bad" must start with "/"',
      'Write "/bad".',
    ],
  ],
  [
    'a path that is a list',
    ENTRY('  /bad: [get]\n'),
    ['GET /fine'],
    ['GET /bad'],
    [
      'type-unexpected',
      'left out /bad',
      'line 5: #/paths/~1bad',
      'expected a mapping, got a list',
      'Put the operations under it.',
    ],
  ],
  [
    'one path in two spellings',
    ENTRY(
      `  /a/{x}: { get: { responses: ${FINE} } }\n  /a/{y}: { get: { responses: ${FINE} }, put: { responses: ${FINE} } }\n`,
    ),
    ['GET /a/1', 'PUT /a/1'],
    [],
    [
      'path-duplicate',
      'left out GET /a/{y}',
      'line 6: #/paths/~1a~1{y}',
      '"/a/{y}" and "/a/{x}" are the same path',
      'Merge the two into one.',
    ],
  ],
  [
    'a parameter without a name',
    ENTRY(`  /bad: { get: { parameters: [{ in: query }], responses: ${FINE} } }\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'parameter-invalid',
      'left out GET /bad',
      'line 5: #/paths/~1bad/get/parameters/0',
      'the parameter has no name',
      'Give it a "name".',
    ],
  ],
  [
    'a parameter that is nowhere',
    ENTRY(`  /bad: { get: { parameters: [{ name: a, in: body }], responses: ${FINE} } }\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'parameter-invalid',
      'left out GET /bad',
      'line 5: #/paths/~1bad/get/parameters/0',
      'the parameter "a" has no valid "in"',
      'Set "in" to one of path, query, header, cookie.',
    ],
  ],
  [
    'parameters of a path that are no list',
    ENTRY(`  /bad: { parameters: { a: 1 }, get: { responses: ${FINE} } }\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'type-unexpected',
      'left out /bad',
      'line 5: #/paths/~1bad/parameters',
      'expected a list, got a mapping',
      'Correct or remove it.',
    ],
  ],
  [
    'a reference of its own that leads nowhere',
    ENTRY(`  /bad:\n    get:\n      responses: ${answer(DANGLING)}\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'reference-dangling',
      'left out GET /bad',
      'line 7: #/paths/~1bad/get/responses/200/content/application~1json/schema/$ref',
      'the reference "#/components/schemas/Nope" leads nowhere',
      'Define its target, or correct it.',
    ],
  ],
  [
    'a reference that leads nowhere, three schemas away and in a circle',
    `${ENTRY(`  /bad: { get: { responses: ${answer("{ $ref: '#/components/schemas/A' }")} } }\n`)}components:
  schemas:
    A: { properties: { b: { $ref: '#/components/schemas/B' } } }
    B: { items: { allOf: [{ $ref: '#/components/schemas/C' }, { $ref: '#/components/schemas/A' }] } }
    C: ${DANGLING}
    D: { type: string }
`,
    ['GET /fine'],
    ['GET /bad'],
    [
      'reference-dangling',
      'left out GET /bad',
      'line 10: #/components/schemas/C/$ref',
      'the reference "#/components/schemas/Nope" leads nowhere',
      'Define its target, or correct it.',
    ],
  ],
  [
    'a file that is not there',
    ENTRY('  /bad: { $ref: not-there.yaml }\n'),
    ['GET /fine'],
    ['GET /bad'],
    [
      'reference-unreadable',
      'left out /bad',
      'line 5: #/paths/~1bad/$ref',
      /^the reference "not-there\.yaml" cannot be followed: There is no file at .*not-there\.yaml/,
      'Correct the file or the reference.',
    ],
  ],
  [
    'a reference to another host',
    ENTRY(`  /bad: { get: { responses: ${answer("{ $ref: 'https://example.com/a.yaml' }")} } }\n`),
    ['GET /fine'],
    ['GET /bad'],
    [
      'reference-remote',
      'left out GET /bad',
      /^line 5: .*\/schema\/\$ref$/,
      'the reference "https://example.com/a.yaml" leads to another host',
      'Allow it with --allow-remote-refs, or download the file.',
    ],
  ],
  [
    'a shared part that nothing uses',
    `${ENTRY('')}components: { schemas: { A: ${DANGLING} } }\n`,
    ['GET /fine'],
    [],
    [
      'reference-dangling',
      'left out #/components/schemas/A',
      'line 5: #/components/schemas/A/$ref',
      'the reference "#/components/schemas/Nope" leads nowhere',
      'Define its target, or correct it.',
    ],
  ],
  [
    'an operationId that comes twice',
    ENTRY(
      `  /a: { get: { operationId: x, responses: ${FINE} } }\n  /b: { get: { operationId: x, responses: ${FINE} } }\n`,
    ),
    ['GET /a', 'GET /b'],
    [],
    [
      'operation-id-duplicate',
      'changed GET /b',
      'line 6: #/paths/~1b/get/operationId',
      '"x" is also the operationId of GET /a, so this one goes by method and path',
      'Rename one of them.',
    ],
  ],
  [
    'a method in capitals',
    ENTRY(`  /a: { GET: { responses: ${FINE} } }\n`),
    ['GET /fine'],
    ['GET /a'],
    ['method-invalid', 'ignored GET', 'line 5: #/paths/~1a/GET', 'methods are in lower case', 'Write "get".'],
  ],
];

describeAdapters('a document with something that cannot be served', (adapter) => {
  it.each(HALVES)('serves the rest and says what it left out: %s', async (name, text, there, gone, note) => {
    const file = join(directory, `${name.replaceAll(' ', '-')}-openapi.yaml`);
    await writeFile(file, HEAD + text);
    const { ask, mock } = await adapter.open({ spec: file });
    const statusOf = async (request: string) => {
      const [method = '', path = ''] = request.split(' ');
      return (await ask(path, { method })).status;
    };
    for (const request of there) expect([request, await statusOf(request)]).toEqual([request, 200]);
    for (const request of gone) expect([request, (await statusOf(request)) >= 404]).toEqual([request, true]);
    expect(mock.document.notes.map((each) => each.place.startsWith(file))).toEqual([true]);
    expect(mock.document.notes.map(toShort)).toEqual([
      note.map((part) => (typeof part === 'string' ? part : expect.stringMatching(part))),
    ]);
  });
});

describe('what two operations share', () => {
  it('is no reason to leave out both, where only one of them is wrong', async () => {
    const shared = { type: 'object', properties: { id: { type: 'integer' } } };
    const bad = { $ref: '#/components/schemas/Nope' };
    const spec = documentOf({
      '/bad': { get: { responses: jsonAnswer(bad) } },
      '/fine': { get: { responses: jsonAnswer(shared) } },
    });
    const mock = await createMock({ spec });
    expect(mock.operations.map(({ id }) => id)).toEqual(['GET /fine']);
  });

  it('may stand in itself only by a reference', async () => {
    const loop: Record<string, unknown> = { type: 'object' };
    loop.properties = { loop };
    const spec = documentOf({
      '/bad': { get: { responses: jsonAnswer(loop) } },
      '/fine': { get: { responses: jsonAnswer({}) } },
    });
    const mock = await createMock({ spec });
    expect(mock.operations.map(({ id }) => id)).toEqual(['GET /fine']);
    expect(mock.document.notes.map(({ code, reason }) => [code, reason])).toEqual([
      ['node-circular', 'it contains itself'],
    ]);
  });

  it('goes on where a successor was left out', async () => {
    const old = { deprecated: true, 'x-replaced-by': 'newOne', responses: jsonAnswer({}) };
    const spec = documentOf({
      '/old': { get: old },
      '/new': { get: { operationId: 'newOne', responses: 3 } },
    });
    const response = await (await createMock({ spec })).fetch('/old');
    expect([response.status, response.headers.get('deprecation')]).toEqual([200, '@0']);
  });
});

describe('an operation that declares no response', () => {
  const open = (openapi: object, get: object) =>
    createMock({ spec: { ...documentOf({ '/a': { get } }), ...openapi } });
  const SWAGGER = { openapi: undefined, swagger: '2.0' };

  it.each<[string, object, object, number]>([
    ['OpenAPI 3.1', { openapi: '3.1.0' }, {}, 0],
    ['OpenAPI 3.1, with webhooks', { openapi: '3.1.0', webhooks: { a: {} } }, { responses: null }, 0],
    ['OpenAPI 3.1, with an empty list of them', { openapi: '3.1.0' }, { responses: {} }, 1],
    ['OpenAPI 3.0', {}, {}, 1],
    ['OpenAPI 3.0, with an empty list of them', {}, { responses: { 'x-a': 1 } }, 1],
    ['Swagger 2.0', SWAGGER, {}, 1],
  ])('answers 200 without content: %s', async (_, openapi, get, notes) => {
    const mock = await open(openapi, get);
    const response = await mock.fetch('/a');
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
      200,
      '',
      null,
    ]);
    expect(mock.document.notes.map(({ effect, what }) => `${effect} ${what}`)).toEqual(
      Array(notes).fill('changed GET /a'),
    );
  });
});

describe('a document of which nothing is left', () => {
  it('is refused with every reason', async () => {
    const paths = { '/a': { get: 3 }, b: {}, '/c': null };
    await expect(createMock({ spec: documentOf(paths) })).rejects.toThrow(
      `Failed to load the document given as an object: none of its operations can be served.
  left out GET /a: given as an object: #/paths/~1a/get: expected a mapping, got a number. Describe the operation there. [type-unexpected]
  left out b: given as an object: #/paths/b: the path "b" must start with "/". Write "/b". [path-invalid]
  left out /c: given as an object: #/paths/~1c: expected a mapping, got nothing. Put the operations under it. [type-unexpected]`,
    );
  });

  it('is refused with the first ten reasons, and how many more there are', async () => {
    const paths = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/${index}`, { get: 3 }]));
    await expect(createMock({ spec: documentOf(paths) })).rejects.toThrow(/~19\/get: .*\n {2}and 2 more$/);
  });

  it('is refused where there never was an operation', async () => {
    await expect(createMock({ spec: documentOf({}) })).rejects.toThrow('the document has no operation');
  });
});

describe('what the conversion fails over', () => {
  const failing = {
    responses: jsonAnswer({}),
    'x-stoplight': {
      get id() {
        throw new Error('no id');
      },
    },
  };

  it('is left out with its path', async () => {
    const fine = { get: { responses: jsonAnswer({}) } };
    const spec = documentOf({ '/a': fine, '/bad': { get: failing }, '/b': fine, '/c': fine });
    const mock = await createMock({ spec });
    expect(mock.operations.map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
    expect(mock.document.notes).toMatchObject([
      { code: 'conversion-failed', effect: 'left out', what: '/bad', reason: 'no id' },
    ]);
  });

  it('is a reason to refuse a document that has nothing else', async () => {
    const spec = documentOf({ '/bad': { get: failing } });
    await expect(createMock({ spec })).rejects.toThrow(
      'Failed to load the document given as an object: no id. Check the document with an OpenAPI linter.',
    );
  });
});

describe('members that are nothing', () => {
  it('are as good as not there', async () => {
    const spec = {
      openapi: '3.0.3',
      info: null,
      servers: null,
      tags: null,
      components: null,
      paths: {
        '/a/{id}': {
          parameters: null,
          get: {
            tags: null,
            parameters: null,
            requestBody: null,
            responses: { 200: null, 404: { description: null, headers: null, content: null } },
          },
          put: {
            requestBody: { content: { 'application/json': { schema: null, examples: null } } },
            responses: { 200: { content: { 'application/json': null } } },
          },
          post: {
            requestBody: {
              content: { 'application/json': { schema: { type: null, properties: { a: null } } } },
            },
            responses: { 200: { content: { 'application/json': { schema: { items: null, enum: null } } } } },
          },
        },
      },
    };
    const mock = await createMock({ spec });
    expect(mock.document.notes).toEqual([]);
    expect((await mock.fetch('/a/1')).status).toBe(200);
    for (const method of ['PUT', 'POST']) {
      expect([method, (await mock.fetch('/a/1', json(method, { a: 1 }))).status]).toEqual([method, 200]);
    }
  });
});

describe('a keyword that no validator understands', () => {
  it.each<[string, object, string[], unknown[], unknown[]]>([
    ['a pattern that is none', { type: 'string', pattern: '(' }, ['pattern'], ['a'], [1]],
    ['a type that is none', { type: 'any', minLength: 2 }, ['type'], [1, 'ab'], ['a']],
    ['required that says yes', { type: 'object', required: true }, ['required'], [{}], [1]],
    ['properties in a list', { type: 'object', properties: [{ name: 'a' }] }, ['properties'], [{}], [1]],
    ['an enum of a hole', { type: 'string', enum: Array(1) }, ['enum'], ['a'], [1]],
    ['an enum with a hole', { enum: [...Array(1), 'a'] }, [], ['a'], ['b']],
    ['an enum of nothing', { type: 'string', enum: [] }, ['enum'], ['a'], [1]],
    ['a multiple of 0', { type: 'integer', multipleOf: 0 }, ['multipleOf'], [1], [1.5]],
    ['a minimum in quotes', { type: 'integer', minimum: '1' }, ['minimum'], [0], ['1']],
    ['a negative length', { type: 'string', minLength: -1, maxLength: 2 }, ['minLength'], ['a'], ['abc']],
    ['items that are a number', { type: 'array', items: 3 }, ['items'], [[1]], [1]],
    ['a format that is a list', { type: 'string', format: ['date'] }, ['format'], ['a'], [1]],
    ['a reference that is a number', { $ref: 3, type: 'string' }, ['$ref'], ['a'], [1]],
    ['a part that is a text', { allOf: ['a', { type: 'string' }] }, ['0'], ['a'], [1]],
    ['a property that is a number', { type: 'object', properties: { a: 1 } }, ['a'], [{ a: 'x' }], [1]],
    [
      'a dialect',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' },
      [],
      ['a'],
      [1],
    ],
    ['an identity', { $id: 'a', id: 'b', type: 'string' }, [], ['a'], [1]],
    ['a promise', { $async: true, type: 'string' }, [], ['a'], [1]],
    ['nullable with nothing beside it', { nullable: true }, [], [null, 1], []],
    [
      'nullable with null in the enum',
      { type: 'string', enum: ['a', null], nullable: true },
      [],
      ['a', null],
      ['b'],
    ],
    ['a name that comes twice', { type: 'object', required: ['a', 'a'] }, [], [{ a: 1 }], [{}]],
    ['a value that comes twice', { enum: ['a', 'a'] }, [], ['a'], ['b']],
    [
      'escapes that need not be',
      { type: 'string', pattern: '^[\\w\\.-]+\\@[a\\-z]\\-$' },
      [],
      ['a.b@z-'],
      ['a@b-'],
    ],
    [
      'the ends of a text as others write them',
      { type: 'string', pattern: '\\A[a-z]+\\z' },
      [],
      ['ab'],
      ['A', 'a1'],
    ],
    ['an escape of an underscore', { type: 'string', pattern: '^[a-z\\-\\_]$' }, [], ['_', '-'], ['A']],
    [
      'an exclusive minimum of 3.0',
      { not: { type: 'integer', minimum: 1, exclusiveMinimum: true } },
      [],
      [1],
      [2],
    ],
    [
      'an exclusive minimum of 3.0 in a pattern',
      { patternProperties: { '^a': { minimum: 1, exclusiveMinimum: true } } },
      [],
      [{ a: 2 }],
      [{ a: 1 }],
    ],
  ])('counts for nothing, and the others count: %s', async (_, schema, ignored, valid, invalid) => {
    const spec = documentOf({
      '/a': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 204: { description: '' } },
        },
      },
    });
    const mock = await createMock({ spec });
    const { notes } = mock.document;
    expect(notes.map(({ effect, what }) => [effect, what])).toEqual(ignored.map((what) => ['ignored', what]));
    const send = async (value: unknown) => [value, (await mock.fetch('/a', json('POST', value))).status];
    for (const value of valid) expect(await send(value)).toEqual([value, 204]);
    for (const value of invalid) expect(await send(value)).toEqual([value, 422]);
  });

  it('is told with its place and what would be right', async () => {
    const file = join(directory, 'keyword-openapi.yaml');
    const schema = '{ type: string, minLength: -1 }';
    await writeFile(file, `${HEAD}paths:\n  /a: { get: { responses: ${answer(schema)} } }\n`);
    const { notes } = (await createMock({ spec: file })).document;
    expect(notes.map(toShort)).toEqual([
      [
        'keyword-ignored',
        'ignored minLength',
        'line 4: #/paths/~1a/get/responses/200/content/application~1json/schema/minLength',
        'expected an integer of at least 0, got -1',
        'Correct or remove it.',
      ],
    ]);
  });
});

describe('a variable of the environment', () => {
  it('is never put into a document', async () => {
    const file = join(directory, 'variable.yaml');
    await writeFile(
      file,
      `openapi: 3.0.3
info: { title: '\${HOME}', version: 1.0.0 }
servers: [{ url: '/\${HOME}' }]
paths:
  '/\${HOME}/$HOME':
    get:
      responses: { 200: { description: '', content: { application/json: { example: '\${HOME} $HOME' } } } }
`,
    );
    const mock = await createMock({ spec: file });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to stay as it is.
    expect([mock.document.title, mock.operations[0]?.path]).toEqual(['${HOME}', '/${HOME}/$HOME']);
    const response = await mock.fetch('/$x/$HOME');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to stay as it is.
    expect(await response.json()).toBe('${HOME} $HOME');
  });
});
