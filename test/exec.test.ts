import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Terminal } from '../src/cli/cli.ts';
import { runCommand } from './support/run-command.ts';

const BIN = fileURLToPath(new URL('../bin/petstore-mock.js', import.meta.url));

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'exec-'));
  await writeFile(join(cwd, 'run.mjs'), RUN);
});

afterEach(() => rm(cwd, { recursive: true }));

/** Sends the requests of its second argument, writes what it knows to the file of its first, and ends with the code of its third. */
const RUN = `
import { writeFile } from 'node:fs/promises';
const [file, requests, code] = process.argv.slice(2);
const url = process.env.PETSTORE_MOCK_URL;
const answers = [];
for (const [method, path, body, headers] of JSON.parse(requests ?? '[]')) {
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method, headers: { ...json, ...headers }, body });
  answers.push([response.status, await response.text()]);
}
await writeFile(file, JSON.stringify({ url, env: process.env, argv: process.argv.slice(2), answers }));
process.exitCode = Number(code ?? 0);
`;

/** Method, path, body and headers. */
type Request = readonly [
  method: string,
  path: string,
  body?: string | undefined,
  headers?: Readonly<Record<string, string>>,
];

interface Ran {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly answers: readonly (readonly [status: number, body: string])[];
}

async function exec(argv: readonly string[], given: Partial<Terminal> = {}) {
  const { PATH = '' } = process.env;
  return await runCommand(['exec', ...argv], { cwd, env: { PATH }, ...given });
}

/** Runs a program that sends requests. */
async function send(requests: readonly Request[], options: readonly string[] = [], code = 0) {
  const program = ['node', 'run.mjs', 'ran.json', JSON.stringify(requests), String(code)];
  return await exec([...options, '--', ...program]);
}

async function readRan(file = 'ran.json'): Promise<Ran> {
  return JSON.parse(await readFile(join(cwd, file), 'utf8')) as Ran;
}

describe('exec', () => {
  test('gives its command the URL of a mock that is ready', async () => {
    const { code, out, err } = await send([['GET', '/categories/1']]);
    const { url, answers } = await readRan();
    expect([code, out]).toEqual([0, '']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(answers).toEqual([[200, expect.stringContaining('"id":1')]]);
    expect(err).toMatch(/^petstore-mock: 1 request, 1 of 21 operations called\n/);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('says so if no request came', async () => {
    const { code, err } = await send([]);
    expect(code).toBe(0);
    expect(err).toMatch(/^petstore-mock: no request came\. .*PETSTORE_MOCK_URL/);
  });

  test.each([
    ['a name', 'API_URL', (url: string) => url],
    ['a name without value', 'API_URL=', (url: string) => url],
    ['a path', 'API_URL=/v1', (url: string) => `${url}/v1`],
    ['a text around the URL', 'API_URL=<{url}/v1>', (url: string) => `<${url}/v1>`],
    ['any other text', 'API_URL=mock', () => 'mock'],
  ])('gives the URL by --env in the form of %s', async (_, value, toValue) => {
    await send([], ['--env', value, '--env', 'OTHER']);
    const { url, env } = await readRan();
    expect([env.API_URL, env.OTHER]).toEqual([toValue(url), url]);
  });

  test('takes the options of a server, before and behind its name', async () => {
    const spec = fileURLToPath(new URL('../examples/bookshop.yaml', import.meta.url));
    const program = ['node', 'run.mjs', 'ran.json', '[["GET","/books?limit=1"]]'];
    const runs: readonly (readonly string[])[] = [
      ['exec', '--spec', spec, '--seed=7', '--', ...program],
      ['--spec', spec, 'exec', '--', ...program],
      ['exec', spec, '--', ...program],
      // PowerShell takes the two dashes away.
      ['exec', spec, '--fail-on', 'none', ...program],
    ];
    for (const argv of runs) {
      const { PATH = '' } = process.env;
      const { code, err } = await runCommand(argv, { cwd, env: { PATH } });
      expect([code, err]).toEqual([0, expect.stringContaining('1 of 9 operations called')]);
      expect((await readRan()).answers[0]?.[0]).toBe(200);
      await rm(join(cwd, 'ran.json'));
    }
  });

  test('listens on a port of the command line alone', async () => {
    await writeFile(join(cwd, 'petstore-mock.config.json'), '{"port":4999,"logLevel":"debug"}');
    const own = await send([]);
    expect([(await readRan()).url.endsWith(':4999'), own.err]).toEqual([
      false,
      expect.not.stringContaining('listens'),
    ]);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await send([], ['--port', String(port)])).err).toMatch(/\[port-taken\]/);
    server.close();
    await once(server, 'close');
    await send([], ['--port', String(port)]);
    expect((await readRan()).url).toBe(`http://127.0.0.1:${port}`);
  });

  test('leaves the arguments of the command alone', async () => {
    const words = ['--port', 'x', '--', '-p', '*', 'a b', '"', '$HOME', ''];
    await exec(['--', 'node', 'run.mjs', 'ran.json', '[]', '0', ...words]);
    expect((await readRan()).argv.slice(3)).toEqual(words);
  });

  test('logs nothing, unless a level is asked for', async () => {
    const quiet = await send([['GET', '/pets/1']]);
    expect(quiet.err).not.toMatch(/GET +\/pets\/1/);
    const loud = await send([['GET', '/pets/1']], ['--log-level', 'info']);
    expect(loud.err).toMatch(/listens on http[\s\S]*GET +\/pets\/1 +200/);
    expect(loud.out).toBe('');
  });

  test('finds the programs of packages', async () => {
    const folder = join(cwd, 'node_modules/.bin');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'my-tests'), '#!/usr/bin/env node\nprocess.exitCode = 7;\n');
    await chmod(join(folder, 'my-tests'), 0o755);
    expect((await exec(['--', 'my-tests'])).code).toBe(7);
    expect((await exec(['--', 'my-testt'])).err).toMatch(/Did you mean my-tests\? \[command-missing\]/);
  });
});

