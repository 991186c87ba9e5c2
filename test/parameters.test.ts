import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { buildParameter } from '../src/model/operations/parameters.ts';
import { createSchemaReader } from '../src/schema/schema.ts';
import { closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { readDetails } from './support/errors.ts';

afterAll(closeAll);

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };
const INTEGERS = { type: 'array', items: INTEGER };
const COLOR = {
  type: 'object',
  required: ['R'],
  properties: { R: INTEGER, G: INTEGER, names: { type: 'array', items: STRING } },
};
const ONLY_COLOR = { ...COLOR, additionalProperties: false };
const RANGE = {
  type: 'object',
  properties: {
    price: { type: 'object', properties: { from: INTEGER, to: { type: 'number' } } },
    tags: { type: 'array', items: STRING },
    rows: { type: 'array', items: { type: 'object', properties: { id: INTEGER } } },
  },
};

type Place = 'path' | 'query' | 'header' | 'cookie';

/** `GET /things`, or `/things/{p}`, with one parameter `p`. */
function withParameter(place: Place, parameter: object): object {
  const path = place === 'path' ? '/things/{p}' : '/things';
  const declared = { name: 'p', in: place, required: place === 'path', ...parameter };
  return documentOf({ [path]: { get: { parameters: [declared], responses: jsonAnswer(STRING) } } });
}

function toRequest(place: Place, sent: string): [path: string, init: RequestInit] {
  if (place === 'path') return [`/things/${sent}`, {}];
  if (place === 'query') return [`/things?${sent}`, {}];
  return ['/things', { headers: { [place === 'header' ? 'p' : 'Cookie']: sent } }];
}

type Case = [place: Place, parameter: object, taken: readonly string[], refused: readonly string[]];

const simple = { style: 'simple' };
const label = { style: 'label' };
const matrix = { style: 'matrix' };
const exploded = { explode: true };
const whole = { explode: false };

