import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Ask, closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  type Node,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toList,
  toObject,
  toOperation,
} from './support/small-documents.ts';

const THING = toObject({ id: INTEGER, name: TEXT }, 'id');
const INPUT = toObject({ name: TEXT });
const SETTING = toObject({ name: TEXT });
const SPEC = toDocument({
  ...toCrud('/things', inPath('id'), THING, { input: INPUT }),
  ...toCrud('/owners', inPath('ownerId'), THING, { input: INPUT }),
  ...toCrud('/owners/{ownerId}/toys', inPath('id'), THING, { input: INPUT, above: [inPath('ownerId')] }),
  '/setting': {
    get: toOperation(toAnswer(200, SETTING)),
    put: toOperation({ ...toAnswer(200, SETTING), ...toAnswer(201, SETTING) }, SETTING),
    patch: toOperation(toAnswer(200, SETTING), { type: 'object' }),
    delete: toOperation(toAnswer(204)),
  },
});

afterEach(closeAll);

type Entity = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body: unknown];

interface Step {
  readonly method: string;
  readonly place: 'thing' | 'owner' | 'toy' | 'setting';
  readonly owner: number;
  readonly id: number;
  readonly all: boolean;
  readonly name: string;
}

const steps = fc.array(
  fc.record<Step>({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    place: fc.constantFrom('thing', 'owner', 'toy', 'toy', 'setting'),
    owner: fc.integer({ min: 1, max: 3 }),
    id: fc.integer({ min: 1, max: 4 }),
    all: fc.boolean(),
    name: fc.constantFrom('a', 'b', '__proto__'),
  }),
  { minLength: 5, maxLength: 40 },
);

/** What the documents says of these paths, kept in plain Maps. */
function createModel(): (step: Step) => Answer | undefined {
  const collections = new Map<string, Map<number, Entity>>();
  const next = new Map<string, number>();
  let setting: Entity | undefined;
  const collectionOf = (name: string) => {
    const known = collections.get(name) ?? new Map<number, Entity>();
    collections.set(name, known);
    return known;
  };
  const onSetting = ({ method, name }: Step): Answer | undefined => {
    if (method === 'POST') return undefined;
    if (method === 'PUT') {
      const status = setting ? 200 : 201;
      setting = { name };
      return [status, setting];
    }
    if (!setting) return [404, 'setting_not_found'];
    if (method === 'PATCH') setting = { ...setting, name };
    const shown = setting;
    if (method === 'DELETE') setting = undefined;
    return method === 'DELETE' ? [204, undefined] : [200, shown];
  };
  const onOne = (entities: Map<number, Entity>, step: Step, kind: string): Answer => {
    const { method, id, name } = step;
    const known = entities.get(id);
    if (method === 'PUT') {
      entities.set(id, { id, name });
      next.set(kind, Math.max(next.get(kind) ?? 1, id + 1));
      return [known ? 200 : 201, { id, name }];
    }
    if (!known) return [404, `${kind}_not_found`];
    if (method === 'PATCH') entities.set(id, { ...known, name });
    if (method !== 'DELETE') return [200, entities.get(id)];
    entities.delete(id);
    if (kind === 'owner') collections.delete(`toy ${id}`);
    return [204, undefined];
  };
  return (step) => {
    const { method, place, owner, all, name } = step;
    if (place === 'setting') return onSetting(step);
    if (place === 'toy' && !collectionOf('owner').has(owner)) return [404, 'owner_not_found'];
    const entities = collectionOf(place === 'toy' ? `toy ${owner}` : place);
    if (method !== 'POST' && (!all || method !== 'GET')) return onOne(entities, step, place);
    // Lists are in the order in which entities came.
    if (method === 'GET') return [200, [...entities.values()]];
    const id = next.get(place) ?? 1;
    next.set(place, id + 1);
    entities.set(id, { id, name });
    return [201, { id, name }];
  };
}

