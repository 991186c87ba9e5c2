import { expect, test } from 'vitest';
import { createLog } from '../src/cli/log.ts';
import { createMock } from '../src/index.ts';

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
