import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { createMock } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { findCodeBlocks, findCommands, toPattern } from './support/code-blocks.ts';
import { runLine, type StartedServer, startServer } from './support/command.ts';

// Everything that the README shows is run here in its order, against the built command, so that state carries on from one command
// to the next. A line of dots in it stands for any lines, and times differ in every run.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = `"${process.execPath}" "${join(ROOT, 'bin/petstore-mock.js')}"`;
const BLOCKS = findCodeBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8'));

/** What cannot be run here, and why. */
const NOT_RUN: ReadonlyMap<RegExp, string> = new Map([
  [/^npm install --save-dev git\+https:/, 'needs a network and the host of the reader'],
  [/^npm install --save-dev \S+\.tgz/, 'test/package.test.ts installs the tarball'],
]);

/** What stands for something of the reader, and what it is here. */
const READERS: readonly (readonly [of: RegExp, here: string])[] = [
  [/ api\.yaml\b/, ' examples/bookshop.yaml'],
  [/ -h 0\.0\.0\.0\b/, ' -h 127.0.0.1'],
  // What is installed and built already.
  [/^npm ci && /, ''],
];

/** The servers that run, by the port that the README gives them. */
const servers = new Map<string, StartedServer>();
/** The variables of the reader's shell. */
const variables: Record<string, string> = {};
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'));
});

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await rm(folder, { recursive: true });
});

const shown = BLOCKS.filter(({ language }) => language === '').flatMap(findShown);
const commands = shown.filter(({ command }) => ![...NOT_RUN.keys()].some((pattern) => pattern.test(command)));

/** The commands of a block, and the log of a server as if a command printed it. */
function findShown(block: (typeof BLOCKS)[number]): ReturnType<typeof findCommands> {
  const { line, text } = block;
  return text.startsWith('petstore-mock ') ? [{ line, command: 'log', output: text }] : findCommands(block);
}

