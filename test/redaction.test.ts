import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildIsCredential, isUsualCredential, redactBody, redactQuery } from '../src/base/redact/redact.ts';
import { createLog } from '../src/cli/log.ts';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { documentOf } from './support/documents.ts';

const SECRET_NAMES = [
  ...[
    'Authorization',
    'X-Auth',
    'Cookie',
    'access_token',
    'refreshToken',
    'client-secret',
    'Passwort1passwd',
  ],
  ...['apiKey', 'api-key', 'API_KEY', 'awsCredentials', 'password', 'new_password', 'pass_word'],
  ...[
    'pwd',
    'PWD',
    'pass',
    'passphrase',
    'pass-phrase',
    'privateKey',
    'private_key',
    'PRIVATE KEY',
    'jwt',
    'otp',
  ],
  ...['pin', 'Pin', 'cvv', 'cvc', 'sessionId', 'session_id', 'X-Session-Id', 'X-Csrf-Token', 'sig'],
  ...['X-Amz-Signature', 'x_amz_signature', 'user[pwd]', 'card.cvv', 'otp[]', 'otp[0]', 'wsse:pwd', 'X-Gate'],
  ...['kennwort', 'motDePasse', 'mot_de_passe', 'contrasena', 'senha', 'wachtwoord', 'haslo'],
  ...['user[senha]', 'mfaCode', 'mfa_code'],
];

const PLAIN_NAMES = [
  ...[
    '',
    'id',
    'name',
    'author',
    'authority',
    'shipping',
    'spin',
    'pinned',
    'pin_code_area',
    'compass',
    'passes',
  ],
  ...[
    'bypass',
    'passenger',
    'compass_width',
    'design',
    'signal',
    'signature',
    'sessions',
    'keyboard',
    'monkey',
  ],
  ...['optional', 'hotpot', 'code', 'pass[0].name', 'gate', '__proto__', 'constructor'],
];

const isCredential = buildIsCredential(['x-gate']);

describe('The name of a credential', () => {
  test.each(SECRET_NAMES)('is %s', (name) => {
    expect(Boolean(isCredential(name))).toBe(true);
    expect(redactQuery(`a=1&${encodeURIComponent(name)}=hush`, isCredential)).not.toContain('hush');
  });

  test.each(['contraseña', 'hasło', 'lösenord', 'пароль', '密码', 'パスワード'])('is also %s', (name) => {
    expect(Boolean(isCredential(name))).toBe(true);
    expect(redactQuery(`a=1&${encodeURIComponent(name)}=hush`, isCredential)).not.toContain('hush');
  });

  test.each(PLAIN_NAMES)('is not %s', (name) => {
    expect(Boolean(isCredential(name))).toBe(false);
  });
});

const MULTIPART = 'multipart/form-data; boundary=b';
const CODE = '{"password":"hush"}';

