import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { describeFindings } from '../src/runners/describe-findings.ts';
import { toSessionName } from '../src/runners/test-session.ts';
import { test as mocked } from '../src/runners/vitest.ts';
import { json } from './support/adapters.ts';
import { findCodeBlocks } from './support/code-blocks.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const execute = promisify(execFile);

/** A folder with the package as it is built, and the runners. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runners-'));
  const own = join(folder, 'node_modules/petstore-mock');
  await mkdir(own, { recursive: true });
  const files = ['dist', 'fixtures', 'spec', 'package.json'].map((name) =>
    cp(join(ROOT, name), join(own, name), { recursive: true }),
  );
  const links = ['vitest', 'jest', 'msw', '@playwright/test', '@types/node'].map(async (name) => {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link, 'junction');
  });
  await Promise.all([...files, ...links]);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Runs the tests of a file, and returns what the runner says of them. */
async function runTests(runner: string, file: string, text: string, ...args: string[]): Promise<string> {
  const project = join(folder, `${runner}-${file}`);
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await writeFile(join(project, file), text);
  const program = ['node', 'msw'].includes(runner)
    ? process.execPath
    : join(ROOT, 'node_modules/.bin', runner);
  const own = Object.entries(process.env).filter(([name]) => !/^(vitest|node_env$|test$)/i.test(name));
  const env = { ...Object.fromEntries(own), CI: 'true', NO_COLOR: '1' };
  const { stdout, stderr } = await execute(program, args, { cwd: project, env }).catch(
    (failure: { stdout: string; stderr: string }) => failure,
  );
  return stripVTControlCharacters(stdout + stderr);
}

/** How the runners that docs/test-runners.md shows are started. */
const STARTS: readonly (readonly [runner: string, file: string, args: readonly string[], passed: RegExp])[] =
  [
    ['vitest', 'shown.test.mjs', ['run', 'shown'], /Tests +2 passed \(2\)/],
    ['jest', 'shown.test.js', ['--ci', 'shown'], /2 passed, 2 total/],
    ['playwright', 'shown.spec.mjs', ['test', '--reporter=line', 'shown'], /1 passed/],
    ['node', 'shown.test.mjs', ['--test', 'shown.test.mjs'], /pass 1/],
    ['msw', 'shown.test.mjs', ['--test', 'shown.test.mjs'], /pass 2/],
  ];

test.each(STARTS)('The tests of docs/test-runners.md pass: %s', async (runner, file, args, passed) => {
  const shown = findCodeBlocks(await readFile(join(ROOT, 'docs/test-runners.md'), 'utf8'));
  const block = shown.find(({ language }) => language === `js ${runner}`);
  expect(await runTests(runner, file, block?.text ?? '', ...args)).toMatch(passed);
});

const FINDINGS = /Requests of this test that broke the contract:\s+GET \/pats → 404 The document has no path/;

describe('A request that never gets an answer', () => {
  test('does not keep Jest from its end, once its test is over', async () => {
    const output = await runTests(
      'jest',
      'time-out.test.js',
      `const { useMock } = require('petstore-mock/jest');
      const mock = useMock();
      test('leaves a request behind', () => {
        mock.fail('getPet', 'timeout');
        mock.fetch('/pets/1').catch(() => {});
      });`,
      '--ci',
    );
    expect(output).toContain('1 passed, 1 total');
    expect(output).not.toContain('did not exit');
  });

  test('does not let the runner of Node give up the tests behind it', async () => {
    const output = await runTests(
      'node',
      'time-out.test.mjs',
      `import test from 'node:test';
      import { createMock } from 'petstore-mock';
      const mock = await createMock();
      mock.fail('getPet', 'timeout');
      test('waits', () => mock.fetch('/pets/1', { signal: AbortSignal.timeout(50) }).catch(() => {}));
      test('runs', () => {});`,
      ...['--test', 'time-out.test.mjs'],
    );
    expect(output).toMatch(/pass 2\n.*fail 0\n.*cancelled 0/);
  });
});

