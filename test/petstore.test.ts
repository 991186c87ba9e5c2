import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type Adapter,
  type Ask,
  closeAll,
  describeAdapters,
  describeInProcess,
  json,
} from './support/adapters.ts';

type Status = 'available' | 'pending' | 'sold';
type Entity = Readonly<Record<string, unknown>>;
type Pet = {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: Status;
};
type Order = { readonly id: number; readonly petId: number; readonly complete: boolean };
type Item = { readonly petId: number; readonly quantity: number; readonly status: Status };
/** Method and path, body (text is sent as it is), and what must come back: `422 validation_failed`. */
type Refused = readonly [request: string, body: unknown, refusal: string];

const PETS = readFixture<Pet>('pets');
const CATEGORIES = readFixture<Entity>('categories');
const ORDERS = readFixture<Order>('orders');
const INVENTORY = readFixture<Item>('inventory');

const STATUSES: readonly Status[] = ['available', 'pending', 'sold'];
const PATCH_TYPES = ['application/merge-patch+json', 'application/json'];
const MAX = Number.MAX_SAFE_INTEGER;

describeInProcess('the list of pets', ({ open }) => {
  // Nothing here changes anything, so one mock serves all of it.
  let ask: Ask;
  beforeAll(async () => {
    ({ ask } = await open());
  });
  afterAll(closeAll);

  test('has every pet, in the order of their ids', async () => {
    expect(await read(ask, '/pets')).toEqual(PETS);
  });

  test.each<[query: string, passes: (pet: Pet) => boolean]>([
    ['status=available', ({ status }) => status === 'available'],
    ['status=pending&status=sold', ({ status }) => status !== 'available'],
    ['status=sold&status=sold', ({ status }) => status === 'sold'],
    ['status=available&status=pending&status=sold', () => true],
    ['categoryId=4', ({ categoryId }) => categoryId === 4],
    ['categoryId=4&status=sold', ({ categoryId, status }) => categoryId === 4 && status === 'sold'],
    ['categoryId=8', () => false],
    ['categoryId=4711', () => false],
    ['categoryId=-1', () => false],
    ['categoryId=9007199254740993', () => false],
    ['colour=red&name=Luna', () => true],
  ])('with %s has the pets that pass', async (query, passes) => {
    const response = await ask(`/pets?${query}`);
    const passed = PETS.filter(passes);
    expect(await response.json()).toEqual(passed);
    expect(response.headers.get('x-total-count')).toBe(String(passed.length));
  });

  test.each(
    (['id', 'name', 'categoryId', 'status'] as const).flatMap((key) => [
      { sort: key, key, sign: 1 },
      { sort: `-${key}`, key, sign: -1 },
    ]),
  )('sorted by $sort keeps equal pets in the order of their ids', async ({ sort, key, sign }) => {
    const rank = (a: Pet, b: Pet) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : a.id - b.id);
    expect(await read(ask, `/pets?sort=${sort}`)).toEqual([...PETS].sort(rank));
  });

  test.each<[query: string, ids: number[]]>([
    ['limit=3', [1, 2, 3]],
    ['limit=3&offset=0', [1, 2, 3]],
    ['limit=3&offset=3', [4, 5, 6]],
    ['limit=3&offset=27', [28]],
    ['offset=26', [27, 28]],
    ['limit=3&offset=28', []],
    ['limit=3&offset=1000', []],
    ['limit=2&sort=-id&status=sold', [20, 19]],
    ['limit=1&offset=1&sort=name', [27]],
    ['limit=1000000000000&offset=27', [28]],
  ])('with %s has the pets of one page', async (query, page) => {
    expect(await ids(ask, `/pets?${query}`)).toEqual(page);
  });

  test.each<[query: string, total: number]>([
    ['', 28],
    ['limit=3', 28],
    ['limit=3&offset=1000', 28],
    ['status=available&limit=3', 14],
    ['status=pending&status=sold&limit=3&offset=6', 14],
    ['categoryId=8&limit=3', 0],
  ])('with "%s" counts all that pass, on all pages', async (query, total) => {
    const response = await ask(`/pets?${query}`);
    expect(response.headers.get('x-total-count')).toBe(String(total));
  });

  test.each<[query: string, links: Record<string, number>]>([
    ['limit=3', { first: 0, next: 3, last: 27 }],
    ['limit=3&offset=3', { first: 0, prev: 0, next: 6, last: 27 }],
    ['limit=3&offset=24', { first: 0, prev: 21, next: 27, last: 27 }],
    ['limit=3&offset=27', { first: 0, prev: 24, last: 27 }],
    ['limit=3&offset=1', { first: 0, prev: 0, next: 4, last: 27 }],
    ['limit=3&offset=1000', { first: 0, prev: 27, last: 27 }],
    ['limit=14', { first: 0, next: 14, last: 14 }],
    ['limit=28', { first: 0, last: 0 }],
    ['limit=100', { first: 0, last: 0 }],
    ['limit=5&status=sold', { first: 0, next: 5, last: 5 }],
    ['limit=5&categoryId=8', { first: 0, last: 0 }],
    ['', {}],
    ['offset=3', {}],
    ['status=sold&sort=name', {}],
  ])('with "%s" links to the pages that there are', async (query, offsets) => {
    const links = readLinks(await ask(`/pets?${query}`));
    const shown = [...links].map(([rel, target]) => [rel, Number(target.searchParams.get('offset'))]);
    expect(Object.fromEntries(shown)).toEqual(offsets);
  });

  test('keeps every other parameter in its links', async () => {
    const query = 'status=available&status=sold&sort=-name&colour=sea%20green%26blue&limit=5&offset=5';
    const links = readLinks(await ask(`/pets?${query}`));
    expect([...links.keys()]).toEqual(['first', 'prev', 'next', 'last']);
    for (const target of links.values()) {
      expect(target.pathname).toBe('/pets');
      target.searchParams.set('offset', '5');
      expect([...target.searchParams].sort()).toEqual([...new URLSearchParams(query)].sort());
    }
  });

  test('can be walked forward by next and backward by prev', async () => {
    const sorted = [...PETS].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id);
    const forward = await walk(ask, '/pets?limit=3&sort=name', 'next');
    expect(forward.flat()).toEqual(sorted);
    expect(await walk(ask, '/pets?limit=3&sort=name&offset=27', 'prev')).toEqual(forward.reverse());
  });

  test('is the only list that counts and links', async () => {
    for (const path of ['/categories', '/store/orders', '/store/inventory']) {
      const { headers } = await ask(`${path}?limit=1&offset=1`);
      expect([path, headers.get('link'), headers.get('x-total-count')]).toEqual([path, null, null]);
    }
  });
});

describeStores('the list of pets', ({ open }) => {
  test('follows the changes of its pets in every filter', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/1', { status: 'sold', categoryId: 8 });
    await send(ask, 'DELETE', '/pets/11');
    await send(ask, 'POST', '/pets', { name: 'Newt', categoryId: 8, status: 'sold' });
    expect(await ids(ask, '/pets?categoryId=8')).toEqual([1, 29]);
    expect(await ids(ask, '/pets?categoryId=1')).toEqual([8, 15, 22]);
    expect(await ids(ask, '/pets?status=sold')).toEqual([1, 9, 14, 15, 17, 19, 20, 29]);
  });
});

