import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { sendInSlices } from '../src/answer/respond/send-in-slices.ts';
import { inSlice } from '../src/base/slices.ts';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const COUNT = 9000;
/** Below the number from which a list is made in slices. */
const PAGE = 4500;
const ODD = 'Quotes " and \\, <tags> & a line\nbreak, a comma, \u0001, \u2028, a 😀';
const FILLING = 'Long enough for a text of more than four MiB. '.repeat(12);
const THINGS = Array.from({ length: COUNT }, (_, index) => ({
  id: index + 1,
  name: index % 1000 === 0 ? ODD : `Thing ${index}`,
  text: FILLING,
  // A column that only the last row has.
  ...(index === COUNT - 1 && { late: [1, null] }),
}));

const THING = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    text: { type: 'string' },
    late: { type: 'array', items: { type: 'integer', nullable: true } },
  },
};
const LIST = { type: 'array', items: THING };
const MEDIA_TYPES = [
  'application/json',
  'application/xml',
  'text/csv',
  'application/x-ndjson',
  'text/event-stream',
];
const inQuery = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } });
const listOf = (contents: object) => ({
  parameters: [inQuery('limit'), inQuery('offset')],
  responses: { 200: { description: 'Fine.', content: contents } },
});
const ENVELOPE = {
  type: 'object',
  required: ['total', 'data'],
  properties: { total: { type: 'integer' }, data: LIST, next: { type: 'string', nullable: true } },
};
const SPEC = documentOf({
  '/things': {
    get: listOf(Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema: LIST }]))),
    post: {
      requestBody: { content: { 'application/json': { schema: THING } } },
      responses: { 201: { description: 'Made.', content: { 'application/json': { schema: THING } } } },
    },
  },
  '/boxes': {
    get: listOf({ 'application/json': { schema: ENVELOPE }, 'application/xml': { schema: ENVELOPE } }),
  },
  '/boxes/{id}': {
    get: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { 200: { description: 'Fine.', content: { 'application/json': { schema: THING } } } },
    },
  },
});
const OPTIONS = { spec: SPEC, fixtures: { things: THINGS, boxes: [] } };

afterEach(closeAll);

/** The part of a text that the items fill. */
const ITEMS: Readonly<Record<string, (text: string) => string>> = {
  'application/json': (text) => text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')),
  'application/xml': (text) => /^<\?xml[^>]*>\n<\w+>(.*)<\/\w+>$/s.exec(text)?.[1] ?? 'no list',
  'text/csv': (text) => text.slice(text.indexOf('\r\n') + 2),
};

/** Reads a list page by page, each of which is made at once. */
async function readPages(ask: Ask, path: string, accept: string): Promise<string[]> {
  const pages: string[] = [];
  for (let offset = 0; offset < COUNT; offset += PAGE)
    pages.push(await (await ask(`${path}?limit=${PAGE}&offset=${offset}`, { headers: { accept } })).text());
  return pages;
}

