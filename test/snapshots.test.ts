import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';

const NORI = { name: 'Nori', categoryId: 2 };
const namesOf = async (ask: Ask) =>
  ((await (await ask('/categories')).json()) as { name: string }[]).map(({ name }) => name);

afterEach(closeAll);

describe('A snapshot', () => {
  test('is returned to as often as one likes, ids included', async () => {
    const mock = await createMock();
    await mock.fetch('/pets', json('POST', NORI));
    mock.snapshot('with-nori');
    for (let round = 0; round < 3; round += 1) {
      const created = await mock.fetch('/pets', json('POST', { ...NORI, name: 'Rex' }));
      expect(await created.json()).toMatchObject({ id: 30 });
      await mock.fetch('/pets/29', { method: 'DELETE' });
      mock.restore('with-nori');
      expect((await mock.fetch('/pets/29')).status).toBe(200);
      expect((await mock.fetch('/pets/30')).status).toBe(404);
    }
    mock.reset();
    expect((await mock.fetch('/pets/29')).status).toBe(404);
    mock.restore('with-nori');
    expect((await mock.fetch('/pets/29')).status).toBe(200);
  });

  test('of the default session is there for all, and that of another one for none', async () => {
    const mock = await createMock();
    const [one, two] = [mock.session('one'), mock.session('two')];
    await mock.fetch('/categories', json('POST', { name: 'Shared' }));
    mock.snapshot('base');
    one.restore('base');
    await one.fetch('/categories', json('POST', { name: 'Own' }));
    one.snapshot('own');
    expect((await namesOf(one.fetch)).slice(-2)).toEqual(['Shared', 'Own']);
    expect((await namesOf(mock.fetch)).at(-1)).toBe('Shared');
    expect(() => two.restore('own')).toThrow('No snapshot has the name own.');
    expect(() => mock.snapshot('a/b')).toThrow('1 to 128 characters');
  });

  test('from before a reload keeps the changes that still fit', async () => {
    const mock = await createMock({ fixtures: { categories: [{ id: 1, name: 'Cats' }] } });
    await mock.fetch('/categories', json('POST', { name: 'Dogs' }));
    mock.snapshot('before');
    await mock.reload({
      fixtures: {
        categories: [
          { id: 1, name: 'Cats' },
          { id: 9, name: 'Birds' },
        ],
      },
    });
    mock.reset();
    expect(await namesOf(mock.fetch)).toEqual(['Cats', 'Birds']);
    mock.restore('before');
    expect(await namesOf(mock.fetch)).toEqual(['Cats', 'Dogs', 'Birds']);
  });

  test('costs nothing of the others that a session has', async () => {
    const mock = await createMock();
    for (let index = 0; index < 1000; index += 1) mock.snapshot(`s${index}`);
    mock.snapshot('s7');
    expect(() => mock.snapshot('one-more')).toThrow('has 1000 snapshots. Delete one');
  });
});

