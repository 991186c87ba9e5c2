import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';

type Json = Readonly<Record<string, unknown>>;
/** A request: what is asked, and with which body. */
type Call = readonly [method: string, path: string, body?: unknown];

/** How one collection of a document is used. */
interface Layout {
  readonly title: string;
  readonly document: string;
  readonly create: Call;
  /** What a new entity shows; what was sent unless given. */
  readonly born?: Json;
  readonly list?: Call;
  readonly read?: (key: string) => Call;
  readonly change: (key: string) => Call;
  /** What a changed entity shows; what was sent unless given. */
  readonly changed?: Json;
  readonly remove: (key: string) => Call;
  /** The property of an answer that identifies its entity; `undefined` where no answer shows it. */
  readonly key?: string | undefined;
}

function spec(document: string): string {
  return fileURLToPath(new URL(`./documents/${document}.yaml`, import.meta.url));
}

const LAYOUTS: readonly Layout[] = [
  {
    title: 'A collection whose path ends in a slash',
    document: 'trailing-slashes',
    create: ['POST', '/lighthouses/', { name: 'Far Point', height: 20 }],
    list: ['GET', '/lighthouses/'],
    read: (key) => ['GET', `/lighthouses/${key}`],
    change: (key) => ['PUT', `/lighthouses/${key}`, { name: 'Near Point' }],
    remove: (key) => ['DELETE', `/lighthouses/${key}`],
  },
  {
    title: 'A collection below an item, whose items end in a slash',
    document: 'trailing-slashes',
    create: ['POST', '/lighthouses/1/keepers', { name: 'Ida' }],
    list: ['GET', '/lighthouses/1/keepers'],
    read: (key) => ['GET', `/lighthouses/1/keepers/${key}/`],
    change: (key) => ['PATCH', `/lighthouses/1/keepers/${key}/`, { name: 'Ada' }],
    remove: (key) => ['DELETE', `/lighthouses/1/keepers/${key}/`],
  },
  {
    title: 'A collection with a verb before the item',
    document: 'verbs-in-paths',
    create: ['POST', '/products/add', { name: 'Mug' }],
    list: ['GET', '/products'],
    read: (key) => ['GET', `/products/${key}`],
    change: (key) => ['PUT', `/products/edit/${key}`, { name: 'Cup' }],
    remove: (key) => ['DELETE', `/products/delete/${key}`],
  },
  {
    title: 'A collection with a verb behind the item',
    document: 'verbs-in-paths',
    create: ['POST', '/users/new', { name: 'Kim' }],
    list: ['GET', '/users/show'],
    read: (key) => ['GET', `/users/${key}`],
    change: (key) => ['POST', `/users/${key}/edit`, { name: 'Jo' }],
    remove: (key) => ['DELETE', `/users/${key}/delete`],
  },
  {
    title: 'A collection with a verb in every path',
    document: 'verbs-in-paths',
    create: ['POST', '/orders/create', { name: 'Three mugs' }],
    list: ['GET', '/orders/findAll'],
    read: (key) => ['GET', `/orders/find/${key}`],
    change: (key) => ['PATCH', `/orders/update/${key}`, { name: 'Four mugs' }],
    remove: (key) => ['DELETE', `/orders/remove/${key}`],
  },
  {
    title: 'A collection with a verb and its noun in every path',
    document: 'verbs-in-paths',
    create: ['POST', '/guide/createGuide', { name: 'The old town' }],
    list: ['GET', '/guide/getMyGuides'],
    change: (key) => ['PUT', `/guide/updateGuide/${key}`, { name: 'The new town' }],
    remove: (key) => ['DELETE', `/guide/deleteGuide/${key}`],
  },
  {
    title: 'A collection of remote procedures',
    document: 'rpc',
    create: ['POST', '/clippings.create', { title: 'Flood' }],
    list: ['POST', '/clippings.list', {}],
    read: (id) => ['POST', '/clippings.info', { id }],
    change: (id) => ['POST', '/clippings.update', { id, title: 'Ebb' }],
    changed: { title: 'Ebb' },
    remove: (id) => ['POST', '/clippings.delete', { id }],
  },
  {
    title: 'A collection whose items are named in the query',
    document: 'key-in-query',
    create: ['POST', '/api/task', { what: 'Sweep' }],
    list: ['GET', '/api/tasks'],
    read: (key) => ['GET', `/api/task?id=${key}`],
    change: (key) => ['PUT', `/api/task?id=${key}`, { what: 'Mop' }],
    remove: (key) => ['DELETE', `/api/task?id=${key}`],
  },
  {
    title: 'A collection under a singular and a plural',
    document: 'singular-and-plural',
    create: ['POST', '/book', { title: 'Tides' }],
    list: ['GET', '/books'],
    read: (key) => ['GET', `/book/${key}`],
    change: (key) => ['PUT', `/book/${key}`, { title: 'Waves' }],
    remove: (key) => ['DELETE', `/book/${key}`],
  },
  {
    title: 'A collection whose answers have no content',
    document: 'no-answer-schemas',
    create: ['POST', '/plots', { name: 'By the gate' }],
    list: ['GET', '/plots'],
    read: (key) => ['GET', `/plots/${key}`],
    change: (key) => ['PATCH', `/plots/${key}`, { name: 'By the pond' }],
    remove: (key) => ['DELETE', `/plots/${key}`],
  },
  {
    title: 'A collection whose answers have an empty schema',
    document: 'no-answer-schemas',
    create: ['POST', '/tools', { name: 'Rake' }],
    list: ['GET', '/tools'],
    read: (key) => ['GET', `/tools/${key}`],
    change: (key) => ['PUT', `/tools/${key}`, { name: 'Spade' }],
    remove: (key) => ['DELETE', `/tools/${key}`],
  },
  {
    title: 'A collection whose answers are envelopes around nothing',
    document: 'no-answer-schemas',
    create: ['POST', '/sheds', { name: 'Red' }],
    list: ['GET', '/sheds'],
    read: (key) => ['GET', `/sheds/${key}`],
    change: (key) => ['PUT', `/sheds/${key}`, { name: 'Blue' }],
    remove: (key) => ['DELETE', `/sheds/${key}`],
  },
  {
    title: 'A collection whose bodies are not declared',
    document: 'undeclared-bodies',
    create: ['POST', '/cats', { name: 'Tom', toys: ['ball'] }],
    list: ['GET', '/cats'],
    read: (key) => ['GET', `/cats/${key}`],
    change: (key) => ['PUT', `/cats/${key}`, { name: 'Tim' }],
    remove: (key) => ['DELETE', `/cats/${key}`],
  },
  {
    title: 'A collection whose bodies have no schema',
    document: 'undeclared-bodies',
    create: ['POST', '/boxes', { size: 3 }],
    list: ['GET', '/boxes'],
    read: (key) => ['GET', `/boxes/${key}`],
    change: (key) => ['PUT', `/boxes/${key}`, { size: 4 }],
    remove: (key) => ['DELETE', `/boxes/${key}`],
  },
  {
    title: 'A collection that another path shows',
    document: 'shared-stores',
    create: ['POST', '/admin/restaurants', { name: 'Noodles' }],
    list: ['GET', '/restaurants'],
    read: (key) => ['GET', `/restaurants/${key}`],
    change: (key) => ['PUT', `/admin/restaurants/${key}`, { name: 'Dumplings' }],
    remove: (key) => ['DELETE', `/admin/restaurants/${key}`],
  },
  {
    title: 'A collection that another path creates',
    document: 'shared-stores',
    create: ['POST', '/profile', { nick: 'robin' }],
    list: ['GET', '/users'],
    read: (key) => ['GET', `/users/${key}`],
    change: (key) => ['PATCH', `/users/${key}`, { nick: 'wren' }],
    remove: (key) => ['DELETE', `/users/${key}`],
  },
  {
    title: 'A collection whose key has half of its name',
    document: 'keys',
    key: 'itemId',
    create: ['POST', '/menu-items', { name: 'Soup' }],
    list: ['GET', '/menu-items'],
    read: (key) => ['GET', `/menu-items/${key}`],
    change: (key) => ['PUT', `/menu-items/${key}`, { name: 'Stew' }],
    remove: (key) => ['DELETE', `/menu-items/${key}`],
  },
  {
    title: 'A collection whose keys are any numbers',
    document: 'keys',
    create: ['POST', '/trays', { name: 'Green' }],
    list: ['GET', '/trays'],
    read: (key) => ['GET', `/trays/${key}`],
    change: (key) => ['PATCH', `/trays/${key}`, { name: 'Grey' }],
    remove: (key) => ['DELETE', `/trays/${key}`],
  },
  {
    title: 'A collection whose key no answer shows',
    document: 'keys',
    key: undefined,
    create: ['POST', '/cooks', { name: 'A cook of the night shift' }],
    list: ['GET', '/cooks'],
    read: (key) => ['GET', `/cooks/${key}`],
    change: (key) => ['PUT', `/cooks/${key}`, { name: 'A cook of the day shift' }],
    remove: (key) => ['DELETE', `/cooks/${key}`],
  },
  {
    title: 'A collection whose bodies contradict its entities',
    document: 'contradictions',
    create: ['POST', '/stalls', { row: 4, owner: 7, comment: 'At the corner' }],
    born: { row: '4', owner: { id: 7 } },
    list: ['GET', '/stalls'],
    read: (key) => ['GET', `/stalls/${key}`],
    change: (key) => ['PATCH', `/stalls/${key}`, { row: 5, owner: 8, comment: 'By the door' }],
    changed: { row: '5', owner: { id: 8 } },
    remove: (key) => ['DELETE', `/stalls/${key}`],
  },
  {
    title: 'A collection whose entities need more than a client sends',
    document: 'contradictions',
    create: ['POST', '/traders', { name: 'Zoë', goods: [{ what: 'lamps' }, { what: 'books' }] }],
    born: { name: 'Zoë', joined: expect.any(String), goods: toGoods('lamps', 'books') },
    list: ['GET', '/traders'],
    read: (key) => ['GET', `/traders/${key}`],
    change: (key) => ['PUT', `/traders/${key}`, { name: 'Åsa', goods: [{ what: 'rugs' }] }],
    changed: { name: 'Åsa', goods: toGoods('rugs') },
    remove: (key) => ['DELETE', `/traders/${key}`],
  },
  {
    title: 'A collection whose entities are put together of closed parts',
    document: 'closed-compositions',
    create: ['POST', '/kilns', { name: 'Old', degrees: 700 }],
    list: ['GET', '/kilns'],
    read: (key) => ['GET', `/kilns/${key}`],
    change: (key) => ['PUT', `/kilns/${key}`, { name: 'New', degrees: 900, neighbour: { name: 'Old' } }],
    remove: (key) => ['DELETE', `/kilns/${key}`],
  },
];

