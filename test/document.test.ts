import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMock, SetupError } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
});

afterAll(() => rm(directory, { recursive: true }));

async function write(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, text);
  return file;
}

async function failToLoad(spec: string | object): Promise<SetupError> {
  const error = await createMock({ spec }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SetupError);
  return error as SetupError;
}

const HELLO = documentOf({
  '/hello': {
    get: { operationId: 'hello', responses: jsonAnswer({ type: 'string' }, { example: 'Hello' }) },
  },
});

const HELLO_YAML = `openapi: 3.0.3
info: { title: Hello, version: 1.0.0 }
paths:
  /hello:
    get:
      responses:
        200:
          description: A greeting.
          content:
            application/json: { example: Hello }
`;

async function greet(spec: string | object): Promise<unknown> {
  const mock = await createMock({ spec });
  return (await mock.fetch('/hello')).json();
}

describe('a document is loaded', () => {
  it.each([
    ['YAML', 'hello.yaml', HELLO_YAML],
    ['JSON', 'hello.json', JSON.stringify(HELLO)],
    ['JSON indented with tabs', 'tabs.json', JSON.stringify(HELLO, null, '\t')],
    ['JSON on Windows', 'crlf.json', JSON.stringify(HELLO, null, 2).replaceAll('\n', '\r\n')],
    ['YAML on Windows', 'crlf.yaml', HELLO_YAML.replaceAll('\n', '\r\n')],
    ['YAML with a byte order mark', 'bom.yaml', `\ufeff${HELLO_YAML}`],
    ['JSON with a byte order mark', 'bom.json', `\ufeff${JSON.stringify(HELLO)}`],
    ['YAML with a start and an end', 'marked.yaml', `%YAML 1.2\n---\n${HELLO_YAML}...\n`],
    [
      'YAML with an alias',
      'alias.yaml',
      `${HELLO_YAML}  /again:\n    get: &again\n      responses: { 204: { description: '' } }\n    put: *again\n`,
    ],
    ['a file whose name says nothing', 'hello', HELLO_YAML],
    ['version 3.0.0', 'old.yaml', HELLO_YAML.replace('3.0.3', '3.0.0')],
    ['version 3.0.4', 'new.yaml', HELLO_YAML.replace('3.0.3', '3.0.4')],
    ['a path with an extension beside it', 'extension.yaml', `${HELLO_YAML}  x-note: [1, 2]\n`],
  ])('from %s', async (_, name, text) => {
    expect(await greet(await write(name, text))).toBe('Hello');
  });

  it('from an object, which it does not change', async () => {
    const before = JSON.stringify(HELLO);
    expect(await greet(HELLO)).toBe('Hello');
    expect(await greet(HELLO)).toBe('Hello');
    expect(JSON.stringify(HELLO)).toBe(before);
  });

  it('from a frozen object', async () => {
    const freeze = <T extends object>(value: T): T => {
      for (const member of Object.values(value)) if (typeof member === 'object' && member) freeze(member);
      return Object.freeze(value);
    };
    expect(await greet(freeze(structuredClone(HELLO)))).toBe('Hello');
  });

  it('and says where it came from and what it is called', async () => {
    const file = await write('named.yaml', HELLO_YAML);
    const mock = await createMock({ spec: file });
    expect(mock.document).toEqual({ location: file, title: 'Hello', notes: [], credentialNames: [] });
    expect((await createMock()).document.title).toBe('Pet Store');
  });

  it('with references within it, escaped ones included', async () => {
    const schema = { $ref: '#/components/schemas/One~1Two%20~0' };
    const spec = documentOf(
      {
        '/hello/{id}': {
          get: {
            parameters: [{ $ref: '#/components/parameters/Id' }],
            responses: { 200: { $ref: '#/components/responses/Fine' } },
          },
        },
      },
      {
        parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
        responses: {
          Fine: { description: '', content: { 'application/json': { schema, example: 'Hello' } } },
        },
        schemas: { 'One/Two ~': { type: 'string' } },
      },
    );
    const mock = await createMock({ spec });
    expect(await (await mock.fetch('/hello/1')).json()).toBe('Hello');
    expect((await mock.fetch('/hello/x')).status).toBe(422);
  });

  it('with a reference to what stands at another path', async () => {
    const spec = structuredClone(HELLO) as { paths: Record<string, unknown> };
    const responses = { 200: { $ref: '#/paths/~1hello/get/responses/200' } };
    spec.paths['/again'] = { get: { responses } };
    const mock = await createMock({ spec });
    expect(await (await mock.fetch('/again')).json()).toBe('Hello');
  });

  it('with a reference to a schema at another path', async () => {
    const schema = { $ref: '#/paths/~1hello/get/responses/200/content/application~1json/schema' };
    const spec = structuredClone(HELLO) as { paths: Record<string, unknown> };
    spec.paths['/again'] = { get: { responses: jsonAnswer({ type: 'array', items: schema }) } };
    const mock = await createMock({ spec });
    const response = await mock.fetch('/again');
    expect(response.status).toBe(200);
    const value = (await response.json()) as unknown[];
    expect(value.every((item) => typeof item === 'string')).toBe(true);
  });

  it('with a path that is a reference to another one', async () => {
    const spec = structuredClone(HELLO) as { paths: Record<string, unknown> };
    spec.paths['/again'] = { $ref: '#/paths/~1hello' };
    const mock = await createMock({ spec });
    expect((await mock.fetch('/again')).status).toBe(200);
  });

  it('with properties that are named like keywords', async () => {
    const properties = {
      $ref: { type: 'string' },
      example: { type: 'string' },
      properties: { type: 'string' },
    };
    const schema = { type: 'object', required: Object.keys(properties), properties };
    const spec = documentOf({
      '/hello': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 204: { description: '' } },
        },
      },
    });
    const mock = await createMock({ spec });
    const valid = { $ref: '#/nowhere', example: 'a', properties: 'b' };
    expect((await mock.fetch('/hello', json('POST', valid))).status).toBe(204);
    expect((await mock.fetch('/hello', json('POST', { ...valid, $ref: 1 }))).status).toBe(422);
  });

  // In these places `$ref` is data.
  it.each<[string, object]>([
    ['example', { example: { $ref: '#/nowhere' } }],
    ['examples', { examples: { one: { value: { $ref: './nowhere.yaml' } } } }],
    ['the example of a schema', { schema: { type: 'object', example: { $ref: '#/nowhere' } } }],
    ['enum', { schema: { enum: [{ $ref: '#/nowhere' }] } }],
    ['default', { schema: { type: 'object', default: { $ref: 'https://nowhere.example/' } } }],
    ['an extension', { 'x-note': { $ref: '#/nowhere' } }],
  ])('with a $ref in %s that leads nowhere', async (_, content) => {
    const responses = { 200: { description: '', content: { 'application/json': content } } };
    const mock = await createMock({ spec: documentOf({ '/hello': { get: { responses } } }) });
    expect((await mock.fetch('/hello')).status).toBe(200);
  });
});

