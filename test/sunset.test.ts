import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type MockOptions } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';

/** The sunset of `getPet` in the document of the pet store. */
const SUNSET = Date.parse('2027-06-30T00:00:00Z');
const DAY = 24 * 60 * 60 * 1000;
const GONE = {
  code: 'operation_gone',
  message: 'getPet ended on 2027-06-30. Use getPetProfile instead: /pets/1/profile',
  status: 410,
};

afterEach(closeAll);

const setClock = (ask: Ask, change: unknown, session = 'default') =>
  ask('/__mock/clock', json('POST', change, { 'X-Mock-Session': session }));
const at = (milliseconds: number) => new Date(SUNSET + milliseconds);

async function statusesOf(ask: Ask, requests: number, init: RequestInit = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let request = 0; request < requests; request += 1) statuses.push((await ask('/pets/1', init)).status);
  return statuses;
}

const countRefused = (statuses: number[]) => statuses.filter((status) => status !== 200).length;

describeInProcess('An operation', ({ open }) => {
  const cases: [sunset: MockOptions['sunset'], before: number, after: number, later: number][] = [
    [undefined, 200, 200, 200],
    ['warn', 200, 200, 200],
    ['gone', 200, 410, 410],
    ['brownout', 200, 200, 503],
  ];

  test.each(cases)('past its sunset, with %s', async (sunset, before, after, later) => {
    const { ask, mock } = await open(sunset === undefined ? {} : { sunset });
    mock.clock.freeze(at(-1));
    expect(await statusesOf(ask, 2)).toEqual([before, before]);
    mock.clock.advance(1);
    expect((await ask('/pets/1')).status).toBe(after);
    mock.clock.set(at(30 * DAY));
    expect(await statusesOf(ask, 3)).toEqual([later, later, later]);
  });

  test('that is gone says so in the shape of the document, and links to its successor', async () => {
    const { ask, mock } = await open({ sunset: 'gone' });
    mock.clock.set(at(0));
    const gone = await ask('/pets/1');
    expect([gone.status, await gone.json()]).toEqual([410, GONE]);
    expect(gone.headers.get('link')).toContain('</pets/1/profile>; rel="successor-version"');
    expect(gone.headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
    expect(mock.journal.at(-1)).toMatchObject({
      status: 410,
      source: 'error',
      problem: { code: 'operation_gone' },
    });
    expect((await ask('/pets/1', { method: 'HEAD' })).status).toBe(410);
    expect((await ask('/pets/1/profile')).status).toBe(200);
    const inPath = await ask('/__mock/sessions/one/pets/2');
    expect(inPath.status).toBe(200);
    await setClock(ask, { now: at(0) }, 'one');
    const moved = await ask('/__mock/sessions/one/pets/2');
    expect(await moved.json()).toMatchObject({
      message: expect.stringMatching(/: \/__mock\/sessions\/one\/pets\/2\/profile$/),
    });
  });

  test('in a brownout asks to try again', async () => {
    const { ask, mock } = await open({ sunset: 'brownout' });
    mock.clock.freeze(at(30 * DAY));
    const refused = await ask('/pets/1');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual({
      code: 'operation_brownout',
      message:
        'getPet ended on 2027-06-30 and refuses more requests each day. Use getPetProfile instead: /pets/1/profile',
      status: 503,
    });
  });

  test('in a brownout refuses a share that grows, the same one in each run', async () => {
    const { ask, mock } = await open({ sunset: 'brownout' });
    const shares: number[] = [];
    for (const days of [0, 10, 20, 30]) {
      mock.reset();
      mock.clock.freeze(at(days * DAY));
      const first = await statusesOf(ask, 100);
      mock.reset();
      mock.clock.freeze(at(days * DAY));
      expect(await statusesOf(ask, 100)).toEqual(first);
      shares.push(countRefused(first));
    }
    const [start = 0, ten = 0, twenty = 0, end] = shares;
    expect(start).toBeGreaterThan(2);
    expect(start).toBeLessThan(20);
    expect(ten).toBeGreaterThan(start);
    expect(twenty).toBeGreaterThan(ten);
    expect(end).toBe(100);
  });

  test('in a brownout decides by the seed, in every session alike', async () => {
    const { ask, mock } = await open({ sunset: 'brownout' });
    const other = await open({ sunset: 'brownout', seed: 2 });
    for (const { clock } of [mock, mock.session('one'), other.mock]) clock.freeze(at(15 * DAY));
    const [first, one, second] = [
      await statusesOf(ask, 40),
      await statusesOf(ask, 40, { headers: { 'X-Mock-Session': 'one' } }),
      await statusesOf(other.ask, 40),
    ];
    expect(one).toEqual(first);
    expect(second).not.toEqual(first);
  });

  test('that is asked for by status answers it, and the control API answers too', async () => {
    const { ask, mock } = await open({ sunset: 'gone' });
    mock.clock.set(at(DAY));
    expect((await ask('/pets/1', { headers: { Prefer: 'code=200' } })).status).toBe(200);
    expect((await ask('/pets/1', { headers: { Prefer: 'code=404' } })).status).toBe(404);
    expect((await ask('/__mock/clock')).status).toBe(200);
    expect((await ask('/pets/1', { method: 'OPTIONS' })).status).toBe(204);
  });

  test('is switched off for one session, until its reset', async () => {
    const { ask, mock } = await open({ now: '2027-07-01' });
    const inOne = { headers: { 'X-Mock-Session': 'one' } };
    expect((await ask('/pets/1', inOne)).status).toBe(200);
    const answer = await setClock(ask, { sunset: 'gone' }, 'one');
    expect(await answer.json()).toMatchObject({ frozen: false, sunset: 'gone' });
    expect((await ask('/pets/1', inOne)).status).toBe(410);
    expect((await ask('/pets/1')).status).toBe(200);
    mock.session('one').reset();
    expect((await ask('/pets/1', inOne)).status).toBe(200);
    mock.sunset('gone');
    expect((await ask('/pets/1')).status).toBe(410);
    expect((await setClock(ask, { sunset: 'soon' })).status).toBe(422);
    expect(() => mock.sunset('soon' as 'gone')).toThrow('warn, brownout, gone');
  });

  test('answers 410 at the very moment, though the same answer was given before', async () => {
    const { ask, mock } = await open({ sunset: 'gone' });
    mock.clock.set(at(-1000));
    expect(await statusesOf(ask, 2)).toEqual([200, 200]);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect(await statusesOf(ask, 2)).toEqual([410, 410]);
  });

  test('goes by the option again after a reload, unless the session says otherwise', async () => {
    const { ask, mock } = await open({ now: '2027-07-01' });
    await mock.reload({ now: '2027-07-01', sunset: 'gone' });
    expect((await ask('/pets/1')).status).toBe(410);
    mock.sunset('warn');
    await mock.reload();
    expect((await ask('/pets/1')).status).toBe(200);
  });
});

describe('Requests of any bytes', () => {
  test('get an answer from an operation that is gone', async () => {
    const mock = await createMock({ sunset: 'gone', now: '2028-01-01' });
    const segment = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 40 })
      .map((text) => encodeURIComponent(text));
    await fc.assert(
      fc.asyncProperty(segment, async (id) => {
        expect([404, 410]).toContain((await mock.fetch(`/pets/${id}`)).status);
      }),
      { numRuns: 50 },
    );
  });

  test('leave the clock in its bounds', async () => {
    const mock = await createMock();
    const member = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.stringMatching(/^P[0-9YMWDTHS]{1,12}$/),
      fc.maxSafeNat(),
    );
    const change = fc.record(
      { now: member, frozen: member, advance: member, sunset: member },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(change, async (body) => {
        expect([200, 422]).toContain((await mock.fetch('/__mock/clock', json('POST', body))).status);
        expect(mock.clock.now().getUTCFullYear()).toBeLessThan(10_000);
      }),
      { numRuns: 100 },
    );
  });
});

