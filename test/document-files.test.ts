import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMock, SetupError } from '../src/index.ts';
import { json } from './support/adapters.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-files-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const MAIN = `openapi: 3.0.3
info: { title: Owners, version: 1.0.0 }
paths:
  /owners:
    $ref: paths/owners.yaml
  /owners/{ownerId}:
    get:
      parameters:
        - $ref: 'shared.yaml#/parameters/ownerId'
      responses:
        200:
          description: The owner
          content:
            application/json:
              schema: { $ref: 'schemas/owner.yaml' }
        404: { $ref: 'shared.yaml#/responses/NotFound' }
`;

const FILES = {
  'api.yaml': MAIN,
  'paths/owners.yaml': `
get:
  responses:
    200:
      description: All owners
      content:
        application/json:
          schema: { type: array, items: { $ref: ../schemas/owner.yaml } }
post:
  requestBody:
    required: true
    content:
      application/json:
        schema: { $ref: '../schemas/owner.yaml#/properties/draft' }
  responses:
    201:
      description: The new owner
      content:
        application/json:
          schema: { $ref: ../schemas/owner.yaml }
`,
  'schemas/owner.yaml': `
type: object
required: [id]
properties:
  id: { type: integer }
  name: { type: string }
  friend: { $ref: 'owner.yaml' }
  pets: { type: array, items: { $ref: pet.json } }
  draft: { type: object, required: [name], properties: { name: { type: string } } }
`,
  'schemas/pet.json':
    '{"type":"object","properties":{"owner":{"$ref":"owner.yaml"},"value":{"$ref":"#/$defs/v"}},"$defs":{"v":{"type":"integer"}}}',
  'shared.yaml': `
parameters:
  ownerId: { name: ownerId, in: path, required: true, schema: { type: integer } }
responses:
  NotFound: { description: There is none }