describe('a document is fetched', () => {
  const closing: (() => unknown)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  async function listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each([
    ['YAML', HELLO_YAML, 'application/yaml'],
    ['JSON', JSON.stringify(HELLO), 'application/json'],
    ['whatever it is sent as', HELLO_YAML, 'text/html'],
  ])('from a URL: %s', async (_, text, type) => {
    const url = await listen((request, response) => {
      response.setHeader('Content-Type', type);
      response.statusCode = request.url === '/api/openapi?v=1' ? 200 : 404;
      response.end(text);
    });
    expect(await greet(`${url}/api/openapi?v=1`)).toBe('Hello');
    expect((await createMock({ spec: `${url}/api/openapi?v=1` })).document.location).toBe(
      `${url}/api/openapi?v=1`,
    );
  });

  it('after a redirection', async () => {
    const url = await listen((request, response) => {
      if (request.url === '/new') response.end(HELLO_YAML);
      else response.writeHead(302, { Location: '/new' }).end();
    });
    expect(await greet(`${url}/old`)).toBe('Hello');
  });

  it.each([404, 401, 500])('or refused with the status %d that came', async (status) => {
    const url = await listen((_, response) => response.writeHead(status).end('no'));
    const { message } = await failToLoad(`${url}/openapi.yaml`);
    expect(message).toContain(`${url}/openapi.yaml`);
    expect(message).toContain(`answered ${status}`);
    expect(message).toMatch(/Check the URL|Download it/);
  });

  it('or refused where nobody listens', async () => {
    const url = await listen(() => {});
    await Promise.all(closing.splice(0).map((close) => close()));
    const { message } = await failToLoad(`${url}/openapi.yaml`);
    expect(message).toContain(`${url}/openapi.yaml: `);
    expect(message).toMatch(/ECONNREFUSED.*correct the URL/);
  });

  it('or refused where the server hangs up', async () => {
    const url = await listen((request) => request.socket.destroy());
    expect((await failToLoad(url)).message).toMatch(/Failed to fetch the document http.*Check the URL/);
  });

  it('or refused where it is a web page', async () => {
    const url = await listen((_, response) => response.end('<!doctype html>\n<p>Not here</p>\n'));
    const { message } = await failToLoad(`${url}/docs`);
    expect(message).toContain(`${url}/docs`);
    expect(message).toMatch(/an HTML page/);
  });
});

