import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { createBodies } from '../src/wire/server/bodies.ts';
import { serve } from '../src/wire/server/server.ts';
import { parseError } from './support/errors.ts';
import { type Answer, dial, get, type Line, post } from './support/line.ts';
import {
  inPath,
  inQuery,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toList,
  toObject,
  toOperation,
} from './support/small-documents.ts';

const PET = '{"name":"Waffles","categoryId":1}';
const closing: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function open(options?: MockOptions): Promise<{ mock: Mock; port: number; call: () => Promise<Line> }> {
  const mock = await createMock(options);
  const { port } = await mock.listen();
  closing.push(() => mock.close());
  const call = async () => {
    const line = await dial(port);
    closing.push(() => line.socket.destroy());
    return line;
  };
  return { mock, port, call };
}

async function countPets(mock: Mock): Promise<number> {
  return Number((await mock.fetch('/pets', { method: 'HEAD' })).headers.get('x-total-count'));
}

async function answersOf(line: Line, count: number): Promise<Answer[]> {
  const found: Answer[] = [];
  while (found.length < count) found.push(await line.answer());
  return found;
}

/** What frees all memory that can be freed. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** What sends a body without a connection. */
class Upload extends EventEmitter {
  readonly headers = {};
  complete = false;

  finish(): void {
    this.complete = true;
    this.emit('end');
  }
}

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe('what cannot be read behind a good request', () => {
  const GARBAGE = 'no request at all\r\n\r\n';
  const SLOW: MockOptions = { errors: [{ operation: 'getPet', delay: 60 }] };
  const unknown = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';

  test.each<[what: string, options: MockOptions, parts: string[], statuses: number[]]>([
    ['is refused after its answer', {}, [get('/pets/1'), GARBAGE], [200, 400]],
    ['is refused after an answer that waits', SLOW, [get('/pets/1'), GARBAGE], [200, 400]],
    ['is refused after several', SLOW, [get('/pets/1'), get('/categories/1'), GARBAGE], [200, 200, 400]],
    ['is refused after a creation', {}, [post('/pets', PET), GARBAGE], [201, 400]],
    [
      'is refused once, though more comes',
      SLOW,
      [get('/pets/1'), GARBAGE, GARBAGE, get('/pets/1')],
      [200, 400],
    ],
    [
      'may be headers that are too large',
      SLOW,
      [get('/pets/1'), get('/pets/1', `X-A: ${'a'.repeat(20_000)}`)],
      [200, 431],
    ],
    ['may be a CONNECT', SLOW, [get('/pets/1'), unknown], [200, 501]],
    [
      'may be a CONNECT after an answer that is ready',
      {},
      [get('/categories/1'), unknown, get('/pets/1')],
      [200, 501],
    ],
    [
      'may be a body',
      SLOW,
      [get('/pets/1'), 'POST /pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
      [200, 400],
    ],
    ['may be a Host', SLOW, [get('/pets/1'), 'GET /pets/2 HTTP/1.1\r\nHost: a b\r\n\r\n'], [200, 400]],
    [
      'is not carried out after a last answer',
      {},
      ['GET /pets/2 HTTP/1.1\r\nHost: a b\r\n\r\n', post('/pets', PET)],
      [400],
    ],
  ])('%s', async (_, options, parts, statuses) => {
    const { mock, call } = await open(options);
    const before = await countPets(mock);
    for (const split of [false, true]) {
      const line = await call();
      if (!split) line.send(parts.join(''));
      for (const part of split ? parts : []) {
        line.send(part);
        await wait(5);
      }
      const answers = await answersOf(line, statuses.length);
      expect(statusesOf(answers)).toEqual(statuses);
      expect(answers.at(-1)?.headers.get('connection')).toBe('close');
      expect(await line.rest()).toBe('');
    }
    expect(await countPets(mock)).toBe(before + (statuses[0] === 201 ? 2 : 0));
  });
});

describe('a client that hangs up', () => {
  test.each([
    ['after CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['after garbage', 'garbage\r\n\r\n'],
    ['in a body', post('/pets', PET).slice(0, -5)],
    ['in a head', 'GET /pets'],
    ['after its request', get('/pets/1')],
  ])('%s does no harm', async (_, text) => {
    const { mock, call } = await open();
    const before = await countPets(mock);
    for (let i = 0; i < 30; i++) {
      const line = await call();
      line.send(text);
      if (i % 3 > 0) await wait(i % 3);
      line.socket.resetAndDestroy();
    }
    await wait(20);
    const line = await call();
    line.send(get('/pets/1'));
    expect((await line.answer()).status).toBe(200);
    expect(await countPets(mock)).toBe(before);
  });
});

describe('Host', () => {
  const request = (target: string, version: string, hosts: readonly string[]) =>
    [`GET ${target} HTTP/${version}`, ...hosts, '', ''].join('\r\n');

  test.each<[status: number, target: string, version: string, ...hosts: string[]]>([
    [400, '/pets/1', '1.1'],
    [200, '/pets/1', '1.0'],
    [200, '/pets/1', '1.1', 'Host:'],
    [200, '/pets/1', '1.1', 'Host: a:'],
    [200, '/pets/1', '1.1', 'host: a.example:80'],
    [200, '/pets/1', '1.1', 'HOST: [::1]:80'],
    [200, '/pets/1', '1.1', 'Host: 127.0.0.1'],
    [200, '/pets/1', '1.1', 'Host: my_host-1.%C3%BC'],
    [400, '/pets/1', '1.1', 'Host: a', 'Host: a'],
    [400, '/pets/1', '1.1', 'Host: a', 'hOST: b'],
    [400, '/pets/1', '1.0', 'Host: a', 'Host: b'],
    [400, '/pets/1', '1.1', 'Host: a b'],
    [400, '/pets/1', '1.0', 'Host: a b'],
    [400, '/pets/1', '1.1', 'Host: a, b'],
    [400, '/pets/1', '1.1', 'Host: http://a'],
    [400, '/pets/1', '1.1', 'Host: a/b'],
    [400, '/pets/1', '1.1', 'Host: a?b'],
    [400, '/pets/1', '1.1', 'Host: user@a'],
    [400, '/pets/1', '1.1', 'Host: a:b'],
    [400, '/pets/1', '1.1', 'Host: a:1:2'],
    [400, '/pets/1', '1.1', 'Host: [::1'],
    [400, '/pets/1', '1.1', 'Host: "'],
    [400, '/pets/1', '1.1', 'Host: %zz'],
    [400, '/pets/1', '1.1', 'Host: \u00fc'],
    [400, 'http://a/pets/1', '1.1'],
    [400, 'http://a/pets/1', '1.1', 'Host: a b'],
    [200, 'http://a:1/pets/1', '1.1', 'Host: b'],
    [400, 'http://a%22b:x/pets/1', '1.1', 'Host: b'],
    [200, '/pets/1', '1.1', ...Array.from({ length: 2500 }, () => 'a:'), 'Host: a'],
    [400, '/pets/1', '1.1', 'Host: a', ...Array.from({ length: 2500 }, () => 'a:'), 'Host: a'],
  ])('%d for %s HTTP/%s %s', async (status, target, version, ...hosts) => {
    const { call } = await open();
    const line = await call();
    line.send(Buffer.from(request(target, version, hosts), 'latin1'));
    const answer = await line.answer();
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(parseError(answer.body, 400).code).toBe('malformed_request');
      expect(await line.rest()).toBe('');
    }
  });

  test('is refused by fetch, too', async () => {
    const { mock } = await open();
    expect((await mock.fetch('/pets/1', { headers: { Host: 'a b' } })).status).toBe(400);
    expect((await mock.fetch('/pets/1', { headers: { Host: 'a:1' } })).status).toBe(200);
  });

  test.each([
    ['/notes?limit=1', 'a.example:80', 'http://a.example:80/notes?limit=1&offset=1'],
    ['http://user@b.example/notes?limit=1', 'a.example', 'http://b.example/notes?limit=1&offset=1'],
    ['/notes?limit=1', '', 'http://localhost/notes?limit=1&offset=1'],
    ['/notes?limit=1&z="<>\\^`{|}', 'a', 'http://a/notes?limit=1&z=%22%3C%3E%5C%5E%60%7B%7C%7D&offset=1'],
  ])('%s of %s is where the links of a list lead', async (target, host, next) => {
    const note = toObject({ id: TEXT });
    const paths = toCrud('/notes', inPath('id', TEXT), note);
    const page = toObject({ items: toList(note), next: TEXT });
    const query = [
      inQuery('limit', { type: 'integer' }),
      inQuery('offset', { type: 'integer' }),
      inQuery('q'),
    ];
    const spec = toDocument({
      ...paths,
      '/notes': { ...(paths['/notes'] as object), get: toOperation(toAnswer(200, page), undefined, query) },
    });
    const { call } = await open({ spec });
    const line = await call();
    line.send(get(target).replace('Host: localhost', `Host: ${host}`));
    const { status, body } = await line.answer();
    expect([status, JSON.parse(body).next]).toEqual([200, next]);
  });
});

describe('targets', () => {
  test.each([
    ['//evil.example/pets', 404],
    ['/pets//evil.example', 404],
    ['http://evil.example//pets', 404],
    ['/"<>\\^`{|}', 404],
    ['/pets/"<>\\^`{|}', 400],
    ['/pets/%', 400],
    ['/pets/%00', 400],
    ['/pets/1;a=b', 400],
    ['ftp://a/pets/1', 404],
    [`/${'/'.repeat(8000)}`, 404],
    [`/pets/1?${'&'.repeat(8000)}`, 200],
    [`/pets/1?__${'&__seed='.repeat(1000)}`, 200],
  ])('%.30s is answered %d', async (target, status) => {
    const { call } = await open();
    const line = await call();
    line.send(get(target), get('/categories/1'));
    const answers = await answersOf(line, 2);
    expect(statusesOf(answers)).toEqual([status, 200]);
    for (const value of answers[0]?.headers.values() ?? []) expect(value).toMatch(/^[\t -~]*$/);
  });
});

describe('unfinished bodies', () => {
  const head = (length: number) =>
    `POST /pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const SENT = 1_000_000;
  const bytes = Buffer.alloc(SENT, ' ');

  test('of all connections are held in 64 MiB: the one that stalled first gives way', async () => {
    const { mock, call } = await open();
    const before = await countPets(mock);
    const stalled: Line[] = [];
    for (let i = 0; i < 100; i++) {
      const line = await call();
      line.send(head(SENT + PET.length), bytes);
      stalled.push(line);
    }
    const refused = await Promise.all(stalled.slice(0, 30).map((line) => line.answer()));
    expect(new Set(statusesOf(refused))).toEqual(new Set([408]));
    expect(parseError(refused[0]?.body ?? '', 408).code).toBe('request_timeout');
    expect(refused[0]?.headers.get('connection')).toBe('close');
    const last = stalled.slice(-50);
    for (const line of last) line.send(PET);
    expect(new Set(statusesOf(await Promise.all(last.map((line) => line.answer()))))).toEqual(new Set([201]));
    expect(await countPets(mock)).toBe(before + 50);
  });

  test.each<[how: string, end: (upload: Upload) => void, received: unknown]>([
    ['finished', (upload) => upload.finish(), expect.any(Uint8Array)],
    ['given up', (upload) => upload.emit('close'), 'gone'],
    ['too large', (upload) => upload.emit('data', bytes), undefined],
    ['too large, to the end', (upload) => upload.emit('data', bytes) && upload.finish(), 'too-large'],
  ])('that are %s make room for others', (_, end, received) => {
    const bodies = createBodies(1024 * 1024);
    for (let i = 0; i < 200; i++) {
      const upload = new Upload();
      const results: unknown[] = [];
      bodies.receive(upload as unknown as IncomingMessage, (result) => results.push(result));
      upload.emit('data', bytes.subarray(1));
      end(upload);
      upload.emit('close');
      expect(results).toEqual(received === undefined ? ['gone'] : [received]);
    }
  });

  test.each<[how: string, end: (line: Line) => unknown, status: number | undefined]>([
    ['hangs up', (line) => line.socket.resetAndDestroy(), undefined],
    ['half-closes', (line) => line.socket.end(), 400],
    ['stops making sense', (line) => line.send('x\r\n'), 400],
  ])('are let go when their client %s', async (_, end, status) => {
    const { call } = await open();
    const collect = exposeCollector();
    collect();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 40; i++) {
      const line = await call();
      line.send(
        'POST /pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nf4240\r\n',
        bytes,
        '\r\n',
      );
      await wait(5);
      end(line);
      if (status !== undefined) expect((await line.answer()).status).toBe(status);
    }
    const held = () => {
      collect();
      return process.memoryUsage().arrayBuffers - before;
    };
    // Connections close a little later, on a busy machine much later. What leaks is held for good.
    await expect.poll(held, { timeout: 20_000, interval: 50 }).toBeLessThan(10_000_000);
  });

  test('are put together from pieces of any size', () => {
    const bodies = createBodies(1024 * 1024);
    const upload = new Upload();
    const results: unknown[] = [];
    bodies.receive(upload as unknown as IncomingMessage, (result) => results.push(result));
    const pieces = Array.from({ length: 2000 }, (_, index) => Buffer.alloc(index % 1000, String(index % 7)));
    for (const piece of pieces) upload.emit('data', piece);
    upload.finish();
    expect(Buffer.concat(pieces).equals(results[0] as Buffer)).toBe(true);
  });
});

describe('requests that wait', () => {
  test('are bounded, and those beyond are asked to come again', async () => {
    const many = 20_000;
    const seen = { waiting: 0, refused: 0 };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Each answer waits until the last request was read, however long that takes.
    const count = (which: 'waiting' | 'refused') => {
      seen[which] += 1;
      if (seen.waiting + seen.refused === many) release();
    };
    const server = await serve({
      ...{ host: '127.0.0.1', port: 0, bodyLimit: 1000 },
      report(error) {
        throw error;
      },
      async answer() {
        count('waiting');
        await released;
        return { status: 200, headers: { 'Content-Length': '0' } };
      },
      refuse(status) {
        count('refused');
        return { status, headers: { 'Content-Length': '0' } };
      },
    });
    closing.push(() => server.close());
    const line = await dial(server.port);
    closing.push(() => line.socket.destroy());
    line.send(get('/').repeat(many));
    const answers = await answersOf(line, many);
    const refused = answers.filter(({ status }) => status === 503);
    expect(seen).toEqual({ waiting: many - refused.length, refused: refused.length });
    expect(seen.waiting).toBeGreaterThan(16_000);
    expect(seen.refused).toBeGreaterThan(2000);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    line.send(get('/'));
    expect((await line.answer()).status).toBe(200);
  });
});

describe('close', () => {
  const SLOW: MockOptions = { errors: [{ operation: 'getPet', delay: 100 }] };

  test.each([
    ['behind an answer that waits', [get('/pets/1'), post('/pets', PET)], [200, 201], 1],
    [
      'that waits itself',
      [get('/pets/1'), post('/categories', '{"name":"Insects"}'), get('/pets/2')],
      [200, 201, 200],
      0,
    ],
  ])(
    'answers what was asked before, %s, and carries out nothing that comes later',
    async (_, asked, statuses, made) => {
      const { mock, call } = await open(SLOW);
      const before = await countPets(mock);
      const line = await call();
      line.send(...asked);
      await wait(30);
      const closed = mock.close();
      line.send(post('/pets', PET), post('/pets', PET));
      const answers = await answersOf(line, statuses.length);
      expect(statusesOf(answers)).toEqual(statuses);
      // The head of an answer that was ready before says nothing about the end yet.
      expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(
        statuses.map((_, index) => (index === 2 ? 'close' : 'keep-alive')),
      );
      expect(await line.rest()).toBe('');
      await closed;
      await wait(120);
      expect(await countPets(mock)).toBe(before + made);
    },
  );

  test('carries out no request whose answer comes too late, and is done in 5 seconds', {
    timeout: 10_000,
  }, async () => {
    const { mock, call } = await open({ errors: [{ operation: 'createPet', delay: 3500 }] });
    const before = await countPets(mock);
    const [slow, stalled, silent] = await Promise.all([call(), call(), call()]);
    slow.send(post('/pets', PET));
    stalled.send(post('/categories', `{"name":"Insects"${' '.repeat(100_000)}`).slice(0, -10));
    silent.send('GET /pets/1 HTTP/1.1\r\nHost: a');
    await wait(50);
    const started = performance.now();
    await mock.close();
    expect(performance.now() - started).toBeLessThan(5000);
    expect([await slow.rest(), await stalled.rest(), await silent.rest()]).toEqual(['', '', '']);
    await wait(800);
    expect(await countPets(mock)).toBe(before);
  });

  test('lets a slow client read its answer to the end', async () => {
    const text = 'x'.repeat(20_000_000);
    const spec = toDocument({
      '/big': {
        get: toOperation({ 200: { description: 'Big', content: { 'text/plain': { example: text } } } }),
      },
    });
    const { mock, call } = await open({ spec });
    const line = await call();
    line.socket.pause();
    line.send(get('/big'));
    await wait(200);
    const closed = mock.close();
    await wait(50);
    let length = 0;
    line.socket.removeAllListeners('data');
    line.socket.on('data', (chunk) => {
      length += chunk.length;
    });
    line.socket.resume();
    await closed;
    await line.rest();
    expect(length).toBeGreaterThan(text.length);
  });
});
