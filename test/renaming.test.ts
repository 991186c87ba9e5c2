import { afterEach, expect, test } from 'vitest';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

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

describeAdapters('Another key in the body of a change', (adapter) => {
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