describeAdapters('A list too long to be made whole', ({ open }) => {
  test.each(MEDIA_TYPES)('has the items of its pages as %s', async (accept) => {
    const { ask } = await open(OPTIONS);
    const response = await ask('/things', { headers: { accept } });
    const names = ['Content-Type', 'Content-Length', 'ETag', 'X-Total-Count'];
    expect(names.map((name) => response.headers.get(name))).toEqual([accept, null, null, String(COUNT)]);
    const toItems = ITEMS[accept] ?? ((text) => text);
    const pages = (await readPages(ask, '/things', accept)).map(toItems);
    const joined = pages.join(accept === 'application/json' ? ',' : '');
    expect(toItems(await response.text()) === joined).toBe(true);
    // Only XML and the like might run in a browser.
    expect(response.headers.get('X-Content-Type-Options')).toBe(
      accept === 'application/json' ? null : 'nosniff',
    );
  });

  test('has its envelope around it', async () => {
    const { ask } = await open({ spec: SPEC, fixtures: { things: [], boxes: THINGS } });
    expect(await (await ask('/boxes')).json()).toEqual({ total: COUNT, data: THINGS, next: null });
    const xml = await (await ask('/boxes', { headers: { accept: 'application/xml' } })).text();
    expect(xml).toMatch(/^<\?xml [^>]*\?>\n<root>.*<total>9000<\/total>.*<\/root>$/s);
    expect(xml.split('<name>')).toHaveLength(COUNT + 1);
  });

  test('is the same in the state, in a list of it and in a snapshot', async () => {
    const { ask } = await open({ spec: SPEC, fixtures: { things: THINGS, boxes: THINGS } });
    await ask('/__mock/snapshots', json('POST', { name: 'one' }));
    expect(await (await ask('/__mock/state/things')).json()).toEqual(THINGS);
    const state = { things: THINGS, boxes: THINGS };
    expect(await (await ask('/__mock/state')).json()).toMatchObject(state);
    expect(await (await ask('/__mock/snapshots/one')).json()).toMatchObject(state);
  });

  test('shows the state at the moment of the request', async () => {
    const { ask } = await open(OPTIONS);
    const response = await ask('/things');
    const state = await ask('/__mock/state/things');
    expect((await ask('/things', json('POST', { id: COUNT + 1 }))).status).toBe(201);
    expect(await response.json()).toEqual(THINGS);
    expect(await state.json()).toEqual(THINGS);
    expect(await (await ask('/things')).json()).toHaveLength(COUNT + 1);
  });

  test('has no ETag that a client could know', async () => {
    const { ask } = await open(OPTIONS);
    const head = await ask('/things', { method: 'HEAD' });
    expect([head.status, head.headers.get('X-Total-Count'), await head.text()]).toEqual([
      200,
      String(COUNT),
      '',
    ]);
    const read = await ask('/things', { headers: { 'If-None-Match': '"any"' } });
    expect([read.status, ((await read.json()) as unknown[]).length]).toEqual([200, COUNT]);
    const post = async (tag: string) => {
      const init = json('POST', { id: COUNT + 1 }, { 'If-Match': tag });
      return (await ask('/things', init)).status;
    };
    expect([await post('"any"'), await post('*')]).toEqual([412, 201]);
  });

  test.each([
    ['empty', ''],
    ['malformed', `${JSON.stringify(THINGS).slice(0, -1)},`],
  ])('is made whole for a fault: %s', async (effect, text) => {
    const { ask } = await open(OPTIONS);
    const response = await ask('/things', { headers: { 'X-Mock-Fault': JSON.stringify({ effect }) } });
    expect(response.headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
    expect((await response.text()) === text).toBe(true);
  });

  test('breaks off for a fault that truncates it', async () => {
    const { ask } = await open(OPTIONS);
    const fault = JSON.stringify({ effect: 'truncate', bytes: 10 });
    await expect((await ask('/things', { headers: { 'X-Mock-Fault': fault } })).text()).rejects.toThrow();
  });

  test('has no body in the journal, and counts in the coverage', async () => {
    const { ask, mock } = await open(OPTIONS);
    await (await ask('/things')).text();
    const [entry] = mock.journal;
    expect(entry).toMatchObject({ status: 200, source: 'state', response: { body: undefined } });
    const { operations } = mock.coverage();
    const seen = operations.find(({ path, method }) => path === '/things' && method === 'GET');
    const properties = { '200 /*/id': true, '200 /*/name': true, '200 /*/text': true };
    expect(seen?.points.responseProperties).toMatchObject(properties);
  });

  test('may be left in the middle', async () => {
    const { ask } = await open({
      ...OPTIONS,
      onError(error) {
        throw error;
      },
    });
    const controller = new AbortController();
    const response = await ask('/things', { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read().then(() => reader.read())).rejects.toThrow();
    expect((await ask('/__mock/health')).status).toBe(200);
  });
});

test('A state of many lists has all of them, and lets others have their turn', async () => {
  const entity = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
  const read = (schema: object, ...names: string[]) => ({
    get: { parameters: names.map(inPath), responses: jsonAnswer(schema) },
  });
  const list = { type: 'array', items: entity };
  const spec = documentOf({
    '/users': read(list),
    '/users/{user}': read(entity, 'user'),
    '/users/{user}/posts': read(list, 'user'),
    '/users/{user}/posts/{id}': read(entity, 'user', 'id'),
  });
  const users = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1 }));
  const posts = users.map(({ id }) => [`posts@users/${id}`, [{ id }]]);
  const fixtures = { users, ...Object.fromEntries(posts) };
  const mock = await createMock({ spec, fixtures });
  await mock.fetch('/__mock/health');
  await mock.fetch('/__mock/state/users');
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const state = await (await mock.fetch('/__mock/state')).json();
  isDone = true;
  expect(state).toEqual(fixtures);
  expect(turns).toBeGreaterThan(2);
});

