import { expect, test } from 'vitest';
import { createMock, type MockOptions } from '../src/index.ts';

const ANSWER = { description: 'An answer' };
const PET = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

function answer(schema: object) {
  return { responses: { 200: { ...ANSWER, content: { 'application/json': { schema } } } } };
}

function take(schema: object, operation: object = answer(PET)) {
  return { ...operation, requestBody: { content: { 'application/json': { schema } } } };
}

const list = (items: object) => ({ type: 'array', items });
const key = (name: string, schema: object = { type: 'integer' }) => ({
  parameters: [{ name, in: 'path', required: true, schema }],
});

const PETS = {
  '/pets': { get: answer(list(PET)), post: take(PET) },
  '/pets/{petId}': { ...key('petId'), get: answer(PET) },
};

async function understand(paths: object, options: MockOptions = {}) {
  const spec = { openapi: '3.0.3', info: { title: 'Any', version: '1' }, paths };
  const { inference } = await createMock({ ...options, spec });
  return inference;
}

/** The explanation of the one operation that is beside the pets. */
async function explain(path: string, methods: object) {
  const { stateless } = await understand({ ...PETS, [path]: methods });
  return stateless.filter((each) => each.path === path).map(({ reason, remedy }) => [reason, remedy]);
}

const TOTAL = { type: 'object', properties: { total: { type: 'integer' } } };
const FEW = { type: 'string', enum: ['a', 'b'] };
const CARD = { type: 'object', properties: { id: { type: 'integer' } } };

test.each<[path: string, methods: object, reason: string, remedy?: string]>([
  ['/total', { get: answer(TOTAL) }, 'answers an object that no PUT or PATCH changes'],
  ['/version', { get: answer({ type: 'string' }) }, 'answers no object and no list'],
  ['/names', { get: answer(list({ type: 'string' })) }, 'lists values that are not objects'],
  [
    '/ping',
    { get: { responses: { 200: ANSWER } } },
    'its answer is not declared, and no POST creates entities here',
  ],
  [
    '/signs',
    { get: answer(list(CARD)) },
    'lists objects, but no POST creates any, and none has a path',
    'resources: { signs: { collection: /signs } }',
  ],
  ['/login', { post: take(TOTAL, answer(TOTAL)) }, 'POST without a list or items'],
  ['/note', { put: take(TOTAL, answer(TOTAL)) }, 'PUT without a GET on its path'],
  ['/note', { delete: { responses: { 204: ANSWER } } }, 'removes something that no other operation creates'],
  ['/{word}', { ...key('word'), get: answer(TOTAL) }, 'its path names no collection'],
  [
    '/cards/{suit}',
    { ...key('suit', FEW), get: answer(CARD) },
    '{suit} is one of a few values',
    "resources: { cards: { item: '/cards/{suit}' } }",
  ],
  [
    '/cards/{id}',
    { ...key('id'), get: answer(CARD) },
    'no operation changes its item, and none has the path /cards',
    "resources: { cards: { item: '/cards/{id}' } }",
  ],
  [
    '/pets/{petId}/card',
    { ...key('petId'), get: answer(CARD) },
    'answers an object that no PUT or PATCH changes',
    'x-mock-resource: { name: pets, action: read }',
  ],
  [
    '/old/pets',
    { get: answer(list(CARD)) },
    'lists objects, but no POST creates any, and none has a path',
    'x-mock-resource: { name: pets, action: list }',
  ],
])('an operation on %s without state says why, and how to change it', async (path, methods, ...expected) => {
  expect(await explain(path, methods)).toEqual([[expected[0], expected[1]]]);
});

test('an operation on the path of a resource says why it is not an action', async () => {
  const collection = { ...PETS['/pets'], delete: { responses: { 204: ANSWER } }, put: take(list(PET)) };
  const { stateless } = await understand({ ...PETS, '/pets': collection });
  expect(stateless.map(({ method, reason }) => [method, reason])).toEqual(
    expect.arrayContaining([
      ['DELETE', 'DELETE of a whole collection'],
      ['PUT', 'changes a collection, and its body has no key'],
    ]),
  );
});

test.each<[options: MockOptions, reason: string, remedy: string | undefined]>([
  [{ stateless: ['pets'] }, 'switched off by --stateless', '--stateless without pets'],
  [{ resources: { pets: false } }, 'switched off by "resources"', 'resources without pets: false'],
  [{ stateless: true }, 'switched off by --stateless', undefined],
])('what %j switches off says so', async (options, reason, remedy) => {
  const { stateless } = await understand(PETS, options);
  expect(stateless).toEqual(
    [
      ['GET', '/pets'],
      ['POST', '/pets'],
      ['GET', '/pets/{petId}'],
    ].map(([method, path]) => ({ method, path, reason, remedy })),
  );
});

test('every line that an operation is given does give it state', async () => {
  const paths = { ...PETS, '/signs': { get: answer(list(CARD)) }, '/old/pets': { get: answer(list(CARD)) } };
  const marked = { ...answer(list(CARD)), 'x-mock-resource': { name: 'pets', action: 'list' } };
  const { stateless } = await understand(
    { ...paths, '/old/pets': { get: marked } },
    { resources: { signs: { collection: '/signs' } } },
  );
  expect(stateless).toEqual([]);
});

test('each rule of places is named where it moved an operation', async () => {
  const { moved } = await understand({
    '/books/': { get: answer(list(PET)), post: take(PET) },
    '/book/{id}': { ...key('id'), get: answer(PET) },
    '/books/{id}/delete': { ...key('id'), post: { responses: { 204: ANSWER } } },
    '/films.list': { get: answer(list(PET)) },
    '/films.create': { post: take(PET) },
    '/tasks': { get: answer(list(PET)), post: take(PET) },
    '/task': {
      delete: {
        parameters: [{ name: 'id', in: 'query', required: true, schema: { type: 'integer' } }],
        responses: { 204: ANSWER },
      },
    },
  });
  expect(
    moved.map(({ method, path, standsFor, reason }) => [`${method} ${path}`, standsFor, reason]),
  ).toEqual([
    ['GET /books/', 'GET /books', 'trailing slash'],
    ['POST /books/', 'POST /books', 'trailing slash'],
    ['GET /book/{id}', 'GET /books/{id}', 'singular and plural'],
    ['POST /books/{id}/delete', 'DELETE /books/{id}', 'verb in the path'],
    ['GET /films.list', 'GET /films', 'verb after a dot'],
    ['POST /films.create', 'POST /films', 'verb after a dot'],
    ['DELETE /task', 'DELETE /tasks/{id}', 'key in the query, singular and plural'],
  ]);
});
