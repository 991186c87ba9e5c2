import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const ATTW = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');

const execute = promisify(execFile);

/** A folder with nothing in it but the package, as a user has it. */
let app: string;
let folder: string;
let archive: string;
/** Every file of the package. */
let files: string[];
let manifest: Readonly<Record<string, unknown>>;
/** The bytes that are fetched to install it. */
let size: number;
/** What npm says when it is installed. */
let said: string;

/** npm without the settings of its user or of a surrounding npm, and without a network. */
function npm(args: readonly string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
  return execute('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, env: plainEnvironment() });
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|node_env$|petstore)/i.test(name));
  return { ...Object.fromEntries(own), npm_config_userconfig: devNull };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  app = join(folder, 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{ "name": "app", "private": true }');
  // What is packed is what `npm test` has just built: a build now would pull it away from under other tests.
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], ROOT);
  archive = join(folder, (await readdir(folder)).find((file) => file.endsWith('.tgz')) ?? '');
  size = (await stat(archive)).size;
  const { stdout, stderr } = await npm(['install', archive], app);
  said = stdout + stderr;
  const installed = join(app, 'node_modules/petstore-mock');
  const entries = await readdir(installed, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
    .sort();
  manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Every package that the sources import. */
const BUNDLED = [
  ...['@faker-js/faker', '@stoplight/http-spec', '@stoplight/json-schema-sampler', '@stoplight/prism-http'],
  ...['ajv', 'ajv-formats', 'chokidar', 'commander', 'js-yaml', 'json-schema-faker', 'negotiator'],
  ...['pluralize', 'rou3', 'saxes', 'yaml'],
];

describe('The package', () => {
  const needed = [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'bin/petstore-mock.js',
    'config.schema.json',
    'dist/petstore-mock.cjs',
    'docs/codes.md',
    'docs/limits.md',
    'dist/index.js',
    'dist/index.cjs',
    'dist/types/index.d.ts',
    'dist/types/index.d.cts',
    'dist/vitest.js',
    'dist/browser/index.js',
    'dist/jest.cjs',
    'dist/types/browser.d.ts',
    'dist/msw.cjs',
    'dist/msw.js',
    'dist/playwright.cjs',
    'dist/types/playwright.d.cts',
    'dist/THIRD-PARTY-LICENSES.txt',
    'examples/README.md',
    'examples/bookshop.yaml',
    'fixtures/pets.json',
    'spec/openapi.yaml',
    'spec/README.md',
  ];

  test.each(needed)('contains %s', (file) => {
    expect(files).toContain(file);
  });

  test('contains nothing else than what is published', () => {
    const published =
      /^(LICENSE|README\.md|CHANGELOG\.md|config\.schema\.json|package\.json|docs\/(codes|limits)\.md|(bin|dist|examples|fixtures|spec)\/.+)$/;
    expect(files.filter((file) => !published.test(file))).toEqual([]);
  });

  test('contains no tests and no sources', () => {
    expect(
      files.filter((file) => /(^|\/)(tests?|src)\/|\.test\.|\.map$|(?<!\.d)\.c?ts$|\/\.[^/]+$/.test(file)),
    ).toEqual([]);
  });

  test('is small', () => {
    expect(size).toBeLessThan(3_000_000);
  });

  // The build for pages is 1.7 MB of it, and nothing that Node loads.
  test('is small when it is unpacked', async () => {
    const sizes = files.map(async (file) => (await stat(join(app, 'node_modules/petstore-mock', file))).size);
    expect((await Promise.all(sizes)).reduce((sum, each) => sum + each)).toBeLessThan(10_000_000);
  });

  test('is installed without a warning', () => {
    const expected = [
      // What the settings of this machine make npm say.
      /^npm warn (config|Unknown user config)/i,
      // npm lists the `prepare` of a tarball in a file, though it never runs it there.
      /^npm warn install-scripts( (1 package has| {2}petstore-mock@\S+ \(prepare: |Run `npm install-scripts).*)?$/,
    ];
    const lines = said.split('\n').filter((line) => !expected.some((pattern) => pattern.test(line)));
    expect(lines.join('\n')).not.toMatch(/warn|deprecated|vulnerab/i);
    expect(said).toMatch(/added 1 package/);
  });

  test('brings no other package along', async () => {
    expect((await readdir(join(app, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'petstore-mock',
    ]);
    const kinds = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'];
    expect(kinds.filter((kind) => kind in manifest)).toEqual([]);
  });

  test('leaves the test runner to the user, in any version', () => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest as Record<string, object>;
    const names = Object.keys(peerDependencies);
    expect(names).toEqual(['@playwright/test', 'msw', 'vitest']);
    expect(new Set(Object.values(peerDependencies))).toEqual(new Set(['*']));
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(names.map((name) => [name, { optional: true }])));
  });

  test('runs nothing when it is installed', () => {
    const scripts = Object.keys((manifest.scripts ?? {}) as object);
    expect(scripts.filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });

  test('names the licence of every package that is in it', async () => {
    const text = await readFile(
      join(app, 'node_modules/petstore-mock/dist/THIRD-PARTY-LICENSES.txt'),
      'utf8',
    );
    for (const entry of text.split('-'.repeat(80)).slice(0, -1)) {
      expect(entry.trim(), 'an entry has a licence, or says where its package is found').toContain('\n');
    }
    for (const name of BUNDLED)
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'));
  });
});

describe('The installed command', () => {
  const children: ChildProcess[] = [];

  // npx runs the command in a process of its own below it, so they are started, and killed, as one group.
  afterEach(() => {
    for (const { pid, exitCode, signalCode } of children.splice(0)) {
      if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    }
  });

  test('proves in all its parts, Prism too, that it holds to its document, and warns of nothing', async () => {
    const { stdout, stderr } = await execute('npx', ['--offline', 'petstore-mock', 'check'], {
      cwd: app,
      env: plainEnvironment(),
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d+ checks, 0 violations$/m);
  });

  test('explains a code', async () => {
    const command = ['--offline', 'petstore-mock', 'explain', 'pet_not_found'];
    const { stdout } = await execute('npx', command, { cwd: app, env: plainEnvironment() });
    expect(stdout).toMatch(/^pet_not_found\n\n[\s\S]*\nRemedy: /);
  });

  test('serves what a changed document says, though its own was prepared', async () => {
    const spec = join(app, 'node_modules/petstore-mock/spec/openapi.yaml');
    const text = await readFile(spec, 'utf8');
    await writeFile(spec, text.replaceAll('/categories', '/kinds'));
    try {
      const { stdout } = await execute('npx', ['--offline', 'petstore-mock', 'routes', '--empty'], {
        cwd: app,
        env: plainEnvironment(),
      });
      expect(stdout).toContain('/kinds/{');
      expect(stdout).not.toContain('/categories');
    } finally {
      await writeFile(spec, text);
    }
  });

  test('serves, and warns of nothing', async () => {
    const child = spawn('npx', ['--offline', 'petstore-mock', '--port', '0'], {
      cwd: app,
      env: plainEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let warned = '';
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      const look = (text: Buffer) => {
        output += text;
        const [, found] = /listens on (\S+)\n/.exec(output) ?? [];
        if (found) resolve(found);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', (text: Buffer) => {
        warned += text;
        look(text);
      });
      child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
    });
    const pet = await fetch(`${url}/pets/1`);
    expect(await pet.json()).toEqual({ id: 1, name: 'Biscuit', categoryId: 1, status: 'available' });
    // This one is answered from the document alone.
    const preferred = await fetch(`${url}/pets/1`, { headers: { Prefer: 'code=406' } });
    expect({ status: preferred.status, body: await preferred.json() }).toMatchObject({
      status: 406,
      body: { code: 'not_acceptable' },
    });
    expect(warned).toBe('');
  });
});

describe('The installed library', () => {
  test('works from plain JavaScript', async () => {
    const program = `
      import { createMock, SetupError } from 'petstore-mock';
      const mock = await createMock({ errors: ['getOrder=503'] });
      const created = await mock.fetch('/pets', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Nori', categoryId: 2 }),
      });
      const { url } = await mock.listen();
      const read = await fetch(url + created.headers.get('Location'));
      const failed = await mock.fetch('/store/orders/1');
      const mistake = await createMock({ spec: 'gone.yaml' }).catch((error) => error);
      mock.reset();
      const reset = await mock.fetch('/pets/29');
      await mock.close();
      console.log(JSON.stringify({
        created: created.status,
        read: await read.json(),
        failed: failed.status,
        mistake: mistake instanceof SetupError,
        reset: reset.status,
      }));`;
    await writeFile(join(app, 'main.mjs'), program);
    const { stdout, stderr } = await execute(process.execPath, ['main.mjs'], {
      cwd: app,
      env: plainEnvironment(),
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      created: 201,
      read: { id: 29, name: 'Nori', categoryId: 2, status: 'available' },
      failed: 503,
      mistake: true,
      reset: 404,
    });
  });

  test('is the same thing for import and require', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import * as imported from 'petstore-mock';
      const required = createRequire(import.meta.url)('petstore-mock');
      const names = Object.keys(imported);
      console.log(JSON.stringify([names, names.map((name) => imported[name] === required[name])]));`;
    await writeFile(join(app, 'both.mjs'), program);
    const { stdout } = await execute(process.execPath, ['both.mjs'], { cwd: app, env: plainEnvironment() });
    expect(JSON.parse(stdout)).toEqual([
      ['SetupError', 'VerifyError', 'createMock'],
      [true, true, true],
    ]);
  });

  test('works in Jest, with Prism as the judge', async () => {
    const program = `
      const { createMock, SetupError } = require('petstore-mock');
      let mock;
      beforeAll(async () => {
        mock = await createMock({ seed: 7 });
      });
      afterAll(() => mock.close());
      const post = (body) =>
        mock.fetch('/pets', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

      test('creates a pet', async () => {
        const created = await post(JSON.stringify({ name: 'Nori', categoryId: 2 }));
        expect(created.status).toBe(201);
        const { url } = await mock.listen();
        const read = await fetch(url + created.headers.get('Location'));
        expect(await read.json()).toEqual({ id: 29, name: 'Nori', categoryId: 2, status: 'available' });
      });
      test('refuses what is wrong', async () => {
        expect((await post('{')).status).toBe(400);
        expect((await post('{}')).status).toBe(422);
        await expect(createMock({ spec: 'gone.yaml' })).rejects.toThrow(SetupError);
      });
      test('conforms', async () => {
        expect((await mock.check()).violations).toEqual([]);
      }, 60_000);
      test('reads another document', async () => {
        const other = await createMock({ spec: ${JSON.stringify(join(ROOT, 'examples/bookshop.yaml'))} });
        expect((await other.fetch('/authors')).status).toBe(200);
      });`;
    await writeFile(join(app, 'pets.test.js'), program);
    const { stderr } = await execute(process.execPath, [JEST, '--ci'], {
      cwd: app,
      env: plainEnvironment(),
    }).catch((failure: { stderr: string }) => failure);
    expect(stderr).toContain('Tests:       4 passed, 4 total');
  }, 60_000);

  test('is found by every kind of resolution, with its types', async () => {
    const { messages } = await publint({ pkgDir: join(app, 'node_modules/petstore-mock'), pack: false });
    expect(messages).toEqual([]);
    const report = await execute(process.execPath, [ATTW, archive, '--format', 'json'], {
      env: plainEnvironment(),
    }).catch((failure: { stdout: string }) => failure);
    // Vitest itself can only be imported, and pages import.
    expect(JSON.parse(report.stdout).problems).toEqual({
      CJSResolvesToESM: [
        expect.objectContaining({ entrypoint: './browser' }),
        expect.objectContaining({ entrypoint: './vitest' }),
      ],
    });
  });

  const kinds = [
    ['an ES module', 'NodeNext', 'NodeNext', 'main.mts'],
    ['CommonJS as of old', 'CommonJS', 'Node10', 'main.ts'],
  ] as const;

  test.each(kinds)('has types that hold in a strict project: %s', async (_, module, resolution, file) => {
    const program = `
      import { createMock, type JournalEntry, type FaultRule, type Mock, SetupError } from 'petstore-mock';
      const rule: FaultRule = { operation: 'getPet', status: 503, headers: { 'Retry-After': '60' } };
      const seen: JournalEntry[] = [];
      export async function use() {
        const mock: Mock = await createMock({ seed: 7, errors: [rule], onExchange: (exchange) => seen.push(exchange) });
        const response: Response = await mock.fetch(new Request('http://localhost/pets'));
        const { port }: { port: number } = await mock.listen({ port: 0 });
        const sunset: Date | undefined = mock.operations[0]?.sunset;
        // @ts-expect-error a seed is a number or a text
        await createMock({ seed: true });
        // @ts-expect-error there is no such option
        await createMock({ sead: 7 });
        // @ts-expect-error a rule has an operation
        await createMock({ errors: [{ status: 503 }] });
        // @ts-expect-error the operations cannot be changed
        mock.operations.push();
        return [response.status, port, sunset, new SetupError('port-taken', 'x').usage];
      }`;
    const config = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
        target: 'ES2022',
        module,
        moduleResolution: resolution,
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: [],
      },
      files: [file],
    };
    await writeFile(join(app, file), program);
    await writeFile(join(app, 'tsconfig.json'), JSON.stringify(config));
    const output = await execute(process.execPath, [TSC, '--project', '.'], { cwd: app }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(output).toBe('');
  });
});
