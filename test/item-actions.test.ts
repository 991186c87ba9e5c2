import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { formatResources } from '../src/cli/routes.ts';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

type Json = Readonly<Record<string, unknown>>;
/** A request below an item, and what the item shows afterwards. */
type Step = readonly [method: string, path: string, shown: Json, body?: Json];

const SPEC = fileURLToPath(new URL('./documents/item-actions.yaml', import.meta.url));
const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const DAY: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

afterEach(closeAll);

const LIVES: readonly (readonly [title: string, item: string, steps: readonly Step[]])[] = [
  [
    'A state with a time',
    '/orders/1',
    [
      ['POST', 'cancel', { status: 'CANCELED', canceledAt: TIME, note: 'Too late' }, { note: 'Too late' }],
      ['PUT', 'pay', { status: 'PAID' }],
      ['POST', 'ship', { status: 'SHIPPED', shipped_on: DAY }],
      ['POST', 'refund', { status: 'SHIPPED', refunded: true }],
    ],
  ],
  [
    'A state that is undone',
    '/posts/1',
    [
      ['POST', 'publish', { state: 'published', published_at: TIME, updated_at: TIME }],
      ['DELETE', 'publish', { state: 'draft', published_at: null }],
      ['POST', 'publish', { state: 'published', published_at: TIME }],
      ['PATCH', 'unpublish', { state: 'draft', published_at: null }],
      ['POST', 'mark-as-read', { state: 'draft', is_read: true }],
    ],
  ],
  [
    'A boolean with a count, in an envelope',
    '/articles/tides',
    [
      ['POST', 'favorite', { favorited: true, favoritesCount: 1 }],
      ['POST', 'favorite', { favorited: true, favoritesCount: 1 }],
      ['DELETE', 'favorite', { favorited: false, favoritesCount: 0 }],
      ['DELETE', 'favorite', { favorited: false, favoritesCount: 0 }],
    ],
  ],
];

/** Sends a request, and gives the status and the entity in the answer. */
async function send(ask: Ask, method: string, path: string, body?: Json): Promise<[number, unknown]> {
  const response = await ask(path, body ? json(method, body) : { method });
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  return [response.status, answer?.article ?? answer?.profile ?? answer];
}

describeInProcess('What is done to an item', ({ open }) => {
  test.each(LIVES)('%s', async (_, item, steps) => {
    const { ask } = await open({ spec: SPEC });
    await send(ask, 'POST', '/articles', { slug: 'tides' });
    for (const [method, word, shown, body] of steps) {
      const [status, answer] = await send(ask, method, `${item}/${word}`, body);
      expect(status).toBe(word === 'pay' ? 204 : 200);
      if (!['pay', 'refund'].includes(word)) expect(answer).toMatchObject(shown);
      expect((await send(ask, 'GET', item))[1]).toMatchObject(shown);
    }
  });

  test('A single item that no list shows follows and unfollows', async () => {
    const { ask } = await open({ spec: SPEC });
    const [name, path] = ['robin', '/profiles/robin'];
    expect(await send(ask, 'POST', `${path}/follow`)).toEqual([200, { name, isFollowing: true }]);
    expect(await send(ask, 'GET', path)).toEqual([200, { name, isFollowing: true }]);
    expect(await send(ask, 'DELETE', `${path}/follow`)).toEqual([200, { name, isFollowing: false }]);
  });

  test.each([
    ['POST', '/orders/4711/cancel'],
    ['PUT', '/orders/4711/pay'],
    ['POST', '/orders/4711/ship'],
    ['POST', '/orders/4711/refund'],
    ['DELETE', '/posts/4711/publish'],
    ['POST', '/articles/nothing/favorite'],
    ['DELETE', '/profiles/nobody/follow'],
  ])('%s %s answers 404, because there is no such item', async (method, path) => {
    const { ask } = await open({ spec: SPEC });
    expect((await send(ask, method, path))[0]).toBe(404);
  });

  test('A word that is no verb stays without state', async () => {
    const { ask } = await open({ spec: SPEC });
    expect((await send(ask, 'POST', '/orders/4711/receipt'))[0]).toBe(200);
  });
});