/** A type, a body, and what is shown of it. */
const BODIES: readonly (readonly [type: string, body: string, shown: string])[] = [
  // Texts and numbers, and those of a list.
  ['application/json', '{"pin":1234,"pwd":"x"}', '{"pin":"[hidden]","pwd":"[hidden]"}'],
  ['application/json', '{"pin":-1.5e3}', '{"pin":"[hidden]"}'],
  ['application/json', '{"otp":["1",[2], 3],"a":4}', '{"otp":["[hidden]",["[hidden]"], "[hidden]"],"a":4}'],
  ['application/json', '{"pass":[{"name":"day"}],"a":1}', '{"pass":[{"name":"day"}],"a":1}'],
  // Anything else has another meaning.
  ['application/json', '{"pin":{"lat":1,"lng":2}}', '{"pin":{"lat":1,"lng":2}}'],
  ['application/json', '{"pin":{"otp":1}}', '{"pin":{"otp":"[hidden]"}}'],
  ['application/json', '{"pass":true,"jwt":null,"code":"EUR"}', '{"pass":true,"jwt":null,"code":"EUR"}'],
  // JSON, XML and URLs in a string.
  ['application/json', `{"a":${JSON.stringify(CODE)}}`, '{"a":"{\\"password\\":\\"[hidden]\\"}"}'],
  [
    'application/json',
    JSON.stringify({ a: JSON.stringify({ b: CODE }) }),
    JSON.stringify({ a: JSON.stringify({ b: '{"password":"[hidden]"}' }) }),
  ],
  ['application/json', '{"a":"{\\u0022pin\\u0022:1}"}', '{"a":"{\\"pin\\":\\"[hidden]\\"}"}'],
  ['application/json', '{"a":"{\\"pwd\\":\\"hus', '{"a":"{\\"pwd\\":\\"[hidden]\\""'],
  ['application/json', '{"a":"<pwd>x</pwd>"}', '{"a":"<pwd>[hidden]</pwd>"}'],
  ['application/json', '{"to":"http://a/?sig=1&b=2"}', '{"to":"http://a/?sig=[hidden]&b=2"}'],
  ['application/json', '{"a":"1 + 1 = 2","b":"\\"pwd\\""}', '{"a":"1 + 1 = 2","b":"\\"pwd\\""}'],
  ['application/json', JSON.stringify(CODE), JSON.stringify('{"password":"[hidden]"}')],
  // Forms.
  ['', 'pwd=a b&x=1', 'pwd=[hidden]&x=1'],
  ['', 'user[pwd]=a&otp[]=1', 'user[pwd]=[hidden]&otp[]=[hidden]'],
  ['', `data=${encodeURIComponent('{"pwd":"a"}')}`, `data=${encodeURIComponent('{"pwd":"[hidden]"}')}`],
  ['', 'grant_type=authorization_code&code=abc', 'grant_type=authorization_code&code=[hidden]'],
  ['', 'code=EUR&amount=1', 'code=EUR&amount=1'],
  ['text/plain', 'sent {"pwd":"a"}', 'sent {"pwd":"[hidden]"}'],
  // XML.
  ['text/xml', '<a><pwd><![CDATA[x]]></pwd></a>', '<a><pwd>[hidden]</pwd></a>'],
  ['text/xml', '<a><pwd>x<!-- y -->z</pwd>w</a>', '<a><pwd>[hidden]<!-- y -->[hidden]</pwd>w</a>'],
  ['text/xml', '<pin><lat>1</lat></pin>', '<pin><lat>1</lat></pin>'],
  ['text/xml', '<pin> <lat>1</lat>2</pin>', '<pin> <lat>1</lat>[hidden]</pin>'],
  ['text/xml', '<secret><a>1</a></secret>', '<secret><a>[hidden]</a></secret>'],
  ['text/xml', '<a pwd = "x>y" b=\'z\'>w</a>', '<a pwd = "[hidden]" b=\'z\'>w</a>'],
  ['text/xml', '<w:pwd><![CDATA[<a>]]></w:pwd>', '<w:pwd>[hidden]</w:pwd>'],
  ['text/xml', '<a><![CDATA[<pwd>x]]></a>', '<a><![CDATA[<pwd>x]]></a>'],
  ['text/xml', '<a to="http://a/?sig=1&amp;pwd=2"/>', '<a to="http://a/?sig=[hidden]&amp;pwd=[hidden]"/>'],
  ['text/xml', '<pwd>x', '<pwd>[hidden]'],
  // Forms with files.
  [
    MULTIPART,
    '--b\nContent-Disposition: form-data; name=pwd\n\nx\n--b--',
    '--b\nContent-Disposition: form-data; name=pwd\n\n[hidden]\r\n--b--',
  ],
  [
    MULTIPART,
    '--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"pin":1}\r\n--b--',
    '--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"pin":"[hidden]"}\r\n--b--',
  ],
  // A type that is wrong.
  [MULTIPART, CODE, '{"password":"[hidden]"}'],
  ['application/json', 'pwd=x', 'pwd=[hidden]'],
];

