import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock, type FaultRule, type Mock, type SequenceItem } from '../src/index.ts';
import { closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterAll(closeAll);

async function statusesOf(mock: Pick<Mock, 'fetch'>, count: number, path = '/pets'): Promise<number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < count; round += 1) statuses.push((await mock.fetch(path)).status);
  return statuses;
}

describeAdapters('A fault', ({ open }) => {
  test.each<[operation: string, hits: string[], spares: string[]]>([
    ['*', ['/pets', '/pets/1', '/store/orders', '/categories'], []],
    ['listPets', ['/pets'], ['/pets/1']],
    ['GET /pets', ['/pets'], ['/pets/1']],
    ['GET /pets/{petId}', ['/pets/1', '/pets/2'], ['/pets']],
    ['/pets/{petId}', ['/pets/1'], ['/pets', '/categories/1']],
    ['GET /pets/3', ['/pets/3', '/pets/%33'], ['/pets/1', '/pets']],
    ['/pets/3', ['/pets/3'], ['/pets/1']],
    ['/pets/*', ['/pets/1', '/pets/999'], ['/pets', '/categories/1']],
    ['GET /*', ['/pets', '/categories'], ['/pets/1', '/store/orders']],
    ['/store/**', ['/store/orders', '/store/inventory', '/store/orders/1'], ['/pets']],
    ['/**/profile', ['/pets/1/profile', '/pets/2/profile'], ['/pets', '/pets/1', '/store/orders']],
    ['/pets/**/profile', ['/pets/1/profile'], ['/pets', '/pets/1']],
    ['/**/1/**', ['/pets/1', '/pets/1/profile', '/categories/1'], ['/pets', '/pets/2', '/store/orders']],
    ['/**', ['/pets', '/pets/1/profile'], []],
    ['/*/1', ['/pets/1', '/categories/1'], ['/pets/2', '/pets']],
  ])('of %s hits only what it means', async (operation, hits, spares) => {
    const { ask } = await open({ faults: [{ operation, status: 503 }] });
    for (const path of hits) expect((await ask(path)).status, path).toBe(503);
    for (const path of spares) expect((await ask(path)).status, path).toBe(200);
  });

  test.each<
    [
      match: NonNullable<FaultRule['match']>,
      hits: RequestInit & { path?: string },
      spares: RequestInit & { path?: string },
    ]
  >([
    [{ query: { status: 'sold' } }, { path: '/pets?status=sold' }, { path: '/pets?status=pending' }],
    [{ query: { limit: 2 } }, { path: '/pets?limit=2' }, { path: '/pets' }],
    [{ query: { limit: null } }, {}, { path: '/pets?limit=2' }],
    [{ query: { name: 'B*t' } }, { path: '/pets?name=Biscuit' }, { path: '/pets?name=Biscuits' }],
    [{ headers: { 'X-Test': 'one' } }, { headers: { 'x-test': 'one' } }, { headers: { 'x-test': 'two' } }],
    [
      { headers: { 'user-agent': '*agent*' } },
      { headers: { 'user-agent': 'my agent 1' } },
      { headers: { 'user-agent': 'x' } },
    ],
    [{ headers: { 'X-Test': '*' } }, { headers: { 'x-test': 'any' } }, {}],
  ])('hits only requests that match %j', async (match, hits, spares) => {
    const { ask } = await open({ faults: [{ operation: 'listPets', match, status: 503 }] });
    const statusOf = async ({ path = '/pets', ...init }: RequestInit & { path?: string }) =>
      (await ask(path, init)).status;
    expect([await statusOf(hits), await statusOf(spares)]).toEqual([503, 200]);
  });

  test('matches bodies by JSON Pointer, and lets validation refuse what cannot be read', async () => {
    const { ask } = await open({
      faults: [{ operation: 'createPet', match: { body: { '/name': 'R*', '/categoryId': 1 } }, status: 503 }],
    });
    const statusOf = async (init: RequestInit) => (await ask('/pets', init)).status;
    expect(await statusOf(json('POST', { name: 'Rex', categoryId: 1 }))).toBe(503);
    expect(await statusOf(json('POST', { name: 'Rex', categoryId: 2 }))).toBe(201);
    expect(await statusOf(json('POST', { name: 'Bo', categoryId: 1 }))).toBe(201);
    expect(await statusOf({ ...json('POST', {}), body: '{"name":"R' })).toBe(400);
    expect(await statusOf(json('POST', ['R', 1]))).toBe(422);
    const form = new URLSearchParams({ name: 'Rex' });
    expect(await statusOf({ method: 'POST', body: form })).toBe(415);
  });

  test.each<[rule: Omit<FaultRule, 'operation'>, statuses: number[]]>([
    [{ status: 503, times: 2 }, [503, 503, 200, 200]],
    [{ status: 503, after: 2 }, [200, 200, 503, 503]],
    [{ status: 503, every: 2 }, [200, 503, 200, 503]],
    [{ status: 503, after: 1, every: 2, times: 1 }, [200, 200, 503, 200, 200]],
    [{ sequence: '503,429,ok' }, [503, 429, 200, 200]],
    [{ sequence: [503, 'ok', 500] }, [503, 200, 500, 500]],
    [{ sequence: 'ok,503', times: 2 }, [200, 503, 200]],
    [{ sequence: '503, 429', after: 1 }, [200, 503, 429, 429]],
  ])('comes when its turn is: %j', async (rule, statuses) => {
    const { ask } = await open({ faults: [{ operation: 'listPets', ...rule }] });
    for (const status of statuses) expect((await ask('/pets')).status).toBe(status);
  });

  test('hits between two times of the clock', async () => {
    const { ask, mock } = await open({
      now: '2027-01-01',
      faults: [{ operation: '*', status: 503, from: '2027-02-01', until: '2027-03-01T12:00:00Z' }],
    });
    const at: [string, number][] = [
      ['2027-01-31', 200],
      ['2027-02-01', 503],
      ['2027-03-01T11:59:00Z', 503],
      ['2027-03-01T12:00:00Z', 200],
    ];
    for (const [time, status] of at) {
      mock.clock.set(time);
      expect((await ask('/pets')).status, time).toBe(status);
    }
  });

  test('may be one request alone, by a header', async () => {
    const { ask } = await open({ faults: ['listPets=500'] });
    const withFault = (fault: string) => ask('/pets', { headers: { 'X-Mock-Fault': fault } });
    for (const fault of ['503', '{"status":503}', '{"sequence":"503,ok"}', '{"status":503,"times":1}']) {
      expect((await withFault(fault)).status, fault).toBe(503);
      expect((await withFault(fault)).status, fault).toBe(503);
    }
    expect((await withFault('{"match":{"query":{"limit":3}},"status":503}')).status).toBe(200);
    expect((await ask('/pets')).status).toBe(500);
  });

  test.each([
    ['nope', /X-Mock-Fault is not a fault\. Write /],
    ['', /X-Mock-Fault is not a fault/],
    ['[]', /X-Mock-Fault is not a fault/],
    ['503,ok', /X-Mock-Fault is not a fault/],
    ['{"stauts":503}', /unknown member "stauts"; did you mean status\?/],
    ['{"status":200}', /not an error\. Choose one from 400 to 599/],
    ['{"effect":"explode"}', /"effect" must be one of reset, timeout/],
    ['{"example":"nothing"}', /names an example that the document does not have\. It has available/],
    ['{"match":{"body":{"name":1}}}', /does not begin with a slash\. Write \/name/],
    ['{"delay":1e9}', /"delay" must be/],
    ['{"from":"tomorrow"}', /invalid time in from/],
    ['{"rateLimit":"10"}', /invalid limit "10"\. Write it like 10\/1s/],
  ])('in the header %s is refused, with the remedy', async (fault, message) => {
    const { ask } = await open();
    const response = await ask('/pets/1', { headers: { 'X-Mock-Fault': fault } });
    const { code, message: given } = (await response.json()) as { code: string; message: string };
    expect([response.status, code]).toEqual([400, 'fault_invalid']);
    expect(given).toMatch(message);
  });

  test('answers with an example of the document', async () => {
    const { ask } = await open({ faults: [{ operation: 'getPet', example: 'sold' }] });
    const response = await ask('/pets/999');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'sold' });
    expect(response.headers.get('preference-applied')).toBeNull();
  });

  test('has a status that the document need not declare, if it says so', async () => {
    const spec = documentOf({
      '/narrow': { get: { operationId: 'getNarrow', responses: jsonAnswer({ type: 'string' }) } },
    });
    await expect(open({ spec, faults: ['getNarrow=503'] })).rejects.toThrow(
      'The fault getNarrow=503 has a status that the document does not declare. It declares 200. Add "undeclared": true to send it all the same.',
    );
    await expect(open({ spec, faults: ['*=503'] })).rejects.toThrow(/does not declare\. It declares 200/);
    const { ask } = await open({ spec, faults: [{ operation: '*', status: 503, undeclared: true }] });
    expect((await ask('/narrow')).status).toBe(503);
  });

  test('is added, listed and deleted over HTTP, for the session that the request names', async () => {
    const { ask } = await open({ faults: ['getPet=404x1'] });
    const inOne = { 'X-Mock-Session': 'one' };
    const added = await ask('/__mock/faults', json('POST', { operation: 'listPets', status: 503 }, inOne));
    const fault = (await added.json()) as { id: string };
    expect(added.status).toBe(201);
    expect(fault).toEqual({ id: '2', operation: 'listPets', status: 503, hits: 0 });
    expect([(await ask('/pets', { headers: inOne })).status, (await ask('/pets')).status]).toEqual([
      503, 200,
    ]);
    const listed = await (await ask('/__mock/faults', { headers: inOne })).json();
    expect(listed).toEqual([
      { id: '2', operation: 'listPets', status: 503, hits: 1 },
      { id: '1', operation: 'getPet', status: 404, times: 1, hits: 0 },
    ]);
    const path = `/__mock/faults/${fault.id}`;
    expect((await ask(path)).status).toBe(404);
    expect((await ask(path, { headers: inOne })).status).toBe(200);
    expect((await ask(path, { method: 'DELETE', headers: inOne })).status).toBe(204);
    expect((await ask(path, { method: 'DELETE', headers: inOne })).status).toBe(404);
    expect((await ask('/pets', { headers: inOne })).status).toBe(200);
    expect((await ask('/__mock/faults', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/pets/1')).status).toBe(200);
  });

  test.each<[rule: object, status: number, message: RegExp]>([
    [{ status: 503 }, 422, /operation/],
    [{ operation: 'getPett', status: 503 }, 422, /Did you mean getPet\?/],
    [{ operation: 'getPet', stauts: 503 }, 422, /stauts/],
    [{ operation: 'getPet', effect: 'explode' }, 422, /effect/],
    [{ operation: '/nowhere/*', status: 503 }, 422, /names an unknown operation/],
    [{ operation: 'getPet', status: 503, headers: { 'a b': 'c' } }, 422, /header/],
  ])('over HTTP cannot be %j', async (rule, status, message) => {
    const { ask } = await open();
    const response = await ask('/__mock/faults', json('POST', rule));
    expect(response.status).toBe(status);
    expect(JSON.stringify(await response.json())).toMatch(message);
  });

  test('spares the control API', async () => {
    const { ask } = await open({ faults: ['*=503', '*=reset'], delay: 0 });
    for (const path of ['/__mock/health', '/__mock/faults', '/__mock/journal', '/', '/openapi.json'])
      expect((await ask(path, { headers: { 'X-Mock-Fault': '503' } })).status, path).toBe(200);
  });
});

test.each<[string, RegExp]>([
  ['{"operation":"getPet","effect":"reset"', /has a mistake in rule 1: it is not valid JSON: /],
  ['{"operation":"getPet","effect":"boom"}', /"effect" must be one of reset, timeout, empty/],
  ['getPet=boom', /Instead of a status there may be an effect \(reset, timeout/],
  ['/pet/*=503', /The fault \/pet\/\*=503 names an unknown operation/],
  ['getPet=503,ok,', /Invalid fault/],
])('The option %s is refused, with the remedy', async (fault, message) => {
  await expect(createMock({ faults: [fault] })).rejects.toThrow(message);
});

describe('In code a fault', () => {
  test('is a failure of an operation, which a later one replaces and a reset ends', async () => {
    const mock = await createMock();
    mock.fail('listPets', 503);
    mock.fail('listPets', { status: 429, times: 1 });
    expect(await statusesOf(mock, 2)).toEqual([429, 200]);
    mock.fail('listPets', 'reset');
    await expect(mock.fetch('/pets')).rejects.toThrow(TypeError);
    mock.reset();
    expect(await statusesOf(mock, 1)).toEqual([200]);
    expect(() => mock.fail('listPet', 503)).toThrow(/unknown operation\. Did you mean listPets\?/);
  });

  test('belongs to its session', async () => {
    const mock = await createMock();
    const one = mock.session('one');
    one.faults.add('listPets=503');
    expect([await statusesOf(mock, 1), await statusesOf(one, 1)]).toEqual([[200], [503]]);
    expect(one.faults.list()).toEqual([{ id: '1', operation: 'listPets', status: 503, hits: 1 }]);
    expect([one.faults.remove('1'), one.faults.remove('1')]).toEqual([true, false]);
    expect(await statusesOf(one, 1)).toEqual([200]);
  });

  test('that was added stays over a reload, if it still fits', async () => {
    const mock = await createMock();
    mock.faults.add('listPets=503');
    mock.faults.add('getPet=404');
    const spec = documentOf({
      '/pets': {
        get: {
          operationId: 'listPets',
          responses: { ...jsonAnswer({ type: 'string' }), 503: { description: 'Down.' } },
        },
      },
    });
    expect(await mock.reload({ spec })).toContain(
      'The fault getPet=404 names an unknown operation. "petstore-mock routes" lists the operations.',
    );
    expect(await statusesOf(mock, 1)).toEqual([503]);
  });

  test('cannot be added without bound', async () => {
    const mock = await createMock();
    for (let count = 0; count < 1000; count += 1) mock.faults.add('listPets=503');
    expect(() => mock.faults.add('listPets=503')).toThrow('A session has at most 1000 faults.');
  });

  test('hits the same requests for the same seed, in any session', async () => {
    const options = { faults: [{ operation: 'listPets', status: 503, probability: 0.5 }] };
    const [one, other] = [await createMock(options), await createMock(options)];
    const first = await statusesOf(one, 40);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await statusesOf(other.session('any'), 40)).toEqual(first);
    const third = await createMock({ ...options, seed: 2 });
    expect(await statusesOf(third, 40)).not.toEqual(first);
  });

  test('is named in the journal, with its number', async () => {
    const mock = await createMock({
      faults: [{ operation: 'listPets', sequence: '503,ok,malformed', delay: 2 }],
    });
    for (let round = 0; round < 3; round += 1) await mock.fetch('/pets');
    expect(mock.journal.map(({ status, source, fault }) => ({ status, source, ...fault }))).toEqual([
      { status: 503, source: 'fault', rule: '1', number: 1, code: 'service_unavailable', delay: 2 },
      { status: 200, source: 'state', rule: '1', number: 2, delay: 2 },
      { status: 200, source: 'state', rule: '1', number: 3, effect: 'malformed', delay: 2 },
    ]);
  });

  test('waits as long as its distribution says, never longer than ten minutes', async () => {
    const mock = await createMock({ faults: [{ operation: 'listPets', delay: { median: 5, sigma: 0.5 } }] });
    for (let round = 0; round < 30; round += 1) await mock.fetch('/pets');
    const delays = mock.journal.map(({ fault }) => fault?.delay ?? 0).sort((one, other) => one - other);
    expect(delays[15]).toBeGreaterThanOrEqual(3);
    expect(delays[15]).toBeLessThanOrEqual(8);
    expect(delays[0]).toBeLessThan(delays[29] as number);
  });

  test('of a cached answer hits the next request, and is not cached itself', async () => {
    const mock = await createMock();
    const slow = { headers: { 'X-Mock-Fault': '{"effect":"empty"}' } };
    expect(await (await mock.fetch('/pets/1', slow)).text()).toBe('');
    expect(await (await mock.fetch('/pets/1', slow)).text()).toBe('');
    expect(mock.journal.map(({ fault }) => fault?.effect)).toEqual(['empty', 'empty']);
  });
});

describeInProcess('A rate limit', ({ open }) => {
  test('refuses further requests until its window ends', async () => {
    const { ask, mock } = await open({ rateLimit: ['2/1m'], now: '2027-01-01' });
    mock.clock.freeze();
    const first = await ask('/pets');
    expect(first.headers.get('ratelimit')).toBe('"limit-1";r=1;t=60');
    expect(first.headers.get('ratelimit-policy')).toBe('"limit-1";q=2;w=60');
    expect((await ask('/pets/999')).headers.get('ratelimit')).toBe('"limit-1";r=0;t=60');
    mock.clock.advance('PT20.5S');
    const refused = await ask('/pets');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.get('ratelimit')).toBe('"limit-1";r=0;t=40');
    expect(refused.headers.get('access-control-expose-headers')).toMatch(
      /RateLimit, RateLimit-Policy, Retry-After/,
    );
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
    mock.clock.advance('PT40S');
    expect((await ask('/pets')).status).toBe(200);
  });

  test('counts the values of a header apart', async () => {
    const { ask } = await open({ rateLimit: ['1/1h:by=X-Api-Key', '3/1d'] });
    const statusOf = async (key: string) => (await ask('/pets', { headers: { 'x-api-key': key } })).status;
    expect([await statusOf('a'), await statusOf('a'), await statusOf('b'), await statusOf('c')]).toEqual([
      200, 429, 200, 200,
    ]);
    expect(await statusOf('d')).toBe(429);
    expect((await ask('/pets')).headers.get('ratelimit-policy')).toBe(
      '"limit-1";q=1;w=3600, "limit-2";q=3;w=86400',
    );
  });

  test('may be that of some operations, with a status of its own', async () => {
    const rule = { operation: '/pets/**', rateLimit: '1/1h', status: 503, message: 'Slow down.' };
    const { ask } = await open({ faults: [rule] });
    expect([
      (await ask('/pets/1')).status,
      (await ask('/pets/1')).status,
      (await ask('/categories')).status,
    ]).toEqual([200, 503, 200]);
  });
});