describeStores('a new pet', ({ open }) => {
  test('is answered with its id, and can be found where Location says', async () => {
    const { ask } = await open();
    const response = await send(ask, 'POST', '/pets', { name: 'Waffles', categoryId: 1 });
    const pet = { id: 29, name: 'Waffles', categoryId: 1, status: 'available' };
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/pets/29');
    expect(await response.json()).toEqual(pet);
    expect(await read(ask, response.headers.get('location') ?? '')).toEqual(pet);
    expect(await read(ask, '/pets')).toEqual([...PETS, pet]);
  });

  test.each<[asked: Status | undefined, status: Status, quantity: number]>([
    [undefined, 'available', 1],
    ['available', 'available', 1],
    ['pending', 'pending', 0],
    ['sold', 'sold', 0],
  ])('rules 2 and 3: with the status %s is %s, with %i in stock', async (asked, status, quantity) => {
    const { ask } = await open();
    const body = { name: 'Waffles', categoryId: 1, ...(asked && { status: asked }) };
    expect(await (await send(ask, 'POST', '/pets', body)).json()).toEqual({ ...body, id: 29, status });
    expect(await read(ask, '/store/inventory/29')).toEqual({ petId: 29, quantity, status });
    expect(await read(ask, '/store/inventory')).toHaveLength(29);
  });

  test('keeps properties that its schema does not name, whatever they are called', async () => {
    const { ask } = await open();
    const body =
      '{"name":"","categoryId":1,"chip":{"no":[1,null,{"a":0.5}]},"__proto__":{"status":"sold"},' +
      '"constructor":7,"hasOwnProperty":null,"größe":"🐕","limit":1,"inventory":[]}';
    const response = await send(ask, 'POST', '/pets', body);
    expect(response.status).toBe(201);
    const text = await response.text();
    expect(withoutKeys(text, ['id', 'status'])).toEqual(withoutKeys(body, []));
    expect(JSON.parse(text)).toMatchObject({ id: 29, status: 'available' });
    expect(await (await ask('/pets/29')).text()).toBe(text);
    expect(({} as { status?: unknown }).status).toBeUndefined();
  });

  test('belongs to a category that was made a moment ago', async () => {
    const { ask } = await open();
    await send(ask, 'POST', '/categories', { name: 'Insects' });
    expect((await send(ask, 'POST', '/pets', { name: 'Mantis', categoryId: 9 })).status).toBe(201);
  });
});

describeStores('rule 21: ids', ({ open }) => {
  test.each<[path: string, body: Entity, first: number]>([
    ['/pets', { name: 'Waffles', categoryId: 1 }, 29],
    ['/categories', { name: 'Insects' }, 9],
    ['/store/orders', { petId: 5 }, 24],
  ])('of %s are assigned in order, not to what is refused, and never twice', async (path, body, first) => {
    const { ask } = await open();
    const post = async () => ((await (await send(ask, 'POST', path, body)).json()) as { id: number }).id;
    expect(await post()).toBe(first);
    expect(await refusal(await send(ask, 'POST', path, {}))).toBe('422 validation_failed');
    expect(await post()).toBe(first + 1);
    for (const id of [first, first + 1]) {
      expect((await send(ask, 'DELETE', `${path}/${id}`)).status).toBe(204);
    }
    expect(await post()).toBe(first + 2);
  });

  test.each<[path: string, body: Entity, first: number]>([
    ['/pets', { name: 'Waffles', categoryId: 1 }, 29],
    ['/categories', { name: 'Insects' }, 9],
    ['/store/orders', { petId: 5 }, 24],
  ])('in the body of POST %s are passed over, whatever they are', async (path, body, first) => {
    const { ask } = await open();
    for (const [index, id] of [1, 4711, 'x', null, { a: 1 }].entries()) {
      // No schema of a new entity names an id, so nothing about it can be wrong.
      const response = await send(ask, 'POST', path, { ...body, id });
      expect([id, response.status]).toEqual([id, 201]);
      expect(await response.json()).toMatchObject({ ...body, id: first + index });
    }
  });

  test.each<[path: string, body: Entity, key: string, own: number]>([
    ['/pets/4', { name: 'Budgie', categoryId: 4 }, 'id', 4],
    ['/categories/4', { name: 'Parrots' }, 'id', 4],
    ['/store/inventory/4', { quantity: 3 }, 'petId', 4],
  ])('in the body of PUT %s must be the one in the path', async (path, body, key, own) => {
    const { ask } = await open();
    expect((await send(ask, 'PUT', path, { ...body, [key]: own })).status).toBe(200);
    const before = await readAll(ask);
    for (const other of [5, '4', [4], true, null]) {
      const answer = await refusal(await send(ask, 'PUT', path, { ...body, [key]: other }));
      expect.soft([other, answer]).toEqual([other, '422 validation_failed']);
    }
    expect(await readAll(ask)).toEqual(before);
  });

  test.each<[path: string, body: Entity, key: string, own: number]>([
    ['/pets/4', { name: 'Budgie' }, 'id', 4],
    ['/store/orders/13', { shipDate: '2026-10-09T09:00:00Z' }, 'id', 13],
    ['/store/orders/13', { shipDate: '2026-10-09T09:00:00Z' }, 'petId', 8],
  ])('in the body of PATCH %s must be the one there is', async (path, body, key, own) => {
    const { ask } = await open();
    expect((await send(ask, 'PATCH', path, { ...body, [key]: own })).status).toBe(200);
    const before = await readAll(ask);
    for (const other of [own + 1, String(own), [own], true, null]) {
      const answer = await refusal(await send(ask, 'PATCH', path, { ...body, [key]: other }));
      expect.soft([other, answer]).toEqual([other, '422 validation_failed']);
    }
    expect(await readAll(ask)).toEqual(before);
  });
});

describeStores('rule 22: an id in a path', ({ open }) => {
  const PATHS = [
    ['/pets/', '', 'pet_not_found'],
    ['/pets/', '/profile', 'pet_not_found'],
    ['/categories/', '', 'category_not_found'],
    ['/store/orders/', '', 'order_not_found'],
    ['/store/inventory/', '', 'inventory_not_found'],
  ] as const;
  const NO_IDS = [
    '1e0',
    '1e3',
    '0x1',
    '007',
    '+1',
    '%2B1',
    '%20',
    '%201',
    '1%20',
    '1.0',
    '1,2',
    '--1',
    '-',
    'x',
  ];
  const NO_INT64 = ['9223372036854775808', '-9223372036854775809', `1${'0'.repeat(400)}`];
  const NO_ONES = ['0', '-1', '4711', '9007199254740993', '9223372036854775807', '-9223372036854775808'];

  test.each(PATHS)('%s{id}%s is plain decimal digits within int64', async (head, tail) => {
    const { ask } = await open();
    for (const id of [...NO_IDS, ...NO_INT64, '%EF%BC%91', '1%00', 'null']) {
      expect.soft([id, await refusal(await ask(head + id + tail))]).toEqual([id, '400 invalid_parameter']);
    }
  });

  test.each(PATHS)('%s{id}%s that nothing has is not found', async (head, tail, code) => {
    const { ask } = await open();
    for (const id of NO_ONES) {
      expect.soft([id, await refusal(await ask(head + id + tail))]).toEqual([id, `404 ${code}`]);
    }
  });

  test('may be percent-encoded', async () => {
    const { ask } = await open();
    expect(await read(ask, '/pets/%31%32')).toEqual(PETS[11]);
  });
});