describe('A credential', () => {
  test.each(BODIES)('in %s is hidden: %s', (type, body, shown) => {
    expect(redactBody(body, type, isUsualCredential)).toBe(shown);
  });

  test.each([
    ['code=abc&state=xyz', 'code=[hidden]&state=xyz'],
    ['state=xyz&code=abc', 'state=xyz&code=[hidden]'],
    ['code=4/0AX4XfWjE9b1c2d3e4f5', 'code=[hidden]'],
    ['code=EUR&page=2', 'code=EUR&page=2'],
    [
      'to=https%3A%2F%2Fa%2F%3Fcode%3Dabc%26state%3D1',
      'to=https%3A%2F%2Fa%2F%3Fcode%3D%5Bhidden%5D%26state%3D1',
    ],
    ['a=b=c&=&d', 'a=b=c&=&d'],
  ])('of an OAuth redirect is hidden in %s', (query, shown) => {
    expect(redactQuery(query, isUsualCredential)).toBe(shown);
  });

  test('never changes what has none', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]"\\:,<>/=&?%+ a1-!') }), (text) => {
        for (const type of ['application/json', 'text/plain', MULTIPART])
          expect(redactBody(text, type, () => false)).toBe(text);
      }),
    ));

  const hostile: readonly (readonly [name: string, body: string])[] = [
    ['lists', `{"pin":${'['.repeat(1_000_000)}`],
    ['numbers', `{"pin":[${'1,'.repeat(200_000)}`],
    [
      'layers of strings',
      JSON.stringify([...'x'.repeat(14)].reduce((text) => JSON.stringify({ a: text }), '')),
    ],
    ['escaped quotes', `["${'\\"'.repeat(200_000)}"]`],
    ['escaped quotes without an end', `["${'\\"'.repeat(200_000)}`],
    ['equals signs', `["${'='.repeat(1_000_000)}"]`],
    ['queries', `["${'?a=b'.repeat(100_000)}"]`],
    ['layers of a query', `a=${Array.from({ length: 500 }, (_, at) => `%${'25'.repeat(at)}3D`).join('')}`],
    ['percent signs', `a=%${'25'.repeat(500_000)}`],
    ['open elements', '<a>'.repeat(100_000)],
    ['open tags', '<a '.repeat(100_000)],
    ['open quotes', `<a b='${'<a b="'.repeat(150_000)}`],
    ['open CDATA', '<![CDATA['.repeat(110_000)],
    ['open comments', '<!--'.repeat(250_000)],
    ['parts', '--b\r\n\r\n'.repeat(120_000)],
    ['layers of parts', '--b\nContent-Type: multipart/x; boundary=b\n\n'.repeat(20_000)],
    ['words', 'a '.repeat(500_000)],
  ];

  test.each(hostile)('takes no time to look for among %s', (_, body) => {
    const start = performance.now();
    for (const type of ['application/json', 'text/plain', MULTIPART])
      redactBody(body, type, isUsualCredential);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

const ANY = { type: 'object' };
const SPEC: object = {
  ...documentOf({
    '/things': {
      post: {
        parameters: [{ name: 'pin', in: 'query', schema: { type: 'integer' } }],
        requestBody: {
          content: Object.fromEntries(
            [
              'application/json',
              'application/xml',
              'application/x-www-form-urlencoded',
              'multipart/form-data',
            ].map((type) => [type, { schema: { ...ANY, properties: { pin: { type: 'integer' } } } }]),
          ),
        },
        responses: { 201: { description: 'Made.', content: { 'application/json': { schema: ANY } } } },
      },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: 'It.', content: { 'application/json': { schema: ANY } } } } },
    },
  }),
  security: [{}, { gate: [] }],
  components: { securitySchemes: { gate: { type: 'apiKey', in: 'header', name: 'X-Gate' } } },
};

/** A mock whose debug log is read, with all that leaves it. */
async function openLogged(format: 'pretty' | 'json', options: MockOptions) {
  let log = '';
  let mock: Mock | undefined;
  const { logExchange } = createLog(
    { level: 'debug', format, color: false },
    (text) => {
      log += text;
    },
    () => mock?.document.credentialNames ?? [],
  );
  mock = await createMock({ ...options, ...(logExchange && { onExchange: logExchange }) });
  return { mock, readLog: () => log };
}

/** All that is printed, exported or sent of the requests of a mock. */
async function readOutput(mock: Mock, log: string): Promise<string[]> {
  const ask = async (path: string, init?: RequestInit) => (await mock.fetch(path, init)).text();
  const events = await mock.fetch('/__mock/events?since=0');
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  let streamed = '';
  while (!streamed.includes('data:')) streamed += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const verify = { method: 'POST', body: '{"path":"/nothing","method":"PUT","body":{"data":1}}' };
  return [
    log,
    await ask('/__mock/journal'),
    await ask('/__mock/journal.har'),
    JSON.stringify(mock.har()),
    streamed,
    await ask('/__mock/verify', { ...verify, headers: { 'Content-Type': 'application/json' } }),
    JSON.stringify(mock.coverage()),
  ];
}