describe('A failing test shows its requests that broke the contract', () => {
  test('in Vitest, and not those of other tests', async () => {
    const output = await runTests(
      'vitest',
      'pets.test.mjs',
      `import { test } from 'petstore-mock/vitest';
      import { expect } from 'vitest';
      test('passes', async ({ mock }) => { await mock.fetch('/other'); });
      test('fails', async ({ mock }) => {
        const { status } = await fetch(mock.url + '/pats');
        expect(status).toBe(200);
      });
      test('is retried', { retry: 1 }, async ({ mock }) => {
        await mock.fetch('/pets');
        expect(mock.journal.length).toBe(2);
      });`,
      'run',
    );
    expect(output).toMatch(FINDINGS);
    expect(output).not.toContain('/other');
    expect(output).toContain('2 failed | 1 passed (3)');
  });

  test('in Jest, and not those of other tests', async () => {
    const output = await runTests(
      'jest',
      'pets.test.js',
      `const { useMock } = require('petstore-mock/jest');
      const mock = useMock({ errors: ['listPets=503'] });
      test('passes', async () => { await mock.fetch('/other'); });
      test('fails', async () => {
        const { status } = await fetch(mock.url + '/pats');
        expect(status).toBe(200);
      });
      test('has its own journal and the options', async () => {
        expect(mock.name).toBe('has-its-own-journal-and-the-options~3');
        expect((await mock.fetch('/pets')).status).toBe(503);
        expect(mock.journal.length).toBe(1);
      });
      describe('Later', () => {
        expect(() => mock.fetch('/pets')).toThrow('mock.fetch is used outside of a test');
        test('is known', () => { expect(mock.journal).toEqual([]); });
      });`,
      '--ci',
    );
    expect(output).toMatch(FINDINGS);
    expect(output).not.toContain('/other');
    expect(output).toContain('1 failed, 3 passed, 4 total');
  });

  test('in Jest, where test.concurrent is told that it has no session', async () => {
    const output = await runTests(
      'jest',
      'concurrent.test.js',
      `const { useMock } = require('petstore-mock/jest');
      const mock = useMock();
      let resolve;
      const begun = new Promise((settle) => { resolve = settle; });
      test('has a session', async () => { await mock.fetch('/pets'); resolve(); });
      test.concurrent('has none', async () => { mock.url; });
      test.concurrent('has none later either', async () => {
        await new Promise((settle) => setTimeout(settle, 50));
        mock.url;
      });`,
      '--ci',
    );
    const message =
      'mock.url is used in test.concurrent. Jest runs no hooks for such a test, so it has no session. Use test, or give it a mock of its own';
    expect(output.split(message)).toHaveLength(3);
    expect(output).toContain('2 failed, 1 passed, 3 total');
  });

  test('in Playwright, with its journal as an HTTP Archive', async () => {
    const output = await runTests(
      'playwright',
      'pets.spec.js',
      `const { expect, test } = require('petstore-mock/playwright');
      test.use({ mockOptions: { errors: ['listPets=503'] } });
      test('passes', async ({ mock }) => { await mock.fetch('/other'); });
      test('fails', async ({ mock, request }) => {
        await request.get('/pats');
        expect(mock.journal.length).toBe(1);
        expect((await request.get('/pets', { headers: { Authorization: 'Bearer secret' } })).status()).toBe(200);
      });
      test('has no page', async ({ mock }) => {
        await expect(mock.route('**')).rejects.toThrow('needs a page');
      });`,
      'test',
      '--reporter=line',
      '--workers=1',
    );
    expect(output).toMatch(FINDINGS);
    expect(output).not.toContain('/other');
    expect(output).toContain('1 failed');
    expect(output).toContain('2 passed');
    const results = join(folder, 'playwright-pets.spec.js/test-results');
    const files = await readdir(results, { recursive: true });
    const archive = files.filter((file) => file.endsWith('.har'));
    expect(archive).toHaveLength(1);
    const text = await readFile(join(results, archive[0] ?? ''), 'utf8');
    expect(JSON.parse(text).log.entries.map(({ request }: { request: object }) => request)).toMatchObject([
      { url: expect.stringMatching(/\/pats$/) },
      { url: expect.stringMatching(/\/pets$/) },
    ]);
    expect(text).not.toContain('secret');
  });
});

