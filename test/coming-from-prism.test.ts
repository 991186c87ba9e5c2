import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../src/cli/cli.ts';
import { translateArguments } from '../src/cli/prism-arguments.ts';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

const PET = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const DOCUMENT = documentOf({
  '/pet': { get: { operationId: 'getPet', responses: jsonAnswer(PET, { example: { name: 'Rex' } }) } },
  '/shops/{id}/owners': { get: { operationId: 'listOwners', responses: { 200: { description: '' } } } },
});

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'prism-'));
  await writeFile(join(cwd, 'api.json'), JSON.stringify(DOCUMENT));
});

afterAll(() => rm(cwd, { recursive: true }));

/** Runs the command until it ends, or until its server has been asked. */
async function run(
  argv: readonly string[],
  env = {},
  ask = async (_: string): Promise<unknown> => undefined,
) {
  let out = '';
  let err = '';
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let asked: Promise<unknown> = Promise.resolve();
  const listen = (text: string) => {
    out += text;
    const [, port] = /listens on http:\/\/\S+:(\d+)/.exec(text) ?? [];
    if (port) asked = ask(`http://127.0.0.1:${port}`).finally(stop);
  };
  const fail = (text: string) => {
    err += text;
  };
  // Flags start from the directory of the process.
  const absolute = argv.map((word) => word.replace(/^(\.\/)?api\.json$/, join(cwd, 'api.json')));
  const terminal = { env, cwd, isTTY: false, out: listen, err: fail, stopped: () => stopped };
  const code = await main(absolute, terminal);
  return { code, out, err, answer: await asked };
}

describe('The flags of Prism', () => {
  test.each<[given: string, ours: string, ignored?: string[]]>([
    ['mock api.yaml -p 4011 -h 0.0.0.0', 'mock api.yaml --port 4011 --host 0.0.0.0'],
    ['-p4011 -p=4012', '--port 4011 --port 4012'],
    ['-h', '--help'],
    ['-h -p 1', '--help --port 1'],
    ['-d', '--dynamic'],
    ['--dynamic=false', ''],
    ['--ignoreExamples', '--dynamic'],
    ['--ignore-examples', '--dynamic'],
    ['--cors', ''],
    ['--cors=false', '--no-cors'],
    ['--cors false', '--no-cors'],
    ['--no-cors', '--no-cors'],
    ['-v debug', '--log-level debug'],
    ['--verboseLevel success', '--log-level info'],
    ['--errors -m', '', ['--errors', '-m']],
    ['-m false --multiprocess true', '', ['-m false', '--multiprocess true']],
    ['--errors=false api.yaml', 'api.yaml', ['--errors=false']],
    ['--json-schema-faker-fillProperties=false', '', ['--json-schema-faker-fillProperties=false']],
    ['--error getPet=503 --host a', '--error getPet=503 --host a'],
    ['-- -p 1', '-- -p 1'],
  ])('%s are %s', (given, ours, ignored = []) => {
    const { argv, ignored: told } = translateArguments(given.split(' '));
    expect({ argv: argv.join(' '), told }).toEqual({ argv: ours, told: ignored });
  });
});

describe('The command', () => {
  const askForPet = async (url: string) => (await fetch(`${url}/pet`)).json();

  test.each([
    ['api.json -p 0'],
    ['mock api.json --port 0'],
    ['mock -p 0 ./api.json'],
    ['mock api.json -p 0 -h 0.0.0.0 --errors --cors -m true -v debug'],
  ])('serves the document of: %s', async (line) => {
    const { code, answer, err } = await run(line.split(' '), {}, askForPet);
    expect({ code, answer, err }).toEqual({ code: 0, answer: { name: 'Rex' }, err: '' });
  });

  test('makes answers up and says once what it ignores', async () => {
    const line = 'mock api.json -p 0 --dynamic --errors --json-schema-faker-fillProperties=false --seed abc';
    const { code, answer, out } = await run(line.split(' '), {}, askForPet);
    expect(code).toBe(0);
    expect(answer).not.toEqual({ name: 'Rex' });
    expect(out.match(/Ignored.*: --errors, --json-schema-faker-fillProperties=false/g)).toHaveLength(1);
  });

  test('prints help for -h without a value', async () => {
    const { code, out } = await run(['-h']);
    expect([code, out.slice(0, 20)]).toEqual([0, 'Usage: petstore-mock']);
  });

  test.each<[line: string, env: Record<string, string>, message: RegExp]>([
    ['mok api.json', {}, /unknown command 'mok'\n\(Did you mean mock\?\)/],
    ['chek', {}, /Did you mean check\?/],
    ['api.json --sede 1', {}, /Did you mean --seed\?/],
    ['api.json', { PETSTORE_MOCK_SEDE: '1' }, /Did you mean PETSTORE_MOCK_SEED\?/],
    ['api.json --error getPat=503', {}, /Did you mean getPet\?/],
    ['api.json b.json', {}, /one document at a time, not '.*api\.json' and 'b\.json'/],
    ['api.json --spec api.json', {}, /named twice/],
  ])('refuses %s', async (line, env, message) => {
    const { code, err } = await run(line.split(' '), env);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describeAdapters('Dynamic answers', (adapter) => {
  test.each<[prefer: string, isExample: boolean]>([
    ['', false],
    ['dynamic=true', false],
    ['dynamic=false', true],
  ])('are those without state, unless a client prefers otherwise: %s', async (prefer, isExample) => {
    const { ask } = await adapter.open({ spec: DOCUMENT, dynamic: true });
    const answer = await (await ask('/pet', { headers: { Prefer: prefer } })).json();
    expect((answer as { name: string }).name === 'Rex').toBe(isExample);
    const plain = await adapter.open({ spec: DOCUMENT });
    const preferred = await plain.ask('/pet', { headers: { Prefer: 'dynamic=true' } });
    if (!isExample) expect(answer).toEqual(await preferred.json());
  });
});

describe('A seed', () => {
  const sample = async (seed: number | string) =>
    (await (await createMock({ spec: DOCUMENT, dynamic: true, seed })).fetch('/pet')).text();

  test('may be any text, and digits are that number', async () => {
    expect(await sample('abc')).toBe(await sample('abc'));
    expect(await sample('abc')).not.toBe(await sample('abd'));
    expect(await sample('7')).toBe(await sample(7));
  });
});

describeAdapters('A path that is not there', (adapter) => {
  test.each<[path: string, meant: string | undefined]>([
    ['/pets', '/pet'],
    ['/shop/7/owners', '/shops/7/owners'],
    ['/shops/7/ownres', '/shops/7/owners'],
    ['/pet/', '/pet'],
    ['/shop/7/ownres', undefined],
    ['/elsewhere', undefined],
    [`/${'pet'.repeat(500)}`, undefined],
  ])('may be meant otherwise: %s', async (path, meant) => {
    const { ask } = await adapter.open({ spec: DOCUMENT });
    const { detail } = (await (await ask(path)).json()) as { detail: string };
    expect(/Did you mean (.*)\?$/.exec(detail)?.[1]).toBe(meant);
  });
});