`,
};

describe('a document in several files', () => {
  it('is served as one, though its schemas refer to each other in circles', async () => {
    await write(FILES);
    const mock = await createMock({ spec: join(folder, 'api.yaml'), empty: true });
    const created = await mock.fetch(
      '/owners',
      json('POST', { name: 'Ada', friend: { id: 7, pets: [{ value: 1 }] } }),
    );
    expect(created.status).toBe(201);
    expect(await (await mock.fetch('/owners/1')).json()).toEqual({
      id: 1,
      name: 'Ada',
      friend: { id: 7, pets: [{ value: 1 }] },
    });
    expect((await mock.fetch('/owners', json('POST', {}))).status).toBe(422);
    expect((await mock.fetch('/owners/x')).status).toBe(422);
  });

  it('checks what a schema of another file says, all the way down', async () => {
    await write(FILES);
    const mock = await createMock({ spec: join(folder, 'api.yaml'), empty: true });
    const body = { name: 'Ada', friend: { id: 7, pets: [{ value: 'one' }] } };
    const response = await mock.fetch('/owners', json('POST', body));
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('friend.pets[0].value: must be integer');
  });

  it('names every file that it was read from, to be watched', async () => {
    await write(FILES);
    const mock = await createMock({ spec: join(folder, 'api.yaml'), empty: true });
    expect([...mock.files].sort()).toEqual(
      Object.keys(FILES)
        .map((name) => join(folder, name))
        .sort(),
    );
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a file that is not there',
      { 'api.yaml': MAIN },
      /api\.yaml: line 5: #\/paths\/~1owners\/\$ref: .*owners\.yaml/,
    ],
    [
      'a place that is not there in a file further on',
      { ...FILES, 'schemas/pet.json': '{\n"$ref":"owner.yaml#/nope"}' },
      /pet\.json: line 2: #\/\$ref: the reference "owner\.yaml#\/nope" leads nowhere/,
    ],
  ])('is refused for a reference to %s', async (_, files, message) => {
    await write(files);
    await expect(createMock({ spec: join(folder, 'api.yaml') })).rejects.toThrow(SetupError);
    await expect(createMock({ spec: join(folder, 'api.yaml') })).rejects.toThrow(message);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a place that is not there',
      { ...FILES, 'shared.yaml': 'parameters: {}\nresponses: {}\n' },
      /api\.yaml: line 9: .*shared\.yaml#\/parameters\/ownerId" leads nowhere/,
    ],
    ['a file that is broken', { ...FILES, 'shared.yaml': 'a: [' }, /shared\.yaml.*line 1/],
  ])('leaves out what refers to %s, and serves the others', async (_, files, place) => {
    await write(files);
    const mock = await createMock({ spec: join(folder, 'api.yaml') });
    expect(mock.operations.map(({ id }) => id)).toEqual(['GET /owners', 'POST /owners']);
    expect(mock.document.notes.map((note) => note.what)).toEqual(['GET /owners/{ownerId}']);
    expect(mock.document.notes.map((note) => `${note.place}: ${note.reason}`)).toEqual([
      expect.stringMatching(place),
    ]);
  });

  it.each([
    ['api.json', String.raw`"\u0024ref": "part.json"`],
    ['api.json', String.raw`"$r\u0065f": "part.json"`],
    ['api.json', '"$ref" : "part.json"'],
    ['api.yaml', String.raw`"\x24ref": part.json`],
    ['api.yaml', '$ref: part.json # and "$ref": "#/paths"'],
    ['api.yaml', '"$ref":\n  part.json'],
  ])('finds a reference of %s however it is spelled: %s', async (name, reference) => {
    const schema = `{ "allOf": [{ ${reference}\n }] }`;
    await write({
      [name]: `{ "openapi": "3.0.3", "info": { "title": "T", "version": "1" }, "paths": { "/thing": { "get": { "responses": {
        "200": { "description": "", "content": { "application/json": { "schema": ${schema} } } } } } } } }`,
      'part.json': '{ "type": "object", "required": ["own"], "properties": { "own": { "enum": ["part"] } } }',
    });
    const mock = await createMock({ spec: join(folder, name) });
    expect(mock.files).toEqual([join(folder, name), join(folder, 'part.json')]);
    expect(await (await mock.fetch('/thing')).json()).toEqual({ own: 'part' });
  });

  it('names a file that is not there too, since it may come', async () => {
    const { 'shared.yaml': _, ...others } = FILES;
    await write(others);
    const mock = await createMock({ spec: join(folder, 'api.yaml') });
    expect(mock.files).toContain(join(folder, 'shared.yaml'));
  });
});

describe('a reference to another host', () => {
  const main = (url: string) =>
    MAIN.replace('paths/owners.yaml', `${url}/paths/owners.yaml`)
      .replaceAll("'shared.yaml", `'${url}/shared.yaml`)
      .replace("'schemas/", `'${url}/schemas/`);

  async function serveFiles(files: Readonly<Record<string, string>>) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const text = files[(request.url ?? '/').slice(1)];
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
    return { url: `http://127.0.0.1:${port}`, asked, close };
  }

  it('is followed only if that is allowed', async () => {
    const server = await serveFiles(FILES);
    try {
      await write({ 'api.yaml': main(server.url) });
      const spec = join(folder, 'api.yaml');
      await expect(createMock({ spec })).rejects.toThrow(/leads to another host\. .*--allow-remote-refs/);
      expect(server.asked).toEqual([]);
      const mock = await createMock({ spec, allowRemoteRefs: true, empty: true });
      expect((await mock.fetch('/owners', json('POST', { name: 'Ada' }))).status).toBe(201);
    } finally {
      await server.close();
    }
  });

  it('is followed where the document itself comes from that host', async () => {
    const server = await serveFiles(FILES);
    try {
      const mock = await createMock({ spec: `${server.url}/api.yaml`, empty: true });
      expect((await mock.fetch('/owners', json('POST', { name: 'Ada' }))).status).toBe(201);
      expect([...new Set(server.asked)].sort()).toEqual(
        Object.keys(FILES)
          .map((name) => `/${name}`)
          .sort(),
      );
    } finally {
      await server.close();
    }
  });
});