function toGoods(...names: string[]): unknown {
  return names.map((what) => ({ id: expect.any(Number), what }));
}

afterEach(closeAll);

describeInProcess('A layout', ({ open }) => {
  test.each(LAYOUTS)('$title leads an entity through its life', async (layout) => {
    const { ask } = await open({ spec: spec(layout.document) });
    const key = await expectBorn(ask, layout);
    const { list, read, change } = layout;
    const call = change(key);
    const changed = layout.changed ?? (call[2] as Json);
    const answer = await send(ask, call);
    expect(answer.status).toBe(200);
    expect(toEntity(await answer.json())).toMatchObject(changed);
    if (read) expect(toEntity(await (await send(ask, read(key))).json())).toMatchObject(changed);
    if (list) expect(await readList(ask, list)).toContainEqual(expect.objectContaining(changed));
    const before = list ? await readList(ask, list) : [];
    expect((await send(ask, layout.remove(key))).ok).toBe(true);
    expect((await send(ask, read?.(key) ?? change(key))).status).toBe(404);
    expect((await send(ask, layout.remove(key))).status).toBe(404);
    if (!list) return;
    expect(await readList(ask, list)).toHaveLength(before.length - 1);
    expect(await readList(ask, list)).not.toContainEqual(expect.objectContaining(changed));
  });
});