/** Puts a secret into a request, under a name. */
const PLACES: Readonly<Record<string, (name: string, secret: string) => [path: string, init: RequestInit]>> =
  {
    header: (name, secret) => [
      '/things',
      { method: 'POST', headers: { [toTag(name).replace(/[.:]/g, '-')]: secret } },
    ],
    query: (name, secret) => [`/things?${new URLSearchParams({ [name]: secret })}`, { method: 'POST' }],
    cookie: (name, secret) => [
      '/things',
      { method: 'POST', headers: { Cookie: `${name.replace(/\W/g, '')}=${secret}` } },
    ],
    referer: (name, secret) => [
      '/things',
      { method: 'POST', headers: { Referer: `http://a.test/?${new URLSearchParams({ [name]: secret })}` } },
    ],
    json: (name, secret) => [
      '/things',
      sending('application/json', JSON.stringify({ a: [{ [name]: secret }] })),
    ],
    'json in json': (name, secret) => [
      '/things',
      sending('application/json', JSON.stringify({ a: JSON.stringify({ b: [{ [name]: secret }] }) })),
    ],
    'broken json': (name, secret) => [
      '/things',
      sending('application/json', JSON.stringify({ [name]: secret }).slice(0, -2)),
    ],
    form: (name, secret) => [
      '/things',
      sending('application/x-www-form-urlencoded', String(new URLSearchParams({ a: '1', [name]: secret }))),
    ],
    multipart(name, secret) {
      const body = new FormData();
      body.append('a', '1');
      body.append(name, secret);
      return ['/things', { method: 'POST', body }];
    },
    xml: (name, secret) => [
      '/things',
      sending('application/xml', `<a><${toTag(name)}>${secret}</${toTag(name)}></a>`),
    ],
    cdata: (name, secret) => [
      '/things',
      sending('application/xml', `<a><${toTag(name)}><![CDATA[${secret}]]></${toTag(name)}></a>`),
    ],
    attribute: (name, secret) => ['/things', sending('application/xml', `<a ${toTag(name)}="${secret}"/>`)],
  };

function sending(type: string, body: string): RequestInit {
  return { method: 'POST', body, headers: { 'Content-Type': type } };
}

function toTag(name: string): string {
  return name
    .replace(/\[\d*\]$/, '')
    .replace(/[[.]/g, ':')
    .replace(/[^\w:-]/g, '_')
    .replace(/_+$/, '')
    .replace(/^.*:/, '');
}

describe.each(Object.keys(PLACES))('A secret in a request, as %s', (place) => {
  const words = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789'),
    minLength: 12,
  });

  test('is in nothing that is printed, exported or sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SECRET_NAMES),
        words,
        fc.constantFrom('pretty', 'json'),
        async (...drawn) => {
          const [name, secret, format] = drawn;
          const { mock, readLog } = await openLogged(format as 'pretty' | 'json', {
            spec: SPEC,
            empty: true,
          });
          const [path, init] = (PLACES[place] as (typeof PLACES)[string])(name, secret);
          await mock.fetch(path, init);
          for (const text of await readOutput(mock, readLog())) expect(text).not.toContain(secret);
          // The process itself reads what was sent.
          expect(JSON.stringify(mock.journal[0]?.request)).toContain(secret);
        },
      ),
      { numRuns: 25 },
    );
  });
});

test('A secret in an answer is hidden in the log', async () => {
  const { mock, readLog } = await openLogged('pretty', { spec: SPEC, empty: true });
  const created = await mock.fetch(
    '/things',
    sending('application/json', '{"id":7,"pwd":"hush","note":"shown"}'),
  );
  expect(await created.text()).toContain('hush');
  await mock.fetch('/things/7');
  expect(readLog()).toContain('shown');
  expect(readLog()).not.toContain('hush');
});

test('A log that shows no details looks for no credentials', async () => {
  const names = { asked: 0 };
  const { logExchange } = createLog(
    { level: 'info', format: 'pretty', color: false },
    () => {},
    () => {
      names.asked += 1;
      return [];
    },
  );
  const mock = await createMock({ ...(logExchange && { onExchange: logExchange }) });
  await mock.fetch('/pets', sending('application/json', '{"name":"a","categoryId":1}'));
  expect(names.asked).toBe(0);
});