describe('other versions', () => {
  it('Swagger 2.0 is served, state and base path included', async () => {
    const pet = {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer', format: 'int64' },
        name: { type: 'string' },
        parent: { $ref: '#/definitions/Pet' },
      },
    };
    const schema = { $ref: '#/definitions/Pet' };
    const item = [{ name: 'id', in: 'path', required: true, type: 'integer', format: 'int64' }];
    const spec = {
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      basePath: '/v2',
      consumes: ['application/json'],
      produces: ['application/json'],
      definitions: { Pet: pet, NewPet: { ...pet, required: ['name'] } },
      responses: { NotFound: { description: 'There is none' } },
      paths: {
        '/animals': {
          get: {
            parameters: [{ name: 'name', in: 'query', type: 'array', items: { type: 'string' } }],
            responses: { 200: { description: 'All', schema: { type: 'array', items: schema } } },
          },
          post: {
            parameters: [
              { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/NewPet' } },
            ],
            responses: { 201: { description: 'Made', schema } },
          },
        },
        '/animals/{id}': {
          get: {
            parameters: item,
            responses: { 200: { description: 'One', schema }, 404: { $ref: '#/responses/NotFound' } },
          },
        },
      },
    };
    const mock = await createMock({ spec, empty: true });
    for (const name of ['Rex', 'Ada', 'Bo']) await mock.fetch('/v2/animals', json('POST', { name }));
    expect(await (await mock.fetch('/v2/animals/2')).json()).toEqual({ id: 2, name: 'Ada' });
    expect(await (await mock.fetch('/animals?name=Rex,Bo')).json()).toEqual([
      { id: 1, name: 'Rex' },
      { id: 3, name: 'Bo' },
    ]);
    expect((await mock.fetch('/v2/animals', json('POST', { name: 1 }))).status).toBe(422);
  });

  it('OpenAPI 3.1 is served: several types, const, numeric exclusiveMinimum, null', async () => {
    const thing = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer', exclusiveMinimum: 0 },
        kind: { const: 'thing' },
        note: { type: ['string', 'null'] },
        size: { type: ['integer', 'string'] },
      },
    };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
    const body = {
      'application/json': { schema: { type: 'object', properties: { ...thing.properties, id: {} } } },
    };
    const mock = await createMock({
      empty: true,
      spec: {
        openapi: '3.1.0',
        info: { title: 'Things', version: '1' },
        components: { schemas: { Thing: thing } },
        paths: {
          '/things': {
            post: { requestBody: { content: body }, responses: { 201: { description: '', content } } },
          },
          '/things/{id}': { get: { responses: { 200: { description: '', content } } } },
        },
      },
    });
    const send = async (value: unknown) => (await mock.fetch('/things', json('POST', value))).status;
    expect(await send({ kind: 'thing', note: null, size: 'big' })).toBe(201);
    expect(await (await mock.fetch('/things/1')).json()).toEqual({
      id: 1,
      kind: 'thing',
      note: null,
      size: 'big',
    });
    expect(await send({ kind: 'other' })).toBe(422);
    expect(await send({ size: 1.5 })).toBe(422);
  });
});

describe('the base path of a server', () => {
  const respond = { responses: { 200: { description: '', content: { 'text/plain': { example: 'here' } } } } };

  it.each<[string, object[], string[], string[]]>([
    ['a path', [{ url: '/v1' }], ['/v1/a', '/a'], ['/v2/a', '/v1', '/v1a']],
    ['a URL', [{ url: 'https://api.example.com/base/v1/' }], ['/base/v1/a', '/a'], ['/base/a']],
    ['two servers', [{ url: '/v1' }, { url: '/v2' }], ['/v1/a', '/v2/a', '/a'], ['/v3/a']],
    [
      'variables',
      [{ url: 'https://{host}/{v}', variables: { host: { default: 'h' }, v: { default: 'v9' } } }],
      ['/v9/a', '/a'],
      ['/{v}/a'],
    ],
    ['the root', [{ url: '/' }], ['/a'], ['//a']],
  ])('may be there or not: %s', async (_, servers, there, missing) => {
    const spec = {
      openapi: '3.0.3',
      info: { title: '', version: '1' },
      servers,
      paths: { '/a': { get: respond } },
    };
    const mock = await createMock({ spec });
    for (const path of there) expect([path, (await mock.fetch(path)).status]).toEqual([path, 200]);
    for (const path of missing) {
      expect([path, (await mock.fetch(`http://localhost${path}`)).status]).toEqual([path, 404]);
    }
  });

  it('is that of what was made under it', async () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const answer = { description: '', content: { 'application/json': { schema } } };
    const paths = {
      '/things': { post: { responses: { 201: answer } } },
      '/things/{id}': { get: { responses: { 200: answer } } },
    };
    const spec = { openapi: '3.0.3', info: { title: '', version: '1' }, servers: [{ url: '/v1' }], paths };
    const mock = await createMock({ spec, empty: true });
    expect((await mock.fetch('/v1/things', json('POST', {}))).headers.get('location')).toBe('/v1/things/1');
    expect((await mock.fetch('/things', json('POST', {}))).headers.get('location')).toBe('/things/2');
  });

  it('gives way to a path of the document itself', async () => {
    const own = { responses: { 200: { description: '', content: { 'text/plain': { example: 'own' } } } } };
    const paths = { '/a': { get: respond }, '/v1/a': { get: own } };
    const spec = { openapi: '3.0.3', info: { title: '', version: '1' }, servers: [{ url: '/v1' }], paths };
    const mock = await createMock({ spec });
    expect(await (await mock.fetch('/v1/a')).text()).toBe('own');
    expect(await (await mock.fetch('/v1/v1/a')).text()).toBe('own');
  });
});
