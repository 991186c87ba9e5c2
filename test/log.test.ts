import { expect, test, vi } from 'vitest';
import { createLog } from '../src/cli/log.ts';
import { createSoon } from '../src/cli/soon.ts';
import { createMock } from '../src/index.ts';
import { createWatchedMock } from '../src/mock/mock.ts';

/** The lines of the log after some requests, without time, status and duration. */
async function linesOf(
  requests: readonly (readonly [path: string, init?: RequestInit])[],
): Promise<string[]> {
  const lines: string[] = [];
  const options = { level: 'info', format: 'pretty', color: false } as const;
  const { logExchange } = createLog(options, (line) => void lines.push(line));
  const mock = await createMock({ ...(logExchange && { onExchange: logExchange }) });
  for (const request of requests) await mock.fetch(...request);
  return lines.map((line) => line.trimEnd().replace(/^\d\d:\d\d:\d\d (\S+ +\S+) +(\d+) +[\d.]+ ms/, '$1 $2'));
}

test('A deprecation is announced once for each operation', async () => {
  const [first = '', ...others] = await linesOf([['/pets/1'], ['/pets/2'], ['/pets/1?x=1']]);
  expect(first).toContain('warning: getPet is deprecated');
  expect(others).toEqual(['GET     /pets/2 200', 'GET     /pets/1?x=1 200']);
});

test('Preflights have no line, and credentials in a query are hidden', async () => {
  const preflight = { Origin: 'http://a', 'Access-Control-Request-Method': 'POST' };
  const lines = await linesOf([
    ['/pets', { method: 'OPTIONS', headers: preflight }],
    ['/pets?api_key=hush&limit=1'],
    ['/'],
    ['/__mock/health'],
  ]);
  expect(lines).toEqual(['GET     /pets?api_key=[hidden]&limit=1 200']);
});

test('A long query is cut', async () => {
  const [line = ''] = await linesOf([[`/pets?q=${'x'.repeat(5000)}`]]);
  expect(line.length).toBeLessThan(250);
});

test.each(['pretty', 'json'] as const)('The %s debug log counts the bytes of a file', async (format) => {
  const lines: string[] = [];
  const { logExchange } = createLog(
    { level: 'debug', format, color: false },
    (line) => void lines.push(line),
  );
  const get = { responses: { 200: { description: '', content: { 'image/png': {} } } } };
  const spec = { openapi: '3.0.3', info: { title: 'Files', version: '1' }, paths: { '/logo': { get } } };
  const mock = await createMock({ spec, ...(logExchange && { onExchange: logExchange }) });
  await mock.fetch('/logo');
  const log = lines.join('');
  expect(log).toContain('(67 bytes of image/png)');
  expect(log).not.toMatch(/IHDR|137/);
});

test('An error ends with its code, and so does a warning', async () => {
  const [error, warning] = await linesOf([['/categories/99'], ['/pets?statuss=sold']]);
  expect(error).toMatch(/^GET {5}\/categories\/99 404 No category has the id 99\. \[category_not_found\]$/);
  expect(warning).toMatch(
    / warning: query\.statuss is not declared; did you mean status\? \[parameter-unknown\]$/,
  );
});

test('The JSON log has the code of each finding, of the first ten', async () => {
  const lines: string[] = [];
  const { logExchange } = createLog({ level: 'info', format: 'json', color: false }, (line) => {
    lines.push(line);
  });
  const item = { type: 'object', required: ['id'] };
  const content = { 'application/json': { schema: { type: 'array', items: item } } };
  const paths = { '/': { post: { requestBody: { content }, responses: { 200: { description: 'Done' } } } } };
  const spec = { openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths };
  const mock = await createMock({ spec, ...(logExchange && { onExchange: logExchange }) });
  const headers = { 'Content-Type': 'application/json' };
  await mock.fetch('/', { method: 'POST', headers, body: JSON.stringify(Array(50).fill({})) });
  const { code, violations } = JSON.parse(lines[0] ?? '');
  expect(code).toBe('validation_failed');
  expect(violations).toEqual(
    Array.from({ length: 10 }, (_, index) => ({ location: `body[${index}].id`, code: 'required' })),
  );
});

test('Lines of one turn are written together, or at once where the process ends', async () => {
  const written: string[] = [];
  const soon = createSoon({ write: (text) => written.push(text), writableLength: 0 });
  soon.write('a');
  soon.write('b');
  expect(written).toEqual([]);
  await new Promise(setImmediate);
  expect(written).toEqual(['ab']);
  soon.write('c');
  soon.flush();
  expect(written).toEqual(['ab', 'c']);
  await new Promise(setImmediate);
  expect(written).toEqual(['ab', 'c']);
});

test('Lines of a busy log are written together after a few milliseconds', async () => {
  const written: string[] = [];
  const soon = createSoon({ write: (text) => written.push(text), writableLength: 0 });
  soon.write('a');
  await new Promise(setImmediate);
  soon.write('b');
  await new Promise(setImmediate);
  soon.write('c');
  expect(written).toEqual(['a']);
  await vi.waitFor(() => expect(written).toEqual(['a', 'bc']));
});

test('The log of the command shows an exchange as that of a library does', async () => {
  const deprecated = { 'x-deprecated-at': '2026-06-01', deprecated: true };
  const paths = { '/a': { get: { ...deprecated, responses: { 200: { description: '' } } } } };
  const spec = { openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths };
  for (const level of ['info', 'debug'] as const)
    for (const format of ['pretty', 'json'] as const) {
      const [copied, watched]: [string[], string[]] = [[], []];
      const options = { level, format, color: false };
      const { logExchange } = createLog(options, (line) => void copied.push(line));
      const { watch } = createLog(options, (line) => void watched.push(line));
      const mock = await createWatchedMock({ spec, ...(logExchange && { onExchange: logExchange }) }, watch);
      for (const path of ['/a?token=hush', '/a?%74oken=hush', '/a?x=1', '/b%0A']) await mock.fetch(path);
      await mock.fetch('/a', { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } });
      const withoutTime = (line: string) => line.replace(/"time":"[^"]+"|^\d\d:\d\d:\d\d/, '');
      expect(watched).toHaveLength(level === 'debug' ? 5 : 4);
      expect(watched.map(withoutTime)).toEqual(copied.map(withoutTime));
      expect(watched.join('')).not.toContain('hush');
    }
});

test('A log that nobody reads leaves out requests, and says how many once it is read', async () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line.replace(/^\d\d:\d\d:\d\d (\S+ +\S+).*\n/s, '$1'));
  const output = { write, writableLength: 0 };
  const { watch } = createLog({ level: 'info', format: 'pretty', color: false }, write, undefined, {
    ...{ write },
    get isFull() {
      return createSoon(output).isFull;
    },
  });
  const mock = await createWatchedMock({}, watch);
  await mock.fetch('/pets');
  output.writableLength = 2 ** 24;
  for (const path of ['/pets/1', '/pets/2', '/pets/3']) await mock.fetch(path);
  output.writableLength = 0;
  await mock.fetch('/orders');
  expect(lines).toEqual([
    'GET     /pets',
    '3 requests are missing here, because nothing read the log. The journal has the latest.\n',
    'GET     /orders',
  ]);
});
