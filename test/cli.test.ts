import { writeFileSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { main, type Terminal } from '../src/cli/cli.ts';
import { toExchangeEntry } from '../src/cli/exchange-entry.ts';
import { formatEntry } from '../src/cli/log-entry.ts';
import type { JournalEntry } from '../src/core/journal/journal.ts';
import { LOG_LEVELS } from '../src/core/service/settings.ts';
import { json } from './support/adapters.ts';

const DOCUMENT = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

let cwd: string;
const running: Run[] = [];

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'cli-'));
});

afterEach(async () => {
  for (const run of running.splice(0)) await run.stop();
  await rm(cwd, { recursive: true });
});

/** A run of the command with a terminal of its own. */
interface Run {
  out(): string;
  err(): string;
  readonly code: Promise<number>;
  /** Resolves once the output matches, and to the match. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** What Ctrl+C does. Resolves to the exit code. */
  stop(): Promise<number>;
}

function run(argv: readonly string[], given: Partial<Terminal> = {}): Run {
  let out = '';
  let err = '';
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let wake = () => {};
  const terminal: Terminal = {
    env: {},
    cwd,
    isTTY: false,
    out: (text) => {
      out += text;
      wake();
    },
    err: (text) => {
      err += text;
    },
    stopped: () => stopped,
    ...given,
  };
  const code = main(argv, terminal);
  const started: Run = {
    out: () => out,
    err: () => err,
    code,
    async until(pattern) {
      let ended = false;
      void code.then(() => {
        ended = true;
        wake();
      });
      const deadline = Date.now() + 5000;
      for (;;) {
        const match = pattern.exec(out);
        if (match) return match;
        if (ended || Date.now() > deadline) throw new Error(`No ${pattern} in the output:\n${out}${err}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 100);
        });
      }
    },
    stop() {
      stop();
      return code;
    },
  };
  running.push(started);
  return started;
}

/** A server on a free port, once it listens. */
async function start(
  argv: readonly string[] = [],
  given: Partial<Terminal> = {},
): Promise<Run & { url: string }> {
  const started = run(['--port', '0', ...argv], given);
  const [, url = ''] = await started.until(/listens on (\S+)[\s\S]*Ctrl\+C stops it\./);
  return { ...started, url };
}

/** A command that ends by itself. */
async function finish(argv: readonly string[], given: Partial<Terminal> = {}) {
  const { code, out, err } = run(argv, given);
  return { code: await code, out: out(), err: err() };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('No port is free');
  return address.port;
}

describe('The command line', () => {
  test.each([['--help'], ['-h']])('explains itself with %s', async (flag) => {
    const { code, out, err } = await finish([flag]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: petstore-mock \[options\] \[command\]\n/);
    const flags = [
      'port',
      'host',
      'spec',
      'fixtures',
      'empty',
      'seed',
      'watch',
      'delay',
      'error',
      'config',
      'no-auth',
      'no-cors',
    ];
    for (const name of [...flags, 'log-level', 'log-format', 'no-color']) {
      expect(out).toMatch(new RegExp(`^  --${name} `, 'm'));
    }
    expect(out).toMatch(/the port to listen on;[^(]+\(default:\s+4010\)/);
    expect(out).toMatch(/^ {2}routes /m);
    expect(out).toContain('Examples:\n');
  });

  test.each([['--version'], ['-V']])('says its version with %s', async (flag) => {
    const file = new URL('../package.json', import.meta.url);
    const { version }: { version: string } = JSON.parse(await readFile(file, 'utf8'));
    expect(await finish([flag])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  const usage: [mistake: string, argv: string[], sentence: RegExp][] = [
    ['a flag that does not exist', ['--prot', '1'], /^error: unknown option '--prot'/],
    ['a flag without its value', ['--port'], /^error: option '--port <port>' argument missing/],
    ['a word that is no command', ['route'], /^error: unknown command 'route'\n\(Did you mean routes\?\)/],
    ['a word behind a command', ['routes', 'getPet'], /getPet|too many arguments/],
    [
      'a value that cannot be',
      ['--port', 'http'],
      /^--port must be an integer from 0 to 65535, not "http"\. \[option-invalid\]\n"petstore-mock explain option-invalid" says more\.\n$/,
    ],
    ['a level that does not exist', ['--log-level', 'loud'], /^--log-level must be one of silent, error, /],
    ['a rule that is none', ['--error', 'getPet'], /^Invalid fault "getPet"\. Write /],
    [
      'a rule for no operation',
      ['--error', 'getPets=500'],
      /^The fault getPets=500 names an unknown operation/,
    ],
    [
      'a rule with another status',
      ['--error', 'getPet=200'],
      /^The fault getPet=200 has a status that is not an error\. /,
    ],
    ['a bad rule among good ones', ['--error', 'getPet=500', '--error', 'x=500'], /^The fault x=500 names /],
    ['a bad flag of a command', ['routes', '--port', 'http'], /^--port must be an integer/],
  ];

  test.each(usage)('refuses %s with exit code 2', async (_, argv, sentence) => {
    const { code, out, err } = await finish(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(sentence);
  });

  test('names all mistakes of flags, variables and file at once', async () => {
    await writeFile(join(cwd, 'petstore-mock.config.yaml'), 'port: 4010\nlogLevel: loud\n');
    const { code, err } = await finish(['--seed', ''], { env: { PETSTORE_MOCK_PROT: '1' } });
    expect(code).toBe(2);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^petstore-mock\.config\.yaml, line 2: logLevel must be one of .* \[option-invalid\]$/,
      ),
      'Unknown option PETSTORE_MOCK_PROT. Did you mean PETSTORE_MOCK_PORT?',
      expect.stringMatching(/^--seed must be an integer /),
      'Run "petstore-mock --help" for a list of all options.',
      '"petstore-mock explain option-invalid" says more.',
    ]);
  });

  test('only warns of variables that mean something else', async () => {
    const { code, out, err } = await finish(['routes'], {
      env: { PETSTORE_MOCK_HOME: 'http://a', PETSTORE_MOCK_URL: 'http://b' },
    });
    expect({ code, err }).toEqual({
      code: 0,
      err: 'Ignored unknown variables: PETSTORE_MOCK_HOME. [variable-ignored]\n',
    });
    expect(out).toContain('/pets');
  });

  const setup: [mistake: string, argv: string[], sentence: RegExp][] = [
    [
      'a document that is not there',
      ['--spec', '/nowhere/a.yaml'],
      /^There is no document at \/nowhere\/a\.yaml\. /,
    ],
    [
      'a document that is a directory',
      ['--spec', FIXTURES],
      /fixtures is a directory\. Name the document in it\. \[file-unreadable\]\n.*\n$/,
    ],
    [
      'fixtures that are not there',
      ['--fixtures', '/nowhere/f'],
      /^There are no fixtures at \/nowhere\/f\. The directory \/nowhere does not exist\. /,
    ],
    [
      'a host of another machine',
      ['--port', '0', '--host', '192.0.2.1'],
      /^This machine has no address 192\.0\.2\.1\. /,
    ],
  ];

  test.each(setup)('refuses %s with exit code 1', async (_, argv, sentence) => {
    const { code, out, err } = await finish(argv);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(sentence);
  });

  test('refuses a port that is taken with exit code 1', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    expect(await finish(['--port', port])).toEqual({
      code: 1,
      out: '',
      err: `Port ${port} is taken. Choose another one with --port, or --port 0 for any free one. "lsof -i :${port}" names the program that has it (on Windows "netstat -ano"). [port-taken]\n"petstore-mock explain port-taken" says more.\n`,
    });
  });

  test('says that a crash is a bug', async () => {
    const out = () => {
      throw new Error('The disk is full');
    };
    const { code, err } = await finish(['routes'], { out });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^petstore-mock crashed\. This is a bug in petstore-mock itself\.\nError: The disk is full\n {4}at /,
    );
  });
});

describe('The resources', () => {
  test('are listed with key, actions and the reason', async () => {
    const { code, out } = await finish(['routes', '--resources']);
    expect(code).toBe(0);
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^RESOURCE +COLLECTION +ITEM +KEY +ACTIONS +BECAUSE$/);
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      [
        'pets',
        '/pets',
        '/pets/{petId}',
        'id',
        'list, create, read, replace, update, remove',
        because('pets', 'id'),
      ],
      [
        'categories',
        '/categories',
        '/categories/{categoryId}',
        'id',
        'list, create, read, replace, remove',
        because('categories', 'id'),
      ],
      [
        'orders',
        '/store/orders',
        '/store/orders/{orderId}',
        'id',
        'list, create, read, update, remove',
        expect.anything(),
      ],
      [
        'inventory',
        '/store/inventory',
        '/store/inventory/{petId}',
        'petId',
        'list, read, replace',
        expect.anything(),
      ],
    ]);
  });

  test('are none if no state is wanted, and every operation answers all the same', async () => {
    const { out } = await finish(['routes', '--resources', '--stateless']);
    expect(out).toBe('--stateless switches all state off: every answer comes from examples and schemas.\n');
    const { url } = await start(['--stateless']);
    const made = await fetch(`${url}/categories`, {
      method: 'POST',
      body: '{"name":"Insects"}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(made.status).toBe(201);
    expect((await fetch(`${url}/categories/4711`)).status).toBe(200);
    expect((await fetch(`${url}/categories/x`)).status).toBe(400);
  });

  test('are followed by the operations that stand for others, and by those without state', async () => {
    await writeFile(join(cwd, 'toys.yaml'), TOYS);
    const { code, out } = await finish(['routes', '--resources', '--spec', join(cwd, 'toys.yaml')]);
    expect(code).toBe(0);
    expect(out.split('\n\n').slice(1)).toEqual([
      [
        'METHOD  PATH            STANDS FOR      BECAUSE',
        'POST    /toys/add/      POST /toys      trailing slash, verb in the path',
        'PUT     /toy/edit/{id}  PUT /toys/{id}  verb in the path, singular and plural',
      ].join('\n'),
      [
        'METHOD  PATH          WITHOUT STATE, BECAUSE',
        'GET     /toys/random  x-mock-resource: false',
        '                        without that mark',
        'GET     /colours      lists objects, but no POST creates any, and none has a path',
        '                        resources: { colours: { collection: /colours, key: hex } }',
        'POST    /login        POST without a list or items',
      ].join('\n'),
      expect.stringMatching(/^An indented line gives state to the operation above it\./),
    ]);
  });

  test('and the operations are counted at the start', async () => {
    await writeFile(join(cwd, 'toys.yaml'), TOYS);
    const { out } = await start(['--spec', join(cwd, 'toys.yaml')]);
    expect(out()).toContain(
      '\n  operations  6, 3 without state, 1 without a declared answer\n  resources   1 (entities are generated on first use): toys\n',
    );
  });

  test.each([
    [['--empty'], '1 (0 entities)'],
    [['--fixtures', 'FIXTURES'], '1 (1 entity)'],
    [['--stateless'], 'none; every answer comes from examples and schemas'],
  ])('are counted with %j as %s', async (argv, counted) => {
    await writeFile(join(cwd, 'toys.yaml'), TOYS);
    await mkdir(join(cwd, 'fixtures'));
    await writeFile(join(cwd, 'fixtures/toys.json'), '[{"id":1,"name":"Kite"}]');
    const given = argv.map((word) => (word === 'FIXTURES' ? join(cwd, 'fixtures') : word));
    const { out } = await start(['--spec', join(cwd, 'toys.yaml'), ...given]);
    expect(out()).toContain(`\n  resources   ${counted}`);
  });

  function because(name: string, key: string): string {
    const parameter = name === 'pets' ? 'petId' : 'categoryId';
    return `GET /${name}/{${parameter}} answers an object whose "${key}" is named by {${parameter}}`;
  }
});

const TOYS = `
openapi: 3.0.3
info: { title: Toys, version: '1' }
paths:
  /toys: { get: { responses: { 200: { $ref: '#/components/responses/Toys' } } } }
  /toys/add/:
    post: { requestBody: { $ref: '#/components/requestBodies/Toy' }, responses: { 201: { description: It } } }
  /toys/random: { get: { x-mock-resource: false, responses: { 200: { $ref: '#/components/responses/Toy' } } } }
  /toy/edit/{id}:
    put:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      requestBody: { $ref: '#/components/requestBodies/Toy' }
      responses: { 200: { $ref: '#/components/responses/Toy' } }
  /colours:
    get:
      responses:
        200:
          description: All
          content:
            application/json:
              schema: { type: array, items: { type: object, required: [hex], properties: { hex: { type: string } } } }
  /login: { post: { responses: { 204: { description: Welcome } } } }
components:
  requestBodies:
    Toy: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
  responses:
    Toy: { description: It, content: { application/json: { schema: { $ref: '#/components/schemas/Toy' } } } }
    Toys:
      description: All
      content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Toy' } } } }
  schemas:
    Toy: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
`;

const SECURED = `
openapi: 3.0.3
info: { title: Secured, version: '1' }
security: [{ key: [] }, { token: [] }]
paths:
  /secret: { get: { summary: The secret, responses: { 200: { description: Psst } } } }
  /open: { get: { security: [], responses: { 200: { description: Come in } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-API-Key }
    token: { type: http, scheme: bearer }
`;

describe('The routes', () => {
  test('are a table that marks what is deprecated and unstable', async () => {
    const { code, out, err } = await finish(['routes']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [head, ...rows] = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(head).toEqual(['METHOD', 'PATH', 'OPERATION', 'SUMMARY']);
    expect(rows).toHaveLength(21);
    expect(rows).toContainEqual(['GET', '/pets', 'listPets', 'List pets']);
    expect(rows).toContainEqual([
      'GET',
      '/pets/{petId}',
      'getPet',
      '[deprecated until 2027-06-30] Get a pet',
    ]);
    const unstable = rows.flatMap(([, , id, summary]) =>
      /^\[(beta|experimental)\]/.test(summary ?? '') ? [id] : [],
    );
    expect(unstable).toEqual(['getPetProfile', 'getInventorySummary']);
  });

  test('are those of the document that an option names, with what the config file says of them', async () => {
    const document = {
      openapi: '3.0.3',
      info: { title: 'Clock', version: '1' },
      paths: {
        '/time': { get: { summary: 'The time', responses: { 200: { description: 'Now' } } } },
        '/date': {
          get: { operationId: 'date', deprecated: true, responses: { 200: { description: 'Today' } } },
        },
      },
    };
    await writeFile(join(cwd, 'clock.json'), JSON.stringify(document));
    await writeFile(
      join(cwd, 'petstore-mock.config.json'),
      JSON.stringify({
        spec: 'clock.json',
        lifecycle: { 'GET /time': { deprecation: '2026-01-01', stability: 'alpha' } },
      }),
    );
    const { code, out } = await finish(['routes']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'METHOD  PATH   OPERATION  SUMMARY',
      'GET     /time  GET /time  [deprecated, alpha] The time',
      'GET     /date  date       [deprecated]',
      '',
    ]);
  });

  test('say what credentials an operation needs, as the server does at its start', async () => {
    await writeFile(join(cwd, 'secured.yaml'), SECURED);
    const { out } = await finish(['routes', '--spec', join(cwd, 'secured.yaml')]);
    expect(out.split('\n')).toEqual([
      'METHOD  PATH     OPERATION    SUMMARY',
      'GET     /secret  GET /secret  [needs X-API-Key header or Bearer token] The secret',
      'GET     /open    GET /open',
      '',
    ]);
    const started = await start(['--spec', join(cwd, 'secured.yaml')]);
    expect(started.out()).toContain(
      '\n  security    X-API-Key header or Bearer token for 1 of 2 operations; --no-auth switches the check off\n',
    );
    expect((await fetch(`${started.url}/secret`)).status).toBe(401);
  });

  test.each<[argv: string[], env: Record<string, string>]>([
    [['--no-auth'], {}],
    [[], { PETSTORE_MOCK_AUTH: 'false' }],
  ])('need none with %j and %j', async (argv, env) => {
    await writeFile(join(cwd, 'secured.yaml'), SECURED);
    const { url, out } = await start(['--spec', join(cwd, 'secured.yaml'), ...argv], { env });
    expect(out()).not.toContain('security');
    expect((await fetch(`${url}/secret`)).status).toBe(200);
  });

  test('do not need the port', async () => {
    const { url } = await start();
    expect((await finish(['routes', '--port', new URL(url).port])).code).toBe(0);
  });
});

describe('The server', () => {
  test('tells where it listens and what it serves, answers, and stops', async () => {
    const { url, out, stop } = await start();
    const lines = out().trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^petstore-mock \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^ {2}document {4}Pet Store \(.*spec\/openapi\.yaml\)$/),
      '  operations  21',
      '  resources   4 (87 entities): pets 28, categories 8, orders 23, inventory 28',
      '  deprecated  GET /pets/{petId} until 2027-06-30',
      expect.stringMatching(/^ {2}try {9}curl http:\/\/127\.0\.0\.1:\d+\/pets$/),
      'Ctrl+C stops it.',
    ]);
    expect((await fetch(`${url}/pets`)).status).toBe(200);
    expect(await stop()).toBe(0);
    await expect(fetch(`${url}/pets`)).rejects.toThrow();
  });

  test('answers open requests before it stops', async () => {
    const { url, out, stop } = await start(['--delay', '300']);
    const answer = fetch(`${url}/pets/1/profile`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const code = stop();
    expect((await answer).status).toBe(200);
    expect(await code).toBe(0);
    expect(out()).toMatch(/^\d\d:\d\d:\d\d GET +\/pets\/1\/profile +200 +[3-9]\d\d\.\d ms/m);
  });

  const options: [what: string, argv: string[], path: string, status: number][] = [
    ['--error', ['--error', 'getOrder=503', '--error', 'GET /store/orders=500'], '/store/orders', 500],
    ['--empty', ['--empty'], '/pets/1/profile', 404],
    ['--spec with its own document', ['--spec', DOCUMENT], '/pets/1/profile', 200],
    ['--spec with another document', ['--spec', 'COPY', '--empty'], '/pets/1/profile', 404],
    ['--fixtures', ['--fixtures', FIXTURES, '--spec', 'COPY'], '/pets/1/profile', 200],
    ['--host', ['--host', 'localhost'], '/pets', 200],
  ];

  test.each(options)('does as it is told by %s', async (_, argv, path, status) => {
    const copy = join(cwd, 'copy.yaml');
    await copyFile(DOCUMENT, copy);
    const { url } = await start(argv.map((word) => (word === 'COPY' ? copy : word)));
    expect((await fetch(url + path)).status).toBe(status);
  });

  test('reads a fault to its last part', async () => {
    const { url } = await start(['--error', 'GET /store/orders=503:down_for_lunch@1.0x2']);
    const statuses: number[] = [];
    for (const _ of [1, 2, 3]) statuses.push((await fetch(`${url}/store/orders`)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  test('reads how often a fault hits behind its code', async () => {
    const { url } = await start(['--error', 'listOrders=503:down_for_lunchx1']);
    const failed = await fetch(`${url}/store/orders`);
    expect(await failed.json()).toMatchObject({ code: 'down_for_lunch', status: 503 });
    expect((await fetch(`${url}/store/orders`)).status).toBe(200);
  });

  test.each([
    [[], '*'],
    [['--no-cors'], null],
  ])('sends CORS headers unless told otherwise: %j', async (argv, origin) => {
    const { url } = await start(argv);
    expect((await fetch(`${url}/pets`)).headers.get('Access-Control-Allow-Origin')).toBe(origin);
  });
});

describe('The log', () => {
  const REQUESTS = ['/pets', '/pets/1', '/pets/4711/profile'];
  const WARNED = ['/pets/1', '/pets/4711/profile'];

  const levels: [level: (typeof LOG_LEVELS)[number], start: boolean, paths: string[]][] = [
    ['silent', false, []],
    ['error', false, []],
    ['warn', false, WARNED],
    ['info', true, REQUESTS],
    ['debug', true, REQUESTS],
  ];

  test.each(levels)('has at the level %s what belongs there', async (level, announced, paths) => {
    const port = await findFreePort();
    const { code, out, err, stop } = run([
      '--port',
      String(port),
      '--log-level',
      level,
      '--log-format',
      'json',
    ]);
    await untilServed(`http://127.0.0.1:${port}/store/inventory/summary`);
    const before = out().length;
    for (const path of REQUESTS) await fetch(`http://127.0.0.1:${port}${path}`);
    expect(await stop()).toBe(0);
    expect(await code).toBe(0);
    expect(err()).toBe('');
    expect(out().includes('"event":"start"')).toBe(announced);
    const lines = out().slice(before).split('\n').filter(Boolean);
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(paths);
  });

  test('says of each request what came of it', async () => {
    const { url, out } = await start();
    const from = out().length;
    await fetch(`${url}/categories?x=1`);
    await fetch(`${url}/pets/4711/profile`);
    await fetch(`${url}/pets/1`, { method: 'HEAD' });
    await fetch(`${url}/nowhere`, { method: 'POST' });
    expect(out().slice(from).trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET {5}\/categories\?x=1 {14}200 +\d+\.\d ms$/),
      expect.stringMatching(
        /^\d\d:\d\d:\d\d GET {5}\/pets\/4711\/profile {11}404 +\d+\.\d ms No pet has .* warning: getPetProfile is beta /,
      ),
      expect.stringMatching(
        /^\d\d:\d\d:\d\d HEAD {4}\/pets\/1 {22}200 +\d+\.\d ms warning: getPet is deprecated since 2026-06-01 and/,
      ),
      expect.stringMatching(
        /^\d\d:\d\d:\d\d POST {4}\/nowhere {21}404 +\d+\.\d ms The document has no path \/nowhere\./,
      ),
    ]);
  });

  test('is the same as JSON, one object a line', async () => {
    const { until, out } = run(['--port', '0', '--log-format', 'json']);
    const [, url = ''] = await until(/"url":"([^"]+)"/);
    await fetch(`${url}/categories`);
    await fetch(`${url}/pets/4711`);
    const entries = out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(entries).toEqual([
      {
        time,
        level: 'info',
        event: 'start',
        url,
        document: expect.stringMatching(/openapi\.yaml$/),
        operations: 21,
        stateless: 0,
        undeclared: 0,
        resources: 4,
        deprecated: [{ operation: 'getPet', sunset: '2027-06-30' }],
      },
      {
        time,
        level: 'info',
        event: 'request',
        method: 'GET',
        path: '/categories',
        status: 200,
        ms: expect.any(Number),
        operation: 'listCategories',
      },
      {
        time,
        level: 'warn',
        event: 'request',
        method: 'GET',
        path: '/pets/4711',
        status: 404,
        ms: expect.any(Number),
        operation: 'getPet',
        code: 'pet_not_found',
        message: expect.stringContaining('4711'),
        warning: expect.stringContaining('deprecated'),
      },
    ]);
  });

  test('has at the level debug what both sides said', async () => {
    const { url, out } = await start(['--log-level', 'debug']);
    const from = out().length;
    const headers = { 'Content-Type': 'application/json', 'X-Own': 'a' };
    await fetch(`${url}/categories?x=1`, { method: 'POST', headers, body: '{\n"name": "Owls"}' });
    const lines = out().slice(from).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d POST {4}\/categories\?x=1 {14}201 /);
    expect(lines[1]).toBe('  > POST /categories?x=1');
    expect(lines).toContain('  > x-own: a');
    expect(lines.slice(lines.indexOf('  >'), lines.indexOf('  < 201') + 1)).toEqual([
      '  >',
      '  > {',
      '  > "name": "Owls"}',
      '  < 201',
    ]);
    expect(lines).toContain('  < Content-Type: application/json');
    expect(lines.slice(-2)).toEqual(['  <', expect.stringMatching(/^ {2}< {"id":\d+,"name":"Owls"}$/)]);
  });

  test('lets no client move the cursor, and is not flooded', async () => {
    const { url, out } = await start(['--log-level', 'debug']);
    const from = out().length;
    const headers = { 'Content-Type': 'application/json' };
    const body = `{"name":1,"\u001b[2J\u009b":"${'é'.repeat(3000)}"}`;
    await fetch(`${url}/categories`, { method: 'POST', headers, body });
    const body2 = JSON.stringify({ '\u001b[2J': 1 });
    await fetch(`${url}/pets`, { method: 'POST', headers, body: body2 });
    const text = out().slice(from);
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text).toContain('  > {"name":1,"\\u001b[2J\\u009b":"ééé');
    expect(text).toContain(`\n  > ... ${body.length - 2000} more characters\n`);
    expect(text.length).toBeLessThan(5000);
  });

  test('lets no client move the cursor through a JSON log, which stays JSON', async () => {
    const { until, out } = run(['--port', '0', '--log-level', 'debug', '--log-format', 'json']);
    const [url = ''] = await until(/http:\/\/[\d.:]+/);
    const from = out().length;
    const body = '"\u009b2J\u007f"';
    await fetch(`${url}/categories`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    const line = out().slice(from).trimEnd();
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(line)).toMatchObject({ status: 422, request: { body } });
  });

  test.each(['pretty', 'json'])('shows nobody a credential: %s', async (format) => {
    const { until, out } = run(['--port', '0', '--log-level', 'debug', '--log-format', format]);
    const [url = ''] = await until(/http:\/\/[\d.:]+/);
    const from = out().length;
    const headers = {
      Authorization: 'Bearer s3cr3t',
      Cookie: 'a=s3cr3t',
      'X-API-Key': 's3cr3t',
      Author: 'Ada',
    };
    await fetch(`${url}/categories?author=Ada&api_key=s3cr3t&access_token=s3cr3t&x=1`, { headers });
    const text = out().slice(from);
    expect(text).not.toContain('s3cr3t');
    expect(text).toContain('author=Ada&api_key=[hidden]&access_token=[hidden]&x=1');
    expect(text.match(/\[hidden\]/g)).toHaveLength(7);
    expect(text).toMatch(/author"?: ?"?Ada/);
  });

  test('has at the level debug what both sides said as JSON too', async () => {
    const { until, out } = run(['--port', '0', '--log-level', 'debug', '--log-format', 'json']);
    const [, url = ''] = await until(/"url":"([^"]+)"/);
    const answer = await fetch(`${url}/categories/1?x=1`, { headers: { 'X-Own': 'a' } });
    const line = out().trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      event: 'request',
      level: 'info',
      request: { query: 'x=1', headers: { 'x-own': 'a' } },
      response: { headers: { 'Content-Type': 'application/json' }, body: await answer.text() },
    });
  });

  const colors: [colored: boolean, where: string, argv: string[], given: Partial<Terminal>][] = [
    [true, 'on a terminal', [], { isTTY: true }],
    [true, 'with an empty NO_COLOR', [], { isTTY: true, env: { NO_COLOR: '' } }],
    [false, 'in a pipe', [], { isTTY: false }],
    [false, 'with --no-color', ['--no-color'], { isTTY: true }],
    [false, 'with NO_COLOR', [], { isTTY: true, env: { NO_COLOR: '1' } }],
    [false, 'with PETSTORE_MOCK_COLOR=false', [], { isTTY: true, env: { PETSTORE_MOCK_COLOR: 'false' } }],
    [false, 'as JSON', ['--log-format', 'json'], { isTTY: true }],
  ];

  test.each(colors)('is colored (%j) %s', async (colored, _, argv, given) => {
    const { until, out } = run(['--port', '0', ...argv], given);
    const [url = ''] = await until(/http:\/\/[\d.:]+/);
    await fetch(`${url}/pets/1`);
    await until(/\/pets\/1\b/);
    expect(out().includes('\u001b[')).toBe(colored);
  });

  const exchange: JournalEntry = {
    id: 1,
    time: '2027-01-01T00:00:00.000Z',
    fault: undefined,
    method: 'GET',
    path: '/pets',
    status: 500,
    milliseconds: 1.25,
    operation: 'listPets',
    session: 'default',
    source: 'error',
    notice: undefined,
    warnings: [],
    breaches: [],
    expected: false,
    request: { query: '', headers: {}, body: undefined },
    response: { headers: {}, body: undefined },
    problem: {
      code: 'internal_error',
      message: 'The server failed.',
      violations: [],
      cause: new Error('Broken'),
    },
  };

  test('has the stack of a failure of ours, at the level error', () => {
    const entry = toExchangeEntry(exchange, false);
    const options = { level: 'error', color: false } as const;
    expect(formatEntry(entry, { ...options, format: 'pretty' })).toMatch(
      /^GET {5}\/pets {24}500 {5}1\.[23] ms The server failed\. \[internal_error\]\nError: Broken\n {4}at /,
    );
    expect(JSON.parse(formatEntry(entry, { ...options, format: 'json' }) ?? '')).toMatchObject({
      level: 'error',
      status: 500,
      code: 'internal_error',
      stack: expect.stringMatching(/^Error: Broken\n/),
    });
  });

  const harmless: [what: string, change: Partial<JournalEntry>][] = [
    [
      'an error that was asked for',
      { problem: { code: 'a', message: 'b', violations: [], cause: undefined } },
    ],
    [
      'a mistake of the client',
      { status: 400, problem: { code: 'a', message: 'b', violations: [], cause: new Error('Broken') } },
    ],
  ];

  test.each(harmless)('has no stack for %s', (_, change) => {
    const entry = toExchangeEntry({ ...exchange, ...change }, false);
    expect(entry.level).toBe('info');
    expect(entry.text).not.toContain('Error: Broken');
    expect(entry.data).not.toHaveProperty('stack');
  });

  test.each(LOG_LEVELS)('can have the level %s', (level) => {
    const shown = (['error', 'warn', 'info', 'debug'] as const).filter(
      (each) =>
        formatEntry({ level: each, text: 'x', data: {} }, { level, format: 'pretty', color: false }) === 'x',
    );
    expect(shown).toHaveLength(LOG_LEVELS.indexOf(level));
  });
});

