import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { parseHttpDate } from '../src/base/clock.ts';
import { createMock, type MockOptions } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

const PARAMETERS = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const CHANGED = '2026-01-01T00:00:00.900Z';
const MODIFIED = 'Thu, 01 Jan 2026 00:00:00 GMT';

/** Notes with the time of their last change under a name, and one note. */
function notes(
  name = 'updatedAt',
  schema: object = { format: 'date-time' },
  time: unknown = CHANGED,
): MockOptions {
  const note = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', readOnly: true },
      text: { type: 'string' },
      [name]: { type: 'string', ...schema },
    },
  };
  const body = { content: { 'application/json': { schema: note } } };
  const spec = documentOf({
    '/notes': {
      get: { responses: jsonAnswer({ type: 'array', items: note }) },
      post: { requestBody: body, responses: jsonAnswer(note) },
    },
    '/notes/{id}': {
      parameters: PARAMETERS,
      get: { responses: jsonAnswer(note) },
      patch: { requestBody: body, responses: jsonAnswer(note) },
      delete: { responses: { 204: { description: 'Gone' } } },
    },
  });
  return { spec, fixtures: { notes: [{ id: 1, text: 'First', [name]: time }] } };
}

describeAdapters('Last-Modified', ({ open }) => {
  test('is the time of the last change, in whole seconds', async () => {
    const { ask, mock } = await open(notes());
    const modifiedOf = async (path: string, init?: RequestInit) =>
      (await ask(path, init)).headers.get('last-modified');
    expect(await modifiedOf('/notes/1')).toBe(MODIFIED);
    expect(await modifiedOf('/notes/1', { method: 'HEAD' })).toBe(MODIFIED);
    expect(await modifiedOf('/notes')).toBeNull();
    mock.clock.freeze('2026-03-01T12:00:00Z');
    expect(await modifiedOf('/notes/1', json('PATCH', { text: 'Second' }))).toBeNull();
    expect(await modifiedOf('/notes/1')).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
  });

  test.each(['updated_at', 'modifiedAt', 'lastModified', 'last_updated', 'dateModified'])(
    'is found under the name %s',
    async (name) => {
      const { ask } = await open(notes(name));
      expect((await ask('/notes/1')).headers.get('last-modified')).toBe(MODIFIED);
    },
  );

  test('is found among the attributes of an entity', async () => {
    const attributes = {
      type: 'object',
      properties: { title: { type: 'string' }, updatedAt: { type: 'string', format: 'date-time' } },
    };
    const text = { type: 'string' };
    const article = {
      type: 'object',
      required: ['id', 'type'],
      properties: { id: text, type: text, attributes },
    };
    const whole = (data: object) => jsonAnswer({ type: 'object', required: ['data'], properties: { data } });
    const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
    const spec = documentOf({
      '/articles': { get: { responses: whole({ type: 'array', items: article }) } },
      '/articles/{id}': { get: { parameters, responses: whole(article) } },
    });
    const entity = { id: 'one', type: 'articles', attributes: { title: 'First', updatedAt: CHANGED } };
    const { ask } = await open({ spec, fixtures: { articles: [entity] } });
    expect((await ask('/articles/one')).headers.get('last-modified')).toBe(MODIFIED);
  });

  test.each<[string, MockOptions]>([
    ['the time of another event', notes('createdAt')],
    ['a day', notes('updatedAt', { format: 'date' }, '2026-01-01')],
    ['a number', notes('updatedAt', { type: 'integer' }, 1767225600)],
    ['no time', notes('updatedAt', {}, 'yesterday')],
  ])('is left out for %s', async (_, options) => {
    const { ask } = await open(options);
    expect((await ask('/notes/1')).headers.get('last-modified')).toBeNull();
  });

  test('is never later than Date', async () => {
    const future = { fixtures: { notes: [{ id: 1, updatedAt: '2100-01-01T00:00:00Z' }] } };
    const { ask, mock } = await open({ ...notes(), ...future });
    const timesOf = async () => {
      const { headers } = await ask('/notes/1');
      return [headers.get('last-modified'), headers.get('date')].map((text) => Date.parse(text ?? ''));
    };
    const [modified, date] = await timesOf();
    expect(modified).toBe(date);
    expect(Math.abs((date ?? 0) - Date.now())).toBeLessThan(60_000);
    mock.clock.freeze('2101-01-01T00:00:00Z');
    expect(await timesOf()).toEqual([Date.parse('2100-01-01'), Date.parse('2101-01-01')]);
    mock.clock.advance('PT1H');
    expect(await timesOf()).toEqual([Date.parse('2100-01-01'), Date.parse('2101-01-01T01:00:00Z')]);
  });
});

