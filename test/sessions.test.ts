import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMock, type MockNotice, type MockOptions } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const NORI = { name: 'Nori', categoryId: 2 };

/** The ways in which a request names its session. */
const WAYS: readonly (readonly [way: string, within: (ask: Ask, session: string) => Ask])[] = [
  ['a header', (ask, session) => (path, init) => ask(path, withHeaders(init, { 'X-Mock-Session': session }))],
  [
    'a cookie',
    (ask, session) => (path, init) =>
      ask(path, withHeaders(init, { Cookie: `a=b; mock_session=${session}` })),
  ],
  ['its path', (ask, session) => (path, init) => ask(`/__mock/sessions/${session}${path}`, init)],
];

function withHeaders(init: RequestInit = {}, headers: Record<string, string>): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } };
}

const countPets = async (ask: Ask) => (await ask('/pets?limit=1')).headers.get('x-total-count');

afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

describeAdapters('A session', ({ open }) => {
  test.each(WAYS)('that %s names has state, ids and a journal of its own', async (_, within) => {
    const { ask, mock } = await open();
    const [one, two] = [within(ask, 'one'), within(ask, 'two')];
    const created = await Promise.all(
      [one, two].map(async (each) => (await each('/pets', json('POST', NORI))).json()),
    );
    expect(created).toEqual([29, 29].map((id) => ({ id, status: 'available', ...NORI })));
    await one('/pets/29', { method: 'DELETE' });
    expect([
      (await one('/pets/29')).status,
      (await two('/pets/29')).status,
      (await ask('/pets/29')).status,
    ]).toEqual([404, 200, 404]);
    expect(mock.session('one').journal.map(({ method, session }) => `${session} ${method}`)).toEqual([
      'one POST',
      'one DELETE',
      'one GET',
    ]);
    expect(mock.journal.map(({ session }) => session)).toEqual(['default']);
  });

  test('sees its own answers, even if another one asked for the same before', async () => {
    const { ask } = await open();
    const [, , [, within]] = WAYS as [unknown, unknown, (typeof WAYS)[number]];
    const one = within(ask, 'one');
    await one('/pets', json('POST', NORI));
    for (let round = 0; round < 3; round += 1)
      expect([await countPets(one), await countPets(ask)]).toEqual(['29', '28']);
  });

  test('in the path goes before one in a header, and that before one in a cookie', async () => {
    const { ask } = await open();
    for (const [session, count] of [
      ['path', 1],
      ['header', 2],
      ['cookie', 3],
    ] as const)
      for (let made = 0; made < count; made += 1)
        await ask('/pets', withHeaders(json('POST', NORI), { 'X-Mock-Session': session }));
    const both = { 'X-Mock-Session': 'header', Cookie: 'mock_session=cookie' };
    expect(await countPets((path) => ask(`/__mock/sessions/path${path}`, { headers: both }))).toBe('29');
    expect(await countPets((path) => ask(path, { headers: both }))).toBe('30');
    expect(await countPets((path) => ask(path, { headers: { Cookie: both.Cookie } }))).toBe('31');
  });

  test('named default is that of requests without a name', async () => {
    const { ask, mock } = await open();
    await ask('/__mock/sessions/default/pets', json('POST', NORI));
    expect(await countPets(ask)).toBe('29');
    expect(mock.session('default').journal).toEqual(mock.journal);
  });

  test('in the path stays in every link', async () => {
    const { ask } = await open();
    const inside: Ask = (path, init) => ask(`/__mock/sessions/one${path}`, init);
    const created = await inside('/pets', json('POST', NORI));
    expect(created.headers.get('location')).toBe('/__mock/sessions/one/pets/29');
    expect((await ask(created.headers.get('location') as string)).status).toBe(200);
    const links = (await inside('/pets?limit=2')).headers.get('link');
    expect(links).toContain('</__mock/sessions/one/pets?limit=2&offset=2>; rel="next"');
    expect((await inside('/pets/29')).headers.get('link')).toContain(
      '</__mock/sessions/one/pets/29/profile>',
    );
    // The same session without the prefix has links without it.
    const header = { headers: { 'X-Mock-Session': 'one' } };
    expect((await ask('/pets?limit=2', header)).headers.get('link')).toContain('</pets?limit=2&offset=2>');
  });

  test('has an overview and a health of its own', async () => {
    const { ask } = await open();
    await ask('/__mock/sessions/one/pets', json('POST', NORI));
    const overview = (await (await ask('/__mock/sessions/one/')).json()) as {
      resources: { path: string; entities: number }[];
    };
    expect(overview.resources[0]).toMatchObject({ path: '/__mock/sessions/one/pets', entities: 29 });
    expect((await ask('/__mock/sessions/one/__mock/health')).status).toBe(200);
  });

  test.each(['a b', 'a%20b', '', '%00', 'ä', 'a'.repeat(129), '..%2f', 'a,b', '[]', '"'])(
    'named %o is refused',
    async (name) => {
      const { ask } = await open();
      const encoded = Buffer.from(name).toString('latin1');
      if (!/[\0ä]/.test(name)) {
        const response = await ask('/pets', { headers: { 'X-Mock-Session': encoded } });
        expect([response.status, await response.json()]).toMatchObject([
          400,
          { code: 'invalid_session_name' },
        ]);
      }
      const inPath = await ask(`/__mock/sessions/${encodeURI(name)}/pets`);
      expect(inPath.status).toBe(400);
    },
  );
});

