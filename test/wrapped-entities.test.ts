import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters } from './support/adapters.ts';

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

describeAdapters('JSON:API', ({ open }) => {
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
    expect((await send(ask, 'GET', '/articles?sort=colour')).status).toBe(400);
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

describe('What wraps entities', () => {
  test.each(['json-api'])('%s is answered as the document says', async (document) => {
    const mock = await createMock({ spec: spec(document) });
    expect((await mock.check()).violations).toEqual([]);
  });
});
