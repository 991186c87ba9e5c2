import fc from 'fast-check';
import type { RawRequest } from './raw-http.ts';

/** What hostile requests are aimed at. */
export interface Target {
  readonly method: string;
  /** A path template. */
  readonly path: string;
  /** The names of query and header parameters. */
  readonly query: readonly string[];
  readonly headers: readonly string[];
}

/** Values with which servers have trouble, each as the bytes of one part of a request. */
const WORDS = [
  ...[
    '',
    '0',
    '-1',
    '1',
    '1e3',
    '0x10',
    '007',
    '+1',
    '1.0',
    'NaN',
    'null',
    'true',
    '[]',
    '{}',
    '"',
    "'",
    '\\',
  ],
  ...['9007199254740993', '9223372036854775808', '-9223372036854775809', '1e400', '0.1'.padEnd(400, '1')],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'id',
    '..',
    '.',
    '*',
    '/',
    '//',
    ';',
    ',',
    '=',
  ],
  ...[
    '%',
    '%00',
    '%0d%0aX-Evil:1',
    '%E2%82%AC',
    '%ED%A0%80',
    '%FF',
    '%2F',
    '%2e%2e',
    '%25',
    '+',
    '&',
    '#',
    '?',
  ],
  ...['\u00e4\u00f6', '\u0080\u00ff', 'x'.repeat(2000), 'a,'.repeat(500), '('.repeat(200), ';q='.repeat(200)],
  ...[
    '2026-02-30',
    '2026-11-22T25:61:61Z',
    'application/json',
    '*/*;q=0',
    'text/html, */*;q=0.1',
    'bytes=0-',
  ],
];

const word = fc.constantFrom(...WORDS);
const text = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.integer({ min: 1, max: 255 }).map(String.fromCharCode), maxLength: 20 }),
  },
);

/** What may stand in a request line: no blank, no control character. */
const inTarget = text.map((value) => without(value, (code) => code <= 0x20 || code === 0x7f));
/** What may stand in a header line: no control character. */
const inHeader = text.map((value) => without(value, (code) => code < 0x20 || code === 0x7f).trim());

function without(value: string, isLeftOut: (code: number) => boolean): string {
  return [...value].filter((char) => !isLeftOut(char.charCodeAt(0))).join('');
}

const PREFERENCES = ['__code', '__example', '__dynamic', '__seed'];
const HEADERS = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Cookie',
    'Content-Type',
    'Content-Encoding',
  ],
  ...['If-Match', 'If-None-Match', 'If-Modified-Since', 'Origin', 'Access-Control-Request-Method'],
  ...[
    'Access-Control-Request-Headers',
    'Prefer',
    'Range',
    'Referer',
    'User-Agent',
    'X-Forwarded-Host',
    'Forwarded',
  ],
  ...['X-API-Key', '__proto__', 'constructor', 'X-Request-Id', 'Idempotency-Key', 'Upgrade', 'TE', 'Link'],
];
const PREFERRED = ['code=', 'code=404', 'code=200', 'code=422', 'example=', 'dynamic=true, seed=', 'seed='];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PURGE'];
const TYPES = [
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'application/xml',
    'text/plain',
    'multipart/form-data',
  ],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/merge-patch+json'],
];

const jsonBody = fc
  .oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.dictionary(fc.constantFrom('id', 'name', '__proto__', 'tags'), fc.jsonValue()),
  )
  .map((value) => Buffer.from(JSON.stringify(value)));
const body = fc.oneof(
  { weight: 3, arbitrary: jsonBody },
  { weight: 1, arbitrary: text.map((value) => Buffer.from(value, 'latin1')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.from(`${'['.repeat(5000)}${']'.repeat(5000)}`),
      Buffer.from(`tags=${'a,'.repeat(20_000)}`),
      Buffer.from(`{"id":${'9'.repeat(400)},"tags":[${'"a",'.repeat(5000)}""]}`),
      Buffer.from('--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n'),
      Buffer.from('<a b="c"><d/>text<![CDATA[x]]></a>'),
    ),
  },
);

function shareOf<T>(values: readonly T[]): fc.Arbitrary<T[]> {
  return values.length === 0 ? fc.constant([]) : fc.subarray([...values], { maxLength: 3 });
}

/** Requests at the operations of a document, valid in some parts and hostile in others. */
export function hostileRequests(targets: readonly Target[]): fc.Arbitrary<RawRequest> {
  return fc.constantFrom(...targets).chain((target) => {
    const method = fc.oneof(
      { weight: 5, arbitrary: fc.constant(target.method) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    );
    const pairs = (names: readonly string[], value: fc.Arbitrary<string>) =>
      shareOf(names).chain((chosen) =>
        fc.tuple(...chosen.map((name) => value.map((each) => [name, each] as const))),
      );
    return fc.record({
      method,
      target: fc
        .tuple(toPath(target.path), pairs([...target.query, ...PREFERENCES], inTarget))
        .map(([path, query]) =>
          query.length === 0 ? path : `${path}?${query.map((pair) => pair.join('=')).join('&')}`,
        ),
      headers: fc
        .tuple(
          pairs([...target.headers, ...HEADERS], inHeader),
          fc.option(fc.tuple(fc.constantFrom(...PREFERRED), inHeader), { nil: undefined }),
          fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
        )
        .map(([others, preferred, type]) => [
          ...others,
          ...(preferred ? [['Prefer', preferred.join('')] as const] : []),
          ...(type ? [['Content-Type', type] as const] : []),
        ]),
      body: fc.option(body, { nil: undefined }),
    });
  });
}

/** A path with something in the place of each parameter, or followed by something. */
function toPath(template: string): fc.Arbitrary<string> {
  const parts = template.split(/\{[^{}]+\}/);
  const value = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('1', '2', 'a') },
    { weight: 2, arbitrary: inTarget },
  );
  return fc
    .tuple(fc.array(value, { minLength: parts.length, maxLength: parts.length }), fc.boolean())
    .map(([values, longer]) =>
      parts.map((part, index) => part + (index < parts.length - 1 || longer ? values[index] : '')).join(''),
    );
}