describe('Sessions', () => {
  test('keep the counts and the chance of their faults apart', async () => {
    const mock = await createMock({ errors: ['getPet=503x1', 'listPets=503@0.5'] });
    const statuses = async (session: string, path: string) => {
      const asked: number[] = [];
      for (let round = 0; round < 6; round += 1) asked.push((await mock.session(session).fetch(path)).status);
      return asked;
    };
    expect(await statuses('one', '/pets/1')).toEqual([503, 200, 200, 200, 200, 200]);
    expect(await statuses('two', '/pets/1')).toEqual([503, 200, 200, 200, 200, 200]);
    expect(await statuses('one', '/pets')).toEqual(await statuses('two', '/pets'));
  });

  test('are reset and ended one by one', async () => {
    const mock = await createMock();
    const [one, two] = [mock.session('one'), mock.session('two')];
    await Promise.all([one, two, mock].map((each) => each.fetch('/pets', json('POST', NORI))));
    one.reset();
    expect(await Promise.all([one, two, mock].map(({ fetch }) => countPets(fetch)))).toEqual([
      '28',
      '29',
      '29',
    ]);
    two.end();
    mock.session('default').end();
    expect(await Promise.all([two, mock].map(({ fetch }) => countPets(fetch)))).toEqual(['28', '28']);
  });

  test('keep their changes over a reload, each when it is next used', async () => {
    const mock = await createMock({ fixtures: { categories: [{ id: 1, name: 'Cats' }] } });
    const one = mock.session('one');
    await one.fetch('/categories', json('POST', { name: 'Dogs' }));
    await mock.reload({
      fixtures: {
        categories: [
          { id: 1, name: 'Big cats' },
          { id: 7, name: 'Fish' },
        ],
      },
    });
    await mock.reload({
      fixtures: {
        categories: [
          { id: 1, name: 'Big cats' },
          { id: 9, name: 'Birds' },
        ],
      },
    });
    const names = async ({ fetch }: { fetch: Ask }) =>
      ((await (await fetch('/categories')).json()) as { name: string }[]).map(({ name }) => name);
    expect(await names(one)).toEqual(['Big cats', 'Dogs', 'Birds']);
    expect(await names(mock)).toEqual(['Big cats', 'Birds']);
  });

  test('make room for new ones, the least recently used first, and say so once', async () => {
    const notices: MockNotice[] = [];
    const mock = await createMock({ maxSessions: 2, onNotice: (notice) => notices.push(notice) });
    const status = async (session: string) => (await mock.session(session).fetch('/pets/1')).status;
    expect([await status('one'), await status('two'), await status('one'), await status('three')]).toEqual([
      200, 200, 200, 200,
    ]);
    expect(notices).toEqual([
      { code: 'session-evicted', session: 'two', message: expect.stringContaining('--max-sessions') },
    ]);
    expect(await status('one')).toBe(200);
    const lost = await mock.session('two').fetch('/pets/1');
    expect([lost.status, await lost.json()]).toMatchObject([410, { code: 'session_lost', status: 410 }]);
    expect(await status('two')).toBe(200);
    expect((await mock.fetch('/pets/1')).status).toBe(200);
  });

  test('end when nobody used them for an hour', async () => {
    const notices: string[] = [];
    const mock = await createMock({ onNotice: ({ message }) => notices.push(message) });
    const status = async (session: string) => (await mock.session(session).fetch('/pets/1')).status;
    const start = performance.now();
    const at = (minutes: number) => vi.spyOn(performance, 'now').mockReturnValue(start + minutes * 60_000);
    await status('one');
    at(30);
    await status('two');
    at(61);
    await status('three');
    await Promise.resolve();
    expect(notices).toEqual(['The session one was evicted: no request used it for an hour.']);
    expect([await status('one'), await status('one'), await status('two')]).toEqual([410, 200, 200]);
  });

  test('may live below another path', async () => {
    const answer = { get: { responses: jsonAnswer({ type: 'string', enum: ['own'] }) } };
    const spec = documentOf({ '/__mock/sessions/{name}/pets': answer });
    const open = (options: MockOptions) => createMock({ spec, ...options });
    const moved = await open({ controlPath: '/-/control' });
    expect(await (await moved.fetch('/__mock/sessions/one/pets')).json()).toBe('own');
    expect((await moved.fetch('/-/control/health')).status).toBe(200);
    expect((await moved.fetch('/-/control/sessions/one/-/control/health')).status).toBe(200);
    await expect(open({ controlPath: 'control' })).rejects.toThrow(
      'controlPath must be a path like /__control',
    );
  });

  test('take any bytes as their name without harm', async () => {
    const mock = await createMock();
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        fc.constantFrom('/', '', '//', '/pets', '/%'),
        async (name, cookie, rest) => {
          const path = await mock.fetch(
            `/__mock/sessions/${encodeURIComponent(name.replace(/\p{Surrogate}/gu, ''))}${rest}`,
          );
          expect([200, 400, 404, 405]).toContain(path.status);
          const latin = (given: string) => given.replace(/[^ -~]/g, '').trim();
          const headers = {
            'X-Mock-Session': latin(name),
            Cookie: `mock_session=${latin(cookie)};mock_session`,
          };
          expect([200, 400]).toContain((await mock.fetch('/pets/1', { headers })).status);
          expect([200, 400]).toContain(
            (await mock.fetch('/pets/1', { headers: { Cookie: headers.Cookie } })).status,
          );
        },
      ),
      { numRuns: 300 },
    );
    expect((await mock.fetch('/pets/1')).status).toBe(200);
  });
});