/** A document with things that have these properties, and one operation below them. */
function toThings(properties: Json, word: string, method = 'post', more: Json = {}): object {
  const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, ...properties } };
  const parameters = [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }];
  return documentOf({
    '/things': { get: { responses: jsonAnswer({ type: 'array', items: thing }) } },
    '/things/{id}': {
      parameters,
      get: { responses: jsonAnswer(thing) },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
    [`/things/{id}/${word}`]: { parameters, [method]: { responses: jsonAnswer(thing), ...more } },
  });
}

const FLAG = { type: 'boolean' };
const COUNT = { type: 'integer' };
const MOMENT = { type: 'string', format: 'date-time' };
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });

const SETS: readonly (readonly [call: string, properties: Json, sets: readonly string[]])[] = [
  ['post approve', { status: oneOf('new', 'approved') }, ['status "approved"']],
  ['post cancel', { status: oneOf('open', 'cancelled') }, ['status "cancelled"']],
  ['post start', { status: oneOf('todo', 'IN_PROGRESS', 'done') }, ['status "IN_PROGRESS"']],
  ['post reject', { state: oneOf('open', 'declined') }, ['state "declined"']],
  ['post complete', { status: oneOf('open', 'done'), completed: FLAG }, ['status "done"']],
  ['post complete', { title: { type: 'string' }, complete: FLAG }, ['complete true']],
  ['put lock', { isLocked: FLAG, lockedAt: MOMENT }, ['isLocked true', 'lockedAt']],
  ['put unlock', { isLocked: FLAG, lockedAt: MOMENT }, ['isLocked false']],
  ['post disable', { enabled: FLAG }, ['enabled false']],
  ['post deactivate', { status: oneOf('active', 'inactive') }, ['status "inactive"']],
  ['post deactivate', { is_active: FLAG }, ['is_active false']],
  [
    'post close',
    { status: oneOf('open', 'closed'), date_closed: MOMENT },
    ['status "closed"', 'date_closed'],
  ],
  ['post reopen', { status: oneOf('open', 'closed') }, ['status "open"']],
  ['post restore', { status: oneOf('active', 'archived') }, ['status "active"']],
  ['delete archive', { archived: FLAG }, ['archived false']],
  ['post like', { liked_by_me: FLAG, likes: COUNT }, ['liked_by_me true', 'likes +1']],
  ['post like', { likes: COUNT }, []],
  ['post favourite', { favourited: FLAG, favouritesCount: COUNT }, ['favourited true', 'favouritesCount +1']],
  ['post subscribe', { subscribed: FLAG, num_subscribers: COUNT }, ['subscribed true', 'num_subscribers +1']],
  ['post unfollow', { following: FLAG, followersCount: COUNT }, ['following false', 'followersCount -1']],
  ['patch flag', { flagged: FLAG }, ['flagged true']],
  ['post notarize', { notarized: FLAG, notarized_at: MOMENT }, ['notarized true', 'notarized_at']],
  ['post mark-as-paid', { status: oneOf('due', 'paid') }, ['status "paid"']],
  ['post mark-unread', { read: FLAG }, ['read false']],
  // Two that fit: neither is guessed.
  ['post cancel', { status: oneOf('a', 'cancelled'), billing: oneOf('b', 'cancelled') }, []],
  ['post lock', { locked: FLAG, is_locked: FLAG }, []],
  // No verbs.
  ['post import', { status: oneOf('new', 'open') }, []],
  ['post avatar', { avatar: { type: 'string' } }, []],
  ['get cancel', { status: oneOf('a', 'cancelled') }, []],
];

