import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { findCodeBlocks, findCommands, toPattern } from './support/code-blocks.ts';
import { splitWords } from './support/code-examples.ts';
import { runLine, type StartedServer, startServer } from './support/command.ts';
import { runCommand } from './support/run-command.ts';

// The pages for users of other tools are tried line by line: blocks in their order against the built command, and the code in the right
// column of each table.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = `"${process.execPath}" "${join(ROOT, 'bin/petstore-mock.js')}"`;
const PAGES = ['from-prism', 'from-json-server', 'from-msw', 'from-others'];

const readPage = (page: string) => readFileSync(join(ROOT, `docs/${page}.md`), 'utf8');

describe.each(PAGES)('The blocks of docs/%s.md', (page) => {
  const blocks = findCodeBlocks(readPage(page));
  const commands = blocks.filter(({ language }) => language === '').flatMap(findCommands);
  const servers = new Map<string, StartedServer>();
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migration-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const { language, text } of blocks) {
      const [, name] = language.split(' ');
      if (name !== undefined) await writeFile(join(folder, name), text);
    }
  });

  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    await rm(folder, { recursive: true });
  });

  if (commands.length > 0)
    test.each(commands)('print what line $line shows: $command', async ({ command, output }) => {
      const [, port] = /(?:--port|-p) (\d+)/.exec(command) ?? [];
      const line = command.replace(/^npx petstore-mock/, COMMAND);
      if (port === undefined) return compare(await ask(line), output);
      const server = await startServer(line.replace(/(--port|-p) \d+/, '--port 0'), folder);
      servers.set(port, server);
      if (output) compare(server.output(), output);
    });

  const programs = blocks.filter(({ language }) => language === 'js');
  if (programs.length > 0)
    test.each(programs)('run: line $line', async ({ line, text }) => {
      const file = join(folder, `line-${line}.mjs`);
      const program = text.replace("'petstore-mock'", JSON.stringify(join(ROOT, 'dist/index.js')));
      await writeFile(file, `import { expect } from '@playwright/test';\n${program}\nconsole.log('done');`);
      expect(await runLine(`"${process.execPath}" "${file}" 2>&1`)).toBe('done\n');
    });

  test('are files, programs and commands', () => {
    const others = blocks.filter(({ language }) => !['', 'js'].includes(language) && !language.includes(' '));
    expect(others).toEqual([]);
  });

  async function ask(line: string): Promise<string> {
    let asked = line;
    for (const [port, { url }] of servers) asked = asked.replaceAll(`http://127.0.0.1:${port}`, url);
    return await runLine(asked, {}, folder);
  }

  function compare(printed: string, expected: string): void {
    let actual = printed.trimEnd();
    for (const [port, { url }] of servers) actual = actual.replaceAll(url, `http://127.0.0.1:${port}`);
    if (!toPattern(expected).test(`${actual}\n`)) expect(actual).toBe(expected);
  }
});

/** Words of a table that are names, files or values, and nothing to try. */
const NAMES: ReadonlySet<string> = new Set([
  'X-Mock-Violations',
  'PETSTORE_MOCK_URL',
  '{ code, message, status }',
  '/posts/{_id}',
  'postId',
  'post_id',
  'response_not_declared',
]);

describe.each(PAGES)('The tables of docs/%s.md', (page) => {
  const codes = toShownCodes(readPage(page)).filter((code) => !NAMES.has(code));

  test.each([...new Set(codes)])('work: %s', async (code) => {
    const kind = KINDS.find(([pattern]) => pattern.test(code));
    if (!kind) throw new Error('This test cannot try it yet. Teach it, or list it in NAMES.');
    await kind[1](code);
  });
});