describeStores('rule 23: a number in a body', ({ open }) => {
  test.each([
    '"serial":9007199254740993',
    '"serial":-9007199254740993',
    '"a":[{"b":[12345678901234567890]}]',
    '"serial":10000000000000000',
    '"weight":1e+21',
  ])('beyond 2^53 comes back digit by digit: %s', async (member) => {
    const { ask } = await open();
    const made = await send(ask, 'POST', '/pets', `{"name":"a","categoryId":1,${member}}`);
    expect(made.status).toBe(201);
    expect(await made.text()).toContain(member);
    expect(await (await ask(made.headers.get('Location') ?? '')).text()).toContain(member);
  });

  test.each(['"categoryId":9223372036854775808', '"categoryId":1.00000000000000000001'])(
    'that is no integer within int64 is refused where one is wanted: %s',
    async (member) => {
      const { ask } = await open();
      const body = `{"name":"a",${member}}`;
      expect(await refusal(await send(ask, 'POST', '/pets', body))).toBe('422 validation_failed');
      expect(await read(ask, '/pets')).toEqual(PETS);
    },
  );

  test('that is no number at all for JavaScript is refused too, not turned into null', async () => {
    const { ask } = await open();
    const body = '{"name":"a","categoryId":1,"serial":1e400}';
    expect(await refusal(await send(ask, 'POST', '/pets', body))).toBe('422 validation_failed');
  });

  test('at the limits is kept to the digit', async () => {
    const { ask } = await open();
    const body = { name: 'a', categoryId: 1, low: -MAX, high: MAX, half: 0.1 };
    expect(await (await send(ask, 'POST', '/pets', body)).json()).toMatchObject(body);
    expect((await send(ask, 'PUT', '/store/inventory/29', { quantity: MAX })).status).toBe(200);
    expect(await read(ask, '/store/inventory/29')).toMatchObject({ quantity: MAX });
  });

  test('is exact where stock is given back', async () => {
    const { ask } = await open();
    expect(await read(ask, '/store/orders/17')).toMatchObject({ petId: 26, quantity: 2 });
    await send(ask, 'PUT', '/store/inventory/26', { quantity: MAX });
    await send(ask, 'DELETE', '/store/orders/17');
    expect(await (await ask('/store/inventory/26')).text()).toContain('"quantity":9007199254740993');
  });
});

describeStores('PUT of a pet', ({ open }) => {
  test('replaces all of it but its id and its status', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/8', { colour: 'brown', legs: { front: 2 } });
    const response = await send(ask, 'PUT', '/pets/8', { name: 'Otto II', categoryId: 2, tail: true });
    const pet = { id: 8, name: 'Otto II', categoryId: 2, tail: true, status: 'pending' };
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(pet);
    expect(await read(ask, '/pets/8')).toEqual(pet);
    expect(await read(ask, '/pets')).toEqual(PETS.map((other) => (other.id === 8 ? pet : other)));
  });

  test.each(STATUSES)('rule 6: without a status keeps %s', async (status) => {
    const { ask } = await open();
    const { id } = PETS.find((pet) => pet.status === status) as Pet;
    const body = { name: 'Same', categoryId: 1 };
    expect(await (await send(ask, 'PUT', `/pets/${id}`, body)).json()).toEqual({ id, ...body, status });
  });
});

describeStores('PATCH of a pet', ({ open }) => {
  test.each(PATCH_TYPES)('merges a patch that comes as %s', async (type) => {
    const { ask } = await open();
    const patch = async (body: unknown) =>
      (await ask('/pets/1', json('PATCH', body, { 'Content-Type': type }))).json();
    expect(await patch({ name: 'Captain', tags: { a: 1, b: { c: 2 } } })).toEqual({
      ...PETS[0],
      name: 'Captain',
      tags: { a: 1, b: { c: 2 } },
    });
    expect(await patch({ tags: { a: null, b: { d: [null] } } })).toEqual({
      ...PETS[0],
      name: 'Captain',
      tags: { b: { c: 2, d: [null] } },
    });
    expect(await patch({ name: 'Biscuit', tags: null, absent: null })).toEqual(PETS[0]);
    expect(await patch({})).toEqual(PETS[0]);
    expect(await read(ask, '/pets')).toEqual(PETS);
  });

  test('takes a member named __proto__ for a member', async () => {
    const { ask } = await open();
    const response = await send(ask, 'PATCH', '/pets/9', '{"__proto__":{"status":"available"}}');
    expect(await response.text()).toContain('"__proto__":{"status":"available"}');
    expect(await read(ask, '/pets/9')).toMatchObject({ status: 'sold' });
  });

  test.each<[id: number, former: Status, then: Status]>([
    [4, 'pending', 'available'],
    [4, 'sold', 'available'],
    [4, 'available', 'available'],
    [9, 'sold', 'pending'],
    [8, 'pending', 'pending'],
  ])(
    'rule 6: with the status null lets the stock of pet %i decide: %s, then %s',
    async (id, former, then) => {
      const { ask } = await open();
      await send(ask, 'PATCH', `/pets/${id}`, { status: former });
      expect(await (await send(ask, 'PATCH', `/pets/${id}`, { status: null })).json()).toMatchObject({
        id,
        status: then,
      });
      expect(await read(ask, `/store/inventory/${id}`)).toMatchObject({ status: then });
    },
  );
});

describeStores('rule 5: the status of a pet', ({ open }) => {
  test.each(
    (['PUT', 'PATCH'] as const).flatMap((method) =>
      (['pending', 'sold'] as const).map((status) => ({ method, status })),
    ),
  )(
    'can be set to $status with $method; the entry follows, its quantity stays',
    async ({ method, status }) => {
      const { ask } = await open();
      const set = (wanted: Status) =>
        send(ask, method, '/pets/4', {
          ...(method === 'PUT' && { name: 'Budgerigar', categoryId: 4 }),
          status: wanted,
        });
      expect(await (await set(status)).json()).toEqual({ ...PETS[3], status });
      expect(await read(ask, '/store/inventory/4')).toEqual({ petId: 4, quantity: 6, status });
      expect(await (await set('available')).json()).toEqual(PETS[3]);
      expect(await read(ask, '/store/inventory/4')).toEqual({ petId: 4, quantity: 6, status: 'available' });
    },
  );

  test.each<[from: Status, to: Status]>([
    ['pending', 'sold'],
    ['sold', 'pending'],
  ])('may go from %s to %s without stock', async (from, to) => {
    const { ask } = await open();
    const { id } = PETS.find(({ status }) => status === from) as Pet;
    expect((await send(ask, 'PATCH', `/pets/${id}`, { status: to })).status).toBe(200);
    expect(await read(ask, `/store/inventory/${id}`)).toEqual({ petId: id, quantity: 0, status: to });
  });
});

