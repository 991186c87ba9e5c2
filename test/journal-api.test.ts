import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { isUsualCredential, redactBody, redactJson } from '../src/base/redact/redact.ts';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, json } from './support/adapters.ts';

interface Listed {
  readonly entries: readonly {
    readonly id: number;
    readonly time: string;
    readonly request: {
      readonly query: string;
      readonly headers: Record<string, string>;
      readonly body?: string;
    };
    readonly response: { readonly headers: Record<string, string>; readonly body?: string };
  }[];
  readonly total: number;
}

const read = async (ask: Ask, query = '') => (await (await ask(`/__mock/journal${query}`)).json()) as Listed;

afterEach(closeAll);

describeAdapters('The journal of the control API', ({ open }) => {
  test('has what was asked and answered', async () => {
    const { ask } = await open();
    await ask('/categories?x=1', json('POST', { name: 'Dragons' }));
    await ask('/pets', json('POST', { name: 1 }));
    const { entries, total } = await read(ask);
    expect(total).toBe(2);
    expect(entries[0]).toMatchObject({
      ...{
        id: 1,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        method: 'POST',
        path: '/categories',
        status: 201,
      },
      ...{ operation: 'createCategory', session: 'default', source: 'state', warnings: [] },
      request: { query: 'x=1', body: '{"name":"Dragons"}' },
      response: { headers: { 'Content-Type': 'application/json' }, body: '{"id":9,"name":"Dragons"}' },
    });
    expect(entries[1]).toMatchObject({
      problem: { code: 'validation_failed', violations: [{ code: 'required' }, { code: 'type' }] },
    });
  });

  const filters: readonly (readonly [query: string, ids: readonly number[], total: number])[] = [
    ['?operation=getPet', [1, 2], 2],
    ['?operation=GET%20/pets/{petId}', [1, 2], 2],
    ['?status=404', [2, 3], 2],
    ['?status=4xx', [2, 3], 2],
    ['?status=2XX', [1, 4], 2],
    ['?since=2', [3, 4], 2],
    ['?since=99', [], 0],
    ['?since=2000-01-01T00:00:00Z', [1, 2, 3, 4], 4],
    ['?since=2999-01-01', [], 0],
    ['?source=error', [2, 3], 2],
    ['?source=state&status=200', [1, 4], 2],
    ['?limit=2', [1, 2], 4],
    ['?limit=2&offset=3', [4], 4],
    ['?limit=0', [], 4],
    ['?offset=9', [], 4],
  ];

  test('is filtered by operation, status, source and time, and paged', async () => {
    const { ask } = await open();
    for (const path of ['/pets/1', '/pets/999', '/nowhere', '/categories']) await (await ask(path)).text();
    for (const [query, ids, total] of filters) {
      const found = await read(ask, query);
      expect([query, found.entries.map(({ id }) => id), found.total]).toEqual([query, ids, total]);
    }
  });

  const mistakes: readonly (readonly [query: string, status: number, message: RegExp])[] = [
    ['?operation=getPets', 422, /no operation getPets\. Did you mean getPet\?/],
    [`?operation=${'x'.repeat(256)}`, 422, /no operation x{100}\.\.\./],
    ['?status=600', 400, /query\.status/],
    ['?since=yesterday', 400, /query\.since/],
    ['?since=2027-99-99', 400, /query\.since: must be the id of an entry or a time/],
    ['?limit=-1', 400, /query\.limit/],
    ['?source=magic', 400, /query\.source/],
  ];

  test('names the mistake in a filter', async () => {
    const { ask } = await open();
    for (const [query, status, message] of mistakes) {
      const response = await ask(`/__mock/journal${query}`);
      expect([query, response.status, await response.json()]).toEqual([
        query,
        status,
        expect.objectContaining({ message: expect.stringMatching(message) }),
      ]);
    }
  });

  test('is that of the session, and is emptied without giving an id twice', async () => {
    const { ask } = await open();
    const one = { headers: { 'X-Mock-Session': 'one' } };
    await ask('/pets/1');
    await ask('/pets/2', one);
    expect((await ask('/__mock/journal', { method: 'DELETE' })).status).toBe(204);
    expect((await read(ask)).total).toBe(0);
    await ask('/pets/1');
    expect((await read(ask)).entries.map(({ id }) => id)).toEqual([2]);
    expect(await (await ask('/__mock/journal', one)).json()).toMatchObject({
      total: 1,
      entries: [{ id: 1 }],
    });
  });

  test('hides credentials, which the journal in code shows', async () => {
    const { ask, mock } = await open({ spec: GUARDED });
    const headers = { 'X-Gate': 'hush1', Cookie: 'ticket=hush2', Authorization: 'Bearer hush3' };
    const body = { login: 'ann', Password: 'hush4', deep: [{ 'x-gate': { a: ['hush5'] } }] };
    await ask('/things?pass=hush6&Token=hush7&%74oken=hush8&page=2', json('POST', body, headers));
    const text = await (await ask('/__mock/journal')).text();
    expect(text).not.toContain('hush');
    const [entry] = (JSON.parse(text) as Listed).entries;
    expect(entry?.request).toMatchObject({
      query: 'pass=[hidden]&Token=[hidden]&%74oken=[hidden]&page=2',
      headers: { 'x-gate': '[hidden]', cookie: '[hidden]', authorization: '[hidden]' },
      body: '{"login":"ann","Password":"[hidden]","deep":[{"x-gate":"[hidden]"}]}',
    });
    expect(mock.journal[0]?.request.headers['x-gate']).toBe('hush1');
    expect(mock.journal[0]?.request.body).toContain('hush4');
  });

  test('has bytes as base64', async () => {
    const { ask } = await open();
    const bytes = new Uint8Array([0xff, 0x00, 0xfe]);
    await ask('/pets', {
      method: 'POST',
      body: bytes,
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    const { entries } = await read(ask);
    expect(entries[0]?.request).toMatchObject({ body: '/wD+', encoding: 'base64' });
  });
});

/** The members that HAR 1.2 requires. */
const HAR_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  entry: ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'],
  request: ['method', 'url', 'httpVersion', 'cookies', 'headers', 'queryString', 'headersSize', 'bodySize'],
  response: [
    'status',
    'statusText',
    'httpVersion',
    'cookies',
    'headers',
    'content',
    'redirectURL',
    'headersSize',
    'bodySize',
  ],
  content: ['size', 'mimeType'],
  timings: ['send', 'wait', 'receive'],
};

type Har = Readonly<Record<string, unknown>> & {
  readonly request: { readonly url: string };
  readonly comment: string;
  readonly response: { readonly content: object; readonly status: number; readonly _error?: string };
  readonly timings: object;
};

describeAdapters('An HTTP Archive of the journal', ({ open }) => {
  test('has all that the format requires', async () => {
    const { ask } = await open();
    await ask('/pets?tag=%20a&token=hush', { headers: { Cookie: 'a=hush' } });
    await ask('/categories', json('POST', { name: 'Dragons' }));
    await ask('/pets', { method: 'OPTIONS' });
    await ask('/pets', {
      method: 'POST',
      body: new Uint8Array([255, 0]),
      headers: { 'Content-Type': 'image/png' },
    });
    const answer = await ask('/__mock/journal.har');
    expect(answer.headers.get('content-type')).toContain('application/har+json');
    const text = await answer.text();
    expect(text).not.toContain('hush');
    const { log } = JSON.parse(text) as { log: { version: string; creator: object; entries: Har[] } };
    expect(log).toMatchObject({
      version: '1.2',
      creator: { name: 'petstore-mock', version: expect.any(String) },
    });
    expect(log.entries).toHaveLength(4);
    for (const entry of log.entries) {
      const { request, response, timings } = entry;
      const parts = { entry, request, response, timings, content: response.content };
      for (const [name, part] of Object.entries(parts))
        expect(Object.keys(part)).toEqual(expect.arrayContaining([...(HAR_MEMBERS[name] ?? [])]));
      expect(URL.canParse(request.url)).toBe(true);
    }
    expect(log.entries[0]).toMatchObject({
      comment: '#1 listPets',
      request: {
        url: expect.stringMatching(/^http:.*\/pets\?tag=%20a&token=\[hidden\]$/),
        queryString: [{ name: 'tag', value: ' a' }, {}],
      },
    });
    expect(log.entries[1]).toMatchObject({
      request: { bodySize: 18, postData: { mimeType: 'application/json', text: '{"name":"Dragons"}' } },
      response: {
        statusText: 'Created',
        content: { size: 25 },
        redirectURL: expect.stringContaining('/categories/9'),
      },
    });
    expect(log.entries[3]).toMatchObject({ request: { postData: { text: '/wA=' }, bodySize: 2 } });
  });

  const accepts: readonly (readonly [accept: string, type: string | number])[] = [
    ['application/har+json', 'application/har+json'],
    ['APPLICATION/HAR+JSON', 'application/har+json'],
    ['application/har+json, application/json;q=0.9', 'application/har+json'],
    ['application/json, application/har+json;q=0.9', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['text/plain', 406],
  ];

  test.each(accepts)('answers /journal with Accept: %s as %s', async (accept, type) => {
    const { ask } = await open();
    await ask('/pets/1');
    const answer = await ask('/__mock/journal?status=200', { headers: { Accept: accept } });
    if (typeof type === 'number') expect(answer.status).toBe(type);
    else {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      const same = await ask(`/__mock/journal${type.includes('har') ? '.har' : ''}?status=200`);
      expect(await answer.text()).toBe(await same.text());
    }
  });

  test('says what a fault did to an answer', async () => {
    const { ask } = await open();
    const broken = (fault: object, init: RequestInit = {}) =>
      ask('/pets/1', { ...init, headers: { 'X-Mock-Fault': JSON.stringify(fault) } })
        .then((answer) => answer.text())
        .catch(() => undefined);
    await broken({ effect: 'reset' });
    await broken({ effect: 'timeout' }, { signal: AbortSignal.timeout(50) });
    await broken({ effect: 'truncate' });
    await broken({ effect: 'malformed' });
    await broken({ status: 503, delay: 2 });
    const { log } = (await (await ask('/__mock/journal.har')).json()) as { log: { entries: Har[] } };
    const short = log.entries.map(({ comment, response: { status, _error } }) => [status, comment, _error]);
    expect(short).toEqual([
      [0, '#1 getPet, reset by fault header', 'net::ERR_CONNECTION_RESET'],
      [0, '#2 getPet, timeout by fault header', 'net::ERR_TIMED_OUT'],
      [200, '#3 getPet, truncate by fault header', 'net::ERR_CONTENT_LENGTH_MISMATCH'],
      [200, '#4 getPet, malformed by fault header', undefined],
      [503, '#5 getPet, 503 and 2 ms of delay by fault header', undefined],
    ]);
    for (const { response } of log.entries)
      expect(Object.keys(response)).toEqual(expect.arrayContaining([...(HAR_MEMBERS.response ?? [])]));
    expect(log.entries[0]?.response).toMatchObject({
      ...{ statusText: '', headers: [], cookies: [], redirectURL: '', headersSize: -1, bodySize: 0 },
      content: { size: 0, mimeType: '' },
    });
  });

  test('is filtered like the list', async () => {
    const { ask } = await open();
    await ask('/pets/1');
    await ask('/nowhere');
    const archive = await (await ask('/__mock/journal.har?status=4xx')).json();
    expect(archive).toMatchObject({ log: { entries: { length: 1 } } });
  });
});

const hosts = ['', 'a:99999', 'a%00b', '[1]', '[x]:1'];

test.each(hosts)('An HTTP Archive has a valid URL for the Host "%s"', async (Host) => {
  const mock = await createMock();
  await mock.fetch('/pets/1', { headers: { Host } });
  const archive = (await (await mock.fetch('/__mock/journal.har')).json()) as { log: { entries: Har[] } };
  expect(new URL(archive.log.entries[0]?.request.url ?? '').host).toBe('localhost');
});

test('The library exports the same HTTP Archive, of each session its own', async () => {
  const mock = await createMock();
  const one = mock.session('one');
  await one.fetch('/pets/1', { headers: { Authorization: 'Bearer secret' } });
  expect(one.har()).toEqual(await (await one.fetch('/__mock/journal.har')).json());
  expect(JSON.stringify(one.har())).not.toContain('secret');
  expect(mock.har()).toMatchObject({ log: { version: '1.2', entries: [] } });
});

const GUARDED = {
  openapi: '3.0.3',
  info: { title: 'Guarded', version: '1' },
  security: [{ gate: [] }, { pass: [] }, { ticket: [] }],
  paths: {
    '/things': {
      post: {
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { '201': { description: 'Made.' } },
      },
    },
  },
  components: {
    securitySchemes: {
      gate: { type: 'apiKey', in: 'header', name: 'X-Gate' },
      pass: { type: 'apiKey', in: 'query', name: 'pass' },
      ticket: { type: 'apiKey', in: 'cookie', name: 'ticket' },
    },
  },
};

const FORM = 'multipart/form-data; boundary=b';
const HIDDEN_BODIES: readonly (readonly [type: string, body: string, shown: string])[] = [
  ['application/json', '{"a":1,"token" : 12 ,"b":2}', '{"a":1,"token" : "[hidden]","b":2}'],
  ['application/json', '{"tok\\u0065n":"x"}', '{"tok\\u0065n":"[hidden]"}'],
  ['application/json', '{"secret":{"a":[1,{"b":"}"}]},"c":"token"}', '{"secret":"[hidden]","c":"token"}'],
  ['application/json', '{"a":"\\"token\\":1","passwd":null}', '{"a":"\\"token\\":1","passwd":"[hidden]"}'],
  ['text/plain', ' [{"apiKey":true}]', ' [{"apiKey":"[hidden]"}]'],
  ['application/json', '{"token":"x', '{"token":"[hidden]"'],
  ['application/json', '{"token":', '{"token":"[hidden]"'],
  ['application/json', '"token"', '"token"'],
  ['application/x-www-form-urlencoded', 'user=a&password=b%20c', 'user=a&password=[hidden]'],
  ['', 'client_secret=x', 'client_secret=[hidden]'],
  ['application/xml', '<a><password x="1">p</password></a>', '<a><password x="1">[hidden]</password></a>'],
  ['text/xml', "<a token='x'/>", '<a token="[hidden]"/>'],
  [
    FORM,
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\np\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n[hidden]\r\n--b--',
  ],
  [
    FORM,
    '--b\r\nContent-Disposition: form-data; name=a\r\n\r\np\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name=a\r\n\r\np\r\n--b--',
  ],
];

describe('A credential in a body', () => {
  test.each(HIDDEN_BODIES)('of %s is hidden: %s', (type, body, shown) => {
    expect(redactBody(body, type, isUsualCredential)).toBe(shown);
  });

  test('never changes JSON that has none', () =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(redactJson(text, () => false)).toBe(text);
      }),
    ));

  test('leaves valid JSON valid', () =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        JSON.parse(redactJson(text, (name) => name.length % 2 === 0));
      }),
    ));

  const hostile: readonly (readonly [name: string, body: string])[] = [
    ['brackets', '{"token":'.repeat(110_000)],
    ['open lists', `{"token":${'['.repeat(1_000_000)}`],
    ['quotes', '"'.repeat(1_000_000)],
    ['escapes', `"${'\\'.repeat(1_000_000)}`],
    ['spaces', `"token"${' '.repeat(1_000_000)}`],
    ['elements', '<token>'.repeat(140_000)],
    ['a long name', `<${'a'.repeat(1_000_000)}>`],
    ['attributes', `<a ${'b="'.repeat(300_000)}>`],
    ['pairs', '&='.repeat(500_000)],
  ];

  test.each(hostile)('takes no time to look for among %s', (_, body) => {
    const start = performance.now();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=a'])
      redactBody(body, type, isUsualCredential);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('in a URL of a header is hidden as well', async () => {
    const mock = await createMock();
    await mock.fetch('/pets/1', { headers: { Referer: 'https://a.test/?access_token=hush&b=1#c' } });
    const text = await (await mock.fetch('/__mock/journal')).text();
    expect(text).toContain('https://a.test/?access_token=[hidden]&b=1#c');
  });
});
