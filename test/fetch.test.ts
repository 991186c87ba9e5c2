import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MockRequest } from '../src/message/message.ts';
import { readFetch } from '../src/server/fetch.ts';

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
  const { body } = read as MockRequest;
  return body instanceof Uint8Array ? { ...(read as MockRequest), body: [...body] } : read;
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
