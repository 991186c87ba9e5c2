import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CheckReport, createMock, type Mock, type SetupError } from '../src/index.ts';
import { runCommand } from './support/run-command.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  TEXT,
  toAnswer,
  toDocument,
  toList,
  toObject,
  toOperation,
} from './support/small-documents.ts';

const THING = toObject({ id: INTEGER, name: TEXT }, 'id', 'name');
const DOCUMENT = toDocument({
  '/things': {
    get: toOperation(toAnswer(200, toList(THING)), undefined, [inQuery('name')]),
    post: toOperation(toAnswer(201, THING), toObject({ name: TEXT }, 'name')),
  },
  '/things/{id}': {
    get: toOperation({ ...toAnswer(200, THING), ...toAnswer(404) }, undefined, [inPath('id')]),
    put: toOperation(toAnswer(200, THING), toObject({ name: TEXT }, 'name'), [inPath('id')]),
    delete: toOperation(toAnswer(204), undefined, [inPath('id')]),
  },
  '/plain': { get: toOperation(toAnswer(200, THING)) },
  '/other/{code}': { get: toOperation(toAnswer(200, THING), undefined, [inPath('code', TEXT)]) },
});

const SECRET = 'sek-ret.Token+/=';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => Promise<unknown>)[] = [];
/** The requests that the provider got. */
let asked: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = [];
let mock: Mock;

