import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { answerOf, create, idsOf } from './support/asking.ts';
import {
  INTEGER,
  inPath,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toObject,
  toOperation,
} from './support/small-documents.ts';

const OWNER = toObject({ id: TEXT, name: TEXT }, 'id');
const PET = toObject({ id: INTEGER, name: TEXT, ownerId: TEXT }, 'id');
const SETTING = toObject({ theme: TEXT, size: { type: 'integer', default: 3 } }, 'theme');
const CLINIC = toDocument({
  ...toCrud('/owners', inPath('ownerId', TEXT), OWNER),
  ...toCrud('/owners/{ownerId}/pets', inPath('petId'), PET, {
    input: toObject({ id: INTEGER, name: TEXT }),
    above: [inPath('ownerId', TEXT)],
  }),
  ...toCrud('/owners/{ownerId}/pets/{petId}/toys', inPath('toyId'), toObject({ id: INTEGER }, 'id'), {
    input: toObject({ id: INTEGER }),
    above: [inPath('ownerId', TEXT), inPath('petId')],
  }),
  '/settings': {
    get: toOperation(toAnswer(200, SETTING)),
    put: toOperation(toAnswer(200, SETTING), SETTING),
    patch: toOperation(toAnswer(200, SETTING), { type: 'object' }),
    delete: toOperation(toAnswer(200, SETTING)),
  },
});
const REGIONS = toDocument(
  toCrud('/{region}/pets', inPath('id'), toObject({ id: INTEGER, name: TEXT }, 'id'), {
    input: toObject({ id: INTEGER, name: TEXT }),
    above: [inPath('region', TEXT)],
  }),
);

afterEach(closeAll);

const remove = async (ask: Ask, path: string) => (await ask(path, { method: 'DELETE' })).status;

