import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess } from './support/adapters.ts';

type Json = Readonly<Record<string, unknown>>;

function spec(document: string): string {
  return fileURLToPath(new URL(`./documents/${document}.yaml`, import.meta.url));
}

async function send(ask: Ask, method: string, path: string, body?: unknown, type = 'application/json') {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': type } };
  const answer = await ask(path, { method, ...init });
  const text = await answer.text();
  return { answer, status: answer.status, value: (text === '' ? {} : JSON.parse(text)) as Json };
}

const JSON_API = 'application/vnd.api+json';

afterEach(closeAll);

describeInProcess('JSON:API', ({ open }) => {
  const article = {
    type: 'articles',
    attributes: { title: 'Tides', body: 'Twice a day.', seo: { keywords: 'sea' } },
    relationships: { author: { data: { type: 'people', id: '3' } } },
  };

  test('leads a resource object through its life', async () => {
    const { ask } = await open({ spec: spec('json-api') });
    const born = await send(ask, 'POST', '/articles', { data: article }, JSON_API);
    expect(born.status).toBe(201);
    expect(born.answer.headers.get('Content-Type')).toBe(JSON_API);
    const created = born.value.data as Json;
    expect(created).toMatchObject(article);
    const { id } = created;
    const own = `/articles/${id}`;
    expect(born.answer.headers.get('Location')).toBe(own);
    expect((await send(ask, 'GET', own)).value.data).toEqual(created);
    const attributes = { body: null, status: 'published', seo: { indexed: true } };
    const change = { data: { type: 'articles', id, attributes } };
    const changed = (await send(ask, 'PATCH', own, change, JSON_API)).value.data;
    expect(changed).toEqual({
      ...created,
      attributes: {
        ...(created.attributes as Json),
        ...{ body: null, status: 'published', seo: { keywords: 'sea', indexed: true } },
      },
    });
    expect((await send(ask, 'GET', own)).value.data).toEqual(changed);
    expect((await send(ask, 'GET', '/articles')).value.data).toContainEqual(changed);
    expect((await send(ask, 'DELETE', own)).status).toBe(204);
    expect((await send(ask, 'GET', own)).status).toBe(404);
    expect((await send(ask, 'GET', '/articles')).value.data).not.toContainEqual(changed);
  });

  test('starts attributes afresh, whether a client sends them or not', async () => {
    const { ask } = await open({ spec: spec('json-api') });
    const before = Date.now();
    const { value } = await send(
      ask,
      'POST',
      '/articles',
      { data: { type: 'articles', attributes: { title: 'Tides', createdAt: '2001-01-01T00:00:00Z' } } },
      JSON_API,
    );
    const { attributes } = value.data as { readonly attributes: Record<string, string> };
    expect(attributes.status).toBe('draft');
    expect(Date.parse(attributes.createdAt ?? '')).toBeGreaterThanOrEqual(before);
  });

  test('filters, sorts and pages by attributes', async () => {
    const { ask } = await open({ spec: spec('json-api') });
    const drafts = await send(ask, 'GET', '/articles?filter[status]=draft&sort=-title&page[size]=2');
    const items = drafts.value.data as readonly { readonly attributes: Record<string, string> }[];
    expect(items).toHaveLength(2);
    const titles = items.map(({ attributes }) => attributes.title ?? '');
    expect(titles).toEqual([...titles].sort().reverse());
    expect(items.map(({ attributes }) => attributes.status)).toEqual(['draft', 'draft']);
    const all = await send(ask, 'GET', '/articles?sort=words&filter[min_words]=500');
    const words = (all.value.data as typeof items).map(({ attributes }) => Number(attributes.words));
    expect(words).toEqual(words.filter((each) => each >= 500).sort((one, other) => one - other));
    expect((await send(ask, 'GET', '/articles?sort=colour')).status).toBe(422);
  });

  test('takes attributes of any kind', async () => {
    const { ask } = await open({ spec: spec('json-api') });
    const { value } = await send(ask, 'GET', '/people');
    for (const person of value.data as Json[]) expect(person.type).toBe('people');
    const data = { type: 'people', attributes: { name: 'Ida', age: 60 } };
    const born = await send(ask, 'POST', '/people', { data }, JSON_API);
    const { id } = born.value.data as Json;
    const change = { data: { type: 'people', id, attributes: { age: 61 } } };
    const changed = await send(ask, 'PATCH', `/people/${id}`, change, JSON_API);
    expect(changed.value.data).toEqual({ type: 'people', id, attributes: { name: 'Ida', age: 61 } });
    expect((await send(ask, 'DELETE', `/people/${id}`)).status).toBe(204);
    expect((await send(ask, 'GET', `/people/${id}`)).status).toBe(404);
  });

  test('puts the properties of a flat body among the attributes', async () => {
    const { ask } = await open({ spec: spec('json-api') });
    const born = await send(ask, 'POST', '/ponds', { data: { name: 'Mill pond', depth: 2 } });
    const { id, attributes } = born.value.data as { readonly id: number; readonly attributes: Json };
    expect(attributes).toMatchObject({ name: 'Mill pond', depth: 2, createdAt: expect.any(String) });
    const changed = await send(ask, 'PUT', `/ponds/${id}`, { data: { name: 'Old pond' } });
    const { createdAt } = attributes;
    expect(changed.value.data).toEqual({
      id,
      attributes: { name: 'Old pond', createdAt, updatedAt: expect.any(String) },
    });
    expect((await send(ask, 'GET', '/ponds')).value.data).toContainEqual(changed.value.data);
    expect((await send(ask, 'DELETE', `/ponds/${id}`)).status).toBe(200);
    expect((await send(ask, 'GET', `/ponds/${id}`)).status).toBe(404);
  });
});

