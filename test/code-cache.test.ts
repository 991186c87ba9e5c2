import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDocument, toYaml } from '../bench/documents.js';

const execute = promisify(execFile);

const CODE_CACHE = fileURLToPath(new URL('../bin/code-cache.cjs', import.meta.url));
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const PART = 'part-AAAAAAAA.cjs';
const KEPT = `${PART}.bin`;
/** Enough for a second, after which compiled code is stored. The clocks of the processes run ten times as fast. */
const LONG_MS = 1_300;
const HASTE = 10;

let base: string;
/** The folder of a program of one part. */
let program: string;
/** Where the compiled code is kept. */
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'code-cache-'));
  program = join(base, 'dist');
  folder = join(base, 'petstore-mock', `${process.version}-${process.arch}`);
  await mkdir(program);
  await writePart('plain');
});

afterEach(() => rm(base, { recursive: true }));

const writePart = (word: string) => writeFile(join(program, PART), `module.exports = () => '${word}';`);

/** Starts the program, and returns what it prints. */
async function start(env: NodeJS.ProcessEnv = {}, lifeMs = LONG_MS, more = ''): Promise<string> {
  const script = `
    const wait = setTimeout;
    globalThis.setTimeout = (act, ms) => wait(act, ms / ${HASTE});
    require(${JSON.stringify(CODE_CACHE)}).keepCompiledCode(${JSON.stringify(program)});
    console.log(require(${JSON.stringify(join(program, PART))})());
    setTimeout(() => {}, ${lifeMs});
    ${more}`;
  const { NODE_V8_COVERAGE: _, NODE_DISABLE_COMPILE_CACHE: __, ...own } = process.env;
  const { stdout, stderr } = await execute(process.execPath, ['-e', script], {
    env: { ...own, XDG_CACHE_HOME: base, ...env },
  });
  expect(stderr).toBe('');
  return stdout.trim();
}

/** Serves a document with the built program and the flag of the command, until all that is loaded by then is stored. */
async function serve(spec: string): Promise<void> {
  const script = `
    const wait = setTimeout;
    globalThis.setTimeout = (act, ms, ...given) => wait(act, ms / ${HASTE}, ...given);
    require('node:v8').setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
    require(${JSON.stringify(CODE_CACHE)}).keepCompiledCode(${JSON.stringify(DIST)});
    require(${JSON.stringify(join(DIST, 'petstore-mock.cjs'))}).main(['--spec', ${JSON.stringify(spec)}, '--port', '0']);
    setInterval(() => {
      if (process.getActiveResourcesInfo().includes('TCPServerWrap')) setTimeout(() => process.exit(), ${LONG_MS});
    }, 10);`;
  const { NODE_V8_COVERAGE: _, NODE_DISABLE_COMPILE_CACHE: __, ...own } = process.env;
  const { stdout } = await execute(process.execPath, ['-e', script], {
    env: { ...own, XDG_CACHE_HOME: base },
  });
  expect(stdout).toContain('listens on');
}

