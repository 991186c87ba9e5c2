import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../src/cli/cli.ts';
import { type CoverageReport, createMock } from '../src/index.ts';
import { toCoverageFindings } from '../src/mock/coverage/coverage.ts';
import { closeAll, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'coverage-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
  await closeAll();
});

const TAGGED = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    kind: { enum: ['cat', 'dog'] },
    tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    parent: { $ref: '#/components/schemas/Tagged' },
  },
};

const SPEC = {
  ...documentOf({
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          { name: 'kind', in: 'query', schema: { enum: ['cat', 'dog'] } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          ...jsonAnswer({ type: 'array', items: { $ref: '#/components/schemas/Tagged' } }),
          404: { description: 'None.' },
        },
      },
      post: {
        operationId: 'createThing',
        security: [{ key: [] }],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Tagged' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Tagged' } },
          },
        },
        responses: {
          201: {
            description: 'Made.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Tagged' } } },
          },
        },
      },
    },
    '/old': {
      get: {
        operationId: 'readOld',
        deprecated: true,
        'x-sunset': '2027-01-01',
        responses: jsonAnswer({ type: 'string' }),
      },
    },
  }),
  components: {
    schemas: { Tagged: TAGGED },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
};

const operationOf = (report: CoverageReport, id: string) => {
  const found = report.operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`No operation ${id}`);
  return found;
};

