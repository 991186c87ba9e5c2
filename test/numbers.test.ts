import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { toShape } from '../src/schema/shape.ts';
import { readJson } from '../src/wire/codecs/exact-json.ts';
import { type Adapter, type Ask, closeAll, describeInProcess } from './support/adapters.ts';
import { once } from './support/once.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  type Node,
  TEXT,
  toCrud,
  toDocument,
  toList,
  toObject,
} from './support/small-documents.ts';

const INT64: Node = { type: 'integer', format: 'int64' };
const INT32: Node = { type: 'integer', format: 'int32' };
const NUMBER: Node = { type: 'number' };

const THING = toObject({
  id: INT64,
  ownerId: INT64,
  small: INT32,
  count: INTEGER,
  weight: NUMBER,
  free: {},
  list: toList(INT64),
  distinct: { type: 'array', items: NUMBER, uniqueItems: true },
  sets: { type: 'array', uniqueItems: true },
  some: { enum: [1, 9007199254740992, 'x'] },
  only: { const: 9007199254740992 },
  high: { type: 'integer', maximum: 9007199254740992 },
  below: { type: 'integer', exclusiveMaximum: 9007199254740994 },
  low: { type: 'integer', minimum: -9007199254740992 },
  above: { type: 'integer', exclusiveMinimum: -9007199254740994 },
  even: { type: 'integer', multipleOf: 2 },
  cents: { type: 'number', multipleOf: 0.01 },
  either: { oneOf: [{ type: 'integer', maximum: 9007199254740992 }, { type: 'string' }] },
  not: { not: { type: 'integer' } },
  text: TEXT,
  maximum: { type: 'integer', maximum: 10 },
});

const QUERY = [
  inQuery('ownerId', INT64),
  inQuery('sort'),
  inQuery('limit', INTEGER),
  inQuery('offset', INTEGER),
  inQuery('small', INT32),
  inQuery('weight', NUMBER),
];
const THINGS = {
  ...(toDocument(toCrud('/things', inPath('id', INT64), THING, { query: QUERY })) as Node),
  // Draft 7 keywords such as const come with 3.1.
  openapi: '3.1.0',
};

afterAll(closeAll);

function send(method: string, body: string, type = 'application/json'): RequestInit {
  return { method, body, headers: { 'Content-Type': type } };
}

async function textOf(ask: Ask, path: string, init?: RequestInit): Promise<[status: number, text: string]> {
  const response = await ask(path, init);
  return [response.status, await response.text()];
}

let lastId = 0;

/** The text of one member of what a POST of this member answers, and a GET of it; the violation, where it is refused. */
async function roundTrip(ask: Ask, member: string, text: string): Promise<string | undefined> {
  lastId += 1;
  const response = await ask('/things', send('POST', `{"id":${lastId},"${member}":${text}}`));
  if (response.status !== 201) {
    const [violation] = JSON.parse(response.headers.get('X-Mock-Violations') ?? '[]');
    return `${response.status} ${violation?.location}: ${violation?.message}`;
  }
  const made = await response.text();
  expect(await textOf(ask, `/things/${lastId}`)).toEqual([200, made]);
  return new RegExp(`"${member}":(.*)}$`).exec(made)?.[1];
}

