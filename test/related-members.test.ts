import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { answerOf, create } from './support/asking.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(async () => {
  vi.useRealTimers();
  await closeAll();
});

// biome-ignore lint/suspicious/noExplicitAny: the members are those of the schemas below, and a wrong type fails a test.
type Thing = any;

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const INTEGER = { type: 'integer' };
const TIME = { ...TEXT, format: 'date-time' };
const DAY = { ...TEXT, format: 'date' };
const MAYBE = { ...TIME, nullable: true };
const SEEDS = [1, 2, 3, 4, 5];

function toObject(properties: object, more: object = {}): object {
  return { type: 'object', required: Object.keys(properties), properties, ...more };
}

function toList(properties: object): object {
  return { type: 'array', minItems: 2, items: toObject(properties) };
}

const LINES = toList({ price: NUMBER, quantity: INTEGER });

/** Values of an object with these properties: made up for an answer without state, and the first entities of a collection. */
async function make(properties: object): Promise<Thing[]> {
  const thing = toObject({ id: INTEGER, ...properties });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: INTEGER }];
  const spec = documentOf({
    '/things/made': { post: { responses: jsonAnswer(toObject(properties)) } },
    '/things': { get: { responses: jsonAnswer({ type: 'array', items: thing }) } },
    '/things/{id}': { parameters, get: { responses: jsonAnswer(thing) } },
  });
  const values = await Promise.all(
    SEEDS.map(async (seed) => {
      const { fetch } = await createMock({ spec, seed });
      const made = await fetch('/things/made', { method: 'POST' });
      const list = (await (await fetch('/things')).json()) as Thing[];
      return [(await made.json()) as Thing, ...list];
    }),
  );
  return values.flat();
}

function sumOf(lines: readonly Thing[], price = 'price'): number {
  return Number(lines.reduce((sum, line) => sum + line[price] * line.quantity, 0).toFixed(2));
}

