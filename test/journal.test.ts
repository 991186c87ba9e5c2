import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createJournal, type Recorded, toJournalEntry } from '../src/core/journal/journal.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';

afterEach(closeAll);

describeAdapters('The journal', ({ open }) => {
  test('has what was asked and answered, in order', async () => {
    const { ask, mock } = await open();
    expect(mock.journal).toEqual([]);
    const body = JSON.stringify({ name: 'Rex ä', categoryId: 1 });
    const created = await ask('/pets?x=%20', json('POST', JSON.parse(body), { 'X-Own': 'a' }));
    const text = await created.text();
    await ask('/nowhere');
    await ask('/pets/1', { method: 'HEAD' });
    const [first, second, third, ...others] = mock.journal;
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      method: 'POST',
      path: '/pets',
      status: 201,
      operation: 'createPet',
      problem: undefined,
      fault: undefined,
      request: { query: 'x=%20', headers: { 'x-own': 'a', 'content-type': 'application/json' }, body },
      response: { headers: { Location: created.headers.get('location') }, body: text },
    });
    expect(first?.milliseconds).toBeGreaterThan(0);
    expect(second).toMatchObject({ path: '/nowhere', status: 404, problem: { code: 'path_not_found' } });
    expect(third).toMatchObject({ method: 'HEAD', status: 200, response: { body: undefined } });
  });

  test('has each finding of a refused request, with its code', async () => {
    const { ask, mock } = await open();
    await ask('/pets', json('POST', { categoryId: 'x' }));
    expect(mock.journal[0]?.problem).toEqual({
      code: 'validation_failed',
      message: 'body.name: is required; body.categoryId: must be integer',
      violations: [
        { location: 'body.name', message: 'is required', code: 'required' },
        { location: 'body.categoryId', message: 'must be integer', code: 'type' },
      ],
      cause: undefined,
    });
  });

  test('has every request, however often it comes and whatever is answered', async () => {
    const { ask, mock } = await open({ errors: ['getPet=503x1'] });
    await ask('/pets/1');
    await ask('/pets/1');
    await ask('/pets/1');
    await ask('/pets', json('POST', { name: 1 }));
    await ask('/pets', {
      method: 'OPTIONS',
      headers: { Origin: 'http://a', 'Access-Control-Request-Method': 'POST' },
    });
    expect(mock.journal.map(({ method, status }) => [method, status])).toEqual([
      ['GET', 503],
      ['GET', 200],
      ['GET', 200],
      ['POST', 422],
      ['OPTIONS', 204],
    ]);
  });

  test('outlives a reload, and ends with a reset', async () => {
    const { ask, mock } = await open();
    await ask('/pets/1');
    await mock.reload();
    await ask('/pets/2');
    expect(mock.journal.map(({ path }) => path)).toEqual(['/pets/1', '/pets/2']);
    mock.reset();
    expect(mock.journal).toEqual([]);
    await ask('/pets/3');
    expect(mock.journal.map(({ path }) => path)).toEqual(['/pets/3']);
  });

  test('numbers its entries from one, for each session, and never twice', async () => {
    const { ask, mock } = await open({ journal: 2 });
    const ids = () => mock.journal.map(({ id }) => id);
    for (const path of ['/pets/1', '/pets/1', '/nowhere']) await ask(path);
    expect(ids()).toEqual([2, 3]);
    mock.reset();
    await ask('/pets/1');
    expect(ids()).toEqual([4]);
    await ask('/pets/1', { headers: { 'X-Mock-Session': 'one' } });
    expect(mock.session('one').journal[0]?.id).toBe(1);
  });

  test('has the time of a request, and the fault that answered it', async () => {
    const { ask, mock } = await open({ errors: ['getPet=503x1'] });
    const before = Date.now() - 1;
    await ask('/pets/1');
    await ask('/pets/1');
    const [first, second] = mock.journal;
    const fault = { rule: '1', number: 1, status: 503, code: 'service_unavailable' };
    expect([first?.fault, second?.fault]).toEqual([fault, undefined]);
    const time = Date.parse(first?.time ?? '');
    // The two clocks of a process may drift apart.
    expect(time).toBeGreaterThan(before - 1000);
    expect(time).toBeLessThan(Date.now() + 1000);
    expect(first?.time).toBe(new Date(time).toISOString());
  });

  test('may be switched off', async () => {
    const { ask, mock } = await open({ journal: 0 });
    expect((await ask('/pets/1')).status).toBe(200);
    expect(mock.journal).toEqual([]);
  });

  test('hands each exchange its number', async () => {
    const seen: number[] = [];
    const { ask } = await open({ onExchange: ({ id }) => seen.push(id), journal: 0 });
    for (const path of ['/pets/1', '/pets/1', '/nowhere']) await ask(path);
    expect(seen).toEqual([1, 2, 3]);
  });

  test('cannot be changed from outside', async () => {
    const { ask, mock } = await open();
    await ask('/pets/1', { headers: { 'X-Own': 'a' } });
    const [entry] = mock.journal as unknown as { request: { headers: Record<string, string> } }[];
    if (entry) entry.request.headers['x-own'] = 'b';
    expect(mock.journal[0]?.request.headers['x-own']).toBe('a');
  });

  test('keeps the last 250', async () => {
    const { ask, mock } = await open();
    for (let count = 0; count < 260; count++) await (await ask(`/pets/1?n=${count}`)).text();
    expect(mock.journal.map(({ request }) => request.query)).toEqual(
      Array.from({ length: 250 }, (_, index) => `n=${index + 10}`),
    );
  });

  test('keeps fewer where they are long', async () => {
    const { ask, mock } = await open();
    const name = 'x'.repeat(900_000);
    for (let count = 0; count < 10; count++) await ask('/categories', json('POST', { name: name + count }));
    const { journal } = mock;
    expect(journal.length).toBeGreaterThan(2);
    expect(journal.length).toBeLessThan(9);
    expect(journal.at(-1)?.request.body).toBe(JSON.stringify({ name: `${name}9` }));
  });
});

