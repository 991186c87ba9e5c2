import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { INTEGER, inPath, TEXT, toAnswer, toDocument, toList, toObject } from './support/small-documents.ts';

const FORM = 'application/x-www-form-urlencoded';
const TAG = toObject({ id: INTEGER, name: TEXT, state: INTEGER, owner: TEXT });

function inBody(name: string, schema: object, more: object = {}): object {
  return { name, in: 'body', schema, ...more };
}

/** What a creation answers: its status, and the new tag as the list shows it. */
async function createTag(mock: Mock, init: RequestInit): Promise<unknown[]> {
  const answer = await mock.fetch('/tags', init);
  const shown: unknown = await (await mock.fetch('/tags')).json();
  return [answer.status, await answer.text(), shown];
}

function swagger(post: object): object {
  const list = { 200: { description: '', schema: { type: 'array', items: TAG } } };
  const paths = {
    '/tags': { get: { responses: list }, post },
    '/tags/{id}': { get: { responses: { 200: { description: '', schema: TAG } } } },
  };
  return { swagger: '2.0', info: { title: 'Tags', version: '1' }, paths };
}

function openapi(post: object): object {
  return toDocument({
    '/tags': { get: { responses: toAnswer(200, toList(TAG)) }, post },
    '/tags/{id}': { parameters: [inPath('id')], get: { responses: toAnswer(200, TAG) } },
  });
}

describe.each([
  ['Swagger', swagger, { 200: { description: '', schema: { type: 'null' } } }],
  [
    'OpenAPI 3',
    openapi,
    { 200: { description: '', content: { 'application/json': { schema: { enum: [null] } } } } },
  ],
])('Several body parameters of a %s operation', (_, toSpec, responses) => {
  const parameters = [
    inBody('name', TEXT, { required: true, minLength: 3 }),
    inBody('state', INTEGER, { default: 1, enum: [0, 1] }),
    inBody('owner', { $ref: '#/nowhere' }),
  ];
  const open = (changes: object = {}) =>
    createMock({ spec: toSpec({ parameters: parameters.slice(0, 2), responses, ...changes }), empty: true });

  test('are the members of one body', async () => {
    const mock = await open();
    const tag = { id: 1, name: 'cats', state: 0 };
    expect(await createTag(mock, json('POST', { name: 'cats', state: 0 }))).toEqual([200, 'null', [tag]]);
  });

  test('are checked, with the keywords beside their schemas', async () => {
    const mock = await open();
    const statusOf = async (body: unknown) => (await createTag(mock, json('POST', body)))[0];
    expect(await statusOf({ state: 0 })).toBe(422);
    expect(await statusOf({ name: 'ca' })).toBe(422);
    expect(await statusOf({ name: 'cats', state: 2 })).toBe(422);
    expect(await statusOf('cats')).toBe(422);
    expect((await mock.fetch('/tags', { method: 'POST' })).status).toBe(422);
    expect(await createTag(mock, json('POST', { name: 'cats' }))).toMatchObject([
      200,
      'null',
      [{ state: 1 }],
    ]);
  });

  test('are noted', async () => {
    const { notes } = (await open()).document;
    expect(notes).toMatchObject([{ code: 'parameter-invalid', effect: 'changed', what: 'POST /tags' }]);
    expect(notes[0]?.reason).toMatch(/body/);
  });

  test('cost their operation only what is wrong in them', async () => {
    const mock = await open({ parameters });
    expect(mock.operations.map(({ method, path }) => `${method} ${path}`)).toContain('POST /tags');
  });
});

describe('A body parameter of an OpenAPI 3 operation', () => {
  const responses = toAnswer(201, TAG);

  test('is its body', async () => {
    const parameters = [inBody('tag', toObject({ name: TEXT }, 'name'), { required: true })];
    const mock = await createMock({ spec: openapi({ parameters, responses }), empty: true });
    const tag = { id: 1, name: 'cats' };
    expect(await createTag(mock, json('POST', { name: 'cats' }))).toEqual([201, JSON.stringify(tag), [tag]]);
    expect((await mock.fetch('/tags', json('POST', {}))).status).toBe(422);
    expect((await mock.fetch('/tags', { method: 'POST' })).status).toBe(422);
  });

  test('gives way to the body that is declared as one', async () => {
    const requestBody = { content: { 'application/json': { schema: toObject({ name: TEXT }, 'name') } } };
    const parameters = [inBody('tag', toObject({ other: TEXT }, 'other'))];
    const mock = await createMock({ spec: openapi({ parameters, requestBody, responses }), empty: true });
    expect((await mock.fetch('/tags', json('POST', { name: 'cats' }))).status).toBe(201);
    expect((await mock.fetch('/tags', json('POST', { other: 'cats' }))).status).toBe(422);
    expect(mock.document.notes).toMatchObject([{ reason: expect.stringContaining('ignored') }]);
  });

  test('is a field where it is in a form', async () => {
    const parameters = [
      { name: 'name', in: 'formData', type: 'string', required: true },
      { name: 'state', in: 'formData', schema: INTEGER },
    ];
    const mock = await createMock({ spec: openapi({ parameters, responses }), empty: true });
    const form = (body: string) => ({ method: 'POST', body, headers: { 'Content-Type': FORM } });
    const tag = { id: 1, name: 'cats', state: 2 };
    expect(await createTag(mock, form('name=cats&state=2'))).toEqual([201, JSON.stringify(tag), [tag]]);
    expect((await mock.fetch('/tags', form('state=2'))).status).toBe(422);
  });
});

