import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toReadError, toWriteError } from '../src/base/file-mistake.ts';
import { createMock } from '../src/index.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { type CommandResult, runCommand, withoutCodes } from './support/run-command.ts';

const DOCUMENT = JSON.stringify(
  documentOf({ '/pet': { get: { operationId: 'getPet', responses: jsonAnswer({ type: 'object' }) } } }),
);
const SWAGGER = JSON.stringify({ swagger: '2.0', info: { title: 'Old', version: '1' }, paths: {} });

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mistakes-'));
  await write({ 'api.yaml': DOCUMENT });
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) await stop();
  await rm(cwd, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
}

/** Runs a line in the directory of the test; `@/` stands for that directory. */
async function run(line: string, env: Record<string, string> = {}): Promise<CommandResult> {
  const argv = line.split(' ').map((word) => word.replace('@', cwd));
  return withoutCodes(await runCommand(argv, { env, cwd }));
}

async function messageOf(line: string, env: Record<string, string> = {}): Promise<string> {
  const { code, err } = await run(line, env);
  expect(code).not.toBe(0);
  return err.replaceAll(cwd, '@').trimEnd();
}

describe('Another file given as config file', () => {
  test.each<[what: string, file: string, text: string, remedy: string]>([
    ['an OpenAPI document', 'a.yaml', DOCUMENT, 'Serve it with --spec a.yaml.'],
    ['a Swagger document', 'a.json', SWAGGER, 'Serve it with --spec a.json.'],
    [
      'the data of json-server',
      'db.json',
      '{"pets":[{"id":1}]}',
      'Start with its entities with --fixtures db.json.',
    ],
    [
      'a Postman collection',
      'p.json',
      '{"info":{"name":"x"},"item":[]}',
      'Name a file with options, like port: 4010.',
    ],
    ['an HTML page', 'x.yaml', '<!doctype html>', 'Name a file with options, like port: 4010.'],
  ])('is recognized: %s', async (what, file, text, remedy) => {
    await write({ [file]: text });
    expect(await messageOf(`--config @/${file}`)).toBe(`${file} is ${what}, not a config file. ${remedy}`);
  });

  test('is recognized under the name of the config file', async () => {
    await write({ 'petstore-mock.config.yaml': DOCUMENT });
    expect(await messageOf('routes')).toBe(
      'petstore-mock.config.yaml is an OpenAPI document, not a config file. Serve it with --spec petstore-mock.config.yaml. Give it another name too.',
    );
  });

  test('is not assumed where every option is known', async () => {
    await write({ 'c.json': '{"errors":[{"operation":"getPet","status":503}]}' });
    expect((await run('routes --config @/c.json')).code).toBe(0);
  });
});

describe('Several unknown options', () => {
  test('of a file are one message', async () => {
    await write({ 'c.yaml': 'prot: 1\nseed: 2\nsede: 3\nxyzzy: 4\n' });
    expect(await messageOf('routes --config @/c.yaml')).toBe(
      'c.yaml: Unknown options: prot (line 1; did you mean port?), sede (line 3; did you mean seed?), xyzzy (line 4).\n' +
        'Run "petstore-mock --help" for a list of all options.',
    );
  });

  test('are counted beyond the first twenty', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => `xyz${index}: 1`);
    await write({ 'c.yaml': many.join('\n') });
    expect(await messageOf('routes --config @/c.yaml')).toMatch(/xyz19 \(line 20\) and 4980 more\.\n/);
  });

  test('in code are one message too', async () => {
    await expect(createMock({ sede: 1, xyzzy: 2 } as never)).rejects.toThrow(
      /^Unknown options: sede \(did you mean seed\?\), xyzzy\.\nThe options are [^\n]+$/,
    );
  });
});