async function perform(ask: Ask, { method, place, owner, id, all, name }: Step): Promise<Answer> {
  const collection = {
    thing: '/things',
    owner: '/owners',
    toy: `/owners/${owner}/toys`,
    setting: '/setting',
  }[place];
  const whole = place === 'setting' || method === 'POST' || (all && method === 'GET');
  const response = await ask(
    whole ? collection : `${collection}/${id}`,
    ['POST', 'PUT', 'PATCH'].includes(method) ? json(method, { name }) : { method },
  );
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return [response.status, response.ok ? body : body.code];
}

describeAdapters('any sequence of requests', ({ open, name }) => {
  test('leaves what plain Maps would hold', async () => {
    const { ask, mock } = await open({ spec: SPEC, empty: true });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        mock.reset();
        const model = createModel();
        for (const step of sequence) {
          const expected = model(step);
          if (expected) expect([step, await perform(ask, step)]).toEqual([step, expected]);
        }
      }),
      { numRuns: name === 'in process' ? 150 : 25, seed: 1 },
    );
  });
});

const PAGED: readonly [style: string, parameters: readonly Node[], length: string][] = [
  ['page and per_page', [inQuery('page', INTEGER), inQuery('per_page', INTEGER)], 'per_page'],
  [
    'page from 0 and size',
    [inQuery('page', { type: 'integer', minimum: 0 }), inQuery('size', INTEGER)],
    'size',
  ],
  ['offset and limit', [inQuery('offset', INTEGER), inQuery('limit', INTEGER)], 'limit'],
  ['skip and take', [inQuery('skip', INTEGER), inQuery('take', INTEGER)], 'take'],
  ['cursor and limit', [inQuery('cursor'), inQuery('limit', INTEGER)], 'limit'],
  ['starting_after and limit', [inQuery('starting_after'), inQuery('limit', INTEGER)], 'limit'],
  [
    'page[number] and page[size]',
    [inQuery('page[number]', INTEGER), inQuery('page[size]', INTEGER)],
    'page[size]',
  ],
];

