import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Service } from '../src/core/service/service.ts';
import { createMock } from '../src/index.ts';
import { createJudge, type Judge, judgeAnswer } from '../src/mock/check/judge.ts';
import type { Operation } from '../src/model/operations/operations.ts';
import { toHeaderName } from '../src/wire/message/message.ts';
import { closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { answerOf, create, idsOf } from './support/asking.ts';
import { hostileRequests, type Target } from './support/hostile-requests.ts';
import { type RawRequest, type RawResponse, sendRaw } from './support/raw-http.ts';
import { openService } from './support/services.ts';
import {
  INTEGER,
  inPath,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toList,
  toObject,
  toOperation,
} from './support/small-documents.ts';

const DOCUMENTS = fileURLToPath(new URL('./documents/', import.meta.url));
const NOTE = toObject({ id: TEXT, any: {} });
const NOTES = toDocument(toCrud('/notes', inPath('id', TEXT), NOTE));

const TYPES = ['application/json', 'application/xml', 'application/x-www-form-urlencoded'];

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await closeAll();
  await Promise.all(closing.splice(0).map((close) => close()));
});

const isDocument = (file: string) =>
  /\.(ya?ml|json)$/.test(file) &&
  /^\s*["']?(openapi|swagger)["']?:/m.test(readFileSync(DOCUMENTS + file, 'utf8'));

const SEGMENTS = [
  '__proto__',
  'constructor',
  '..%2f',
  '%00',
  '%',
  '9'.repeat(30),
  'x'.repeat(3000),
  '-1',
  '1e9',
  '%22',
  'a%2Fb',
  '%ED%A0%80',
];
const QUERIES = [
  'limit=0&page=0&offset=-1&sort=__proto__&cursor=x',
  'limit=1e9&q=%00&__proto__=1',
  '&&=&%',
  'a[b][c]=1&constructor=1',
];
const BODIES = [
  '',
  '[]',
  'null',
  '1',
  '"x"',
  '{',
  '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '{"id":"\\ud800"}',
  '{"id":1e400}',
];

function toRequests({ method, path }: { method: string; path: string }): [string, RequestInit][] {
  const at = (segment: string) => path.replace(/\{[^{}]+\}/g, segment);
  const bodies = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? BODIES : [];
  return [
    ...SEGMENTS.map((segment): [string, RequestInit] => [at(segment), { method }]),
    ...QUERIES.map((query): [string, RequestInit] => [`${at('1')}?${query}`, { method }]),
    ...bodies.flatMap((body) =>
      TYPES.map((type): [string, RequestInit] => [
        at('1'),
        { method, body, headers: { 'Content-Type': type } },
      ]),
    ),
  ];
}

describe('whatever is asked of', () => {
  test.each(readdirSync(DOCUMENTS).filter(isDocument))(
    '%s, no answer is a failure of the server',
    async (file) => {
      const failed: string[] = [];
      const mock = await createMock({
        spec: DOCUMENTS + file,
        auth: false,
        onExchange: ({ method, path, problem }) => {
          if (problem?.code === 'internal_error') failed.push(`${method} ${path}: ${String(problem.cause)}`);
        },
      });
      for (const [path, init] of mock.operations.flatMap(toRequests)) await mock.fetch(path, init);
      expect(failed).toEqual([]);
    },
  );
});

describeAdapters('a hostile client', ({ open }) => {
  test.each([
    '[]',
    '[{}]',
    'null',
    '1',
    'true',
    '"x"',
    `{"any":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    '{"any":1e400}',
  ])('that sends %.20s gets a 422, and nothing changes', async (body) => {
    const { ask } = await open({ spec: NOTES, empty: true });
    await create(ask, '/notes', { id: 'a' });
    const headers = { 'Content-Type': 'application/json' };
    for (const [method, path] of [
      ['POST', '/notes'],
      ['PUT', '/notes/a'],
      ['PATCH', '/notes/a'],
    ] as const)
      expect.soft([method, (await ask(path, { method, body, headers })).status]).toEqual([method, 422]);
    expect(await answerOf(ask, '/notes')).toEqual([200, [{ id: 'a' }]]);
  });

  test.each(['.', '..', '\ud800', 'a\udc00b'])(
    'that chooses the key %j, which no path can hold, gets a 422',
    async (id) => {
      const { ask } = await open({ spec: NOTES, empty: true });
      expect(await answerOf(ask, '/notes', json('POST', { id }))).toEqual([422, 'validation_failed']);
      expect(await idsOf(ask, '/notes')).toEqual([]);
    },
  );

  test.each([
    '__proto__',
    'constructor',
    'a/b',
    '%2F',
    '%',
    '"',
    '\u0000',
    'ü ',
    '...',
    'x'.repeat(3000),
    '9'.repeat(30),
    '-1',
    '1e9',
  ])('may choose the key %.20j, and finds it again', async (id) => {
    const { ask } = await open({ spec: NOTES, empty: true });
    const made = await ask('/notes', json('POST', { id }));
    const place = made.headers.get('Location') ?? '';
    expect([made.status, place]).toEqual([201, `/notes/${encodeURIComponent(id)}`]);
    expect(await answerOf(ask, place)).toEqual([200, { id }]);
    expect(await answerOf(ask, place, json('PUT', { any: 1 }))).toEqual([200, { id, any: 1 }]);
    expect((await ask(place, { method: 'DELETE' })).status).toBe(204);
    expect(await answerOf(ask, place, json('PUT', { any: 2 }))).toEqual([201, { id, any: 2 }]);
  });

  test('pollutes no prototype', async () => {
    const { ask } = await open({ spec: NOTES, empty: true });
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"id":"a","any":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}';
    for (const [method, path] of [
      ['POST', '/notes'],
      ['PATCH', '/notes/a'],
      ['PUT', '/notes/a'],
    ] as const)
      expect((await ask(path, { method, body, headers })).status).toBeLessThan(300);
    expect(await (await ask('/notes/a')).text()).toContain('"any":{"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describeInProcess('an object of which the document says nothing', ({ open }) => {
  test('is answered without members of our own', async () => {
    const free = { type: 'object' };
    const spec = toDocument(
      {
        '/free': { get: toOperation(toAnswer(200, free)) },
        '/all': { get: toOperation(toAnswer(200, toList({ $ref: '#/components/schemas/Free' }))) },
      },
      { Free: free },
    );
    const { ask } = await open({ spec });
    expect(await answerOf(ask, '/free')).toEqual([200, {}]);
    expect(JSON.stringify(await answerOf(ask, '/all'))).not.toMatch(/stoplight|key/);
  });
});

describeInProcess('a mock', ({ open }) => {
  const spec = toDocument(toCrud('/pets', inPath('id'), toObject({ id: INTEGER, name: TEXT }, 'id', 'name')));

  test('without state forgets what it is told, and still answers everything', async () => {
    const { ask, mock } = await open({ spec, stateless: true });
    expect((await ask('/pets', json('POST', { id: 4711, name: 'x' }))).status).toBe(201);
    expect(await idsOf(ask, '/pets')).not.toContain(4711);
    expect(mock.resources).toEqual([]);
    expect((await mock.check()).violations).toEqual([]);
  });

  test('that starts empty has nothing, and gets it', async () => {
    const { ask, mock } = await open({ spec, empty: true });
    expect(await idsOf(ask, '/pets')).toEqual([]);
    await create(ask, '/pets', { id: 1, name: 'x' });
    mock.reset();
    expect(await idsOf(ask, '/pets')).toEqual([]);
    expect((await mock.check()).violations).toEqual([]);
  });

  test('answers as Prefer has it, and leaves its state alone', async () => {
    const { ask } = await open({ spec, empty: true });
    const refused = await ask('/pets', json('POST', { id: 1, name: 'x' }, { Prefer: 'code=200' }));
    expect([refused.status < 500, await idsOf(ask, '/pets')]).toEqual([true, []]);
  });

  test('has the same data with the same seed, and other data with another', async () => {
    const texts: string[] = [];
    for (const seed of [1, 1, 2]) texts.push(await (await (await open({ spec, seed })).ask('/pets')).text());
    expect([texts[0] === texts[1], texts[1] === texts[2]]).toEqual([true, false]);
  });
});

describe('A hostile request over a socket', () => {
  const files = readdirSync(DOCUMENTS, { recursive: true, encoding: 'utf8' }).filter(isDocument);

  test.each([undefined, ...files.map((file) => DOCUMENTS + file)])(
    'gets a response that the document allows, and harms nobody: %s',
    async (spec) => {
      const { service } = await openService({ ...(spec && { spec }), auth: false });
      const judge = await createJudge(service.document);
      const mock = await createMock({ ...(spec && { spec }), auth: false });
      closing.push(() => mock.close());
      const { url } = await mock.listen();
      const targets = service.table.operations.map(toTarget);
      const bystander = await sendRaw(url, BYSTANDER);
      await fc.assert(
        fc.asyncProperty(hostileRequests(targets), async (request) => {
          const response = await sendRaw(url, request);
          expect(await findFaults(service, judge, request, response)).toEqual([]);
          expect((await sendRaw(url, BYSTANDER)).status).toBe(bystander.status);
        }),
        { numRuns: 40 },
      );
      expect(mock.journal.filter(({ problem }) => problem?.code === 'internal_error')).toEqual([]);
    },
    60_000,
  );
});

/** What anybody else asks meanwhile. */
const BYSTANDER = { method: 'OPTIONS', target: '*', headers: [] };

function toTarget({ method, path, parameters }: Operation): Target {
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  return { method, path, query: namesIn('query'), headers: namesIn('header') };
}

/** Everything in which a response breaks the document, where an operation matches. */
async function findFaults(
  { table }: Service,
  judge: Judge,
  { method, target, headers }: RawRequest,
  response: RawResponse,
): Promise<string[]> {
  const [path = '', query = ''] = target.split('#')[0]?.split('?', 2) ?? [];
  const operation = table.probe(method, path);
  if (!operation || response.status === 400) return [];
  const asked = { method, path, query, headers: Object.fromEntries(headers) };
  const answer = {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers].map(([name, [value = '']]) => [toHeaderName(name), value]),
    ),
    ...(response.body.length > 0 && { body: response.body.toString() }),
  };
  const findings = await judgeAnswer(judge, operation, asked, answer, { statuses: ANY_STATUS });
  return findings.map(({ message }) => message);
}

const ANY_STATUS = Array.from({ length: 400 }, (_, index) => 200 + index);
