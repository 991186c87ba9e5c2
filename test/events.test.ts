import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';

afterEach(closeAll);

interface Event {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** A stream of events as a client reads it. */
interface Feed {
  readonly response: Response;
  /** The next events. */
  take(count: number): Promise<Event[]>;
  /** The ids of the next events. */
  ids(count: number): Promise<string[]>;
  /** Resolves once the stream has ended, to whether it was broken off. */
  ended(): Promise<boolean>;
  leave(): Promise<void>;
}

const EVENTS = '/__mock/events';

async function follow(ask: Ask, query = '', init?: RequestInit): Promise<Feed> {
  const response = await ask(EVENTS + query, init);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const take = async (count: number) => {
    const events: Event[] = [];
    while (events.length < count) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`The stream ended after ${events.length} of ${count} events`);
        text += decoder.decode(value, { stream: true });
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const member = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = member('data');
      if (data !== undefined) events.push({ id: member('id'), event: member('event'), data });
    }
    return events;
  };
  return {
    response,
    take,
    ids: async (count) => (await take(count)).map(({ id }) => String(id)),
    async ended() {
      try {
        while (!(await reader.read()).done);
        return false;
      } catch {
        return true;
      }
    },
    leave: () => reader.cancel(),
  };
}

const send = async (ask: Ask, ...paths: readonly string[]) => {
  for (const path of paths) await (await ask(path)).text();
};