describeStores('DELETE of a pet', ({ open }) => {
  test('rule 7: takes its inventory entry along, and leaves its completed orders', async () => {
    const { ask } = await open();
    const response = await send(ask, 'DELETE', '/pets/19');
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await refusal(await ask('/pets/19'))).toBe('404 pet_not_found');
    expect(await refusal(await ask('/pets/19/profile'))).toBe('404 pet_not_found');
    expect(await refusal(await ask('/store/inventory/19'))).toBe('404 inventory_not_found');
    expect(await refusal(await send(ask, 'DELETE', '/pets/19'))).toBe('404 pet_not_found');
    expect(await read(ask, '/pets')).toEqual(PETS.filter(({ id }) => id !== 19));
    expect(await read(ask, '/store/inventory')).toEqual(INVENTORY.filter(({ petId }) => petId !== 19));
    expect(await ids(ask, '/store/orders?petId=19')).toEqual([4, 7]);
  });

  test('rule 7: waits until its open orders are completed or cancelled', async () => {
    const { ask } = await open();
    const remove = () => send(ask, 'DELETE', '/pets/26');
    expect(await refusal(await remove())).toBe('409 pet_has_open_orders');
    await send(ask, 'DELETE', '/store/orders/17');
    expect(await refusal(await remove())).toBe('409 pet_has_open_orders');
    await send(ask, 'PATCH', '/store/orders/21', { complete: true });
    expect((await remove()).status).toBe(204);
    expect(await ids(ask, '/store/orders?petId=26')).toEqual([21]);
  });

  test('leaves orders that can still be read and sent later, but not be cancelled', async () => {
    const { ask } = await open();
    await send(ask, 'DELETE', '/pets/15');
    const shipDate = '2027-01-09T09:00:00Z';
    const response = await send(ask, 'PATCH', '/store/orders/1', { shipDate });
    expect([response.status, await response.json()]).toEqual([200, { ...ORDERS[0], shipDate }]);
    expect(await refusal(await send(ask, 'DELETE', '/store/orders/1'))).toBe('409 order_completed');
    expect(await refusal(await send(ask, 'POST', '/store/orders', { petId: 15 }))).toBe('422 unknown_pet');
  });
});

describeStores('the profile of a pet', ({ open }) => {
  test('is the pet with its category and its stock', async () => {
    const { ask } = await open();
    for (const pet of PETS) {
      expect(await read(ask, `/pets/${pet.id}/profile`)).toEqual({
        ...pet,
        category: CATEGORIES.find(({ id }) => id === pet.categoryId),
        inventory: INVENTORY.find(({ petId }) => petId === pet.id),
      });
    }
  });

  test('follows every change', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/4', { categoryId: 8, category: 'mine', collar: 'red' });
    await send(ask, 'PUT', '/categories/8', { name: 'Frogs' });
    await send(ask, 'PUT', '/store/inventory/4', { quantity: 0 });
    expect(await read(ask, '/pets/4/profile')).toEqual({
      id: 4,
      name: 'Budgerigar',
      categoryId: 8,
      status: 'pending',
      collar: 'red',
      category: { id: 8, name: 'Frogs' },
      inventory: { petId: 4, quantity: 0, status: 'pending' },
    });
  });
});

describeStores('categories', ({ open }) => {
  test('are listed, created, read, replaced and deleted', async () => {
    const { ask } = await open();
    expect(await read(ask, '/categories')).toEqual(CATEGORIES);
    const created = await send(ask, 'POST', '/categories', { name: 'Insects', legs: 6 });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/categories/9');
    expect(await created.json()).toEqual({ id: 9, name: 'Insects', legs: 6 });
    expect(await read(ask, created.headers.get('location') ?? '')).toEqual({
      id: 9,
      name: 'Insects',
      legs: 6,
    });
    const replaced = await send(ask, 'PUT', '/categories/9', { name: 'Bugs', description: 'Small' });
    expect([replaced.status, await replaced.json()]).toEqual([
      200,
      { id: 9, name: 'Bugs', description: 'Small' },
    ]);
    const deleted = await send(ask, 'DELETE', '/categories/9');
    expect([deleted.status, await deleted.text()]).toEqual([204, '']);
    expect(await refusal(await ask('/categories/9'))).toBe('404 category_not_found');
    expect(await read(ask, '/categories')).toEqual(CATEGORIES);
  });

  test('rule 8: can be deleted once no pet belongs to them any more', async () => {
    const { ask } = await open();
    await send(ask, 'POST', '/categories', { name: 'Insects' });
    const { id } = (await (await send(ask, 'POST', '/pets', { name: 'A', categoryId: 9 })).json()) as Pet;
    const remove = () => send(ask, 'DELETE', '/categories/9');
    expect(await refusal(await remove())).toBe('409 category_in_use');
    await send(ask, 'PATCH', `/pets/${id}`, { categoryId: 1 });
    expect((await remove()).status).toBe(204);
    expect(await refusal(await send(ask, 'POST', '/pets', { name: 'B', categoryId: 9 }))).toBe(
      '422 unknown_category',
    );
  });

  test('rule 8: can be deleted once their last pet is', async () => {
    const { ask } = await open();
    await send(ask, 'POST', '/pets', { name: 'Newt', categoryId: 8 });
    const remove = () => send(ask, 'DELETE', '/categories/8');
    expect(await refusal(await remove())).toBe('409 category_in_use');
    await send(ask, 'DELETE', '/pets/29');
    expect((await remove()).status).toBe(204);
  });
});

describeStores('the list of orders', ({ open }) => {
  test.each<[query: string, passes: (order: Order) => boolean]>([
    ['', () => true],
    ['petId=26', ({ petId }) => petId === 26],
    ['complete=true', ({ complete }) => complete],
    ['complete=false', ({ complete }) => !complete],
    ['petId=18&complete=false', ({ petId, complete }) => petId === 18 && !complete],
    ['petId=1', () => false],
    ['petId=9007199254740993', () => false],
    ['status=sold&limit=1&sort=-id', () => true],
  ])('with "%s" has the orders that pass', async (query, passes) => {
    const { ask } = await open();
    expect(await read(ask, `/store/orders?${query}`)).toEqual(ORDERS.filter(passes));
  });
});

