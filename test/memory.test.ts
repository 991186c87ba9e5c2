import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../', import.meta.url));

afterEach(closeAll);

const MEGABYTE = 'x'.repeat(1_000_000);

function inSession(name: string, init: RequestInit = {}): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), 'X-Mock-Session': name } };
}

describeAdapters('the memory that clients make a mock hold', ({ open }) => {
  test('has room again once sessions end, also those with a request on its way', async () => {
    const { ask, mock } = await open({ memory: 8, faults: [{ operation: 'listPets', delay: 300 }] });
    for (let round = 0; round < 20; round++) {
      const name = `round-${round}`;
      const waiting = ask('/pets', inSession(name));
      const body = { name: MEGABYTE, categoryId: 1 };
      expect((await ask('/pets', inSession(name, json('POST', body)))).status).toBe(201);
      mock.session(name).end();
      expect((await waiting).status).toBe(410);
    }
    // Each header is another answer in the cache, and none fits twice.
    for (let index = 0; index < 300; index++) {
      const headers = { 'X-Trace': 'y'.repeat(40 * index) };
      expect((await ask('/categories/1', { headers })).status).toBe(200);
    }
    await ask('/pets/1');
    expect(mock.verify({ operation: 'getPet' })).toHaveLength(1);
  });

  test('refuses the entity that would pass the bound, and takes it once there is room', async () => {
    const { ask, mock } = await open({ memory: 4 });
    const create = () => ask('/pets', json('POST', { name: MEGABYTE, categoryId: 1 }));
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await create()).status);
    expect(statuses).toEqual([201, 201, 201, 201, 507, 507]);
    const refused = await create();
    expect(await refused.json()).toEqual({
      code: 'limit_reached',
      message: expect.stringContaining('--memory 8'),
      status: 507,
    });
    const pets = (await (await ask('/pets?limit=100')).json()) as { id: number; name: string }[];
    const large = pets.filter(({ name }) => name === MEGABYTE);
    expect(large).toHaveLength(4);
    // The other requests go on.
    expect((await ask('/pets/1')).status).toBe(200);
    mock.reset();
    expect((await create()).status).toBe(201);
  });

  test('refuses a fault, a snapshot and a seed that do not fit, and changes nothing', async () => {
    const { ask, mock } = await open({ memory: 2 });
    const fault = { operation: 'getPet', status: 503, message: MEGABYTE };
    const add = () => ask('/__mock/faults', json('POST', fault));
    const statuses = [(await add()).status, (await add()).status, (await add()).status];
    expect(statuses).toEqual([201, 201, 507]);
    expect(mock.faults.list()).toHaveLength(2);
    const pets = [{ id: 1, name: MEGABYTE, categoryId: 1 }];
    const imported = await ask(
      '/__mock/snapshots/large',
      json('PUT', { pets, categories: [{ id: 1, name: 'a' }] }),
    );
    expect([imported.status, await imported.json()]).toMatchObject([507, { code: 'limit_reached' }]);
    await expect(mock.seed({ pets })).rejects.toThrow('--memory');
    mock.faults.clear();
    await mock.seed({ pets });
    expect(await (await ask('/pets')).json()).toMatchObject(pets);
  });

  test('lets the oldest journal entries go, and says so', async () => {
    const { ask, mock } = await open({ memory: 4 });
    await ask('/pets/1');
    for (let count = 0; count < 30; count++)
      expect((await ask('/categories', json('POST', { name: MEGABYTE.slice(0, 100_000) }))).status).toBe(201);
    expect(() => mock.verify({ operation: 'getPet' })).toThrow(/entries were dropped/);
    expect(mock.journal.length).toBeGreaterThan(0);
  });

  test('counts a state that many snapshots share once', async () => {
    const { ask, mock } = await open({ memory: 16 });
    await ask('/pets', json('POST', { name: MEGABYTE, categoryId: 1 }));
    for (let count = 0; count < 200; count++) mock.snapshot(`snapshot-${count}`);
    expect((await ask('/pets', json('POST', { name: MEGABYTE, categoryId: 1 }))).status).toBe(201);
  });
});

describe('220 snapshots of 0.8 MB', () => {
  test('leave a process below 900 MiB', async () => {
    const script = `
      import { createMock } from './dist/index.js';
      const mock = await createMock();
      const pets = Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, name: 'A pet with a name ' + i, categoryId: 1, status: 'sold' }));
      const body = JSON.stringify({ pets, categories: [{ id: 1, name: 'Dogs' }] });
      const headers = { 'Content-Type': 'application/json' };
      const statuses = {};
      for (let i = 0; i < 220; i++) {
        const { status } = await mock.fetch('/__mock/snapshots/s' + i, { method: 'PUT', body, headers });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      console.log(JSON.stringify({ bytes: body.length, statuses, rss: process.memoryUsage().rss / 2 ** 20 }));`;
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    const { bytes, statuses, rss } = JSON.parse(stdout);
    expect(bytes).toBeGreaterThan(700_000);
    expect(statuses['200']).toBeGreaterThan(20);
    expect(Object.keys(statuses).every((status) => ['200', '507'].includes(status))).toBe(true);
    expect(rss).toBeLessThan(900);
  });
});

describeAdapters('an answer that drips', ({ open }) => {
  test('ends with its session', async () => {
    const { ask, mock } = await open({
      faults: [{ operation: 'listPets', effect: 'drip', bytesPerSecond: 100 }],
    });
    const response = await ask('/pets', inSession('one'));
    const text = response.text();
    mock.session('one').end();
    await expect(text).rejects.toThrow('terminated');
    expect(await (await ask('/categories/1', inSession('one'))).json()).toMatchObject({ id: 1 });
  });
});

describe('A time-out of mock.fetch', () => {
  test('ends with its signal, its session and its mock', async () => {
    const mock = await createMock({ faults: [{ operation: 'getPet', effect: 'timeout' }] });
    const aborted = mock.fetch('/pets/1', { signal: AbortSignal.timeout(20) });
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
    const session = mock.session('one');
    const ended = session.fetch('/pets/1');
    const closed = mock.fetch('/pets/1');
    await mock.fetch('/pets');
    session.end();
    await expect(ended).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } });
    await mock.close();
    await expect(closed).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'UND_ERR_SOCKET' },
    });
  });

  test('resets its connection when its session ends', async () => {
    const mock = await createMock({ faults: [{ operation: 'getPet', effect: 'timeout' }] });
    const { url } = await mock.listen();
    const waiting = fetch(`${url}/pets/1`, inSession('one'));
    const isThere = () => mock.session('one').faults.list()[0]?.hits === 1;
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
    mock.session('one').end();
    await expect(waiting).rejects.toThrow('fetch failed');
    await mock.close();
  });
});
