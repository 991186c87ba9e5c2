import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addDuration } from '../src/base/duration.ts';
import { createMock, type MockOptions, SetupError } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };
const SET_BY_SERVER = { ...TIME, readOnly: true };
const NOTE = {
  type: 'object',
  required: ['id', 'text', 'createdAt', 'updatedAt'],
  properties: {
    id: { type: 'integer', readOnly: true },
    text: TEXT,
    createdAt: SET_BY_SERVER,
    updatedAt: SET_BY_SERVER,
  },
};
const FAILED = {
  description: 'It failed.',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['timestamp'], properties: { timestamp: TIME, message: TEXT } },
    },
  },
};
const BODY = { content: { 'application/json': { schema: NOTE } } };
const KEY = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** Notes with times of their own, and errors with the time of their request. */
const NOTES: MockOptions = {
  spec: documentOf({
    '/notes': {
      get: { responses: jsonAnswer({ type: 'array', items: NOTE }) },
      post: { requestBody: BODY, responses: { 201: { description: 'Done.', ...BODY }, 400: FAILED } },
    },
    '/notes/{id}': {
      parameters: [KEY],
      get: { operationId: 'getNote', responses: { ...jsonAnswer(NOTE), 404: FAILED } },
      patch: { requestBody: BODY, responses: { ...jsonAnswer(NOTE), 404: FAILED } },
    },
  }),
  fixtures: {
    notes: [{ id: 1, text: 'First', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }],
  },
};

const { fixtures: _, ...GENERATED } = NOTES;

const START = '2027-01-01T00:00:00Z';
const startOf = (time: string) => Date.parse(time);
/** Long enough for a slow machine, and much shorter than any step of these tests. */
const SLACK = 60_000;

afterEach(closeAll);

const setClock = (ask: Ask, change: unknown, session = 'default') =>
  ask('/__mock/clock', json('POST', change, { 'X-Mock-Session': session }));
const clockOf = async (ask: Ask, session = 'default') =>
  (await (await ask('/__mock/clock', { headers: { 'X-Mock-Session': session } })).json()) as {
    now: string;
    frozen: boolean;
  };