test('A long answer is whole for the check', async () => {
  const mock = await createMock(OPTIONS);
  expect((await mock.check()).violations).toEqual([]);
});

describe('Closing', () => {
  async function begin() {
    const mock = await createMock(OPTIONS);
    const { url } = await mock.listen();
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${url}/things`, resolve).on('error', reject);
    });
    return { mock, incoming };
  }

  test('lets a client read a long answer to its end', async () => {
    const { mock, incoming } = await begin();
    const texts: Buffer[] = [];
    incoming.on('data', (data: Buffer) => texts.push(data));
    await Promise.all([mock.close(), once(incoming, 'end')]);
    expect(JSON.parse(Buffer.concat(texts).toString())).toEqual(THINGS);
  });

  test('ends a long answer that nobody reads', async () => {
    const { mock, incoming } = await begin();
    const failed = once(incoming, 'error');
    await mock.close();
    incoming.resume();
    expect(String(await failed)).toMatch('aborted');
  });
});

describe('Sending in slices', () => {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  /** Sends pieces to a client that takes so many of them before it has to be waited for. */
  function open(pieces: () => Generator<string, void, undefined>, takes = Number.POSITIVE_INFINITY) {
    const events: string[] = [];
    const source = sendInSlices(pieces(), {
      write(text) {
        events.push(text);
        return events.length % takes !== 0;
      },
      end: () => events.push('end'),
      fail: (error) => events.push(String(error)),
    });
    return { events, source };
  }

  function* letters() {
    yield* ['a', '', 'b', 'c'];
  }

  test('makes no more than the client takes, and ends after it has read', async () => {
    const { events, source } = open(letters, 1);
    const seen: string[] = [];
    for (let step = 0; step < 5; step++) {
      for (let count = 0; count < 5; count++) await turn();
      seen.push(events.join(''));
      source.resume();
      source.resume();
    }
    expect(seen).toEqual(['a', 'ab', 'abc', 'abcend', 'abcend']);
  });

  test('lets others have their turn after each slice, and gives several answers one slice a turn', async () => {
    const slow = function* () {
      for (let piece = 0; piece < 3; piece++) {
        const end = performance.now() + 11;
        while (performance.now() < end);
        yield String(piece);
      }
    };
    const both = [open(slow), open(slow)];
    const counts: number[] = [];
    for (let count = 0; count < 12; count++) {
      counts.push(both.reduce((sum, { events }) => sum + events.length, 0));
      await turn();
    }
    const steps = counts.slice(1).map((count, at) => count - (counts[at] as number));
    expect(Math.max(...steps)).toBe(1);
    expect(both.map(({ events }) => events.join(''))).toEqual(['012end', '012end']);
  });

  test('makes nothing more for a client that has left', async () => {
    const { events, source } = open(letters, 2);
    await turn();
    source.close();
    source.resume();
    await turn();
    expect(events).toEqual(['a', 'b']);
  });

  test('breaks off after an error', async () => {
    const { events } = open(function* () {
      yield 'a';
      throw new Error('Broken');
    });
    await turn();
    expect(events).toEqual(['a', 'Error: Broken']);
  });
});

test('Slices have a turn each, in order', async () => {
  const turns: number[] = [];
  let now = 0;
  for (let index = 0; index < 3; index++) inSlice(() => turns.push(now));
  while (now < 5) {
    await new Promise((resolve) => setImmediate(resolve));
    now += 1;
  }
  expect(new Set(turns).size).toBe(3);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
});