describeInProcess('A link of an entity to itself', ({ open }) => {
  interface Case {
    readonly title: string;
    readonly path: string;
    readonly sent: Json;
    readonly linkOf: (entity: Json) => unknown;
    readonly listOf: (answer: unknown) => unknown;
    readonly change?: readonly [method: string, body: Json];
  }

  const at =
    (...path: readonly (string | number)[]) =>
    (value: unknown) =>
      path.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], value);

  test.each<Case>([
    {
      title: 'by a relation of HAL',
      path: '/ferries',
      sent: { name: 'Freya', cars: 30 },
      linkOf: at('_links', 'self', 'href'),
      listOf: at('_embedded', 'ferries'),
      change: ['PATCH', { name: 'Frigg' }],
    },
    {
      title: 'in a list of links',
      path: '/piers',
      sent: { name: 'North' },
      linkOf: at('links', 0, 'href'),
      listOf: at('content'),
    },
    {
      title: 'by a member of its own',
      path: '/piers/2/berths',
      sent: { name: 'A', url: 'https://example.com/a' },
      linkOf: at('self'),
      listOf: at(),
    },
    {
      title: 'by its only URL',
      path: '/buoys',
      sent: { colour: 'red' },
      linkOf: at('url'),
      listOf: at('results'),
      change: ['PUT', { colour: 'green' }],
    },
  ])('leads to it $title', async ({ path, sent, linkOf, listOf, change }) => {
    const { ask } = await open({ spec: spec('hal') });
    const born = await send(ask, 'POST', path, sent);
    expect(born.value).toMatchObject(sent);
    const link = new URL(String(linkOf(born.value)));
    expect(link.pathname).toBe(born.answer.headers.get('Location'));
    expect((await send(ask, 'GET', link.pathname)).value).toEqual(born.value);
    const listed = listOf((await send(ask, 'GET', path)).value) as readonly Json[];
    expect(listed).toContainEqual(born.value);
    for (const entity of listed) {
      const { pathname } = new URL(String(linkOf(entity)));
      expect((await send(ask, 'GET', pathname)).value).toEqual(entity);
    }
    if (change) {
      const changed = await send(ask, change[0], link.pathname, { ...sent, ...change[1] });
      expect(changed.value).toEqual({ ...born.value, ...change[1] });
    }
    expect((await send(ask, 'DELETE', link.pathname)).status).toBe(204);
    expect((await send(ask, 'GET', link.pathname)).status).toBe(404);
  });

  test('stays below the base path and the host by which it was asked for', async () => {
    const { ask } = await open({ spec: spec('hal') });
    const links = await Promise.all(
      ['/api/piers/1', '/piers/1'].map(async (path) =>
        at('links', 0, 'href')((await send(ask, 'GET', path)).value),
      ),
    );
    expect(links.map((link) => new URL(String(link)).pathname)).toEqual(['/api/piers/1', '/piers/1']);
    const answer = await (await ask('/piers/1', { headers: { 'X-Other': '1' } })).json();
    expect(at('links', 0, 'rel')(answer)).toBe('self');
  });

  test('leaves a link that clients set as it is', async () => {
    const { ask } = await open({ spec: spec('hal') });
    const url = 'https://example.com/owner';
    const born = await send(ask, 'POST', '/piers/1/berths', { name: 'B', url });
    expect(born.value.url).toBe(url);
    await send(ask, 'POST', '/ferries', { name: 'Freya', _links: { self: { href: url } } });
    const ferries = at('_embedded', 'ferries')((await send(ask, 'GET', '/ferries')).value) as Json[];
    expect(JSON.stringify(ferries)).not.toContain(url);
  });

  test('names the entities of examples', async () => {
    const { ask } = await open({ spec: spec('hal') });
    const { value } = await send(ask, 'GET', '/buoys/7');
    expect(value).toMatchObject({ colour: 'yellow' });
    expect(new URL(String(value.url)).pathname).toBe('/buoys/7');
  });

  test('stands beside those of its page', async () => {
    const { ask } = await open({ spec: spec('hal') });
    const { value } = await send(ask, 'GET', '/ferries?page=1&size=2');
    expect(value.page).toEqual({ size: 2, totalElements: 10, totalPages: 5, number: 1 });
    const links = value._links as Readonly<Record<string, { readonly href: string }>>;
    const queries = Object.entries(links).map(([name, { href }]) => [name, new URL(href).search]);
    expect(Object.fromEntries(queries)).toEqual({
      first: '?page=0&size=2',
      prev: '?page=0&size=2',
      self: '?page=1&size=2',
      next: '?page=2&size=2',
      last: '?page=4&size=2',
    });
  });
});

