import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import type { MockRequest } from '../src/wire/message/message.ts';
import { raceSignal, readFetch } from '../src/wire/server/fetch.ts';

const LIMIT = 64;

type Asked = readonly [input: string | URL, init?: RequestInit | undefined];

const toUrl = (input: string | URL) =>
  typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input;

/** What is read, or why nothing is. */
async function outcome(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

const direct = ([input, init]: Asked) => outcome(() => readFetch(input, init, LIMIT));
const throughRequest = ([input, init]: Asked) =>
  outcome(async () => readFetch(new Request(toUrl(input), init), undefined, LIMIT));

const plain = (read: unknown) => {
  const { request, ...rest } = read as { readonly request?: MockRequest };
  const { body } = request ?? {};
  return body instanceof Uint8Array ? { ...rest, request: { ...request, body: [...body] } } : read;
};

const CASES: readonly Asked[] = [
  ['/pets'],
  ['/pets?limit=2&name=a%20b#end'],
  ['/a b/ä'],
  ['//pets'],
  ['/a/../pets/./1'],
  [new URL('http://example.com:81/pets?x=1')],
  ['https://example.com'],
  ['http://user:secret@localhost/pets'],
  ['pets'],
  ['http://'],
  ['/pets', {}],
  ['/pets', { method: 'get' }],
  ['/pets', { method: 'post', body: 'x' }],
  ['/pets', { method: 'patch', body: 'x' }],
  ['/pets', { method: 'PURGE' }],
  ['/pets', { method: 'TRACE' }],
  ['/pets', { method: 'a b' }],
  ['/pets', { method: 'GET', body: 'x' }],
  ['/pets', { method: 'HEAD', body: '' }],
  ['/pets', { method: 'DELETE' }],
  ['/pets', { method: 'POST' }],
  ['/pets', { method: 'POST', body: null }],
  ['/pets', { method: 'POST', body: '' }],
  ['/pets', { method: 'POST', body: 'text' }],
  ['/pets', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }],
  ['/pets', { method: 'POST', body: '{}', headers: [['content-type', 'application/json']] }],
  ['/pets', { method: 'POST', body: 'ä\u{1F600}\uD800' }],
  ['/pets', { method: 'POST', body: 'x'.repeat(LIMIT) }],
  ['/pets', { method: 'POST', body: 'x'.repeat(LIMIT + 1) }],
  ['/pets', { method: 'POST', body: new Uint8Array([1, 2]) }],
  ['/pets', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }],
  ['/pets', { headers: { Accept: ' a ', cookie: 'a=b' } }],
  [
    '/pets',
    {
      headers: [
        ['X-Two', 'a'],
        ['x-two', 'b'],
      ],
    },
  ],
  ['/pets', { headers: { 'a b': 'c' } }],
  ['/pets', { headers: { a: 'ä\n' } }],
  ['/pets', { signal: AbortSignal.timeout(1000) }],
  ['/pets', { keepalive: true }],
];

describe('A request in process', () => {
  test.each(CASES.map(([input, init]) => ({ input, init })))(
    'is read as Request reads it: $input $init',
    async ({ input, init }) => {
      expect(plain(await direct([input, init]))).toEqual(plain(await throughRequest([input, init])));
    },
  );

  test('is read as Request reads it, whatever the text', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('GET', 'POST', 'put', 'OPTIONS'),
        fc.dictionary(fc.string(), fc.string()),
        fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
        async (path, method, headers, body) => {
          const asked: Asked = [`/${path}`, { method, headers, ...(body !== undefined && { body }) }];
          expect(plain(await direct(asked))).toEqual(plain(await throughRequest(asked)));
        },
      ),
    ));
});

describe('mock.fetch', () => {
  const delayed = { delay: 300 };

  test('rejects with the reason of a signal that is aborted already, and carries nothing out', async () => {
    const mock = await createMock();
    const signal = AbortSignal.abort(new Error('Not any more'));
    await expect(mock.fetch('/pets/1', { method: 'DELETE', signal })).rejects.toThrow('Not any more');
    await expect(mock.fetch(new Request('http://a/pets/1', { signal }))).rejects.toThrow('Not any more');
    expect(mock.journal).toEqual([]);
    expect((await mock.fetch('/pets/1')).status).toBe(200);
  });

  test.each(['init', 'request'])('rejects while it waits, and never carries that out: %s', async (place) => {
    const mock = await createMock({ errors: [{ operation: 'createCategory', delay: 80 }] });
    const controller = new AbortController();
    const { signal } = controller;
    const init = {
      method: 'POST',
      body: '{"name":"Newts"}',
      headers: { 'Content-Type': 'application/json' },
      signal,
    };
    const answer =
      place === 'init'
        ? mock.fetch('/categories', init)
        : mock.fetch(new Request('http://localhost/categories', init));
    setTimeout(() => controller.abort(), 20);
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => mock.journal.length).toBe(1);
    expect(mock.journal[0]?.status).toBe(503);
    expect(await (await mock.fetch('/categories')).text()).not.toContain('Newts');
  });

  test('rejects in time with AbortSignal.timeout', async () => {
    const mock = await createMock(delayed);
    const start = performance.now();
    await expect(mock.fetch('/pets', { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(performance.now() - start).toBeLessThan(280);
  });

  test('leaves no listener on a signal that outlives it, and takes null for none', async () => {
    const mock = await createMock();
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    expect(await raceSignal(signal, Promise.resolve(1))).toBe(1);
    await new Promise(setImmediate);
    expect(listeners).toBe(0);
    expect((await mock.fetch('/pets', { signal: null })).status).toBe(200);
  });

  test.each([
    ['/pets?limit=1#end', 'http://localhost/pets?limit=1'],
    ['http://example.com:81/a b', 'http://example.com:81/a%20b'],
    [new Request('https://example.com/pets#x'), 'https://example.com/pets'],
  ])('gives its response the address that was asked: %s', async (input, url) => {
    const mock = await createMock();
    const response = await mock.fetch(input);
    expect(response.url).toBe(url);
    expect(response.clone().clone().url).toBe(url);
    expect(await response.clone().text()).toBe(await response.text());
  });
});

test('A mock closes its servers at the end of a block that uses it', async () => {
  const mock = await createMock();
  const { url } = await mock.listen();
  expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  await mock[Symbol.asyncDispose]();
  await expect(fetch(`${url}/pets/1`)).rejects.toThrow();
});
