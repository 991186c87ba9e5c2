import { afterAll, describe, expect, it } from 'vitest';
import { type Preferences, parsePrefer, toPreferenceApplied } from '../src/answer/respond/prefer.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, jsonAnswer } from './support/documents.ts';
import { readError } from './support/errors.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

describe('parsePrefer', () => {
  it.each<[string | undefined, Preferences]>([
    [undefined, {}],
    ['', {}],
    ['   ', {}],
    ['code=404', { code: 404 }],
    ['  code=404  ', { code: 404 }],
    ['code="404"', { code: 404 }],
    ['code = 404', { code: 404 }],
    ['code\t=\t"404"', { code: 404 }],
    ['CODE=404', { code: 404 }],
    ['Code=404, EXAMPLE=x', { code: 404, example: 'x' }],
    ['example=notFound', { example: 'notFound' }],
    ['example=NotFound', { example: 'NotFound' }],
    ['example="two words"', { example: 'two words' }],
    ['example="a, b; c=d"', { example: 'a, b; c=d' }],
    ['example="say \\"hi\\""', { example: 'say "hi"' }],
    ['example="back\\\\slash", code=409', { example: 'back\\slash', code: 409 }],
    ['code=409, example=out_of_stock', { code: 409, example: 'out_of_stock' }],
    ['code=409,example=out_of_stock', { code: 409, example: 'out_of_stock' }],
    // RFC 7240 section 2: the first one wins.
    ['code=404, code=409', { code: 404 }],
    ['code=404, CODE=409', { code: 404 }],
    ['code=abc, code=404', {}],
    ['example=a, example=b', { example: 'a' }],
    // Others are passed over, and so are parameters.
    ['respond-async, code=404', { code: 404 }],
    ['return=minimal, wait=10, code=404, handling=lenient', { code: 404 }],
    ['code=404; foo="a, code=409"; bar', { code: 404 }],
    ['foo; code=404', {}],
    ['foo="code=404"', {}],
    ['foo="a, code=404", code=409', { code: 409 }],
    ['x-code=404', {}],
    ['code=404;, example=x', { code: 404, example: 'x' }],
    // An empty element of a list is to be ignored (RFC 9110 section 5.6.1.2).
    [', code=404', { code: 404 }],
    ['foo,, code=404', { code: 404 }],
    ['foo , , ,code=404, ', { code: 404 }],
    // What makes no sense.
    ['code', {}],
    ['code=', {}],
    ['code=""', {}],
    ['code=abc', {}],
    ['code=40', {}],
    ['code=4040', {}],
    ['code=099', {}],
    // An interim status is no answer.
    ['code=100', {}],
    ['code=199', {}],
    ['code=200', { code: 200 }],
    ['code=599', { code: 599 }],
    ['code=600', {}],
    ['code=4O4', {}],
    ['code=+404', {}],
    ['code=404.0', {}],
    ['code=-404', {}],
    ['code=4xx', {}],
    ['code=default', {}],
    ['example', {}],
    ['example=', {}],
    ['example=""', {}],
    ['code="404', {}],
    ['"code=404"', {}],
    ['=404', {}],
    [',', {}],
    [',,,', {}],
    [';', {}],
    ['=', {}],
    ['"', {}],
  ])('reads %j', (header, preferences) => {
    expect(parsePrefer(header)).toEqual(preferences);
  });

  it.each([
    ['a long name and a quote', `${'a'.repeat(160_000)}"`],
    ['many blanks and a quote', `code${' '.repeat(160_000)}"`],
    ['a long value and a quote', `code=${'4'.repeat(160_000)}"`],
    ['many equal signs and a quote', `${'=a'.repeat(80_000)}"`],
    ['many quotes', '"'.repeat(160_001)],
    ['many backslashes', `code="${'\\'.repeat(160_001)}`],
    ['many commas', ','.repeat(160_000)],
    ['many preferences', 'a=b, '.repeat(32_000)],
  ])('takes no longer for %s than for anything else', (_, header) => {
    const started = performance.now();
    parsePrefer(header);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('toPreferenceApplied', () => {
  it.each<[Preferences, string | undefined]>([
    [{}, undefined],
    [{ code: 404 }, 'code=404'],
    [{ example: 'none' }, 'example=none'],
    [{ code: 409, example: 'out_of_stock' }, 'code=409, example=out_of_stock'],
    [{ example: 'two words' }, 'example="two words"'],
    [{ example: 'say "hi" \\' }, 'example="say \\"hi\\" \\\\"'],
  ])('of %j is %j', (preferences, header) => {
    expect(toPreferenceApplied(preferences)).toBe(header);
    expect(parsePrefer(header)).toEqual(preferences);
  });
});

function prefer(preference: string, init: RequestInit = {}): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), Prefer: preference } };
}