describe('Fixtures for a mock that has no entities', () => {
  const WHY = 'exclude each other: an empty mock has no entities to start with. Remove one of the two.';

  test.each<[source: string, line: string, env: Record<string, string>, config: string, message: string]>([
    ['flags', '--empty --fixtures @', {}, '', `--empty and --fixtures ${WHY}`],
    [
      'variables',
      'routes',
      { PETSTORE_MOCK_EMPTY: '1', PETSTORE_MOCK_FIXTURES: 'x' },
      '',
      `PETSTORE_MOCK_EMPTY and PETSTORE_MOCK_FIXTURES ${WHY}`,
    ],
    [
      'a config file',
      'routes',
      {},
      'empty: true\nfixtures: x\n',
      `petstore-mock.config.yaml, line 1: empty and petstore-mock.config.yaml, line 2: fixtures ${WHY}`,
    ],
    [
      'flags for no state',
      '--stateless --fixtures @',
      {},
      '',
      `--stateless and --fixtures ${WHY.replace('an empty mock', 'a mock without state')}`,
    ],
  ])('are refused if they come from %s', async (_, line, env, config, message) => {
    if (config) await write({ 'petstore-mock.config.yaml': config });
    expect(await messageOf(line, env)).toBe(message);
  });

  test.each<[line: string, config: string, warning: string]>([
    [
      'routes --empty',
      'fixtures: nowhere\n',
      'Ignored "petstore-mock.config.yaml, line 1: fixtures", because --empty excludes it and wins.\n',
    ],
    [
      'routes --fixtures @',
      'seed: 1\nempty: true\n',
      'Ignored "petstore-mock.config.yaml, line 2: empty", because --fixtures excludes it and wins.\n',
    ],
    ['routes --fixtures @', 'empty: false\n', ''],
  ])('give way to the stronger source, which says so: %s', async (line, config, warning) => {
    await write({ 'petstore-mock.config.yaml': config });
    expect(await run(line)).toMatchObject({ code: 0, err: warning });
  });

  test('are refused in code', async () => {
    for (const fixtures of [cwd, {}])
      await expect(createMock({ fixtures, empty: true })).rejects.toThrow(`empty and fixtures ${WHY}`);
    await expect(createMock({ fixtures: cwd, stateless: true })).rejects.toThrow('exclude each other');
    await createMock({ empty: false, fixtures: {} });
  });
});

describe('A file that cannot be read', () => {
  test.each<[line: string, message: string]>([
    ['@/api.yml', 'There is no document at @/api.yml. Did you mean @/api.yaml?'],
    ['@/api.json', 'There is no document at @/api.json. Did you mean @/api.yaml?'],
    ['@/apy.yaml', 'There is no document at @/apy.yaml. Did you mean @/api.yaml?'],
    ['--spec @/api', 'There is no document at @/api. Did you mean @/api.yaml?'],
    ['@/elsewhere.yaml', 'There is no document at @/elsewhere.yaml. Check the path.'],
    [
      '@/a/b/api.yaml',
      'There is no document at @/a/b/api.yaml. The directory @/a does not exist. Check the path.',
    ],
    ['--config @/apy.yaml', 'There is no config file at @/apy.yaml. Did you mean @/api.yaml?'],
    [
      '@/api.yaml/x.yaml',
      'There is no document @/api.yaml/x.yaml, because a part of that path is a file and not a directory. Check the path.',
    ],
    [
      'ftp://a/b.yaml',
      'Cannot read the document ftp://a/b.yaml: only http and https URLs are fetched. Download it, and name the file.',
    ],
    [
      '--spec file:///a/b%20c.yaml',
      'Cannot read the document file:///a/b%20c.yaml: only http and https URLs are fetched. Name the file by its path: /a/b c.yaml',
    ],
    [
      '--spec file://host/a',
      'Cannot read the document file://host/a: only http and https URLs are fetched. Download it, and name the file.',
    ],
    ['--config=', '--config must be the name of a file, not "".'],
    [
      '@/a.graphql',
      'Failed to load the document @/a.graphql: line 1: this is a GraphQL schema, not an OpenAPI document. This server takes OpenAPI 3.0 to 3.2 and Swagger 2.0, as YAML or JSON.',
    ],
    ['--spec @', '@ is a directory. Name the document in it, such as @/api.yaml.'],
    [
      '@/loop.yaml',
      'Failed to read the document @/loop.yaml: its symbolic links lead in a circle. Correct the links, or name the file itself.',
    ],
    ['--fixtures @/apis.yaml', 'There are no fixtures at @/apis.yaml. Did you mean @/api.yaml?'],
    [
      '--fixtures http://127.0.0.1:1/x.json',
      'Fixtures cannot be fetched from http://127.0.0.1:1/x.json. Download them, and name the file.',
    ],
    [
      '--fixtures @/api.yaml',
      '@/api.yaml is an OpenAPI document, not fixtures. Serve it with --spec @/api.yaml.',
    ],
  ])('is explained, with the next step: %s', async (line, message) => {
    await write({ 'a.graphql': 'type Query { a: Int }' });
    await symlink('loop.yaml', join(cwd, 'loop.yaml'));
    expect(await messageOf(line)).toBe(message);
  });

  test.each<[code: string, message: RegExp]>([
    ['EACCES', /^You are not allowed to read the document a\.yaml\. Allow it: chmod \+r a\.yaml$/],
    ['EPERM', /^You are not allowed to read/],
    ['EIO', /^Failed to read the document a\.yaml: EIO: broken\. Check the path\.$/],
  ])('is explained for %s', async (code, message) => {
    const cause = Object.assign(new Error(`${code}: broken`), { code });
    expect((await toReadError(cause, 'a.yaml', 'document')).message).toMatch(message);
  });

  test.each<[code: string, file: string, message: string]>([
    ['EACCES', 'r.json', 'you are not allowed to. Choose another file with --output.'],
    ['EISDIR', 'r.json', 'it is a directory. Name a file in it with --output.'],
    [
      'ENOENT',
      'no/r.json',
      'the directory @/no does not exist. Create it, or choose another file with --output.',
    ],
    ['ENOSPC', 'r.json', 'the disk is full. Free space on it, or choose another file with --output.'],
    ['EIO', 'r.json', 'EIO: full. Choose another file with --output.'],
  ])('and a report that cannot be written too: %s', async (code, file, message) => {
    const cause = Object.assign(new Error(`${code}: full`), { code });
    const error = await toWriteError(cause, join(cwd, file), { what: 'report', option: '--output' });
    expect(error.message.replaceAll(cwd, '@')).toBe(`Failed to write the report to @/${file}: ${message}`);
  });
});