describeAdapters('Snapshots over HTTP', ({ open }) => {
  test('are saved, listed, restored and deleted', async () => {
    const { ask } = await open();
    const saved = await ask('/__mock/snapshots', json('POST', { name: 'clean' }));
    expect([saved.status, await saved.json()]).toEqual([201, { name: 'clean', size: 87 }]);
    await ask('/categories', json('POST', { name: 'Dragons' }));
    expect(await (await ask('/__mock/snapshots')).json()).toMatchObject([{ name: 'clean', size: 87 }]);
    expect((await ask('/__mock/snapshots/clean/restore', { method: 'POST' })).status).toBe(204);
    expect(await namesOf(ask)).not.toContain('Dragons');
    expect((await ask('/__mock/snapshots/clean', { method: 'DELETE' })).status).toBe(204);
    const gone = await ask('/__mock/snapshots/clean/restore', { method: 'POST' });
    expect([gone.status, await gone.json()]).toMatchObject([404, { code: 'snapshot_not_found' }]);
    expect((await ask('/__mock/snapshots/clean', { method: 'DELETE' })).status).toBe(404);
    expect((await ask('/__mock/snapshots', json('POST', { name: '../x' }))).status).toBe(422);
  });

  test('are exported and imported as state, and refused as a whole', async () => {
    const { ask, mock } = await open();
    await ask('/pets', json('POST', NORI));
    await ask('/__mock/snapshots', json('POST', { name: 'nori' }));
    await ask('/__mock/reset', { method: 'POST' });
    const exported = (await (await ask('/__mock/snapshots/nori')).json()) as Record<string, unknown>;
    expect(exported.pets).toContainEqual({ id: 29, ...NORI, status: 'available' });
    const saved = await ask('/__mock/snapshots/copy', json('PUT', exported));
    expect([saved.status, await saved.json()]).toEqual([200, { name: 'copy', size: 89 }]);
    expect((await ask('/pets/29')).status).toBe(404);
    expect(await (await ask('/__mock/snapshots/copy')).json()).toEqual(exported);
    mock.restore('copy');
    expect(await mock.state()).toEqual(exported);
    expect((await ask('/pets/29')).status).toBe(200);
    expect(mock.diff('nori')).toEqual({ added: [], removed: [], changed: [] });
    const refused = await ask('/__mock/snapshots/bad', json('PUT', { pets: [{ id: 1 }] }));
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'validation_failed' }]);
    expect((await ask('/__mock/snapshots/bad')).status).toBe(404);
    expect((await ask('/__mock/snapshots/a%2Fb', json('PUT', exported))).status).toBe(422);
  });

  test('are what a new session may begin with', async () => {
    const { ask } = await open();
    await ask('/categories', json('POST', { name: 'Dragons' }));
    await ask('/__mock/snapshots', json('POST', { name: 'dragons' }));
    await ask('/__mock/reset', { method: 'POST' });
    const begin = (name: string, from: string) => ask('/__mock/sessions', json('POST', { name, from }));
    expect((await begin('one', 'dragons')).status).toBe(201);
    expect(await namesOf((path) => ask(`/__mock/sessions/one${path}`))).toContain('Dragons');
    expect(await namesOf(ask)).not.toContain('Dragons');
    expect((await begin('two', 'nothing')).status).toBe(404);
    expect((await ask('/__mock/sessions/two')).status).toBe(404);
  });
});

describeAdapters('The difference', ({ open }) => {
  test('since the start is what a test changed, by entity and place', async () => {
    const { ask, mock } = await open();
    expect(await (await ask('/__mock/diff')).json()).toEqual({ added: [], removed: [], changed: [] });
    await ask('/pets', json('POST', NORI));
    await ask('/pets/1', json('PATCH', { name: 'Crumb' }));
    await ask('/categories/8', { method: 'DELETE' });
    const found = await (await ask('/__mock/diff')).json();
    const pet = { id: 29, ...NORI, status: 'available' };
    expect(found).toEqual({
      added: expect.arrayContaining([{ resource: 'pets', key: '29', entity: pet }]),
      removed: [{ resource: 'categories', key: '8', entity: expect.objectContaining({ id: 8 }) }],
      changed: [
        { resource: 'pets', key: '1', changes: [{ path: '/name', before: 'Biscuit', after: 'Crumb' }] },
      ],
    });
    expect(found).toEqual(mock.diff());
  });

  test('since a snapshot leaves out what was before', async () => {
    const { ask } = await open();
    await ask('/pets/1', json('PATCH', { name: 'Crumb' }));
    await ask('/__mock/snapshots', json('POST', { name: 'crumb' }));
    await ask('/pets/1', json('PATCH', { name: 'Biscuit', categoryId: 2 }));
    const changes = [
      { path: '/name', before: 'Crumb', after: 'Biscuit' },
      { path: '/categoryId', before: 1, after: 2 },
    ];
    expect(await (await ask('/__mock/diff?from=crumb')).json()).toEqual({
      added: [],
      removed: [],
      changed: [{ resource: 'pets', key: '1', changes }],
    });
    expect((await ask('/__mock/diff?from=nothing')).status).toBe(404);
    expect((await ask('/__mock/diff?form=crumb')).headers.get('x-mock-warnings')).toContain(
      'did you mean from?',
    );
  });
});