describeInProcess('The coverage', ({ open }) => {
  test('counts operations, statuses, parameters, properties, enums, media types and credentials', async () => {
    const { ask, mock } = await open({ spec: SPEC, empty: true });
    const thing = { id: 1, kind: 'cat', tags: [{ name: 'a' }] };
    await ask('/things', json('POST', thing, { 'X-Key': 'k' }));
    await ask('/things?kind=cat', { headers: { 'x-trace': '1' } });
    const report = mock.coverage();
    expect(report.summary.operations).toEqual({ covered: 2, total: 3 });
    expect(operationOf(report, 'createThing')).toMatchObject({
      calls: 1,
      statuses: { 201: 1 },
      points: {
        statuses: { 201: true },
        requestProperties: {
          '/id': true,
          '/kind': true,
          '/tags': true,
          '/tags/*/name': true,
          '/parent': false,
        },
        enumValues: { 'request /kind=cat': true, 'request /kind=dog': false },
        mediaTypes: {
          'request application/json': true,
          'request application/x-www-form-urlencoded': false,
          '201 application/json': true,
        },
        securitySchemes: { 'X-Key header': true },
      },
    });
    expect(operationOf(report, 'listThings').points).toMatchObject({
      statuses: { 200: true, 404: false },
      parameters: { 'query.kind': true, 'header.x-trace': true },
      enumValues: { 'query.kind=cat': true, 'query.kind=dog': false },
      responseProperties: { '200 /*/id': true, '200 /*/kind': true, '200 /*/parent': false },
    });
    expect(operationOf(report, 'readOld').calls).toBe(0);
  });

  test('counts the requests of all sessions, repeated ones too, and none of the control API', async () => {
    const { ask, mock } = await open();
    for (const session of ['one', 'one', 'two'])
      await ask('/categories/1', { headers: { 'X-Mock-Session': session } });
    await ask('/__mock/journal');
    await ask('/pets', {
      method: 'OPTIONS',
      headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'GET' },
    });
    await ask('/__mock/reset', { method: 'POST' });
    expect(mock.coverage().requests).toBe(3);
    const read = (await (await ask('/__mock/coverage')).json()) as CoverageReport;
    expect(operationOf(read, 'getCategory')).toMatchObject({ calls: 3, statuses: { 200: 3 } });
    expect((await ask('/__mock/coverage', { method: 'DELETE' })).status).toBe(204);
    expect(mock.coverage()).toMatchObject({ requests: 0, summary: { operations: { covered: 0 } } });
  });

  test('names what the document does not know, and what breaks it', async () => {
    const { ask, mock } = await open();
    await ask('/pet/1');
    await ask('/pets?statuss=sold');
    await ask('/pets', json('POST', { name: 'Rex', categoryId: 1, nme: 2 }));
    for (let round = 0; round < 2; round += 1) await ask('/pets', json('POST', { name: 'Rex' }));
    await ask('/pets', { ...json('POST', {}), body: '{' });
    const { unknown, violations } = mock.coverage();
    expect(unknown).toEqual([
      expect.objectContaining({
        request: 'GET /pet/1',
        message: expect.stringMatching(/Did you mean \/pets\/1\?/),
      }),
      {
        operation: 'listPets',
        message: expect.stringMatching(/did you mean status\? \[parameter-unknown\]/),
        count: 1,
      },
      {
        operation: 'createPet',
        message: expect.stringMatching(/did you mean name\? \[member-unknown\]/),
        count: 1,
      },
    ]);
    expect(violations).toEqual([
      {
        operation: 'createPet',
        location: 'body.categoryId',
        code: 'required',
        message: 'is required',
        count: 2,
      },
      expect.objectContaining({ operation: 'createPet', code: 'malformed_json', count: 1 }),
    ]);
  });

  test.each(['422', '4xx', '400, 422', ' 4XX '])(
    'leaves out a request that breaks it on purpose: %s',
    async (expected) => {
      const { ask, mock } = await open();
      await ask('/pets', json('POST', {}, { 'X-Mock-Expect': expected }));
      await ask('/pets', json('POST', {}, { 'X-Mock-Expect': '404' }));
      expect(mock.coverage().violations.map(({ count }) => count)).toEqual([1, 1]);
    },
  );

  test('names who calls an operation that ends, in which session', async () => {
    const { ask, mock } = await open({ spec: SPEC, now: '2026-12-31' });
    await ask('/old', { headers: { 'X-Mock-Consumer': 'shop', 'X-Mock-Session': 'checkout' } });
    const [use] = mock.coverage().deprecated;
    expect(use).toEqual({
      ...{ operation: 'readOld', calls: 1, sunset: '2027-01-01', isPast: false },
      callers: [{ name: 'shop', count: 1 }],
      sessions: [{ name: 'checkout', count: 1 }],
    });
    expect(mock.coverage().sunset).toEqual([]);
    mock.clock.set('2027-01-02');
    await ask('/old', { headers: { 'User-Agent': 'x'.repeat(500) } });
    // Each call counts by the clock of its own session, at its own time.
    expect(mock.coverage().sunset).toMatchObject([{ calls: 1, isPast: true }]);
    expect(mock.coverage().sunset[0]?.callers.map(({ name }) => name.length)).toEqual([100]);
    expect(mock.coverage().deprecated).toEqual([use]);
  });

  test('a rehearsed sunset is a matter of its session, and excused where it is expected', async () => {
    const { ask, mock } = await open({ spec: SPEC, now: '2026-12-31', sunset: 'gone' });
    const future = mock.session('future');
    future.clock.freeze('2027-01-02');
    await ask('/old');
    const expecting = await future.fetch('/old', { headers: { 'X-Mock-Expect': '410' } });
    expect(expecting.status).toBe(410);
    await ask('/old');
    expect(mock.coverage()).toMatchObject({
      sunset: [],
      deprecated: [{ calls: 2, isPast: false, sessions: [{ name: 'default', count: 2 }] }],
    });
    await future.fetch('/old');
    await future.fetch('/old', { headers: { 'X-Mock-Expect': '404' } });
    expect(mock.coverage()).toMatchObject({
      sunset: [{ calls: 2, isPast: true, sessions: [{ name: 'future', count: 2 }] }],
      deprecated: [{ calls: 2, isPast: false }],
    });
    expect(toCoverageFindings(mock.coverage()).map(({ kind, count }) => [kind, count])).toEqual([
      ['sunset', 2],
      ['deprecated', 2],
      ...[
        ['uncovered', 0],
        ['uncovered', 0],
      ],
    ]);
  });

  test('knows answers of examples, and of faults only the status', async () => {
    const { ask, mock } = await open({ stateless: true, faults: ['listPets=503x1', 'getPet=reset'] });
    await ask('/pets');
    await ask('/pets');
    await ask('/pets/1').catch(() => undefined);
    const report = mock.coverage();
    expect(operationOf(report, 'listPets').statuses).toEqual({ 200: 1, 503: 1 });
    expect(operationOf(report, 'listPets').points.responseProperties['200 /*/name']).toBe(true);
    expect(operationOf(report, 'getPet').statuses).toEqual({ 0: 1 });
    expect(operationOf(report, 'getPet').points.statuses.default).toBe(false);
    expect(report.violations).toEqual([]);
  });
});

