import { afterEach, expect, test } from 'vitest';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { answerOf, create, idsOf } from './support/asking.ts';
import { documentOf } from './support/documents.ts';
import {
  INTEGER,
  inPath,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toList,
  toObject,
  toOperation,
} from './support/small-documents.ts';

afterEach(closeAll);

const USER = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    username: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
  },
};
const content = { 'application/json': { schema: USER } };
const answer = { description: '', content };

/** The users of the well-known pet store, whose PUT declares these errors. */
function users(...errors: readonly string[]): object {
  const parameters = [{ name: 'username', in: 'path', required: true, schema: { type: 'string' } }];
  const declared = Object.fromEntries(errors.map((code) => [code, { description: code }]));
  const change = { parameters, requestBody: { content }, responses: { 200: answer, ...declared } };
  return documentOf({
    '/user': { post: { requestBody: { content }, responses: { 200: answer } } },
    '/user/{username}': {
      get: { parameters, responses: { 200: answer, 404: { description: '' } } },
      put: change,
      patch: change,
      delete: { parameters, responses: { 204: { description: '' } } },
    },
  });
}

describeInProcess('Another key in the body of a change', (adapter) => {
  test.each(['PUT', 'PATCH'])('renames the entity: %s', async (method) => {
    const { ask } = await adapter.open({ spec: users('400', '404'), empty: true });
    await ask('/user', json('POST', { username: 'ann', email: 'ann@example.com' }));
    const renamed = await ask('/user/ann', json(method, { username: 'bea', email: 'bea@example.com' }));
    expect(renamed.status).toBe(200);
    expect(await renamed.json()).toMatchObject({ username: 'bea', email: 'bea@example.com' });
    expect((await ask('/user/ann')).status).toBe(404);
    expect(await (await ask('/user/bea')).json()).toMatchObject({
      username: 'bea',
      email: 'bea@example.com',
    });
    const again = await ask('/user/bea', json(method, { username: 'bea', email: 'b@example.com' }));
    expect([again.status, await again.json()]).toMatchObject([200, { email: 'b@example.com' }]);
  });

  test.each<[errors: string, status: number]>([
    ['409 400', 409],
    ['400 404', 400],
    ['404 403', 403],
    ['404', 404],
    ['4XX', 409],
    ['default', 409],
    ['', 409],
  ])('is, where it is taken and %j is declared, answered %i', async (errors, status) => {
    const spec = users(...errors.split(' ').filter((code) => code !== ''));
    const { ask } = await adapter.open({ spec, empty: true });
    await ask('/user', json('POST', { username: 'ann' }));
    await ask('/user', json('POST', { username: 'bea' }));
    for (const method of ['PUT', 'PATCH']) {
      expect((await ask('/user/ann', json(method, { username: 'bea' }))).status).toBe(status);
      expect((await ask('/user/ann')).status).toBe(200);
    }
  });
});

const OWNER = toObject({ id: TEXT, name: TEXT }, 'id');
const PET = toObject({ id: TEXT, name: TEXT, ownerId: TEXT }, 'id');
const TOY = toObject({ id: INTEGER, name: TEXT, petId: TEXT, ownerId: TEXT }, 'id');
const SETTING = toObject({ theme: TEXT }, 'theme');
const above = [inPath('ownerId', TEXT), inPath('petId', TEXT)];

/** Owners with pets with toys, and a setting each. */
const CLINIC = toDocument({
  ...toCrud('/owners', inPath('ownerId', TEXT), OWNER),
  '/owners/{ownerId}/setting': {
    parameters: above.slice(0, 1),
    get: toOperation(toAnswer(200, SETTING)),
    put: toOperation(toAnswer(200, SETTING), SETTING),
  },
  ...toCrud('/owners/{ownerId}/pets', inPath('petId', TEXT), PET, { above: above.slice(0, 1) }),
  ...toCrud('/owners/{ownerId}/pets/{petId}/toys', inPath('toyId'), TOY, { above }),
});

/** Owners with pets that are also a list of their own, and letters that only happen to hold the name of an owner. */
const FLAT = toDocument({
  ...toCrud('/owners', inPath('ownerId', TEXT), OWNER),
  ...toCrud('/pets', inPath('petId', TEXT), PET),
  '/owners/{ownerId}/pets': {
    parameters: above.slice(0, 1),
    get: toOperation(toAnswer(200, toList(PET))),
  },
  ...toCrud('/letters', inPath('letterId'), toObject({ id: INTEGER, to: TEXT }, 'id')),
});

