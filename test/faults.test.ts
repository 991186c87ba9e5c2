import { afterAll, describe, expect, it } from 'vitest';
import { parseFaultRule } from '../src/answer/faults/faults.ts';
import { createMock, type FaultRule, type Mock, type MockOptions, SetupError } from '../src/index.ts';
import { closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { readError } from './support/errors.ts';

afterAll(closeAll);

async function statusesOf(mock: Mock, path: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await mock.fetch(path)).status);
  return statuses;
}

async function failToCreate(options: MockOptions): Promise<SetupError> {
  const error = await createMock(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SetupError);
  return error as SetupError;
}

describe('the short form of a rule', () => {
  it.each<[string, FaultRule]>([
    ['getPet=503', { operation: 'getPet', status: 503 }],
    ['createPet=409:duplicate_pet', { operation: 'createPet', status: 409, code: 'duplicate_pet' }],
    ['GET /store/orders=500@0.2', { operation: 'GET /store/orders', status: 500, probability: 0.2 }],
    ['GET /pets/{petId}=404', { operation: 'GET /pets/{petId}', status: 404 }],
    ['placeOrder=429x2', { operation: 'placeOrder', status: 429, times: 2 }],
    ['getPet=503@.5', { operation: 'getPet', status: 503, probability: 0.5 }],
    ['getPet=503@1', { operation: 'getPet', status: 503, probability: 1 }],
    ['getPet=503@0', { operation: 'getPet', status: 503, probability: 0 }],
    ['getPet=500:x_1@0.25x3', { operation: 'getPet', status: 500, code: 'x_1', probability: 0.25, times: 3 }],
    ['  getPet=503  ', { operation: 'getPet', status: 503 }],
    ['a=b=503', { operation: 'a=b', status: 503 }],
  ])('%s is read', (text, rule) => {
    expect(parseFaultRule(text)).toEqual(rule);
  });

  it.each([
    '',
    'getPet',
    'getPet=',
    '=503',
    'getPet=abc',
    'getPet=-503',
    'getPet=5.03',
    'getPet=503@',
    'getPet=503@half',
    'getPet=503@-0.5',
    'getPet=503@1e-1',
    'getPet=503x',
    'getPet=503xtwo',
    'getPet=503x-1',
    'getPet=503x1.5',
    'getPet=503:',
    'getPet=503:two words',
    'getPet=503:a"b',
    'getPet=503x2@0.5',
    'getPet=503 x2',
    'getPet:503',
  ])('"%s" is refused with an example of how to write it', async (text) => {
    expect(() => parseFaultRule(text)).toThrow(SetupError);
    const error = await failToCreate({ errors: [text] });
    expect(error.usage).toBe(true);
    expect(error.message).toContain(`"${text}"`);
    expect(error.message).toContain('placeOrder=429x2');
  });
});

const NARROW = documentOf({
  '/narrow': {
    get: {
      operationId: 'getNarrow',
      responses: {
        ...jsonAnswer({ type: 'string' }),
        302: { description: 'Elsewhere.' },
        404: { description: 'None.' },
        '5XX': { description: 'Broken.' },
      },
    },
  },
});