describe('a document that is not there', () => {
  it('is refused with its path', async () => {
    const file = join(directory, 'nothing.yaml');
    expect((await failToLoad(file)).message).toBe(`There is no document at ${file}. Check the path.`);
  });

  it('is refused where its directory is none', async () => {
    const file = join(await write('a-file', 'x'), 'openapi.yaml');
    expect((await failToLoad(file)).message).toContain(file);
  });

  it('is refused where there is a directory', async () => {
    const { message } = await failToLoad(directory);
    expect(message).toMatch(/ is a directory\. Name the document in it(, such as \S+\.yaml)?\.$/);
  });

  it('is refused where its name is empty', async () => {
    expect((await failToLoad('')).message).toMatch(/spec|document/);
  });
});

/** A text that cannot be served: the line it is wrong on, what the message says, and what it advises. */
type Broken = readonly [name: string, text: string, line: number, what: RegExp, remedy: RegExp];

const HEAD = 'openapi: 3.0.3\ninfo: { title: Broken, version: 1.0.0 }\n';
const HEAD_3_1 = 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n';
/** One operation, which answers with a shared schema. */
const USING = (name: string) =>
  `${HEAD}paths:\n  /a: { get: { responses: { 204: { description: '', content: { a/b: { schema: { $ref: '#/components/schemas/${name}' } } } } } } }\n`;