describe('The exit code of exec', () => {
  const wrong: Request = ['POST', '/pets', '{}'];
  const unknown: Request = ['GET', '/petz'];

  test.each<[what: string, requests: Request[], options: string[], code: number]>([
    ['is 0 for a consumer that keeps to the document', [['GET', '/pets']], [], 0],
    ['is 1 for an unknown path', [unknown], [], 1],
    ['is 1 for an unknown method', [['DELETE', '/pets']], [], 1],
    ['is 1 for an unknown parameter', [['GET', '/pets?statuss=sold']], [], 1],
    ['is 1 for an unknown parameter that --strict refuses', [['GET', '/pets?statuss=sold']], ['--strict'], 1],
    ['is 1 for an unknown member', [['POST', '/categories', '{"name":"Elves","nam":1}']], [], 1],
    ['is 0 for a violation', [wrong], [], 0],
    ['is 1 for a violation where those fail', [wrong], ['--fail-on', 'violations'], 1],
    ['is 1 for a malformed body', [['POST', '/pets', '{']], ['--fail-on', 'violations'], 1],
    ['is 0 for what the rules refuse', [['GET', '/pets/999']], ['--fail-on', 'violations,unknown'], 0],
    ['is 0 for a fault', [['GET', '/pets']], ['--error', 'listPets=400', '--fail-on', 'violations'], 0],
    ['is 1 for a deprecated operation', [['GET', '/pets/1']], ['--fail-on', 'deprecated'], 1],
    ['is 0 for an operation before its end', [['GET', '/pets/1']], ['--fail-on', 'sunset'], 0],
    ['is 1 for one past its end', [['GET', '/pets/1']], ['--now', '2027-07-01', '--fail-on', 'sunset'], 1],
    [
      'is 0 for one past its end that expects to be gone',
      [['GET', '/pets/1', undefined, { 'X-Mock-Expect': '410' }]],
      ['--now', '2027-07-01', '--sunset', 'gone', '--fail-on', 'sunset'],
      0,
    ],
    [
      'is 0 where only another session is past it',
      [
        ['POST', '/__mock/clock', '{"now":"2027-07-01T00:00:00Z"}', { 'X-Mock-Session': 'future' }],
        ['GET', '/pets/1', undefined, { 'X-Mock-Session': 'future', 'X-Mock-Expect': '200' }],
        ['GET', '/pets/1'],
      ],
      ['--fail-on', 'sunset'],
      0,
    ],
    ['is 0 for an operation that stays', [['GET', '/pets']], ['--fail-on', 'deprecated,sunset,unstable'], 0],
    ['is 1 for operations that nobody calls', [], ['--fail-on', 'uncovered'], 1],
    ['is 0 for everything where nothing fails', [wrong, unknown], ['--fail-on', 'none'], 0],
  ])('%s', async (_, requests, options, code) => {
    const { code: ended, err } = await send(requests, options);
    expect([ended, /^Failed because of /m.test(err)]).toEqual([code, code === 1]);
  });

  test('is that of the command, where it is not 0', async () => {
    expect((await send([unknown], [], 5)).code).toBe(5);
  });

  test.each([
    ['a signal', ['node', '-e', 'process.kill(process.pid, "SIGKILL")'], 137, /no request came/],
    ['a command that does not exist', ['nod-e-js'], 127, /^The command "nod-e-js" does not exist\./],
    ['a line in quotes', ['npm test'], 127, /without the quotes: petstore-mock exec -- npm test \[/],
    ['an assignment', ['A=1', 'node'], 127, /with --env A=1 \[command-missing\]/],
    ['a file that cannot be run', ['./run.mjs'], 126, /"chmod \+x".* \[command-denied\]/],
    ['no command', [], 2, /^error: 'exec' has no command to run\n/],
  ])('is that of shells for %s', async (_, command, code, err) => {
    expect(await exec(['--', ...command])).toMatchObject({ code, err: expect.stringMatching(err) });
  });

  test('is 127 for a script of package.json, which is suggested', async () => {
    await writeFile(join(cwd, 'package.json'), '{"scripts":{"e2e":"x"}}');
    expect(await exec(['--', 'e2e'])).toMatchObject({
      code: 127,
      err: expect.stringContaining('Did you mean npm run e2e?'),
    });
  });

  test.each([
    [['--fail-on', 'unknow'], /Did you mean unknown\? \[option-invalid\]/],
    [['--fail-on', 'none,unknown'], /^--fail-on must be none or a list of violations, /],
    [['--env', '1A'], /^--env "1A" names no variable\./],
    [['--watch'], /^--watch is for a server/],
    [['--spec', 'missing.yaml'], /missing\.yaml/],
    [['--parallel', '--', 'node "a'], /^A quote in "node \\?"a" is not closed\./],
    [['--parallel', '--', 'npm test && npm run b'], /^No shell reads .* so && means nothing\./],
  ])('is 1 or 2 for %j, and nothing runs', async (options, err) => {
    const argv = options.includes('--') ? options : [...options, '--', 'node', 'run.mjs', 'ran.json'];
    const ended = await exec(argv);
    expect(ended.err).toMatch(err);
    expect([1, 2]).toContain(ended.code);
    await expect(readRan()).rejects.toThrow('ENOENT');
  });
});

describe('X-Mock-Expect', () => {
  const refused = (expected: string): Request => ['POST', '/pets', '{}', { 'X-Mock-Expect': expected }];

  test.each(['422', ' 400 , 422', '4xx', '4XX'])('with "%s" takes a violation as meant', async (header) => {
    const { code, err } = await send([refused(header)], ['--fail-on', 'violations']);
    expect([code, err]).toEqual([0, expect.stringMatching(/^ {2}violations +0$/m)]);
  });

  test.each(['400', '5xx', '', 'yes', '4xxx', '42'])('with "%s" does not', async (header) => {
    expect((await send([refused(header)], ['--fail-on', 'violations'])).code).toBe(1);
  });

  test('takes thousands of commas for no status', async () => {
    expect((await send([refused(','.repeat(5000))], ['--fail-on', 'violations'])).code).toBe(1);
  });

  test('takes an unknown path as meant', async () => {
    expect((await send([['GET', '/petz', undefined, { 'X-Mock-Expect': '404' }]])).code).toBe(0);
  });
});

describe('The report of exec', () => {
  test('counts first, then says what to do', async () => {
    const { err } = await send([
      ['POST', '/pets', '{"name":"Nori"}'],
      ['POST', '/pets', '{"name":"Nori"}'],
      ['GET', '/petz'],
      ['GET', '/pets/1'],
    ]);
    expect(err).toBe(`petstore-mock: 4 requests, 2 of 21 operations called
  violations  2
  unknown     1   fails
  sunset      0
  deprecated  1
  unstable    0
  uncovered   19

violations: Correct these requests, or send X-Mock-Expect: 422 where a test means to break the contract.
  2x createPet: body.categoryId is required [required]

unknown: Not in the document. Correct the requests, or add these to the document.
  GET /petz: The document has no path /petz. Did you mean /pets? [path_not_found]

deprecated: Move to the successor.
  getPet: is deprecated and ends on 2027-06-30; use getPetProfile instead (called by node)

Failed because of unknown. --fail-on says what fails.
`);
  });

  test('lists ten findings of a kind, and stays bounded', async () => {
    const requests = Array.from({ length: 1100 }, (_, number): Request => ['GET', `/x${number}%1b[31m`]);
    const { err } = await send(requests);
    expect(err).toMatch(/^ {2}unknown +1100 +fails$/m);
    expect(err).toMatch(/^ {2}and 991 more$/m);
    expect(err).toMatch(/^ {2}100x others: /m);
    expect(err).not.toContain('\u001b');
  });
});

describe('exec --parallel', () => {
  test('gives every command line a session', async () => {
    const line = (name: string) =>
      `node run.mjs ${name}.json '[["POST","/categories","{\\"name\\":\\"${name}\\"}"],["GET","/categories/9"]]'`;
    const { code, err } = await exec(['--parallel', '--', line('one'), line('two')]);
    const [one, two] = await Promise.all(['one.json', 'two.json'].map((file) => readRan(file)));
    expect([code, err]).toEqual([0, expect.stringContaining('4 requests, 2 of 21')]);
    expect(one?.answers[1]).toEqual([200, '{"id":9,"name":"one"}']);
    expect(two?.answers[1]).toEqual([200, '{"id":9,"name":"two"}']);
    expect(one?.url).toMatch(/\/__mock\/sessions\/node-run\.mjs-one[\w.-]+$/);
  });

  test.each([
    ['spaces', 'a   b\tc', ['a', 'b', 'c']],
    ['double quotes', '"a b" "" c"d e"f', ['a b', '', 'cd ef']],
    ['single quotes', `'a "b"' '\\'`, ['a "b"', '\\']],
    ['escapes', '"a \\" \\\\ \\n"', ['a " \\ \\n']],
    ['the paths of Windows', 'C:\\Temp\\x', ['C:\\Temp\\x']],
    ['what shells would replace', '$HOME * `x` ~ %PATH%', ['$HOME', '*', '`x`', '~', '%PATH%']],
    ['operators in quotes', '"&&" a>b', ['&&', 'a>b']],
  ])('reads %s alike on all systems', async (_, words, expected) => {
    await exec(['--parallel', '--', `node run.mjs ran.json [] 0 ${words}`]);
    expect((await readRan()).argv.slice(3)).toEqual(expected);
  });

  test('ends with the first code that is not 0, and lets the others finish', async () => {
    const lines = [
      'node run.mjs a.json [] 0',
      'no-such-program',
      'node run.mjs b.json [] 4',
      'node run.mjs c.json',
    ];
    const { code, err } = await exec(['--parallel', '--', ...lines]);
    expect([code, err]).toEqual([127, expect.stringContaining('[command-missing]')]);
    expect((await readRan('c.json')).url).toMatch(/^http/);
  });
});

describe('A signal', () => {
  const WAIT = `
    const fs = require('node:fs');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => { fs.writeFileSync('heard', signal); process.exit(9); });
    fs.writeFileSync('ready', '');
    setInterval(() => {}, 1000);`;
  const read = (file: string) => vi.waitFor(() => readFile(join(cwd, file), 'utf8'), 10_000);

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s goes to the command, whose code wins',
    async (signal) => {
      const child = spawn(process.execPath, [BIN, 'exec', '--', 'node', '-e', WAIT], {
        cwd,
        stdio: 'ignore',
      });
      const exited = once(child, 'exit');
      await read('ready');
      child.kill(signal);
      expect(await exited).toEqual([9, null]);
      expect(await read('heard')).toBe(signal);
    },
  );

  test('is not sent again where the terminal has sent it', async () => {
    let press: (signal: NodeJS.Signals, isShared: boolean) => void = () => {};
    const running = exec(['--', 'node', '-e', WAIT], {
      onSignal(listen) {
        press = listen;
        return () => {};
      },
    });
    await read('ready');
    press('SIGINT', true);
    press('SIGTERM', false);
    expect(await running).toMatchObject({ code: 9, err: expect.stringContaining('no request came') });
    expect(await read('heard')).toBe('SIGTERM');
  });

  test('during the start ends without running anything', async () => {
    const { code, err } = await exec(['--', 'node', 'run.mjs', 'ran.json'], {
      onSignal(listen) {
        listen('SIGTERM', false);
        return () => {};
      },
    });
    expect([code, err]).toEqual([143, '']);
    await expect(readRan()).rejects.toThrow('ENOENT');
  });
});

test('exec counts what mocks in the process of its command have seen, once for each', async () => {
  const program = `
    import { createMock } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
    for (const path of ['/pets', '/categories']) {
      const mock = await createMock();
      await mock.fetch(path);
      await mock.close();
      await mock.close();
    }
    const other = await createMock({ spec: { openapi: '3.0.3', info: { title: 'Other', version: '1' }, paths: { '/a': { get: { responses: { 200: { description: 'A' } } } } } } });
    await other.fetch('/a');
    await other.close();
    await fetch(process.env.PETSTORE_MOCK_URL + '/store/orders');`;
  const { code, err } = await exec(['--', 'node', '--input-type=module', '-e', program]);
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/^petstore-mock: 3 requests, 3 of 21 operations called$/m),
  ]);
});
