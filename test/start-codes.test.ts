import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExplainedCode } from '../src/cli/codes-page.ts';
import { createMock, SetupError } from '../src/index.ts';
import {
  blockOf,
  blocksOf,
  sectionsOf,
  splitWords,
  toCommands,
  updateBlock,
} from './support/code-examples.ts';
import { runCommand } from './support/run-command.ts';

const ERRORS = sectionsOf('Failed starts');
const WARNINGS = sectionsOf('Warnings at the start');

/** The folder that the examples are run in. The page calls it `/shop`. */
let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'start-codes-'));
});

afterEach(() => rm(directory, { recursive: true }));

/** Causes that need another program, a pipe, rights or code. */
const NOT_RUN = new Set([
  'input-unreadable',
  'port-taken',
  'port-denied',
  'port-invalid',
  'mock-closed',
  'command-denied',
  'provider-unreachable',
]);

describe('The example of a failed start', () => {
  test.each(ERRORS.filter(({ code }) => !NOT_RUN.has(code)))('fails with $code', async (section) => {
    const { code, out, err } = await runExample(section);
    expect([1, 2, 127]).toContain(code);
    expect(out).toBe('');
    const hint = `"petstore-mock explain ${section.code}" says more.\n`;
    const isUsage = section.code === 'usage-invalid';
    expect(isUsage || err.endsWith(hint)).toBe(true);
    const shown = isUsage ? err.slice(0, err.indexOf(']') + 2) : err.slice(0, -hint.length);
    expect(shown).toContain(`[${section.code}]`);
    await expectShown(section, shown);
  });

  test('port-taken is that of a port that another program has', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, err } = await run(['--port', String(port)], {});
    server.close();
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Port \d+ is taken\. .* \[port-taken\]\n"petstore-mock explain port-taken" says more\.\n$/,
    );
  });

  test('port-invalid is that of a port beyond the range', async () => {
    const mock = await createMock();
    const failed = await mock.listen({ port: 70_000 }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(SetupError);
    expect(failed).toMatchObject({ code: 'port-invalid', usage: false });
  });
});

describe('The example of a warning at the start', () => {
  test.each(WARNINGS)('warns with $code', async (section) => {
    const { code, out, err } = await runExample(section);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    const warnings = lines.filter((line) => /\[[a-z-]+\]$/.test(line));
    expect(warnings.map((line) => /\[([a-z-]+)\]$/.exec(line)?.[1])).toEqual(
      warnings.map(() => section.code),
    );
    expect(warnings.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line === '"petstore-mock explain CODE" says more.')).toHaveLength(1);
    await expectShown(section, warnings.map((line) => `${line}\n`).join(''));
  });
});

/** Compares an output with the page. `UPDATE=1` writes the page instead. */
async function expectShown(section: ExplainedCode, output: string): Promise<void> {
  const block = blockOf(section, 'sh') ?? '';
  const [command] = toCommands(block);
  const written = `$ ${command?.line}\n${output.replaceAll(directory, '/shop')}`;
  if (process.env.UPDATE) await updateBlock(block, written);
  else expect(block).toBe(written);
}

/** Writes the files of an example, and runs its command. */
async function runExample(section: ExplainedCode) {
  for (const block of blocksOf(section, 'yaml')) {
    const [, name = '', content = ''] = /^# (\S+)\n([\s\S]*)$/.exec(block) ?? [];
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  const [command] = toCommands(blockOf(section, 'sh') ?? '');
  const words = splitWords(command?.line ?? '');
  const at = words.indexOf('petstore-mock');
  const env = Object.fromEntries(words.slice(0, at).map((word) => word.split('=', 2)));
  const argv = words.slice(at + 1).map((word) => (word === '.' ? directory : word));
  const starts = !['explain', 'check'].includes(argv[0] ?? '') && !argv.includes('--port');
  return run(starts ? [...argv, '--port', '0'] : argv, env);
}

/** Runs the command in the folder of the example. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const cwd = process.cwd();
  process.chdir(directory);
  try {
    return await runCommand(argv, { env, cwd: directory });
  } finally {
    process.chdir(cwd);
  }
}
