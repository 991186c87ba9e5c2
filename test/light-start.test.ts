import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import * as original from '@stoplight/http-spec/oas3';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { createDocument } from '../bench/documents.js';

const execute = promisify(execFile);

const DIST = new URL('../dist/', import.meta.url);

/** The built library: what a user runs, and what no test tool has loaded anything for. */
const LIBRARY = new URL('index.cjs', DIST).pathname;

/** The names that the build gives to the parts of the program. */
const PART = /-[A-Z\d]{8}\.cjs$/;

/** The parts of the program, by file: `check-GGXYX6XR.cjs` has the sources of `check`. */
const PARTS = readdirSync(DIST).filter((name) => PART.test(name));

interface Loaded {
  readonly node: readonly string[];
  readonly parts: readonly string[];
}

/** Runs a server of the pet store, or of another document, in a process of its own until it has answered, and returns what it has loaded. */
async function listLoaded(path: string, spec?: object): Promise<Loaded> {
  const program = `
    const { get } = require('node:http');
    const { createMock } = require(${JSON.stringify(LIBRARY)});
    createMock(${JSON.stringify(spec && { spec })}).then(async (mock) => {
      const { url } = await mock.listen();
      get(url + ${JSON.stringify(path)}, (response) => response.resume().on('end', async () => {
        const parts = Object.keys(require.cache).map((file) => require('node:path').basename(file));
        console.log(JSON.stringify([response.statusCode, process.moduleLoadList, parts]));
        process.exit();
      }));
    });`;
  const { stdout } = await execute(process.execPath, ['-e', program]);
  const [status, node, parts] = JSON.parse(stdout);
  expect(status).toBe(200);
  return { node, parts };
}

const LATE = readdirSync(new URL('late/', DIST));

describe('A server of another document that has listed generated entities', () => {
  const listLate = async (spec: object) =>
    (await listLoaded('/things-0', spec)).parts.filter((name) => LATE.includes(name)).sort();

  test('has loaded faker only where a name hints at something', async () => {
    const plain = createDocument(10);
    const needed = ['ajv.cjs', 'formats.cjs', 'http-spec.cjs', 'json-schema-faker.cjs'];
    expect(await listLate(plain)).toEqual(needed);
    const named = JSON.parse(JSON.stringify(plain).replaceAll('member0', 'email'));
    expect(await listLate(named)).toEqual([...needed, 'faker.cjs'].sort());
  });
});

describe('The conversion of documents, which is built without what it does not use', () => {
  test.each(['spec/openapi.yaml', 'spec/control.yaml'])('converts %s as its package does', async (name) => {
    const document = load(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
    const ours = createRequire(import.meta.url)('../dist/late/http-spec.cjs') as typeof original;
    const convert = ({ transformOas3Operations }: typeof original) =>
      transformOas3Operations(structuredClone(document) as never);
    expect(convert(ours)).toEqual(convert(original));
    expect(convert(ours).length).toBeGreaterThan(10);
  });
});

describe('A server that has answered a request', () => {
  test('has not loaded the Fetch API of Node', async () => {
    const { node } = await listLoaded('/pets');
    expect(node).toContain('NativeModule http');
    expect(node.filter((name) => /undici|webstreams\/readablestream/.test(name))).toEqual([]);
  });

  test('has neither hashed nor generated anything', async () => {
    const { node, parts } = await listLoaded('/pets');
    expect(node).not.toContain('NativeModule crypto');
    expect(parts.filter((name) => LATE.includes(name))).toEqual([]);
  });

  test('has read a program that V8 keeps in one byte for each character', () => {
    const late = LATE.map((name) => `late/${name}`);
    const programs = [...readdirSync(DIST), ...late].filter((name) => name.endsWith('.cjs'));
    expect(programs.length).toBeGreaterThan(PARTS.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: The range of ASCII begins with one.
    const isAscii = (name: string) => /^[\x00-\x7f]*$/.test(readFileSync(new URL(name, DIST), 'utf8'));
    expect(programs.filter((name) => !isAscii(name))).toEqual([]);
  });

  test.each([
    ['/pets', []],
    ['/__mock/health', []],
    ['/__mock/faults', ['api']],
  ])('%s has loaded only the parts of the program that it needs', async (path, needed) => {
    const { parts } = await listLoaded(path);
    const late = ['api', 'check', 'cli', 'exec', 'read', 'read-xml', 'realistic-values', 'state-file'];
    const isOf = (name: string) => (file: string) => file.replace(PART, '') === name;
    expect(late.filter((name) => !PARTS.some(isOf(name)))).toEqual([]);
    const own = path === '/__mock/faults' ? ['read'] : [];
    expect(late.filter((name) => parts.some(isOf(name)))).toEqual([...needed, ...own]);
    // One file for what every server needs, one for the helpers of the bundler, and the entries of program and library.
    expect(parts.filter((name) => PART.test(name) && name.startsWith('chunk-')).length).toBeLessThan(5);
  });
});