describeAdapters('Prefer', (adapter) => {
  const opened = once(() => adapter.open());

  it.each<[string, string, RequestInit, number, string]>([
    ['/pets/1', 'code=404', {}, 404, 'pet_not_found'],
    ['/pets/1', 'code=400', {}, 400, 'invalid_parameter'],
    ['/pets/1', 'code=400, example=malformed_path', {}, 400, 'malformed_path'],
    ['/pets/not-an-id', 'code=404', {}, 404, 'pet_not_found'],
    ['/store/orders', 'code=409', json('POST', { petId: 1 }), 409, 'out_of_stock'],
    [
      '/store/orders',
      'code=409, example=pet_not_available',
      json('POST', { petId: 1 }),
      409,
      'pet_not_available',
    ],
    ['/store/orders', 'code="409", example="out_of_stock"', json('POST', { petId: 1 }), 409, 'out_of_stock'],
    ['/pets', 'code=422, example=unknown_category', json('POST', {}), 422, 'unknown_category'],
    ['/pets/1', 'code=409', { method: 'DELETE' }, 409, 'pet_has_open_orders'],
    // By the default response: the status in the body is the one that was asked for.
    ['/pets', 'code=503', {}, 503, 'service_unavailable'],
    ['/pets', 'code=429', {}, 429, 'too_many_requests'],
    ['/pets/1', 'code=409', {}, 409, 'conflict'],
    ['/pets', 'code=409', json('POST', { name: 'Rex', categoryId: 1 }), 409, 'conflict'],
    ['/pets', 'code=408, example=request_timeout', {}, 408, 'request_timeout'],
  ])('%s with %s is answered so', async (path, preference, init, status, code) => {
    const { ask } = await opened();
    const response = await ask(path, prefer(preference, init));
    expect(response.status).toBe(status);
    expect(await readError(response)).toMatchObject({ code, status });
    expect(response.headers.get('preference-applied')).toBe(preference.replaceAll('"', ''));
  });

  it.each<[string, string, RequestInit, number, unknown]>([
    ['/pets', 'example=none', {}, 200, []],
    ['/pets/1', 'example=sold', {}, 200, { id: 9, name: 'Pepper', categoryId: 2, status: 'sold' }],
    ['/pets/4711', 'example=sold', {}, 200, { id: 9, name: 'Pepper', categoryId: 2, status: 'sold' }],
    [
      '/pets/1',
      'code=200, example=pending',
      {},
      200,
      { id: 8, name: 'Otto', categoryId: 1, status: 'pending' },
    ],
    [
      '/pets',
      'example=expected',
      json('POST', { name: 'Rex', categoryId: 1 }),
      201,
      { id: 29, name: 'Cockatiel', categoryId: 4, status: 'pending' },
    ],
  ])('%s with %s is answered with that example', async (path, preference, init, status, body) => {
    const { ask } = await opened();
    const response = await ask(path, prefer(preference, init));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
    expect(response.headers.get('preference-applied')).toBe(preference);
  });

  it.each<[string, string, string, RegExp]>([
    ['/pets/1', 'example=nothing', 'example_not_found', /nothing|no such example/],
    ['/pets/1', 'example=__proto__', 'example_not_found', /./],
    ['/pets/1', 'example=constructor', 'example_not_found', /./],
    ['/pets/1', 'example=pet_not_found', 'example_not_found', /200/],
    ['/pets/1', 'code=404, example=sold', 'example_not_found', /404/],
    ['/pets', 'code=503, example=nothing', 'example_not_found', /503/],
  ])('%s with %s is answered 404 %s', async (path, preference, code, message) => {
    const { ask } = await opened();
    const response = await ask(path, prefer(preference));
    expect(response.status).toBe(404);
    const error = await readError(response);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(response.headers.get('preference-applied')).toBeNull();
  });

  it('names the example that is not there, and those that are', async () => {
    const { ask } = await opened();
    const { message } = await readError(await ask('/pets/1', prefer('example=nothing')));
    expect(message).toMatch(/"?nothing"?/);
    expect(message).toMatch(/available.*pending.*sold/);
  });

  it.each([
    'code=abc',
    'code=99',
    'code=600',
    'return=minimal',
    'respond-async, wait=5',
    'code=, example=',
    '?',
  ])('%s changes nothing', async (preference) => {
    const { ask } = await opened();
    const response = await ask('/pets/1', prefer(preference));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 1 });
    expect(response.headers.get('preference-applied')).toBeNull();
  });

  it.each([
    ['/nope', {}, 404],
    ['/pets', { method: 'DELETE' }, 405],
    ['/pets', { method: 'OPTIONS' }, 204],
  ])('is passed over where there is no operation: %s %o', async (path, init, status) => {
    const { ask } = await opened();
    const response = await ask(path, prefer('code=503', init));
    expect(response.status).toBe(status);
    expect(response.headers.get('preference-applied')).toBeNull();
  });

  it('is honoured for HEAD', async () => {
    const { ask } = await opened();
    const response = await ask('/pets', prefer('code=503', { method: 'HEAD' }));
    expect(response.status).toBe(503);
    expect(response.headers.get('preference-applied')).toBe('code=503');
    expect(await response.text()).toBe('');
  });

  it.each<[string, RequestInit, string]>([
    ['/pets', json('POST', { name: 'Rex', categoryId: 1 }), 'code=409'],
    ['/pets', json('POST', { name: 'Rex', categoryId: 1 }), 'example=inStock'],
    ['/pets', json('POST', { name: 'Rex', categoryId: 1 }), 'code=302'],
    ['/pets/1', json('PATCH', { name: 'Rex' }), 'code=404'],
    ['/pets/1', json('PUT', { name: 'Rex', categoryId: 2 }), 'example=renamed'],
    ['/pets/22', { method: 'DELETE' }, 'code=409'],
    ['/pets/22', { method: 'DELETE' }, 'code=500'],
    ['/store/orders', json('POST', { petId: 1 }), 'code=422'],
  ])('%s %o with %s changes nothing in the store', async (path, init, preference) => {
    const { ask } = await opened();
    const read = () =>
      Promise.all(['/pets', '/store/orders', '/store/inventory'].map(async (p) => (await ask(p)).text()));
    const before = await read();
    expect((await ask(path, prefer(preference, init))).headers.get('location')).toBeNull();
    expect(await read()).toEqual(before);
  });

  it('that asks for the status of success is fulfilled by the state', async () => {
    const { ask } = await adapter.open();
    expect(await (await ask('/pets/3', prefer('code=200'))).json()).toMatchObject({ id: 3 });
    expect((await ask('/pets/4711', prefer('code=200'))).status).toBe(404);
    const created = await ask('/pets', prefer('code=201', json('POST', { name: 'Rex', categoryId: 1 })));
    expect(created.status).toBe(201);
    expect((await ask(created.headers.get('location') ?? '')).status).toBe(200);
  });

  it.each<[string, RequestInit]>([
    ['/pets/1', {}],
    ['/pets/1', prefer('code=404')],
    ['/pets/4711', {}],
    ['/pets?limit=0', {}],
    ['/pets', json('POST', {})],
  ])('varies the answer to %s %o, so that caches know', async (path, init) => {
    const { ask } = await opened();
    const vary = (await ask(path, init)).headers.get('vary') ?? '';
    expect(vary.toLowerCase().split(/\s*,\s*/)).toContain('prefer');
  });

  it('answers the same to the same preference, whoever asks in between', async () => {
    const { ask } = await opened();
    const read = async (preference: string) => (await ask('/pets/1', prefer(preference))).text();
    const first = await read('code=503');
    await read('code=429');
    await read('example=sold');
    expect(await read('code=503')).toBe(first);
  });
});