/** A test that expects a request that never came, for each runner. */
const VERIFYING: readonly (readonly [runner: string, file: string, text: string, args: readonly string[]])[] =
  [
    [
      'vitest',
      'verify.test.mjs',
      `import { test } from 'petstore-mock/vitest';
    test('verifies', async ({ mock }) => { await ask(mock); });`,
      ['run', 'verify'],
    ],
    [
      'jest',
      'verify.test.js',
      `const mock = require('petstore-mock/jest').useMock();
    test('verifies', async () => { await ask(mock); });`,
      ['--ci', 'verify'],
    ],
    [
      'playwright',
      'verify.spec.js',
      `const { test } = require('petstore-mock/playwright');
    test('verifies', async ({ mock }) => { await ask(mock); });`,
      ['test', '--reporter=line', 'verify'],
    ],
    [
      'node',
      'verify.test.mjs',
      `import { test } from 'node:test';
    import { createMock } from 'petstore-mock';
    test('verifies', async () => { await ask(await createMock()); });`,
      ['--test', 'verify.test.mjs'],
    ],
  ];

test.each(VERIFYING)('A verification that fails reads well in %s', async (runner, file, text, args) => {
  const ask = `
    async function ask(mock) {
      await mock.fetch('/pets?limit=3');
      mock.verify({ operation: 'listPets', query: { limit: 4 } });
    }`;
  const output = await runTests(runner, file, text + ask, ...args);
  expect(output.replace(/^ +/gm, '')).toContain(
    [
      'Expected listPets with query {"limit":4} at least once, but 0 of 1 requests matched.',
      'The nearest:',
      '#1 GET /pets 200',
      '/query/limit: expected 4, got "3"',
    ].join('\n'),
  );
  expect(output).toContain('VerifyError');
  expect(output).not.toMatch(/visual difference|AssertionError|undefined/);
});

const moved = mocked.extend({ mockOptions: { controlPath: '/_control', empty: true } });

describe('In Vitest', () => {
  for (const round of ['first', 'second']) {
    mocked(`each test begins with the fixtures: the ${round} one`, async ({ mock }) => {
      expect((await mock.fetch('/categories', json('POST', { name: 'Dragons' }))).status).toBe(201);
      expect(mock.diff().added).toHaveLength(1);
      expect(mock.journal).toHaveLength(1);
    });
  }

  mocked('the URL leads to the session of the test', async ({ mock }) => {
    await mock.seed({ categories: [{ id: 1, name: 'Dragons' }] });
    const read = await fetch(`${mock.url}/categories`);
    expect(await read.json()).toEqual([{ id: 1, name: 'Dragons' }]);
    mock.verify({ path: '/categories', times: 1 });
  });

  mocked('the session is not the default one of the mock', async ({ mock, mockServer }) => {
    await mock.fetch('/pets/1', { method: 'DELETE' });
    expect((await mockServer.mock.fetch('/pets/1')).status).toBe(200);
    expect((await fetch(`${mockServer.url}/pets/1`)).status).toBe(200);
  });

  describe.concurrent('tests that run at once', () => {
    for (const name of ['Griffins', 'Dragons', 'Unicorns']) {
      mocked(`have states of their own: ${name}`, async ({ mock, expect }) => {
        await mock.seed({ categories: [{ id: 1, name }] });
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(await mock.state()).toMatchObject({ categories: [{ name }] });
      });
    }
  });

  moved('a file may have options of its own', async ({ mock }) => {
    expect(mock.url).toContain('/_control/sessions/');
    expect(await (await fetch(`${mock.url}/pets`)).json()).toEqual([]);
  });
});

