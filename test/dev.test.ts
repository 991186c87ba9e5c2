import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  cp,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A copy of the project, so that the tests beside this one see no edits. */
let project: string;
let dev: ChildProcess;
let output = '';

beforeAll(async () => {
  project = await mkdtemp(join(await realpath(tmpdir()), 'dev-'));
  const parts = ['src', 'spec', 'fixtures', 'package.json', 'bundle.js', 'dev.js'];
  await Promise.all(parts.map((part) => cp(join(ROOT, part), join(project, part), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
  dev = spawn(process.execPath, ['dev.js', '--port', '0'], { cwd: project, env: plainEnvironment() });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk) => (output += chunk));
  await printed('listens on');
}, 60_000);

afterAll(async () => {
  dev.kill('SIGKILL');
  await rm(project, { recursive: true });
});

function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^petstore/i.test(name)));
}

/** Waits until something new is printed. */
async function printed(text: string, from = 0): Promise<void> {
  await vi.waitFor(() => expect(output.slice(from)).toContain(text), { timeout: 30_000 });
}

/** Edits a file, and waits until something is printed. */
async function edit(change: () => Promise<void>, text: string): Promise<void> {
  const from = output.length;
  await change();
  await printed(text, from);
}

/** What the newest server answers. */
async function getCategory(): Promise<unknown> {
  const url = [...output.matchAll(/listens on (\S+)/g)].at(-1)?.[1];
  return (await fetch(`${url}/categories/1`)).json();
}

describe('npm run dev', { timeout: 40_000 }, () => {
  test('serves the sources and passes on its arguments', async () => {
    expect(output).toMatch(/listens on http:\/\/127\.0\.0\.1:(?!4010\b)\d+/);
    expect(await getCategory()).toMatchObject({ id: 1 });
  });

  test('starts a new server when a source is saved', async () => {
    const line = "console.log('This is the new build.');\n";
    await edit(() => appendFile(join(project, 'src/cli/cli.ts'), line), 'This is the new build.');
    await printed('listens on', output.indexOf('This is the new build.'));
    expect(await getCategory()).toMatchObject({ id: 1 });
  });

  test('shows a build error, and lets the last good server go on', async () => {
    const file = join(project, 'src/mock/mock.ts');
    await edit(() => appendFile(file, 'const = ;'), 'The last good server goes on.');
    expect(output).toMatch(/ERROR.*\n\n +src\/mock\/mock\.ts:\d+/);
    expect(await getCategory()).toMatchObject({ id: 1 });
  });

  test('serves a fixture as it was saved', async () => {
    const file = join(project, 'fixtures/categories.json');
    const categories: object[] = JSON.parse(await readFile(file, 'utf8'));
    const changed = categories.map((category) => ({ ...category, description: 'Edited' }));
    await edit(() => writeFile(file, JSON.stringify(changed)), 'Reloaded');
    expect(await getCategory()).toMatchObject({ description: 'Edited' });
  });

  test('ends with its server and leaves nothing behind', async () => {
    const exited = once(dev, 'exit');
    dev.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await expect(getCategory()).rejects.toThrow('fetch failed');
    expect((await readdir(project)).filter((name) => name.startsWith('.dev-'))).toEqual([]);
  });
});