describeAdapters('a response without content', (adapter) => {
  const spec = documentOf({
    '/anything': { get: { operationId: 'getAnything', responses: DEFAULT_ERROR } },
    '/moved': {
      get: {
        operationId: 'getMoved',
        responses: {
          ...jsonAnswer({ type: 'string' }, { example: 'here' }),
          204: { description: 'Nothing.', content: { 'application/json': { example: 'surplus' } } },
          304: { description: 'As before.' },
          404: { description: 'Gone, without a word.' },
        },
      },
    },
  });
  const opened = once(() => adapter.open({ spec }));

  // RFC 9110 sections 6.4.1 and 8.6: neither content nor a length of it.
  it.each([
    ['/anything', 204],
    ['/anything', 205],
    ['/anything', 304],
    ['/moved', 204],
    ['/moved', 304],
  ])('%s with code=%d is answered without content', async (path, code) => {
    const { ask } = await opened();
    const response = await ask(path, prefer(`code=${code}`));
    expect(response.status).toBe(code);
    expect(await response.text()).toBe('');
    expect(Number(response.headers.get('content-length') ?? 0)).toBe(0);
    expect(response.headers.get('content-type')).toBeNull();
    expect((await ask('/moved')).status).toBe(200);
  });

  it.each([100, 101, 102, 103, 199])(
    'code=%d is no final answer, so nothing like it is sent',
    async (code) => {
      const { ask } = await opened();
      const response = await ask('/anything', prefer(`code=${code}`));
      expect(response.status).toBeGreaterThanOrEqual(200);
      await response.text();
      expect((await ask('/moved')).status).toBe(200);
    },
  );

  it('is given where the document declares no content for an error', async () => {
    const { ask } = await opened();
    const response = await ask('/moved', prefer('code=404'));
    expect(response.status).toBe(404);
    expect(response.headers.get('preference-applied')).toBe('code=404');
  });
});