const CASES: readonly Case[] = [
  ['path', { schema: INTEGER }, ['5', '-1'], ['x', '1,2']],
  ['path', { ...simple, schema: INTEGERS }, ['3', '3,4,5', '3%2C4'], ['x', '3,x', '3;4']],
  ['path', { ...simple, schema: COLOR }, ['R,1,G,2', 'R,1'], ['G,2', 'R,x', 'R', 'R=1']],
  ['path', { ...simple, ...exploded, schema: COLOR }, ['R=1,G=2', 'R=1'], ['G=2', 'R=x', 'R,1']],
  ['path', { ...label, schema: INTEGER }, ['.5'], ['5', '.x']],
  ['path', { ...label, schema: INTEGERS }, ['.3,4,5', '.3'], ['3,4', '.x', '.3.4']],
  ['path', { ...label, ...exploded, schema: INTEGERS }, ['.3.4.5', '.3'], ['3.4', '.3,4']],
  ['path', { ...label, schema: COLOR }, ['.R,1,G,2'], ['R,1', '.G,2', '.R=1']],
  ['path', { ...label, ...exploded, schema: COLOR }, ['.R=1.G=2'], ['R=1', '.R,1', '.G=2']],
  ['path', { ...matrix, schema: INTEGER }, [';p=5'], ['5', ';q=5', ';p=x']],
  ['path', { ...matrix, schema: INTEGERS }, [';p=3,4,5'], ['3,4', ';p=x', ';p=3;p=4']],
  ['path', { ...matrix, ...exploded, schema: INTEGERS }, [';p=3;p=4', ';p=3'], [';p=3,4', 'p=3', ';q=3']],
  ['path', { ...matrix, schema: COLOR }, [';p=R,1,G,2'], [';R=1', ';p=G,2']],
  ['path', { ...matrix, ...exploded, schema: COLOR }, [';R=1;G=2'], [';G=2', 'R=1', ';p=R,1']],

  ['query', { schema: INTEGER }, ['p=5', ''], ['p=x', 'p=1&p=2', 'p=']],
  ['query', { schema: INTEGERS }, ['p=3', 'p=3&p=4', ''], ['p=x', 'p=3,4', 'p=3&p=x']],
  [
    'query',
    { schema: INTEGERS },
    ['p[]=3', 'p%5B%5D=3', 'p[]=3&p[]=4', 'p[0]=3', 'p[1]=4&p[0]=3', 'p=1&p[]=2', 'q[]=x', 'p.x=1'],
    [
      'p[]=x',
      'p%5B%5D=x',
      'p[0]=x',
      'p[a]=1',
      'p[0][a]=1',
      'p[=1',
      'p[0=1',
      'p[0]x=1',
      'p[]=',
      'p[__proto__]=1',
    ],
  ],
  ['query', { ...whole, schema: INTEGERS }, ['p[]=3', 'p[0]=3&p[1]=4'], ['p[]=x', 'p[]=3,4']],
  [
    'query',
    { schema: { oneOf: [{ type: 'boolean' }, INTEGERS] } },
    ['p=true', 'p[]=1', 'p[]=1&p[]=2'],
    ['p[]=x'],
  ],
  ['query', { required: true, schema: INTEGERS }, ['p[]=3', 'p[0]=3'], ['']],
  ['query', { schema: INTEGER }, ['p=1&p[]=x'], []],
  ['query', { ...whole, schema: INTEGERS }, ['p=3', 'p=3,4,5', 'p=3%2C4', 'p='], ['p=x', 'p=3|4']],
  ['query', { schema: COLOR }, ['R=1&G=2', 'R=1&names=a&names=b', 'other=1', ''], ['G=2', 'R=x', 'R=1&R=2']],
  ['query', { ...whole, schema: COLOR }, ['p=R,1,G,2', ''], ['p=G,2', 'p=R,x', 'p=R']],
  [
    'query',
    { style: 'spaceDelimited', schema: INTEGERS },
    ['p=3%204%205', 'p=3+4', 'p=3'],
    ['p=3,4', 'p=3|4'],
  ],
  ['query', { style: 'pipeDelimited', schema: INTEGERS }, ['p=3|4|5', 'p=3%7C4', 'p=3'], ['p=3,4', 'p=3+4']],
  ['query', { style: 'spaceDelimited', ...exploded, schema: INTEGERS }, ['p=3&p=4'], ['p=3+4']],
  ['query', { style: 'pipeDelimited', ...exploded, schema: INTEGERS }, ['p=3&p=4'], ['p=3|4']],
  ['query', { style: 'spaceDelimited', schema: COLOR }, ['p=R%201%20G%202'], ['p=G%201', 'p=R']],
  ['query', { style: 'pipeDelimited', schema: COLOR }, ['p=R|1|G|2'], ['p=G|1', 'p=R|x']],
  [
    'query',
    { style: 'deepObject', ...exploded, schema: COLOR },
    [
      'p[R]=1&p[G]=2',
      'p%5BR%5D=1',
      'p[R]=1&p[names]=a&p[names]=b',
      'p[R]=1&p[names][]=a',
      'p[R]=1&q[R]=x',
      '',
    ],
    ['p[G]=2', 'p[R]=x', 'p[R]=1&p[R]=2', 'p[R=1', 'p[R]x=1', 'p=1', 'p[R][x]=1', 'p[R]=1&p=2'],
  ],
  [
    'query',
    { style: 'deepObject', ...exploded, schema: ONLY_COLOR },
    ['p[R]=1'],
    ['p[R]=1&p[X]=1', 'p[R]=1&p[__proto__]=1', 'p[R]=1&p[constructor]=1'],
  ],
  [
    'query',
    { style: 'deepObject', ...exploded, schema: RANGE },
    ['p[price][from]=1&p[price][to]=2.5', 'p[tags][0]=a&p[tags][1]=b', 'p[rows][0][id]=1&p[rows][][id]=2'],
    ['p[price][from]=1.5', 'p[price]=1', 'p[rows][0][id]=x', 'p[tags][a]=b', `p${'[a]'.repeat(60)}=1`],
  ],
  [
    'query',
    { style: 'deepObject', ...exploded, schema: { anyOf: [INTEGER, COLOR] } },
    ['p=5', 'p[R]=1'],
    ['p=x', 'p[G]=1'],
  ],
  [
    'query',
    { content: { 'application/json': { schema: COLOR } } },
    ['p={"R":1}', 'p=%7B%22R%22%3A1%7D', 'p={"R":9007199254740993}', ''],
    ['p={"G":1}', 'p={', 'p=', 'p=1', 'p={"R":1}&p={"R":1}', 'p={"R":1e400}', 'p={"R":4503599627370497.5}'],
  ],
  [
    'query',
    { content: { 'application/json': { schema: { type: 'integer', minimum: 0, exclusiveMinimum: true } } } },
    ['p=1'],
    ['p=0', 'p="1"'],
  ],
  ['query', { content: { 'text/plain': { schema: { type: 'string', maxLength: 2 } } } }, ['p=ab'], ['p=abc']],
  ['query', { allowEmptyValue: true, schema: INTEGER }, ['p', 'p=', 'p=1', ''], ['p=x']],
  ['query', { allowEmptyValue: true, required: true, schema: INTEGER }, ['p', 'p='], ['']],
  [
    'query',
    { allowReserved: true, schema: { ...STRING, pattern: '^[a-z/:?@]+$' } },
    ['p=a/b:c?d@e'],
    ['p=A'],
  ],
  ['query', { schema: { oneOf: [STRING, INTEGERS] } }, ['p=abc', 'p=1&p=2'], ['p=a&p=b']],
  ['query', { schema: { type: 'object' } }, ['a=1&b=2', '__code=200'], []],

  ['header', { schema: INTEGER }, ['5'], ['x', '1, 2']],
  ['header', { schema: INTEGERS }, ['3', '3,4,5', '3, 4'], ['x', '3;4']],
  ['header', { schema: COLOR }, ['R,1,G,2', 'R, 1'], ['G,2', 'R=1', 'R']],
  ['header', { ...exploded, schema: COLOR }, ['R=1,G=2', 'R=1, G=2'], ['G=2', 'R,1']],
  ['header', { content: { 'application/json': { schema: COLOR } } }, ['{"R":1}'], ['{"G":1}', '{']],

  ['cookie', { schema: INTEGER }, ['p=5', 'a=b; p=5'], ['p=x', 'p=1; p=2']],
  ['cookie', { ...whole, schema: INTEGERS }, ['p=3,4,5', 'p=3'], ['p=x']],
  ['cookie', { schema: INTEGERS }, ['p=3&p=4', 'p=3; p=4', 'p=3'], ['p=x', 'p=3,4']],
  ['cookie', { ...whole, schema: COLOR }, ['p=R,1,G,2'], ['p=G,2']],
  ['cookie', { schema: COLOR }, ['R=1; G=2', 'x=y'], ['G=2', 'R=x']],
];