beforeEach(async () => {
  asked = [];
  mock = await createMock({ spec: DOCUMENT });
});

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A provider that answers by method and path, and else as the document says. */
async function serve(answers: Readonly<Record<string, Answer>> = {}): Promise<string> {
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push({ line, headers: request.headers });
    const answer =
      answers[line] ??
      answers[`${request.method} ${request.url?.split('?')[0]}`] ??
      answers['*'] ??
      answerWell;
    request.resume().on('end', () => answer(request, response));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
const text =
  (body: string, type: string, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': type }).end(body);

const answerWell: Answer = (request, response) => {
  const { method, url = '' } = request;
  const one = { id: 7, name: 'Mug' };
  if (method === 'DELETE') return response.writeHead(204).end();
  if (url.endsWith('/2147483646')) return response.writeHead(404).end();
  if (method === 'POST') return json({ id: 42, name: 'New' }, 201)(request, response);
  return json(/things(\?|$)/.test(url) ? [one] : one)(request, response);
};

const check = (url: string, more: object = {}) => mock.check({ against: { url, timeout: 10_000, ...more } });

function toLines({ violations }: CheckReport): string[] {
  return violations.map(({ operation, name, code }) => `${operation}, ${name}: ${code}`);
}

describe('A check against a provider', () => {
  test('finds nothing wrong with one that holds to the document', async () => {
    const url = await serve();
    const report = await check(`${url}/base/v1/`);
    expect(report).toMatchObject({ violations: [], against: `${url}/base/v1`, resources: [], checks: 5 });
    expect(new Set(asked.map(({ line }) => line))).toEqual(
      new Set([
        'GET /base/v1/things',
        expect.stringMatching(/^GET \/base\/v1\/things\?name=/),
        'GET /base/v1/things/7',
        'GET /base/v1/things/2147483646',
        'GET /base/v1/plain',
      ]),
    );
    expect(report.skipped).toEqual([
      expect.stringMatching(/^GET \/other\/\{code\} was not asked, because .* parameter code\.$/),
      '3 operations that may change something were not asked. --unsafe asks them too.',
    ]);
  });

  test.each(['spec/openapi.yaml', 'examples/bookshop.yaml', 'examples/accounts.yaml'])(
    'finds nothing wrong with a mock of %s',
    async (file) => {
      const other = await createMock({ spec: fileURLToPath(new URL(`../${file}`, import.meta.url)) });
      const { url } = await other.listen();
      closers.push(other.close);
      for (const unsafe of [false, true]) {
        const headers = { Authorization: 'Bearer check', 'X-API-Key': 'check' };
        const report = await other.check({ against: { url, unsafe, headers } });
        expect([report.violations, report.checks > 0]).toEqual([[], true]);
      }
    },
  );

  test('finds a mock of another document', async () => {
    const other = await createMock();
    const { url } = await other.listen();
    closers.push(other.close);
    expect(new Set((await check(url)).violations.map(({ code }) => code))).toEqual(
      new Set(['status-undeclared']),
    );
  });

  const wrong: [what: string, answer: Answer, code: string][] = [
    ['an undeclared error', json({}, 418), 'status-undeclared'],
    ['an undeclared failure', text('oops', 'text/plain', 500), 'status-undeclared'],
    ['an undeclared success', json({ id: 1, name: '' }, 202), 'status-undeclared'],
    ['a refusal without credentials that the document does not ask for', json({}, 401), 'status-undeclared'],
    [
      'an undeclared redirect',
      (_, response) => response.writeHead(302, { Location: '/' }).end(),
      'status-undeclared',
    ],
    ['HTML', text('<h1>Hi</h1>', 'text/html'), 'content-type-wrong'],
    ['no type', (_, response) => response.end('{"id":1,"name":""}'), 'content-type-wrong'],
    ['a wrong type of a member', json({ id: '1', name: '' }), 'answer-invalid'],
    ['a missing member', json({ id: 1 }), 'answer-invalid'],
    ['a list', json([]), 'answer-invalid'],
    ['half a body', text('{"id":', 'application/json'), 'body-unreadable'],
    [
      'bytes that are no text',
      (_, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(Buffer.from([0xff, 0xfe])),
      'body-unreadable',
    ],
    ['no body', (_, response) => response.writeHead(200).end(), 'body-missing'],
    ['a broken connection', (request) => request.socket.destroy(), 'answer-missing'],
    ['no answer', () => {}, 'answer-missing'],
    [
      'half an answer',
      (_, response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
      'answer-missing',
    ],
    ['what is not HTTP', (request) => void request.socket.end('SSH-2.0-x\r\n'), 'answer-missing'],
  ];

  test.each(wrong)('finds %s', async (_, answer, code) => {
    const url = await serve({ 'GET /plain': answer });
    const report = await check(url, code === 'answer-missing' ? { timeout: 300 } : {});
    expect(toLines(report)).toEqual(
      expect.arrayContaining([`GET /plain, its own answer as application/json: ${code}`]),
    );
    expect(new Set(report.violations.map(({ operation }) => operation))).toEqual(new Set(['GET /plain']));
    expect(report.violations[0]?.curl).toBe(`curl ${url}/plain -H 'accept: application/json'`);
  });

  test('finds a wrong answer for a key that nothing has', async () => {
    const url = await serve({ 'GET /things/2147483646': json({}, 400) });
    expect(toLines(await check(url))).toEqual([
      'GET /things/{id}, its own answer as application/json, for a key that nothing has: status-undeclared',
    ]);
  });

  test('judges headers', async () => {
    const headers = { 'X-Total': { required: true, schema: INTEGER } };
    const list = { description: 'All', headers, content: { 'application/json': { schema: toList(THING) } } };
    mock = await createMock({ spec: toDocument({ '/things': { get: { responses: { 200: list } } } }) });
    const codes = async (sent: Readonly<Record<string, string>>) =>
      toLines(await check(await serve({ '*': json([], 200, sent) })));
    expect(await codes({ 'x-total': '0' })).toEqual([]);
    expect(await codes({ 'X-Total': 'none' })).toEqual([
      'GET /things, its own answer as application/json: answer-invalid',
    ]);
    expect(await codes({})).toHaveLength(1);
  });

  test('reads lists of any depth', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { violations } = await check(await serve({ 'GET /things': text(deep, 'application/json') }));
    expect(violations.map(({ operation }) => operation)).toContain('GET /things');
  });

  test('reads compressed answers', async () => {
    const body = gzipSync(JSON.stringify({ id: 1, name: '' }));
    const headers = {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Content-Length': body.length,
    };
    const url = await serve({ 'GET /plain': (_, response) => response.writeHead(200, headers).end(body) });
    expect((await check(url)).violations).toEqual([]);
  });

  test('reads at most 16 MiB of an answer', async () => {
    const part = Buffer.alloc(1024 * 1024);
    const url = await serve({
      'GET /plain'(_, response) {
        const write = () => {
          while (!response.destroyed && response.write(part));
        };
        response.on('drain', write).on('error', () => {});
        write();
      },
    });
    const [violation] = (await check(url, { timeout: 20_000 })).violations;
    expect(violation?.message).toMatch(/more than 16777216 bytes/);
  });

  test.each(['.', '..', '%2e%2E', '../admin', 'a/b?c#d', '\u0000'])(
    'asks no other path for the key %j',
    async (key) => {
      const document = toDocument({
        '/things': { get: toOperation(toAnswer(200, toList(toObject({ id: TEXT })))) },
        '/things/{id}': {
          get: toOperation(toAnswer(200, toObject({ id: TEXT })), undefined, [inPath('id', TEXT)]),
        },
      });
      mock = await createMock({ spec: document });
      await check(await serve({ '*': json([{ id: key }]) }));
      for (const { line } of asked) expect(line).toMatch(/^GET \/things(\/[^/?#]+)?$/);
    },
  );

  test('says what it could not prove', async () => {
    const statuses = { 'GET /things': 429, 'GET /things/7': 404, 'GET /plain': 403 };
    const url = await serve({
      ...Object.fromEntries(Object.entries(statuses).map(([line, status]) => [line, json({}, status)])),
      'GET /other/x': answerWell,
    });
    const { skipped } = await check(url);
    expect(skipped.join('\n')).toContain('GET /things answered 429, so its success was not checked.');
    expect(skipped.join('\n')).toContain(
      'GET /plain answered 403, so its success was not checked. Send credentials',
    );
  });

  test('stops asking a server that no longer answers', async () => {
    let count = 0;
    const url = await serve({
      '*'(request, response) {
        count += 1;
        if (count === 1) answerWell(request, response);
      },
    });
    const paths = Object.fromEntries(
      Array.from({ length: 9 }, (_, number) => [`/p${number}`, { get: toOperation(toAnswer(200, THING)) }]),
    );
    mock = await createMock({ spec: toDocument(paths) });
    const { violations, skipped } = await check(url, { timeout: 100 });
    expect(violations.filter(({ code }) => code === 'answer-missing')).toHaveLength(3);
    expect(skipped).toContain('GET /p8 was not asked, because the server no longer answers.');
  });

  test('survives whatever a server answers', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const types = fc.constantFrom('application/json', 'text/html', 'application/xml', 'a/b; charset=x', '');
    await fc.assert(
      fc.asyncProperty(bytes, types, fc.integer({ min: 200, max: 599 }), async (body, type, status) => {
        const url = await serve({
          '*': (_, response) => response.writeHead(status, { 'Content-Type': type }).end(body),
        });
        expect((await check(url)).checks).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });
});

describe('Operations that may change something', () => {
  test('are not asked', async () => {
    await check(await serve());
    expect(asked.filter(({ line }) => !line.startsWith('GET '))).toEqual([]);
  });

  test('are asked by unsafe, and change and delete only what was created', async () => {
    const { violations } = await check(await serve(), { unsafe: true });
    expect(violations).toEqual([]);
    expect(asked.map(({ line }) => line).filter((line) => !line.startsWith('GET '))).toEqual([
      'POST /things',
      'PUT /things/42',
      'DELETE /things/42',
    ]);
  });

  test('are left out if nothing was created', async () => {
    const { skipped } = await check(await serve({ 'POST /things': json({}, 500) }), { unsafe: true });
    expect(asked.filter(({ line }) => /^(PUT|DELETE)/.test(line))).toEqual([]);
    expect(skipped.join('\n')).toContain(
      'DELETE /things/{id} was not asked, because this check has created nothing',
    );
  });
});

describe('A server that cannot be reached', () => {
  const fail = async (url: string): Promise<SetupError> =>
    (await check(url, { timeout: 100 }).catch((error: unknown) => error)) as SetupError;

  test('is explained if nothing listens', async () => {
    const url = await serve();
    await Promise.all(closers.splice(0).map((close) => close()));
    expect(await fail(url)).toMatchObject({
      code: 'provider-unreachable',
      message: `${url} cannot be checked: nothing listens there (ECONNREFUSED).`,
    });
  });

  test.each([
    ['has a name that nobody knows', 'http://nowhere.invalid', /no such host is known/],
    ['is not one of TLS', 'https', /does not speak TLS; try http:/],
  ])('is explained if it %s', async (_, given, message) => {
    const url = given === 'https' ? (await serve()).replace('http:', 'https:') : given;
    expect(await fail(url)).toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringMatching(message),
    });
  });

  test('is explained if it never answers', async () => {
    const error = await fail(await serve({ '*': () => {} }));
    expect(error).toMatchObject({ code: 'provider-unreachable' });
    expect(error.message).toMatch(/it did not answer within 100 ms/);
    expect(asked.length).toBe(3);
  });
});

describe('Credentials for a provider', () => {
  const headers = {
    Authorization: `Bearer ${SECRET}`,
    'X-API-Key': 'k3y-of-mine',
    Cookie: 'sid=c00kie-jar; b="qu0ted"',
  };
  const secrets = [SECRET, 'k3y-of-mine', 'c00kie-jar', 'qu0ted'];
  /** Repeats its request in every way that it can. */
  const echo: Answer = (request, response) => {
    const all = Object.values(request.headers).flat().join(' ');
    const forms = [
      all,
      encodeURIComponent(all),
      Buffer.from(SECRET).toString('base64'),
      ...secrets.map(encodeURIComponent),
    ];
    const body = JSON.stringify({ id: forms.join(' '), [`${SECRET}`]: secrets });
    response
      .writeHead(302, {
        'Content-Type': `application/${SECRET.replace(/[=/]/g, '')}`,
        Location: `http://a:${SECRET}@b/?k=${secrets.join()}`,
      })
      .end(body);
  };

  test('are sent with every question, and none are made up', async () => {
    const url = await serve();
    await check(url.replace('//', '//me:pa55word@'), { headers: { 'x-api-key': 'mine' } });
    expect(asked.length).toBeGreaterThan(4);
    for (const { headers: sent } of asked)
      expect([sent.authorization, sent['x-api-key']]).toEqual([`Basic ${btoa('me:pa55word')}`, 'mine']);
    const accounts = await createMock({
      spec: fileURLToPath(new URL('../examples/accounts.yaml', import.meta.url)),
    });
    asked = [];
    await accounts.check({ against: { url: await serve({ '*': json({}, 404) }) } });
    for (const { headers: sent } of asked) expect(sent.authorization).toBeUndefined();
  });

  test('do not follow a redirect', async () => {
    const other = await serve();
    const url = await serve({
      '*': (_, response) => response.writeHead(307, { Location: `${other}/things?a=1` }).end(),
    });
    const { skipped } = await check(url, { headers });
    expect(new Set(asked.map(({ headers: { host } }) => host))).toEqual(new Set([new URL(url).host]));
    expect(skipped).toContain(
      `GET /plain redirects to ${other}/things, which was not followed. If the server has moved, name its new URL.`,
    );
  });

  test.each(['table', 'json', 'junit'])('are in no report as %s', async (format) => {
    const cwd = await mkdtemp(join(tmpdir(), 'against-'));
    await writeFile(join(cwd, 'api.json'), JSON.stringify(DOCUMENT));
    const url = await serve({
      '*': echo,
      'GET /plain': text(`${SECRET} \u001b[31m`, `text/html; a=${SECRET}`),
    });
    const flags = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const argv = [
      'check',
      join(cwd, 'api.json'),
      '--against',
      url,
      ...flags,
      '--format',
      format,
      '--output',
      'report',
    ];
    const { code, out, err } = await runCommand(argv, { cwd });
    const report = await readFile(join(cwd, 'report'), 'utf8');
    await rm(cwd, { recursive: true });
    expect(code).toBe(1);
    expect(report).toContain(url);
    expect(report).not.toContain('\u001b');
    for (const secret of [...secrets, btoa(SECRET), encodeURIComponent(SECRET)])
      expect(out + err + report).not.toContain(secret);
    expect(report).toMatch(/authorization: \[hidden\]/);
  });

  test.each([
    ['Bearer', SECRET],
    [`Authorization:Bearer`, SECRET],
    [`Authorization:`, SECRET],
    [`Authori zation: ${SECRET}`],
    [`Authorization: ${SECRET}\n`, '--timeout', '0'],
    [`X: ${SECRET}\u0000`],
    [`X: ${SECRET}\u4e00`],
    [`Connection: ${SECRET}`],
  ])('are in no message about a mistake: %j', async (...words) => {
    const { code, out, err } = await runCommand([
      'check',
      '--against',
      'http://127.0.0.1:1',
      '--header',
      ...words,
    ]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/\[option-invalid\]/);
    expect(err).not.toContain(SECRET);
  });

  test('are in no message about a server that cannot be reached', async () => {
    const argv = ['check', '--against', `http://me:${encodeURIComponent(SECRET)}@127.0.0.1:1`];
    const { code, out, err } = await runCommand(argv);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be checked: .* \[provider-unreachable\]/);
  });
});

describe('The command', () => {
  test.each<[answer: Answer | undefined, code: number, what: string]>([
    [undefined, 0, 'passes a provider that holds to the document'],
    [json({}, 500), 1, 'fails for violations'],
    [json({}, 429), 1, 'fails if nothing was proved'],
  ])('%#. ends with the code of its result', async (answer, code, what) => {
    const url = await serve(answer && { '*': answer });
    const cwd = await mkdtemp(join(tmpdir(), 'against-'));
    await writeFile(join(cwd, 'api.json'), JSON.stringify(DOCUMENT));
    const ended = await runCommand(['check', join(cwd, 'api.json'), '--against', url], { cwd });
    await rm(cwd, { recursive: true });
    expect([what, ended.code]).toEqual([what, code]);
    expect(ended.out).toMatch(new RegExp(`^Against ${url}\n\nMETHOD`));
  });

  test.each([
    [['--unsafe'], /need --against URL/],
    [['--against', 'api.example.com'], /like https:/],
    [['--against', 'file:///etc'], /like https:/],
    [['--against', 'http://%zz@a'], /Write it as %25/],
    [['--against', 'http://a/?key=1'], /Leave query and fragment out/],
    [['--against', 'http://a', '--timeout', '1e9'], /timeout must be an integer/],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await runCommand(['check', ...argv]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