describeAdapters('A stream of events', ({ open }) => {
  test('has each request as the journal lists it, once it is answered', async () => {
    const { ask } = await open();
    await send(ask, '/pets/1');
    const feed = await follow(ask);
    expect(Object.fromEntries(feed.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    await send(ask, '/pets/2');
    await ask('/categories', json('POST', { name: 'Two\nlines' }));
    const events = await feed.take(2);
    const { entries } = (await (await ask('/__mock/journal?since=1')).json()) as { entries: object[] };
    expect(events.map(({ id, event, data }) => [id, event, JSON.parse(data)])).toEqual([
      ['2', undefined, entries[0]],
      ['3', undefined, entries[1]],
    ]);
    await feed.leave();
  });

  test('begins with a hint when to connect again', async () => {
    const { ask } = await open();
    const { body } = await ask(EVENTS);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('retry: 1000\n\n');
    await reader.cancel();
  });

  const starts: readonly (readonly [lastEventId: string | undefined, query: string, ids: string[]])[] = [
    [undefined, '', ['5']],
    ['2', '', ['3', '4', '5']],
    ['4', '', ['5']],
    ['0', '', ['1', '2', '3', '4', '5']],
    [undefined, '?since=3', ['4', '5']],
    [undefined, '?since=2000-01-01T00:00:00Z', ['1', '2', '3', '4', '5']],
    ['3', '?since=0', ['4', '5']],
    ['0', '?status=4xx', ['2', '3']],
    ['2', '?operation=getPet', ['3', '5']],
    ['0', '?source=state&operation=getPet', ['1', '5']],
    // An earlier mock on this port has given these.
    ['99', '', ['1', '2', '3', '4', '5']],
    ['-1', '', ['1', '2', '3', '4', '5']],
    ['x'.repeat(8000), '', ['1', '2', '3', '4', '5']],
    ['9'.repeat(8000), '', ['1', '2', '3', '4', '5']],
    ['1e1', '', ['1', '2', '3', '4', '5']],
    ['2; DROP', '?since=4', ['1', '2', '3', '4', '5']],
    ['', '?since=4', ['5']],
  ];

  test.each(starts)('resumes after %j with the query "%s"', async (lastEventId, query, ids) => {
    const { ask } = await open();
    await send(ask, '/pets/1', '/nowhere', '/pets/999', '/categories');
    const headers: Record<string, string> = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    const feed = await follow(ask, query, { headers });
    expect(feed.response.status).toBe(200);
    await send(ask, '/pets/2');
    expect(await feed.ids(ids.length)).toEqual(ids);
    await feed.leave();
  });

  test('names the mistake in a filter, like the journal', async () => {
    const { ask } = await open();
    for (const query of ['?operation=getPets', '?status=600', '?since=yesterday', '?source=magic'])
      expect((await ask(EVENTS + query)).status).toBe(query.includes('operation') ? 422 : 400);
  });

  test('hides credentials', async () => {
    const { ask } = await open();
    const feed = await follow(ask);
    await ask('/pets?token=hush', json('POST', { password: 'hush' }, { Authorization: 'Bearer hush' }));
    const [{ data } = { data: '' }] = await feed.take(1);
    expect(data).not.toContain('hush');
    expect(data).toContain('[hidden]');
    await feed.leave();
  });

  test('is that of the session, which its header or its path names', async () => {
    const { ask } = await open();
    const feeds = [
      await follow(ask, '', { headers: { 'X-Mock-Session': 'one' } }),
      await follow((path) => ask(`/__mock/sessions/one${path}`)),
    ];
    await send(ask, '/pets/1', '/__mock/sessions/one/pets/2');
    for (const feed of feeds) {
      const [event] = await feed.take(1);
      expect([event?.id, JSON.parse(event?.data ?? '')]).toEqual([
        '1',
        expect.objectContaining({ path: '/pets/2', session: 'one' }),
      ]);
      await feed.leave();
    }
  });

  test('goes on after a reset, and says when the journal is emptied', async () => {
    const { ask } = await open();
    const feed = await follow(ask);
    await ask('/__mock/reset', { method: 'POST' });
    await send(ask, '/pets/1');
    await ask('/__mock/journal', { method: 'DELETE' });
    expect((await feed.take(3)).map(({ event, id, data }) => event ?? [id, data.slice(0, 6)])).toEqual([
      'cleared',
      ['1', '{"id":'],
      'cleared',
    ]);
    await feed.leave();
  });

  test('ends with its session', async () => {
    const { ask } = await open();
    const feed = await follow((path) => ask(`/__mock/sessions/one${path}`));
    await send(ask, '/__mock/sessions/one/pets/1');
    await ask('/__mock/sessions/one', { method: 'DELETE' });
    expect(await feed.ids(1)).toEqual(['1']);
    expect(await feed.ended()).toBe(false);
  });

  test('ends when its session is evicted', async () => {
    const { ask } = await open({ maxSessions: 1 });
    const feed = await follow((path) => ask(`/__mock/sessions/one${path}`));
    await send(ask, '/__mock/sessions/two/pets/1');
    expect(await feed.ended()).toBe(false);
  });

  test('is answered to HEAD by its head alone', async () => {
    const { ask } = await open();
    const response = await ask(EVENTS, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream',
      '',
    ]);
  });

  test('is switched off with the control API', async () => {
    const { ask } = await open({ control: false });
    expect((await ask(EVENTS)).status).toBe(404);
  });

  test('survives a reload', async () => {
    const { ask, mock } = await open();
    const feed = await follow(ask);
    await mock.reload();
    await send(ask, '/pets/1');
    expect(await feed.ids(1)).toEqual(['1']);
    await feed.leave();
  });

  test('is sent though the journal keeps nothing', async () => {
    const { ask } = await open({ journal: 0 });
    const feed = await follow(ask, '?since=0');
    await send(ask, '/pets/1', '/pets/2');
    expect(await feed.ids(2)).toEqual(['1', '2']);
    await feed.leave();
  });

  test('has a journal of many megabytes, and entries larger than any buffer', async () => {
    const { ask } = await open();
    const body = '\u0001'.repeat(900_000);
    for (let round = 0; round < 7; round += 1) await ask('/pets', { method: 'POST', body });
    const feed = await follow(ask, '?since=0');
    await ask('/pets', { method: 'POST', body });
    const events = await feed.take(8);
    expect(events.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(events.at(-1)?.data.length).toBeGreaterThan(5_000_000);
    await feed.leave();
  });

  test('ends when the client aborts its request', async () => {
    const { ask } = await open();
    const controller = new AbortController();
    const feed = await follow(ask, '', { signal: controller.signal });
    await send(ask, '/pets/1');
    expect(await feed.ids(1)).toEqual(['1']);
    controller.abort();
    await expect(feed.take(1)).rejects.toMatchObject({ name: 'AbortError' });
    await fillUp(ask);
  });

  test('is one of at most 100, and leaves its place to others', async () => {
    const { ask } = await open();
    const feeds = await fillUp(ask);
    const refused = await ask(EVENTS);
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_streams' }]);
    expect((await ask(EVENTS, { method: 'HEAD' })).status).toBe(429);
    await Promise.all(feeds.map((feed) => feed.leave()));
    await Promise.all((await fillUp(ask)).map((feed) => feed.leave()));
  });

  test('is refused with 429 also where all are asked for at once', async () => {
    const { ask } = await open();
    const answers = await Promise.all(Array.from({ length: 150 }, () => ask(EVENTS)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([100, 50]);
    expect(await refused[0]?.json()).toMatchObject({
      code: 'too_many_streams',
      message: expect.stringContaining(
        'At most 100 clients can follow requests at a time. Close some streams,',
      ),
    });
    await Promise.all(answers.map(({ body, bodyUsed }) => (bodyUsed ? undefined : body?.cancel())));
    // A HEAD, and a client that goes at once, take a place only for a moment.
    await Promise.all(Array.from({ length: 100 }, () => ask(EVENTS, { method: 'HEAD' })));
    await Promise.all((await fillUp(ask)).map((feed) => feed.leave()));
  });

  test('leaves nothing behind after a thousand short visits', async () => {
    const { ask } = await open();
    for (let round = 0; round < 20; round += 1) {
      const controllers = Array.from({ length: 50 }, () => new AbortController());
      const visits = controllers.map(({ signal }, at) =>
        follow(ask, '', { signal })
          .then((feed) => (at % 2 === 0 ? feed.leave() : undefined))
          .catch(() => undefined),
      );
      if (round % 2 === 0) await Promise.all(visits);
      for (const controller of controllers) controller.abort();
      await Promise.all(visits);
    }
    await Promise.all((await fillUp(ask)).map((feed) => feed.leave()));
  });

  test('is given up once too much waits for a client that does not read', async () => {
    const { ask } = await open();
    const idle = await follow(ask);
    const busy = await follow(ask);
    const body = 'x'.repeat(1_000_000);
    // A socket has room for some of them.
    for (let round = 1; round <= 24; round += 1) {
      await ask('/pets', { method: 'POST', body });
      expect(await busy.ids(1)).toEqual([String(round)]);
    }
    expect(await idle.ended()).toBe(true);
    await busy.leave();
  });
});

/** Opens as many streams as a mock allows. Closed connections take a moment. */
function fillUp(ask: Ask): Promise<Feed[]> {
  return vi.waitFor(
    async () => {
      const feeds = await Promise.all(Array.from({ length: 100 }, () => follow(ask)));
      const isFull = feeds.every(({ response }) => response.status === 200);
      if (!isFull) await Promise.all(feeds.map((feed) => feed.leave()));
      expect(isFull).toBe(true);
      return feeds;
    },
    { timeout: 5000 },
  );
}

const CALLERS: readonly (readonly [headers: Record<string, string>, status: number])[] = [
  [{ Host: 'attacker.test' }, 403],
  [{ Origin: 'https://attacker.test' }, 403],
  [{ Origin: 'https://attacker.test', Authorization: 'Bearer open-sesame' }, 200],
  [{ Origin: 'http://localhost:3000' }, 200],
];

test.each(CALLERS)('A stream of events for %o is answered with %i', async (headers, status) => {
  const mock = await createMock({ controlToken: 'open-sesame' });
  const response = await mock.fetch(EVENTS, { headers });
  expect(response.status).toBe(status);
  if (headers.Origin?.includes('localhost'))
    expect(response.headers.get('access-control-allow-origin')).toBe(headers.Origin);
  await response.body?.cancel();
});

test('A stream of events takes any Last-Event-ID', async () => {
  const mock = await createMock();
  await send(mock.fetch, '/pets/1');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), async (value) => {
      const feed = await follow(mock.fetch, '?since=0', { headers: { 'Last-Event-ID': value } });
      if (!/^ *0*1 *$/.test(value)) expect(await feed.ids(1)).toEqual(['1']);
      await feed.leave();
    }),
    { numRuns: 300, examples: [['1'], ['01'], ['0x1'], ['1.0'], ['+0'], ['NaN'], ['__proto__']] },
  );
});

test('A comment keeps a silent stream alive, until it is left', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const mock = await createMock();
    const { body } = await mock.fetch(EVENTS);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    await read();
    for (let round = 0; round < 3; round += 1) {
      vi.advanceTimersByTime(15_000);
      expect(await read()).toBe(': \n\n');
    }
    await reader.cancel();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

describe('A stream of events over a socket', () => {
  test('ends at once when the mock is closed, and so do a hundred', async () => {
    const mock = await createMock();
    const { url } = await mock.listen();
    const feeds = await fillUp((path, init) => fetch(url + path, init));
    const started = performance.now();
    await mock.close();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(await Promise.all(feeds.map((feed) => feed.ended()))).toEqual(feeds.map(() => true));
  });

  test('does not cut off the answers that its connection has after it', async () => {
    const mock = await createMock({ delay: 300 });
    const { port } = await mock.listen();
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data));
    socket.write(`GET /__mock/sessions/one/__mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await vi.waitFor(() => expect(received).toContain('retry'));
    mock.session('one').end();
    await vi.waitFor(() => expect(received).toContain('\r\n0\r\n\r\n'));
    socket.write('GET /pets/1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await mock.close();
    await vi.waitFor(() => expect(received).toContain('Biscuit'));
  });

  test('counts only once it is its turn on the connection', async () => {
    const mock = await createMock();
    const { url, port } = await mock.listen();
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data));
    socket.write(`GET ${EVENTS} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(150));
    await vi.waitFor(() => expect(received).toContain('retry'));
    const ask: Ask = (path, init) => fetch(url + path, init);
    const feeds = await Promise.all(Array.from({ length: 99 }, () => follow(ask)));
    expect(feeds.map(({ response }) => response.status)).toEqual(feeds.map(() => 200));
    expect((await ask(EVENTS)).status).toBe(429);
    socket.destroy();
    await Promise.all(feeds.map((feed) => feed.leave()));
    await fillUp(ask);
    await mock.close();
  });
});