describe('Whatever a client sends', () => {
  test('as a fault, it gets an answer, and the next request its own', async () => {
    const mock = await createMock({
      rateLimit: ['100000/1h:by=X-Key'],
      faults: [
        {
          operation: '*',
          match: { query: { a: 'x*y*z' }, headers: { 'x-key': '*1*' }, body: { '/a/b': 1 } },
          status: 503,
        },
      ],
    });
    const members = fc.dictionary(
      fc.constantFrom(
        'status',
        'effect',
        'delay',
        'match',
        'sequence',
        'times',
        'every',
        'example',
        'bytes',
        'rateLimit',
        'from',
        '__proto__',
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<unknown>(503, 'empty', 'malformed', 'truncate', '1/1s', 1, '503,ok', {
          body: { '/a': 1 },
        }),
      ),
    );
    const fault = fc.oneof(
      members.map((rule) => JSON.stringify({ ...rule, ...('delay' in rule && { delay: 0 }) })),
      fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)) }),
    );
    await fc.assert(
      fc.asyncProperty(fault, fc.string(), fc.jsonValue(), async (header, query, body) => {
        const headers = { 'X-Mock-Fault': header.trim(), 'X-Key': '11', 'Content-Type': 'application/json' };
        const init = {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(5000),
        };
        const response = await mock
          .fetch(`/categories?a=${encodeURIComponent(query.replace(/\p{Surrogate}/gu, ''))}`, init)
          .catch((error) => error);
        if (response instanceof Response) expect(response.status).not.toBe(500);
        else expect(response).toBeInstanceOf(TypeError);
        expect((await mock.fetch('/pets/1')).status).toBe(200);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[SequenceItem | string, number]>([
    ['503,'.repeat(3000), 400],
    [`{"match":{"query":{"a":"${'*'.repeat(5000)}x"}},"status":503}`, 200],
    [`${'['.repeat(5000)}`, 400],
    [`{"match":${'{"query":'.repeat(1000)}{}${'}'.repeat(1000)}}`, 400],
  ])('a long fault is decided at once', async (fault, status) => {
    const mock = await createMock();
    const started = performance.now();
    const headers = { 'X-Mock-Fault': String(fault) };
    expect((await mock.fetch(`/pets?a=${'*'.repeat(5000)}`, { headers })).status).toBe(status);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describeInProcess('An Idempotency-Key', ({ open }) => {
  const order = (fault: string) =>
    json('POST', { name: 'Dragons' }, { 'Idempotency-Key': 'one', 'X-Mock-Fault': fault });

  test('is free again after a fault that replaced the answer', async () => {
    const { ask } = await open();
    await expect(ask('/categories', order('reset'))).rejects.toThrow(TypeError);
    expect((await ask('/categories', order('503'))).status).toBe(503);
    expect((await ask('/categories', order('{"example":"category_exists"}'))).status).not.toBe(201);
    const timeout = { ...order('timeout'), signal: AbortSignal.timeout(50) };
    await expect(ask('/categories', timeout)).rejects.toThrow();
    const created = await ask('/categories', json('POST', { name: 'Dragons' }, { 'Idempotency-Key': 'one' }));
    expect([created.status, created.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('repeats an answer whole that a fault damaged', async () => {
    const { ask } = await open();
    expect(await (await ask('/categories', order('empty'))).text()).toBe('');
    const again = await ask('/categories', json('POST', { name: 'Dragons' }, { 'Idempotency-Key': 'one' }));
    expect([again.headers.get('idempotency-replayed'), await again.json()]).toEqual([
      'true',
      { id: 9, name: 'Dragons' },
    ]);
  });
});

describeInProcess('A rule about values', ({ open }) => {
  test.each<[unknown]>([[{ toString: 1, valueOf: 1 }], [{ a: 1 }], [['Rex']], [[]], [null]])(
    'is not hit by %j, and fails on nothing',
    async (name) => {
      const match = { body: { '/name': '*' } };
      const { ask } = await open({ faults: [{ operation: 'createCategory', match, status: 503 }] });
      expect((await ask('/categories', json('POST', { name }))).status).toBe(422);
      expect((await ask('/categories', json('POST', { name: 'Rex' }))).status).toBe(503);
    },
  );

  test('reads the body for a header, however that is spelled', async () => {
    const { ask } = await open();
    const fault = String.raw`{"match":{"b\u006fdy":{"/name":"Rex"}},"status":503}`;
    const statusOf = async (name: string) =>
      (await ask('/categories', json('POST', { name }, { 'X-Mock-Fault': fault }))).status;
    expect([await statusOf('Rex'), await statusOf('Bo')]).toEqual([503, 201]);
  });

  test.each(['constructor', '__proto__', 'toString'])('knows no header %s that nobody sent', async (name) => {
    const headers = JSON.parse(`{${JSON.stringify(name)}:"*"}`) as Record<string, string>;
    const faults = [
      { operation: 'listPets', match: { headers }, status: 503 },
      { operation: 'getCategory', rateLimit: `1/1h:by=${name}` },
    ];
    const { ask } = await open({ faults });
    expect((await ask('/pets')).status).toBe(200);
    expect([(await ask('/categories/1')).status, (await ask('/categories/1')).status]).toEqual([200, 429]);
  });
});

const WORDS = ['a', 'b', 'c'];
const TEMPLATES = ['/a', '/a/{x}', '/a/{x}/b', '/{x}/b/{y}/c', '/b/a/b/a/c', '/c'];
const LETTERS = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 });

/** What a pattern means, word for word. */
function isMeant([want, ...wants]: readonly string[], path: readonly string[]): boolean {
  if (want === undefined) return path.length === 0;
  const [segment, ...others] = path;
  if (want === '**') return isMeant(wants, path) || (path.length > 0 && isMeant([want, ...wants], others));
  return segment !== undefined && (want === '*' || want === segment) && isMeant(wants, others);
}

test('A path pattern hits the paths that it means, wherever its wildcards stand', async () => {
  const get = { responses: jsonAnswer({ type: 'string' }) };
  const parametersOf = (template: string) =>
    [...template.matchAll(/\{(\w)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    }));
  const paths = TEMPLATES.map((path) => [path, { get: { ...get, parameters: parametersOf(path) } }]);
  const mock = await createMock({ spec: documentOf(Object.fromEntries(paths)) });
  const counts = { hit: 0, spared: 0 };
  const pattern = fc.array(fc.constantFrom(...WORDS, '*', '**', '**'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(pattern, fc.array(LETTERS, { maxLength: 8 }), async (wanted, asked) => {
      const targets = [
        ...asked,
        ...TEMPLATES.map((each) =>
          each
            .slice(1)
            .replace(/\{\w\}/g, 'a')
            .split('/'),
        ),
      ];
      mock.reset();
      let isKnown = true;
      try {
        mock.faults.add({ operation: `/${wanted.join('/')}`, status: 503, undeclared: true });
      } catch {
        isKnown = false;
      }
      for (const path of targets) {
        const { status } = await mock.fetch(`/${path.join('/')}`);
        if (status === 404) continue;
        expect([path, status]).toEqual([path, isMeant(wanted, path) ? 503 : 200]);
        expect(isKnown || status === 200).toBe(true);
        counts[status === 503 ? 'hit' : 'spared'] += 1;
      }
    }),
    { numRuns: 300 },
  );
  expect(Math.min(counts.hit, counts.spared)).toBeGreaterThan(200);
});

test('A pattern of many wildcards takes no longer than its length', async () => {
  const mock = await createMock();
  mock.faults.add({ operation: `${'/**'.repeat(2000)}/profile`, status: 503, undeclared: true });
  const start = performance.now();
  await mock.fetch(`/pets${'/1'.repeat(4000)}`);
  expect((await mock.fetch('/pets/1/profile')).status).toBe(503);
  expect(performance.now() - start).toBeLessThan(2000);
});

describeAdapters('The headers of a fault', ({ open }) => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may be named %s', async (name) => {
    const headers = JSON.parse(`{"${name}":"yes","X-Other":"too"}`);
    const { ask } = await open({ faults: [{ operation: 'listPets', status: 503, headers }] });
    const { status, headers: sent } = await ask('/pets');
    expect([status, sent.get(name), sent.get('x-other')]).toEqual([503, 'yes', 'too']);
  });

  test.each(['__proto__', 'constructor'])('and those of a document may be named %s', async (name) => {
    const headers = JSON.parse(`{"${name}":{"schema":{"type":"string","default":"yes"}}}`);
    const get = { responses: { 200: { description: 'Fine.', headers } } };
    const { ask } = await open({ spec: documentOf({ '/a': { get } }) });
    const { status, headers: sent } = await ask('/a');
    expect([status, sent.get(name)]).toEqual([200, 'yes']);
  });

  test.each([
    ...['Transfer-Encoding', 'Content-Length', 'Connection', 'Trailer', 'TE', 'Upgrade', 'Keep-Alive'],
    'content-LENGTH',
  ])('do not have %s', async (name) => {
    const { ask, mock } = await open();
    const rule = { status: 503, headers: { [name]: '1' } };
    const refusal = `has the header ${name}, which the server sets itself`;
    const posted = await ask('/__mock/faults', json('POST', { operation: 'listPets', ...rule }));
    expect([posted.status, await posted.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'fault_invalid', message: expect.stringContaining(refusal) }),
    ]);
    const asked = await ask('/pets', { headers: { 'X-Mock-Fault': JSON.stringify(rule) } });
    expect([asked.status, await asked.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'fault_invalid', message: expect.stringContaining(refusal) }),
    ]);
    expect(() => mock.fail('listPets', rule)).toThrow(refusal);
    await expect(createMock({ faults: [{ operation: 'listPets', ...rule }] })).rejects.toThrow(refusal);
  });
});
