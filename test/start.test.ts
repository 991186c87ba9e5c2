import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A copy of the project, so that no build here changes what the tests beside this one run. */
let project: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  project = await mkdtemp(join(await realpath(tmpdir()), 'start-'));
  const parts = [
    ...['bin', 'dist', 'fixtures', 'spec', 'src'],
    ...['build.js', 'bundle.js', 'start.js', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ];
  await Promise.all(parts.map((part) => cp(join(ROOT, part), join(project, part), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
});

afterEach(() => {
  // npm runs the server in a process below it, so they are killed as one group.
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
  children.clear();
});

afterAll(() => rm(project, { recursive: true }));

interface Run {
  readonly child: ChildProcess;
  output(): string;
}

function run(command: string, args: readonly string[]): Run {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|node_env$|petstore)/i.test(name));
  const child = spawn(command, args, { cwd: project, env: Object.fromEntries(own), detached: true });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

/** Waits until the server listens. Returns its address. */
async function listening({ output }: Run): Promise<string> {
  return vi.waitFor(
    () => {
      const url = /listens on (\S+)\n/.exec(output())?.[1];
      if (url === undefined) throw new Error(`It does not listen yet:\n${output()}`);
      return url;
    },
    { timeout: 30_000 },
  );
}

async function isGone(url: string): Promise<void> {
  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 10_000 });
}

const START = ['start', '--', '--port', '0'];

describe('npm start', { timeout: 60_000 }, () => {
  test('builds nothing when nothing has changed', async () => {
    const folder = await stat(join(project, 'dist'));
    await listening(run('npm', START));
    expect((await stat(join(project, 'dist'))).ino).toBe(folder.ino);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('takes the server along when npm gets a %s', async (signal) => {
    const started = run('npm', START);
    const url = await listening(started);
    started.child.kill(signal);
    await isGone(url);
  });

  test('builds what has changed, beside the server that runs', async () => {
    const first = await listening(run('npm', START));
    const line = "\nconsole.log('This is the new build.');\n";
    await appendFile(join(project, 'src/cli/cli.ts'), line);
    const second = run('npm', START);
    await listening(second);
    expect(second.output()).toContain('This is the new build.');
    // This is the first thing for which the first server loads Ajv.
    const created = await fetch(`${first}/pets`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Nori', categoryId: 2 }),
    });
    expect(created.status).toBe(201);
    expect((await readdir(project)).filter((name) => name.startsWith('.build-'))).toEqual([]);
  });
});

describe('The command', { timeout: 60_000 }, () => {
  test('goes on when the shell that started it ends', async () => {
    const shell = run('sh', ['-c', `${process.execPath} bin/petstore-mock.js --port 0 & sleep 0.1`]);
    const ended = once(shell.child, 'exit');
    const url = await listening(shell);
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });

  test('says how to build where that was not done', async () => {
    await rm(join(project, 'dist'), { recursive: true });
    const { child, output } = run(process.execPath, ['bin/petstore-mock.js']);
    const [code] = await once(child, 'close');
    expect([code, output()]).toEqual([1, expect.stringContaining('Run "npm ci && npm run build" in ')]);
    expect(output()).not.toContain('    at ');
  });
});