describeInProcess('a number', ({ open }: Adapter) => {
  const opened = once(() => open({ spec: THINGS, empty: true }));
  const refusing = once(() => open({ spec: THINGS, empty: true }));

  test.each([
    // A double holds these.
    ['weight', '1e16', '10000000000000000'],
    ['weight', '1e21', '1e+21'],
    ['weight', '1.5e300', '1.5e+300'],
    ['weight', '1.7976931348623157e308', '1.7976931348623157e+308'],
    ['weight', '5e-324', '5e-324'],
    ['weight', '-0.5', '-0.5'],
    ['weight', '0.10000000000000001', '0.1'],
    ['weight', '4503599627370497.5', '4503599627370498'],
    ['weight', '1.00000000000000000001', '1'],
    ['weight', '1e-400', '0'],
    ['weight', '9007199254740992', '9007199254740992'],
    ['free', '1e21', '1e+21'],
    ['free', '4503599627370497.5', '4503599627370498'],
    // No double holds these.
    ['weight', '9007199254740993', '9007199254740993'],
    ['free', '9007199254740993', '9007199254740993'],
    [
      'free',
      '[{"a":[-9007199254740993]},"9007199254740993"]',
      '[{"a":[-9007199254740993]},"9007199254740993"]',
    ],
    ['ownerId', '9007199254740993', '9007199254740993'],
    ['ownerId', '-9007199254740993', '-9007199254740993'],
    ['ownerId', '1234567890123456768', '1234567890123456768'],
    ['ownerId', '1234567890123456800', '1234567890123456800'],
    ['ownerId', '9223372036854775807', '9223372036854775807'],
    ['ownerId', '-9223372036854775808', '-9223372036854775808'],
    ['ownerId', '9007199254740993.0', '9007199254740993'],
    ['ownerId', '9007199254740.993e3', '9007199254740993'],
    ['ownerId', '90071992547409930e-1', '9007199254740993'],
    ['count', '123456789012345678901234567890', '123456789012345678901234567890'],
    ['count', '1000000000000000000000', '1000000000000000000000'],
    ['count', `1${'0'.repeat(308)}`, `1${'0'.repeat(308)}`],
    ['list', '[1,9007199254740993]', '[1,9007199254740993]'],
    // Integers may be written in other ways.
    ['ownerId', '1.0', '1'],
    ['ownerId', '1e3', '1000'],
    ['ownerId', '-0', '0'],
    ['ownerId', '100e-2', '1'],
    ['small', '2147483647', '2147483647'],
    // Bounds, multiples and members are judged digit by digit.
    ['high', '9007199254740992', '9007199254740992'],
    ['below', '9007199254740993', '9007199254740993'],
    ['low', '-9007199254740992', '-9007199254740992'],
    ['above', '-9007199254740993', '-9007199254740993'],
    ['even', '9007199254740994', '9007199254740994'],
    ['even', '1e22', '1e+22'],
    ['cents', '9007199254740993', '9007199254740993'],
    ['some', '9007199254740992', '9007199254740992'],
    ['some', '9007199254740992.0', '9007199254740992'],
    ['only', '9007199254740992', '9007199254740992'],
    ['distinct', '[9007199254740992,9007199254740993]', '[9007199254740992,9007199254740993]'],
    [
      'sets',
      '[{"a":9007199254740993},{"a":"9007199254740993"}]',
      '[{"a":9007199254740993},{"a":"9007199254740993"}]',
    ],
    ['either', '9007199254740992', '9007199254740992'],
  ])('of %s sent as %s comes back as %s', async (member, sent, back) => {
    const { ask } = await opened();
    expect(await roundTrip(ask, member, sent)).toBe(back);
  });

  test.each([
    ['ownerId', '4503599627370497.5', ': must be integer'],
    ['ownerId', '1.00000000000000000001', ': must be integer'],
    ['ownerId', '0.99999999999999999999', ': must be integer'],
    ['ownerId', '9007199254740993.5', ': must be integer'],
    ['ownerId', '1e-400', ': must be integer'],
    ['ownerId', '1.5', ': must be integer'],
    ['list', '[1,4503599627370497.5]', '[1]: must be integer'],
    ['ownerId', '9223372036854775808', ': must be an integer within int64'],
    ['ownerId', '-9223372036854775809', ': must be an integer within int64'],
    ['ownerId', '1e19', ': must be an integer within int64'],
    ['ownerId', '1e300', ': must be an integer within int64'],
    ['small', '9007199254740993', ': must be an integer within int32'],
    ['small', '2147483648', ': must be <= 2147483647'],
    ['text', '9007199254740993', ': must be string'],
    ['weight', '1e400', ': must be between -1.7976931348623157e+308 and 1.7976931348623157e+308'],
    ['free', '[-1e400]', '[0]: must be between -1.7976931348623157e+308 and 1.7976931348623157e+308'],
    [
      'count',
      `1${'0'.repeat(309)}`,
      ': must be between -1.7976931348623157e+308 and 1.7976931348623157e+308',
    ],
    ['high', '9007199254740993', ': must be <= 9007199254740992'],
    ['below', '9007199254740994', ': must be < 9007199254740994'],
    ['low', '-9007199254740993', ': must be >= -9007199254740992'],
    ['above', '-9007199254740994', ': must be > -9007199254740994'],
    ['even', '9007199254740993', ': must be multiple of 2'],
    ['maximum', '9007199254740993', ': must be <= 10'],
    ['some', '9007199254740993', ': must be one of 1, 9007199254740992, x'],
    ['only', '9007199254740993', ': must be equal to constant'],
    ['distinct', '[9007199254740993,9007199254740993]', /: must NOT have duplicate items/],
    ['distinct', '[1e22,1,10000000000000000000000]', /: must NOT have duplicate items/],
    [
      'sets',
      '[{"a":1,"b":[9007199254740993]},{"b":[9007199254740993],"a":1.0}]',
      /: must NOT have duplicate/,
    ],
    ['either', '9007199254740993', /: must be <= 9007199254740992/],
    ['not', '9007199254740993', /: must NOT be valid/],
  ])('of %s sent as %s is refused', async (member, sent, message) => {
    const { ask } = await refusing();
    const refusal = (await roundTrip(ask, member, sent)) ?? '';
    expect(refusal).toMatch(/^422 /);
    if (typeof message === 'string') expect(refusal).toBe(`422 body.${member}${message}`);
    else expect(refusal).toMatch(message);
    expect(await textOf(ask, '/things')).toEqual([200, '[]']);
  });
});