/** Creates an entity, expects every answer to show what was sent, and returns its key. */
async function expectBorn(ask: Ask, layout: Layout): Promise<string> {
  const { create, list, read } = layout;
  const born = layout.born ?? (create[2] as Json);
  const answer = await send(ask, create);
  expect(answer.ok).toBe(true);
  const shown = toEntity(await answer.json());
  expect(shown).toMatchObject(born);
  const property = 'key' in layout ? layout.key : 'id';
  const location = answer.headers.get('Location') ?? '';
  const key = String(property === undefined ? location.split('/').at(-1) : shown[property]);
  if (read) {
    const found = await send(ask, read(key));
    expect(found.status).toBe(200);
    expect(toEntity(await found.json())).toEqual(shown);
  }
  if (list) expect(await readList(ask, list)).toContainEqual(shown);
  return key;
}

function send(ask: Ask, [method, path, body]: Call): Promise<Response> {
  return ask(path, body === undefined ? { method } : json(method, body));
}

/** The entity in an answer, out of its envelope. */
function toEntity(answer: unknown): Json {
  const { data = answer } = answer as { readonly data?: unknown };
  return data as Json;
}

async function readList(ask: Ask, call: Call): Promise<readonly Json[]> {
  const answer: unknown = await (await send(ask, call)).json();
  const list = Array.isArray(answer) ? answer : (answer as { readonly data: unknown }).data;
  expect(list).toBeInstanceOf(Array);
  return list as readonly Json[];
}