describeStores('a new order', ({ open }) => {
  test('is answered with its id, and can be found where Location says', async () => {
    const { ask } = await open();
    const body = { petId: 12, quantity: 6, shipDate: '2026-12-18T08:00:00.250+01:00', gift: { card: 'Hi' } };
    const response = await send(ask, 'POST', '/store/orders', body);
    const order = { id: 24, ...body, complete: false };
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/store/orders/24');
    expect(await response.json()).toEqual(order);
    expect(await read(ask, '/store/orders/24')).toEqual(order);
    expect(await read(ask, '/store/orders')).toEqual([...ORDERS, order]);
  });

  test('rules 10 and 12: is of 1 if it names no quantity, and takes it at once', async () => {
    const { ask } = await open();
    const response = await send(ask, 'POST', '/store/orders', { petId: 12 });
    expect(await response.json()).toEqual({ id: 24, petId: 12, quantity: 1, complete: false });
    expect(await stock(ask, 12)).toEqual([14, 'available', 'available']);
  });

  test('rule 13: that takes the last of the stock makes the pet pending', async () => {
    const { ask } = await open();
    await send(ask, 'POST', '/store/orders', { petId: 28, quantity: 1 });
    expect(await stock(ask, 28)).toEqual([1, 'available', 'available']);
    await send(ask, 'POST', '/store/orders', { petId: 28, quantity: 1 });
    expect(await stock(ask, 28)).toEqual([0, 'pending', 'pending']);
  });

  test('rule 14: placed as complete makes the pet sold if it takes the last, and no other order is open', async () => {
    const { ask } = await open();
    const place = async (petId: number, quantity: number) => {
      const response = await send(ask, 'POST', '/store/orders', { petId, quantity, complete: true });
      expect(await response.json()).toMatchObject({ petId, quantity, complete: true });
      return stock(ask, petId);
    };
    expect(await place(28, 1)).toEqual([1, 'available', 'available']);
    expect(await place(28, 1)).toEqual([0, 'sold', 'sold']);
    // Order 22 of pet 13 is open.
    expect(await place(13, 2)).toEqual([0, 'pending', 'pending']);
  });

  test('rule 11: needs stock first, and then an available pet', async () => {
    const { ask } = await open();
    const place = async (petId: number, quantity: number) =>
      refusal(await send(ask, 'POST', '/store/orders', { petId, quantity }));
    expect(await place(9, 1)).toBe('409 out_of_stock');
    expect(await place(8, 1)).toBe('409 out_of_stock');
    expect(await place(4, 7)).toBe('409 out_of_stock');
    for (const status of ['pending', 'sold']) {
      await send(ask, 'PATCH', '/pets/4', { status });
      expect([status, await place(4, 7)]).toEqual([status, '409 out_of_stock']);
      expect([status, await place(4, 6)]).toEqual([status, '409 pet_not_available']);
      expect(await stock(ask, 4)).toEqual([6, status, status]);
    }
    expect(await read(ask, '/store/orders')).toEqual(ORDERS);
  });
});

describeStores('PATCH of an order', ({ open }) => {
  test.each(PATCH_TYPES)('merges a patch that comes as %s', async (type) => {
    const { ask } = await open();
    const patch = async (body: unknown) => {
      const response = await ask('/store/orders/20', json('PATCH', body, { 'Content-Type': type }));
      return [response.status, await response.json()];
    };
    const order = ORDERS[19] as Order & { shipDate?: string };
    const { shipDate: _, ...undated } = order;
    expect(await patch({ note: { a: 1, b: 2 } })).toEqual([200, { ...order, note: { a: 1, b: 2 } }]);
    expect(await patch({ note: { a: null } })).toEqual([200, { ...order, note: { b: 2 } }]);
    expect(await patch({ shipDate: null, note: null })).toEqual([200, undated]);
    expect(await patch({ shipDate: order.shipDate })).toEqual([200, order]);
    expect(await patch({ complete: false, quantity: 1, petId: 4, id: 20 })).toEqual([200, order]);
    expect(await stock(ask, 4)).toEqual([6, 'available', 'available']);
  });

  test('rule 15: takes and gives back the difference when the quantity changes', async () => {
    const { ask } = await open();
    const change = async (quantity: number) => {
      const response = await send(ask, 'PATCH', '/store/orders/20', { quantity });
      if (response.status !== 200) return refusal(response);
      expect(await response.json()).toEqual({ ...ORDERS[19], quantity });
      return stock(ask, 4);
    };
    expect(await change(3)).toEqual([4, 'available', 'available']);
    expect(await change(7)).toEqual([0, 'pending', 'pending']);
    expect(await change(8)).toBe('409 out_of_stock');
    expect(await stock(ask, 4)).toEqual([0, 'pending', 'pending']);
    expect(await change(7)).toEqual([0, 'pending', 'pending']);
    expect(await change(6)).toEqual([1, 'available', 'available']);
    expect(await change(1)).toEqual([6, 'available', 'available']);
  });

  test('rule 15: needs nothing but stock for a higher quantity, whatever the status', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/4', { status: 'pending' });
    const response = await send(ask, 'PATCH', '/store/orders/20', { quantity: 3 });
    expect([response.status, await response.json()]).toEqual([200, { ...ORDERS[19], quantity: 3 }]);
    expect(await stock(ask, 4)).toEqual([4, 'pending', 'pending']);
  });

  test('rule 14: that completes the last open order of a pet without stock makes it sold', async () => {
    const { ask } = await open();
    const finish = async (id: number, petId: number) => {
      const response = await send(ask, 'PATCH', `/store/orders/${id}`, { complete: true });
      expect(await response.json()).toEqual({ ...ORDERS[id - 1], complete: true });
      return stock(ask, petId);
    };
    expect(await finish(13, 8)).toEqual([0, 'sold', 'sold']);
    expect(await finish(17, 26)).toEqual([0, 'pending', 'pending']);
    expect(await finish(21, 26)).toEqual([0, 'sold', 'sold']);
    expect(await finish(20, 4)).toEqual([6, 'available', 'available']);
  });

  test('may change quantity and completion at once', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/store/orders/22', { quantity: 3, complete: true });
    expect(await stock(ask, 13)).toEqual([0, 'sold', 'sold']);
    await send(ask, 'PATCH', '/store/orders/17', { quantity: 1, complete: true });
    expect(await stock(ask, 26)).toEqual([1, 'available', 'available']);
  });

  test('rule 18: leaves a completed order as it is, but for its shipDate', async () => {
    const { ask } = await open();
    const patch = (body: unknown) => send(ask, 'PATCH', '/store/orders/10', body);
    for (const body of [{ complete: false }, { quantity: 1 }, { quantity: 3, shipDate: null }]) {
      expect([body, await refusal(await patch(body))]).toEqual([body, '409 order_completed']);
    }
    expect(await read(ask, '/store/orders/10')).toEqual(ORDERS[9]);
    const shipDate = '2026-04-18T10:15:00Z';
    const response = await patch({ shipDate, quantity: 2, complete: true });
    expect([response.status, await response.json()]).toEqual([200, { ...ORDERS[9], shipDate }]);
    expect(await stock(ask, 18)).toEqual([0, 'pending', 'pending']);
  });
});

