import { connect } from 'node:net';
import { inflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

afterAll(closeAll);

const STRING = { type: 'string' };
const BINARY = { ...STRING, format: 'binary' };

/** `GET /file` answers with these contents. */
function file(content: object, version = '3.0.3'): object {
  const get = { responses: { 200: { description: 'It.', content } } };
  return { ...documentOf({ '/file': { get } }), openapi: version };
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** The chunks of a PNG by name, whose pixels are read. */
function readPng(bytes: Buffer): Record<string, Buffer> {
  const chunks: Record<string, Buffer> = {};
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks[bytes.toString('latin1', at + 4, at + 8)] = bytes.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
  return chunks;
}

const STARTS: readonly [mediaType: string, start: string, end: string][] = [
  ['image/png', '89504e470d0a1a0a', 'ae426082'],
  ['image/jpeg', 'ffd8ff', 'ffd9'],
  ['image/gif', Buffer.from('GIF89a').toString('hex'), '3b'],
  ['image/webp', Buffer.from('RIFF').toString('hex'), ''],
  ['image/svg+xml', Buffer.from('<svg xmlns=').toString('hex'), Buffer.from('</svg>').toString('hex')],
  ['application/pdf', Buffer.from('%PDF-1.4').toString('hex'), Buffer.from('%%EOF\n').toString('hex')],
  ['application/zip', '504b0506', '0000'],
];

describeAdapters('a file without an example', ({ open }) => {
  test.each(STARTS)('is a small valid one of type %s', async (mediaType, start, end) => {
    for (const schema of [undefined, BINARY, STRING]) {
      const { ask } = await open({ spec: file({ [mediaType]: schema === undefined ? {} : { schema } }) });
      const response = await ask('/file');
      const bytes = await bytesOf(response);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, mediaType]);
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(bytes.toString('hex')).toMatch(new RegExp(`^${start}.*${end}$`));
      expect(bytes.length).toBeLessThan(500);
      const head = await ask('/file', { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(String(bytes.length));
      expect(await head.text()).toBe('');
    }
  });

  test('is the pixel of a PNG, and a PDF whose table leads to its objects', async () => {
    const { ask } = await open({ spec: file({ 'image/png': {}, 'application/pdf': {} }) });
    const png = readPng(await bytesOf(await ask('/file', { headers: { Accept: 'image/png' } })));
    expect(Object.keys(png)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(inflateSync(png.IDAT as Buffer)).toHaveLength(2);
    const pdf = (await bytesOf(await ask('/file', { headers: { Accept: 'application/pdf' } }))).toString();
    const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset) => pdf.slice(offset, offset + 7))).toEqual(['1 0 obj', '2 0 obj', '3 0 obj']);
    const [, start] = /startxref\n(\d+)\n/.exec(pdf) ?? [];
    expect(pdf.slice(Number(start))).toMatch(/^xref\n0 4\n/);
  });

  test.each<[accept: string, type: string]>([
    ['*/*', 'image/png'],
    ['image/avif,image/webp,image/*,*/*;q=0.8', 'image/webp'],
    ['image/jpeg', 'image/jpeg'],
    ['image/*', 'image/png'],
  ])('is one that Accept: %s takes, where any image is declared', async (accept, type) => {
    const { ask } = await open({ spec: file({ 'image/*': { schema: BINARY } }) });
    const response = await ask('/file', { headers: { Accept: accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect((await bytesOf(response)).length).toBeGreaterThan(30);
    expect((await ask('/file', { headers: { Accept: 'image/x-unknown' } })).status).toBe(406);
  });

  test.each<[mediaType: string, content: object]>([
    ['application/octet-stream', {}],
    ['application/octet-stream', { schema: BINARY }],
    ['video/mp4', { schema: BINARY }],
    ['application/vnd.ms-excel', { schema: { ...STRING, format: 'byte' } }],
  ])('is some bytes of type %s %o', async (mediaType, content) => {
    const { ask } = await open({ spec: file({ [mediaType]: content }) });
    expect([...(await bytesOf(await ask('/file')))].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 256 }, (_, byte) => byte),
    );
  });

  test('is JSON where an object is declared as a stream of bytes', async () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const { ask } = await open({ spec: file({ 'application/octet-stream': { schema } }) });
    expect(await (await ask('/file')).json()).toEqual({ id: expect.any(Number) });
  });
});