describe('The document among the words of the command', () => {
  test.each([
    ['routes @/api.yaml'],
    ['--stateless=true routes @/api.yaml'],
    ['--stateless routes @/api.yaml'],
    ['routes --no-auth=true --empty=true @/api.yaml'],
    ['check @/api.yaml'],
    ['routes --resources @/api.yaml'],
  ])('is served by: %s', async (line) => {
    const { code, out, err } = await run(line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).not.toContain('/pets');
  });

  test.each([
    ['--port 0 --stateless @/api.yaml'],
    ['@/api.yaml --port 0 --stateless'],
    ['-p 0 --stateless --log-level info @/api.yaml'],
  ])('is not the value of the flag before it: %s', async (line) => {
    const { code, out, err } = await run(line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/document\s+Small \(api\.yaml\)/);
  });

  test.each<[line: string, message: string]>([
    [
      'routes getPet',
      "error: 'routes' cannot take 'getPet'\n(Name a document, as in: petstore-mock routes api.yaml)",
    ],
    [
      'routes check',
      "error: 'routes' cannot take 'check'\n(Run one command at a time, 'routes' or 'check'.)",
    ],
    [
      '@/api.yaml routes',
      'error: the command comes before the document\n(Did you mean petstore-mock routes @/api.yaml?)',
    ],
    ['check a.yaml b.yaml', "error: one document at a time, not 'a.yaml' and 'b.yaml'\n"],
    [
      'check a.yaml --spec b.yaml',
      "error: the document is named twice, by 'a.yaml' and by --spec\n(Remove one of the two, as in: petstore-mock check a.yaml)",
    ],
    ['checks', "error: unknown command 'checks'\n(Did you mean check?)"],
    ['--watch=yes', '--watch takes no value. Write --watch alone, or leave it out.'],
    [
      'serve',
      "error: unknown command 'serve'\n(The commands are mock, routes, check, exec, explain. Without one, the server starts: petstore-mock api.yaml)",
    ],
  ])('is explained where it cannot be understood: %s', async (line, message) => {
    expect(await messageOf(line)).toContain(message);
  });
});

