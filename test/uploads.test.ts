import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

afterAll(closeAll);

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const BINARY = { ...STRING, format: 'binary' };
const CAT = { type: 'object', required: ['id'], properties: { id: INTEGER, name: STRING } };
const FORM = { type: 'object', properties: { note: STRING, photo: BINARY } };

function content(...types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, { schema: BINARY }]));
}

function jsonOf(schema: object): object {
  return { 'application/json': { schema } };
}

const ID = { name: 'id', in: 'path', required: true, schema: INTEGER };
const DONE = { responses: { 204: { description: 'Done.' } } };

/** Takes a body of some types. */
function taking(contents: object, operation: object = DONE): object {
  return { ...operation, requestBody: { required: true, content: contents } };
}

function answering(contents: object, status = 200): object {
  return { responses: { [status]: { description: 'It.', content: contents } } };
}

/** Cats, and the operations on their photos. */
function cats(photo: object, others: object = {}): object {
  return documentOf({
    '/cats': {
      get: answering(jsonOf({ type: 'array', items: CAT })),
      post: taking(jsonOf({ type: 'object' }), answering(jsonOf(CAT), 201)),
    },
    '/cats/{id}': { parameters: [ID], get: answering(jsonOf(CAT)), delete: DONE },
    '/cats/{id}/photo': { parameters: [ID], ...photo },
    ...others,
  });
}

const PHOTO = answering(content('image/*'));

/** Every byte, among them those of a line break and of a boundary. */
const BYTES = Uint8Array.from({ length: 600 }, (_, index) => (index * 7) % 256);
const OTHER = Uint8Array.of(0xff, 0xd8, 0x0d, 0x0a, 0x2d, 0x2d);

function send(method: string, bytes: Uint8Array, type: string): RequestInit {
  return { method, body: Uint8Array.from(bytes), headers: { 'Content-Type': type } };
}

function formOf(name: string, bytes: Uint8Array, type: string): RequestInit {
  const body = new FormData();
  body.append('note', 'a note');
  body.append(name, new Blob([Uint8Array.from(bytes)], { type }), 'photo.bin');
  return { method: 'POST', body };
}