describeStores('DELETE of an order', ({ open }) => {
  test('rules 16 and 17: gives its quantity back, which makes the pet available', async () => {
    const { ask } = await open();
    const response = await send(ask, 'DELETE', '/store/orders/17');
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await stock(ask, 26)).toEqual([2, 'available', 'available']);
    await send(ask, 'DELETE', '/store/orders/21');
    expect(await stock(ask, 26)).toEqual([3, 'available', 'available']);
    expect(await read(ask, '/store/orders')).toEqual(ORDERS.filter(({ id }) => id !== 17 && id !== 21));
    expect(await refusal(await ask('/store/orders/17'))).toBe('404 order_not_found');
    expect(await refusal(await send(ask, 'DELETE', '/store/orders/17'))).toBe('404 order_not_found');
  });

  test('rule 17: makes even a pet available that was set to sold', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/26', { status: 'sold' });
    await send(ask, 'DELETE', '/store/orders/21');
    expect(await stock(ask, 26)).toEqual([1, 'available', 'available']);
  });

  test('rule 18: is refused for a completed one', async () => {
    const { ask } = await open();
    const before = await readAll(ask);
    expect(await refusal(await send(ask, 'DELETE', '/store/orders/8'))).toBe('409 order_completed');
    expect(await readAll(ask)).toEqual(before);
  });
});

describeStores('inventory', ({ open }) => {
  test.each<[query: string, passes: (item: Item) => boolean]>([
    ['', () => true],
    ['status=available', ({ status }) => status === 'available'],
    ['status=pending&status=sold', ({ status }) => status !== 'available'],
    ['petId=4&limit=1', () => true],
  ])('with "%s" lists the entries that pass', async (query, passes) => {
    const { ask } = await open();
    expect(await read(ask, `/store/inventory?${query}`)).toEqual(INVENTORY.filter(passes));
  });

  test('has an entry of every pet', async () => {
    const { ask } = await open();
    for (const item of INVENTORY) expect(await read(ask, `/store/inventory/${item.petId}`)).toEqual(item);
  });

  test.each<[petId: number, quantity: number, status: Status]>([
    [4, 30, 'available'],
    [4, 1, 'available'],
    [4, 0, 'pending'],
    [9, 2, 'available'],
    [9, 0, 'sold'],
    [8, 2, 'available'],
    [8, 0, 'pending'],
  ])('rules 19 and 20: pet %i set to %i is %s', async (petId, quantity, status) => {
    const { ask } = await open();
    const body = { quantity, status: 'nonsense' };
    const response = await send(ask, 'PUT', `/store/inventory/${petId}`, body);
    expect([response.status, await response.json()]).toEqual([200, { petId, quantity, status }]);
    expect(await stock(ask, petId)).toEqual([quantity, status, status]);
  });

  test('rule 20: becomes pending when it is emptied, even of a pet that was set to sold', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/4', { status: 'sold' });
    await send(ask, 'PUT', '/store/inventory/4', { quantity: 0 });
    expect(await stock(ask, 4)).toEqual([0, 'pending', 'pending']);
  });

  test('rule 20: becomes available by any stock, even of a pet that was set aside', async () => {
    const { ask } = await open();
    await send(ask, 'PATCH', '/pets/4', { status: 'pending' });
    await send(ask, 'PUT', '/store/inventory/4', { quantity: 6 });
    expect(await stock(ask, 4)).toEqual([6, 'available', 'available']);
  });

  test('keeps properties that its schema does not name', async () => {
    const { ask } = await open();
    await send(ask, 'PUT', '/store/inventory/4', { quantity: 3, shelf: 'B' });
    expect(await read(ask, '/store/inventory/4')).toEqual({
      petId: 4,
      quantity: 3,
      status: 'available',
      shelf: 'B',
    });
  });

  test('is counted by status in the summary', async () => {
    const { ask } = await open();
    expect(await read(ask, '/store/inventory/summary')).toEqual({ available: 14, pending: 7, sold: 7 });
    await send(ask, 'PATCH', '/pets/1', { status: 'sold' });
    await send(ask, 'PUT', '/store/inventory/9', { quantity: 1 });
    await send(ask, 'POST', '/pets', { name: 'Newt', categoryId: 8, status: 'pending' });
    await send(ask, 'DELETE', '/pets/11');
    await send(ask, 'POST', '/store/orders', { petId: 2 });
    expect(await read(ask, '/store/inventory/summary')).toEqual({ available: 13, pending: 9, sold: 7 - 1 });
  });

  test('is counted to zero in an empty store', async () => {
    const { ask } = await open({ empty: true });
    expect(await read(ask, '/store/inventory/summary')).toEqual({ available: 0, pending: 0, sold: 0 });
  });
});

describeStores('an empty store', ({ open }) => {
  test('has nothing, and gives the first of everything the id 1', async () => {
    const { ask } = await open({ empty: true });
    expect(await readAll(ask)).toMatchObject({ pets: [], categories: [], orders: [], inventory: [] });
    expect(await refusal(await send(ask, 'POST', '/pets', { name: 'A', categoryId: 1 }))).toBe(
      '422 unknown_category',
    );
    expect((await send(ask, 'POST', '/categories', { name: 'Dogs' })).headers.get('location')).toBe(
      '/categories/1',
    );
    expect((await send(ask, 'POST', '/pets', { name: 'A', categoryId: 1 })).headers.get('location')).toBe(
      '/pets/1',
    );
    expect((await send(ask, 'POST', '/store/orders', { petId: 1 })).headers.get('location')).toBe(
      '/store/orders/1',
    );
    expect(await readAll(ask)).toEqual({
      pets: [{ id: 1, name: 'A', categoryId: 1, status: 'pending' }],
      categories: [{ id: 1, name: 'Dogs' }],
      orders: [{ id: 1, petId: 1, quantity: 1, complete: false }],
      inventory: [{ petId: 1, quantity: 0, status: 'pending' }],
      summary: { available: 0, pending: 1, sold: 0 },
    });
  });
});

describeStores('a purchase', ({ open }) => {
  test('goes from browsing to a sold pet, and the shop goes on', async () => {
    const { ask } = await open();
    const [chinchilla] = await read<Pet[]>(ask, '/pets?status=available&sort=name&categoryId=7');
    expect(chinchilla?.id).toBe(28);
    expect(await stock(ask, 28)).toEqual([2, 'available', 'available']);

    const placed = await send(ask, 'POST', '/store/orders', { petId: 28, quantity: 2 });
    const location = placed.headers.get('location') ?? '';
    expect(await stock(ask, 28)).toEqual([0, 'pending', 'pending']);
    expect(await refusal(await send(ask, 'POST', '/store/orders', { petId: 28 }))).toBe('409 out_of_stock');

    await send(ask, 'PATCH', location, { complete: true, shipDate: '2026-12-24T12:00:00Z' });
    expect(await stock(ask, 28)).toEqual([0, 'sold', 'sold']);
    expect(await refusal(await send(ask, 'DELETE', location))).toBe('409 order_completed');

    await send(ask, 'PUT', '/store/inventory/28', { quantity: 1 });
    expect(await stock(ask, 28)).toEqual([1, 'available', 'available']);
    const again = await send(ask, 'POST', '/store/orders', { petId: 28 });
    expect(await stock(ask, 28)).toEqual([0, 'pending', 'pending']);
    await send(ask, 'DELETE', again.headers.get('location') ?? '');
    expect(await stock(ask, 28)).toEqual([1, 'available', 'available']);
    expect(await ids(ask, '/store/orders?petId=28')).toEqual([24]);
  });
});