describeInProcess('What looks like a rule and is none', ({ open }) => {
  test('Your own user is not one of the users', async () => {
    const { ask } = await open({ spec: spec('singular-and-plural') });
    const before = await readList(ask, ['GET', '/users']);
    await send(ask, ['PUT', '/user', { nick: 'myself' }]);
    expect(toEntity(await (await ask('/user')).json())).toMatchObject({ nick: 'myself' });
    await send(ask, ['POST', '/users', { nick: 'another' }]);
    expect(toEntity(await (await ask('/user')).json())).toMatchObject({ nick: 'myself' });
    const after = await readList(ask, ['GET', '/users']);
    expect(after.filter(({ nick }) => nick === 'myself')).toEqual([]);
    expect(after).toHaveLength(before.length + 1);
  });

  test('A parameter with an enum is no key', async () => {
    const { ask, mock } = await open({ spec: spec('keys') });
    expect(mock.resources.map(({ name }) => name)).toEqual(['menu-items', 'trays', 'cooks']);
    for (const course of ['starter', 'main', 'dessert']) {
      expect((await ask(`/meals/${course}`)).status).toBe(200);
      expect((await send(ask, ['PUT', `/meals/${course}`, { name: 'Soup' }])).status).toBe(200);
    }
    expect((await ask('/meals/supper')).status).toBe(422);
  });

  test.each([
    ['verbs-in-paths', '/users/show', { name: 'Kim' }],
    ['shared-stores', '/users', { nick: 'robin' }],
  ])('A login creates nobody, as %s has it', async (document, list, body) => {
    const { ask } = await open({ spec: spec(document) });
    const before = await readList(ask, ['GET', list]);
    expect((await send(ask, ['POST', '/auth/login', body])).status).toBe(200);
    expect(await readList(ask, ['GET', list])).toEqual(before);
  });

  test('Nobody but the administrator changes a restaurant', async () => {
    const { ask } = await open({ spec: spec('shared-stores') });
    expect((await send(ask, ['DELETE', '/restaurants/1'])).status).toBe(405);
    expect((await send(ask, ['POST', '/restaurants', { name: 'Noodles' }])).status).toBe(405);
  });
});