const BROKEN: readonly Broken[] = [
  ['a mapping that is not closed', `${HEAD}paths: { a: 1\n`, 4, /./, /Correct the syntax/],
  ['a bad indentation', `${HEAD}paths:\n  /a:\n    get: x\n   put: y\n`, 6, /./, /Correct the syntax/],
  ['a tab', `${HEAD}paths:\n\t/a: {}\n`, 4, /[Tt]ab/, /Correct the syntax/],
  ['a key that comes twice', `${HEAD}paths: {}\npaths: {}\n`, 4, /unique/i, /Correct the syntax/],
  ['JSON with a comma too few', '{\n  "openapi": "3.0.3"\n  "paths": {}\n}', 3, /./, /Correct the syntax/],
  [
    'two documents in one',
    `${HEAD}paths: {}\n---\n${HEAD}paths: {}\n`,
    4,
    /multiple documents/,
    /Correct the syntax/,
  ],
  [
    'a comment alone',
    '# openapi: 3.0.3\n',
    1,
    /expected a mapping, got nothing/,
    /Is it an OpenAPI document\?/,
  ],
  ['a list', '- openapi: 3.0.3\n', 1, /expected a mapping, got a list/, /Is it an OpenAPI document\?/],
  ['a text', 'openapi', 1, /expected a mapping, got a string/, /Is it an OpenAPI document\?/],
  ['no version', 'info: {}\npaths: {}\n', 1, /"openapi" is missing/, /"openapi: 3\.0\.3"/],
  [
    'the version of Swagger',
    'info: {}\nswagger: "1.2"\npaths: {}\n',
    2,
    /version 1\.2 is not supported/,
    /Convert .* 3\.0, 3\.1 or 3\.2/,
  ],
  ['version 3.3', 'openapi: 3.3.0\npaths: {}\n', 1, /version 3\.3\.0 is not supported/, /Convert .* 3\.0/],
  ['version 3', 'openapi: 3\npaths: {}\n', 1, /version 3 is not supported/, /Convert .* 3\.0/],
  ['a list for a version', 'openapi: [3.0.3]\npaths: {}\n', 1, /"openapi"/, /./],
  ['webhooks alone', `${HEAD_3_1}webhooks: {}\n`, 1, /the document has no operation/, /under "paths"/],
  ['shared parts alone', `${HEAD_3_1}components: {}\n`, 1, /has no operation/, /under "paths"/],
  [
    'webhooks beside empty paths',
    `${HEAD_3_1}paths: {}\nwebhooks: {}\n`,
    1,
    /has no operation/,
    /under "paths"/,
  ],
  ['no paths', HEAD, 1, /"paths" must be a mapping, got nothing/, /List the paths/],
  ['paths that are empty', `${HEAD}paths:\n`, 3, /"paths" must be a mapping, got nothing/, /List the paths/],
  [
    'a list of paths',
    `${HEAD}paths:\n  - /a\n`,
    3,
    /"paths" must be a mapping, got a list/,
    /List the paths/,
  ],
  [
    'a path without a slash',
    `${HEAD}paths:\n  pets: {}\n`,
    4,
    /path "pets" must start with "\/"/,
    /Write "\/pets"/,
  ],
  [
    'a path that is a list',
    `${HEAD}paths:\n  /a:\n    - get\n`,
    4,
    /expected a mapping, got a list/,
    /operations/,
  ],
  ['a path without operations', `${HEAD}paths:\n  /a:\n`, 4, /expected a mapping, got nothing/, /operations/],
  ['an operation that is a text', `${HEAD}paths:\n  /a:\n    get: Done\n`, 5, /got a string/, /operation/],
  ['an operation that is empty', `${HEAD}paths:\n  /a:\n    get:\n`, 5, /got nothing/, /operation/],
  [
    'a list of responses',
    `${HEAD}paths:\n  /a:\n    get: { responses: [200] }\n`,
    5,
    /expected a mapping, got a list/,
    /Put the responses under it/,
  ],
  [
    'a status that is none',
    `${HEAD}paths:\n  /a:\n    get:\n      responses:\n        ok: { description: Fine }\n`,
    7,
    /"ok"/,
    /200/,
  ],
  ...['204', "'204'"].map(
    (status): Broken => [
      `a reference below ${status} that leads nowhere`,
      `${HEAD}paths:\n  /a:\n    get:\n      responses:\n        ${status}:\n          $ref: '#/components/responses/Done'\n`,
      8,
      /"#\/components\/responses\/Done" leads nowhere/,
      /Define its target/,
    ],
  ),
  [
    'a reference to something inherited',
    `${USING('Pet')}components:\n  schemas:\n    Pet: { $ref: '#/components/toString' }\n`,
    7,
    /leads nowhere/,
    /Define its target/,
  ],
  [
    'a reference that is no percent-encoding',
    `${USING('Pet')}components:\n  schemas:\n    Pet: { $ref: '#/components/%ZZ' }\n`,
    7,
    /leads nowhere/,
    /Define its target/,
  ],
  [
    'a reference to itself',
    `${HEAD}components: { schemas: { A: { $ref: '#/components/schemas/A' } } }\npaths:\n  /a: { get: { responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } }\n`,
    5,
    /"#\/components\/schemas\/A"/,
    /./,
  ],
  [
    'references that only lead to each other',
    `${HEAD}components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } }\npaths:\n  /a: { get: { responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } }\n`,
    5,
    /"#\/components\/schemas\/[AB]"/,
    /./,
  ],
  [
    'a reference to a file that is not there',
    `${HEAD}paths:\n  /a:\n    $ref: './not-there.yaml'\n`,
    5,
    /"\.\/not-there\.yaml" cannot be followed: There is no file at .*not-there\.yaml/,
    /Correct the file or the reference/,
  ],
  [
    'a reference to a URL',
    `${USING('Pet')}components:\n  schemas:\n    Pet:\n      $ref: 'https://example.com/pet.json#/Pet'\n`,
    8,
    /leads to another host/,
    /--allow-remote-refs/,
  ],
];