test('Thousands of distinct integers beyond 2^53 are compared in time', async () => {
  const { createMock } = await import('../src/index.ts');
  const mock = await createMock({ spec: THINGS, empty: true });
  const items = Array.from({ length: 50_000 }, (_, index) => 2n ** 53n + BigInt(index));
  const start = performance.now();
  const response = await mock.fetch('/things', send('POST', `{"distinct":[${items.join(',')}]}`));
  expect(response.status).toBe(201);
  // Comparing each with each takes half a minute.
  expect(performance.now() - start).toBeLessThan(5_000);
});

describeInProcess('an id beyond 2^53', ({ open }: Adapter) => {
  test('is stored, found, changed and deleted by its digits, and its neighbours are not there', async () => {
    const { ask } = await open({ spec: THINGS, empty: true });
    const made = await ask('/things', send('POST', '{"id":9007199254740993,"text":"a"}'));
    expect([made.status, made.headers.get('Location'), await made.text()]).toEqual([
      201,
      '/things/9007199254740993',
      '{"id":9007199254740993,"text":"a"}',
    ]);
    expect(await textOf(ask, '/things/9007199254740993')).toEqual([
      200,
      '{"id":9007199254740993,"text":"a"}',
    ]);
    expect(await textOf(ask, '/things')).toEqual([200, '[{"id":9007199254740993,"text":"a"}]']);
    for (const other of ['9007199254740992', '9007199254740994'])
      expect((await ask(`/things/${other}`)).status).toBe(404);
    expect((await ask('/things/9223372036854775808')).status).toBe(422);
    expect((await ask('/things', send('POST', '{"id":9007199254740992}'))).status).toBe(201);
    const changed = '{"id":9007199254740993,"text":"b","ownerId":9007199254740995}';
    expect(await textOf(ask, '/things/9007199254740993', send('PUT', changed))).toEqual([
      200,
      expect.stringContaining('"ownerId":9007199254740995'),
    ]);
    expect(
      await textOf(ask, '/things/9007199254740993', send('PATCH', '{"ownerId":9007199254740997}')),
    ).toEqual([200, expect.stringContaining('"ownerId":9007199254740997')]);
    const other = send('PATCH', '{"id":9007199254740992}');
    expect((await ask('/things/9007199254740993', other)).status).toBe(422);
    expect((await ask('/things/9007199254740993', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/things/9007199254740993')).status).toBe(404);
    expect((await ask('/things/9007199254740992')).status).toBe(200);
  });

  test('is made by a PUT under the digits of its path', async () => {
    const { ask } = await open({ spec: THINGS, empty: true });
    const made = await ask('/things/9007199254740993', send('PUT', '{"text":"a"}'));
    expect([made.status, await made.text()]).toEqual([201, expect.stringContaining('9007199254740993')]);
    expect((await ask('/things/9007199254740993')).status).toBe(200);
    expect((await ask('/things/9007199254740992')).status).toBe(404);
  });

  test.each(['9007199254740991', '9007199254740993', '9223372036854775807'])(
    'of %s leaves the next ids that the server gives unique',
    async (id) => {
      const { ask } = await open({ spec: THINGS, empty: true });
      const ids = new Set<string>();
      for (const body of [`{"id":${id}}`, '{}', '{}', '{}']) {
        const [status, text] = await textOf(ask, '/things', send('POST', body));
        expect(status).toBe(201);
        ids.add(/"id":(\d+)/.exec(text)?.[1] ?? '');
      }
      expect(ids.size).toBe(4);
      for (const each of ids) expect((await ask(`/things/${each}`)).status).toBe(200);
    },
  );

  test('is refused where no path can name it', async () => {
    const spec = toDocument(toCrud('/things', inPath('id'), toObject({ id: INTEGER })));
    const { ask } = await open({ spec, empty: true });
    for (const id of ['9223372036854775808', '1e21']) {
      const [status, text] = await textOf(ask, '/things', send('POST', `{"id":${id}}`));
      expect([status, text]).toEqual([422, expect.stringContaining('must be an integer within int64')]);
    }
    expect(await textOf(ask, '/things')).toEqual([200, '[]']);
  });

  test('names a parent', async () => {
    const owner = toObject({ id: INT64 });
    const toy = toObject({ id: INT64, ownerId: INT64 });
    const spec = toDocument({
      ...toCrud('/owners', inPath('ownerId', INT64), owner),
      ...toCrud('/owners/{ownerId}/toys', inPath('toyId', INT64), toy, {
        above: [inPath('ownerId', INT64)],
      }),
    });
    const { ask } = await open({ spec, empty: true });
    for (const id of ['9007199254740992', '9007199254740993'])
      expect((await ask('/owners', send('POST', `{"id":${id}}`))).status).toBe(201);
    const made = await ask('/owners/9007199254740993/toys', send('POST', '{"id":9007199254740995}'));
    expect([made.status, made.headers.get('Location'), await made.text()]).toEqual([
      201,
      '/owners/9007199254740993/toys/9007199254740995',
      '{"id":9007199254740995,"ownerId":9007199254740993}',
    ]);
    expect(await textOf(ask, '/owners/9007199254740992/toys')).toEqual([200, '[]']);
  });

  const opened = once(async () => {
    const { ask } = await open({ spec: THINGS, empty: true });
    for (const id of ['1', '7', '1000', '9007199254740993'])
      await ask('/things', send('POST', `{"id":${id}}`));
    return ask;
  });

  test.each(['1e3', '0x7', '7.0', '%2B7', '007', '+7', '%207', '9007199254740993.0', '9007199254740993e0'])(
    'is not written as %s',
    async (id) => {
      expect((await (await opened())(`/things/${id}`)).status).toBe(422);
    },
  );
});

describeInProcess('a list with integers beyond 2^53', ({ open }: Adapter) => {
  const OWNERS = ['9007199254740995', '5', '9007199254740993', '9007199254740992', '-9007199254740993'];

  const fill = once(async () => {
    const { ask } = await open({ spec: THINGS, empty: true });
    for (const owner of OWNERS) await ask('/things', send('POST', `{"ownerId":${owner}}`));
    return ask;
  });

  async function ownersOf(ask: Ask, query: string): Promise<string[]> {
    const [status, text] = await textOf(ask, `/things?${query}`);
    expect(status).toBe(200);
    return [...text.matchAll(/"ownerId":(-?\d+)/g)].map(([, owner = '']) => owner);
  }

  test('is filtered by their digits', async () => {
    const ask = await fill();
    for (const owner of OWNERS) expect(await ownersOf(ask, `ownerId=${owner}`)).toEqual([owner]);
    expect(await ownersOf(ask, 'ownerId=9007199254740994')).toEqual([]);
  });

  test('is sorted by their size', async () => {
    const ask = await fill();
    const sorted = [...OWNERS].sort((a, b) => Number(BigInt(a) - BigInt(b)));
    expect(await ownersOf(ask, 'sort=ownerId')).toEqual(sorted);
    expect(await ownersOf(ask, 'sort=-ownerId')).toEqual(sorted.toReversed());
  });

  test.each(['limit', 'offset', 'ownerId', 'small'])('takes no %s beyond its integers', async (name) => {
    const ask = await fill();
    for (const value of ['9223372036854775808', '-9223372036854775809', `1${'0'.repeat(400)}`])
      expect((await ask(`/things?${name}=${value}`)).status).toBe(422);
  });

  test('takes a number of any size where the document says number', async () => {
    const ask = await fill();
    for (const value of ['1e300', '12345678901234567890123', '0.1'])
      expect(await textOf(ask, `/things?weight=${value}`)).toEqual([200, '[]']);
    expect((await ask('/things?weight=1e400')).status).toBe(422);
  });

  test.each([
    'limit=9007199254740993',
    'limit=9223372036854775807',
    'limit=2&offset=9007199254740993',
    'limit=2&offset=9223372036854775807',
    'limit=9223372036854775807&offset=9223372036854775807',
    'limit=2&ownerId=9007199254740993',
  ])('links to pages that can be asked for: %s', async (query) => {
    const ask = await fill();
    const response = await ask(`/things?${query}`);
    expect(response.status).toBe(200);
    const links = [...(response.headers.get('Link') ?? '').matchAll(/<([^>]+)>/g)].map(
      ([, link = '']) => link,
    );
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect([link, (await ask(link)).status]).toEqual([link, 200]);
  });
});

describeInProcess('a page number beyond 2^53', ({ open }: Adapter) => {
  test.each(['page=9223372036854775807&size=9', 'page=9223372036854775807&size=9223372036854775807'])(
    'links to pages that can be asked for: %s',
    async (query) => {
      const parameters = [inQuery('page', INTEGER), inQuery('size', INTEGER)];
      const spec = toDocument(
        toCrud('/things', inPath('id'), toObject({ id: INTEGER }), { query: parameters }),
      );
      const { ask } = await open({ spec, empty: true });
      await ask('/things', send('POST', '{}'));
      const response = await ask(`/things?${query}`);
      expect(response.status).toBe(200);
      const links = [...(response.headers.get('Link') ?? '').matchAll(/<([^>]+)>/g)].map(
        ([, link = '']) => link,
      );
      expect(links.length).toBeGreaterThan(1);
      for (const link of links) expect([link, (await ask(link)).status]).toEqual([link, 200]);
    },
  );
});

describeInProcess('an integer beyond 2^53 in another media type', ({ open }: Adapter) => {
  const FIELDS = toObject({ id: INT64, ownerId: INT64, count: INTEGER, weight: NUMBER, list: toList(INT64) });
  const content = (...types: string[]) =>
    Object.fromEntries(types.map((type) => [type, { schema: { ...FIELDS, xml: { name: 'thing' } } }]));
  const XML = 'application/xml';
  const FORM = 'application/x-www-form-urlencoded';
  const spec = toDocument({
    '/things': {
      post: {
        responses: { 201: { description: 'Done', content: content('application/json', XML) } },
        requestBody: { content: content(XML, FORM, 'multipart/form-data', 'application/json') },
      },
    },
    '/things/{id}': {
      parameters: [inPath('id', INT64)],
      get: { responses: { 200: { description: 'Done', content: content('application/json', XML) } } },
    },
  });

  test.each([
    [FORM, 'ownerId=9007199254740993&weight=9007199254740995&list=9007199254740997'],
    [FORM, 'ownerId=9007199254740993&weight=9007199254740995&list=%5B9007199254740997%5D'],
    [
      XML,
      '<thing><ownerId>9007199254740993</ownerId><weight>9007199254740995</weight><list>9007199254740997</list></thing>',
    ],
    [
      'multipart/form-data; boundary=b',
      ['ownerId', 'weight', 'list']
        .map(
          (name, at) =>
            `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${9007199254740993n + 2n * BigInt(at)}\r\n`,
        )
        .join('')
        .concat('--b--\r\n'),
    ],
  ])('is read and written by its digits: %s', async (type, body) => {
    const { ask } = await open({ spec, empty: true });
    const made = await ask('/things', send('POST', body, type));
    const location = made.headers.get('Location') ?? '';
    expect([made.status, await made.text()]).toEqual([
      201,
      expect.stringMatching(
        /"ownerId":9007199254740993,"weight":9007199254740995,"list":\[9007199254740997\]/,
      ),
    ]);
    const xml = await (await ask(location, { headers: { Accept: XML } })).text();
    expect(xml).toContain('<ownerId>9007199254740993</ownerId>');
    expect(xml).toContain('<list>9007199254740997</list>');
  });

  test.each([
    [FORM, 'ownerId=9223372036854775808'],
    [FORM, `count=1${'0'.repeat(309)}`],
    [FORM, 'ownerId=1e3'],
    [XML, '<thing><ownerId>9223372036854775808</ownerId></thing>'],
    [XML, '<thing><ownerId>4503599627370497.5</ownerId></thing>'],
  ])('is refused where it does not fit: %s %s', async (type, body) => {
    const { ask } = await open({ spec, empty: true });
    expect((await ask('/things', send('POST', body, type))).status).toBe(422);
  });
});

describeInProcess('the pet store', ({ open }: Adapter) => {
  test('counts a stock beyond 2^53 to the unit', async () => {
    const { ask } = await open();
    const quantityOf = async (init?: RequestInit) => {
      const [status, text] = await textOf(ask, '/store/inventory/1', init);
      return [status, /"quantity":(\d+)/.exec(text)?.[1]];
    };
    const order = (quantity: string) =>
      ask('/store/orders', send('POST', `{"petId":1,"quantity":${quantity}}`));
    const stock = '{"quantity":9007199254740993}';
    expect(await quantityOf(send('PUT', stock))).toEqual([200, '9007199254740993']);
    const placed = await order('1');
    expect(placed.status).toBe(201);
    expect(await quantityOf()).toEqual([200, '9007199254740992']);
    expect((await order('9007199254740993')).status).toBe(409);
    const change = send('PATCH', '{"quantity":9007199254740993}');
    expect((await ask(placed.headers.get('Location') ?? '', change)).status).toBe(200);
    expect(await quantityOf()).toEqual([200, '0']);
    const restock = send('PUT', '{"quantity":9223372036854775807}');
    expect((await quantityOf(restock))[0]).toBe(200);
    expect((await ask(placed.headers.get('Location') ?? '', { method: 'DELETE' })).status).toBe(204);
    expect(await quantityOf()).toEqual([200, '9232379236109516800']);
    expect((await quantityOf(send('PUT', '{"quantity":-9007199254740993}')))[0]).toBe(422);
  });
});

test('A bigint is written as digits even if the host writes it as something else', async () => {
  const prototype = BigInt.prototype as { toJSON?: () => string };
  prototype.toJSON = () => 'host';
  try {
    const text = '{"id":1,"free":[9007199254740993,{"a":null,"__proto__":[true,"x\\n"]}]}';
    const { createMock } = await import('../src/index.ts');
    const mock = await createMock({ spec: THINGS, empty: true });
    expect(await textOf(mock.fetch, '/things', send('POST', text))).toEqual([201, text]);
    expect(await textOf(mock.fetch, '/things')).toEqual([200, `[${text}]`]);
  } finally {
    delete prototype.toJSON;
  }
});

/** JSON as clients write it: integers of up to 64 bits in digits, doubles as JavaScript writes them. */
const leaf = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('9007199254740991', '9007199254740992', '9007199254740993', '1e+21', 'null', 'true'),
  fc
    .string({ unit: fc.constantFrom('"', '\\', '1', '9', 'e', '-', '.', ' ', ',', ':', '[') })
    .map((text) => JSON.stringify(text)),
);
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.oneof(fc.string(), fc.constantFrom('__proto__', '1e16', '12345678901234567890')),
          tie('value'),
        ),
        {
          maxLength: 4,
          selector: ([name]) => name,
        },
      )
      // JavaScript puts names that are numbers first.
      .map((members) => members.filter(([name]) => !/^\d/.test(name) || name.length > 15))
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
})).value;