describeStores('rule 24: a refused request changes nothing', ({ open }) => {
  test.each(Object.entries(refusals()))('%s', async (_, refused) => {
    const { ask } = await open();
    const before = await readAll(ask);
    for (const [request, body, expected] of refused) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await refusal(await send(ask, method, path, body));
      expect.soft([request, body, answer]).toEqual([request, body, expected]);
    }
    expect(await readAll(ask)).toEqual(before);
  });

  test('an answer that the client does not accept', async () => {
    const { ask } = await open();
    const before = await readAll(ask);
    const requests = [
      ['POST', '/pets', { name: 'Waffles', categoryId: 1 }],
      ['PUT', '/pets/1', { name: 'Waffles', categoryId: 1 }],
      ['PATCH', '/store/orders/13', { complete: true }],
      ['PUT', '/store/inventory/4', { quantity: 1 }],
    ] as const;
    for (const [method, path, body] of requests) {
      const response = await ask(path, json(method, body, { Accept: 'application/xml' }));
      expect([path, await refusal(response)]).toEqual([path, '406 not_acceptable']);
    }
    expect(await readAll(ask)).toEqual(before);
  });
});

/** A suite whose tests have a fresh mock each. */
function describeStores(title: string, suite: (adapter: Adapter) => void): void {
  describeAdapters(title, (adapter) => {
    afterEach(closeAll);
    suite(adapter);
  });
}

/** What must be refused, by operation. */
function refusals(): Record<string, readonly Refused[]> {
  const noObjects = [[], [{}], 'null', '42', '"text"', 'true'];
  const noJson = ['{', '{"name":"a",}', "{'name':'a'}", '{"name":"a"}x', 'NaN', '[1', '\u0000'];
  const unreadable = (request: string): Refused[] => [
    ...noObjects.map((body): Refused => [request, body, '422 validation_failed']),
    ...noJson.map((body): Refused => [request, body, '400 malformed_json']),
    [request, undefined, '422 validation_failed'],
  ];
  const noPets = (request: string): Refused[] => [
    [request, {}, '422 validation_failed'],
    [request, { name: 'a' }, '422 validation_failed'],
    [request, { categoryId: 1 }, '422 validation_failed'],
    [request, { name: null, categoryId: 1 }, '422 validation_failed'],
    [request, { name: 1, categoryId: 1 }, '422 validation_failed'],
    [request, { name: 'a', categoryId: '1' }, '422 validation_failed'],
    [request, { name: 'a', categoryId: 1.5 }, '422 validation_failed'],
    [request, { name: 'a', categoryId: null }, '422 validation_failed'],
    [request, { name: 'a', categoryId: 1, status: 'lost' }, '422 validation_failed'],
    [request, { name: 'a', categoryId: 1, status: 'Available' }, '422 validation_failed'],
    [request, { name: 'a', categoryId: 1, status: null }, '422 validation_failed'],
    [request, { name: 'a', categoryId: 4711 }, '422 unknown_category'],
    [request, { name: 'a', categoryId: 0 }, '422 unknown_category'],
    [request, { name: 'a', categoryId: -1, status: 'sold' }, '422 unknown_category'],
  ];
  const noCategories = (request: string): Refused[] => [
    [request, {}, '422 validation_failed'],
    [request, { name: null }, '422 validation_failed'],
    [request, { name: ['a'] }, '422 validation_failed'],
    [request, { name: 'a', description: null }, '422 validation_failed'],
    [request, { name: 'a', description: 1 }, '422 validation_failed'],
  ];
  const noQueries = (path: string, queries: readonly string[]) =>
    queries.map((query): Refused => [`GET ${path}?${query}`, undefined, '400 invalid_parameter']);
  const noStatuses = ['status=lost', 'status=', 'status=available,pending', 'status=sold&status=Sold'];
  const noIntegers = ['', 'x', '1.5', '007', '1e1', '+1', '%201', '9223372036854775808', '1&{}=2'];
  return {
    listPets: noQueries('/pets', [
      ...noStatuses,
      ...noIntegers.map((value) => `categoryId=${value.replace('{}', 'categoryId')}`),
      ...noIntegers.map((value) => `limit=${value.replace('{}', 'limit')}`),
      ...noIntegers.map((value) => `offset=${value.replace('{}', 'offset')}`),
      ...['limit=0', 'limit=-1', 'offset=-1', 'status=sold&limit=0'],
      ...[
        'sort=',
        'sort=colour',
        'sort=name,id',
        'sort=%2Bname',
        'sort=--name',
        'sort=Name',
        'sort=id&sort=name',
      ],
    ]),
    createPet: [...unreadable('POST /pets'), ...noPets('POST /pets')],
    replacePet: [
      ...unreadable('PUT /pets/4'),
      ...noPets('PUT /pets/4'),
      ['PUT /pets/4711', { name: 'a', categoryId: 1 }, '404 pet_not_found'],
      ['PUT /pets/29', { name: 'a', categoryId: 1 }, '404 pet_not_found'],
      ['PUT /pets/9', { name: 'a', categoryId: 1, status: 'available' }, '409 out_of_stock'],
      ['PUT /pets/8', { name: 'a', categoryId: 1, status: 'available' }, '409 out_of_stock'],
    ],
    updatePet: [
      ...unreadable('PATCH /pets/4'),
      ['PATCH /pets/4711', { name: 'a' }, '404 pet_not_found'],
      ['PATCH /pets/4', { name: null }, '422 validation_failed'],
      ['PATCH /pets/4', { categoryId: null }, '422 validation_failed'],
      ['PATCH /pets/4', { name: 'a', status: 'lost' }, '422 validation_failed'],
      ['PATCH /pets/4', { name: 'a', categoryId: '4' }, '422 validation_failed'],
      ['PATCH /pets/4', { name: 'a', categoryId: 4711 }, '422 unknown_category'],
      ['PATCH /pets/9', { name: 'a', status: 'available' }, '409 out_of_stock'],
      ['PATCH /pets/8', { name: 'a', status: 'available' }, '409 out_of_stock'],
    ],
    deletePet: [
      ['DELETE /pets/4711', undefined, '404 pet_not_found'],
      ['DELETE /pets/26', undefined, '409 pet_has_open_orders'],
      ['DELETE /pets/18', undefined, '409 pet_has_open_orders'],
      ['DELETE /pets/4', undefined, '409 pet_has_open_orders'],
    ],
    createCategory: [...unreadable('POST /categories'), ...noCategories('POST /categories')],
    replaceCategory: [
      ...unreadable('PUT /categories/4'),
      ...noCategories('PUT /categories/4'),
      ['PUT /categories/9', { name: 'a' }, '404 category_not_found'],
    ],
    deleteCategory: [
      ['DELETE /categories/9', undefined, '404 category_not_found'],
      ['DELETE /categories/4', undefined, '409 category_in_use'],
    ],
    listOrders: noQueries('/store/orders', [
      ...noIntegers.map((value) => `petId=${value.replace('{}', 'petId')}`),
      ...['complete=', 'complete=1', 'complete=TRUE', 'complete=null', 'complete=true&complete=false'],
    ]),
    placeOrder: [
      ...unreadable('POST /store/orders'),
      ['POST /store/orders', {}, '422 validation_failed'],
      ['POST /store/orders', { petId: '4' }, '422 validation_failed'],
      ['POST /store/orders', { petId: null }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, quantity: '1' }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, quantity: 1.5 }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, quantity: null }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, complete: 'yes' }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, complete: null }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, shipDate: 'tomorrow' }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, shipDate: '2026-13-01T00:00:00Z' }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, shipDate: '2026-12-01' }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4, shipDate: null }, '422 validation_failed'],
      ['POST /store/orders', { petId: 4711 }, '422 unknown_pet'],
      ['POST /store/orders', { petId: 0, complete: true }, '422 unknown_pet'],
      ['POST /store/orders', { petId: 4, quantity: 0 }, '422 invalid_quantity'],
      ['POST /store/orders', { petId: 4, quantity: -3 }, '422 invalid_quantity'],
      ['POST /store/orders', { petId: 4, quantity: 7 }, '409 out_of_stock'],
      ['POST /store/orders', { petId: 4, quantity: MAX }, '409 out_of_stock'],
      ['POST /store/orders', { petId: 4, quantity: 7, complete: true }, '409 out_of_stock'],
      ['POST /store/orders', { petId: 9 }, '409 out_of_stock'],
      ['POST /store/orders', { petId: 8, complete: true }, '409 out_of_stock'],
    ],
    updateOrder: [
      ...unreadable('PATCH /store/orders/20'),
      ['PATCH /store/orders/24', { quantity: 1 }, '404 order_not_found'],
      ['PATCH /store/orders/20', { quantity: null }, '422 validation_failed'],
      ['PATCH /store/orders/20', { quantity: '2' }, '422 validation_failed'],
      ['PATCH /store/orders/20', { complete: null }, '422 validation_failed'],
      ['PATCH /store/orders/20', { complete: 'true', quantity: 2 }, '422 validation_failed'],
      ['PATCH /store/orders/20', { shipDate: 'soon', quantity: 2 }, '422 validation_failed'],
      ['PATCH /store/orders/20', { petId: 5, quantity: 2 }, '422 validation_failed'],
      ['PATCH /store/orders/20', { quantity: 0, complete: true }, '422 invalid_quantity'],
      ['PATCH /store/orders/20', { quantity: -1 }, '422 invalid_quantity'],
      ['PATCH /store/orders/20', { quantity: 8, complete: true }, '409 out_of_stock'],
      ['PATCH /store/orders/13', { quantity: 2 }, '409 out_of_stock'],
      ['PATCH /store/orders/1', { quantity: 2 }, '409 order_completed'],
      ['PATCH /store/orders/1', { complete: false, shipDate: null }, '409 order_completed'],
    ],
    cancelOrder: [
      ['DELETE /store/orders/24', undefined, '404 order_not_found'],
      ['DELETE /store/orders/1', undefined, '409 order_completed'],
    ],
    listInventory: noQueries('/store/inventory', noStatuses),
    updateInventory: [
      ...unreadable('PUT /store/inventory/4'),
      ['PUT /store/inventory/4', {}, '422 validation_failed'],
      ['PUT /store/inventory/4', { quantity: '1' }, '422 validation_failed'],
      ['PUT /store/inventory/4', { quantity: 0.5 }, '422 validation_failed'],
      ['PUT /store/inventory/4', { quantity: null }, '422 validation_failed'],
      ['PUT /store/inventory/4', { quantity: -1 }, '422 invalid_quantity'],
      ['PUT /store/inventory/4', { quantity: -MAX }, '422 invalid_quantity'],
      ['PUT /store/inventory/29', { quantity: 1 }, '404 inventory_not_found'],
    ],
  };
}