describeInProcess('The clock of a session', ({ open }) => {
  test('shows the time of the system, unless told otherwise', async () => {
    const { ask, mock } = await open();
    const { now, frozen } = await clockOf(ask);
    expect(frozen).toBe(false);
    expect(Math.abs(startOf(now) - Date.now())).toBeLessThan(SLACK);
    expect(Math.abs(mock.clock.now().getTime() - Date.now())).toBeLessThan(SLACK);
  });

  test('begins at --now in every session, and goes on from there', async () => {
    const { ask, mock } = await open({ now: START });
    for (const session of ['default', 'one']) {
      const { now, frozen } = await clockOf(ask, session);
      expect(frozen).toBe(false);
      expect(startOf(now) - startOf(START)).toBeGreaterThanOrEqual(0);
      expect(startOf(now) - startOf(START)).toBeLessThan(SLACK);
    }
    const before = mock.clock.now().getTime();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(mock.clock.now().getTime()).toBeGreaterThan(before);
  });

  const changes: [change: object, now: string, frozen: boolean][] = [
    [{ now: START, frozen: true }, '2027-01-01T00:00:00.000Z', true],
    [{ now: '2027-01-01T02:00:00.250+02:00', frozen: true }, '2027-01-01T00:00:00.250Z', true],
    [{ advance: 1500 }, '2027-01-01T00:00:01.750Z', true],
    [{ advance: 'P1M' }, '2027-02-01T00:00:01.750Z', true],
    [{ now: '2027-01-31T00:00:00Z', advance: 'P1MT1H' }, '2027-02-28T01:00:00.000Z', true],
    [{}, '2027-02-28T01:00:00.000Z', true],
    [{ now: '1970-01-01T00:00:00Z' }, '1970-01-01T00:00:00.000Z', true],
    [{ now: '9999-12-31T23:59:59.999Z' }, '9999-12-31T23:59:59.999Z', true],
  ];

  test('is set, frozen and advanced, and what a request does not mention stays', async () => {
    const { ask, mock } = await open();
    for (const [change, now, frozen] of changes) {
      const answer = await setClock(ask, change);
      expect([answer.status, await answer.json()], JSON.stringify(change)).toMatchObject([
        200,
        { now, frozen },
      ]);
      expect(mock.clock.now().toISOString()).toBe(now);
    }
  });

  test('goes on from the time that it is set to, and from the time at which it was frozen', async () => {
    const { ask } = await open();
    expect(await (await setClock(ask, { now: START })).json()).toMatchObject({ frozen: false });
    await setClock(ask, { now: START, frozen: true });
    expect(await (await setClock(ask, { frozen: false })).json()).toMatchObject({ frozen: false });
    const passed = startOf((await clockOf(ask)).now) - startOf(START);
    expect(passed).toBeGreaterThanOrEqual(0);
    expect(passed).toBeLessThan(SLACK);
  });

  test('stops at the end of the year 9999', async () => {
    const { ask } = await open({ ...NOTES, now: '9999-12-31T23:59:59.999Z' });
    await new Promise((resolve) => setTimeout(resolve, 3));
    expect((await clockOf(ask)).now).toBe('9999-12-31T23:59:59.999Z');
    expect((await ask('/notes', json('POST', { text: 'Last' }))).status).toBe(201);
  });

  const refused: [change: object, code: string][] = [
    [{ now: '1969-12-31T23:59:59Z' }, 'clock_invalid'],
    [{ now: '9999-12-31T23:59:59Z', advance: 1000 }, 'clock_invalid'],
    [{ advance: 'P8000Y' }, 'clock_invalid'],
    [{ advance: 'P999999999Y' }, 'clock_invalid'],
    [{ advance: 253402300799999 }, 'clock_invalid'],
    [{ now: START, frozen: true, advance: 'PT' }, 'clock_invalid'],
    [{ advance: 'P1H' }, 'clock_invalid'],
    [{ advance: -1 }, 'validation_failed'],
    [{ advance: 1.5 }, 'validation_failed'],
    [{ advance: 1e300 }, 'validation_failed'],
    [{ advance: '5000' }, 'validation_failed'],
    [{ advance: null }, 'validation_failed'],
    [{ now: 'tomorrow' }, 'validation_failed'],
    [{ now: 0 }, 'validation_failed'],
    [{ frozen: 'yes' }, 'validation_failed'],
    [{ time: START }, 'validation_failed'],
  ];

  test.each(refused)('is not changed by %o', async (change, code) => {
    const { ask } = await open();
    await setClock(ask, { now: START, frozen: true });
    const answer = await setClock(ask, change);
    expect([answer.status, await answer.json()]).toMatchObject([422, { code }]);
    expect(await clockOf(ask)).toMatchObject({ now: '2027-01-01T00:00:00.000Z', frozen: true });
  });

  test('belongs to the session, and a reset returns it to its start', async () => {
    const { ask, mock } = await open({ now: START });
    await setClock(ask, { now: '2030-01-01T00:00:00Z', frozen: true }, 'one');
    expect((await clockOf(ask, 'one')).now).toBe('2030-01-01T00:00:00.000Z');
    expect((await clockOf(ask)).now).toMatch(/^2027-01-01T00:0/);
    mock.session('one').reset();
    expect(await clockOf(ask, 'one')).toMatchObject({
      now: expect.stringMatching(/^2027-01-01T00:0/),
      frozen: false,
    });
  });
});

describeInProcess('The time of a session', ({ open }) => {
  test('is that of new and of changed entities, and of errors', async () => {
    const { ask, mock } = await open(NOTES);
    mock.clock.freeze(START);
    const created = await ask('/notes', json('POST', { text: 'Milk' }));
    const times = { createdAt: '2027-01-01T00:00:00.000Z', updatedAt: '2027-01-01T00:00:00.000Z' };
    expect(await created.json()).toMatchObject({ id: 2, ...times });
    mock.clock.advance('P1D');
    const changed = await ask('/notes/2', json('PATCH', { text: 'Tea' }));
    expect(await changed.json()).toMatchObject({ ...times, updatedAt: '2027-01-02T00:00:00.000Z' });
    expect(await (await ask('/notes/9')).json()).toMatchObject({ timestamp: '2027-01-02T00:00:00.000Z' });
  });

  test('is that of the answers that are asked for by status, again after each change', async () => {
    const { ask, mock } = await open(NOTES);
    for (const time of ['2027-01-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z']) {
      mock.clock.freeze(time);
      const asked = await ask('/notes/1', { headers: { Prefer: 'code=404' } });
      expect(await asked.json()).toMatchObject({ timestamp: time });
    }
  });

  test('is that of such answers a second later too, though nothing has changed', async () => {
    const { ask, mock } = await open(NOTES);
    mock.clock.set('2027-01-01T00:00:00Z');
    const timeOf = async () => {
      const asked = await ask('/notes/1', { headers: { Prefer: 'code=404' } });
      return startOf(((await asked.json()) as { timestamp: string }).timestamp);
    };
    const first = await timeOf();
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await timeOf()) - first).toBeGreaterThanOrEqual(1000);
  });

  test('moves neither entities nor generated values', async () => {
    const { ask, mock } = await open(GENERATED);
    const before = await (await ask('/notes')).text();
    mock.clock.freeze('2001-01-01');
    expect(await (await ask('/notes')).text()).toBe(before);
    const other = await open({ ...GENERATED, now: '2001-01-01' });
    expect(await (await other.ask('/notes')).text()).toBe(before);
  });

  test('stays over a reload, which sets where new sessions begin', async () => {
    const { mock } = await open({ now: START });
    mock.clock.freeze('2030-01-01');
    await mock.reload({ now: '2040-01-01' });
    expect(mock.clock.now().toISOString()).toBe('2030-01-01T00:00:00.000Z');
    expect(mock.session('new').clock.now().toISOString()).toMatch(/^2040-01-01/);
    mock.reset();
    expect(mock.clock.now().toISOString()).toMatch(/^2040-01-01/);
  });
});