const taken = CASES.flatMap(([place, parameter, sent]) => sent.map((text) => ({ place, parameter, text })));
const refused = CASES.flatMap(([place, parameter, , sent]) =>
  sent.map((text) => ({ place, parameter, text })),
);

describeAdapters('a parameter', (adapter) => {
  it.each(taken)('in the $place is taken: $text as $parameter', async ({ place, parameter, text }) => {
    const { ask } = await adapter.open({ spec: withParameter(place, parameter) });
    const response = await ask(...toRequest(place, text));
    expect([response.status, response.headers.get('x-mock-violations')]).toEqual([200, null]);
    await response.text();
  });

  it.each(refused)('in the $place is refused: $text as $parameter', async ({ place, parameter, text }) => {
    const { ask } = await adapter.open({ spec: withParameter(place, parameter) });
    const response = await ask(...toRequest(place, text));
    expect(response.status).toBe(422);
    const { code, message } = await readDetails(response);
    expect(code).toBe('invalid_parameter');
    expect(message).toMatch(new RegExp(`^${place}\\.p`));
  });
});

const TAGGED = documentOf(
  {
    '/posts': {
      get: {
        parameters: [{ name: 'tags', in: 'query', schema: { type: 'array', items: STRING } }],
        responses: jsonAnswer({ type: 'array', items: { $ref: '#/components/schemas/Post' } }),
      },
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Post' } } } },
        responses: { 201: { description: 'Created.' } },
      },
    },
    '/posts/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: INTEGER }],
        responses: jsonAnswer({ $ref: '#/components/schemas/Post' }),
      },
    },
  },
  {
    schemas: {
      Post: {
        type: 'object',
        required: ['id', 'tags'],
        properties: { id: { ...INTEGER, readOnly: true }, tags: { type: 'array', items: STRING } },
      },
    },
  },
);