describe('A command of the README', () => {
  test.each(commands)('prints what line $line shows: $command', async ({ command, output }) => {
    const line = READERS.reduce((text, [of, here]) => text.replace(of, here), command);
    const [, variable] = /^([A-Z]+)=\$\(/.exec(line) ?? [];
    if (line === 'log') await compareLog(output);
    else if (/^(npm start|npx petstore-mock)(?! (routes|check|exec|explain))/.test(line))
      await startAndCompare(line, output);
    else if (variable) variables[variable] = await run(`${line}\nprintf %s "$${variable}"`);
    else if (/^(curl|npx petstore-mock) /.test(line)) compare(await run(line), output);
    else throw new Error('This test cannot run it yet. Teach it, or name it in NOT_RUN with the reason.');
  });

  test.each([...NOT_RUN.keys()])('is left out by a pattern that is needed: %s', (pattern) => {
    expect(shown.some(({ command }) => pattern.test(command))).toBe(true);
  });
});

async function startAndCompare(line: string, output: string): Promise<void> {
  const [, port = '4010'] = /(?:--port|-p) (\d+)/.exec(line) ?? [];
  const given = line.replace(/^npm start( --)?|^npx petstore-mock/, COMMAND);
  await servers.get(port)?.stop();
  servers.set(port, await startServer(`${given.replace(/(--port|-p) \d+/, '')} --port 0`));
  if (output) compare(servers.get(port)?.output() ?? '', output);
}

async function compareLog(output: string): Promise<void> {
  const [, port = ''] = /listens on \S+:(\d+)$/m.exec(output) ?? [];
  await vi.waitFor(() => compare(servers.get(port)?.output() ?? '', output), 5000);
}

/** Runs a line that asks the servers, or one of the command that ends by itself. */
async function run(line: string): Promise<string> {
  let asked = line.replace(/^npx petstore-mock/, COMMAND);
  for (const [port, { url }] of servers) asked = asked.replaceAll(`http://127.0.0.1:${port}`, url);
  return await runLine(asked, variables);
}

function compare(printed: string, expected: string): void {
  let actual = printed;
  for (const [port, { url }] of servers) actual = actual.replaceAll(url, `http://127.0.0.1:${port}`);
  const [left, right] = [actual, expected].map(withoutTimes) as [string, string];
  if (!toPattern(right).test(`${left}\n`)) expect(left).toBe(right);
}

/** Without what differs in every run, and the hint that only a terminal gets. */
function withoutTimes(text: string): string {
  return text
    .replace(/^\d\d:\d\d:\d\d /gm, '00:00:00 ')
    .replace(/ +\d+\.\d ms\b/g, ' 0.0 ms')
    .replace(' Press h for the keys.', '')
    .replaceAll('\r', '')
    .trimEnd();
}

/** The blocks of YAML, by their first keys, and what a reader does with them. */
const YAML: Readonly<Record<string, (text: string) => Promise<void>>> = {
  async openapi(text) {
    compareFile('souvenirs.yaml', text);
  },
  async seed(text) {
    compareFile('pet-store.config.yaml', text);
    const server = await startServer(`${COMMAND} --port 0 --config examples/pet-store.config.yaml`);
    servers.set('config', server);
    const created = await fetch(`${server.url}/pets`, json('POST', { name: 'Nori', categoryId: 2 }));
    expect([created.status, await created.json()]).toMatchObject([409, { code: 'duplicate_pet' }]);
    const counted = await fetch(`${server.url}/store/inventory`);
    expect(counted.headers.get('Sunset')).toBe('Wed, 01 Dec 2027 00:00:00 GMT');
  },
  async resources(text) {
    compareFile('catalog.config.yaml', text);
    const printed = await runLine(
      `${COMMAND} routes --resources --spec examples/catalog.yaml --config examples/catalog.config.yaml`,
    );
    expect(printed).toMatch(/^products +\/products +\/products\/\{number\} +sku /m);
    expect(printed).toMatch(/^POST +\/carts +switched off by "resources"$/m);
  },
  async '/search'(text) {
    const spec = parseDocument(readFileSync(join(ROOT, 'examples/catalog.yaml'), 'utf8'));
    const mark = ['/search', 'post', 'x-mock-resource'];
    spec.setIn(['paths', ...mark], parseDocument(text).getIn(mark));
    const mock = await createMock({ spec: spec.toJS(), empty: true });
    const product = { sku: 'a1', name: 'Mug' };
    await mock.fetch('/products', json('POST', product));
    expect(await (await mock.fetch('/search', json('POST', {}))).json()).toMatchObject([product]);
    await mock.close();
  },
};

/** A file of the examples has the same text as a block, comments above it apart. */
function compareFile(name: string, text: string): void {
  const [file, block] = [readFileSync(join(ROOT, 'examples', name), 'utf8'), text].map((each) =>
    each.replace(/^(#.*\n)+/, '').trimEnd(),
  );
  expect(file).toBe(block);
}

describe('A block of YAML in the README', () => {
  const blocks = BLOCKS.filter(({ language }) => language === 'yaml');

  test.each(blocks)('does what line $line says', async ({ text }) => {
    const [first = ''] = Object.keys(parse(text));
    const use = YAML[first];
    if (!use) throw new Error(`Nothing is done with a block that begins with "${first}". Add it to YAML.`);
    await use(text);
  });
});

describe('A block of JavaScript in the README', () => {
  const blocks = BLOCKS.filter(({ language }) => language === 'js');

  test.each(blocks)('runs: line $line', async ({ line, text }) => {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction').catch(() => {});
    const file = join(folder, `line-${line}.mjs`);
    const program = text.replace("'petstore-mock'", JSON.stringify(join(ROOT, 'dist/index.js')));
    await writeFile(file, `import { expect } from '@playwright/test';\n${program}\nconsole.log('done');`);
    expect(await runLine(`"${process.execPath}" "${file}" 2>&1`)).toBe('done\n');
  });

  test('is all that is in another language than those above', () => {
    expect(BLOCKS.filter(({ language }) => !['', 'yaml', 'js'].includes(language))).toEqual([]);
  });
});