const rename = (ask: Ask, path: string, key: string, method = 'PUT') =>
  answerOf(ask, path, json(method, { id: key }));

describeInProcess('A renamed entity', (adapter) => {
  test.each(['PUT', 'PATCH'])('keeps its place in the list: %s', async (method) => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    for (const id of ['a', 'b', 'c']) await create(ask, '/owners', { id });
    expect(await rename(ask, '/owners/b', 'z', method)).toMatchObject([200, { id: 'z' }]);
    expect(await idsOf(ask, '/owners')).toEqual(['a', 'z', 'c']);
  });

  test.each(['PUT', 'PATCH'])('takes along what is below it, in its order: %s', async (method) => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    await create(ask, '/owners', { id: 'a' });
    await create(ask, '/owners', { id: 'ab' });
    await create(ask, '/owners/ab/pets', { id: 'w' });
    await ask('/owners/a/setting', json('PUT', { theme: 'dark' }));
    for (const id of ['y', 'x', 'z']) await create(ask, '/owners/a/pets', { id });
    for (const id of [5, 3]) await create(ask, '/owners/a/pets/x/toys', { id });
    await rename(ask, '/owners/a', 'b', method);
    expect(await answerOf(ask, '/owners/b/pets')).toEqual([
      200,
      ['y', 'x', 'z'].map((id) => ({ id, ownerId: 'b' })),
    ]);
    expect(await answerOf(ask, '/owners/b/pets/x/toys')).toEqual([
      200,
      [5, 3].map((id) => ({ id, petId: 'x', ownerId: 'b' })),
    ]);
    expect(await answerOf(ask, '/owners/b/setting')).toEqual([200, { theme: 'dark' }]);
    expect(await idsOf(ask, '/owners/ab/pets')).toEqual(['w']);
    expect(await answerOf(ask, '/owners/a/pets')).toEqual([404, 'owner_not_found']);
    await create(ask, '/owners', { id: 'a' });
    expect(await idsOf(ask, '/owners/a/pets')).toEqual([]);
    await create(ask, '/owners/a/pets', { id: 'x' });
    expect(await idsOf(ask, '/owners/a/pets/x/toys')).toEqual([]);
  });

  test('may itself be below another one', async () => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    for (const id of ['a', 'b']) {
      await create(ask, '/owners', { id });
      await create(ask, `/owners/${id}/pets`, { id: 'x' });
      await create(ask, `/owners/${id}/pets/x/toys`, { id: 1 });
    }
    await rename(ask, '/owners/a/pets/x', 'y');
    expect(await answerOf(ask, '/owners/a/pets/y/toys')).toEqual([
      200,
      [{ id: 1, petId: 'y', ownerId: 'a' }],
    ]);
    expect(await answerOf(ask, '/owners/a/pets/x/toys')).toEqual([404, 'pet_not_found']);
    expect(await answerOf(ask, '/owners/b/pets/x/toys')).toEqual([
      200,
      [{ id: 1, petId: 'x', ownerId: 'b' }],
    ]);
  });

  test('takes along the first entities below it, and back again', async () => {
    const { ask, mock } = await adapter.open({ spec: CLINIC });
    const [first] = (await idsOf(ask, '/owners')) as string[];
    const pets = await idsOf(ask, `/owners/${first}/pets`);
    expect(pets).not.toEqual([]);
    await rename(ask, `/owners/${first}`, 'b');
    expect(await idsOf(ask, '/owners/b/pets')).toEqual(pets);
    await rename(ask, '/owners/b', String(first));
    expect(await idsOf(ask, `/owners/${first}/pets`)).toEqual(pets);
    await rename(ask, `/owners/${first}`, 'b');
    mock.reset();
    expect(await idsOf(ask, `/owners/${first}/pets`)).toEqual(pets);
  });

  test('shows nothing of a deleted entity whose key it takes', async () => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    for (const id of ['a', 'b']) await create(ask, '/owners', { id });
    await create(ask, '/owners/b/pets', { id: 'old' });
    await ask('/owners/b', { method: 'DELETE' });
    await rename(ask, '/owners/a', 'b');
    expect(await idsOf(ask, '/owners/b/pets')).toEqual([]);
  });

  test('changes nothing below two entities where its key is taken', async () => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    for (const id of ['a', 'b']) {
      await create(ask, '/owners', { id });
      await create(ask, `/owners/${id}/pets`, { id: `pet of ${id}` });
    }
    expect((await rename(ask, '/owners/a', 'b'))[0]).toBe(409);
    expect(await idsOf(ask, '/owners')).toEqual(['a', 'b']);
    for (const id of ['a', 'b']) {
      expect(await answerOf(ask, `/owners/${id}/pets`)).toEqual([200, [{ id: `pet of ${id}`, ownerId: id }]]);
    }
  });

  test('takes along what a path below it lists from a list of its own, and nothing else', async () => {
    const { ask } = await adapter.open({ spec: FLAT, empty: true });
    await create(ask, '/owners', { id: 'a' });
    for (const [id, ownerId] of Object.entries({ z: 'a', y: 'c', x: 'a' }))
      await create(ask, '/pets', { id, ownerId });
    await create(ask, '/letters', { id: 1, to: 'a' });
    await rename(ask, '/owners/a', 'b');
    expect(await idsOf(ask, '/owners/b/pets')).toEqual(['z', 'x']);
    expect(await answerOf(ask, '/pets')).toEqual([
      200,
      [
        { id: 'z', ownerId: 'b' },
        { id: 'y', ownerId: 'c' },
        { id: 'x', ownerId: 'b' },
      ],
    ]);
    expect(await answerOf(ask, '/letters/1')).toEqual([200, { id: 1, to: 'a' }]);
  });

  test('leaves a name below it that has no room for the new key', async () => {
    const short = toObject({ id: TEXT, ownerId: { type: 'string', maxLength: 3 } }, 'id');
    const spec = toDocument({
      ...toCrud('/owners', inPath('ownerId', TEXT), OWNER),
      ...toCrud('/pets', inPath('petId', TEXT), short),
      '/owners/{ownerId}/pets': {
        parameters: above.slice(0, 1),
        get: toOperation(toAnswer(200, toList(short))),
      },
    });
    const { ask } = await adapter.open({ spec, empty: true });
    await create(ask, '/owners', { id: 'a' });
    await create(ask, '/pets', { id: 'x', ownerId: 'a' });
    expect((await rename(ask, '/owners/a', 'abcd'))[0]).toBe(200);
    expect(await answerOf(ask, '/pets/x')).toEqual([200, { id: 'x', ownerId: 'a' }]);
  });

  const hostile = [
    'a/b',
    '%2F',
    '"',
    '__proto__',
    'constructor',
    'ü ?#',
    '0',
    'null',
    '🐈',
    ' ',
    'x'.repeat(100),
  ];

  test.each(hostile)('may have any key: %j', async (key) => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    const path = `/owners/${encodeURIComponent(key)}`;
    await create(ask, '/owners', { id: 'a' });
    await create(ask, '/owners/a/pets', { id: 'x' });
    await create(ask, '/owners/a/pets/x/toys', { id: 1 });
    await rename(ask, '/owners/a', key);
    expect(await answerOf(ask, `${path}/pets`)).toEqual([200, [{ id: 'x', ownerId: key }]]);
    expect(await idsOf(ask, `${path}/pets/x/toys`)).toEqual([1]);
    await rename(ask, path, 'c');
    expect(await answerOf(ask, '/owners/c/pets')).toEqual([200, [{ id: 'x', ownerId: 'c' }]]);
    expect(await idsOf(ask, '/owners/c/pets/x/toys')).toEqual([1]);
  });

  test.each(['.', '..', '\ud800'])('cannot have a key that no path can name: %j', async (key) => {
    const { ask } = await adapter.open({ spec: CLINIC, empty: true });
    await create(ask, '/owners', { id: 'a' });
    await create(ask, '/owners/a/pets', { id: 'x' });
    expect((await rename(ask, '/owners/a', key))[0]).toBe(422);
    expect(await idsOf(ask, '/owners/a/pets')).toEqual(['x']);
  });
});