describe('members of one object agree', () => {
  test.each<[what: string, properties: object, holds: (thing: Thing) => boolean]>([
    [
      'a change follows the creation, and a publication lies between',
      { updatedAt: TIME, createdAt: TIME, publishedAt: TIME },
      ({ createdAt, publishedAt, updatedAt }) => createdAt <= publishedAt && publishedAt <= updatedAt,
    ],
    [
      'days and times, too',
      { updated_on: DAY, created_at: TIME },
      ({ created_at, updated_on }) => String(created_at).slice(0, 10) <= updated_on,
    ],
    [
      'a start comes before its end',
      { end_date: DAY, start_date: DAY },
      (each) => each.start_date < each.end_date,
    ],
    [
      'an arrival comes before its departure',
      { check_out: DAY, check_in: DAY },
      (each) => each.check_in < each.check_out,
    ],
    [
      'a shop opens before it closes',
      { close_time: TEXT, open_time: TEXT },
      (each) => each.open_time < each.close_time,
    ],
    [
      'nothing was deleted',
      { deleted_at: MAYBE, archivedAt: MAYBE },
      (each) => each.deleted_at === null && each.archivedAt === null,
    ],
    [
      'what was deleted has the time of it',
      { is_deleted: { type: 'boolean' }, deleted_at: MAYBE, updated_at: TIME },
      ({ is_deleted, deleted_at }) => is_deleted === (deleted_at !== null),
    ],
    [
      'a state has its time, and those before it',
      {
        status: { ...TEXT, enum: ['open', 'paid', 'shipped'] },
        paid_at: MAYBE,
        shipped_at: MAYBE,
        updated_at: TIME,
      },
      ({ status, paid_at, shipped_at }) =>
        (paid_at === null) === (status === 'open') && (shipped_at === null) === (status !== 'shipped'),
    ],
    [
      'a count is that of its list',
      {
        comments: toList({ text: TEXT }),
        comments_count: INTEGER,
        tags: { type: 'array', items: TEXT },
        numTags: INTEGER,
      },
      ({ comments, comments_count, tags, numTags }) =>
        comments_count === comments.length && numTags === tags.length,
    ],
    [
      'a page has what it counts',
      { data: toList({ text: TEXT }), total: INTEGER, page: INTEGER, hasMore: { type: 'boolean' } },
      ({ id, data, total, page, hasMore }) =>
        // An entity is no page.
        id !== undefined || (total === data.length && page === 1 && !hasMore),
    ],
    [
      'a total is the sum of the lines',
      { total: NUMBER, items: LINES },
      ({ total, items }) => total === sumOf(items),
    ],
    [
      'a total is a text where the document has amounts as texts',
      { grand_total: TEXT, order_items: toList({ unit_price: TEXT, quantity: INTEGER }) },
      ({ grand_total, order_items }) => grand_total === sumOf(order_items, 'unit_price').toFixed(2),
    ],
    [
      'tax comes on top of a subtotal',
      { subtotal: NUMBER, tax: NUMBER, total: NUMBER, lines: LINES },
      ({ subtotal, tax, total, lines }) =>
        subtotal === sumOf(lines) && total === Number((Number(subtotal) + Number(tax)).toFixed(2)),
    ],
    [
      'a line has the price of the thing in it',
      { items: toList({ product: toObject({ price: NUMBER }), quantity: INTEGER, lineTotal: NUMBER }) },
      ({ items }) =>
        (items as Thing[]).every(
          ({ product, quantity, lineTotal }) => lineTotal === Number((product.price * quantity).toFixed(2)),
        ),
    ],
    [
      'the ends of a range are in order',
      { max_price: NUMBER, minPrice: NUMBER },
      (each) => each.minPrice <= each.max_price,
    ],
    [
      'a slug is that of the title',
      { slug: TEXT, title: TEXT },
      ({ slug, title }) => String(slug).startsWith(toWords(title)),
    ],
    [
      'a town is in its country',
      { city: TEXT, country: TEXT, country_code: TEXT },
      ({ city, country, country_code }) => city !== 'Lyon' || (country === 'France' && country_code === 'FR'),
    ],
    [
      'a whole has one currency',
      { currency: TEXT, price: toObject({ amount: NUMBER, currency: TEXT }) },
      ({ currency, price }) => /^[A-Z]{3}$/.test(currency) && price.currency === currency,
    ],
    [
      'a share is at most the whole',
      {
        progress: NUMBER,
        discount_percent: INTEGER,
        done_pct: NUMBER,
        taxRate: { ...NUMBER, minimum: 0, maximum: 1 },
      },
      (each) =>
        [each.progress, each.discount_percent, each.done_pct].every((share) => share >= 0 && share <= 100) &&
        each.taxRate <= 1,
    ],
  ])('%s', async (_, properties, holds) => {
    for (const thing of await make(properties)) expect([thing, holds(thing)]).toEqual([thing, true]);
  });

  test.each<[what: string, properties: object, wanted: object]>([
    ['a limit', { items: LINES, total: { ...NUMBER, maximum: 0.5 } }, { total: expect.any(Number) }],
    [
      'an enum',
      { comments: toList({ text: TEXT }), comments_count: { ...INTEGER, enum: [77] } },
      { comments_count: 77 },
    ],
    [
      'a pattern',
      { title: TEXT, slug: { ...TEXT, pattern: '^[A-Z]{4}$' } },
      { slug: expect.stringMatching(/^[A-Z]{4}$/) },
    ],
    [
      'a book, which is no page',
      { id: INTEGER, name: TEXT, pages: { ...INTEGER, minimum: 30 }, authors: toList({ text: TEXT }) },
      { pages: expect.any(Number) },
    ],
  ])('unless the schema says otherwise, as %s does', async (_, properties, wanted) => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    for (const thing of await make(properties)) {
      expect(ajv.validate(toObject(properties), thing)).toBe(true);
      expect(thing).toMatchObject(wanted);
    }
  });

  test('but an example stays as it is', async () => {
    const [made] = await make({ items: LINES, total: { ...NUMBER, example: 12.5 } });
    expect(made).toMatchObject({ total: 12.5 });
  });
});

