import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails } from './support/errors.ts';

afterAll(closeAll);

const STRING = { type: 'string' };

/** `POST /things` answers with the form that it was sent. */
const SPEC = documentOf({
  '/things': {
    get: { responses: jsonAnswer({ type: 'array', items: { type: 'object' } }) },
    post: {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: {
                photo: { ...STRING, format: 'binary' },
                stamp: { ...STRING, format: 'byte' },
                count: { type: 'integer' },
              },
              additionalProperties: true,
            },
          },
        },
      },
      responses: {
        201: { description: '', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
});

function send(body: string | Buffer, type = 'multipart/form-data; boundary=x'): RequestInit {
  const bytes = Uint8Array.from(typeof body === 'string' ? Buffer.from(body) : body);
  return { method: 'POST', body: bytes, headers: { 'Content-Type': type } };
}

/** A body with one part, which has these headers. */
function part(...headers: string[]): string {
  return `--x\r\n${headers.join('\r\n')}\r\n\r\n1\r\n--x--\r\n`;
}

const NAMED = 'Content-Disposition: form-data; name="a"';
const PNG = Buffer.from('89504e470d0a1a0a2d2dff00', 'hex');
const PNG_AS_TEXT = PNG.toString('latin1');

/** A body of text around the bytes of a file. */
function around(before: string, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), PNG, Buffer.from(after)]);
}

const CURL = '------------------------X7pYiPxQyFMEt1eWMqTvxW';
const WEBKIT = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const UNDICI = '----formdata-undici-034212874387';
const AXIOS = '--------------------------515890814546601021194782';
const PYTHON = 'f7a1ee2a0b9c4e3f9d7a3b1c5d2e8f60';
const APACHE = 'dE_6xBk0V2YyTgkqk9k9YB4sSMrc1bfWqf';
const DOTNET = '6f1b7f3e-0b4d-4d6a-9f3c-0d6b3f1f3b53';

/** Requests as programs write them. */
const REQUESTS: readonly [program: string, init: RequestInit, read: object][] = [
  [
    'curl -F, with a quote in a name',
    send(
      around(
        `--${CURL}\r\nContent-Disposition: form-data; name="na%22me"\r\n\r\nRex\r\n--${CURL}\r\nContent-Disposition: form-data; name="photo"; filename="a%22b.png"\r\nContent-Type: image/png\r\n\r\n`,
        `\r\n--${CURL}--\r\n`,
      ),
      `multipart/form-data; boundary=${CURL}`,
    ),
    { 'na"me': 'Rex', photo: PNG_AS_TEXT },
  ],
  [
    'curl before 7.81, which escapes with a backslash',
    send(
      `--${CURL}\r\nContent-Disposition: form-data; name="na\\"me"\r\n\r\nRex\r\n--${CURL}--\r\n`,
      `multipart/form-data; boundary=${CURL}`,
    ),
    { 'na"me': 'Rex' },
  ],
  [
    'Chrome, with an empty file field',
    send(
      `--${WEBKIT}\r\nContent-Disposition: form-data; name="count"\r\n\r\n7\r\n--${WEBKIT}\r\nContent-Disposition: form-data; name="photo"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--${WEBKIT}--\r\n`,
      `multipart/form-data; boundary=${WEBKIT}`,
    ),
    { count: 7, photo: '' },
  ],
  [
    'fetch of Node, with a line break in a name',
    send(
      around(
        `--${UNDICI}\r\nContent-Disposition: form-data; name="two%0D%0Alines"\r\n\r\n€\r\n--${UNDICI}\r\nContent-Disposition: form-data; name="photo"; filename="blob"\r\nContent-Type: image/png\r\n\r\n`,
        `\r\n--${UNDICI}--\r\n`,
      ),
      `multipart/form-data; boundary=${UNDICI}`,
    ),
    { 'two\r\nlines': '€', photo: PNG_AS_TEXT },
  ],
  [
    'form-data and axios, which end without a line break',
    send(
      `--${AXIOS}\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n--${AXIOS}\r\nContent-Disposition: form-data; name="stamp"; filename="größe.bin"\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n--${AXIOS}--`,
      `multipart/form-data; boundary=${AXIOS}`,
    ),
    { name: 'Rex', stamp: 'YWJj' },
  ],
  [
    'Python requests, with a name beyond ASCII',
    send(
      around(
        `--${PYTHON}\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n--${PYTHON}\r\nContent-Disposition: form-data; name="photo"; filename*=utf-8''%E2%82%AC.png\r\n\r\n`,
        `\r\n--${PYTHON}--\r\n`,
      ),
      `multipart/form-data; boundary=${PYTHON}`,
    ),
    { name: 'Rex', photo: PNG_AS_TEXT },
  ],
  [
    'an old urllib3, which extends the name itself',
    send(
      `--${PYTHON}\r\nContent-Disposition: form-data; name*=utf-8''gr%C3%B6%C3%9Fe\r\n\r\nL\r\n--${PYTHON}--\r\n`,
      `multipart/form-data; boundary=${PYTHON}`,
    ),
    { größe: 'L' },
  ],
  [
    'Apache HttpClient, with headers for mail',
    send(
      around(
        `--${APACHE}\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nRex\r\n--${APACHE}\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n\r\n`,
        `\r\n--${APACHE}--\r\n`,
      ),
      `multipart/form-data; boundary=${APACHE}; charset=ISO-8859-1`,
    ),
    { name: 'Rex', photo: PNG_AS_TEXT },
  ],
  [
    'Jakarta Mail, with a preamble, folded headers and an epilogue',
    send(
      'This is a multi-part message in MIME format.\r\n\r\n------=_Part_0_1330278544.1700000000000\r\nContent-Type: text/plain;\r\n\tcharset=us-ascii\r\nContent-Disposition: form-data;\r\n name="name"\r\n\r\nRex\r\n------=_Part_0_1330278544.1700000000000--\r\nThe end.\r\n',
      'multipart/form-data; \r\n\tboundary="----=_Part_0_1330278544.1700000000000"'.replace('\r\n\t', ''),
    ),
    { name: 'Rex' },
  ],
  [
    'HttpClient of .NET, with names that are not quoted',
    send(
      around(
        `--${DOTNET}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=name\r\n\r\nRex\r\n--${DOTNET}\r\nContent-Disposition: form-data; name=photo; filename=a.png; filename*=utf-8''a.png\r\n\r\n`,
        `\r\n--${DOTNET}--\r\n`,
      ),
      `multipart/form-data; boundary="${DOTNET}"`,
    ),
    { name: 'Rex', photo: PNG_AS_TEXT },
  ],
];