test('A reload keeps the calls, and counts the points of the new document', async () => {
  const mock = await createMock({ spec: SPEC });
  await mock.fetch('/things');
  const spec = documentOf({
    '/things': { get: { operationId: 'listThings', responses: jsonAnswer({ type: 'string' }) } },
  });
  await mock.reload({ spec });
  const report = mock.coverage();
  expect(report.operations.map(({ id, calls }) => [id, calls])).toEqual([['listThings', 1]]);
  expect(operationOf(report, 'listThings').points.parameters).toEqual({});
});

test('Whatever clients send, the coverage stays bounded and can be written', async () => {
  const mock = await createMock();
  const text = fc.string({ unit: 'binary' });
  await fc.assert(
    fc.asyncProperty(text, text, fc.jsonValue(), async (path, name, body) => {
      const headers = {
        'X-Mock-Consumer': encodeURIComponent(name.replace(/\p{Surrogate}/gu, '')),
        'X-Mock-Expect': '4xx,,',
      };
      await mock.fetch(new URL(`http://x/${encodeURIComponent(path.replace(/\p{Surrogate}/gu, ''))}`));
      await mock.fetch('/pets/1', { headers });
      await mock.fetch('/pets', json('POST', body));
    }),
  );
  for (let count = 0; count < 1200; count += 1) await mock.fetch(`/nowhere/${count}`);
  const report = mock.coverage();
  expect(report.unknown.length).toBeLessThanOrEqual(1001);
  expect(report.deprecated[0]?.callers.length).toBeLessThanOrEqual(50);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});

test('A recursive schema and a value that nests deeply are listed in part', async () => {
  const mock = await createMock({ spec: SPEC, empty: true });
  const deep = Array.from({ length: 300 }).reduce<object>((parent) => ({ id: 1, parent }), { id: 1 });
  await mock.fetch('/things', json('POST', deep, { 'X-Key': 'k' }));
  expect(Object.keys(operationOf(mock.coverage(), 'createThing').points.requestProperties)).toEqual([
    ...['/id', '/kind', '/tags', '/tags/*/name', '/parent'],
  ]);
});

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const terminal = {
    ...{ env: {}, cwd: directory, isTTY: false },
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    stopped: () => Promise.resolve(),
  };
  return { code: await main(words, terminal), out, err };
}

async function writeReport(name: string, ...paths: string[]): Promise<string> {
  const mock = await createMock();
  for (const path of paths) await mock.fetch(path);
  await writeFile(join(directory, name), JSON.stringify(mock.coverage()));
  return name;
}

