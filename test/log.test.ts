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