function toWords(title: string): string {
  return (
    title
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-') ?? ''
  );
}

const DOCUMENT = 'test/documents/related-members.yaml';

async function listOf(ask: Ask, path: string): Promise<Thing[]> {
  const [status, body] = await answerOf(ask, path);
  expect([path, status]).toEqual([path, 200]);
  return (Array.isArray(body) ? body : (body as { data: unknown }).data) as Thing[];
}

describeInProcess('a service', ({ open }) => {
  test('shows the same entity in its collection and inside others', async () => {
    const { ask } = await open({ spec: DOCUMENT });
    const orders = await listOf(ask, '/orders');
    expect(orders.length).toBeGreaterThan(0);
    for (const { customer } of orders)
      expect(await answerOf(ask, `/customers/${customer.id}`)).toEqual([200, customer]);
    const order = await create(ask, '/orders', { items: [{ name: 'Tea', unit_price: 1, quantity: 1 }] });
    const { id } = order.customer as { id: number };
    expect(await answerOf(ask, `/customers/${id}`)).toEqual([200, order.customer]);
  });

  test('shows first entities in answers without state, unless a client asks for other values', async () => {
    const { ask } = await open({ spec: DOCUMENT });
    const [, shown] = (await answerOf(ask, '/dashboard')) as [number, Thing];
    const first = (await listOf(ask, '/customers')).slice(0, shown.customersCount);
    expect(shown).toMatchObject({ customers: first, customersCount: first.length });
    expect(await answerOf(ask, `/orders/${shown.latestOrder.id}`)).toEqual([200, shown.latestOrder]);
    const [, other] = await answerOf(ask, '/dashboard', { headers: { Prefer: 'dynamic=true' } });
    expect(other).not.toMatchObject({ customers: first });
  });

  test('counts and sums the list of a client, and leaves what the client says', async () => {
    const { ask } = await open({ spec: DOCUMENT });
    const items = [
      { name: 'Tea', unit_price: 2.1, quantity: 3 },
      { name: 'Cake', unit_price: 4, quantity: 1 },
    ];
    const order = await create(ask, '/orders', { items });
    expect(order).toMatchObject({ items_count: 2, subtotal: 10.3, total: 10.3, cancelled_at: null });
    expect(order.items).toMatchObject([
      { ...items[0], total: 6.3 },
      { ...items[1], total: 4 },
    ]);
    const path = `/orders/${order.id}`;
    const changed = await answerOf(ask, path, json('PATCH', { items: items.slice(1) }));
    expect(changed).toMatchObject([200, { items_count: 1, total: 4, customer: order.customer }]);
    const kept = await answerOf(ask, path, json('PATCH', { discount_percent: 250 }));
    expect(kept).toMatchObject([200, { items_count: 1, total: 4, discount_percent: 250 }]);
  });

  test.each([
    [1e300, 9e15],
    [Number.MAX_SAFE_INTEGER, 3],
    [-1e308, 9e15],
  ])('leaves totals alone where %d times %d is too much', async (unit_price, quantity) => {
    const { ask } = await open({ spec: DOCUMENT });
    const order = await create(ask, '/orders', { items: [{ name: 'Tea', unit_price, quantity }] });
    expect(order).toMatchObject({
      total: expect.any(Number),
      items: [{ unit_price, total: expect.any(Number) }],
    });
  });

  test('leaves the total of lines alone that cancel each other out', async () => {
    const { ask } = await open({ spec: DOCUMENT });
    const items = [1e300, -1e300].map((unit_price) => ({ name: 'Tea', unit_price, quantity: 9e15 }));
    expect(await create(ask, '/orders', { items })).toMatchObject({
      total: expect.any(Number),
      items_count: 2,
    });
  });

  test.each<[path: string, body: object, key: string]>([
    ['/orders', { items: [{ name: 'Tea', unit_price: 1, quantity: 1 }] }, 'id'],
    ['/articles', { title: 'Hello' }, 'slug'],
    ['/events', { name: 'Hello' }, 'id'],
  ])('shows what was created on the first page of %s', async (path, body, key) => {
    const { ask } = await open({ spec: DOCUMENT });
    const made = await create(ask, path, body);
    expect((await listOf(ask, path)).map((each) => each[key])).toContain(made[key]);
  });

  test('names entities by the slugs of their titles', async () => {
    const { ask } = await open({ spec: DOCUMENT });
    const articles = await listOf(ask, '/articles?limit=20');
    expect(articles).toHaveLength(10);
    for (const { slug, title } of articles) expect([slug, toWords(title)]).toEqual([slug, slug]);
    const slugs = (await listOf(ask, '/events?limit=20')).map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  test.each<[query: string, wanted: object]>([
    ['city=Oslo&days=3&units=imperial', { city: 'Oslo', days: 3, units: 'imperial' }],
    [
      'city=%22%3C%26%0A&units=kelvin',
      { city: '"<&\n', units: expect.stringMatching(/^(metric|imperial)$/) },
    ],
    ['city=__proto__', { city: '__proto__' }],
    ['city=', { city: expect.stringMatching(/./) }],
    ['limit=1234567', { limit: expect.not.toBeOneOf([1234567]) }],
    ['tags=one&tags=two', { tags: expect.not.arrayContaining(['one']) }],
    ['other=x&CITY=x', { city: expect.not.toBeOneOf(['x']) }],
  ])('repeats the query %s where an answer without state has such a member', async (query, wanted) => {
    const { ask } = await open({ spec: DOCUMENT });
    expect(await answerOf(ask, `/weather?${query}`)).toMatchObject([200, wanted]);
    // The cached answer of one query is not that of another.
    expect(await answerOf(ask, '/weather?city=Rome')).toMatchObject([200, { city: 'Rome' }]);
    expect(await answerOf(ask, `/weather?${query}`)).toMatchObject([200, wanted]);
  });

  test.each(['city=a&city=b', 'days=99', 'days=x', `city=${'x'.repeat(21)}`])(
    'refuses the query %s instead of repeating it',
    async (query) => {
      const { ask } = await open({ spec: DOCUMENT });
      expect(await answerOf(ask, `/weather?${query}`)).toEqual([422, 'invalid_parameter']);
    },
  );
});

test('whatever the seed, first entities agree with themselves and lie in the past', async () => {
  const now = new Date().toISOString();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
      const { fetch } = await createMock({ spec: DOCUMENT, seed });
      const [orders, events] = [await listOf(fetch, '/orders'), await listOf(fetch, '/events?limit=20')];
      for (const order of orders) {
        const { created_at, updated_at, items, status, start_date, end_date } = order;
        expect(created_at <= updated_at && updated_at < now && start_date < end_date).toBe(true);
        expect(order).toMatchObject({ items_count: items.length, total: sumOf(items, 'unit_price') });
        expect(order.cancelled_at === null).toBe(status !== 'cancelled');
      }
      for (const { startsAt, endsAt, createdAt, name, slug } of events) {
        expect(startsAt < endsAt && createdAt < now).toBe(true);
        expect(slug).toMatch(new RegExp(`^${toWords(name)}(-\\d+)?$`));
      }
    }),
    { numRuns: 20 },
  );
});

test('dates are those of the year in which the service was built, even if they are made later', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-12-31T23:59:59Z') });
  const { fetch } = await createMock({ spec: DOCUMENT });
  vi.setSystemTime(Date.parse('2032-03-01T00:00:00Z'));
  for (const { created_at, updated_at } of await listOf(fetch, '/orders'))
    expect([created_at, updated_at].map((time) => time.slice(0, 4))).toEqual(['2030', '2030']);
});