const A = { a: '1' };

/** Notations that RFC 2046, 7578 and 8187 allow or that programs use, one at a time. */
const NOTATIONS: readonly [title: string, init: RequestInit, read: object][] = [
  ['blanks behind the boundary', send(`--x \t\r\n${NAMED}\r\n\r\n1\r\n--x-- \r\n`), A],
  ['a line break before the first boundary', send(`\r\n${part(NAMED)}`), A],
  ['a preamble that mentions the boundary', send(`not --x\r\n--xy\r\n${part(NAMED)}`), A],
  ['an epilogue that has another part', send(`${part(NAMED)}--x\r\n${NAMED}\r\n\r\n2\r\n--x--\r\n`), A],
  [
    'content that begins like the boundary',
    send(part(NAMED).replace('1', '\r\n--xy\r\n')),
    { a: '\r\n--xy\r\n' },
  ],
  ['content that is empty', send(part(NAMED).replace('1', '')), { a: '' }],
  ['content of line breaks', send(part(NAMED).replace('1', '\r\n\r\n')), { a: '\r\n\r\n' }],
  ['names of headers in lower case, without blanks', send(part('content-disposition:form-data;name="a"')), A],
  ['names of headers in upper case', send(part('CONTENT-DISPOSITION: FORM-DATA; NAME="a"')), A],
  ['blanks around the equals sign', send(part('Content-Disposition: form-data ; name = "a" ')), A],
  [
    'a semicolon in a name',
    send(part('Content-Disposition: form-data; name="a;filename=b"')),
    { 'a;filename=b': '1' },
  ],
  [
    'a name within a file name',
    send(part('Content-Disposition: form-data; filename="b;name=c"; name="a"')),
    A,
  ],
  ['the path of a file on Windows', send(part(`${NAMED}; filename="C:\\new\\table.txt"`)), A],
  ['a quote that never ends', send(part('Content-Disposition: form-data; name="a')), { '"a': '1' }],
  ['an extended name in a charset that nobody knows', send(part(`${NAMED}; filename*=x''%ff`)), A],
  [
    'an extended name in latin1',
    send(part("Content-Disposition: form-data; name*=iso-8859-1'en'%E9")),
    { é: '1' },
  ],
  [
    'base64 as the transfer encoding',
    send(part(NAMED, 'Content-Transfer-Encoding: base64').replace('1', 'UmV4')),
    { a: 'Rex' },
  ],
  [
    'a text in latin1',
    send(
      Buffer.from(
        part(NAMED, 'Content-Type: text/plain; charset=iso-8859-1').replace('\r\n1\r\n', '\r\nÃ©\r\n'),
        'latin1',
      ),
    ),
    { a: 'Ã©' },
  ],
  ['a header without a colon', send(part('nonsense', NAMED)), A],
  [
    'a quoted boundary with a blank',
    send(part(NAMED).replaceAll('--x', '--x y'), 'multipart/form-data; boundary="x y"'),
    A,
  ],
  [
    'a boundary among other parameters',
    send(part(NAMED), 'Multipart/Form-Data; charset=utf-8; Boundary=x'),
    A,
  ],
  ['no part at all', send('--x--\r\n'), {}],
];

describeAdapters('a multipart form is read', ({ open }) => {
  test.each([...REQUESTS, ...NOTATIONS])('%s', async (_, init, read) => {
    const { ask } = await open({ spec: SPEC, empty: true });
    const response = await ask('/things', init);
    expect([response.status, await response.json()]).toEqual([201, { id: expect.anything(), ...read }]);
  });
});

