import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

const REPLAYED = 'idempotency-replayed';

/** Creates a category with a key, and returns status, id or code, and whether the answer is a repeated one. */
async function create(ask: Ask, key: string, name = 'Dragons', path = '/categories') {
  const answer = await ask(path, json('POST', { name }, { 'Idempotency-Key': key }));
  const body = (await answer.json()) as { id?: number; code?: string };
  return [answer.status, body.id ?? body.code, answer.headers.get(REPLAYED) === 'true'];
}

const namesOf = async (ask: Ask) =>
  ((await (await ask('/categories')).json()) as { name: string }[]).map(({ name }) => name);

describeInProcess('A request with an Idempotency-Key', ({ open }) => {
  test('is carried out once, and answered again as it was at first', async () => {
    const { ask, mock } = await open();
    const init = json(
      'POST',
      { name: 'Dragons' },
      { 'Idempotency-Key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"' },
    );
    const first = await ask('/categories', init);
    await ask(first.headers.get('location') ?? '', { method: 'DELETE' });
    const before = await namesOf(ask);
    const second = await ask('/categories', init);
    expect([second.status, await second.text()]).toEqual([201, await first.text()]);
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !['date', 'connection', 'keep-alive', REPLAYED].includes(name));
    expect(headersOf(second)).toEqual(headersOf(first));
    expect([first.headers.get(REPLAYED), second.headers.get(REPLAYED)]).toEqual([null, 'true']);
    expect(second.headers.get('access-control-expose-headers')).toContain('Idempotency-Replayed');
    expect(await namesOf(ask)).toEqual(before);
    expect(mock.journal.filter(({ method }) => method === 'POST')).toMatchObject([
      { source: 'state', status: 201 },
      { source: 'state', status: 201, response: { headers: { 'Idempotency-Replayed': 'true' } } },
    ]);
  });

  test('may have the key in quotes or without', async () => {
    const { ask } = await open();
    const [, id] = await create(ask, 'a"b');
    for (const key of ['"a\\"b"', '"a\\"b";version=1', ' a"b '])
      expect([key, ...(await create(ask, key))]).toEqual([key, 201, id, true]);
  });

  test('is refused if the key belongs to another request', async () => {
    const { ask } = await open();
    await create(ask, 'one');
    const reused = [422, 'idempotency_key_reused', false];
    expect(await create(ask, 'one', 'Griffins')).toEqual(reused);
    expect(await create(ask, 'one', 'Dragons', '/categories?x=1')).toEqual(reused);
    const patch = json('PATCH', { name: 'Dragons' }, { 'Idempotency-Key': 'one' });
    expect((await ask('/pets/1', patch)).status).toBe(422);
    expect(await create(ask, 'two', 'Griffins')).toMatchObject([201, expect.any(Number), false]);
  });

  test('gets a refusal of the action again, but no mistake in the request', async () => {
    const { ask, mock } = await open();
    const change = async () => {
      const answer = await ask('/pets/99', json('PATCH', { name: 'Rex' }, { 'Idempotency-Key': 'one' }));
      return [answer.status, ((await answer.json()) as { code: string }).code, answer.headers.get(REPLAYED)];
    };
    expect([await change(), await change()]).toEqual([
      [404, 'pet_not_found', null],
      [404, 'pet_not_found', 'true'],
    ]);
    expect(mock.journal.map(({ problem }) => problem?.code)).toEqual(['pet_not_found', 'pet_not_found']);
    const init = (body: unknown) => json('POST', body, { 'Idempotency-Key': 'two' });
    expect((await ask('/categories', init({ name: 7 }))).status).toBe(422);
    expect(await create(ask, 'two')).toMatchObject([201, expect.any(Number), false]);
  });

  test('is carried out anew after a fault, and when an answer is asked for', async () => {
    const { ask } = await open({ errors: ['createCategory=503x1'] });
    expect((await create(ask, 'one'))[0]).toBe(503);
    const forced = json('POST', { name: 'Dragons' }, { 'Idempotency-Key': 'one', Prefer: 'code=409' });
    expect((await ask('/categories', forced)).status).toBe(409);
    expect(await create(ask, 'one')).toMatchObject([201, expect.any(Number), false]);
    expect(await create(ask, 'one')).toMatchObject([201, expect.any(Number), true]);
    expect((await ask('/categories', forced)).headers.get(REPLAYED)).toBeNull();
  });

  test('is refused while the first one is still running', async () => {
    const { ask } = await open({ delay: 100 });
    const answers = await Promise.all([
      create(ask, 'one'),
      create(ask, 'one'),
      create(ask, 'one', 'Griffins'),
    ]);
    const codes = answers.map(([status, code]) => [status, status === 201 ? 'created' : code]);
    expect(codes.sort()).toEqual([
      [201, 'created'],
      ...[
        [409, 'idempotency_key_running'],
        [422, 'idempotency_key_reused'],
      ],
    ]);
    const [, , isReplayed] = await create(ask, 'one');
    expect(isReplayed).toBe(true);
  });

  test('is known for 24 hours of the clock, in its session, until the state is replaced', async () => {
    const { ask, mock } = await open();
    const isReplayed = async () => (await create(ask, 'one'))[2];
    mock.clock.freeze('2027-01-01T00:00:00Z');
    mock.snapshot('clean');
    expect(await isReplayed()).toBe(false);
    const other = (path: string, init?: RequestInit) => mock.session('other').fetch(path, init);
    expect((await create(other, 'one'))[2]).toBe(false);
    mock.clock.freeze('2027-01-01T23:59:59Z');
    expect(await isReplayed()).toBe(true);
    mock.clock.freeze('2027-01-02T00:00:00Z');
    // The name is taken, which is a refusal of the action.
    expect([await isReplayed(), await isReplayed()]).toEqual([false, true]);
    mock.restore('clean');
    expect([await isReplayed(), await isReplayed()]).toEqual([false, true]);
    mock.reset();
    expect([await isReplayed(), await isReplayed()]).toEqual([false, true]);
    await ask('/__mock/state', json('PUT', { categories: [] }));
    expect([await isReplayed(), await isReplayed()]).toEqual([false, true]);
  });

  test.each([
    ...[
      '""',
      '"',
      'two words',
      'a, b',
      '"a", "b"',
      '"a" b',
      '\u00e4',
      'x'.repeat(256),
      `"${'x'.repeat(256)}"`,
    ],
    ...['', '"\\a"', `"${'\\'.repeat(300)}`, 'a\tb'],
  ])('is refused if the key is %j', async (key) => {
    const { ask } = await open();
    const count = (await namesOf(ask)).length;
    expect(await create(ask, key)).toEqual([400, 'invalid_idempotency_key', false]);
    expect(await namesOf(ask)).toHaveLength(count);
    expect((await create(ask, 'x'.repeat(255)))[0]).toBe(201);
  });
});

