import { afterEach, describe, expect, test } from 'vitest';
import { createLog, toFailureEntry } from '../src/cli/log.ts';
import type { MockResponse } from '../src/wire/message/message.ts';
import { serve } from '../src/wire/server/http.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { readError } from './support/errors.ts';
import { dial, get, type Line } from './support/line.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toObject,
  toOperation,
} from './support/small-documents.ts';

const NOTE = toObject({ id: TEXT, any: {} });
const HEADER_VALUE = /^[\t -~]*$/;

const lines: Line[] = [];

afterEach(async () => {
  for (const { socket } of lines.splice(0)) socket.destroy();
  await closeAll();
});

async function call(port: number): Promise<Line> {
  const line = await dial(port);
  lines.push(line);
  return line;
}

describeAdapters('what a client says in a header', ({ open }) => {
  test.each([
    ['__seed=%E2%82%AC', undefined, 'seed="%E2%82%AC"'],
    ['__seed=%0D%0AX-Evil:%201', undefined, 'seed="%0D%0AX-Evil: 1"'],
    ['__seed=%00%7F', undefined, 'seed="%00%7F"'],
    ['__seed=a%22b%5Cc', undefined, 'seed="a\\"b\\\\c"'],
    ['__seed=%ED%A0%80', undefined, 'seed="%EF%BF%BD%EF%BF%BD%EF%BF%BD"'],
    ['', 'seed="a b"', 'seed="a b"'],
    ['', 'seed="a\\"b"', 'seed="a\\"b"'],
    ['', 'seed=\u00c3\u00bc', 'seed="%C3%BC"'],
    ['', 'seed=\u00fc', 'seed="%C3%BC"'],
    ['', 'seed=100%', 'seed=100%'],
  ])('?%s and "Prefer: %s" comes back as %s', async (query, prefer, applied) => {
    const { ask } = await open();
    const headers = { Prefer: prefer === undefined ? 'code=404' : `code=404, ${prefer}` };
    const response = await ask(`/pets/1?${query}`, { headers });
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([
      404,
      `code=404, ${applied}`,
    ]);
  });

  test('names an example as the document spells it', async () => {
    const answer = {
      description: 'Done',
      content: { 'application/json': { examples: { größe: { value: { any: 4 } } } } },
    };
    const { ask } = await open({ spec: toDocument({ '/size': { get: toOperation({ 200: answer }) } }) });
    const response = await ask('/size', { headers: { Prefer: 'example=gr\u00c3\u00b6\u00c3\u009fe' } });
    expect([response.status, await response.json()]).toEqual([200, { any: 4 }]);
    expect(response.headers.get('Preference-Applied')).toBe('example="gr%C3%B6%C3%9Fe"');
  });

  test.each(['größen', '日本', 'a b', '<x>'])(
    'a Location below /%s leads to what was created',
    async (name) => {
      const { ask } = await open({
        spec: toDocument(toCrud(`/${name}`, inPath('id', TEXT), NOTE)),
        empty: true,
      });
      const made = await ask(`/${encodeURI(name)}`, json('POST', { id: 'ü>1' }));
      const place = made.headers.get('Location') ?? '';
      expect([made.status, place]).toEqual([201, expect.stringMatching(/^\/[\w%]+\/%C3%BC%3E1$/)]);
      expect((await ask(place)).status).toBe(200);
    },
  );

  test('a link to a successor is a URI', async () => {
    const old = { ...toOperation(toAnswer(200, NOTE)), deprecated: true, 'x-replaced-by': '/größen/{id}' };
    const { ask } = await open({
      spec: toDocument({ '/old/{id}': { parameters: [inPath('id', TEXT)], get: old } }),
    });
    const { headers } = await ask('/old/%E2%82%AC%3E%22');
    expect(headers.get('Link')).toBe('</gr%C3%B6%C3%9Fen/%E2%82%AC%3E%22>; rel="successor-version"');
  });

  test('a path that speaks of relations takes no link away', async () => {
    const paths = toCrud('/of/{name}/notes', inPath('id', TEXT), NOTE, {
      above: [inPath('name', TEXT)],
      query: [inQuery('limit', INTEGER), inQuery('offset', INTEGER)],
    }) as Record<string, { get: object }>;
    const list = paths['/of/{name}/notes'];
    if (list) list.get = { ...list.get, deprecated: true, 'x-deprecation-link': 'https://example.com/' };
    const { ask } = await open({ spec: toDocument(paths) });
    const link = (await ask('/of/a;rel=deprecation;/notes?limit=1')).headers.get('Link');
    expect(link).toMatch(/rel="next".*rel="deprecation"/);
  });

  test('an upgrade, credentials and conditions of any text are answered', async () => {
    const { ask } = await open();
    for (const name of [
      'Authorization',
      'Cookie',
      'Accept',
      'If-None-Match',
      'Content-Type',
      'X-Request-Id',
      'constructor',
      '__proto__',
    ])
      for (const value of ['"', '\u00ff\u0080', '\t\\', ';;,,==', 'a'.repeat(8000), '()'.repeat(4000)]) {
        const response = await ask('/pets/1', { headers: { [name]: value } });
        expect([name, value, response.status < 500]).toEqual([name, value, true]);
        for (const each of response.headers.values()) expect(each).toMatch(HEADER_VALUE);
      }
  });

  test('a preflight names the headers that it was asked for, and nothing else', async () => {
    const { ask } = await open();
    const asked = { 'Access-Control-Request-Method': 'PUT' };
    const preflight = async (names: string) =>
      (
        await ask('/pets/1', {
          method: 'OPTIONS',
          headers: { ...asked, 'Access-Control-Request-Headers': names },
        })
      ).headers;
    expect((await preflight('authorization,x-a')).get('Access-Control-Allow-Headers')).toBe(
      'authorization,x-a',
    );
    expect((await preflight('x-a, "\u00ff", x-b')).get('Access-Control-Allow-Headers')).toBe('x-a, x-b');
    expect((await preflight('"')).has('Access-Control-Allow-Headers')).toBe(false);
    expect((await preflight('a,'.repeat(7500))).get('Access-Control-Allow-Origin')).toBe('*');
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a header parameter named %s is absent until it is sent',
    async (name) => {
      const parameter = { in: 'header', name, schema: INTEGER };
      const spec = toDocument({
        '/may': { get: toOperation(toAnswer(200, NOTE), undefined, [parameter]) },
        '/must': { get: toOperation(toAnswer(200, NOTE), undefined, [{ ...parameter, required: true }]) },
      });
      const { ask } = await open({ spec });
      expect((await ask('/may')).status).toBe(200);
      const refused = await ask('/must');
      expect([refused.status, refused.headers.get('X-Mock-Violations')]).toEqual([
        422,
        `[{"location":"header.${name.toLowerCase()}","message":"is required","code":"required"}]`,
      ]);
    },
  );

  test('many cookies are read in no time', async () => {
    const parameter = { in: 'cookie', name: 'a', schema: { type: 'array', items: TEXT } };
    const { ask } = await open({
      spec: toDocument({ '/x': { get: toOperation(toAnswer(200, NOTE), undefined, [parameter]) } }),
    });
    await ask('/x', { headers: { Cookie: 'a=1' } });
    // The fastest of several, because the machine may be busy.
    const times: number[] = [];
    for (let i = 0; i < 8; i++) {
      const started = performance.now();
      await ask('/x', { headers: { Cookie: 'a=;'.repeat(5000) } });
      times.push(performance.now() - started);
    }
    expect(Math.min(...times)).toBeLessThan(60);
  });
});

describeAdapters('the headers of an answer', ({ open }) => {
  const paths = toCrud('/of/{name}/notes', inPath('id', TEXT), NOTE, {
    above: [inPath('name', TEXT)],
    query: [inQuery('limit', INTEGER), inQuery('offset', INTEGER), inQuery('q')],
  });
  const lengthOf = ({ headers }: Response) =>
    [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);

  test.each([100, 2000, 4000, 6000, 9000, 14_000])(
    'to a request with a path of %d characters are short enough for fetch',
    async (length) => {
      const { ask } = await open({ spec: toDocument(paths) });
      const path = `/of/${'x'.repeat(length)}/notes`;
      const made = await ask(path, json('POST', { id: 'a' }));
      const list = await ask(`${path}?limit=1&offset=1`, { headers: { Prefer: `seed=${'s'.repeat(1000)}` } });
      expect([made.status, list.status]).toEqual([201, 200]);
      expect([lengthOf(made), lengthOf(list)].filter((each) => each > 12_500)).toEqual([]);
      expect(made.headers.get('Location')).toBe(length < 11_000 ? `${path}/a` : null);
      // Whole, or not at all; the way on is the last to go.
      const links = list.headers.get('Link')?.split(', ') ?? [];
      for (const link of links) expect(link).toMatch(/^<\/of\/x+\/notes\?limit=1&offset=\d+>; rel="\w+"$/);
      expect(links.map((link) => /rel="(\w+)"/.exec(link)?.[1])).toEqual(
        length <= 2000
          ? ['first', 'prev', 'next', 'last']
          : length <= 4000
            ? ['prev', 'next']
            : length <= 9000
              ? ['next']
              : [],
      );
    },
  );

  test('leave out the place of an entity that no request could name', async () => {
    const { ask } = await open({ spec: toDocument(paths) });
    const made = await ask('/of/a/notes', json('POST', { id: 'ü'.repeat(100_000) }));
    expect([made.status, made.headers.get('Location')]).toEqual([201, null]);
    expect(lengthOf(made)).toBeLessThan(12_500);
  });
});

describeAdapters('a callback that fails', ({ open }) => {
  const failure = new Error('a callback of the user');
  const cases: [how: string, status: number, fail: () => unknown][] = [
    [
      'throws',
      500,
      () => {
        throw failure;
      },
    ],
    [
      'rejects',
      200,
      async () => {
        throw failure;
      },
    ],
  ];

  test.each(cases)('(it %s) costs no more than its own request', async (_, status, fail) => {
    const errors: unknown[] = [];
    const { ask } = await open({
      onExchange: ({ path }) => (path === '/pets/1' ? fail() : undefined) as undefined,
      onError: (error) => errors.push(error),
    });
    const [failed, other] = await Promise.all([ask('/pets/1'), ask('/pets/2')]);
    expect([failed.status, other.status]).toEqual([status, 200]);
    if (status === 500) expect((await readError(failed)).code).toBe('internal_error');
    expect((await ask('/pets/2')).status).toBe(200);
    expect(errors).toEqual([failure]);
  });

  test.each(cases)('may be followed by an onError that fails (both %s)', async (_, status, fail) => {
    const { ask } = await open({ onExchange: fail as () => void, onError: fail as () => void, delay: 1 });
    expect((await ask('/pets/1')).status).toBe(status);
    expect((await ask('/pets/1')).status).toBe(status);
  });
});

const GOOD: MockResponse = { status: 200, headers: { 'Content-Length': '2' }, body: 'ok' };

/** A server of answers that no mock would give. */
async function serveAnswers(answers: Readonly<Record<string, () => MockResponse | Promise<MockResponse>>>) {
  const errors: unknown[] = [];
  const listening = await serve({
    answer: ({ path }) => (answers[path] ?? (() => GOOD))(),
    refuse: (status, code) => ({ status, headers: { 'Content-Length': String(code.length) }, body: code }),
    report: (error) => errors.push(error),
    bodyLimit: 1000,
    host: '127.0.0.1',
    port: 0,
  });
  return { ...listening, errors };
}

describe('a server', () => {
  const bad: [what: string, answer: () => MockResponse | Promise<MockResponse>][] = [
    [
      'throws',
      () => {
        throw new Error('here');
      },
    ],
    ['rejects', () => Promise.reject(new Error('here'))],
    ['rejects with nothing', () => Promise.reject()],
    ['answers with a header that HTTP cannot write', () => ({ status: 200, headers: { 'X-A': '€' } })],
    ['answers with a header of two lines', async () => ({ status: 200, headers: { 'X-A': 'a\r\nb: c' } })],
    ['answers with a status that there is not', () => ({ status: 99, headers: {} })],
    ['answers with nothing', () => undefined as unknown as MockResponse],
  ];

  test.each(bad)('whose mock %s answers 500, and everybody else as ever', async (_, answer) => {
    const { port, errors, close } = await serveAnswers({ '/bad': answer });
    const [first, second, third] = await Promise.all([call(port), call(port), call(port)]);
    first.send(get('/good'), get('/bad'), get('/good'));
    second.send(get('/bad'));
    third.send(get('/good'));
    const statuses = async (line: Line, count: number) => {
      const found: number[] = [];
      while (found.length < count) found.push((await line.answer()).status);
      return found;
    };
    expect(await Promise.all([statuses(first, 3), statuses(second, 1), statuses(third, 1)])).toEqual([
      [200, 500, 200],
      [500],
      [200],
    ]);
    expect(errors).toHaveLength(2);
    await close();
  });
});

describe('the command', () => {
  test('prints the stack of what no exchange shows', async () => {
    const printed: string[] = [];
    const { log } = createLog({ level: 'error', format: 'pretty', color: false }, (text) =>
      printed.push(text),
    );
    log(toFailureEntry(new Error('a \u001b[31mred\u009b text')));
    expect(printed.join('')).toMatch(/a \\u001b\[31mred\\u009b text\n +at .*edge\.test\.ts/);
    log(toFailureEntry('a text'));
    expect(printed.join('')).toContain('a text');
  });
});