describeAdapters('If-Modified-Since', ({ open }) => {
  test.each([
    [MODIFIED, 304],
    ['Thursday, 01-Jan-26 00:00:00 GMT', 304],
    ['Thu Jan  1 00:00:00 2026', 304],
    ['Fri, 02 Jan 2026 00:00:00 GMT', 304],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 200],
    ...['', '0', '2026-01-01T00:00:00Z', 'Thu, 01 Jan 2026 00:00:00 UTC', `${MODIFIED}, ${MODIFIED}`].map(
      (text): [string, number] => [text, 200],
    ),
    ['Thu, 32 Jan 2026 00:00:00 GMT', 200],
  ])('%s is answered with %i', async (since, status) => {
    const { ask } = await open(notes());
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/notes/1', { method, headers: { 'If-Modified-Since': since } });
      expect([answer.status, answer.headers.get('last-modified')]).toEqual([status, MODIFIED]);
      expect(answer.headers.get('etag')).toMatch(/^"/);
      if (status === 304) expect(await answer.text()).toBe('');
    }
  });

  test('is ignored beside If-None-Match, for lists, and for what does not exist', async () => {
    const { ask } = await open(notes());
    const headers = { 'If-Modified-Since': MODIFIED };
    expect((await ask('/notes/1', { headers: { ...headers, 'If-None-Match': '"other"' } })).status).toBe(200);
    expect((await ask('/notes', { headers })).status).toBe(200);
    expect((await ask('/notes/9', { headers })).status).toBe(404);
  });
});

describeAdapters('If-Unmodified-Since', ({ open }) => {
  const patch = (headers: Record<string, string>) => json('PATCH', { text: 'New' }, headers);
  const EARLIER = 'Wed, 31 Dec 2025 23:59:59 GMT';

  test('refuses a change of an entity that has changed since', async () => {
    const { ask } = await open(notes());
    const refused = await ask('/notes/1', patch({ 'If-Unmodified-Since': EARLIER }));
    const { code } = (await refused.json()) as { code: string };
    expect([refused.status, code]).toEqual([412, 'precondition_failed']);
    expect(
      (await ask('/notes/1', { method: 'DELETE', headers: { 'If-Unmodified-Since': EARLIER } })).status,
    ).toBe(412);
    expect((await ask('/notes/9', patch({ 'If-Unmodified-Since': EARLIER }))).status).toBe(404);
    expect((await ask('/notes/1', patch({ 'If-Unmodified-Since': MODIFIED }))).status).toBe(200);
    expect((await ask('/notes/1', patch({ 'If-Unmodified-Since': MODIFIED }))).status).toBe(412);
  });

  test('is ignored beside If-Match, and if it is no date', async () => {
    const { ask } = await open(notes());
    expect((await ask('/notes/1', patch({ 'If-Unmodified-Since': EARLIER, 'If-Match': '*' }))).status).toBe(
      200,
    );
    expect((await ask('/notes/1', patch({ 'If-Unmodified-Since': 'yesterday' }))).status).toBe(200);
  });
});

describe('A date of a header', () => {
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', 784111777],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 784111777],
    ['Sun Nov  6 08:49:37 1994', 784111777],
    ['Sat, 31 Dec 2016 23:59:60 GMT', 1483228800],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Sun, 30 Feb 2025 00:00:00 GMT', undefined],
    ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
    ['Sun, 06 Nov 0050 08:49:37 GMT', undefined],
    ['sun, 06 nov 1994 08:49:37 gmt', undefined],
    ['Sun Nov 0a 08:49:37 1994', undefined],
  ])('%s is %s', (text, seconds) => {
    expect(parseHttpDate(text)).toBe(seconds);
  });

  test('with a year of two digits is at most 50 years ahead', () => {
    const year = new Date().getUTCFullYear();
    for (const ahead of [-49, 0, 50]) {
      const short = String(year + ahead).slice(2);
      expect(parseHttpDate(`Monday, 01-Jan-${short} 00:00:00 GMT`)).toBe(Date.UTC(year + ahead, 0, 1) / 1000);
    }
  });

  test('does no harm, whatever its bytes are', async () => {
    const mock = await createMock(notes());
    const words = [
      'Sun',
      ', ',
      '06',
      ' ',
      'Nov',
      '-',
      '1994',
      '99',
      ':',
      '08:49:37',
      'GMT',
      '\u00ff',
      '"',
      'x'.repeat(50),
    ];
    const date = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join('').trim());
    await fc.assert(
      fc.asyncProperty(date, date, fc.constantFrom('GET', 'PATCH'), async (one, other, method) => {
        const headers = { 'If-Modified-Since': one, 'If-Unmodified-Since': other };
        const init = method === 'GET' ? { headers } : json('PATCH', {}, headers);
        expect([200, 304, 412]).toContain((await mock.fetch('/notes/1', init)).status);
      }),
      { numRuns: 300 },
    );
  });
});