describe('The clock in code', () => {
  test('says what is wrong with a time', async () => {
    const { clock } = await createMock();
    clock.freeze(new Date(START));
    expect([clock.frozen, clock.now()]).toEqual([true, new Date(START)]);
    expect(() => clock.set('next week')).toThrow('Write the time as a date, or with its zone');
    expect(() => clock.set(new Date(Number.NaN))).toThrow('Write the time as a date');
    expect(() => clock.set('1900-01-01')).toThrow('the years 1970 to 9999');
    for (const by of [-1, Number.NaN, Number.POSITIVE_INFINITY, 'P', '1 day'])
      expect(() => clock.advance(by)).toThrow('Write how far to advance');
    expect(clock.now()).toEqual(new Date(START));
    clock.resume();
    expect(clock.frozen).toBe(false);
  });

  test.each([['soon'], ['1969-12-31'], ['2027-01-01T00:00:00'], [''], [5], [new Date(Number.NaN)]])(
    'cannot begin at %o',
    async (now) => {
      const failed = await createMock({ now } as MockOptions).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(SetupError);
      expect((failed as SetupError).message).toMatch(/now must be a date, or a date-time with its zone/);
    },
  );

  test('may begin at a Date', async () => {
    const { clock } = await createMock({ now: new Date(START) });
    expect(clock.now().toISOString()).toMatch(/^2027-01-01T00:0/);
  });
});

describe('A duration', () => {
  const cases: [text: string, from: string, to: string][] = [
    ['P1Y', '2024-02-29T12:00:00Z', '2025-02-28T12:00:00.000Z'],
    ['P1M', '2027-12-31T00:00:00Z', '2028-01-31T00:00:00.000Z'],
    ['P14M', '2026-12-31T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['P2W', '2027-01-01T00:00:00Z', '2027-01-15T00:00:00.000Z'],
    ['P1DT2H3M4.5S', '2027-01-01T00:00:00Z', '2027-01-02T02:03:04.500Z'],
    ['PT0,25S', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00.250Z'],
    ['PT36H', '2027-01-01T00:00:00Z', '2027-01-02T12:00:00.000Z'],
    ['P0D', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ];

  test.each(cases)('%s after %s', (text, from, to) => {
    expect(new Date(addDuration(startOf(from), text) ?? Number.NaN).toISOString()).toBe(to);
  });

  test.each([
    'P',
    'PT',
    'P1',
    '1D',
    'P1H',
    'PT1D',
    'P1DT',
    'p1d',
    'P-1D',
    '-P1D',
    'P1.5D',
    'P1D ',
    `P${'9'.repeat(10)}D`,
  ])('cannot be %s', (text) => {
    expect(addDuration(0, text)).toBeUndefined();
  });

  test('of any bytes is a number or refused', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^P[0-9YMWDTHS.,]{0,40}$/));
    fc.assert(
      fc.property(texts, (text) => {
        expect(['number', 'undefined']).toContain(typeof addDuration(0, text));
      }),
    );
  });
});

test('A clock that is frozen at a time stands at that very millisecond', async () => {
  const mock = await createMock();
  const passing = vi.spyOn(Date, 'now');
  let system = 1_800_000_000_000;
  // Every look at the system time takes a millisecond.
  passing.mockImplementation(() => system++);
  mock.clock.freeze('2027-01-01T00:00:00Z');
  expect(mock.clock.now().toISOString()).toBe('2027-01-01T00:00:00.000Z');
  passing.mockRestore();
});