describe('Two body parameters of one name', () => {
  test('are one body', async () => {
    const parameters = [inBody('tag', TAG), inBody('tag', TAG)];
    const responses = { 201: { description: '', schema: TAG } };
    const mock = await createMock({ spec: swagger({ parameters, responses }), empty: true });
    expect((await createTag(mock, json('POST', { name: 'cats' })))[2]).toEqual([{ id: 1, name: 'cats' }]);
  });
});

describe.each([
  ['Swagger', swagger, { 201: { description: '', schema: TAG } }],
  ['OpenAPI 3', openapi, toAnswer(201, TAG)],
])('A body parameter beside fields of a form of a %s operation', (_, toSpec, responses) => {
  const body = inBody('tag', toObject({ name: TEXT }, 'name'), { required: true });
  const toField = (name: string, type: string) => ({ name, in: 'formData', type, required: true });
  const open = async (...parameters: object[]) => {
    const mock = await createMock({
      spec: toSpec({ parameters, responses, consumes: ['application/json'] }),
      empty: true,
    });
    return { mock, reasons: mock.document.notes.map(({ code, reason }) => [code, reason]) };
  };
  const toForm = (...entries: [name: string, value: string | Blob][]) => {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    return { method: 'POST', body: form };
  };
  const ignores = (text: string) => ['parameter-invalid', expect.stringContaining(text)];

  test.each([
    ['before it', [body, toField('photo', 'file'), toField('name', 'string')]],
    ['behind it', [toField('photo', 'file'), toField('name', 'string'), body]],
  ])('gives way to a file: %s', async (__, parameters) => {
    const { mock, reasons } = await open(...parameters);
    expect(reasons).toContainEqual(ignores('"tag" is ignored beside "photo", "name"'));
    const photo = new Blob(['abc']);
    expect(await createTag(mock, toForm(['photo', photo], ['name', 'cats']))).toMatchObject([
      201,
      expect.any(String),
      [{ name: 'cats' }],
    ]);
    expect((await mock.fetch('/tags', toForm(['name', 'cats']))).status).toBe(422);
    expect((await mock.fetch('/tags', toForm(['photo', photo]))).status).toBe(422);
    expect((await mock.fetch('/tags', json('POST', { name: 'cats' }))).status).toBe(415);
  });

  test('is the body where none is a file', async () => {
    const { mock, reasons } = await open(toField('name', 'string'), toField('other', 'string'), body);
    expect(reasons).toContainEqual(ignores('"name", "other" are ignored beside "tag"'));
    const tag = { id: 1, name: 'cats' };
    expect(await createTag(mock, json('POST', { name: 'cats' }))).toEqual([201, JSON.stringify(tag), [tag]]);
    expect((await mock.fetch('/tags', toForm(['name', 'cats']))).status).toBe(415);
  });
});

test('A shared body parameter of Swagger gives way to a shared file', async () => {
  const spec = {
    ...swagger({
      parameters: [{ $ref: '#/parameters/body' }, { $ref: '#/parameters/photo' }],
      responses: { 201: { description: '', schema: TAG } },
    }),
    parameters: {
      body: inBody('tag', toObject({ name: TEXT }, 'name'), { required: true }),
      photo: { name: 'photo', in: 'formData', type: 'file' },
    },
  };
  const mock = await createMock({ spec, empty: true });
  expect(mock.document.notes).toMatchObject([{ reason: expect.stringContaining('"tag" is ignored') }]);
  const body = new FormData();
  body.append('photo', new Blob(['abc']));
  expect((await mock.fetch('/tags', { method: 'POST', body })).status).toBe(201);
});