describe('a rule that cannot be', () => {
  it.each<[string | FaultRule, RegExp]>([
    ['getPet=503,listPets=503', /names an unknown operation/],
    ['getNothing=500', /getNothing=500 names an unknown operation\. .*routes/],
    ['GET /nothing=500', /GET \/nothing=500 names an unknown operation/],
    ['get /narrow=500', /names an unknown operation/],
    ['GET /narrow/=500', /names an unknown operation/],
    ['getNarrow=400', /getNarrow=400 .* does not declare\. It declares 200, 302, 404, 5XX\./],
    ['getNarrow=409:conflict', /does not declare/],
    ['getNarrow=200', /getNarrow=200 has a status that is not an error\. .*400 to 599/],
    ['getNarrow=302', /has a status that is not an error/],
    ['getNarrow=100', /has a status that is not an error/],
    ['getNarrow=0', /has a status that is not an error/],
    ['getNarrow=600', /has a status that is not an error/],
    ['getNarrow=5030', /has a status that is not an error/],
    ['getNarrow=503@1.5', /probability 1\.5\. Choose one from 0 to 1/],
    ['getNarrow=503x0', /can never hit a request/],
    [{ operation: 'getNothing', delay: 5 }, /getNothing names an unknown operation/],
    [{ operation: 'getNarrow', status: 400 }, /does not declare/],
    [{ operation: 'getNarrow', status: 503.5 }, /503\.5/],
    [{ operation: 'getNarrow', status: Number.NaN }, /status/],
    [{ operation: 'getNarrow', status: '503' as unknown as number }, /status/],
    [{ operation: 'getNarrow', status: 503, probability: -0.1 }, /probability -0\.1/],
    [{ operation: 'getNarrow', status: 503, probability: Number.NaN }, /probability NaN/],
    [{ operation: 'getNarrow', status: 503, times: 0 }, /spent|times/],
    [{ operation: 'getNarrow', status: 503, times: -1 }, /times.*-1/],
    [{ operation: 'getNarrow', status: 503, times: 1.5 }, /times.*1\.5/],
    [{ operation: 'getNarrow', status: 503, times: Number.NaN }, /times/],
    [{ operation: 'getNarrow', status: 503, delay: -1 }, /delay.*-1/],
    [{ operation: 'getNarrow', status: 503, delay: Number.NaN }, /delay/],
    [{ operation: 'getNarrow', delay: Number.POSITIVE_INFINITY }, /delay/],
    [{ operation: 'getNarrow', status: 503, headers: { 'Retry After': '1' } }, /Retry After/],
    [{ operation: 'getNarrow', status: 503, headers: { '': '1' } }, /header/],
    [{ operation: 'getNarrow', status: 503, headers: { 'X-Note': 'a\r\nX-Injected: b' } }, /X-Note/],
    [{ operation: 'getNarrow', status: 503, headers: { 'X-Note': '☃' } }, /X-Note/],
    [{ operation: 'getNarrow', stauts: 503 } as FaultRule, /stauts/],
    [{ status: 503 } as FaultRule, /operation/],
  ])('%j is refused at start, as a mistake of usage', async (rule, message) => {
    const error = await failToCreate({ spec: NARROW, errors: [rule] });
    expect(error.message).toMatch(message);
    expect(error.usage).toBe(true);
  });

  it.each(['getNarrow=404', 'getNarrow=500', 'getNarrow=503', 'getNarrow=599'])(
    '%s can be: by code or by range',
    async (rule) => {
      const mock = await createMock({ spec: NARROW, errors: [rule] });
      expect((await mock.fetch('/narrow')).status).toBe(Number(rule.slice(-3)));
    },
  );

  it('does not spoil the rules beside it unnoticed', async () => {
    const error = await failToCreate({ errors: ['getPet=503', 'getNothing=503'] });
    expect(error.message).toContain('getNothing');
  });
});

