import { afterEach, expect, test } from 'vitest';
import type { JournalEntry } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';

afterEach(closeAll);

const PATHS = [
  '/pets',
  '/pets?status=available',
  '/pets?limit=2&offset=1',
  '/pets/1',
  '/pets/1/profile',
  '/categories',
  '/store/inventory',
  '/store/orders',
];

const CHANGES: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
  ['a creation', '/pets', json('POST', { name: 'Ada', categoryId: 1 })],
  ['a replacement', '/pets/1', json('PUT', { name: 'Bob', categoryId: 1 })],
  [
    'an update',
    '/pets/1',
    json('PATCH', { name: 'Cleo' }, { 'Content-Type': 'application/merge-patch+json' }),
  ],
  ['a deletion', '/pets/2', { method: 'DELETE' }],
  ['an order', '/store/orders', json('POST', { petId: 1, quantity: 1 })],
];

async function read(ask: Ask, path: string, init?: RequestInit) {
  const response = await ask(path, init);
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

const readAll = (ask: Ask) => Promise.all(PATHS.map((path) => read(ask, path)));

describeAdapters('A GET that was answered before', ({ open }) => {
  test('gets an equal answer, and is logged again', async () => {
    const seen: JournalEntry[] = [];
    const { ask } = await open({ onExchange: (exchange) => seen.push(exchange) });
    const first = await readAll(ask);
    expect(await readAll(ask)).toEqual(first);
    expect(first.every(({ status }) => status === 200)).toBe(true);
    expect(
      seen.slice(PATHS.length).map(({ path, status, operation }) => ({ path, status, operation })),
    ).toEqual(
      seen.slice(0, PATHS.length).map(({ path, status, operation }) => ({ path, status, operation })),
    );
  });

  test.each(CHANGES)('shows %s, like a mock that was not asked before', async (_, path, init) => {
    const { ask } = await open();
    const { ask: askFresh } = await open();
    const before = await readAll(ask);
    const statuses = [await ask(path, init), await askFresh(path, init)].map(({ status }) => status);
    expect(statuses[0]).toBeLessThan(300);
    expect(statuses[1]).toBe(statuses[0]);
    const after = await readAll(ask);
    expect(after).not.toEqual(before);
    expect(after.map(({ body }) => body)).toEqual((await readAll(askFresh)).map(({ body }) => body));
  });

  test('shows what a reset and a reload change', async () => {
    const { ask, mock } = await open();
    const first = await readAll(ask);
    await ask('/pets/1', { method: 'DELETE' });
    expect(await readAll(ask)).not.toEqual(first);
    mock.reset();
    expect(await readAll(ask)).toEqual(first);
    await mock.reload({ errors: ['GET /pets=503'] });
    expect((await read(ask, '/pets')).status).toBe(503);
    expect((await read(ask, '/pets/1')).status).toBe(200);
  });

  test('is another one with other headers', async () => {
    const { ask } = await open();
    const { body } = await read(ask, '/pets/1');
    expect((await read(ask, '/pets/1', { headers: { Accept: 'text/csv' } })).status).toBe(406);
    expect((await read(ask, '/pets/1', { headers: { Prefer: 'code=404' } })).status).toBe(404);
    expect((await read(ask, '/pets/1', { method: 'HEAD' })).body).toBe('');
    expect((await read(ask, '/pets/1', { headers: { 'X-Any': '1' } })).body).toBe(body);
    expect((await read(ask, '/pets/1')).body).toBe(body);
  });

  test('changes something again, where the document says that it does', async () => {
    const { ask } = await open({ spec: VISITS, empty: true });
    const visit = async () => (await (await ask('/visits/new')).json()) as { id: number };
    expect([await visit(), await visit(), await visit()]).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(JSON.parse((await read(ask, '/visits')).body)).toHaveLength(3);
  });

  test('fails by chance all the same, where a fault says so', async () => {
    const { ask } = await open({ errors: ['GET /pets=503@0.5'] });
    const statuses = new Set<number>();
    for (let count = 0; count < 20; count++) statuses.add((await read(ask, '/pets')).status);
    expect([...statuses].sort()).toEqual([200, 503]);
  });
});

const VISIT = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const answering = (schema: object) => ({
  200: { description: 'Done', content: { 'application/json': { schema } } },
});

/** A document of which a GET makes something new. */
const VISITS = {
  openapi: '3.0.3',
  info: { title: 'Visits', version: '1' },
  paths: {
    '/visits': { get: { responses: answering({ type: 'array', items: VISIT }) } },
    '/visits/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: answering(VISIT) },
    },
    '/visits/new': {
      get: { 'x-mock-resource': { name: 'visits', action: 'create' }, responses: answering(VISIT) },
    },
  },
};