describe('The command report', () => {
  test('merges shards, and prints what is covered', async () => {
    const files = [
      await writeReport('one.json', '/pets', '/pet'),
      await writeReport('two.json', '/pets', '/pet', '/pets/1'),
    ];
    const { code, out } = await run('report', ...files, '--report', 'all.json');
    expect(code).toBe(0);
    expect(out).toMatch(/^Contract coverage of Pet Store\n\noperations +2 of 21 +9 %\n/);
    expect(out).toMatch(/^Sent, but not in the document: 1\n {2}2x GET \/pet: The document has no path/m);
    expect(out).toMatch(
      /^Deprecated, but called: 1\n {2}getPet: is deprecated and ends on 2027-06-30; use getPetProfile/m,
    );
    const merged = JSON.parse(await readFile(join(directory, 'all.json'), 'utf8')) as CoverageReport;
    expect(merged.requests).toBe(5);
    expect(operationOf(merged, 'listPets').calls).toBe(2);
  });

  test('exits with 1 below --min-coverage, and names what is missing', async () => {
    const file = await writeReport('three.json', '/pets', '/pets/1');
    const { code, err } = await run('report', file, '--min-coverage', '80');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The contract is covered by 9 % of its operations, and --min-coverage asks for 80 %\. Not called: createPet, /,
    );
    expect((await run('report', file, '--min-coverage', '9')).code).toBe(0);
  });

  test.each([
    ['{}', /it is not a coverage report/],
    ['{', /Expected property name/],
    ['[]', /it is not a coverage report/],
    ['{"document":{},"operations":[{}]}', /its member unknown is missing/],
    [
      '{"document":{},"operations":[{}],"unknown":[],"violations":[],"deprecated":[],"unstable":[],"sunset":[]}',
      /have no points/,
    ],
  ])('refuses the file %s', async (text, reason) => {
    await writeFile(join(directory, 'wrong.json'), text);
    const { code, err } = await run('report', 'wrong.json');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^Failed to read the report .*\[report-invalid\]/s),
    ]);
    expect(err).toMatch(reason);
  });

  test('refuses a missing file, and a report in an unknown format', async () => {
    expect((await run('report', 'none.json')).err).toMatch(/^There is no report at /);
    const { code, err } = await run('report', 'one.json', '--report', 'a.pdf');
    expect([code, err]).toEqual([2, expect.stringMatching(/^--report must be files that end with \.json/)]);
    expect((await run('report', 'one.json', '--report', 'no/such/a.md')).err).toMatch(
      /the directory .*no does not exist/,
    );
  });

  test('writes every format, in which nothing that clients sent is markup', async () => {
    const mock = await createMock();
    for (const path of ['/pets', `/x${encodeURIComponent('<script>`*[a](http://b)\u0007')}`])
      await mock.fetch(path);
    await writeFile(join(directory, 'hostile.json'), JSON.stringify(mock.coverage()));
    const files = ['a.md', 'a.html', 'a.xml', 'a.txt'];
    await run('report', 'hostile.json', ...files.flatMap((file) => ['--report', file]));
    const [md = '', html = '', xml = '', txt = ''] = await Promise.all(
      files.map((file) => readFile(join(directory, file), 'utf8')),
    );
    expect(md).toMatch(/^## Contract coverage of Pet Store\n/);
    expect(md).toMatch(/\| operations \| 1 of 21 \| 4 % \|/);
    expect(html).toMatch(/<b>4 %<\/b> operations/);
    expect(html).not.toMatch(/<script|https?:/);
    expect(xml).toMatch(/<testsuites name="contract of Pet Store" tests="22" failures="1" skipped="20">/);
    expect(txt).toMatch(/^operations +1 of 21/m);
    for (const text of [md, html, xml, txt]) expect(text).not.toMatch(/<script>|\p{Cc}(?<!\n)/u);
  });
});

test('The server writes its reports when it ends, and fails below --min-coverage', async () => {
  const bin = new URL('../bin/petstore-mock.js', import.meta.url).pathname;
  const words = ['--port', '0', '--report', 'served.json', '--min-coverage', '50', '--log-format', 'json'];
  const server = spawn(process.execPath, [bin, ...words], { cwd: directory });
  let out = '';
  const url = await new Promise<string>((resolve) => {
    server.stdout.on('data', (bytes: Buffer) => {
      out += String(bytes);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
      if (found) resolve(found);
    });
  });
  await fetch(`${url}/pets`);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  expect(await ended).toBe(1);
  const report = JSON.parse(await readFile(join(directory, 'served.json'), 'utf8')) as CoverageReport;
  expect(report.summary.operations.covered).toBe(1);
});