describeInProcess('a rule', (adapter) => {
  it.each<[string | FaultRule, number, string]>([
    ['listPets=503', 503, 'service_unavailable'],
    ['listPets=500', 500, 'internal_server_error'],
    ['listPets=429', 429, 'too_many_requests'],
    ['listPets=404', 404, 'not_found'],
    ['listPets=418', 418, 'im_a_teapot'],
    ['listPets=499', 499, 'status_499'],
    ['listPets=409:duplicate_pet', 409, 'duplicate_pet'],
    ['GET /pets=503', 503, 'service_unavailable'],
    [{ operation: 'listPets', status: 503, code: 'maintenance' }, 503, 'maintenance'],
    [{ operation: 'GET /pets', status: 503 }, 503, 'service_unavailable'],
  ])('%j answers %d %s, as an Error object', async (rule, status, code) => {
    const { ask } = await adapter.open({ errors: [rule] });
    const response = await ask('/pets');
    expect(response.status).toBe(status);
    expect(await readError(response)).toMatchObject({ code, status });
    expect((await ask('/pets/1')).status).toBe(200);
  });

  it('says that it asked for the answer, unless it brings a message', async () => {
    const message = 'Back at “noon” — 犬';
    const { ask } = await adapter.open({
      errors: ['listPets=503', { operation: 'getPet', status: 503, message }],
    });
    expect((await readError(await ask('/pets'))).message).toMatch(/fault .*listPets/);
    expect((await readError(await ask('/pets/1'))).message).toBe(message);
  });

  it('brings headers', async () => {
    const headers = { 'Retry-After': '120', 'X-Note': 'a; b="c"' };
    const { ask } = await adapter.open({ errors: [{ operation: 'listPets', status: 503, headers }] });
    const response = await ask('/pets');
    expect(response.headers.get('retry-after')).toBe('120');
    expect(response.headers.get('x-note')).toBe('a; b="c"');
  });

  it.each(['Content-Type', 'content-type'])('cannot falsify the %s of its answer', async (name) => {
    const headers = { [name]: 'text/plain' };
    const { ask } = await adapter.open({ errors: [{ operation: 'listPets', status: 503, headers }] });
    const response = await ask('/pets');
    const text = await response.clone().text();
    await readError(response);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('answers HEAD without content', async () => {
    const { ask } = await adapter.open({ errors: ['listPets=503'] });
    const response = await ask('/pets', { method: 'HEAD' });
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('');
  });

  // RFC 9110 sections 15.5.2 and 15.5.6: the server MUST generate these.
  it.each([
    ['listPets=401', 'WWW-Authenticate', /^\S+/],
    ['listPets=405', 'Allow', /^GET, HEAD, OPTIONS, POST$/],
  ])('%s sends %s', async (rule, name, value) => {
    const { ask } = await adapter.open({ errors: [rule] });
    const response = await ask('/pets');
    expect(response.headers.get(name) ?? '').toMatch(value);
  });

  it.each<[string, string, RequestInit, string]>([
    ['createPet', '/pets', json('POST', { name: 'Rex', categoryId: 1 }), '/pets'],
    ['deletePet', '/pets/22', { method: 'DELETE' }, '/pets'],
    ['updatePet', '/pets/1', json('PATCH', { name: 'Rex' }), '/pets'],
    ['replacePet', '/pets/1', json('PUT', { name: 'Rex', categoryId: 1 }), '/pets'],
    ['placeOrder', '/store/orders', json('POST', { petId: 1 }), '/store/orders'],
    ['placeOrder', '/store/orders', json('POST', { petId: 1 }), '/store/inventory'],
    ['updateInventory', '/store/inventory/1', json('PUT', { quantity: 99 }), '/store/inventory'],
  ])('keeps %s from being carried out', async (operation, path, init, list) => {
    const { ask } = await adapter.open({ errors: [`${operation}=503x1`] });
    const before = await (await ask(list)).text();
    expect((await ask(path, init)).status).toBe(503);
    expect(await (await ask(list)).text()).toBe(before);
    expect((await ask(path, init)).status).toBeLessThan(300);
  });

  it.each<[string, string, RequestInit]>([
    ['a bad request', '/pets', json('POST', {})],
    ['malformed JSON', '/pets', { ...json('POST', ''), body: '{' }],
    ['a wrong media type', '/pets', json('POST', {}, { 'Content-Type': 'text/plain' })],
    ['a preference', '/pets', json('POST', {}, { Prefer: 'code=409' })],
    ['an Accept that cannot be met', '/pets', json('POST', {}, { Accept: 'text/html' })],
  ])('goes before %s', async (_, path, init) => {
    const { ask } = await adapter.open({ errors: ['createPet=503'] });
    expect((await ask(path, init)).status).toBe(503);
  });

  it('hits the first two requests with x2, whatever others ask in between', async () => {
    const { ask } = await adapter.open({ errors: ['placeOrder=429x2'] });
    const order = json('POST', { petId: 4 });
    expect((await ask('/store/orders', order)).status).toBe(429);
    expect((await ask('/store/orders')).status).toBe(200);
    expect((await ask('/store/orders', order)).status).toBe(429);
    expect((await ask('/store/orders', order)).status).toBe(201);
    expect((await ask('/store/orders', order)).status).toBe(201);
  });

  it('waits before its error', async () => {
    const { ask } = await adapter.open({ errors: [{ operation: 'listPets', status: 503, delay: 40 }] });
    const started = performance.now();
    expect((await ask('/pets')).status).toBe(503);
    expect(performance.now() - started).toBeGreaterThanOrEqual(38);
  });

  it('without a status only waits, then the request is carried out', async () => {
    const { ask } = await adapter.open({ errors: [{ operation: 'createPet', delay: 40, times: 1 }] });
    const started = performance.now();
    const response = await ask('/pets', json('POST', { name: 'Rex', categoryId: 1 }));
    expect(performance.now() - started).toBeGreaterThanOrEqual(38);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ id: 29, name: 'Rex' });
  });

  it.each([
    [{ listPets: 60 }, 60, 0],
    [{ 'GET /pets': [60, 70], '*': 0 } as const, 60, 0],
    [{ listPets: 0, '*': 60 }, 0, 60],
  ])('may wait for some operations alone: %j', async (delay, ofList, ofItem) => {
    const { ask } = await adapter.open({ delay });
    const timeOf = async (path: string) => {
      const start = performance.now();
      expect((await ask(path)).status).toBe(200);
      return performance.now() - start;
    };
    await ask('/categories', { method: 'HEAD' });
    for (const [path, wait] of [
      ['/pets', ofList],
      ['/pets/1', ofItem],
    ] as const)
      if (wait > 0) expect(await timeOf(path)).toBeGreaterThan(wait - 5);
    const [list, item] = [await timeOf('/pets'), await timeOf('/pets/1')];
    expect(Math.sign(list - item)).toBe(Math.sign(ofList - ofItem));
  });

  it('refuses a delay of an operation that the document does not have', async () => {
    await expect(adapter.open({ delay: { getNothing: 5 } })).rejects.toThrow(
      'The delay of getNothing names an unknown operation. "petstore-mock routes" lists the operations.',
    );
  });

  it('adds its delay to that of every answer', async () => {
    const { ask } = await adapter.open({ delay: 30, errors: [{ operation: 'listPets', delay: 30 }] });
    const started = performance.now();
    await ask('/pets');
    expect(performance.now() - started).toBeGreaterThanOrEqual(57);
  });
});