describeInProcess('a list of tags in a query', (adapter) => {
  it.each([
    ['tags=b&tags=c', [2, 3]],
    ['tags[]=b&tags[]=c', [2, 3]],
    ['tags%5B%5D=b&tags%5B%5D=c', [2, 3]],
    ['tags[0]=b&tags[1]=c', [2, 3]],
    ['tags[]=a', [1, 2]],
    ['tags%5B0%5D=none', []],
  ])('selects by all notations of clients: %s', async (query, ids) => {
    const { ask } = await adapter.open({ spec: TAGGED, empty: true });
    for (const tags of [['a'], ['a', 'b'], ['c']]) await ask('/posts', json('POST', { tags }));
    const found = (await (await ask(`/posts?${query}`)).json()) as { id: number }[];
    expect(found.map(({ id }) => id)).toEqual(ids);
  });
});

const BESIDE = [
  [['tags'], 'tags[]=1&tags[0]=2&tags=3', { tags: [3, 1, 2] }],
  [['tags', 'tags[]'], 'tags[]=1&tags[0]=2&tags=3', { tags: [3], 'tags[]': [1, 2] }],
  [['tags[]'], 'tags[]=1&tags[0]=2&tags=3', { 'tags[]': [1, 2] }],
  [['tags', 'tags[0]'], 'tags[0]=2&tags[1]=3', { tags: [3], 'tags[0]': [2] }],
] as const;

describe('a parameter whose name has brackets', () => {
  const reader = createSchemaReader({});
  const build = (name: string) => buildParameter(reader, 'query', { name, schema: INTEGERS, style: 'form' });

  test.each(BESIDE)('is read for itself: %j of %s', (names, text, expected) => {
    const declared = names.map(build);
    const query = new URLSearchParams(text);
    const read = declared.map(({ name, read }) => [name, read({ path: {}, headers: {}, query, declared })]);
    const wanted = Object.entries(expected).map(([name, value]) => [name, { value }]);
    expect(read).toEqual(wanted);
  });

  test('is read as a list or refused, whatever stands in the brackets', () => {
    const declared = [build('p')];
    const part = fc.constantFrom('[', ']', '[]', '[0]', '[7]', '0', 'a', '__proto__', '.', '\u0000');
    const keys = fc.array(
      fc.array(part, { maxLength: 8 }).map((parts) => `p${parts.join('')}`),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(keys, (names) => {
        const query = new URLSearchParams(names.map((name): [string, string] => [name, '1']));
        const reading = declared[0]?.read({ path: {}, headers: {}, query, declared });
        const isRead = reading === undefined || 'fault' in reading || typeof reading.value === 'object';
        expect(isRead).toBe(true);
        expect(reading === undefined).toBe(!names.some((name) => name === 'p' || name.startsWith('p[')));
      }),
    );
  });
});

describeInProcess('a parameter in a style that its place does not have', (adapter) => {
  it.each([
    ['query', 'simple'],
    ['query', 'matrix'],
    ['path', 'form'],
    ['header', 'form'],
    ['cookie', 'simple'],
  ] as const)('is read in the usual one: in the %s as %s', async (place, style) => {
    const { ask } = await adapter.open({ spec: withParameter(place, { style, schema: INTEGER }) });
    for (const [text, status] of [
      ['5', 200],
      ['x', 422],
    ] as const) {
      const sent = place === 'path' || place === 'header' ? text : `p=${text}`;
      const response = await ask(...toRequest(place, sent));
      expect(response.status).toBe(status);
      await response.text();
    }
  });
});