describe('A variable with a misspelt prefix', () => {
  test.each([
    ['PETSTOREMOCK_PORT', 'PETSTORE_MOCK_PORT'],
    ['PETSTORE_MOK_PORT', 'PETSTORE_MOCK_PORT'],
    ['PET_STORE_MOCK_LOG_LEVEL', 'PETSTORE_MOCK_LOG_LEVEL'],
    ['petstore_mock_seed', 'PETSTORE_MOCK_SEED'],
    ['PETSTORE_MOC_CONFIG', 'PETSTORE_MOCK_CONFIG'],
  ])('is named with the one that was meant: %s', async (name, meant) => {
    const { code, err } = await run('routes', { [name]: '1' });
    expect({ code, err }).toEqual({
      code: 0,
      err: `Ignored unknown variable ${name}. Did you mean ${meant}?\n`,
    });
  });

  test.each([
    ['PATH', '/bin'],
    ['PORT', '80'],
    ['PETSTORE_URL', 'http://a'],
    ['POSTGRES_PORT', '1'],
    ['PETSTOREMOCK_PORT', 'tcp://10.0.0.1:80'],
    ['PETSTOREMOCK_SERVICE_PORT', '80'],
    [`P${'x'.repeat(100_000)}`, ''],
  ])('is not a variable of another program: %.40s', async (name, value) => {
    expect(await run('routes', { [name]: value })).toMatchObject({ code: 0, err: '' });
  });
});

const stops: (() => Promise<void>)[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function withTimeout(milliseconds: number): void {
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, milliseconds));
}

describe('A document from a URL', () => {
  test.each<[what: string, listener: RequestListener, reason: RegExp]>([
    [
      'is not there',
      (_, response) => response.writeHead(404).end(),
      /the server answered 404 Not Found\. Check the URL/,
    ],
    [
      'needs a login',
      (_, response) => response.writeHead(401).end('{}'),
      /answered 401, so it wants credentials\. Download it/,
    ],
    [
      'is a page',
      (_, response) => response.end('\n<!DOCTYPE html><html>'),
      /the server answered with an HTML page\. It may ask for a login/,
    ],
    [
      'leads to a login page',
      ({ url }, response) =>
        url === '/login' ? response.end('<html>') : response.writeHead(302, { Location: '/login' }).end(),
      /with an HTML page after a redirect to http:\/\/127\.0\.0\.1:\d+\/login\. /,
    ],
    [
      'leads in a circle',
      (_, response) => response.writeHead(302, { Location: '/' }).end(),
      /redirect count exceeded\. Check the URL/,
    ],
    [
      'ends halfway',
      (_, response) => response.writeHead(200, { 'Content-Length': 9 }).write('{', () => response.destroy()),
      /Failed to fetch/,
    ],
    ['is no document', (_, response) => response.end('{}'), /the key "openapi" is missing/],
  ])('that %s is explained', async (_, listener, reason) => {
    const url = await serve(listener);
    const { code, err } = await run(`${url}/api.yaml`);
    expect(code).toBe(1);
    expect(err).toContain(`${url}/api.yaml`);
    expect(err).toMatch(reason);
  });

  test('of a server that is not there is explained', async () => {
    const url = await serve(() => {});
    await stops.pop()?.();
    expect(await messageOf(`${url}/api.yaml`)).toBe(
      `Failed to fetch the document ${url}/api.yaml: nothing listens on ${new URL(url).host} (ECONNREFUSED). Start that server first, or correct the URL.`,
    );
  });

  test.each<[what: string, listener: RequestListener]>([
    ['never answers', () => {}],
    ['never ends', (_, response) => void response.write('{')],
  ])('that %s is announced, and given up', async (_, listener) => {
    withTimeout(1300);
    const url = await serve(listener);
    expect(await run(`${url}/a`)).toEqual({
      code: 1,
      out: '',
      err:
        `fetching ${url}/a ...\n` +
        `Failed to fetch the document ${url}/a: no answer came within 10 seconds. See what curl -v ${url}/a says, or download it and name the file.\n`,
    });
    expect((await run(`${url}/a --log-level error`)).err).not.toContain('fetching');
  });

  test('that answers soon is not announced', async () => {
    const url = await serve((_, response) => response.end(DOCUMENT));
    expect(await run(`routes ${url}/api.json`)).toMatchObject({ code: 0, err: '' });
  });
});