/** Stores the compiled code of a part that says something else, as if it were that of the part. */
async function storeOther(): Promise<void> {
  const source = await readFile(join(program, PART));
  await writePart('other');
  await start();
  const code = (await readFile(join(folder, KEPT))).subarray(0, -4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(source, crc32(code)));
  await writeFile(join(folder, KEPT), Buffer.concat([code, checksum]));
  await writeFile(join(program, PART), source);
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe('The compiled code of the program', () => {
  test('is kept for its user alone, and not stored again', async () => {
    expect(await start()).toBe('plain');
    expect(await readdir(folder)).toEqual([KEPT]);
    expect([await modeOf(folder), await modeOf(join(folder, KEPT))]).toEqual([0o700, 0o600]);
    const { ino } = await stat(join(folder, KEPT));
    expect(await start()).toBe('plain');
    expect((await stat(join(folder, KEPT))).ino).toBe(ino);
  });

  test('is kept for packages that are loaded late too, and for nothing else', async () => {
    await mkdir(join(program, 'late'));
    await mkdir(join(program, 'other'));
    for (const name of ['late/package.cjs', 'other/package.cjs', 'plain.cjs'])
      await writeFile(join(program, name), `module.exports = __filename + ' in ' + __dirname;`);
    await writeFile(
      join(program, PART),
      "module.exports = () => require('./plain.cjs') && require('./other/package.cjs') && require('./late/package.cjs');",
    );
    const late = join(program, 'late');
    for (const _ of ['first', 'second']) {
      expect(await start()).toBe(`${join(late, 'package.cjs')} in ${late}`);
      expect((await readdir(folder)).sort()).toEqual(['package.cjs.bin', KEPT]);
    }
  });

  test('is what the next start runs', async () => {
    await storeOther();
    expect(await start({}, 0)).toBe('other');
  });

  test('is stored once V8 has the flags again that it was compiled with', async () => {
    const change = (flag: string) => `require('node:v8').setFlagsFromString('${flag}')`;
    await start({}, LONG_MS, change('--no-opt'));
    expect(await readdir(base)).toEqual(['dist']);
    await start({}, 4 * LONG_MS, `${change('--no-opt')}; setTimeout(() => ${change('--opt')}, ${LONG_MS});`);
    const { ino } = await stat(join(folder, KEPT));
    await start();
    expect((await stat(join(folder, KEPT))).ino).toBe(ino);
  });

  test('is compiled anew for another source of the same length', async () => {
    await start();
    await writePart('fresh');
    expect(await start({}, 0)).toBe('fresh');
  });

  test.each([
    ['damaged', (code: Buffer) => code.fill(0x55, code.length >> 1, (code.length >> 1) + 8)],
    ['cut off', (code: Buffer) => code.subarray(0, code.length >> 1)],
    ['empty', (code: Buffer) => code.subarray(0, 0)],
  ])('is stored again where it is %s', async (_, damage) => {
    await start();
    const file = join(folder, KEPT);
    const good = await readFile(file);
    await writeFile(file, damage(Buffer.from(good)));
    expect(await start()).toBe('plain');
    expect((await readFile(file)).length).toBe(good.length);
  });

  test('is stored whole by processes that start at once', async () => {
    expect(await Promise.all([start(), start(), start()])).toEqual(['plain', 'plain', 'plain']);
    expect(await readdir(folder)).toEqual([KEPT]);
    const { ino } = await stat(join(folder, KEPT));
    await start();
    expect((await stat(join(folder, KEPT))).ino).toBe(ino);
  });

  test('takes the place of the oldest beyond 32 files', async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = Array.from({ length: 40 }, (_, index) => `part-${String(index).padStart(8, '0')}.cjs.bin`);
    for (const [index, name] of names.entries()) {
      await writeFile(join(folder, name), 'old');
      await utimes(join(folder, name), 1_000 + index, 1_000 + index);
    }
    await start();
    expect((await readdir(folder)).sort()).toEqual([...names.slice(-31), KEPT]);
  });
});

describe('The compiled code of a command that serves another document', () => {
  test('is not stored again, though V8 optimizes nothing while the document is loaded', async () => {
    const spec = join(base, 'things.yaml');
    await writeFile(spec, toYaml(createDocument(10)));
    const list = async () =>
      Promise.all((await readdir(folder)).map(async (name) => [name, (await stat(join(folder, name))).ino]));
    await serve(spec);
    const kept = await list();
    for (const name of ['chunk-', 'http-spec.cjs', 'js-yaml.cjs', 'read-'])
      expect(kept.join()).toContain(name);
    await serve(spec);
    expect(await list()).toEqual(expect.arrayContaining(kept));
  });
});

describe('Without a safe place for compiled code, the program runs as ever', () => {
  test.each([
    ['others may write to the folder', () => chmod(folder, 0o777)],
    ['a link leads to the folder', () => moveBehindLink()],
    // Only root can give a folder away.
    [
      'the folder is of another user',
      () => (process.getuid?.() === 0 ? chown(folder, 12345, 12345) : chmod(folder, 0o770)),
    ],
  ])('%s', async (_, spoil) => {
    await storeOther();
    await spoil();
    const before = await readFile(join(folder, KEPT));
    expect(await start()).toBe('plain');
    expect((await readFile(join(folder, KEPT))).equals(before)).toBe(true);
  });

  test('no folder can be made', async () => {
    const file = join(base, 'file');
    await writeFile(file, '');
    expect(await start({ XDG_CACHE_HOME: file })).toBe('plain');
    expect(await start({ XDG_CACHE_HOME: '', HOME: file })).toBe('plain');
  });

  test('the user wants none', async () => {
    expect(await start({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('plain');
    expect(await readdir(base)).toEqual(['dist']);
  });

  test('the installation is read-only', async () => {
    await chmod(join(program, PART), 0o444);
    await chmod(program, 0o555);
    expect(await start()).toBe('plain');
    await chmod(program, 0o755);
    expect([await readdir(program), await readdir(folder)]).toEqual([[PART], [KEPT]]);
  });
});

async function moveBehindLink(): Promise<void> {
  const other = join(base, 'elsewhere');
  await mkdir(other, { mode: 0o700 });
  for (const name of await readdir(folder))
    await writeFile(join(other, name), await readFile(join(folder, name)));
  await rm(folder, { recursive: true });
  await symlink(other, folder);
}