describeAdapters('an example of a file', ({ open }) => {
  const BASE64 = 'iVBORw==';
  const DECODED = '89504e47';
  const asText = (text: string) => Buffer.from(text).toString('hex');

  test.each<[title: string, mediaType: string, content: object, hex: string]>([
    [
      'of base64 by its format',
      'image/png',
      { schema: { ...STRING, format: 'byte' }, example: BASE64 },
      DECODED,
    ],
    [
      'of base64 by its encoding',
      'image/png',
      { schema: { ...STRING, contentEncoding: 'base64' }, example: BASE64 },
      DECODED,
    ],
    ['of a data URL', 'image/png', { schema: BINARY, example: `data:image/png;base64,${BASE64}` }, DECODED],
    [
      'in the schema',
      'image/png',
      { schema: { ...STRING, contentEncoding: 'base64', examples: [BASE64] } },
      DECODED,
    ],
    [
      'among several',
      'image/*',
      { schema: { ...STRING, format: 'byte' }, examples: { one: { value: BASE64 } } },
      DECODED,
    ],
    ['in lines', 'image/png', { schema: { ...STRING, format: 'byte' }, example: 'iVBO\nRw==\n' }, DECODED],
    ['of text', 'image/png', { schema: BINARY, example: 'a picture' }, asText('a picture')],
    [
      'of no base64',
      'image/png',
      { schema: { ...STRING, format: 'byte' }, example: 'a picture!' },
      asText('a picture!'),
    ],
    [
      'of base64 that is text',
      'text/plain',
      { schema: { ...STRING, format: 'byte' }, example: BASE64 },
      asText(BASE64),
    ],
    [
      'of base64 in JSON',
      'application/json',
      { schema: { ...STRING, format: 'byte' }, example: BASE64 },
      asText(`"${BASE64}"`),
    ],
    ['of SVG', 'image/svg+xml', { schema: STRING, example: '<svg/>' }, asText('<svg/>')],
  ])('%s is sent as it is meant', async (_, mediaType, content, hex) => {
    const { ask } = await open({ spec: file({ [mediaType]: content }, '3.1.0') });
    const response = await ask('/file');
    const bytes = await bytesOf(response);
    expect([response.status, bytes.toString('hex')]).toEqual([200, hex]);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
  });
});

const ORDER = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    note: STRING,
    tags: { type: 'array', items: STRING },
    secret: { ...STRING, writeOnly: true },
  },
};

/** Orders as JSON and in another type. */
function orders(
  type: string,
  content: object = { schema: STRING },
  list: object = { type: 'array', items: ORDER },
): object {
  const answer = { description: '', content: { 'application/json': { schema: list }, [type]: content } };
  const one = { 'application/json': { schema: ORDER } };
  const taken = { 'application/json': { schema: { type: 'object' } } };
  return documentOf({
    '/orders': {
      get: { parameters: [{ name: 'note', in: 'query', schema: STRING }], responses: { 200: answer } },
      post: { requestBody: { content: taken }, responses: { 201: { description: '', content: one } } },
    },
  });
}

const ODD = { note: 'a "quoted", word\nand a line', tags: ['x', 'y'] };
const ODD_ROW = '1,"a ""quoted"", word\nand a line","[""x"",""y""]"\r\n';

describeAdapters('a table', ({ open }) => {
  const csv = { headers: { Accept: 'text/csv' } };

  test.each<[title: string, content: object, list?: object]>([
    ['of a text', { schema: STRING }],
    ['of a list', { schema: { type: 'array', items: ORDER } }],
    ['without a schema', {}],
    [
      'beside an envelope',
      { schema: STRING },
      {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: ORDER }, total: { type: 'integer' } },
      },
    ],
  ])('%s has the entities that the operation lists', async (_, content, list) => {
    const { ask } = await open({ spec: orders('text/csv', content, list), empty: true });
    expect(await (await ask('/orders', csv)).text()).toBe('id,note,tags\r\n');
    await (await ask('/orders', json('POST', ODD))).text();
    await (await ask('/orders', json('POST', { note: 'b' }))).text();
    const response = await ask('/orders', csv);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv']);
    expect(await response.text()).toBe(`id,note,tags\r\n${ODD_ROW}2,b,\r\n`);
    expect(await (await ask('/orders?note=b', csv)).text()).toBe('id,note,tags\r\n2,b,\r\n');
    expect((await ask('/orders')).headers.get('content-type')).toBe('application/json');
  });

  test('is the only answer of a list', async () => {
    const list = { 'text/csv': { schema: { type: 'array', items: ORDER } } };
    const one = { 'application/json': { schema: ORDER } };
    const taken = { 'application/json': { schema: { type: 'object' } } };
    const spec = documentOf({
      '/orders': {
        get: { responses: { 200: { description: '', content: list } } },
        post: { requestBody: { content: taken }, responses: { 201: { description: '', content: one } } },
      },
    });
    const { ask } = await open({ spec, empty: true });
    await (await ask('/orders', json('POST', ODD))).text();
    expect(await (await ask('/orders')).text()).toBe(`id,note,tags\r\n${ODD_ROW}`);
  });

  test.each<[title: string, content: object, expected: RegExp]>([
    ['a list of objects', { schema: { type: 'array', minItems: 1, items: ORDER } }, /^id,note,tags\r\n\d+,/],
    ['a text', { schema: STRING }, /^id,name\r\n1,amber\r\n2,birch\r\n$/],
    ['nothing', {}, /^id,name\r\n/],
    ['an example that is a list', { example: [{ a: 1, b: 'x,y' }] }, /^a,b\r\n1,"x,y"\r\n$/],
    ['an example that is a table', { example: 'a;b\n1;2' }, /^a;b\n1;2$/],
    ['a schema with an example', { schema: { ...STRING, example: 'a;b' } }, /^a;b$/],
  ])('without state has a header and rows: %s', async (_, content, expected) => {
    const { ask } = await open({ spec: file({ 'text/csv': content }) });
    expect(await (await ask('/file')).text()).toMatch(expected);
  });
});