const START = 'The body is not valid multipart/form-data. ';

describeAdapters('a malformed multipart form is refused', ({ open }) => {
  test.each<[title: string, init: RequestInit, message: string]>([
    [
      'without a boundary in its type',
      send(part(NAMED), 'multipart/form-data'),
      'The Content-Type has no boundary. Let your HTTP client set the Content-Type, or send "multipart/form-data; boundary=" with the text that separates the parts.',
    ],
    [
      'with a boundary that is too long',
      send(part(NAMED), `multipart/form-data; boundary=${'x'.repeat(71)}`),
      'The boundary in the Content-Type has 71 characters. Use 70 at most.',
    ],
    [
      'with another boundary',
      send(part(NAMED), 'multipart/form-data; boundary=y'),
      'It has no line "--y", which the boundary in the Content-Type announces. Send the boundary that separates the parts.',
    ],
    [
      'with lines that end with LF',
      send(part(NAMED).replaceAll('\r', '')),
      'Its lines end with LF. End the lines of boundaries and headers with CRLF.',
    ],
    [
      'cut off within a part',
      send(`--x\r\n${NAMED}\r\n\r\n1\r\n--x\r\n${NAMED}\r\n\r\n2`),
      'Part 2, at byte 57, has no end. Close the body with the line "--x--".',
    ],
    [
      'without a blank line behind headers',
      send(`--x\r\n${NAMED}\r\n--x--\r\n`),
      'Part 1, at byte 5, has no blank line between its headers and its content. Add one.',
    ],
    [
      'without a line in a part',
      send('--x\r\n--x--\r\n'),
      'Part 1, at byte 5, has no blank line between its headers and its content. Add one.',
    ],
    [
      'without a name',
      send(part('Content-Type: text/plain')),
      'Part 1, at byte 5, has no name. Give it the header Content-Disposition: form-data; name="...".',
    ],
    [
      'without headers',
      send('--x\r\n\r\n1\r\n--x--'),
      'Part 1, at byte 5, has no name. Give it the header Content-Disposition: form-data; name="...".',
    ],
  ])('%s', async (_, init, message) => {
    const { ask } = await open({ spec: SPEC, empty: true });
    const response = await ask('/things', init);
    const { code, message: actual } = await readDetails(response);
    expect([response.status, code, actual]).toEqual([400, 'malformed_multipart', START + message]);
  });
});

describe('hostile multipart forms', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      '--x',
      '--x--',
      '\r\n',
      '\n',
      ' ',
      '"',
      '\\',
      ';',
      '=',
      'name',
      '*',
      "utf-8''%e2%",
      '%22',
      ':',
    ),
    fc.constantFrom(NAMED, 'Content-Disposition: form-data; ', 'Content-Type: ', '\u0000', '__proto__'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );

  test('are read or refused', async () => {
    const mock = await createMock({ spec: SPEC, empty: true });
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 30 }), fc.boolean(), async (fragments, isWhole) => {
        const body = fragments.join('');
        const response = await mock.fetch('/things', send(isWhole ? body : `--x\r\n${body}\r\n--x--`));
        expect([201, 400, 422]).toContain(response.status);
      }),
      { numRuns: 500 },
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  const LENGTH = 1_000_000;
  const many = (text: string) => text.repeat(Math.floor(LENGTH / text.length));

  test.each<[title: string, body: string]>([
    ['boundaries that go on', `--x\r\n${NAMED}\r\n\r\n${many('\r\n--xy')}\r\n--x--`],
    ['boundaries with blanks', `--x\r\n${NAMED}\r\n\r\n${many(`\r\n--x${' '.repeat(500)}y`)}\r\n--x--`],
    ['boundaries alone', many('--x\r\n')],
    ['parameters', part(`${NAMED}${many(';a=b')}`)],
    ['quotes', part(`${NAMED}${many(';a="\\"')}`)],
    ['quotes that never end', part(`${NAMED};b="${many(';a=\\"')}`)],
    ['one quoted text', part(`${NAMED};b="${many('\\"')}"`)],
    ['semicolons', part(`${NAMED}${many(';')}`)],
    ['folded lines', part(`${NAMED}${many('\r\n ')}`)],
    ['headers', part(NAMED, many('a:b\r\n'))],
    ['headers without colons', part(many('a\r\n'), NAMED)],
    ['escaped bytes', part(`Content-Disposition: form-data; name*=utf-8''${many('%e9')}`)],
    ['quotes in an extended name', part(`Content-Disposition: form-data; name=a; name*=utf-8${many("'")}`)],
    ['small parts', `${many(`--x\r\n${NAMED}\r\n\r\n1\r\n`)}--x--`],
  ])('of a megabyte are answered in time: %s', async (_, body) => {
    const mock = await createMock({ spec: SPEC, empty: true });
    await mock.fetch('/things', send(part(NAMED)));
    const started = performance.now();
    const { status } = await mock.fetch('/things', send(body));
    expect([201, 400]).toContain(status);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
