import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocument, toYaml } from '../bench/documents.js';

const execute = promisify(execFile);

/** The built command: it sets flags of V8, and no test tool has loaded anything for it. */
const COMMAND = fileURLToPath(new URL('../bin/petstore-mock.js', import.meta.url));
const LIBRARY = new URL('../dist/index.js', import.meta.url).href;

/** 2.9 MB of YAML, and its last line. */
const TEXT = toYaml(createDocument(4000)).trimStart();
const LINES = TEXT.split('\n').length - 1;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peak-memory-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs Node, and adds the most memory that it ever had, in MiB. */
async function measure(args: readonly string[]): Promise<{ readonly output: string; readonly peak: number }> {
  const atExit =
    'data:text/javascript,process.on("exit",()=>process._rawDebug(process.resourceUsage().maxRSS))';
  const { stdout, stderr } = await execute(process.execPath, ['--import', atExit, ...args], {
    maxBuffer: 2 ** 24,
  }).catch((failure: { stdout: string; stderr: string }) => failure);
  const [said = '', kilobytes] = stderr.split(/(\d+)\n$/);
  return { output: stdout + said, peak: Number(kilobytes) / 1024 };
}

describe('3 MB of YAML take less than 300 MiB', () => {
  test.each([
    ['without a mistake', TEXT, /^GET +\/things-799 /m],
    [
      'with a note, which has its line',
      TEXT.replace('#/components/schemas/Thing799', '#/components/schemas/Gone'),
      /^left out GET \/things-799\/summary: \S+: line \d{5}: .*\[reference-dangling\]$/m,
    ],
    ['with an alias', `x-a: &a {b: 1}\nx-b: *a\n${TEXT}`, /^GET +\/things-799 /m],
    [
      'with a key that comes twice',
      `${TEXT}openapi: 3.0.3\n`,
      new RegExp(`line ${LINES + 1}, column 1: Map keys must be unique`),
    ],
  ])('%s', async (_, text, said) => {
    const file = join(folder, 'big.yaml');
    await writeFile(file, text);
    const { output, peak } = await measure([COMMAND, 'routes', '--spec', file]);
    expect(output).toMatch(said);
    expect(peak).toBeLessThan(300);
  });
});

test('A body of numbers with 15 digits takes no more memory than any other of its size', async () => {
  const program = `
    import v8 from 'node:v8';
    v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
    const { createMock } = await import(${JSON.stringify(LIBRARY)});
    const mock = await createMock();
    const send = async (text) => {
      const body = '{"name":"Rex","categoryId":1,"more":[' + text.repeat(60_000) + '1]}';
      const headers = { 'Content-Type': 'application/json' };
      console.log((await mock.fetch('/pets', { method: 'POST', headers, body })).status);
      return process.resourceUsage().maxRSS;
    };
    const before = await send('"56789012345",');
    console.log((await send('123456789012345,') - before) / 1024);`;
  const { output } = await measure(['--input-type=module', '-e', program]);
  const [first, second, growth] = output.trim().split('\n').map(Number);
  expect([first, second]).toEqual([201, 201]);
  expect(growth).toBeLessThan(150);
});
