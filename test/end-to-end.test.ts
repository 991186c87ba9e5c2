import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { json } from './support/adapters.ts';
import { withoutCodes } from './support/run-command.ts';

const COMMAND = fileURLToPath(new URL('../bin/petstore-mock.js', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

let cwd: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'end-to-end-'));
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(cwd, { recursive: true });
});

interface Ending {
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built command as a process of its own. */
interface Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  out(): string;
  /** Resolves to the first match in the output. Rejects if the process ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Command {
  const child = spawn(process.execPath, [COMMAND, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => {
    out += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    err += text;
  });
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code) => {
      children.delete(child);
      resolve({ code, out, err });
    });
  });
  return {
    child,
    ended,
    out: () => out,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(out);
          if (match) resolve(match);
        };
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`No ${pattern} in the output:\n${out}${err}`)));
        look();
      }),
  };
}

async function start(
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Command & { readonly url: string }> {
  const command = run(['--port', '0', ...argv], env);
  const [, url = ''] = await command.until(/listens on (\S+)\n(?:.*\n)*Ctrl\+C/);
  return { ...command, url };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe('The command', () => {
  test('starts on a free port, serves, remembers and logs', async () => {
    const { url, out, child, ended } = await start();
    expect(out()).toMatch(/^petstore-mock \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+\n/);
    expect(out()).toContain(
      '  operations  21\n  resources   4 (87 entities): pets 28, categories 8, orders 23, inventory 28\n  deprecated  GET /pets/{petId} until 2027-06-30\n',
    );
    const created = await fetch(`${url}/pets`, json('POST', { name: 'Nori', categoryId: 2 }));
    expect(created.status).toBe(201);
    const location = created.headers.get('Location');
    expect(location).toBe('/pets/29');
    const read = await fetch(url + location);
    expect(await read.json()).toEqual({ id: 29, name: 'Nori', categoryId: 2, status: 'available' });
    expect(read.headers.get('Deprecation')).toBe('@1780272000');
    // What no state answers, the document does; that needs all that was bundled.
    const preferred = await fetch(`${url}/categories/1`, { headers: { Prefer: 'code=404' } });
    expect(preferred.status).toBe(404);
    child.kill('SIGTERM');
    const { code, out: all, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(all.split('Ctrl+C stops it.\n')[1]?.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d POST +\/pets +201 +\d+\.\d ms$/),
      expect.stringMatching(
        /^\d\d:\d\d:\d\d GET +\/pets\/29 +200 +\d+\.\d ms warning: getPet is deprecated since 2026-06-01 /,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET +\/categories\/1 +404 +\d+\.\d ms/),
    ]);
  });

  test('outlives requests that no client should send', async () => {
    const { url, child, ended } = await start();
    const port = Number(new URL(url).port);
    const host = 'HTTP/1.1\r\nHost: a\r\n\r\n';
    const requests = [
      `GET /pets/1?__code=404&__seed=%E2%82%AC ${host}`,
      `CONNECT a:1 ${host}`,
      `garbage ${host}`,
      `GET /pets/1 ${host}garbage`,
    ];
    for (const text of Array.from({ length: 40 }, (_, index) => requests[index % 4] as string)) {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(text);
        setTimeout(() => socket.resetAndDestroy(), 5);
      });
      await once(socket, 'close');
    }
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  test('goes on when its log cannot be written', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    taken.close();
    // A disk that is always full; other systems have none, and the log goes nowhere.
    const log = openSync(existsSync('/dev/full') ? '/dev/full' : devNull, 'w');
    const child = spawn(process.execPath, [COMMAND, '--port', String(port)], {
      cwd,
      stdio: ['ignore', log, 'pipe'],
    });
    children.add(child);
    closeSync(log);
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/pets/1`).then(
        ({ status }) => status,
        () => 0,
      );
    while (child.exitCode === null && (await ask()) === 0) await wait(50);
    expect([await ask(), await ask(), child.exitCode]).toEqual([200, 200, null]);
  });

  test('serves two mocks that share nothing', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    await fetch(`${one.url}/pets/1`, { method: 'DELETE' });
    expect((await fetch(`${one.url}/pets/1`)).status).toBe(404);
    expect((await fetch(`${other.url}/pets/1`)).status).toBe(200);
  });

  test('lists the routes without starting a server', async () => {
    const { code, out, err } = await run(['routes']).ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trimEnd().split('\n')).toHaveLength(22);
    expect(out).toContain('[deprecated until 2027-06-30] Get a pet\n');
  });

  test('explains itself', async () => {
    const { code, out, err } = await run(['--help']).ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: petstore-mock /);
  });
});

describe('Signals', () => {
  const signals = ['SIGINT', 'SIGTERM'] as const;

  test.each(signals)('%s lets the open requests end, and the exit code is 0', async (signal) => {
    const { url, child, ended, out } = await start(['--delay', '1000']);
    const answer = fetch(`${url}/pets/1`);
    await wait(400);
    child.kill(signal);
    await wait(100);
    await expect(fetch(`${url}/pets`)).rejects.toThrow();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: 1 });
    expect(await ended).toEqual({ code: 0, out: out(), err: '' });
    expect(out()).toMatch(/^\d\d:\d\d:\d\d GET +\/pets\/1 +200 +\d{3,}\.\d ms/m);
  });

  test.each(signals)('%s ends a server with idle connections at once', async (signal) => {
    const { url, child, ended } = await start();
    await fetch(`${url}/pets`);
    const from = performance.now();
    child.kill(signal);
    expect((await ended).code).toBe(0);
    expect(performance.now() - from).toBeLessThan(2000);
  });

  test('SIGTERM ends a server in 5 seconds, whatever its clients are up to', async () => {
    const { url, child, ended } = await start(['--delay', '60000']);
    const answer = fetch(`${url}/pets/1`);
    answer.catch(() => {});
    const stalled = fetch(`${url}/pets`, {
      method: 'POST',
      duplex: 'half',
      body: new ReadableStream({ pull: () => {} }),
    });
    stalled.catch(() => {});
    await wait(400);
    const from = performance.now();
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(performance.now() - from).toBeLessThan(5000);
    await expect(answer).rejects.toThrow();
  });

  test('a second one ends a server that waits for its requests', async () => {
    const { url, child, ended } = await start(['--delay', '9000']);
    const answer = fetch(`${url}/pets/1`);
    answer.catch(() => {});
    await wait(200);
    child.kill('SIGINT');
    await wait(200);
    const from = performance.now();
    child.kill('SIGINT');
    expect((await ended).code).not.toBe(0);
    expect(performance.now() - from).toBeLessThan(2000);
    await expect(answer).rejects.toThrow();
  });

  test.each([
    ['without --watch', []],
    ['with --watch', ['--watch']],
  ])('one that comes as soon as the server listens is heeded %s', async (_, argv) => {
    const { child, ended } = await start(argv);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

describe('A mistake', () => {
  const broken =
    'openapi: 3.0.3\ninfo: { title: Broken, version: "1" }\npaths:\n  /a:\n    get: { responses: [}\n';
  const dangling = [
    'openapi: 3.0.3',
    'info: { title: Dangling, version: "1" }',
    'paths:',
    '  /a:',
    '    get:',
    '      responses:',
    "        '200':",
    "          $ref: '#/components/responses/Gone'",
    '',
  ].join('\n');

  const cases: [what: string, code: number, argv: string[], sentence: RegExp][] = [
    [
      'a document that is not there',
      1,
      ['--spec', 'gone.yaml'],
      /^There is no document at gone\.yaml\. Check the path\.\n$/,
    ],
    [
      'a document with broken syntax',
      1,
      ['--spec', 'broken.yaml'],
      /^Failed to load the document broken\.yaml: line 5, column 24: .+\. Correct the syntax there\.\n {2}4 \|.*\n> 5 \|.*\n {4}\| {24}\^\n(?: {2}6 \|.*\n)?$/,
    ],
    [
      'a document with a reference that leads nowhere',
      1,
      ['--spec', 'dangling.yaml'],
      /^Failed to load the document dangling\.yaml: line 8: #\/paths\/~1a\/get\/responses\/200\/\$ref: .+ leads nowhere\. .+\.\n$/,
    ],
    [
      'a document of another version',
      1,
      ['--spec', 'new.json'],
      /^Failed to load the document new\.json: line 1: #\/openapi: version 4\.1\.0 is not supported\. Convert .+\.\n$/,
    ],
    [
      'a URL where nobody is',
      1,
      ['--spec', 'http://127.0.0.1:9/a.yaml'],
      /^Failed to fetch the document http:\S+: .+\.\n$/,
    ],
    [
      'fixtures that break their schema',
      1,
      ['--fixtures', 'fixtures'],
      /^fixtures\/pets\.json: line 3: #\/1: pet\.categoryId must be integer\. Correct the entity there\.\n$/,
    ],
    [
      'fixtures that contradict each other',
      1,
      ['--fixtures', 'contradiction'],
      /^The fixtures have \d+ mistakes:\n {2}contradiction\/pets\.json: line 2: #\/0: pet 1 is in category 9, which does not exist\.\n/,
    ],
    ['a flag that does not exist', 2, ['--prot', '80'], /^error: unknown option '--prot'/],
    ['a flag with a bad value', 2, ['--delay', 'long'], /^--delay must be milliseconds .+, not "long"\.\n$/],
    [
      'a command that does not exist',
      2,
      ['serve'],
      /^error: unknown command 'serve'\n\(The commands are mock, routes, check, exec, explain\. Without one, the server starts: /,
    ],
    [
      'a rule for no operation',
      2,
      ['--error', 'getDog=500'],
      /^The fault getDog=500 names an unknown operation.+\.\n$/,
    ],
    ['a rule that is none', 2, ['--error', 'getPet:500'], /^Invalid fault "getPet:500"\. .+\.\n$/],
    [
      'a config file with a mistyped key',
      2,
      ['--config', 'bad.yaml'],
      /^bad\.yaml, line 2: Unknown option prot\. Did you mean port\?\nRun "petstore-mock --help" .+\.\n$/,
    ],
    [
      'a date that is none',
      1,
      ['--config', 'date.yaml'],
      /^GET \/pets\/\{petId\}: the sunset date "soon" is invalid\. /,
    ],
  ];

  beforeEach(async () => {
    const files: Record<string, string> = {
      'broken.yaml': broken,
      'dangling.yaml': dangling,
      'new.json': '{ "openapi": "4.1.0", "info": { "title": "New", "version": "1" }, "paths": {} }',
      'bad.yaml': 'port: 0\nprot: 80\n',
      'date.yaml': 'lifecycle: { getPet: { sunset: soon } }\n',
    };
    for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, file), text);
    const pet = { id: 1, name: 'Biscuit', categoryId: 9 };
    for (const [directory, pets] of Object.entries({
      fixtures: [pet, { ...pet, categoryId: 'x' }],
      contradiction: [pet],
    })) {
      await cp(FIXTURES, join(cwd, directory), { recursive: true });
      const lines = pets.map((each) => `  ${JSON.stringify(each)}`);
      await writeFile(join(cwd, directory, 'pets.json'), `[\n${lines.join(',\n')}\n]\n`);
    }
  });

  test.each(cases)('ends the start in one sentence: %s', async (_, code, argv, sentence) => {
    const ending = await run(['--port', '0', ...argv]).ended;
    expect(withoutCodes(ending).err).toMatch(sentence);
    expect(ending.err).toMatch(/ \[[a-z-]+\]\n/);
    expect(ending.err).not.toMatch(/^ {4}at /m);
    expect({ code: ending.code, out: ending.out }).toEqual({ code, out: '' });
  });

  test('does not end the start: a document that comes slowly through a pipe', async () => {
    const child = spawn(process.execPath, [COMMAND, 'routes', '--spec', '-'], { cwd });
    children.add(child);
    const texts = { out: '', err: '' };
    child.stdout.on('data', (text: Buffer) => {
      texts.out += text;
    });
    child.stderr.on('data', (text: Buffer) => {
      texts.err += text;
    });
    const document = await readFile(DOCUMENT, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.stdin.write(document.slice(0, 999));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.stdin.end(document.slice(999));
    const [code] = await once(child, 'close');
    expect({ code, err: texts.err }).toEqual({
      code: 0,
      err: 'reading the document from standard input; Ctrl+D ends it ...\n',
    });
    expect(texts.out).toContain('getPet');
  });

  test('ends the start in one sentence: a port that is taken', async () => {
    const { port } = new URL((await start()).url);
    expect(await run(['--port', port]).ended).toEqual({
      code: 1,
      out: '',
      err: `Port ${port} is taken. Choose another one with --port, or --port 0 for any free one. "lsof -i :${port}" names the program that has it (on Windows "netstat -ano"). [port-taken]\n"petstore-mock explain port-taken" says more.\n`,
    });
  });
});

describe('Options', () => {
  test('come from the config file, the environment and flags, the latter over the former', async () => {
    await cp(FIXTURES, join(cwd, 'entities'), { recursive: true });
    await cp(DOCUMENT, join(cwd, 'api.yaml'));
    const config = {
      port: 1,
      spec: 'api.yaml',
      fixtures: 'entities',
      logFormat: 'pretty',
      delay: 60_000,
      errors: [
        {
          operation: 'getPet',
          status: 503,
          message: 'Back at noon.',
          headers: { 'Retry-After': '60' },
          times: 1,
        },
        'listPets=500',
      ],
      lifecycle: { listCategories: { deprecation: '2026-01-01', sunset: '2027-01-01' } },
    };
    await writeFile(join(cwd, 'petstore-mock.config.json'), JSON.stringify(config));
    const env = { PETSTORE_MOCK_PORT: '2', PETSTORE_MOCK_DELAY: '0', PETSTORE_MOCK_LOG_FORMAT: 'json' };
    const { url, out } = await start(['--log-format', 'pretty', '--no-cors'], env);
    expect(out()).toMatch(/Pet Store \(.*api\.yaml\)\n/);
    expect(out()).toContain('  deprecated  GET /categories until 2027-01-01\n');
    const failed = await fetch(`${url}/pets/1`);
    expect({
      status: failed.status,
      after: failed.headers.get('Retry-After'),
      body: await failed.json(),
    }).toEqual({
      status: 503,
      after: '60',
      body: { code: 'service_unavailable', message: 'Back at noon.', status: 503 },
    });
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
    expect((await fetch(`${url}/pets`)).status).toBe(500);
    const categories = await fetch(`${url}/categories`);
    expect(categories.headers.get('Sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
    expect(categories.headers.has('Access-Control-Allow-Origin')).toBe(false);
  });
});

describe('The log', () => {
  test('is JSON, one object a line, if it is asked for', async () => {
    const { until, out, child, ended } = run(['--port', '0', '--log-format', 'json']);
    const [, url = ''] = await until(/"url":"([^"]+)".*\n/);
    await fetch(`${url}/pets/1`);
    await fetch(`${url}/nowhere%0A?x=%0A`);
    child.kill('SIGTERM');
    await ended;
    const entries = out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.map(({ event, level, path, status }) => [event, level, path, status])).toEqual([
      ['start', 'info', undefined, undefined],
      ['request', 'warn', '/pets/1', 200],
      ['request', 'warn', '/nowhere%0A', 404],
    ]);
  });

  test('has a line for each of many requests at once, in their order, and before the server ends', async () => {
    const { url, child, ended } = await start();
    const paths = Array.from({ length: 100 }, (_, index) => `/categories/${index + 1}`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
      socket.write('GET /pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    });
    await once(socket.resume(), 'close');
    child.kill('SIGTERM');
    const { out } = await ended;
    const logged = [...out.matchAll(/^\d\d:\d\d:\d\d GET +(\S+)/gm)].map(([, path]) => path);
    expect(logged).toEqual([...paths, '/pets']);
  });

  test('may lose its reader without the server minding', async () => {
    const { url, child, ended } = await start();
    child.stdout?.destroy();
    for (let count = 0; count < 5; count++) {
      expect((await fetch(`${url}/pets`)).status).toBe(200);
      await wait(20);
    }
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });
});

describe('With --watch', () => {
  test('an edit keeps the port and the state, and a broken one is only told', async () => {
    const document = join(cwd, 'api.yaml');
    const text = await readFile(DOCUMENT, 'utf8');
    await writeFile(document, text);
    const { url, until, child, ended } = await start([
      '--spec',
      'api.yaml',
      '--fixtures',
      FIXTURES,
      '--watch',
    ]);
    await wait(500);
    await fetch(`${url}/pets`, json('POST', { name: 'Nori', categoryId: 2 }));
    await writeFile(document, `${text}}`);
    const [told] = await until(/Reload failed.*\n/);
    expect(told).toMatch(
      /^Reload failed, still serving the last good version: .* api\.yaml: line \d+, column \d+: /,
    );
    expect((await fetch(`${url}/pets/29`)).status).toBe(200);
    await writeFile(document, text.replaceAll("'2027-06-30'", "'2028-06-30'"));
    await until(/Reloaded: 21 operations\n/);
    const pet = await fetch(`${url}/pets/29`);
    expect(await pet.json()).toMatchObject({ name: 'Nori' });
    expect(pet.headers.get('Sunset')).toBe('Fri, 30 Jun 2028 00:00:00 GMT');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });
});