describe('With --watch', () => {
  let document: string;
  let fixtures: string;
  let config: string;
  let text: string;

  beforeEach(async () => {
    document = join(cwd, 'api.yaml');
    fixtures = join(cwd, 'fixtures');
    config = join(cwd, 'petstore-mock.config.yaml');
    text = await readFile(DOCUMENT, 'utf8');
    await writeFile(document, text);
    await cp(FIXTURES, fixtures, { recursive: true });
    await writeFile(config, 'spec: api.yaml\nfixtures: fixtures\nwatch: true\nlogLevel: info\n');
  });

  /** The document with another day on which getPet ends. */
  function withSunset(day: string): string {
    return text.replace("x-sunset: '2027-06-30'", `x-sunset: '${day}'`);
  }

  async function readSunset(url: string): Promise<string | null> {
    return (await fetch(`${url}/pets/1`)).headers.get('Sunset');
  }

  /** Changes a file and waits for what the server says to it. */
  async function edit(server: Run, file: string, content: string, answer: RegExp): Promise<string> {
    const from = server.out().length;
    await writeFile(file, content);
    await server.until(new RegExp(`^[\\s\\S]{${from},}?${answer.source}`));
    return server.out().slice(from);
  }

  /** A server that does watch already. */
  async function startWatching(argv: readonly string[] = []): Promise<Run & { url: string }> {
    const server = await start(argv);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return server;
  }

  test('an edit of the document is served, and what clients did stays', async () => {
    const server = await startWatching();
    await fetch(`${server.url}/pets`, json('POST', { name: 'Nori', categoryId: 2 }));
    await fetch(`${server.url}/store/orders/13`, { method: 'DELETE' });
    const said = await edit(server, document, withSunset('2027-12-31'), /Reloaded: 21 operations\n/);
    expect(said).toBe('Reloaded: 21 operations\n');
    const answer = await fetch(`${server.url}/pets/29`);
    expect(await answer.json()).toEqual({ id: 29, name: 'Nori', categoryId: 2, status: 'available' });
    expect(answer.headers.get('Sunset')).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
    expect((await fetch(`${server.url}/store/orders/13`)).status).toBe(404);
  });

  test('a broken edit is told and changes nothing, and a good one after it is served', async () => {
    const server = await startWatching();
    const said = await edit(server, document, `${text}\n  broken: [`, /Reload failed.*\n/);
    expect(said).toMatch(
      /^Reload failed, still serving the last good version: Failed to load the document \S+api\.yaml: line \d+, column \d+: .+\n/,
    );
    expect((await fetch(`${server.url}/pets/1`)).status).toBe(200);
    await edit(server, document, withSunset('2028-06-30'), /Reloaded: 21 operations\n/);
    expect(await readSunset(server.url)).toBe('Fri, 30 Jun 2028 00:00:00 GMT');
  });

  test('a broken edit of document, fixtures and config each are told in their words', async () => {
    const server = await startWatching(['--log-level', 'info']);
    const pets = join(fixtures, 'pets.json');
    const good = await readFile(pets, 'utf8');
    expect(await edit(server, pets, '[{ "id": 1 }]', /Reload failed.*\n/)).toMatch(
      /pets\.json: line 1: #\/0: pet\.name is /,
    );
    expect(await edit(server, pets, good, /Reloaded.*\n/)).toBe('Reloaded: 21 operations\n');
    expect(await edit(server, config, 'spec: api.yaml\nprot: 1\n', /Reload failed.*\n/)).toContain(
      'petstore-mock.config.yaml, line 2: Unknown option prot. Did you mean port?',
    );
    expect((await fetch(`${server.url}/pets/1`)).status).toBe(200);
  });

  test('an edit of the fixtures reaches the entities that no client touched', async () => {
    const server = await startWatching();
    const pets = join(fixtures, 'pets.json');
    const good = await readFile(pets, 'utf8');
    await fetch(`${server.url}/pets/2`, json('PATCH', { name: 'Mine' }));
    const edited = good.replace('Biscuit', 'Cookie').replace('Luna', 'Lily');
    expect(await edit(server, pets, edited, /Reloaded.*\n/)).toBe('Reloaded: 21 operations\n');
    expect(await (await fetch(`${server.url}/pets/1`)).json()).toMatchObject({ name: 'Cookie' });
    expect(await (await fetch(`${server.url}/pets/2`)).json()).toMatchObject({ name: 'Mine' });
  });

  test('what clients made and no longer fits is dropped, and said', async () => {
    const server = await startWatching();
    await fetch(`${server.url}/categories`, json('POST', { name: 'Insects', description: 'Six legs' }));
    await fetch(`${server.url}/categories`, json('POST', { name: 'Spiders' }));
    const strict = text.replace(
      'description: Short description of the category\n          type: string',
      'description: Short description of the category\n          type: string\n          maxLength: 60\n          minLength: 9',
    );
    const said = await edit(server, document, strict, /Reloaded(?:.|\n)*dropped.*\n/);
    expect(said).toMatch(
      /^Reloaded: 21 operations\n {2}dropped category 9: category\.description must .+\n$/,
    );
    expect((await fetch(`${server.url}/categories/9`)).status).toBe(404);
    expect((await fetch(`${server.url}/categories/10`)).status).toBe(200);
  });

  test('an edit of the config file is served, and what only a start changes is said', async () => {
    const server = await startWatching(['--log-format', 'pretty']);
    const said = await edit(
      server,
      config,
      'spec: api.yaml\nfixtures: fixtures\nwatch: true\nerrors: [getCategory=503]\ncors: false\nhost: 0.0.0.0\n',
      /Reloaded(?:.|\n)*cors.*\n/,
    );
    expect(said.trimEnd().split('\n')).toEqual([
      'Reloaded: 21 operations',
      '  host is only read at startup; restart to change it',
      '  cors is only read at startup; restart to change it',
    ]);
    const answer = await fetch(`${server.url}/categories/1`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('a reload is a line of JSON too', async () => {
    const server = run(['--port', '0', '--log-format', 'json']);
    await server.until(/"url":"([^"]+)"/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const reloaded = await edit(
      server,
      config,
      'spec: api.yaml\nwatch: true\nhost: localhost\n',
      /"reload"[^\n]*\n/,
    );
    expect(JSON.parse(reloaded)).toMatchObject({
      level: 'warn',
      event: 'reload',
      operations: 21,
      dropped: [],
      unchanged: ['host'],
    });
    const failed = await edit(server, config, 'spec: [', /"reload-failed"[^\n]*\n/);
    expect(JSON.parse(failed)).toMatchObject({
      level: 'error',
      event: 'reload-failed',
      code: 'syntax-invalid',
      message: expect.any(String),
    });
  });

  test('an edit of a document that the config file names only now is served', async () => {
    const server = await startWatching();
    const other = join(cwd, 'other.yaml');
    await writeFile(other, withSunset('2028-06-30'));
    await edit(server, config, 'spec: other.yaml\nfixtures: fixtures\nwatch: true\n', /Reloaded.*\n/);
    expect(await readSunset(server.url)).toBe('Fri, 30 Jun 2028 00:00:00 GMT');
    await edit(server, other, withSunset('2029-06-30'), /Reloaded.*\n/);
    expect(await readSunset(server.url)).toBe('Sat, 30 Jun 2029 00:00:00 GMT');
  });

  test('no edit is missed from the moment on that the server says that it listens', async () => {
    let said = '';
    const out = (words: string) => {
      if (said === '') writeFileSync(document, withSunset('2028-06-30'));
      said += words;
    };
    run(['--port', '0'], { out });
    await vi.waitFor(() => expect(said).toContain('Reloaded: 21 operations\n'), 5000);
  });

  test('a file of fixtures that is new is served', async () => {
    await rm(join(fixtures, 'orders.json'));
    const server = await startWatching();
    expect((await fetch(`${server.url}/store/orders/1`)).status).toBe(404);
    await edit(
      server,
      join(fixtures, 'orders.yaml'),
      '- { id: 1, petId: 1, complete: true }\n',
      /Reloaded.*\n/,
    );
    expect(await (await fetch(`${server.url}/store/orders/1`)).json()).toEqual({
      id: 1,
      petId: 1,
      quantity: 1,
      complete: true,
    });
  });

  test('nothing is watched any more once it has stopped', async () => {
    const server = await startWatching();
    expect(await server.stop()).toBe(0);
    const out = server.out();
    await writeFile(document, 'openapi: [');
    await mkdir(join(fixtures, 'more'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.out()).toBe(out);
  });
});

describe('A document with something that cannot be served', () => {
  const toDocument = (bad: number) => `openapi: 3.0.3
info: { title: Half, version: '1' }
paths:
  /fine: { get: { responses: { 200: { description: Fine } } } }
${Array.from({ length: bad }, (_, index) => `  /bad${index}: { get: Done }`).join('\n')}
`;
  const lineOf = (index: number) =>
    `left out GET /bad${index}: ${join(cwd, 'half.yaml')}: line ${index + 5}: #/paths/~1bad${index}/get: expected a mapping, got a string. Describe the operation there. [type-unexpected]\n`;
  const hint = '"petstore-mock explain CODE" says more.\n';

  test.each([
    [1, [0], ''],
    [10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], ''],
    [12, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'and 2 more\n"petstore-mock routes" lists all of them.\n'],
  ])('is told before the start, one line each: %d', async (bad, shown, more) => {
    await writeFile(join(cwd, 'half.yaml'), toDocument(bad));
    const server = await start(['--spec', join(cwd, 'half.yaml')]);
    expect(server.out()).toMatch(/^left out/);
    expect(server.out().split('petstore-mock 0')[0]).toBe(shown.map(lineOf).join('') + more + hint);
    expect((await fetch(`${server.url}/fine`)).status).toBe(200);
  });

  test('is a warning, which a log of errors alone does not show', async () => {
    await writeFile(join(cwd, 'half.yaml'), toDocument(1));
    const server = run(['--port', '0', '--spec', join(cwd, 'half.yaml'), '--log-level', 'warn']);
    await server.until(/left out GET \/bad0.*\n.*\n/);
    expect(server.out()).toBe(lineOf(0) + hint);
    const port = await findFreePort();
    const silent = run(['--port', String(port), '--spec', join(cwd, 'half.yaml'), '--log-level', 'error']);
    await untilServed(`http://127.0.0.1:${port}/fine`);
    expect(silent.out()).toBe('');
  });

  test('is data in a JSON log', async () => {
    await writeFile(join(cwd, 'half.yaml'), toDocument(1));
    const server = run(['--port', '0', '--spec', join(cwd, 'half.yaml'), '--log-format', 'json']);
    const [line] = await server.until(/^.*"document".*\n/);
    expect(JSON.parse(line)).toEqual({
      time: expect.any(String),
      level: 'warn',
      event: 'document',
      notes: [
        {
          code: 'type-unexpected',
          effect: 'left out',
          what: 'GET /bad0',
          place: `${join(cwd, 'half.yaml')}: line 5: #/paths/~1bad0/get`,
          reason: 'expected a mapping, got a string',
          remedy: 'Describe the operation there.',
        },
      ],
    });
  });

  test('is listed below the routes, all of it', async () => {
    await writeFile(join(cwd, 'half.yaml'), toDocument(12));
    const { code, out } = await finish(['routes', '--spec', join(cwd, 'half.yaml')]);
    const [table = '', notes] = out.split('\n\n');
    expect(code).toBe(0);
    expect(table.split('\n')).toHaveLength(2);
    expect(notes).toBe(Array.from({ length: 12 }, (_, index) => lineOf(index)).join('') + hint);
  });

  test('is told after a reload', async () => {
    await writeFile(join(cwd, 'half.yaml'), toDocument(0));
    const server = await start(['--spec', join(cwd, 'half.yaml'), '--watch']);
    await writeFile(join(cwd, 'half.yaml'), toDocument(1));
    await server.until(/Reloaded: 1 operations\nleft out GET \/bad0: .*\n/);
  });
});

async function untilServed(url: string): Promise<void> {
  for (let left = 100; left > 0; left--) {
    const served = await fetch(url).then(
      () => true,
      () => false,
    );
    if (served) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nobody answers at ${url}`);
}