test('Any JSON of int64 integers and doubles comes back as the same text', async () => {
  const { createMock } = await import('../src/index.ts');
  const mock = await createMock({ spec: THINGS, empty: true });
  await fc.assert(
    fc.asyncProperty(jsonText, async (text) => {
      lastId += 1;
      const body = `{"id":${lastId},"free":${text}}`;
      expect(await textOf(mock.fetch, '/things', send('POST', body))).toEqual([201, body]);
      expect(await textOf(mock.fetch, `/things/${lastId}`)).toEqual([200, body]);
    }),
    { numRuns: 500 },
  );
}, 60_000);

describe('The JSON of a client', () => {
  const anything = toShape(undefined);
  const read = (text: string) => readJson(text, anything, 'body');

  test('is what JSON.parse reads where its numbers are ordinary', () => {
    // The long string sends each text through the exact reader.
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.boolean(), (value, padded) => {
        const text = JSON.stringify(value, undefined, padded ? 2 : 0);
        const expected: unknown = JSON.parse(text);
        const around = `{"a":"1234567890123456","b":${text}}`;
        const ordinary = !/\d{16}|e\+/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''));
        if (!ordinary) return;
        expect(read(text)).toEqual({ value: expected });
        expect(read(around)).toEqual({ value: { a: '1234567890123456', b: expected } });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['{"a":1,"a":9007199254740993}', { a: 9007199254740993n }],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['9007199254740993', 9007199254740993n],
    [' -9007199254740993 ', -9007199254740993n],
    ['["9007199254740993\\"",9007199254740993]', ['9007199254740993"', 9007199254740993n]],
    ['["\\\\",9007199254740993,"\\\\\\""]', ['\\', 9007199254740993n, '\\"']],
    ['[9007199254740992,9007199254740994,-9007199254740992]', [2n ** 53n, 2n ** 53n + 2n, -(2n ** 53n)]],
    ['[1e16,1E16,1e+16,10000000000000000]', [10n ** 16n, 10n ** 16n, 10n ** 16n, 10n ** 16n]],
    ['[1e21,-1.5e300,0e999999999,0.0e-999999999]', [1e21, -1.5e300, 0, 0]],
    [`[${'0.'.padEnd(400, '0')}1]`, [0]],
    ['[12345678901234567890.5]', [12345678901234567000]],
    ['[9999999999999984e6,9007199254740993e6]', [9999999999999984000000n, 9007199254740993e6]],
  ])('is read exactly: %s', (text, value) => {
    expect(read(text)).toEqual({ value });
  });

  test('keeps __proto__ as an ordinary member', () => {
    const reading = read('{"__proto__":9007199254740993,"a":{"__proto__":{"b":9007199254740995}}}');
    const value = 'value' in reading ? (reading.value as Record<string, unknown>) : {};
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe(9007199254740993n);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    '[9007199254740993',
    '{"a":09007199254740993}',
    '[+9007199254740993]',
    '[9007199254740993.]',
    '[.9007199254740993]',
    '["9007199254740993]',
    '[9007199254740993e]',
    '[9007199254740993,]',
    '9007199254740993 1',
    '-',
  ])('is refused in the words of JSON.parse: %s', (text) => {
    const messageOf = (parse: (text: string) => unknown) => {
      try {
        return parse(text);
      } catch (error) {
        return String(error);
      }
    };
    expect(messageOf(read)).toBe(messageOf(JSON.parse));
    expect(messageOf(JSON.parse)).toMatch(/^SyntaxError/);
  });

  test.each([201, 100_000])('does not nest %i levels with a long integer below', (levels) => {
    const text = `${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`;
    expect(read(text)).toMatchObject({ violation: { message: 'must not nest deeper than 200 levels' } });
  });

  test.each<[string, (size: number) => string]>([
    ['long integers', (size) => `[${'9007199254740993,'.repeat(size / 17)}1]`],
    ['exponents', (size) => `[${'1e300,'.repeat(size / 6)}1]`],
    ['short numbers', (size) => `[${'1,'.repeat(size / 2)}9007199254740993]`],
    ['empty strings', (size) => `[${'"",'.repeat(size / 3)}9007199254740993]`],
    ['quotes in a string', (size) => `["${'\\"'.repeat(size / 2)}",9007199254740993]`],
    ['backslashes in a string', (size) => `["${'\\\\'.repeat(size / 2)}",9007199254740993]`],
    ['zeros in one number', (size) => `[1.${'0'.repeat(size)}]`],
    ['zeros before one digit', (size) => `[0.${'0'.repeat(size)}1]`],
    ['a string of digits', (size) => `["${'123456789012345 '.repeat(size / 16)}",9007199254740993]`],
    ['one string without an end', (size) => `"${'9'.repeat(size)}`],
  ])('takes time in proportion to its length: %s', (_, make) => {
    const timeOf = (size: number) => {
      const text = make(size);
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        try {
          read(text);
        } catch {
          // Malformed texts are timed too.
        }
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    timeOf(2 ** 12);
    // Ten times what a linear reader needs for eight times as much; a quadratic one needs 64 times.
    expect(timeOf(2 ** 20)).toBeLessThan(8 * 5 * timeOf(2 ** 17) + 100);
  });
});
