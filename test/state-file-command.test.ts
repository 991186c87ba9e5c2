import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { json } from './support/adapters.ts';
import { runCommand } from './support/run-command.ts';

const COMMAND = fileURLToPath(new URL('../bin/petstore-mock.js', import.meta.url));

let folder: string;
let state: string;
const running: ChildProcess[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'state-command-')));
  state = join(folder, 'state.json');
});

afterEach(async () => {
  for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(folder, { recursive: true, maxRetries: 3 });
});

/** A run of the built command in a process of its own. */
interface Run {
  readonly url: string;
  output(): string;
  /** Ends it with a signal. Resolves to its exit code; `null` if the signal killed it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

async function start(...flags: string[]): Promise<Run> {
  const { PETSTORE_MOCK_STATE: _, ...env } = process.env;
  const child = spawn(process.execPath, [COMMAND, '--port', '0', ...flags], { cwd: folder, env });
  running.push(child);
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  const url = await vi.waitFor(
    () => {
      const [, found] = /listens on (\S+)\n[\s\S]*Ctrl\+C stops it\./.exec(output) ?? [];
      if (found === undefined) throw new Error(`It does not listen:\n${output}`);
      return found;
    },
    { timeout: 10_000, interval: 20 },
  );
  return {
    url,
    output: () => output,
    async kill(signal) {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

const create = async (url: string, name: string) => {
  const response = await fetch(`${url}/categories`, json('POST', { name }));
  return ((await response.json()) as { readonly id: number }).id;
};

describe('The command with --state', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('writes the state at %s, and begins with it', async (signal) => {
    const first = await start('--state', 'state.json');
    expect(first.output()).toMatch(/^ {2}state {7}state\.json \(new: begins with those/m);
    const id = await create(first.url, 'Griffins');
    expect(await first.kill(signal)).toBe(0);
    const second = await start('--state', 'state.json');
    expect(second.output()).toMatch(/^ {2}state {7}state\.json \(\d+ entities, in place of those\)/m);
    const response = await fetch(`${second.url}/categories/${id}`);
    expect(await response.json()).toEqual({ id, name: 'Griffins' });
    expect(await second.kill('SIGTERM')).toBe(0);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('leaves a file that can be read, whenever it is killed', async () => {
    const names: string[] = [];
    // A large state, so that many a write is cut off in the middle.
    const categories = Array.from({ length: 10_000 }, (_, index) => ({
      id: index + 1,
      name: 'c'.repeat(100),
    }));
    await writeFile(state, JSON.stringify({ categories }));
    for (let round = 0; round < 3; round += 1) {
      const { url, kill } = await start('--state', state);
      const name = `Round ${round}`;
      await create(url, name);
      names.push(name);
      await vi.waitFor(async () => expect(await readFile(state, 'utf8')).toContain(name), {
        timeout: 10_000,
        interval: 20,
      });
      await create(url, 'Lost or not');
      // The next write begins about a second after the last one.
      await wait(800 + 110 * round);
      expect(await kill('SIGKILL')).toBe(null);
      const { categories: found } = JSON.parse(await readFile(state, 'utf8')) as {
        readonly categories: readonly { readonly name: string }[];
      };
      expect(found.map((each) => each.name)).toEqual(expect.arrayContaining(names));
    }
    const last = await start('--state', state);
    expect(await last.kill('SIGTERM')).toBe(0);
  }, 60_000);

  test('reloads with --watch, and not because of its own writes', async () => {
    const fixtures = join(folder, 'fixtures');
    await mkdir(fixtures);
    const write = (name: string) =>
      writeFile(join(fixtures, 'categories.json'), JSON.stringify([{ id: 1, name }]));
    await write('Cats');
    const { url, output, kill } = await start('--state', state, '--fixtures', fixtures, '--watch');
    await create(url, 'Griffins');
    await vi.waitFor(async () => expect(await readFile(state, 'utf8')).toContain('Griffins'), 5000);
    await write('Dogs');
    await vi.waitFor(async () => expect(await readFile(state, 'utf8')).toContain('Dogs'), 5000);
    await wait(500);
    expect(output().match(/Reloaded/g)).toHaveLength(1);
    expect(await kill('SIGTERM')).toBe(0);
    expect(await readFile(state, 'utf8')).toMatch(/Dogs[\s\S]*Griffins/);
  });

  test('says in the log what happens to its file, with a code and without a stack', async () => {
    const { url, output, kill } = await start('--state', state);
    await writeFile(state, '{}');
    await create(url, 'Griffins');
    await vi.waitFor(() => expect(output()).toContain(`the state goes to ${state}.new`), 5000);
    await rm(state);
    await rm(folder, { recursive: true });
    await create(url, 'Elves');
    await vi.waitFor(() => expect(output()).toContain('[file-unwritable]'), 5000);
    expect(output()).not.toMatch(/because of a bug|^ {4}at /m);
    expect((await fetch(`${url}/categories`)).status).toBe(200);
    expect(await kill('SIGTERM')).toBe(0);
    await mkdir(folder);
  });

  test.each([
    ['a broken file', '{', ['--state', 'state.json'], 1, /\[state-file-invalid\]/],
    ['a missing directory', '{}', ['--state', 'none/state.json'], 1, /\[file-unwritable\]/],
    ['a mock without state', '{}', ['--state', 'state.json', '--stateless'], 2, /\[option-conflict\]/],
    ['its fixtures', '{}', ['--state', 'state.json', '--fixtures', 'state.json'], 2, /\[option-conflict\]/],
  ] as const)('does not start with %s', async (_, text, argv, expected, message) => {
    await writeFile(state, text);
    const { code, err } = await inFolder(() => runCommand(argv, { cwd: folder }));
    expect(code).toBe(expected);
    expect(err).toMatch(message);
    expect(await readFile(state, 'utf8')).toBe(text);
  });

  test.each([['routes'], ['check']])('does not read the file for %s', async (command) => {
    await writeFile(state, '{');
    const { code } = await inFolder(() => runCommand([command, '--state', 'state.json'], { cwd: folder }));
    expect(code).toBe(0);
    expect(await readFile(state, 'utf8')).toBe('{');
  });

  test('returns to the fixtures at the key r, and the file follows', async () => {
    await writeFile(state, '{ "categories": [{ "id": 1, "name": "Dragons" }] }');
    let press = (_: string) => {};
    const terminal = {
      cwd: folder,
      isTTY: true,
      onKey: (each: typeof press) => {
        press = each;
        return () => {};
      },
    };
    const { out } = await runCommand(['--port', '0', '--state', state], terminal, async () => {
      await wait(50);
      press('r');
    });
    expect(out).toContain(`The state is that of a start without ${state}, and the file follows.`);
    expect(await readFile(state, 'utf8')).not.toContain('Dragons');
  });

  test('has the file in the config file, relative to it, and in a variable', async () => {
    await writeFile(join(folder, 'petstore-mock.config.json'), '{ "state": "./own.json" }');
    const said = async (env: Record<string, string>) =>
      (await runCommand(['--port', '0'], { cwd: folder, env })).out;
    expect(await said({})).toMatch(/state {7}own\.json \(new/);
    expect(await said({ PETSTORE_MOCK_STATE: join(folder, 'other.json') })).toMatch(
      /state {7}other\.json \(new/,
    );
  });
});

async function inFolder<T>(run: () => Promise<T>): Promise<T> {
  const cwd = process.cwd();
  process.chdir(folder);
  try {
    return await run();
  } finally {
    process.chdir(cwd);
  }
}