describeInProcess('a parameter of a path that an operation declares anew', (adapter) => {
  const ofPath = { name: 'p', in: 'query', schema: INTEGER };
  const own = { name: 'p', in: 'query', schema: { type: 'string', enum: ['a'] } };
  const shared = { $ref: '#/components/parameters/own' };

  it.each([
    ['itself', own],
    ['by reference', shared],
  ])('counts as the operation has it: %s', async (_, again) => {
    const get = { parameters: [again], responses: jsonAnswer(STRING) };
    const { ask } = await adapter.open({
      spec: documentOf({ '/things': { parameters: [ofPath], get } }, { parameters: { own } }),
    });
    expect([(await ask('/things?p=a')).status, (await ask('/things?p=5')).status]).toEqual([200, 422]);
  });
});

describeInProcess('a Swagger 2.0 parameter', (adapter) => {
  it.each([
    ['csv', ['p=1,2'], ['p=1|2', 'p=1+2']],
    [undefined, ['p=1,2'], ['p=1|2']],
    ['ssv', ['p=1+2', 'p=1%202'], ['p=1,2']],
    ['tsv', ['p=1%092'], ['p=1,2']],
    ['pipes', ['p=1|2'], ['p=1,2']],
    ['multi', ['p=1&p=2'], ['p=1,2']],
  ])('with the collectionFormat %s', async (collectionFormat, good, bad) => {
    const parameter = { name: 'p', in: 'query', type: 'array', items: INTEGER, collectionFormat };
    const spec = {
      swagger: '2.0',
      info: { title: 'Small', version: '1' },
      paths: { '/things': { get: { parameters: [parameter], responses: { 204: { description: '' } } } } },
    };
    const { ask } = await adapter.open({ spec });
    for (const query of good) expect([query, (await ask(`/things?${query}`)).status]).toEqual([query, 204]);
    for (const query of bad) expect([query, (await ask(`/things?${query}`)).status]).toEqual([query, 422]);
  });
});

describeInProcess('the members of a filter', (adapter) => {
  const pet = { type: 'object', required: ['id'], properties: { id: INTEGER, age: INTEGER, tag: STRING } };
  const id = { name: 'id', in: 'path', required: true, schema: INTEGER };

  it('are typed, so that state is narrowed by them', async () => {
    const age = { name: 'age', in: 'query', style: 'pipeDelimited', schema: INTEGERS };
    const spec = documentOf({
      '/pets': {
        get: { parameters: [age], responses: jsonAnswer({ type: 'array', items: pet }) },
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 201: { description: '', content: { 'application/json': { schema: pet } } } },
        },
      },
      '/pets/{id}': { get: { parameters: [{ ...id, style: 'matrix' }], responses: jsonAnswer(pet) } },
    });
    const { ask } = await adapter.open({ spec, empty: true });
    for (const years of [1, 2, 3]) {
      await ask('/pets', {
        method: 'POST',
        body: JSON.stringify({ age: years }),
        headers: { 'Content-Type': 'application/json' },
      });
    }
    expect(await (await ask('/pets?age=1|3')).json()).toEqual([
      { id: 1, age: 1 },
      { id: 3, age: 3 },
    ]);
    expect(await (await ask('/pets/;id=2')).json()).toEqual({ id: 2, age: 2 });
  });
});

describeAdapters('a header that media types and security speak of', (adapter) => {
  const asked = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'integer' } });

  it.each(['Accept', 'content-type', 'AUTHORIZATION'])('is no parameter: %s', async (name) => {
    const { ask } = await adapter.open({
      spec: documentOf({ '/a': { get: { parameters: [asked(name)], responses: jsonAnswer(STRING) } } }),
    });
    expect((await ask('/a')).status).toBe(200);
    expect((await ask('/a', { headers: { [name]: 'application/json' } })).status).toBe(200);
  });

  it('leaves others as they are', async () => {
    const { ask } = await adapter.open({
      spec: documentOf({ '/a': { get: { parameters: [asked('X-Accept')], responses: jsonAnswer(STRING) } } }),
    });
    expect((await ask('/a')).status).toBe(422);
    expect((await ask('/a', { headers: { 'X-Accept': '1' } })).status).toBe(200);
  });
});