describe('a document that cannot be served', () => {
  it.each(BROKEN)('is refused with file, line and remedy: %s', async (name, text, line, what, remedy) => {
    const file = await write(`${name.replaceAll(' ', '-')}.yaml`, text);
    const { message, usage } = await failToLoad(file);
    expect(message).toContain(`${file}: line ${line}`);
    expect(message).toMatch(/^Failed to load the document /);
    expect(message).toMatch(what);
    expect(message).toMatch(remedy);
    const [sentences = '', ...frame] = message.split('\n');
    expect(sentences).toMatch(/[.?]$/);
    // A mistake in the syntax is shown where it is.
    if (remedy.source === 'Correct the syntax') expect(frame.join('\n')).toMatch(/^> *\d+ \|.*\n +\| *\^/m);
    else expect(frame).toEqual([]);
    expect(usage).toBe(false);
  });

  it.each<[what: string, text: string, message: RegExp]>([
    ['nothing', '', /nothing\.yaml is empty\. This server takes OpenAPI 3\.0/],
    [
      'AsyncAPI',
      'asyncapi: 2.6.0\n',
      /this is an AsyncAPI document, not an OpenAPI document\. This server takes/,
    ],
    [
      'data of json-server',
      '{ "posts": [{ "id": 1 }], "profile": {} }',
      /this is the data of json-server, not/,
    ],
    ['a Postman collection', '{ "info": { "name": "A" }, "item": [] }', /this is a Postman collection, not/],
    ['a HAR file', '{ "log": { "entries": [] } }', /this is a HAR file, not/],
    ['a page', '<!doctype html><p>Not found', /this is an HTML page, not/],
  ])('is told by what it is: %s', async (name, text, message) => {
    const file = await write(`${name.replaceAll(' ', '-')}.yaml`, text);
    expect((await failToLoad(file)).message).toMatch(message);
  });

  it('is refused with the place in it', async () => {
    const file = await write('place.yaml', `${HEAD}paths:\n  /a/{b}:\n    get: Done\n`);
    expect((await failToLoad(file)).message).toContain('#/paths/~1a~1{b}/get');
  });

  it('is refused without a line if it is an object, which has none', async () => {
    const { message } = await failToLoad({ openapi: '3.0.3', paths: { '/a': { get: 3 } } });
    expect(message).toMatch(/#\/paths\/~1a\/get: expected a mapping, got a number/);
    expect(message).not.toMatch(/line|undefined/);
  });

  it.each([
    {},
    [],
    { openapi: '3.0.3' },
    { openapi: 3 },
    { openapi: '3.0.3', paths: null },
    { swagger: '2.0' },
  ])('is refused as the object %j', async (spec) => {
    expect((await failToLoad(spec)).message).toMatch(/^Failed to load the document .+\. .+[.?]$/);
  });

  it('is refused as a bomb of aliases, at once', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => {
      const alias = i === 0 ? 'x' : `*a${i - 1}`;
      return `a${i}: &a${i} [${Array(10).fill(alias).join(', ')}]`;
    });
    const file = await write('bomb.yaml', `${HEAD}paths: {}\n${levels.join('\n')}\n`);
    const { message } = await failToLoad(file);
    expect(message).toContain(file);
    expect(message).toMatch(/alias/i);
  });

  it('is refused with an alias that names nothing', async () => {
    const file = await write('alias-of-nothing.yaml', `${HEAD}paths: *nothing\n`);
    const { message } = await failToLoad(file);
    expect(message).toContain(file);
    expect(message).toContain('nothing');
  });
});

describe('a path parameter that the document forgot to declare', () => {
  it('is refused at start, or works: it is never "undefined"', async () => {
    const pet = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const spec = documentOf({
      '/pets': {
        get: { responses: jsonAnswer({ type: 'array', items: pet }) },
        post: { responses: { 201: { description: '', content: { 'application/json': { schema: pet } } } } },
      },
      '/pets/{id}': { get: { responses: jsonAnswer(pet) } },
    });
    const mock = await createMock({ spec }).catch((error: Error) => error);
    if (mock instanceof Error) {
      expect(mock).toBeInstanceOf(SetupError);
      expect(mock.message).toMatch(/\/pets\/\{id\}.*id/);
      return;
    }
    await mock.fetch('/pets', { method: 'POST' });
    expect((await mock.fetch('/pets/1')).status).toBe(200);
    expect(await (await mock.fetch('/pets/4711')).text()).toContain('4711');
  });
});