describeInProcess('entities below others', ({ open }) => {
  test('are apart for each parent, under the same ids too', async () => {
    const { ask } = await open({ spec: CLINIC, empty: true });
    await create(ask, '/owners', { id: 'a' });
    await create(ask, '/owners', { id: 'b' });
    expect(await create(ask, '/owners/a/pets', { id: 1, name: 'x' })).toEqual({
      id: 1,
      name: 'x',
      ownerId: 'a',
    });
    expect(await create(ask, '/owners/b/pets', { id: 1, name: 'y' })).toEqual({
      id: 1,
      name: 'y',
      ownerId: 'b',
    });
    expect(await answerOf(ask, '/owners/a/pets', json('POST', { id: 1 }))).toEqual([
      201,
      { id: 1, ownerId: 'a' },
    ]);
    expect(await remove(ask, '/owners/a/pets/1')).toBe(204);
    expect(await answerOf(ask, '/owners/b/pets/1')).toEqual([200, { id: 1, name: 'y', ownerId: 'b' }]);
  });

  test('are a 404 that names the parent which is missing', async () => {
    const { ask } = await open({ spec: CLINIC, empty: true });
    await create(ask, '/owners', { id: 'a' });
    for (const [path, code] of [
      ['/owners/b/pets', 'owner_not_found'],
      ['/owners/b/pets/1', 'owner_not_found'],
      ['/owners/b/pets/1/toys', 'owner_not_found'],
      ['/owners/a/pets/1', 'pet_not_found'],
      ['/owners/a/pets/1/toys', 'pet_not_found'],
    ] as const)
      expect.soft([path, await answerOf(ask, path)]).toEqual([path, [404, code]]);
    expect(await answerOf(ask, '/owners/b/pets', json('POST', {}))).toEqual([404, 'owner_not_found']);
  });

  test.each(['a', 'a/b', '%2F', '"', '__proto__', 'constructor', 'ü ?#', '0', 'null'])(
    'go with their parent %j, and do not come back with a new one',
    async (key) => {
      const { ask } = await open({ spec: CLINIC, empty: true });
      const owner = `/owners/${encodeURIComponent(key)}`;
      const made = await ask('/owners', json('POST', { id: key }));
      expect([made.status, made.headers.get('Location')]).toEqual([201, owner]);
      await create(ask, `${owner}/pets`, { id: 1 });
      await create(ask, `${owner}/pets/1/toys`, { id: 1 });
      expect(await idsOf(ask, `${owner}/pets/1/toys`)).toEqual([1]);
      expect(await remove(ask, owner)).toBe(204);
      await create(ask, '/owners', { id: key });
      expect(await idsOf(ask, `${owner}/pets`)).toEqual([]);
      await create(ask, `${owner}/pets`, { id: 1 });
      expect(await idsOf(ask, `${owner}/pets/1/toys`)).toEqual([]);
    },
  );

  test('stay below their parent, whatever a client says', async () => {
    const { ask } = await open({ spec: CLINIC, empty: true });
    await create(ask, '/owners', { id: 'a' });
    await create(ask, '/owners/a/pets', { id: 1, ownerId: 'z' });
    for (const method of ['PATCH', 'PUT'])
      expect(await answerOf(ask, '/owners/a/pets/1', json(method, { ownerId: 'z' }))).toEqual([
        200,
        { id: 1, ownerId: 'a' },
      ]);
  });

  test('are seeded below parents that exist, and say so', async () => {
    const { ask, mock } = await open({ spec: CLINIC });
    const owners = await idsOf(ask, '/owners');
    expect(owners).toHaveLength(10);
    for (const owner of owners) {
      const [, pets] = (await answerOf(ask, `/owners/${owner}/pets`)) as [number, { ownerId: string }[]];
      expect(pets.map(({ ownerId }) => ownerId)).toEqual([owner]);
    }
    expect((await mock.check()).violations).toEqual([]);
  });

  test('go with their parent too where the first of the path is of no resource', async () => {
    const above = [inPath('region', TEXT)];
    const spec = toDocument({
      ...toCrud('/{region}/pets', inPath('petId'), PET, { above }),
      ...toCrud('/{region}/pets/{petId}/toys', inPath('id'), toObject({ id: INTEGER }, 'id'), {
        above: [...above, inPath('petId')],
      }),
    });
    const { ask } = await open({ spec });
    expect(await idsOf(ask, '/north/pets/1/toys')).toHaveLength(10);
    await remove(ask, '/north/pets/1');
    await create(ask, '/north/pets', { id: 1 });
    expect(await idsOf(ask, '/north/pets/1/toys')).toEqual([]);
    expect(await idsOf(ask, '/south/pets/1/toys')).toHaveLength(10);
  });

  test('whose parents are of no resource begin the same everywhere, and change apart', async () => {
    const { ask } = await open({ spec: REGIONS });
    const [first] = await idsOf(ask, '/north/pets');
    expect(await answerOf(ask, '/south/pets')).toEqual(await answerOf(ask, '/north/pets'));
    expect(await remove(ask, `/north/pets/${first}`)).toBe(204);
    expect(await answerOf(ask, `/north/pets/${first}`)).toEqual([404, 'pet_not_found']);
    expect((await ask(`/south/pets/${first}`)).status).toBe(200);
    const made = await create(ask, '/south/pets', { name: 'x' });
    expect(await answerOf(ask, `/north/pets/${made.id}`)).toEqual([404, 'pet_not_found']);
    expect(await answerOf(ask, '/east/pets')).toEqual(await answerOf(ask, '/west/pets'));
  });
});

describeInProcess('entities that two paths show', ({ open }) => {
  const toy = { $ref: '#/components/schemas/Toy' };
  const spec = toDocument(
    {
      ...toCrud('/owners', inPath('ownerId', TEXT), OWNER),
      ...toCrud('/toys', inPath('id'), toy, { input: toObject({ ownerId: TEXT }) }),
      ...toCrud('/owners/{ownerId}/toys', inPath('toyId'), toy, {
        input: toObject({ name: TEXT }),
        above: [inPath('ownerId', TEXT)],
      }),
    },
    { Toy: toObject({ id: INTEGER, ownerId: TEXT, name: TEXT }, 'id') },
  );

  test('are the same, and below an owner only if they say so', async () => {
    const { ask } = await open({ spec, empty: true });
    for (const id of ['a', 'b']) await create(ask, '/owners', { id });
    expect(await create(ask, '/owners/a/toys')).toEqual({ id: 1, ownerId: 'a' });
    expect([await idsOf(ask, '/toys'), await idsOf(ask, '/owners/b/toys')]).toEqual([[1], []]);
    expect(await answerOf(ask, '/toys/1', json('PATCH', { ownerId: 'b' }))).toEqual([
      200,
      { id: 1, ownerId: 'b' },
    ]);
    expect([await idsOf(ask, '/owners/a/toys'), await idsOf(ask, '/owners/b/toys')]).toEqual([[], [1]]);
  });

  test('are not taken from one owner by a PUT below another', async () => {
    const { ask } = await open({ spec, empty: true });
    for (const id of ['a', 'b']) await create(ask, '/owners', { id });
    await create(ask, '/owners/a/toys');
    expect(await answerOf(ask, '/owners/b/toys/1', json('PUT', { name: 'x' }))).toEqual([409, 'toy_exists']);
    expect(await answerOf(ask, '/toys/1')).toEqual([200, { id: 1, ownerId: 'a' }]);
    expect(await answerOf(ask, '/owners/b/toys/2', json('PUT', { name: 'x' }))).toEqual([
      201,
      { id: 2, ownerId: 'b', name: 'x' },
    ]);
  });
});

