import { afterAll, describe, expect, it } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails } from './support/errors.ts';

afterAll(closeAll);

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };
const STRINGS = { type: 'array', items: STRING };

const PET = {
  type: 'object',
  required: ['name'],
  properties: {
    id: INTEGER,
    name: STRING,
    age: INTEGER,
    weight: { type: 'number' },
    good: { type: 'boolean' },
    born: { type: 'string', format: 'date' },
    tags: STRINGS,
    years: { type: 'array', items: INTEGER },
    owner: { type: 'object', properties: { name: STRING, age: INTEGER } },
    walks: { type: 'array', items: { type: 'object', properties: { km: { type: 'number' } } } },
    photo: { type: 'string', format: 'binary' },
    photos: { type: 'array', items: { type: 'string', format: 'binary' } },
    stamp: { type: 'string', format: 'byte' },
  },
};

/** `/pets` with state, whose POST takes bodies of some media types. */
function pets(content: object, schema: object = PET): object {
  const id = { name: 'id', in: 'path', required: true, schema: INTEGER };
  return documentOf({
    '/pets': {
      get: { responses: jsonAnswer({ type: 'array', items: schema }) },
      post: {
        requestBody: { required: true, content },
        responses: { 201: { description: '', content: { 'application/json': { schema } } } },
      },
    },
    '/pets/{id}': { get: { parameters: [id], responses: jsonAnswer(schema) } },
  });
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

function post(body: string | FormData | Uint8Array<ArrayBuffer>, type?: string): RequestInit {
  return { method: 'POST', body, ...(type !== undefined && { headers: { 'Content-Type': type } }) };
}

function toFormData(...entries: (readonly [name: string, value: string | Blob])[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

/** Posts a body and reads the entity back, which shows what it was read as. */
async function create(
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  init: RequestInit,
): Promise<unknown> {
  const created = await ask('/pets', init);
  expect([created.status, created.headers.get('x-mock-violations')]).toEqual([201, null]);
  await created.text();
  return (await ask(created.headers.get('location') ?? '')).json();
}

describeAdapters('JSON that is called a text', (adapter) => {
  it('becomes an entity, and is answered', async () => {
    const spec = pets({ 'text/json': { schema: PET } });
    const { ask } = await adapter.open({ spec, empty: true });
    expect(await create(ask, post('{"name":"Rex","age":7}', 'text/json'))).toEqual({
      id: 1,
      name: 'Rex',
      age: 7,
    });
    expect((await ask('/pets', post('{', 'text/json'))).status).toBe(400);
  });
});

describeAdapters('a form becomes an entity', (adapter) => {
  it('with the members of an object as fields of their own', async () => {
    const owner = { type: 'object', properties: { first: { type: 'string' }, born: { type: 'integer' } } };
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' }, owner },
    };
    const { ask } = await adapter.open({
      spec: pets({ [FORM]: { schema, encoding: { owner: { style: 'form' } } } }),
      empty: true,
    });
    expect(await create(ask, post('name=a&first=Ann&born=1990', FORM))).toMatchObject({
      name: 'a',
      owner: { first: 'Ann', born: 1990 },
    });
  });

  it('but not with half of an object', async () => {
    const encoding = { owner: { style: 'form', explode: false } };
    const { ask } = await adapter.open({ spec: pets({ [FORM]: { schema: PET, encoding } }), empty: true });
    expect((await ask('/pets', post('name=a&owner=name,Ann,age', FORM))).status).toBe(422);
  });

  it.each<[string, object, object?]>([
    ['name=Rex', { name: 'Rex' }],
    ['name=R%C3%A9x+the+dog', { name: 'Réx the dog' }],
    ['name=5&age=5', { name: '5', age: 5 }],
    [
      'name=a&weight=2.5&good=true&born=2026-01-02',
      { name: 'a', weight: 2.5, good: true, born: '2026-01-02' },
    ],
    ['name=a&tags=x&tags=y', { name: 'a', tags: ['x', 'y'] }],
    ['name=a&tags=x', { name: 'a', tags: ['x'] }],
    ['name=a&tags[]=x&tags[]=y', { name: 'a', tags: ['x', 'y'] }],
    ['name=a&tags[1]=y&tags[0]=x', { name: 'a', tags: ['x', 'y'] }],
    ['name=a&years=1&years=2', { name: 'a', years: [1, 2] }],
    ['name=a&owner[name]=Ann&owner[age]=7', { name: 'a', owner: { name: 'Ann', age: 7 } }],
    ['name=a&owner=%7B%22name%22%3A%22Ann%22%7D', { name: 'a', owner: { name: 'Ann' } }],
    ['name=a&walks[0][km]=1.5&walks[1][km]=2', { name: 'a', walks: [{ km: 1.5 }, { km: 2 }] }],
    ['name=a&other=1', { name: 'a', other: '1' }],
    ['name=a&other=1&other=2', { name: 'a', other: ['1', '2'] }],
    ['name=a&years=1,2', { name: 'a', years: [1, 2] }, { years: { style: 'form', explode: false } }],
    ['name=a&years=1|2', { name: 'a', years: [1, 2] }, { years: { style: 'pipeDelimited', explode: false } }],
    ['name=a&years=1+2', { name: 'a', years: [1, 2] }, { years: { style: 'spaceDelimited' } }],
    ['name=a&years=1&years=2', { name: 'a', years: [1, 2] }, { years: { style: 'form' } }],
    [
      'name=a&owner=name,Ann,age,7',
      { name: 'a', owner: { name: 'Ann', age: 7 } },
      { owner: { style: 'form', explode: false } },
    ],
    [
      'name=a&owner=name|Ann|age|7',
      { name: 'a', owner: { name: 'Ann', age: 7 } },
      { owner: { style: 'pipeDelimited' } },
    ],
    [
      'name=a&owner=age+7',
      { name: 'a', owner: { age: 7 } },
      { owner: { style: 'spaceDelimited', explode: false } },
    ],
    [
      'name=a&owner=%7B%22name%22:%22A,b%22%7D',
      { name: 'a', owner: { name: 'A,b' } },
      { owner: { style: 'form', explode: false } },
    ],
    ['name=a&age=7', { name: 'a', age: 7 }, { owner: { style: 'form', explode: true } }],
    [
      'name=a&owner[age]=7',
      { name: 'a', owner: { age: 7 } },
      { owner: { style: 'deepObject', explode: true } },
    ],
  ])('%s', async (body, expected, encoding) => {
    const { ask } = await adapter.open({ spec: pets({ [FORM]: { schema: PET, encoding } }), empty: true });
    expect(await create(ask, post(body, FORM))).toEqual({ id: 1, ...expected });
  });

  it('of multipart, with files as text and JSON in parts', async () => {
    const { ask } = await adapter.open({ spec: pets({ [MULTIPART]: { schema: PET } }), empty: true });
    const body = toFormData(
      ['name', 'Réx'],
      ['age', '3'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['owner', '{"name":"Ann","age":7}'],
      ['walks', new Blob(['[{"km":1}]'], { type: 'application/json' })],
      ['photo', new Blob(['plain'])],
      ['photos', new Blob(['one'])],
      ['photos', new Blob([Uint8Array.of(0xff, 0xd8)])],
      ['stamp', new Blob([Uint8Array.of(1, 2, 3)])],
    );
    expect(await create(ask, post(body))).toEqual({
      id: 1,
      name: 'Réx',
      age: 3,
      tags: ['a', 'b'],
      owner: { name: 'Ann', age: 7 },
      walks: [{ km: 1 }],
      photo: 'plain',
      photos: ['one', '\u00ff\u00d8'],
      stamp: 'AQID',
    });
  });

  it('of multipart, with a single file for a list', async () => {
    const { ask } = await adapter.open({ spec: pets({ [MULTIPART]: { schema: PET } }), empty: true });
    const body = toFormData(['name', 'a'], ['photos', new Blob(['one'])]);
    expect(await create(ask, post(body))).toEqual({ id: 1, name: 'a', photos: ['one'] });
  });
});

describeAdapters('a form is refused', (adapter) => {
  const multipart = (body: string) => post(body, `${MULTIPART}; boundary=x`);

  it.each<[string, RequestInit, number, string, RegExp]>([
    ['without what is required', post('age=1', FORM), 422, 'validation_failed', /^body\.name: is required$/],
    ['with no number', post('name=a&age=x', FORM), 422, 'validation_failed', /^body\.age: must be integer$/],
    ['with two values for one', post('name=a&age=1&age=2', FORM), 422, 'validation_failed', /body\.age/],
    ['with a wrong item', post('name=a&years=1&years=x', FORM), 422, 'validation_failed', /body\.years\[1\]/],
    ['with a wrong member', post('name=a&owner[age]=x', FORM), 422, 'validation_failed', /body\.owner\.age/],
    [
      'with an integer beyond the range of a double',
      post(`name=a&age=1${'0'.repeat(309)}`, FORM),
      422,
      'validation_failed',
      /body\.age: must be integer/,
    ],
    ['that is no UTF-8', post(Uint8Array.of(0x61, 0x3d, 0xff), FORM), 400, 'malformed_form', /UTF-8/],
    ['of multipart without parts', multipart('garbage'), 400, 'malformed_multipart', /boundary/],
    [
      'of multipart without an end',
      multipart('--x\r\nContent-Dis'),
      400,
      'malformed_multipart',
      /has no end/,
    ],
    ['of multipart without a boundary', post('--x--', MULTIPART), 400, 'malformed_multipart', /boundary/],
    [
      'of multipart with no number',
      post(toFormData(['name', 'a'], ['age', 'x'])),
      422,
      'validation_failed',
      /age/,
    ],
    ['of another type', post('name=a', 'text/plain'), 415, 'unsupported_media_type', /multipart/],
    ['without fields', post('', FORM), 422, 'validation_failed', /^body\.name: is required$/],
  ])('%s', async (_, init, status, code, message) => {
    const schema = PET;
    const { ask } = await adapter.open({ spec: pets({ [FORM]: { schema }, [MULTIPART]: { schema } }) });
    const response = await ask('/pets', init);
    expect(response.status).toBe(status);
    const details = await readDetails(response);
    expect(details.code).toBe(code);
    expect(details.message).toMatch(message);
  });

  it('in no way by the names of its fields', async () => {
    const { ask } = await adapter.open({ spec: pets({ [FORM]: { schema: PET } }), empty: true });
    const body =
      'name=a&__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1&[=1&b[=2';
    await create(ask, post(body, FORM));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const deep = `name=a&x${'[a]'.repeat(50_000)}=1`;
    expect((await ask('/pets', post(deep, FORM))).status).toBe(201);
  });
});

describeAdapters('other bodies', (adapter) => {
  it.each<[string, string | Uint8Array<ArrayBuffer>, object, number]>([
    ['text/plain', 'abc', { ...STRING, minLength: 3 }, 204],
    ['text/plain', 'ab', { ...STRING, minLength: 3 }, 422],
    ['text/csv', 'a,b\n1,2', STRING, 204],
    ['text/plain', Uint8Array.of(0xff), STRING, 400],
    ['image/png', Uint8Array.of(0x89, 0x50, 0xff, 0x00), { ...STRING, format: 'binary' }, 204],
    ['application/octet-stream', Uint8Array.of(0xff), { ...STRING, format: 'binary' }, 204],
    ['*/*', '{"a":1}', { type: 'object' }, 204],
    ['*/*', '{', { type: 'object' }, 400],
  ])('as %s: %j', async (type, body, schema, status) => {
    const spec = documentOf({
      '/things': {
        post: { requestBody: { content: { [type]: { schema } } }, responses: { 204: { description: '' } } },
      },
    });
    const { ask } = await adapter.open({ spec });
    const response = await ask('/things', post(body, type === '*/*' ? 'application/json' : type));
    expect(response.status).toBe(status);
    await response.text();
  });
});

describe('a Swagger 2.0 form', () => {
  const spec = {
    swagger: '2.0',
    info: { title: 'Small', version: '1' },
    paths: {
      '/things': {
        post: {
          consumes: [FORM, MULTIPART],
          parameters: [
            { name: 'file', in: 'formData', type: 'file', required: true },
            { name: 'csv', in: 'formData', type: 'array', items: INTEGER, collectionFormat: 'csv' },
            { name: 'multi', in: 'formData', type: 'array', items: INTEGER, collectionFormat: 'multi' },
          ],
          responses: { 204: { description: '' } },
        },
      },
    },
  };

  it.each<[string, RequestInit, number]>([
    ['all of it', post('file=a&csv=1,2&multi=1&multi=2', FORM), 204],
    ['a file', post(toFormData(['file', new Blob([Uint8Array.of(0xff)])], ['csv', '1,2'])), 204],
    ['no file', post('csv=1', FORM), 422],
    ['no number', post('file=a&csv=1,x', FORM), 422],
    ['commas where the field is repeated', post('file=a&multi=1,2', FORM), 422],
  ])('with %s', async (_, init, status) => {
    const mock = await createMock({ spec });
    expect((await mock.fetch('/things', init)).status).toBe(status);
  });
});

const XML = 'application/xml';

const XML_PET = {
  type: 'object',
  required: ['name'],
  xml: { name: 'pet' },
  properties: {
    id: { ...INTEGER, xml: { attribute: true } },
    name: { ...STRING, xml: { name: 'call' } },
    age: INTEGER,
    good: { type: 'boolean', xml: { attribute: true, name: 'is-good' } },
    note: { ...STRING, nullable: true },
    tags: { type: 'array', items: { ...STRING, xml: { name: 'tag' } } },
    years: { type: 'array', items: INTEGER, xml: { wrapped: true } },
    photos: {
      type: 'array',
      items: { ...STRING, xml: { name: 'photo' } },
      xml: { wrapped: true, name: 'album' },
    },
    owner: {
      type: 'object',
      xml: { prefix: 'o', namespace: 'http://example.com/owner' },
      properties: { name: STRING, ids: { type: 'array', items: INTEGER } },
    },
    walks: {
      type: 'array',
      xml: { wrapped: true },
      items: {
        type: 'object',
        xml: { name: 'walk' },
        properties: { km: { type: 'number', xml: { attribute: true } } },
      },
    },
  },
};

const WHOLE = {
  id: 1,
  name: 'R&D <"Réx">',
  age: 3,
  good: true,
  note: null,
  tags: ['a', 'b'],
  years: [1, 2],
  photos: ['p'],
  owner: { name: 'Ann', ids: [1, 2] },
  walks: [{ km: 1.5 }, { km: 2 }],
};

const WRITTEN =
  '<pet id="1" is-good="true"><call>R&amp;D &lt;&quot;Réx&quot;&gt;</call><age>3</age>' +
  '<note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>' +
  '<tag>a</tag><tag>b</tag><years><years>1</years><years>2</years></years><album><photo>p</photo></album>' +
  '<o:owner xmlns:o="http://example.com/owner"><name>Ann</name><ids>1</ids><ids>2</ids></o:owner>' +
  '<walks><walk km="1.5"/><walk km="2"/></walks></pet>';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** `/pets` with state, taken and given as XML and as JSON. */
const BOTH = (() => {
  const contentOf = (schema: object) => ({ [XML]: { schema }, 'application/json': { schema } });
  const id = { name: 'id', in: 'path', required: true, schema: INTEGER };
  const pet = { $ref: '#/components/schemas/Pet' };
  const answer = (schema: object) => ({ description: '', content: contentOf(schema) });
  return documentOf(
    {
      '/pets': {
        get: { responses: { 200: answer({ type: 'array', items: pet }) } },
        post: { requestBody: { content: contentOf(pet) }, responses: { 201: answer(pet) } },
      },
      '/pets/{id}': {
        get: { parameters: [id], responses: { 200: answer(pet) } },
        put: { parameters: [id], requestBody: { content: contentOf(pet) }, responses: { 200: answer(pet) } },
      },
    },
    { schemas: { Pet: XML_PET } },
  );
})();

describeAdapters('XML', (adapter) => {
  const xml = { Accept: XML };

  it('is written as the xml objects of the schema ask', async () => {
    const { ask } = await adapter.open({ spec: BOTH, empty: true });
    const created = await ask('/pets', json('POST', WHOLE, xml));
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe(XML);
    const text = await created.text();
    expect(text).toBe(DECLARATION + WRITTEN);
    expect(created.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await (await ask('/pets/1', { headers: xml })).text()).toBe(DECLARATION + WRITTEN);
    expect(await (await ask('/pets', { headers: xml })).text()).toBe(`${DECLARATION}<pets>${WRITTEN}</pets>`);
  });

  it('is read back as it was written', async () => {
    const { ask } = await adapter.open({ spec: BOTH, empty: true });
    const created = await ask('/pets', post(DECLARATION + WRITTEN, XML));
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/json');
    expect(await created.json()).toEqual(WHOLE);
    expect(await (await ask('/pets/1')).json()).toEqual(WHOLE);
  });

  it.each<[string, object]>([
    ['<pet><call>Rex</call></pet>', { name: 'Rex' }],
    ['<pet><call><![CDATA[<Rex>]]></call><!-- no --><?no?></pet>', { name: '<Rex>' }],
    ['<pet>\n  <call>Rex</call>\n  <age> 3 </age>\n</pet>', { name: 'Rex', age: 3 }],
    ['<x:pet xmlns:x="urn:x"><x:call>Rex</x:call></x:pet>', { name: 'Rex' }],
    ['<pet><call>Rex</call><years/><tag/></pet>', { name: 'Rex', years: [], tags: [''] }],
    ['<pet><call>&#82;&amp;</call></pet>', { name: 'R&' }],
    ['<pet><call>Rex</call><other><a>1</a><a>2</a></other></pet>', { name: 'Rex', other: { a: ['1', '2'] } }],
    ['<pet><call>Rex</call><owner><name>Ann</name></owner></pet>', { name: 'Rex', owner: { name: 'Ann' } }],
    ['<pet><call>a</call><walks><walk km="2"/></walks></pet>', { name: 'a', walks: [{ km: 2 }] }],
  ])('is read by the schema: %s', async (body, expected) => {
    const { ask } = await adapter.open({ spec: BOTH, empty: true });
    for (const type of [XML, `${XML}; charset=utf-8`]) {
      expect(await (await ask('/pets', post(body, type))).json()).toMatchObject(expected);
    }
  });

  it.each<[string, string, number, string, RegExp]>([
    ['not well-formed', '<pet><call>', 400, 'malformed_xml', /well-formed/],
    ['no XML', 'Rex', 400, 'malformed_xml', /well-formed/],
    ['two documents', '<pet/><pet/>', 400, 'malformed_xml', /well-formed/],
    ['nested too deeply', '<a>'.repeat(5_000) + '</a>'.repeat(5_000), 400, 'malformed_xml', /200 levels/],
    [
      'with entities that grow',
      '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><pet><call>&b;</call></pet>',
      400,
      'malformed_xml',
      /entity/,
    ],
    [
      'with entities from files',
      '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><pet><call>&a;</call></pet>',
      400,
      'malformed_xml',
      /entity/,
    ],
    ['without what is required', '<pet/>', 422, 'validation_failed', /^body\.name: is required$/],
    ['no number', '<pet><call>a</call><age>x</age></pet>', 422, 'validation_failed', /^body\.age/],
    ['an empty number', '<pet><call>a</call><age/></pet>', 422, 'validation_failed', /^body\.age/],
    ['elements for text', '<pet><call><a/></call></pet>', 422, 'validation_failed', /^body\.name/],
    [
      'another root',
      '<dog><call>a</call></dog>',
      422,
      'validation_failed',
      /^body: must be the element pet, not dog$/,
    ],
    [
      'a long root',
      `<${'d'.repeat(9000)}/>`,
      422,
      'validation_failed',
      /^body: must be the element pet, not d{100}$/,
    ],
    [
      'a text for a list',
      '<pet><call>a</call><years>1999</years></pet>',
      422,
      'validation_failed',
      /^body\.years: must hold a list of elements, not text$/,
    ],
    [
      'a text beside the items of a list',
      '<pet><call>a</call><years>1<years>2</years></years></pet>',
      422,
      'validation_failed',
      /^body\.years: must hold/,
    ],
    [
      'a text for an object in a list',
      '<pet><call>a</call><walks><walk km="2"/><walk>far</walk></walks></pet>',
      422,
      'validation_failed',
      /^body\.walks\[1\]: must hold elements, not text$/,
    ],
    [
      'a text for an object',
      '<pet><call>a</call><owner>Ann</owner></pet>',
      422,
      'validation_failed',
      /^body\.owner: /,
    ],
    [
      'a text beside members',
      '<pet>Rex<call>a</call></pet>',
      422,
      'validation_failed',
      /^body: must hold elements/,
    ],
    ['one too many', '<pet><call>a</call><call>b</call></pet>', 422, 'validation_failed', /^body\.name/],
  ])('is refused: %s', async (_, body, status, code, message) => {
    const { ask } = await adapter.open({ spec: BOTH, empty: true });
    const response = await ask('/pets', post(body, XML));
    expect(response.status).toBe(status);
    const details = await readDetails(response);
    expect(details.code).toBe(code);
    expect(details.message).toMatch(message);
    expect(await (await ask('/pets')).json()).toEqual([]);
  });

  it('pollutes nothing', async () => {
    const { ask } = await adapter.open({ spec: BOTH, empty: true });
    const body =
      '<pet __proto__="1" constructor="2"><call>a</call><__proto__><polluted>1</polluted></__proto__></pet>';
    expect((await ask('/pets', post(body, XML))).status).toBe(201);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  const ITEM = { type: 'object', properties: { a: INTEGER } };

  it.each<[string, object, RegExp]>([
    ['an example as an object', { schema: ITEM, example: { a: 1 } }, /^<\?xml.*\n<root><a>1<\/a><\/root>$/],
    ['an example as XML', { schema: ITEM, example: '<it><a>2</a></it>' }, /^<it><a>2<\/a><\/it>$/],
    ['a generated value', { schema: { ...ITEM, xml: { name: 'it' } } }, /\n<it><a>\d+<\/a><\/it>$/],
    ['a component', { schema: { $ref: '#/components/schemas/Item' } }, /\n<Item><a>\d+<\/a><\/Item>$/],
    ['a text', { schema: { ...STRING, xml: { name: 'word' } } }, /\n<word>[a-z ]+<\/word>$/],
    [
      'a list',
      { schema: { type: 'array', items: INTEGER }, example: [1, 2] },
      /\n<items><item>1<\/item><item>2<\/item><\/items>$/,
    ],
    ['odd names', { example: { 'a b': 1, '1': 2, '': null } }, /\n<root><_1>2<\/_1><a_b>1<\/a_b><_ /],
    [
      'a namespace of element and attribute',
      {
        schema: {
          type: 'object',
          xml: { name: 'it', prefix: 'x', namespace: 'urn:x' },
          properties: { a: { ...INTEGER, xml: { attribute: true, prefix: 'x', namespace: 'urn:x' } } },
        },
        example: { a: 1 },
      },
      /\n<x:it xmlns:x="urn:x" x:a="1"\/>$/,
    ],
    [
      'line breaks in an attribute',
      { schema: { properties: { a: { xml: { attribute: true } } } }, example: { a: 'b\n"c"' } },
      /<root a="b&#10;&quot;c&quot;"\/>$/,
    ],
    ['control characters', { example: { a: '\u0000\u0008ok' } }, /<a>\ufffd\ufffdok<\/a>/],
  ])('is what the document declares: %s', async (_, content, expected) => {
    const spec = documentOf(
      { '/thing': { get: { responses: { 200: { description: '', content: { [XML]: content } } } } } },
      { schemas: { Item: { ...ITEM, required: ['a'] } } },
    );
    const { ask } = await adapter.open({ spec });
    for (const headers of [{}, xml, { Accept: 'application/*' }] as Record<string, string>[]) {
      const response = await ask('/thing', { headers });
      expect(response.headers.get('content-type')).toBe(XML);
      expect(await response.text()).toMatch(expected);
    }
  });

  it('names lists as OpenAPI shows it', async () => {
    const list = (own: object | undefined, item: object | undefined) => ({
      type: 'array',
      ...(own && { xml: own }),
      items: { ...STRING, ...(item && { xml: item }) },
    });
    const cases: [object, string][] = [
      [list(undefined, undefined), '<animals>a</animals><animals>b</animals>'],
      [list(undefined, { name: 'animal' }), '<animal>a</animal><animal>b</animal>'],
      [list({ name: 'aliens' }, { name: 'animal' }), '<animal>a</animal><animal>b</animal>'],
      [list({ wrapped: true }, undefined), '<animals><animals>a</animals><animals>b</animals></animals>'],
      [
        list({ wrapped: true }, { name: 'animal' }),
        '<animals><animal>a</animal><animal>b</animal></animals>',
      ],
      [
        list({ wrapped: true, name: 'aliens' }, { name: 'animal' }),
        '<aliens><animal>a</animal><animal>b</animal></aliens>',
      ],
      [
        list({ wrapped: true, name: 'aliens' }, undefined),
        '<aliens><aliens>a</aliens><aliens>b</aliens></aliens>',
      ],
    ];
    for (const [animals, expected] of cases) {
      const schema = { type: 'object', properties: { animals } };
      const content = { [XML]: { schema, example: { animals: ['a', 'b'] } } };
      const spec = documentOf({ '/thing': { get: { responses: { 200: { description: '', content } } } } });
      const { ask } = await adapter.open({ spec });
      expect(await (await ask('/thing')).text()).toBe(`${DECLARATION}<root>${expected}</root>`);
    }
  });
});

describeAdapters('A form without fields', (adapter) => {
  const NO_PARTS = '--x--\r\n';
  const EMPTY: readonly (readonly [form: string, body: string, type: string])[] = [
    ['encoded', '', FORM],
    ['encoded, with a charset', '', `${FORM};charset=UTF-8`],
    ['of no parts', NO_PARTS, `${MULTIPART}; boundary=x`],
    ['multipart and empty', '', `${MULTIPART}; boundary=x`],
    ['multipart and empty, without a boundary', '', MULTIPART],
  ];
  const TWO = { type: 'object', required: ['name', 'age'], properties: { name: STRING, age: INTEGER } };
  const THING = { ...TWO, required: ['id'], properties: { id: INTEGER, ...TWO.properties } };
  const toSpec = (required: boolean, schema: object, type?: string) => {
    const types = type === undefined ? [FORM, MULTIPART] : [type];
    const content = Object.fromEntries(types.map((each) => [each, { schema }]));
    const responses = { 201: { description: '', content: { 'application/json': { schema: THING } } } };
    return documentOf({ '/things': { post: { requestBody: { required, content }, responses } } });
  };

  it.each(EMPTY)('lacks each required field: %s', async (_, body, type) => {
    for (const required of [true, false]) {
      const { ask } = await adapter.open({ spec: toSpec(required, TWO) });
      const answer = await ask('/things', post(body, type));
      expect(answer.status).toBe(422);
      expect(answer.headers.get('x-mock-violations')).toMatch(/body\.name.*body\.age/);
    }
  });

  it.each(EMPTY)('is accepted where all fields are optional: %s', async (_, body, type) => {
    const { ask } = await adapter.open({ spec: toSpec(true, { ...TWO, required: [] }) });
    const answer = await ask('/things', post(body, type));
    expect([answer.status, answer.headers.get('x-mock-violations')]).toEqual([201, null]);
    await answer.text();
  });

  it('is a missing body where the operation takes no form, or the request has no type', async () => {
    const cases: [type: string, init: RequestInit][] = [
      ['application/json', post('', FORM)],
      ['application/json', post('', 'application/json')],
      [MULTIPART, post('', FORM)],
      [FORM, { method: 'POST' }],
    ];
    for (const [type, init] of cases) {
      const { ask } = await adapter.open({ spec: toSpec(true, TWO, type) });
      const answer = await ask('/things', init);
      expect(answer.status).toBe(422);
      expect((await readDetails(answer)).message).toBe('body: is required');
      const { ask: askOptional } = await adapter.open({ spec: toSpec(false, TWO, type) });
      expect((await askOptional('/things', init)).status).toBe(201);
    }
  });
});