describe('An Idempotency-Key', () => {
  test('means nothing for other methods', async () => {
    const mock = await createMock();
    const put = (name: string) =>
      mock.fetch('/categories/1', json('PUT', { name }, { 'Idempotency-Key': '' }));
    expect([(await put('One')).status, (await put('Two')).status]).toEqual([200, 200]);
  });

  test('comes after credentials', async () => {
    const mock = await createMock({ spec: guarded() });
    const ask = (headers: object) =>
      mock.fetch('/orders', json('POST', {}, { 'Idempotency-Key': 'one', ...headers }));
    expect((await ask({})).status).toBe(401);
    const known = { Authorization: 'Bearer abc' };
    expect((await ask(known)).headers.get(REPLAYED)).toBeNull();
    expect((await ask(known)).headers.get(REPLAYED)).toBe('true');
    expect((await ask({})).status).toBe(401);
  });

  test('takes a form for the same one whatever its boundary is', async () => {
    const content = { 'multipart/form-data': { schema: { type: 'object' } } };
    const spec = documentOf({
      '/uploads/scan': { post: { requestBody: { content }, responses: jsonAnswer({ type: 'object' }) } },
    });
    const mock = await createMock({ spec });
    const send = async (parts: Record<string, string>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(parts)) body.append(name, value);
      const headers = { 'Idempotency-Key': 'one' };
      const answer = await mock.fetch('/uploads/scan', { method: 'POST', headers, body });
      return [answer.status, answer.headers.get(REPLAYED)];
    };
    const parts = { a: 'b', c: 'd' };
    expect([await send(parts), await send(parts)]).toEqual([
      [200, null],
      [200, 'true'],
    ]);
    for (const others of [{ a: 'b' }, { a: 'bd', c: '' }, { a: 'b', d: 'c' }, {}])
      expect(await send(others as Record<string, string>)).toEqual([422, null]);
  });

  test('counts where no state answers, too', async () => {
    const spec = documentOf({
      '/quotes/calculate': {
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: jsonAnswer({ type: 'object' }, { example: { price: 1 } }),
        },
      },
    });
    const mock = await createMock({ spec });
    const ask = (body: object) =>
      mock.fetch('/quotes/calculate', json('POST', body, { 'Idempotency-Key': 'one' }));
    const seen = [await ask({}), await ask({}), await ask({ a: 1 })];
    expect(seen.map(({ status, headers }) => [status, headers.get(REPLAYED)])).toEqual([
      ...[
        [200, null],
        [200, 'true'],
        [422, null],
      ],
    ]);
  });

  test('that the document requires is validated as ever, and proved by check', async () => {
    const mock = await createMock({ spec: guarded({ required: true }) });
    const headers = { Authorization: 'Bearer abc' };
    const missing = await mock.fetch('/orders', json('POST', {}, headers));
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([
      400,
      'invalid_parameter',
    ]);
    expect((await mock.check()).violations).toEqual([]);
  });

  test('does no harm, whatever its bytes are', async () => {
    const mock = await createMock();
    const pieces = fc.constantFrom(
      '"',
      '\\',
      ' ',
      ',',
      ';',
      '=',
      'a',
      'ab',
      '\u00ff',
      '\t',
      '*',
      'x'.repeat(90),
    );
    const key = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(key, fc.constantFrom('POST', 'PATCH'), async (text, method) => {
        const path = method === 'POST' ? '/categories' : '/pets/1';
        const body = { name: method === 'POST' ? `C ${text}`.slice(0, 40) : 'Rex' };
        const { status } = await mock.fetch(path, json(method, body, { 'Idempotency-Key': text }));
        expect([200, 201, 400, 409, 422]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });

  test('is remembered however many there are, for a day', async () => {
    const mock = await createMock();
    const ask = (path: string, init?: RequestInit) => mock.fetch(path, init);
    for (let i = 0; i <= 1200; i++) await create(ask, `key-${i}`, `Name ${i}`);
    expect((await create(ask, 'key-0', 'Name 0'))[2]).toBe(true);
    mock.clock.advance('P1D');
    expect((await create(ask, 'key-0', 'Name 0'))[2]).toBe(false);
  });
});

/** A document with orders that need a token and perhaps a key. */
function guarded({ required = false } = {}): object {
  const order = {
    type: 'object',
    properties: { id: { type: 'integer' }, note: { type: 'string' } },
  };
  const key = { name: 'Idempotency-Key', in: 'header', required, schema: { type: 'string' } };
  return documentOf(
    {
      '/orders': {
        post: {
          security: [{ token: [] }],
          parameters: [key],
          requestBody: { content: { 'application/json': { schema: order } } },
          responses: {
            201: { description: 'Made', content: { 'application/json': { schema: order } } },
            400: { description: 'Wrong' },
          },
        },
      },
    },
    { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  );
}