describe('What a verb sets', () => {
  test.each(SETS)('%s of %j: %j', async (call, properties, sets) => {
    const [method = '', word = ''] = call.split(' ');
    const mock = await createMock({ spec: toThings(properties, word, method) });
    const [things] = mock.resources;
    const path = `/things/{id}/${word}`;
    const effects = sets.length === 0 ? [] : [{ method: method.toUpperCase(), path, sets }];
    expect(things?.effects).toEqual(effects);
  });

  test('leaves out a change that would break the item', async () => {
    const locked = { allOf: [FLAG, { enum: [false] }] };
    const document = toThings({ locked, note: { type: 'string', maxLength: 3 } }, 'lock', 'put');
    const mock = await createMock({ spec: document });
    const [before] = (await (await mock.fetch('/things')).json()) as [Json];
    const answer = await mock.fetch(`/things/${before.id}/lock`, json('PUT', { note: 'Too long' }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(before);
  });

  test('holds below parents, and where its path gives the item another name', async () => {
    const task = {
      type: 'object',
      required: ['id', 'listId', 'done'],
      properties: { id: COUNT, listId: COUNT, done: FLAG },
    };
    const path = (...names: string[]) => ({
      parameters: names.map((name) => ({ in: 'path', name, required: true, schema: COUNT })),
    });
    const shows = { responses: jsonAnswer(task) };
    const body = { content: { 'application/json': { schema: { type: 'object' } } } };
    const lists = { responses: jsonAnswer({ type: 'array', items: task }) };
    const mock = await createMock({
      empty: true,
      spec: documentOf({
        '/lists/{listId}/tasks': {
          ...path('listId'),
          get: lists,
          post: { ...shows, requestBody: body },
        },
        '/lists/{listId}/tasks/{id}': { ...path('listId', 'id'), get: shows },
        '/lists/{listId}/tasks/{taskId}/complete': { ...path('listId', 'taskId'), post: shows },
      }),
    });
    await mock.fetch('/lists/2/tasks', json('POST', { done: false }));
    const complete = (url: string) => mock.fetch(url, { method: 'POST' });
    expect(await (await complete('/lists/2/tasks/1/complete')).json()).toEqual({
      id: 1,
      listId: 2,
      done: true,
    });
    expect((await complete('/lists/3/tasks/1/complete')).status).toBe(404);
  });

  test('gives way to a boolean in the body', async () => {
    const body = { content: { 'application/json': { schema: { type: 'object' } } } };
    const mock = await createMock({
      spec: toThings({ completed: FLAG }, 'complete', 'put', { requestBody: body }),
    });
    const [{ id }] = (await (await mock.fetch('/things')).json()) as [{ id: number }];
    const complete = async (completed: boolean) =>
      (await mock.fetch(`/things/${id}/complete`, json('PUT', { completed, id: 99 }))).json();
    expect(await complete(true)).toMatchObject({ id, completed: true });
    expect(await complete(false)).toMatchObject({ id, completed: false });
  });

  test('may be said by x-mock-resource', async () => {
    const document = toThings({ locked: FLAG }, 'lock', 'post', {
      'x-mock-resource': { name: 'things', action: 'act' },
    });
    expect((await createMock({ spec: document })).resources[0]?.effects[0]?.sets).toEqual(['locked true']);
  });

  test('is nothing where state is switched off', async () => {
    const mock = await createMock({ spec: SPEC, resources: { orders: false } });
    expect((await mock.fetch('/orders/4711/cancel', { method: 'POST' })).status).toBe(200);
  });

  test('is listed below the resources', async () => {
    const lines = formatResources(await createMock({ spec: SPEC })).split('\n');
    expect(lines.slice(5, 8)).toEqual([
      '',
      'METHOD  PATH                       SETS',
      'POST    /orders/{id}/cancel        status "CANCELED", canceledAt',
    ]);
  });
});

test('A new item has not ended yet', async () => {
  const mock = await createMock({ spec: SPEC });
  const made = await mock.fetch('/orders', json('POST', { item: 'Mug' }));
  expect(await made.json()).toMatchObject({ status: 'PLACED', canceledAt: null });
});