describe('The findings of a test', () => {
  const requests: [what: string, path: string, init: RequestInit, finding: string | undefined][] = [
    ['an answer from state', '/pets/1', {}, undefined],
    ['an entity that is not there', '/pets/404', {}, undefined],
    ['an error that was asked for', '/pets/1', { headers: { Prefer: 'code=503' } }, undefined],
    ['an unknown path', '/pats', {}, 'GET /pats → 404 The document has no path /pats'],
    ['an unknown method', '/pets', { method: 'PUT' }, 'PUT /pets → 405'],
    ['an unknown parameter', '/pets?limt=3', {}, 'GET /pets?limt=3 → 200 query.limt is not declared'],
    ['an invalid parameter', '/pets?limit=x', {}, 'GET /pets?limit=x → 400 query.limit'],
    ['an invalid body', '/pets', json('POST', {}), 'POST /pets → 422 body.name is required [required]'],
    ['a type that nobody writes', '/pets/1', { headers: { Accept: 'image/png' } }, 'GET /pets/1 → 406'],
    ['a mistake on purpose', '/pets', expecting(422), undefined],
    ['another mistake than that', '/pets', expecting(400), 'POST /pets → 422'],
  ];

  test.each(requests)('with %s', async (_, path, init, finding) => {
    const mock = await createMock();
    await mock.fetch(path, init);
    const found = describeFindings(mock.journal);
    if (finding === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(`\n  ${finding}`);
  });

  test('are short, and plain text, whatever was requested', async () => {
    const mock = await createMock();
    for (let round = 0; round < 30; round += 1) {
      await mock.fetch('/pets', json('POST', { [`\u001b[31m${'x'.repeat(5000)}`]: 1 }));
    }
    const lines = describeFindings(mock.journal)?.split('\n') ?? [];
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('  and 10 more');
    expect(lines.filter((line) => line.length > 1100 || line.includes('\u001b'))).toEqual([]);
  });
});

function expecting(status: number): RequestInit {
  return json('POST', {}, { 'X-Mock-Expect': String(status) });
}

test('Every test has a name that a session can have', async () => {
  const mock = await createMock();
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      (title, id) => {
        const name = toSessionName(title, id);
        expect(mock.session(name).name).toBe(name);
      },
    ),
  );
});

test('The handlers for MSW can be required', async () => {
  const program = `const { setupServer } = require('msw/node');
    const { createMock } = require('petstore-mock');
    const { handlers } = require('petstore-mock/msw');
    createMock().then(async (mock) => {
      setupServer(...handlers(mock, { baseUrl: 'https://api.example.com' })).listen();
      console.log((await fetch('https://api.example.com/pets/1')).status);
    });`;
  await writeFile(join(folder, 'required.cjs'), program);
  const { stdout } = await execute(process.execPath, [join(folder, 'required.cjs')]);
  expect(stdout).toBe('200\n');
});

test('The entries have types that hold in a strict project', async () => {
  const program = `
    import { test as unit } from 'petstore-mock/vitest';
    import { test as page, expect, type MockWorkerFixtures, type PageSession } from 'petstore-mock/playwright';
    import { defineConfig } from '@playwright/test';
    import { defineConfig as defineUnits } from 'vitest/config';
    export const units = defineUnits({ test: { provide: { mockOptions: { seed: 7 } } } });
    export const pages = defineConfig<object, MockWorkerFixtures>({ use: { mockOptions: { seed: 7 } } });
    import { useMock, type TestSession } from 'petstore-mock/jest';
    import { createMock, type MockSession } from 'petstore-mock';
    import { setupServer } from 'msw/node';
    import { handlers } from 'petstore-mock/msw';
    setupServer(...handlers(await createMock(), { baseUrl: 'https://api.example.com' }));
    import { createMock as createInPage } from 'petstore-mock/browser';
    handlers(await createInPage({ spec: {} }), { baseUrl: '/api' });
    // @ts-expect-error a page needs a document
    await createInPage({});
    // @ts-expect-error it needs a base URL
    handlers(await createMock(), {});
    const session: MockSession = useMock({ seed: 7 });
    // @ts-expect-error there is no such option
    useMock({ sead: 7 });
    import type { ProvidedContext } from 'vitest';
    export const given: Partial<ProvidedContext> = { mockOptions: { seed: 7 } };
    // @ts-expect-error there is no such option
    export const mistaken: Partial<ProvidedContext> = { mockOptions: { sead: 7 } };
    unit('one', async ({ mock }) => {
      const own: TestSession = mock;
      const { status }: Response = await own.fetch(own.url + session.name);
      // @ts-expect-error the name is that of the test
      mock.name = String(status);
    });
    unit.extend({ mockOptions: { seed: 7 } })('two', ({ mock }) => mock.reset());
    page.use({ mockOptions: { seed: 7 } });
    page('three', async ({ mock, page: shown }) => {
      const own: PageSession = mock;
      await own.route('https://api.example.com/v1/**', { on: shown, prefix: '/v1' });
      expect(own.har()).toBeDefined();
      // @ts-expect-error a route is a text or a pattern
      await own.route(7);
    });`;
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      target: 'ES2022',
      module: 'NodeNext',
      types: ['node'],
    },
    files: ['main.mts'],
  };
  await writeFile(join(folder, 'main.mts'), program);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const output = await execute(process.execPath, [compiler, '--project', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(output).toBe('');
});