describe('a Swagger document that names no media types', () => {
  const THING = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const body = { name: 'body', in: 'body', required: true, schema: THING };
  const field = { name: 'name', in: 'formData', type: 'string', required: true };
  const answer = {
    200: { description: '', schema: THING, examples: { 'application/json': { name: 'Rex' } } },
  };
  const open = (members: object) =>
    createMock({
      spec: {
        ...{ swagger: '2.0', info: { title: 'Small', version: '1' } },
        paths: {
          '/json': { post: { parameters: [body], responses: answer, ...members } },
          '/form': { post: { parameters: [field], responses: answer, ...members } },
        },
      },
    });

  it.each([{}, { produces: [], consumes: [] }])(
    'takes and answers JSON, and takes forms: %j',
    async (members) => {
      const mock = await open(members);
      const post = async (path: string, type: string, text: string) => {
        const init = { method: 'POST', body: text, headers: { 'Content-Type': type } };
        const response = await mock.fetch(path, init);
        return [response.status, response.status === 200 ? await response.json() : undefined];
      };
      const form = 'application/x-www-form-urlencoded';
      expect(await post('/json', 'application/json', '{"name":"Tom"}')).toEqual([200, { name: 'Rex' }]);
      expect(await post('/json', 'application/json', '{}')).toEqual([422, undefined]);
      expect(await post('/json', form, 'name=Tom')).toEqual([415, undefined]);
      expect(await post('/form', form, 'name=Tom')).toEqual([200, { name: 'Rex' }]);
      expect(await post('/form', form, 'other=Tom')).toEqual([422, undefined]);
    },
  );
});

describe.each([
  ['OpenAPI 3.0', '3.0.3'],
  ['OpenAPI 3.1', '3.1.0'],
  ['Swagger 2.0', undefined],
])('a schema of %s with references', (_, openapi) => {
  const section = openapi === undefined ? '#/definitions' : '#/components/schemas';
  const word = { $ref: `${section}/A%20word` };
  const definitions = { 'A word': { type: 'string' }, Object: { required: ['a'] } };
  const object = { $ref: `${section}/Object` };

  const toSpec = (schema: object) => {
    const head = { info: { title: 'References', version: '1.0.0' } };
    const responses = { 204: { description: '' } };
    if (openapi === undefined) {
      const parameters = [{ in: 'body', name: 'body', schema }];
      return { ...head, swagger: '2.0', paths: { '/a': { post: { parameters, responses } } }, definitions };
    }
    const requestBody = { content: { 'application/json': { schema } } };
    const paths = { '/a': { post: { requestBody, responses } } };
    return { ...head, openapi, paths, components: { schemas: definitions } };
  };

  it.each<[string, object, unknown, unknown]>([
    ['patternProperties', { patternProperties: { '^x-': word } }, { 'x-a': 'b' }, { 'x-a': 1 }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    ['if', { if: object, then: false }, {}, { a: 1 }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    ['then', { if: { type: 'object' }, then: object }, { a: 1 }, {}],
    ['else', { if: { type: 'object' }, else: word }, 'a', 1],
    ['contains', { type: 'array', contains: word }, [1, 'a'], [1]],
    ['propertyNames', { propertyNames: { allOf: [word, { maxLength: 1 }] } }, { a: 1 }, { ab: 1 }],
    ['not', { not: word }, 1, 'a'],
    ['additionalProperties', { additionalProperties: word }, { a: 'b' }, { a: 1 }],
  ])('follows those below %s', async (__, schema, valid, invalid) => {
    for (const [body, wrap] of [
      [schema, (value: unknown) => value],
      [{ type: 'object', properties: { deep: schema } }, (value: unknown) => ({ deep: value })],
    ] as const) {
      const mock = await createMock({ spec: toSpec(body) });
      expect(mock.document.notes).toEqual([]);
      expect((await mock.fetch('/a', json('POST', wrap(valid)))).status).toBe(204);
      expect((await mock.fetch('/a', json('POST', wrap(invalid)))).status).toBe(422);
    }
  });
});