/** The status, type and bytes of an answer. */
async function fetchFile(
  ask: Ask,
  path: string,
  init?: RequestInit,
): Promise<[number, string | null, string]> {
  const response = await ask(path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return [response.status, response.headers.get('content-type'), bytes.toString('hex')];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

async function statusOf(ask: Ask, path: string, init?: RequestInit): Promise<number> {
  const response = await ask(path, init);
  await response.text();
  return response.status;
}

describeAdapters('an upload is given back', ({ open }) => {
  test.each<[title: string, photo: object, init: RequestInit]>([
    ['of a PUT', { get: PHOTO, put: taking(content('image/png')) }, send('PUT', BYTES, 'image/png')],
    ['of a POST', { get: PHOTO, post: taking(content('image/*')) }, send('POST', BYTES, 'image/png')],
    [
      'of a form',
      { get: PHOTO, post: taking({ 'multipart/form-data': { schema: FORM } }) },
      formOf('photo', BYTES, 'image/png'),
    ],
    [
      'of an operation that answers with the entity',
      { get: PHOTO, post: taking({ 'multipart/form-data': { schema: FORM } }, answering(jsonOf(CAT))) },
      formOf('photo', BYTES, 'image/png'),
    ],
  ])('%s', async (_, photo, init) => {
    const { ask, mock } = await open({ spec: cats(photo), empty: true });
    expect(await statusOf(ask, '/cats/1/photo', init)).toBe(404);
    await statusOf(ask, '/cats', json('POST', { name: 'Tom' }));
    await statusOf(ask, '/cats', json('POST', { name: 'Kit' }));
    const [, , sample] = await fetchFile(ask, '/cats/1/photo');
    expect(sample).toMatch(/^89504e47/);
    expect(await statusOf(ask, '/cats/1/photo', init)).toBeLessThan(300);
    for (const _time of ['first', 'from the cache'])
      expect(await fetchFile(ask, '/cats/1/photo')).toEqual([200, 'image/png', hex(BYTES)]);
    expect(await fetchFile(ask, '/cats/2/photo')).toEqual([200, 'image/png', sample]);
    expect(await fetchFile(ask, '/cats/3/photo')).toEqual([404, expect.any(String), expect.any(String)]);
    const shown = (await (await ask('/cats/1')).json()) as object;
    expect([shown, 'photo' in shown]).toEqual([expect.objectContaining({ id: 1, name: 'Tom' }), false]);
    const head = await ask('/cats/1/photo', { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['600', '']);
    expect(mock.journal.findLast(({ method }) => method === 'GET')?.source).toBe('state');
    mock.reset();
    expect(await statusOf(ask, '/cats/1/photo')).toBe(404);
  });

  test('in its own type, and another one replaces it', async () => {
    const { ask } = await open({ spec: cats({ get: PHOTO, put: taking(content('image/*')) }) });
    await statusOf(ask, '/cats/1/photo', send('PUT', BYTES, 'image/png'));
    await statusOf(ask, '/cats/1/photo', send('PUT', OTHER, 'image/jpeg; q=1'));
    expect(await fetchFile(ask, '/cats/1/photo')).toEqual([200, 'image/jpeg', hex(OTHER)]);
    const webp = { headers: { Accept: 'image/webp' } };
    expect((await fetchFile(ask, '/cats/1/photo', webp))[0]).toBe(406);
  });

  test('until it is removed, or its owner is', async () => {
    const photo = { get: PHOTO, put: taking(content('image/*')), delete: DONE };
    const { ask } = await open({ spec: cats(photo), empty: true });
    await statusOf(ask, '/cats', json('POST', {}));
    const put = send('PUT', BYTES, 'image/png');
    await statusOf(ask, '/cats/1/photo', put);
    expect(await statusOf(ask, '/cats/1/photo', { method: 'DELETE' })).toBe(204);
    expect(await statusOf(ask, '/cats/1/photo')).toBe(404);
    expect(await statusOf(ask, '/cats/1/photo', { method: 'DELETE' })).toBe(404);
    expect(await statusOf(ask, '/cats/1/photo', put)).toBe(204);
    expect(await fetchFile(ask, '/cats/1/photo')).toEqual([200, 'image/png', hex(BYTES)]);
    expect(await statusOf(ask, '/cats/1', { method: 'DELETE' })).toBe(204);
    expect(await statusOf(ask, '/cats/1/photo')).toBe(404);
  });

  test.each<[upload: string, download: string]>([
    ['/cats/{id}/uploadPhoto', '/cats/{id}/photo'],
    ['/cats/{id}/photo/upload', '/cats/{id}/photo'],
    ['/cats/{id}/upload', '/cats/{id}/photo'],
    ['/cats/{id}/photo', '/cats/{id}/photo/download'],
  ])('from %s at %s', async (upload, download) => {
    const spec = cats(
      {},
      {
        [upload]: { parameters: [ID], post: taking(content('image/png')) },
        ...(upload !== download && { [download]: { parameters: [ID], get: PHOTO } }),
      },
    );
    const { ask } = await open({ spec });
    expect(await statusOf(ask, upload.replace('{id}', '1'), send('POST', BYTES, 'image/png'))).toBe(204);
    expect(await fetchFile(ask, download.replace('{id}', '1'))).toEqual([200, 'image/png', hex(BYTES)]);
  });

  test('but not as another file of the same item', async () => {
    const paper = {
      parameters: [ID],
      get: answering(content('application/pdf')),
      put: taking(content('application/pdf')),
    };
    const spec = cats({ get: PHOTO, put: taking(content('image/*')) }, { '/cats/{id}/papers': paper });
    const { ask } = await open({ spec });
    await statusOf(ask, '/cats/1/photo', send('PUT', BYTES, 'image/png'));
    await statusOf(ask, '/cats/1/papers', send('PUT', OTHER, 'application/pdf'));
    expect((await fetchFile(ask, '/cats/1/photo'))[2]).toBe(hex(BYTES));
    expect((await fetchFile(ask, '/cats/1/papers'))[2]).toBe(hex(OTHER));
  });

  test.each(['/files/{id}', '/files/{id}/content', '/files/{id}/download'])(
    'after it created a file, at %s',
    async (path) => {
      const FILE = { type: 'object', required: ['id'], properties: { id: INTEGER, purpose: STRING } };
      const form = { type: 'object', required: ['file'], properties: { file: BINARY, purpose: STRING } };
      const spec = documentOf({
        '/files': {
          get: answering(jsonOf({ type: 'array', items: FILE })),
          post: taking({ 'multipart/form-data': { schema: form } }, answering(jsonOf(FILE), 201)),
        },
        '/files/{id}': { parameters: [ID], get: answering(jsonOf(FILE)), delete: DONE },
        [path]: { parameters: [ID], get: answering(content('application/octet-stream')), delete: DONE },
      });
      const { ask } = await open({ spec, empty: true });
      const body = new FormData();
      body.append('purpose', 'test');
      body.append('file', new Blob([BYTES]), 'a.bin');
      const created = await ask('/files', { method: 'POST', body });
      expect([created.status, await created.json()]).toEqual([201, { id: 1, purpose: 'test' }]);
      const type = 'application/octet-stream';
      expect(await fetchFile(ask, path.replace('{id}', '1'))).toEqual([200, type, hex(BYTES)]);
      expect(await statusOf(ask, path.replace('{id}', '2'))).toBe(404);
      expect(await statusOf(ask, '/files/1', { method: 'DELETE' })).toBe(204);
      expect(await statusOf(ask, path.replace('{id}', '1'))).toBe(404);
    },
  );

  test('at a path that belongs to no resource, for each of its parameters', async () => {
    const files = { get: answering(content('*/*')), put: taking(content('*/*')) };
    const parameters = ['a', 'b'].map((name) => ({ name, in: 'path', required: true, schema: STRING }));
    const { ask } = await open({
      spec: documentOf({ '/logo': files, '/raw/{a}/of/{b}': { parameters, ...files } }),
    });
    for (const [path, bytes] of [
      ['/logo', BYTES],
      ['/raw/x/of/y', OTHER],
      ['/raw/x%2Fof/of/y', BYTES],
    ] as const) {
      expect(await statusOf(ask, path, send('PUT', bytes, 'application/zip'))).toBe(204);
      expect(await fetchFile(ask, path)).toEqual([200, 'application/zip', hex(bytes)]);
    }
    expect((await fetchFile(ask, '/raw/x/of/y'))[2]).toBe(hex(OTHER));
  });
});

describeAdapters('the document decides whether an upload is given back', ({ open }) => {
  test.each<[title: string, download: string[], sent: string, type: string]>([
    ['as it is, where any image is declared', ['image/*'], 'image/x-icon', 'image/x-icon'],
    [
      'as bytes, where bytes are declared',
      ['application/octet-stream'],
      'image/png',
      'application/octet-stream',
    ],
    [
      'as the declared image, where its own type is unknown',
      ['image/png'],
      'application/octet-stream',
      'image/png',
    ],
    ['among other types', ['application/pdf', 'image/jpeg'], 'image/jpeg', 'image/jpeg'],
  ])('%s', async (_, download, sent, type) => {
    const photo = { get: answering(content(...download)), put: taking(content('*/*')) };
    const { ask } = await open({ spec: cats(photo) });
    await statusOf(ask, '/cats/1/photo', send('PUT', BYTES, sent));
    const accept = { headers: { Accept: type } };
    expect(await fetchFile(ask, '/cats/1/photo', accept)).toEqual([200, type, hex(BYTES)]);
  });

  test.each<[title: string, photo: object, init: RequestInit]>([
    [
      'another image than the declared one',
      { get: answering(content('image/png')), put: taking(content('*/*')) },
      send('PUT', BYTES, 'image/jpeg'),
    ],
    [
      'an object',
      { get: answering(jsonOf(CAT)), put: taking(content('image/png')) },
      send('PUT', BYTES, 'image/png'),
    ],
    [
      'a text',
      { get: answering({ 'text/plain': { schema: STRING } }), put: taking(content('image/png')) },
      send('PUT', BYTES, 'image/png'),
    ],
    ['a body that is no file', { get: PHOTO, put: taking(jsonOf({ type: 'object' })) }, json('PUT', {})],
    [
      'a form without a file',
      { get: PHOTO, post: taking({ 'multipart/form-data': { schema: FORM } }) },
      formOf('x', new Uint8Array(), 'image/png'),
    ],
  ])('and changes nothing for %s', async (_, photo, init) => {
    const { ask } = await open({ spec: cats(photo) });
    const before = await fetchFile(ask, '/cats/1/photo');
    await statusOf(ask, '/cats/1/photo', init);
    expect(await fetchFile(ask, '/cats/1/photo')).toEqual(before);
  });

  test('and a refused upload leaves no file', async () => {
    const form = { 'multipart/form-data': { schema: FORM } };
    const link = jsonOf({ type: 'object', required: ['url'], properties: { url: STRING } });
    const { ask } = await open({ spec: cats({ get: PHOTO, post: taking(form, answering(link)) }) });
    const upload = formOf('photo', BYTES, 'image/gif');
    expect(await statusOf(ask, '/cats/1/photo', { ...upload, headers: { Accept: 'text/html' } })).toBe(406);
    expect((await fetchFile(ask, '/cats/1/photo'))[1]).toBe('image/png');
    const answer = await ask('/cats/1/photo', upload);
    expect([answer.status, await answer.json()]).toEqual([200, { url: expect.any(String) }]);
    expect((await fetchFile(ask, '/cats/1/photo'))[1]).toBe('image/gif');
  });

  test('and a request for another answer gets that', async () => {
    const photo = {
      get: { responses: { ...(PHOTO as { responses: object }).responses, 404: { description: 'None.' } } },
      put: taking(content('image/*')),
    };
    const { ask } = await open({ spec: cats(photo) });
    await statusOf(ask, '/cats/1/photo', send('PUT', BYTES, 'image/png'));
    expect(await statusOf(ask, '/cats/1/photo', { headers: { Prefer: 'code=404' } })).toBe(404);
    expect((await fetchFile(ask, '/cats/1/photo', { headers: { Prefer: 'code=200' } }))[2]).toBe(hex(BYTES));
  });
});

describe('uploads', () => {
  test('belong to the user of the request', async () => {
    const USER = { type: 'object', required: ['id', 'email'], properties: { id: INTEGER, email: STRING } };
    const login = {
      type: 'object',
      required: ['email', 'password'],
      properties: { email: STRING, password: STRING },
    };
    const TOKEN = { type: 'object', required: ['token'], properties: { token: STRING } };
    const security = [{ bearer: [] }];
    const avatar = { get: { ...PHOTO, security }, put: { ...taking(content('image/*')), security } };
    const spec = documentOf(
      {
        '/login': { post: taking(jsonOf(login), answering(jsonOf(TOKEN))) },
        '/users': {
          get: answering(jsonOf({ type: 'array', items: USER })),
          post: taking(jsonOf(login), answering(jsonOf(USER), 201)),
        },
        '/users/me': { get: { ...answering(jsonOf(USER)), security } },
        '/users/me/avatar': avatar,
        '/users/{id}': { parameters: [ID], get: answering(jsonOf(USER)) },
        '/users/{id}/avatar': { parameters: [ID], get: PHOTO },
      },
      { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    );
    const mock = await createMock({ spec, empty: true });
    const signIn = async (email: string) => {
      const response = await mock.fetch('/login', json('POST', { email, password: 'x' }));
      const { token } = (await response.json()) as { token: string };
      return { Authorization: `Bearer ${token}` };
    };
    const [ann, bea] = [await signIn('ann@example.com'), await signIn('bea@example.com')];
    const put = send('PUT', BYTES, 'image/gif');
    const headers = { 'Content-Type': 'image/gif', ...ann };
    expect(await statusOf(mock.fetch, '/users/me/avatar', { ...put, headers })).toBe(204);
    expect((await fetchFile(mock.fetch, '/users/me/avatar', { headers: ann }))[2]).toBe(hex(BYTES));
    expect((await fetchFile(mock.fetch, '/users/me/avatar', { headers: bea }))[1]).toBe('image/png');
    expect((await fetchFile(mock.fetch, '/users/1/avatar'))[2]).toBe(hex(BYTES));
    expect((await fetchFile(mock.fetch, '/users/2/avatar'))[1]).toBe('image/png');
  });

  test('may be items of their own below another item', async () => {
    const form = { type: 'object', required: ['file'], properties: { file: BINARY } };
    const MADE = { type: 'object', required: ['id'], properties: { id: INTEGER, url: STRING } };
    const photoId = { ...ID, name: 'photoId' };
    const spec = cats(
      {},
      {
        '/cats/{id}/photos': {
          parameters: [ID],
          post: taking({ 'multipart/form-data': { schema: form } }, answering(jsonOf(MADE), 201)),
        },
        '/cats/{id}/photos/{photoId}': { parameters: [ID, photoId], get: PHOTO, delete: DONE },
      },
    );
    const mock = await createMock({ spec });
    for (const [cat, bytes] of [
      [1, BYTES],
      [2, OTHER],
    ] as const) {
      const made = await mock.fetch(`/cats/${cat}/photos`, formOf('file', bytes, 'image/gif'));
      const { id } = (await made.json()) as { id: number };
      expect(await fetchFile(mock.fetch, `/cats/${cat}/photos/${id}`)).toEqual([
        200,
        'image/gif',
        hex(bytes),
      ]);
      expect(await statusOf(mock.fetch, `/cats/${cat}/photos/${id}`, { method: 'DELETE' })).toBe(204);
      expect(await statusOf(mock.fetch, `/cats/${cat}/photos/${id}`)).toBe(404);
    }
  });

  test('are forgotten with the owner of their owner', async () => {
    const named = { type: 'object', required: ['name'], properties: { name: STRING } };
    const inPath = (...names: string[]) =>
      names.map((name) => ({ name, in: 'path', required: true, schema: STRING }));
    const collection = {
      get: answering(jsonOf({ type: 'array', items: named })),
      post: taking(jsonOf(named), answering(jsonOf(named), 201)),
    };
    const item = { get: answering(jsonOf(named)), delete: DONE };
    const photo = { get: PHOTO, put: taking(content('image/*')) };
    const mock = await createMock({
      empty: true,
      spec: documentOf({
        '/cats': collection,
        '/cats/{cat}': { parameters: inPath('cat'), ...item },
        '/cats/{cat}/kittens': { parameters: inPath('cat'), ...collection },
        '/cats/{cat}/kittens/{name}': { parameters: inPath('cat', 'name'), ...item },
        '/cats/{cat}/kittens/{name}/photo': { parameters: inPath('cat', 'name'), ...photo },
      }),
      resources: { cats: { key: 'name' } },
    });
    const begin = async () => {
      expect(await statusOf(mock.fetch, '/cats', json('POST', { name: 'Tom' }))).toBe(201);
      expect(await statusOf(mock.fetch, '/cats/Tom/kittens', json('POST', { name: 'Kit' }))).toBe(201);
    };
    const path = '/cats/Tom/kittens/Kit/photo';
    await begin();
    await statusOf(mock.fetch, path, send('PUT', BYTES, 'image/gif'));
    expect((await fetchFile(mock.fetch, path))[1]).toBe('image/gif');
    expect(await statusOf(mock.fetch, '/cats/Tom', { method: 'DELETE' })).toBe(204);
    expect(await statusOf(mock.fetch, path)).toBe(404);
    await begin();
    expect((await fetchFile(mock.fetch, path))[1]).toBe('image/png');
  });

  test('have a type of bounded length', async () => {
    const photo = { get: answering(content('*/*')), put: taking(content('*/*')) };
    const mock = await createMock({ spec: cats(photo) });
    await statusOf(mock.fetch, '/cats/1/photo', send('PUT', BYTES, `image/${'x'.repeat(10_000)}`));
    expect((await fetchFile(mock.fetch, '/cats/1/photo'))[1]).toBe('application/octet-stream');
  });

  const spec = cats({ get: PHOTO, put: taking(content('image/*')), delete: DONE });

  test('are forgotten where the resource has no state', async () => {
    for (const options of [{ stateless: true }, { stateless: ['cats'] }] as const) {
      const mock = await createMock({ spec, ...options });
      const before = await fetchFile(mock.fetch, '/cats/1/photo');
      expect(await statusOf(mock.fetch, '/cats/1/photo', send('PUT', BYTES, 'image/png'))).toBe(204);
      expect(await fetchFile(mock.fetch, '/cats/1/photo')).toEqual(before);
    }
  });

  test('stay after a reload', async () => {
    const mock = await createMock({ spec });
    await statusOf(mock.fetch, '/cats/1/photo', send('PUT', BYTES, 'image/png'));
    expect(await mock.reload()).toEqual([]);
    expect((await fetchFile(mock.fetch, '/cats/1/photo'))[2]).toBe(hex(BYTES));
  });

  test('follow an entity that gets another key', async () => {
    const named = { type: 'object', required: ['name'], properties: { name: STRING } };
    const parameters = [{ name: 'name', in: 'path', required: true, schema: STRING }];
    const mock = await createMock({
      empty: true,
      spec: documentOf({
        '/dogs': {
          get: answering(jsonOf({ type: 'array', items: named })),
          post: taking(jsonOf(named), answering(jsonOf(named), 201)),
        },
        '/dogs/{name}': {
          parameters,
          get: answering(jsonOf(named)),
          put: taking(jsonOf(named), answering(jsonOf(named))),
        },
        '/dogs/{name}/photo': { parameters, get: PHOTO, put: taking(content('image/*')) },
      }),
    });
    await statusOf(mock.fetch, '/dogs', json('POST', { name: 'Rex' }));
    await statusOf(mock.fetch, '/dogs/Rex/photo', send('PUT', BYTES, 'image/png'));
    expect(await statusOf(mock.fetch, '/dogs/Rex', json('PUT', { name: 'Max' }))).toBe(200);
    expect((await fetchFile(mock.fetch, '/dogs/Max/photo'))[2]).toBe(hex(BYTES));
    expect(await statusOf(mock.fetch, '/dogs/Rex/photo')).toBe(404);
  });

  test('are counted among the operations with state, and pass the proof', async () => {
    const mock = await createMock({ spec });
    const ofPhotos = mock.operations.filter(({ path }) => path.endsWith('/photo'));
    expect(ofPhotos.map(({ stateless }) => stateless)).toEqual([false, false, false]);
    expect((await mock.check()).violations).toEqual([]);
    expect(mock.resources.flatMap(({ effects }) => effects)).toEqual([
      { method: 'PUT', path: '/cats/{id}/photo', sets: ['(the file)'] },
      { method: 'DELETE', path: '/cats/{id}/photo', sets: ['(no file)'] },
    ]);
  });

  test('together take a bounded memory, and none is forgotten', async () => {
    const parameters = [{ name: 'name', in: 'path', required: true, schema: STRING }];
    const files = { parameters, get: answering(content('image/*')), put: taking(content('image/*')) };
    const mock = await createMock({ spec: documentOf({ '/raw/{name}': files }), memory: 32 });
    const megabyte = new Uint8Array(1024 * 1024).fill(7);
    const statuses: number[] = [];
    for (let index = 0; index < 30; index++)
      statuses.push(await statusOf(mock.fetch, `/raw/${index}`, send('PUT', megabyte, 'image/gif')));
    const refused = statuses.indexOf(507);
    // In base64, 24 MiB are 32 MiB.
    expect(refused).toBeGreaterThan(20);
    expect(new Set(statuses.slice(0, refused))).toEqual(new Set([204]));
    expect(new Set(statuses.slice(refused))).toEqual(new Set([507]));
    for (let index = 0; index < 30; index++)
      expect((await fetchFile(mock.fetch, `/raw/${index}`))[1]).toBe(
        index < refused ? 'image/gif' : 'image/png',
      );
    mock.reset();
    expect(await statusOf(mock.fetch, '/raw/29', send('PUT', megabyte, 'image/gif'))).toBe(204);
  });

  test('of any type and bytes are answered', async () => {
    const mock = await createMock({
      spec: cats({ get: answering(content('*/*')), put: taking(content('*/*')) }),
    });
    const type = fc.oneof(
      fc.constantFrom('image/png', '*/*', 'a/b/c', 'image/', '/', 'text/html;x=1'),
      fc.stringMatching(/^[ -~]{1,20}$/),
    );
    await fc.assert(
      fc.asyncProperty(type, fc.uint8Array({ maxLength: 50 }), async (contentType, bytes) => {
        const put = await statusOf(mock.fetch, '/cats/1/photo', send('PUT', bytes, contentType));
        expect([204, 415, 422]).toContain(put);
        const [status, answered] = await fetchFile(mock.fetch, '/cats/1/photo');
        expect([status, answered]).toEqual([
          200,
          expect.stringMatching(/^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/),
        ]);
      }),
      { numRuns: 200 },
    );
  });
});
