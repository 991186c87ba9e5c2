import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { checkService } from '../src/mock/check/check.ts';
import { createControlHandler } from '../src/mock/control/api.ts';
import { createCoverage } from '../src/mock/coverage/coverage.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { openService } from './support/services.ts';

const NORI = { name: 'Nori', categoryId: 2 };

afterEach(closeAll);

describeAdapters('The control API', ({ open }) => {
  test('resets the session that the request names, else the default one', async () => {
    const { ask } = await open();
    const count = async (session: string) =>
      (await ask('/pets?limit=1', { headers: { 'X-Mock-Session': session } })).headers.get('x-total-count');
    for (const session of ['default', 'one', 'two'])
      await ask('/pets', json('POST', NORI, { 'X-Mock-Session': session }));
    expect((await ask('/__mock/reset', { method: 'POST' })).status).toBe(204);
    expect([await count('default'), await count('one'), await count('two')]).toEqual(['28', '29', '29']);
    await ask('/__mock/reset', { method: 'POST', headers: { 'X-Mock-Session': 'one' } });
    await ask('/__mock/sessions/two/__mock/reset', { method: 'POST' });
    expect([await count('one'), await count('two')]).toEqual(['28', '28']);
  });

  test('lists, begins and ends sessions', async () => {
    const { ask } = await open();
    const of = (name: string) => ({ name, age: expect.any(Number), size: 87 });
    const created = await ask('/__mock/sessions', json('POST', { name: 'one' }));
    expect([created.status, await created.json()]).toEqual([201, of('one')]);
    expect((await ask('/__mock/sessions', json('POST', { name: 'one' }))).status).toBe(409);
    await ask('/pets', json('POST', NORI, { 'X-Mock-Session': 'two' }));
    const listed = await (await ask('/__mock/sessions')).json();
    // A new pet has an entry in the inventory.
    expect(listed).toEqual([of('default'), of('one'), { ...of('two'), size: 89 }]);
    expect((await ask('/__mock/sessions/two', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/__mock/sessions/two')).status).toBe(404);
    expect(await (await ask('/__mock/sessions/one')).json()).toEqual(of('one'));
  });

  test('says what is wrong with a request, in its own shape of errors', async () => {
    const { ask } = await open();
    const wrong = await ask('/__mock/sessions', json('POST', { name: 'a b', form: 'x' }));
    expect([wrong.status, await wrong.json()]).toEqual([
      422,
      {
        code: 'validation_failed',
        message: expect.stringMatching(/body\.form: .*body\.name: /),
        status: 422,
      },
    ]);
    const unknown = await ask('/__mock/rest', { method: 'POST' });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { message: 'The control API has no path /__mock/rest. Did you mean /__mock/reset?' },
    ]);
    expect((await ask('/__mock/reset')).headers.get('allow')).toBe('OPTIONS, POST');
  });

  test('is not stored by any cache, and leaves no trace', async () => {
    const { ask, mock } = await open();
    for (const path of ['/__mock/sessions', '/__mock/health', '/__mock/nope'])
      expect((await ask(path)).headers.get('cache-control')).toBe('no-store');
    expect(mock.journal).toEqual([]);
  });

  test('describes itself', async () => {
    const { ask } = await open();
    const document = (await (await ask('/__mock/openapi.json')).json()) as {
      servers: unknown;
      paths: object;
    };
    expect(document.servers).toEqual([{ url: '/__mock' }]);
    expect(Object.keys(document.paths)).toContain('/sessions/{session}');
    const { operations, document: described } = await createMock({ spec: document });
    expect([operations.length > 0, described.notes]).toEqual([true, []]);
  });

  test('can be switched off, but for health, the overview and the document', async () => {
    const { ask } = await open({ control: false });
    expect((await ask('/__mock/reset', { method: 'POST' })).status).toBe(404);
    for (const path of ['/', '/__mock/health', '/openapi.json']) expect((await ask(path)).status).toBe(200);
  });

  test('moves out of the way of the document', async () => {
    const { ask } = await open({ controlPath: '/-' });
    expect((await ask('/__mock/sessions')).status).toBe(404);
    expect(await (await ask('/-/sessions')).json()).toHaveLength(1);
    expect(await (await ask('/-/openapi.json')).json()).toMatchObject({ servers: [{ url: '/-' }] });
  });
});

/** Requests that a page of another site can cause, and those of people who work on this machine. */
const CALLERS: readonly (readonly [headers: Readonly<Record<string, string>>, status: number])[] = [
  [{ Host: '127.0.0.1:4010' }, 204],
  [{ Host: 'localhost:4010' }, 204],
  [{ Host: 'LOCALHOST' }, 204],
  [{ Host: 'app.localhost:4010' }, 204],
  [{ Host: '[::1]:4010' }, 204],
  [{ Host: '192.168.1.7:4010' }, 204],
  [{ Host: 'mock.test' }, 204],
  [{ Host: 'MOCK.test:81' }, 204],
  // A name that leads to this machine only while the attack lasts.
  [{ Host: 'attacker.test:4010' }, 403],
  [{ Host: '127.0.0.1.attacker.test' }, 403],
  [{ Host: 'localhost.attacker.test' }, 403],
  [{ Host: 'evillocalhost' }, 403],
  [{ Host: 'mock.test.attacker.test' }, 403],
  [{ Host: '1.2.3.4.5' }, 403],
  [{ Host: '' }, 403],
  // The origin of a page.
  [{ Origin: 'http://localhost:3000' }, 204],
  [{ Origin: 'https://127.0.0.1:3000' }, 204],
  [{ Origin: 'http://[::1]:3000' }, 204],
  [{ Origin: 'https://attacker.test' }, 403],
  [{ Origin: 'null' }, 403],
  [{ Origin: 'http://192.168.1.7:3000' }, 403],
  [{ Origin: 'http://localhost.attacker.test' }, 403],
  [{ Origin: 'http://localhost@attacker.test' }, 403],
  [{ Origin: 'file://' }, 403],
  [{ Origin: '' }, 403],
  // The token opens it to both, and nothing else does.
  [{ Origin: 'https://attacker.test', Host: 'mock.example', Authorization: 'Bearer open-sesame' }, 204],
  [{ Origin: 'https://attacker.test', Authorization: 'bearer  open-sesame' }, 204],
  [{ Origin: 'https://attacker.test', Authorization: 'Bearer open' }, 403],
  [{ Origin: 'https://attacker.test', Authorization: 'open-sesame' }, 403],
  [{ Origin: 'https://attacker.test', Authorization: 'Bearer undefined' }, 403],
];

describe('The control API of a developer’s machine', () => {
  test.each(CALLERS)('answers %o with %i', async (headers, status) => {
    const mock = await createMock({ controlToken: 'open-sesame', allowedHosts: ['mock.test'] });
    const response = await mock.fetch('/__mock/reset', { method: 'POST', headers });
    expect(response.status).toBe(status);
    if (status === 403)
      expect(await response.json()).toMatchObject({
        code: 'control_forbidden',
        message: expect.stringMatching(/--(allowed-hosts|control-token)/),
      });
  });

  test('takes no undefined token', async () => {
    const mock = await createMock();
    const headers = { Origin: 'https://attacker.test', Authorization: 'Bearer undefined' };
    expect((await mock.fetch('/__mock/reset', { method: 'POST', headers })).status).toBe(403);
  });
});

describe('The document of the control API', () => {
  test('is what it answers, which check proves', async () => {
    const { sessions } = await openService({});
    const { own, handler } = await createControlHandler(
      { sessions, coverage: createCoverage() },
      () => undefined,
    );
    sessions.use('checkout');
    const { checks, violations, skipped } = await checkService({ sessions: own, handler });
    // Check knows neither what a control request needs to exist, nor that its action goes before a preference, nor that ages grow.
    const known = ['status-unexpected', 'preference-wrong', 'head-different'];
    const conformance = violations.filter(({ code }) => !known.includes(code));
    expect({ conformance, skipped }).toEqual({ conformance: [], skipped: [] });
    expect(checks).toBeGreaterThan(own.service.table.operations.length);
  });
});