describeInProcess('the only one of a kind', ({ open }) => {
  test('is read, changed, deleted, and made again by a PUT', async () => {
    const { ask, mock } = await open({ spec: CLINIC });
    const [, first] = await answerOf(ask, '/settings');
    expect(await answerOf(ask, '/settings', json('PUT', { theme: 'dark' }))).toEqual([
      200,
      { theme: 'dark', size: 3 },
    ]);
    expect(await answerOf(ask, '/settings', json('PATCH', { size: 4 }))).toEqual([
      200,
      { theme: 'dark', size: 4 },
    ]);
    expect(await answerOf(ask, '/settings', { method: 'DELETE' })).toEqual([200, { theme: 'dark', size: 4 }]);
    for (const init of [{}, json('PATCH', {}), { method: 'DELETE' }])
      expect(await answerOf(ask, '/settings', init)).toEqual([404, 'setting_not_found']);
    expect(await answerOf(ask, '/settings', json('PUT', { theme: 'x' }))).toEqual([
      200,
      { theme: 'x', size: 3 },
    ]);
    mock.reset();
    expect(await answerOf(ask, '/settings')).toEqual([200, first]);
  });
});

describeInProcess('a reload', ({ open }) => {
  test('keeps what clients changed below a parent, and follows another seed for all the rest', async () => {
    const { ask, mock } = await open({ spec: REGIONS });
    await answerOf(ask, '/north/pets/1', json('PATCH', { name: 'mine' }));
    await remove(ask, '/north/pets/2');
    expect(await mock.reload({ spec: REGIONS, seed: 2 })).toEqual([]);
    const { ask: fresh } = await open({ spec: REGIONS, seed: 2 });
    const [, others] = (await answerOf(fresh, '/north/pets')) as [number, { id: number }[]];
    expect(await answerOf(ask, '/north/pets')).toEqual([
      200,
      others.filter(({ id }) => id !== 2).map((pet) => (pet.id === 1 ? { ...pet, name: 'mine' } : pet)),
    ]);
    expect(await answerOf(ask, '/south/pets')).toEqual([200, others]);
  });

  test('keeps a deleted parent deleted, and what was below it too', async () => {
    const { ask, mock } = await open({ spec: CLINIC });
    const [owner] = await idsOf(ask, '/owners');
    expect(await idsOf(ask, `/owners/${owner}/pets`)).toHaveLength(1);
    await remove(ask, `/owners/${owner}`);
    await mock.reload();
    expect(await answerOf(ask, `/owners/${owner}/pets`)).toEqual([404, 'owner_not_found']);
    await create(ask, '/owners', { id: owner });
    expect(await idsOf(ask, `/owners/${owner}/pets`)).toEqual([]);
  });
});

describeInProcess('fixtures', ({ open }) => {
  test('may be below parents, and of what there is only one', async () => {
    const fixtures = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
    try {
      await writeFile(join(fixtures, 'owners.json'), '[{"id":"a"},{"id":"b"}]');
      await writeFile(
        join(fixtures, 'pets.yaml'),
        '[{ id: 1, ownerId: a }, { id: 2, ownerId: b }, { id: 4, ownerId: b }]',
      );
      await writeFile(join(fixtures, 'settings.json'), '[{"theme":"dark"}]');
      const { ask, mock } = await open({ spec: CLINIC, fixtures });
      expect(await answerOf(ask, '/owners/a/pets')).toEqual([200, [{ id: 1, ownerId: 'a' }]]);
      expect(await idsOf(ask, '/owners/b/pets')).toEqual([2, 4]);
      expect(await answerOf(ask, '/settings')).toEqual([200, { theme: 'dark' }]);
      expect(await create(ask, '/owners/a/pets')).toEqual({ id: 5, ownerId: 'a' });
      await remove(ask, '/owners/b/pets/2');
      expect(await mock.reload()).toEqual([]);
      expect([await idsOf(ask, '/owners/a/pets'), await idsOf(ask, '/owners/b/pets')]).toEqual([[1, 5], [4]]);
    } finally {
      await rm(fixtures, { recursive: true });
    }
  });
});
