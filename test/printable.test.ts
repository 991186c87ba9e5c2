import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toCoverageMarkdown } from '../src/cli/coverage-markdown.ts';
import { createLog } from '../src/cli/log.ts';
import { createMock } from '../src/index.ts';
import { documentOf } from './support/documents.ts';
import { runCommand } from './support/run-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printable-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Controls of C0 and C1, and the characters that turn the direction of a text. */
const CHARACTERS = [
  ...['\u0000', '\u0007', '\u0008', '\u001b', '\u007f', '\u0085', '\u009b', '\u061c', '\u200e', '\u200f'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
];
const ALL = CHARACTERS.join('');
const RAW = new RegExp(`[${CHARACTERS.map((each) => `\\u${toHex(each)}`).join('')}]`);

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

const ESCAPED = CHARACTERS.map((each) => `\\u${toHex(each)}`).join('');

describe('A text that could deceive who reads it is escaped', () => {
  test.each([
    ['pretty', 'info'],
    ['pretty', 'debug'],
    ['json', 'debug'],
  ] as const)('in the %s log at the level %s', async (format, level) => {
    let log = '';
    const { log: print, logExchange } = createLog({ level, format, color: false }, (text) => {
      log += text;
    });
    const mock = await createMock({ ...(logExchange && { onExchange: logExchange }) });
    print({ level: 'warn', text: `a title: ${ALL}\nand more`, data: { title: ALL } });
    const body = JSON.stringify({ name: ALL, categoryId: 1 });
    await mock.fetch('/pets', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    await mock.fetch('/pets', { headers: { Prefer: 'vary=\u0085' } });
    expect(log).not.toMatch(RAW);
    expect(log).toContain(format === 'json' ? ESCAPED.slice(ESCAPED.indexOf('\\u001b')) : ESCAPED);
  });

  test.each(CHARACTERS.filter((each) => each !== '\u0000').map((each) => [`U+${toHex(each)}`, each]))(
    'in the code frame of a start, with its caret in place: %s',
    async (name, character) => {
      const file = join(folder, `${name}.yaml`);
      await writeFile(file, `openapi: "${character}" oops\npaths: {}\n`);
      const { err } = await runCommand(['--spec', file]);
      expect(err).not.toMatch(RAW);
      const [, row = '', caret = ''] = /^(> .*)\n(.*\^)$/m.exec(err) ?? [];
      expect(row).toContain(`"\\u${toHex(character)}" oops`);
      expect([character, row.slice(caret.indexOf('^'))[0]]).toEqual([
        character,
        expect.stringMatching(/[o\\]/),
      ]);
    },
  );

  test('in the list of routes', async () => {
    const file = join(folder, 'routes.json');
    const get = { summary: ALL, responses: { 200: { description: '' } } };
    await writeFile(file, JSON.stringify(documentOf({ '/a': { get } })));
    const { out } = await runCommand(['routes', file]);
    expect(out).not.toMatch(RAW);
    expect(out).toContain('\\u202e');
  });

  test('in the Markdown report', async () => {
    const mock = await createMock({
      spec: { ...documentOf({ '/a': { get: { responses: { 200: { description: '' } } } } }) },
    });
    await mock.fetch(`/a?${encodeURIComponent(ALL)}=1`);
    await mock.fetch('/a', { headers: { 'X-Mock-Consumer': 'a\u0085b\u009b' } });
    const report = toCoverageMarkdown({
      ...mock.coverage(),
      document: { title: ALL, location: 'a.yaml' } as never,
    });
    expect(report).not.toMatch(RAW);
    expect(report).toContain('\\u202e');
  });
});