describe('A journal', () => {
  test('has the newest entries that are within its bounds, whatever was recorded', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 20 }),
        fc.array(fc.oneof(fc.nat(12), fc.nat(12), fc.constantFrom('clear', 'drop' as const))),
        (entries, bytes, steps) => {
          let spent = 0;
          const spend = (more: number) => {
            spent += more;
          };
          const journal = createJournal({ spend }, { entries, bytes });
          let model: Recorded[] = [];
          const total = () => model.reduce((sum, { response }) => sum + (response.body ?? '').length, 0);
          let last = 0;
          const acts = {
            clear() {
              journal.clear();
              model = [];
            },
            drop() {
              const enough = total() - DROPPED_BYTES;
              journal.dropOldest(DROPPED_BYTES);
              while (model.length > 0 && total() > enough) model.shift();
            },
          };
          const record = (size: number) => {
            last += 1;
            const recorded = toRecorded(last, size);
            expect(journal.record(recorded, size)).toBe(last);
            model.push(recorded);
            while (model.length > 1 && (model.length > entries || total() > bytes)) model.shift();
          };
          for (const step of steps) {
            if (typeof step === 'number') record(step);
            else acts[step]();
            expect(journal.entries()).toEqual(model.map((each) => toJournalEntry(each, each.milliseconds)));
            expect(spent).toBe(total());
          }
        },
      ),
    ));

  const DROPPED_BYTES = 5;

  function toRecorded(id: number, size: number): Recorded {
    return {
      request: { method: 'GET', path: '', query: '', headers: {} },
      response: { status: 200, headers: {}, body: 'x'.repeat(size) },
      started: 0,
      milliseconds: id,
      operation: undefined,
      session: 'default',
      source: 'state',
      notice: undefined,
      judgement: { warnings: [], breaches: [], expected: false },
      problem: undefined,
      fault: undefined,
    };
  }
});