describe('several rules for one operation', () => {
  it('are asked in order, and the first that hits decides', async () => {
    const mock = await createMock({ errors: ['listPets=503x1', 'listPets=429x2', 'listPets=500x1'] });
    expect(await statusesOf(mock, '/pets', 6)).toEqual([503, 429, 429, 500, 200, 200]);
  });

  it('let the second one have what the first one misses', async () => {
    const mock = await createMock({ errors: ['listPets=503@0.5', 'listPets=429'] });
    expect(new Set(await statusesOf(mock, '/pets', 50))).toEqual(new Set([503, 429]));
  });

  it('count each for itself', async () => {
    const mock = await createMock({ errors: ['listPets=503x1', 'getPet=503x1'] });
    expect(await statusesOf(mock, '/pets', 2)).toEqual([503, 200]);
    expect(await statusesOf(mock, '/pets/1', 2)).toEqual([503, 200]);
  });
});

describe('probability', () => {
  const FLAKY = ['listPets=503@0.2'];

  it.each([
    [0.2, 1],
    [0.5, 2],
    [0.9, 3],
  ])('hits about that share of requests: %d', async (probability, seed) => {
    const rule = { operation: 'getCategory', status: 503, probability };
    const mock = await createMock({ seed, errors: [rule] });
    const hits = (await statusesOf(mock, '/categories/1', 1000)).filter((status) => status === 503).length;
    // Five standard deviations of a fair coin are 79.
    expect(Math.abs(hits - 1000 * probability)).toBeLessThan(80);
  });

  it('of 0 never hits, of 1 always does', async () => {
    const never = await createMock({ errors: ['listPets=503@0'] });
    expect(new Set(await statusesOf(never, '/pets', 100))).toEqual(new Set([200]));
    const always = await createMock({ errors: ['listPets=503@1'] });
    expect(new Set(await statusesOf(always, '/pets', 100))).toEqual(new Set([503]));
  });

  it('gives the same sequence for the same seed, and another one for another seed', async () => {
    const sequence = async (seed: number) =>
      statusesOf(await createMock({ seed, errors: FLAKY }), '/pets', 100);
    expect(await sequence(1)).toEqual(await sequence(1));
    expect(await sequence(1)).not.toEqual(await sequence(2));
  });

  it('gives the same sequence whatever other operations are asked in between', async () => {
    const alone = await statusesOf(await createMock({ errors: FLAKY }), '/pets', 60);
    const mock = await createMock({ errors: FLAKY });
    const mixed: number[] = [];
    for (let i = 0; i < 60; i++) {
      if (i % 3 === 0) await statusesOf(mock, '/pets/1', 2);
      mixed.push((await mock.fetch('/pets')).status);
    }
    expect(mixed).toEqual(alone);
  });

  it('is not shared by two mocks in one process', async () => {
    const alone = await statusesOf(await createMock({ errors: FLAKY }), '/pets', 60);
    const [a, b] = await Promise.all([createMock({ errors: FLAKY }), createMock({ errors: FLAKY })]);
    const first: number[] = [];
    for (let i = 0; i < 60; i++) {
      first.push((await a.fetch('/pets')).status);
      await b.fetch('/pets');
    }
    expect(first).toEqual(alone);
  });

  it('differs between two rules with the same probability', async () => {
    const mock = await createMock({ errors: ['listPets=503@0.5', 'listOrders=503@0.5'] });
    expect(await statusesOf(mock, '/pets', 60)).not.toEqual(await statusesOf(mock, '/store/orders', 60));
  });

  it('counts hits, not requests, together with times', async () => {
    const mock = await createMock({ errors: ['listPets=503@0.3x4'] });
    const statuses = await statusesOf(mock, '/pets', 200);
    expect(statuses.filter((status) => status === 503).length).toBe(4);
  });
});

describe('reset', () => {
  it('starts counts over', async () => {
    const mock = await createMock({ errors: ['listPets=503x2'] });
    expect(await statusesOf(mock, '/pets', 3)).toEqual([503, 503, 200]);
    mock.reset();
    expect(await statusesOf(mock, '/pets', 3)).toEqual([503, 503, 200]);
  });

  it('starts chance over', async () => {
    const mock = await createMock({ errors: ['listPets=503@0.5'] });
    const first = await statusesOf(mock, '/pets', 50);
    mock.reset();
    expect(await statusesOf(mock, '/pets', 50)).toEqual(first);
  });
});
