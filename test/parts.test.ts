import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { formatResources } from '../src/cli/routes.ts';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';

const SPEC = fileURLToPath(new URL('./documents/parts.yaml', import.meta.url));

interface Cart {
  readonly total: number;
  readonly items: readonly { readonly id: number; readonly quantity: number; readonly record: unknown }[];
}

afterEach(closeAll);

describeAdapters('A list in an entity', ({ open }) => {
  test('of which there is one is changed item by item, and every answer shows it', async () => {
    const { ask } = await open({ spec: SPEC });
    const cartOf = async (response: Promise<Response>) => (await (await response).json()) as Cart;
    const read = () => cartOf(ask('/cart'));
    const record = { id: 50, title: 'Blue', price: 12 };
    expect((await ask('/records', json('POST', record))).status).toBe(201);
    const before = await read();
    const added = await cartOf(ask('/cart/items', json('POST', { recordId: record.id, quantity: 2 })));
    const item = added.items.at(-1);
    expect(item).toEqual({ id: expect.any(Number), record, quantity: 2 });
    expect(added.items.slice(0, -1)).toEqual(before.items);
    expect(await read()).toEqual(added);
    const path = `/cart/items/${item?.id}`;
    const changed = await cartOf(ask(path, json('PATCH', { quantity: 5 })));
    expect(changed.items.at(-1)).toEqual({ ...item, quantity: 5 });
    expect(await cartOf(ask(path, { method: 'DELETE' }))).toEqual(before);
    const gone = await ask(path, { method: 'DELETE' });
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ detail: `No item of the cart has the id ${item?.id}.` });
  });

  test('is emptied with the thing that has it', async () => {
    const { ask } = await open({ spec: SPEC });
    expect((await ask('/cart', { method: 'DELETE' })).status).toBe(204);
    expect(await (await ask('/cart')).json()).toEqual({ items: [], total: 0 });
    const { items, total } = (await (
      await ask('/cart/items', json('POST', { recordId: 1, quantity: 1 }))
    ).json()) as Cart;
    const record = (await (await ask('/records/1')).json()) as { price: number };
    expect(total).toBe(record.price);
    expect(items).toEqual([{ id: 1, quantity: 1, record }]);
  });

  test('of many belongs to the one in the path, and its items may be named by what they show', async () => {
    const { ask } = await open({ spec: SPEC });
    for (const id of ['calm', 'loud']) await ask('/playlists', json('POST', { id, tracks: [] }));
    const added = await ask('/playlists/calm/tracks', json('POST', { recordId: 3, note: 'First' }));
    const calm = { id: 'calm', tracks: [{ recordId: 3, note: 'First' }] };
    expect([added.status, await added.json()]).toEqual([201, calm]);
    expect(await (await ask('/playlists/loud')).json()).toEqual({ id: 'loud', tracks: [] });
    expect((await ask('/playlists/quiet/tracks', json('POST', { recordId: 3 }))).status).toBe(404);
    expect((await ask('/playlists/calm/tracks/3', { method: 'DELETE' })).status).toBe(204);
    expect(await (await ask('/playlists/calm')).json()).toEqual({ id: 'calm', tracks: [] });
  });
});

test('The operations that change a list are explained', async () => {
  const text = formatResources(await createMock({ spec: SPEC }));
  expect(text).toMatch(/POST +\/cart\/items +items/);
  expect(text).toContain('GET /cart answers one object, and another path changes it');
});