/** The code in the last column of all tables. */
function toShownCodes(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|---'));
  return rows.flatMap((row) => {
    const last = row.slice(0, -1).split(/ \| /).at(-1) ?? '';
    return [...last.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  });
}

const KINDS: readonly (readonly [RegExp, (code: string) => Promise<void>])[] = [
  [/^-/, tryFlags],
  [/^(GET|POST|PUT|PATCH|DELETE) \//, tryRequest],
  [/^[A-Z][\w-]+: /, tryHeader],
  [/^\?/, tryQuery],
  [/^(await |const |mock\.)/, tryProgram],
  [/^petstore-mock /, tryCommand],
];

/** Files that a table names, and what they are here. */
const FILES: readonly (readonly [of: string, content: string])[] = [
  ['db.json', '{"categories":[{"id":1,"name":"Dragons"}]}'],
  ['file.yaml', 'seed: 7\n'],
];

async function tryFlags(code: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'flags-'));
  await Promise.all(FILES.map(([name, content]) => writeFile(join(folder, name), content)));
  const argv = splitWords(code).map((word) =>
    /^\w[\w-]*\.(json|yaml)$/.test(word) ? join(folder, word) : word,
  );
  const asked: number[] = [];
  const run = [...argv, ...(/port|-p /.test(code) ? [] : ['--port', '0'])];
  const local = run.map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word));
  const { err } = await runCommand(
    local.map((word) => (/^(3000|4010)$/.test(word) ? '0' : word)),
    code.includes('silent') ? { stopped: async () => {} } : {},
    async (url) => asked.push((await fetch(`${url}/__mock/health`)).status),
  );
  await rm(folder, { recursive: true });
  expect([err, asked]).toEqual(['', code.includes('silent') ? [] : [200]]);
}

async function tryRequest(code: string): Promise<void> {
  const mock = await createMock();
  const [, method = '', path = '', body] = /^(\S+) (\S+)(?: (.+))?$/.exec(code) ?? [];
  const json = body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } };
  const { status } = await mock.fetch(path, { method, ...json });
  expect([200, 201, 204]).toContain(status);
}

async function tryHeader(code: string): Promise<void> {
  const mock = await createMock();
  const mark = code.indexOf(': ');
  const [name, value] = [code.slice(0, mark), code.slice(mark + 2)];
  const path = code.includes('category') ? '/categories/1' : '/pets/1';
  const method = code.includes('category') ? 'DELETE' : 'GET';
  const answer = await mock.fetch(path, { method, headers: { [name]: value } });
  const asked = /\b[45]\d\d\b/.exec(value)?.[0];
  expect([answer.status, answer.headers.get('X-Mock-Warnings')]).toEqual([Number(asked ?? 200), null]);
}

async function tryQuery(code: string): Promise<void> {
  const names = [...new URLSearchParams(code)].map(([name]) => name);
  const parameters = names.map((name) => ({ in: 'query', name, schema: {} }));
  const items = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const content = { 'application/json': { schema: { type: 'array', items } } };
  const list = {
    get: { parameters, responses: { 200: { description: '', content }, 404: { description: '' } } },
  };
  const mock = await createMock({
    spec: { openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths: { '/things': list } },
  });
  const answer = await mock.fetch(`/things${code}`);
  const asked = /\b[45]\d\d\b/.exec(code)?.[0];
  expect([answer.status, answer.headers.get('X-Mock-Warnings')]).toEqual([Number(asked ?? 200), null]);
}

async function tryProgram(code: string): Promise<void> {
  const mock = await createMock();
  const run = new Function('mock', `return (async () => { ${code} })();`) as (
    given: unknown,
  ) => Promise<void>;
  await run(mock);
  await mock.close();
}

async function tryCommand(code: string): Promise<void> {
  const words = splitWords(code).slice(1);
  const asked: number[] = [];
  const given = words.map((word) => (word === '4010' ? '0' : word));
  const { code: ended, err } = await runCommand(
    given,
    words[0] === 'exec' ? { env: { PATH: process.env.PATH } } : {},
    async (url) => asked.push((await fetch(`${url}/__mock/health`)).status),
  );
  // Nothing listens on the port that the page names.
  if (words[0] === 'check')
    expect([ended, err]).toEqual([1, expect.stringContaining('[provider-unreachable]')]);
  else expect([ended, asked]).toEqual([0, words[0] === 'exec' ? [] : [200]]);
}