describeAdapters('a stream of events', ({ open }) => {
  const EVENT = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const FULL = {
    type: 'object',
    required: ['data', 'event', 'id'],
    properties: {
      event: { ...STRING, enum: ['tick'] },
      id: { ...STRING, enum: ['7'] },
      data: { ...STRING, enum: ['a\nb'] },
    },
  };

  test.each<[title: string, content: object, expected: RegExp, version?: string]>([
    ['an object', { schema: EVENT }, /^data: \{"id":\d+\}\n\n$/],
    ['a list', { schema: { type: 'array', minItems: 2, items: EVENT } }, /^(data: \{"id":\d+\}\n\n){2,}$/],
    ['a text', { schema: STRING }, /^data: [^\n]+\n\n$/],
    ['nothing', {}, /^data: \{\}\n\n$/],
    ['an example that is a stream', { example: 'data: 1\n\ndata: 2\n\n' }, /^data: 1\n\ndata: 2\n\n$/],
    [
      'an example that is a list',
      { example: [{ id: 1 }, 'a\r\nb'] },
      /^data: \{"id":1\}\n\ndata: a\ndata: b\n\n$/,
    ],
    ['an item of OpenAPI 3.2', { itemSchema: EVENT }, /^(data: \{"id":\d+\}\n\n)+$/, '3.2.0'],
    [
      'an event of OpenAPI 3.2',
      { itemSchema: FULL },
      /^(event: tick\nid: 7\ndata: a\ndata: b\n\n)+$/,
      '3.2.0',
    ],
  ])('has events and ends: %s', async (_, content, expected, version) => {
    const { ask } = await open({ spec: file({ 'text/event-stream': content }, version) });
    const response = await ask('/file', { headers: { Accept: 'text/event-stream' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toMatch(expected);
  });

  test('has the entities that the operation lists', async () => {
    const { ask } = await open({ spec: orders('text/event-stream'), empty: true });
    await (await ask('/orders', json('POST', { note: 'a' }))).text();
    await (await ask('/orders', json('POST', { note: 'b' }))).text();
    const response = await ask('/orders', { headers: { Accept: 'text/event-stream' } });
    expect(await response.text()).toBe('data: {"id":1,"note":"a"}\n\ndata: {"id":2,"note":"b"}\n\n');
  });

  test('may be lines of JSON', async () => {
    const { ask } = await open({ spec: file({ 'application/jsonl': { itemSchema: EVENT } }, '3.2.0') });
    expect(await (await ask('/file')).text()).toMatch(/^(\{"id":\d+\}\n)+$/);
  });
});

describe('the bytes of an answer', () => {
  const spec = file({ 'image/png': {} });

  test('are in the journal, beside the text that they look like', async () => {
    const mock = await createMock({ spec });
    const bytes = await bytesOf(await mock.fetch('/file'));
    const { response } = mock.journal.at(-1) as (typeof mock.journal)[number];
    expect(Buffer.from(response.bytes as Uint8Array)).toEqual(bytes);
    expect(response.body).toMatch(/PNG/);
    response.bytes?.fill(0);
    expect(await bytesOf(await mock.fetch('/file'))).toEqual(bytes);
  });

  test('are a blob in process', async () => {
    const mock = await createMock({ spec });
    const blob = await (await mock.fetch('/file')).blob();
    expect([blob.type, blob.size]).toEqual(['image/png', 67]);
  });

  test('pass the proof', async () => {
    const types = [
      'image/*',
      'image/svg+xml',
      'application/pdf',
      'application/octet-stream',
      'text/csv',
      'text/event-stream',
    ];
    const contents = Object.fromEntries(types.map((type) => [type, { schema: BINARY }]));
    const mock = await createMock({ spec: file(contents) });
    const { violations, checks } = await mock.check();
    expect(violations).toEqual([]);
    expect(checks).toBeGreaterThan(types.length);
  });

  test('end the connection of a client of events that asks for that', async () => {
    const mock = await createMock({ spec: file({ 'text/event-stream': {} }) });
    const { port } = await mock.listen({ port: 0 });
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /file HTTP/1.0\r\n\r\n'));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(/\r\n\r\ndata: \{\}\n\n$/);
    await mock.close();
  });
});
