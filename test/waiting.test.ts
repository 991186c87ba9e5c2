import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const COMMAND = join(ROOT, 'bin/petstore-mock.js');
const WAIT_ON = join(MODULES, 'wait-on/bin/wait-on');
const START_SERVER_AND_TEST = join(MODULES, 'start-server-and-test/src/bin/start.js');
const PLAYWRIGHT = join(MODULES, '@playwright/test/cli.js');

const execute = promisify(execFile);

let port: number;
let url: string;
let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'waiting-'));
  port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
});

afterEach(() => rm(cwd, { recursive: true }));

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('No port is free');
  return address.port;
}

/** Runs a program of Node in the folder of the test, without the settings of this machine. Rejects if it fails. */
function node(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return execute(process.execPath, args, { cwd, env: plainEnvironment(), timeout: 25_000 });
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  const own = entries.filter(([name]) => !/^(npm_|node_env$|ci$|petstore|(https?|all)_proxy$)/i.test(name));
  return { ...Object.fromEntries(own), WAIT_ON_INTERVAL: '100' };
}

/** The mock in this process, some time after a tool has begun to ask for it. */
async function listenLater(): Promise<Mock> {
  const mock = await createMock();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await mock.listen({ port });
  return mock;
}

describe('The bare URL of a server', () => {
  test.each([
    ['wait-on, which asks with HEAD', 'http:'],
    ['wait-on, which asks with GET', 'http-get:'],
  ])('is what %s waits for', async (_, scheme) => {
    const address = url.replace('http:', scheme);
    const waiting = node([WAIT_ON, address, '--timeout', '20000']);
    const mock = await listenLater();
    try {
      expect(await waiting).toEqual({ stdout: '', stderr: '' });
    } finally {
      await mock.close();
    }
  });

  test.each([['GET'], ['HEAD']])('is a success for curl -f with %s', async (method) => {
    const mock = await createMock();
    await mock.listen({ port });
    try {
      const more = ['--silent', '--noproxy', '*', '--output', devNull, '--write-out', '%{http_code}'];
      const args = ['--fail', ...(method === 'HEAD' ? ['--head'] : []), ...more, url];
      expect((await execute('curl', args)).stdout).toBe('200');
    } finally {
      await mock.close();
    }
  });

  test('is what start-server-and-test waits for, and the server ends with it', async () => {
    // It takes quotes at the start of an argument for its own.
    const start = `node "${COMMAND}" --port ${port}`;
    const asking = `curl --silent --fail --noproxy "*" ${url}/pets/1/profile`;
    const { stdout } = await node([START_SERVER_AND_TEST, start, url, asking]);
    expect(stdout).toContain(`listens on ${url}\n`);
    expect(stdout).toContain('"name":"Biscuit"');
    await expect(fetch(url)).rejects.toThrow();
  });

  test('is what the webServer of Playwright waits for', async () => {
    await symlink(MODULES, join(cwd, 'node_modules'), 'junction');
    const server = { command: `"${process.execPath}" "${COMMAND}" --port ${port}`, url, stdout: 'pipe' };
    const config = { use: { baseURL: url }, webServer: server, reporter: 'line', workers: 1 };
    await writeFile(join(cwd, 'playwright.config.mjs'), `export default ${JSON.stringify(config)};`);
    await writeFile(join(cwd, 'pets.spec.mjs'), PLAYWRIGHT_TEST);
    const { stdout } = await node([PLAYWRIGHT, 'test']);
    expect(stdout).toContain('1 passed');
    await expect(fetch(url)).rejects.toThrow();
  });
});

/** A test without a browser, so that none need be downloaded. */
const PLAYWRIGHT_TEST = `
  import { expect, test } from '@playwright/test';
  test('creates a pet', async ({ request }) => {
    const created = await request.post('/pets', { data: { name: 'Nori', categoryId: 2 } });
    expect(created.status()).toBe(201);
    const read = await request.get(created.headers().location);
    expect(await read.json()).toEqual({ id: 29, name: 'Nori', categoryId: 2, status: 'available' });
  });`;