describe('Operations of other documents', () => {
  const answers = { ...jsonAnswer({ type: 'string' }), ...DEFAULT_ERROR };
  const spec = documentOf({
    '/plain': {
      get: { operationId: 'getPlain', deprecated: true, 'x-sunset': '2027-06-30', responses: answers },
    },
    '/dateless': { get: { operationId: 'getDateless', deprecated: true, responses: answers } },
    '/outside': {
      get: {
        operationId: 'getOutside',
        deprecated: true,
        'x-sunset': '2027-06-30T12:00:00Z',
        'x-replaced-by': 'https://new.example/api',
        responses: jsonAnswer({ type: 'string' }),
      },
    },
  });
  const cases: [path: string, status: number, message: string | undefined][] = [
    ['/plain', 410, 'getPlain ended on 2027-06-30.'],
    ['/dateless', 200, undefined],
    ['/outside', 410, 'getOutside ended on 2027-06-30T12:00:00Z. Use https://new.example/api instead'],
  ];

  test.each(cases)('answer past their sunset: %s', async (path, status, message) => {
    const mock = await createMock({ spec, sunset: 'gone', now: '2028-01-01' });
    const response = await mock.fetch(path);
    expect(response.status).toBe(status);
    const { message: found, detail = found } = JSON.parse(await response.text());
    expect(detail).toBe(message);
  });

  test('are proved as if there were no sunset', async () => {
    const mock = await createMock({ spec, sunset: 'gone', now: '2028-01-01' });
    expect((await mock.check()).violations).toEqual([]);
  });
});
