import { describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { INTEGER, inPath, TEXT, toAnswer, toDocument, toList, toObject } from './support/small-documents.ts';

const TAG = toObject({ id: INTEGER, name: TEXT });

/** Tags whose POST and DELETE answer something else. */
function tags(type: string, schema: object): object {
  const answer = { description: '', content: { [type]: { schema } } };
  const requestBody = { content: { 'application/json': { schema: toObject({ name: TEXT }) } } };
  return toDocument({
    '/tags': {
      get: { responses: toAnswer(200, toList(TAG)) },
      post: { requestBody, responses: { 201: answer } },
    },
    '/tags/{id}': {
      parameters: [inPath('id')],
      get: { responses: toAnswer(200, TAG) },
      delete: { responses: { 200: answer } },
    },
  });
}

describe('A creation that answers no entity', () => {
  test.each([
    ['a string', 'application/json', TEXT],
    ['a text', 'text/plain', TEXT],
    ['a number', 'application/json', INTEGER],
    ['a message', 'application/json', toObject({ message: TEXT }, 'message')],
    ['null', 'application/json', { enum: [null] }],
  ])('keeps it all the same, and answers as declared: %s', async (_, type, schema) => {
    const mock = await createMock({ spec: tags(type, schema), empty: true });
    const created = await mock.fetch('/tags', json('POST', { name: 'cats' }));
    expect([created.status, created.headers.get('Content-Type')]).toEqual([201, type]);
    expect(await created.text()).not.toBe('');
    const tag = { id: 1, name: 'cats' };
    expect(await (await mock.fetch('/tags')).json()).toEqual([tag]);
    expect(await (await mock.fetch(created.headers.get('Location') ?? '')).json()).toEqual(tag);
    const removed = await mock.fetch('/tags/1', { method: 'DELETE' });
    expect([removed.status, removed.headers.get('Content-Type')]).toEqual([200, type]);
    expect((await mock.fetch('/tags/1')).status).toBe(404);
  });

  test('answers nothing to a client that does not take the text', async () => {
    const mock = await createMock({ spec: tags('text/plain', TEXT), empty: true });
    const created = await mock.fetch('/tags', json('POST', { name: 'cats' }, { Accept: 'application/json' }));
    expect([created.status, await created.text()]).toEqual([201, '']);
  });
});