describeInProcess('An envelope around anything', ({ open }) => {
  test.each([
    [
      'an object, with the list in it',
      '/ovens',
      'data',
      'PUT',
      (answer: Json) => (answer.data as Json).items,
    ],
    ['under a name of its own', '/loaves', 'bread', 'PATCH', (answer: Json) => answer.bread],
  ])('holds %s', async (_, path, member, method, listOf) => {
    const { ask } = await open({ spec: spec('open-envelopes') });
    const born = (await send(ask, 'POST', path, { name: 'First' })).value[member] as Json;
    expect(born).toMatchObject({ name: 'First' });
    const own = `${path}/${born.id}`;
    expect((await send(ask, 'GET', own)).value[member]).toEqual(born);
    const changed = (await send(ask, method, own, { name: 'Second' })).value[member];
    expect(changed).toEqual({ ...born, name: 'Second' });
    expect(listOf((await send(ask, 'GET', path)).value)).toContainEqual(changed);
    expect((await send(ask, 'DELETE', own)).answer.ok).toBe(true);
    expect((await send(ask, 'GET', own)).status).toBe(404);
    expect(listOf((await send(ask, 'GET', path)).value)).not.toContainEqual(changed);
  });

  test('says that all went well', async () => {
    const { ask } = await open({ spec: spec('open-envelopes') });
    expect((await send(ask, 'GET', '/ovens')).value).toMatchObject({ success: true, message: 'Success' });
    expect((await send(ask, 'GET', '/ovens/1')).value).toMatchObject({ success: true, message: 'Success' });
    expect((await send(ask, 'GET', '/loaves')).value).toMatchObject({ code: 200, msg: 'Success' });
    expect((await send(ask, 'GET', '/ovens/99')).value).toMatchObject({ success: false });
  });

  test('costs an operation its state where nothing says which member holds the list', async () => {
    const { ask, mock } = await open({ spec: spec('open-envelopes') });
    const { stateless } = mock.inference;
    expect(stateless.map(({ method, path, reason }) => [method, path, reason])).toEqual([
      ['GET', '/flours', 'answers no list of objects'],
    ]);
    const { data } = (await send(ask, 'GET', '/flours')).value;
    for (const text of Object.values(data as Json)) expect(text).toBeTypeOf('string');
    const born = await send(ask, 'POST', '/flours', { name: 'Rye' });
    const own = born.answer.headers.get('Location') ?? '';
    expect((await send(ask, 'GET', own)).value.data).toMatchObject({ name: 'Rye' });
  });
});

describe('What wraps entities', () => {
  test.each(['json-api', 'hal', 'open-envelopes'])(
    '%s is answered as the document says',
    async (document) => {
      const mock = await createMock({ spec: spec(document) });
      expect((await mock.check()).violations).toEqual([]);
    },
  );
});