/** Sends a body: text as it is, anything else as JSON, nothing for `undefined`. */
function send(ask: Ask, method: string, path: string, body?: unknown): Promise<Response> {
  if (body === undefined) return ask(path, { method });
  if (typeof body !== 'string') return ask(path, json(method, body));
  return ask(path, { method, body, headers: { 'Content-Type': 'application/json' } });
}

/** What a path answers with, 200. */
async function read<T = unknown>(ask: Ask, path: string): Promise<T> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

async function ids(ask: Ask, path: string): Promise<number[]> {
  return (await read<{ id: number }[]>(ask, path)).map(({ id }) => id);
}

async function readAll(ask: Ask): Promise<Record<string, unknown>> {
  return {
    pets: await read(ask, '/pets'),
    categories: await read(ask, '/categories'),
    orders: await read(ask, '/store/orders'),
    inventory: await read(ask, '/store/inventory'),
    summary: await read(ask, '/store/inventory/summary'),
  };
}

/** The stock of a pet, the status of its entry, and its own status. */
async function stock(ask: Ask, petId: number): Promise<[quantity: number, entry: Status, pet: Status]> {
  const { quantity, status } = await read<Item>(ask, `/store/inventory/${petId}`);
  return [quantity, status, (await read<Pet>(ask, `/pets/${petId}`)).status];
}

/** `409 out_of_stock`, for an answer that is an Error object and nothing else; `200` for what was not refused. */
async function refusal(response: Response): Promise<string> {
  if (response.ok) return String(response.status);
  const body = (await response.json()) as { code: string };
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(body).toStrictEqual({
    code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    message: expect.stringMatching(/\S/),
    status: response.status,
  });
  return `${response.status} ${body.code}`;
}

/** rel → target, in the order of the Link header. */
function readLinks(response: Response): Map<string, URL> {
  const links = (response.headers.get('link') ?? '').split(/,\s*(?=<)/).filter(Boolean);
  return new Map(
    links.map((link) => {
      const [, target = '', rel = ''] = /^<([^<>]*)>; rel="([a-z]+)"$/.exec(link) ?? [];
      expect(link).toBe(`<${target}>; rel="${rel}"`);
      return [rel, new URL(target, 'http://localhost')];
    }),
  );
}

/** The ids on each page, from a page on along a relation. */
async function walk(ask: Ask, start: string, rel: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let path: string | undefined = start; path !== undefined; ) {
    const response: Response = await ask(path);
    pages.push(((await response.json()) as Pet[]).map(({ id }) => id));
    const target = readLinks(response).get(rel);
    path = target && target.pathname + target.search;
    expect(pages.length).toBeLessThan(100);
  }
  return pages;
}

/** The members of an object in JSON text, with their own names, `__proto__` included. */
function withoutKeys(text: string, left: readonly string[]): Map<string, unknown> {
  return new Map(Object.entries(JSON.parse(text) as Entity).filter(([key]) => !left.includes(key)));
}

function readFixture<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')) as T[];
}