describeInProcess('a paged list', ({ open }) => {
  test.each(PAGED)(
    'by %s shows each entity once on the way on and on the way back',
    async (_, parameters, length) => {
      const wrapped = toObject(
        { data: toList(THING), total: INTEGER, has_more: { type: 'boolean' } },
        'data',
        'total',
        'has_more',
      );
      const paths = toCrud('/things', inPath('id'), THING, { input: INPUT });
      const spec = toDocument({
        ...paths,
        '/things': {
          ...(paths['/things'] as Node),
          get: toOperation(toAnswer(200, wrapped), undefined, parameters),
        },
      });
      const { ask, mock } = await open({ spec, empty: true });
      const walk = async (first: string, relation: string) => {
        const pages: number[][] = [];
        for (let path: string | undefined = first; path !== undefined && pages.length < 20; ) {
          const response: Response = await ask(path);
          const { data, total, has_more } = (await response.json()) as {
            data: { id: number }[];
            total: number;
            has_more: boolean;
          };
          const link = response.headers.get('Link') ?? '';
          expect([path, total, has_more]).toEqual([path, total, link.includes('rel="next"')]);
          pages.push(data.map(({ id }) => id));
          path = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link)?.[1];
        }
        return pages;
      };
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 1, max: 5 }),
          async (count, size) => {
            mock.reset();
            for (let id = 1; id <= count; id++) await ask(`/things/${id}`, json('PUT', {}));
            const ids = Array.from({ length: count }, (_, index) => index + 1);
            const first = `/things?${encodeURIComponent(length)}=${size}`;
            expect((await walk(first, 'next')).flat()).toEqual(ids);
            const link = (await ask(first)).headers.get('Link') ?? '';
            const last = /<([^>]*)>; rel="last"/.exec(link)?.[1] ?? '';
            expect((await walk(last, 'prev')).reverse().flat()).toEqual(ids);
          },
        ),
        { numRuns: 12, seed: 1 },
      );
    },
  );

  test.each<[query: string, status: number, ids: readonly number[]]>([
    ['limit=0', 200, []],
    ['limit=-1', 200, []],
    ['limit=1e9', 422, []],
    ['limit=1000000000', 200, [1, 2, 3]],
    ['limit=99999999999999999999', 422, []],
    ['limit=', 422, []],
    ['limit=2&limit=3', 422, []],
    ['offset=-5', 200, [1, 2, 3]],
    ['offset=1000', 200, []],
    ['page=0', 200, [1, 2, 3]],
    ['page=-1', 200, [1, 2, 3]],
    ['page=1000000000000', 200, []],
    ['cursor=', 200, [1, 2, 3]],
    ['cursor=2', 200, [3]],
    ['cursor=abc', 422, []],
    ['cursor=__proto__', 422, []],
    [`cursor=${Buffer.from('page from 1').toString('base64url')}`, 200, [2, 3]],
    [`cursor=${Buffer.from('page from -1').toString('base64url')}`, 422, []],
    [`cursor=${Buffer.from('page from 1e9').toString('base64url')}`, 422, []],
    ['sort=-id', 200, [3, 2, 1]],
    ['sort=__proto__', 422, []],
    ['sort=toString', 422, []],
    ['sort=,', 422, []],
    ['unknown=1', 200, [1, 2, 3]],
  ])('asked for by ?%s answers %i', async (query, status, ids) => {
    const parameters = ['limit', 'offset', 'page'].map((name) => inQuery(name, INTEGER));
    const paths = (own: readonly Node[]) =>
      toDocument(toCrud('/things', inPath('id'), THING, { input: INPUT, query: own }));
    const paged = /^page/.test(query) ? parameters : parameters.slice(0, 2);
    const { ask } = await open({
      spec: paths([...paged, inQuery('cursor'), inQuery('sort')]),
      empty: true,
    });
    for (let id = 1; id <= 3; id++) await ask(`/things/${id}`, json('PUT', {}));
    const response = await ask(`/things?${query}`);
    const body = (await response.json()) as { id: number }[];
    expect([response.status, response.ok ? body.map(({ id }) => id) : []]).toEqual([status, ids]);
  });

  test('of no length leads nowhere', async () => {
    const query = [inQuery('limit', INTEGER), inQuery('offset', INTEGER)];
    const { ask } = await open({ spec: toDocument(toCrud('/things', inPath('id'), THING, { query })) });
    const response = await ask('/things?limit=0');
    expect([response.status, response.headers.get('Link')]).toEqual([
      200,
      expect.not.stringContaining('next'),
    ]);
  });

  test('is filtered by properties in the style that the document has for them', async () => {
    const entity = toObject(
      {
        id: INTEGER,
        tags: toList(TEXT),
        at: toObject({ city: TEXT }),
        ok: { type: 'boolean' },
        note: { type: 'string', nullable: true },
      },
      'id',
    );
    const query = [
      inQuery('tags', toList(TEXT), { style: 'pipeDelimited', explode: false }),
      inQuery('at', toObject({ city: TEXT }), { style: 'deepObject', explode: true }),
      inQuery('ok', { type: 'boolean' }),
      inQuery('q'),
      inQuery('sort'),
    ];
    const { ask } = await open({
      spec: toDocument(toCrud('/things', inPath('id'), entity, { query })),
      empty: true,
    });
    const things = [
      { id: 1, tags: ['a', 'b'], at: { city: 'X' }, ok: true, note: 'zoo' },
      { id: 2, tags: ['c'], at: { city: 'Y' }, ok: false, note: null },
      { id: 3, tags: [], at: { city: 'X' }, ok: false, note: 'Bee' },
    ];
    for (const thing of things) await ask('/things', json('POST', thing));
    for (const [asked, ids] of [
      ['tags=a%7Cc', [1, 2]],
      ['tags=b', [1]],
      ['at[city]=X', [1, 3]],
      ['at[city]=X&ok=false', [3]],
      ['at[city]=Z', []],
      ['ok=true', [1]],
      ['q=ZOO', [1]],
      ['q=%00', []],
      ['sort=note', [3, 1, 2]],
    ] as const) {
      const found = (await (await ask(`/things?${asked}`)).json()) as { id: number }[];
      expect.soft([asked, found.map(({ id }) => id)]).toEqual([asked, ids]);
    }
  });
});
