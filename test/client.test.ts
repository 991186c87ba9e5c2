import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import createClient, { type Client } from 'openapi-fetch';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterEach, expect, expectTypeOf, test } from 'vitest';
import { closeAll, describeAdapters } from './support/adapters.ts';
import type { components, paths } from './support/pet-store-api.ts';

type Schemas = components['schemas'];

const DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url);
const TYPES = './support/pet-store-api.ts';

afterEach(closeAll);

describeAdapters('A typed client', ({ open }) => {
  async function openClient(): Promise<Client<paths>> {
    const { ask } = await open();
    return createClient<paths>({
      baseUrl: 'http://pets.example',
      // The client makes a Request; an adapter wants a path and what fetch takes.
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const body = request.body ? await request.text() : null;
        return ask(pathname + search, { method: request.method, headers: request.headers, body });
      },
    });
  }

  test('walks a purchase from browsing to a sold pet', async () => {
    const client = await openClient();

    const firstPage = await client.GET('/pets', {
      params: { query: { status: ['available'], sort: 'name', limit: 5 } },
    });
    expect(firstPage.response.status).toBe(200);
    expect(firstPage.data).toHaveLength(5);
    expect(new Set(firstPage.data?.map(({ status }) => status))).toEqual(new Set(['available']));
    const total = Number(firstPage.response.headers.get('X-Total-Count'));
    expect(total).toBe(14);
    const rest = await client.GET('/pets', {
      params: { query: { status: ['available'], sort: 'name', limit: 100, offset: 5 } },
    });
    const available = [...(firstPage.data ?? []), ...(rest.data ?? [])];
    expect(new Set(available.map(({ id }) => id)).size).toBe(total);
    expect(available.map(({ name }) => name)).toEqual(available.map(({ name }) => name).sort());

    const petId = 3;
    const path = { petId };
    expect(available.map(({ id }) => id)).toContain(petId);
    const profile = await client.GET('/pets/{petId}/profile', { params: { path } });
    expect(profile.data).toMatchObject({
      id: petId,
      name: 'Clover',
      category: { id: 3, name: 'Rabbits' },
      inventory: { petId, quantity: 1, status: 'available' },
    });

    const placed = await client.POST('/store/orders', {
      body: { petId, quantity: 1, shipDate: '2026-12-18T08:00:00Z' },
    });
    expect(placed.response.status).toBe(201);
    expect(placed.data).toEqual({
      id: 24,
      petId,
      quantity: 1,
      shipDate: '2026-12-18T08:00:00Z',
      complete: false,
    });
    const orderId = placed.data?.id ?? 0;

    const reserved = await client.GET('/store/inventory/{petId}', { params: { path } });
    expect(reserved.data).toEqual({ petId, quantity: 0, status: 'pending' });
    const pending = await client.GET('/pets', { params: { query: { status: ['pending'] } } });
    expect(pending.data?.map(({ id }) => id)).toContain(petId);

    const completed = await client.PATCH('/store/orders/{orderId}', {
      params: { path: { orderId } },
      body: { complete: true },
    });
    expect(completed.data).toMatchObject({ id: orderId, complete: true });

    const sold = await client.GET('/pets/{petId}', { params: { path } });
    expect(sold.data?.status).toBe('sold');
    expect(sold.response.headers.get('Deprecation')).toMatch(/^@\d+$/);
    const open = await client.GET('/store/orders', { params: { query: { petId, complete: false } } });
    expect(open.data).toEqual([]);
  });

  test('gets an error that is typed', async () => {
    const client = await openClient();
    const { data, error, response } = await client.POST('/store/orders', { body: { petId: 3, quantity: 2 } });
    expectTypeOf(error).toEqualTypeOf<Schemas['Error'] | undefined>();
    expect(data).toBeUndefined();
    expect(error).toEqual({ code: 'out_of_stock', message: expect.stringContaining('Pet 3'), status: 409 });
    expect(response.status).toBe(409);
  });

  test('gets every error in the same shape, whatever failed', async () => {
    const client = await openClient();
    const answers = await Promise.all([
      client.GET('/pets/{petId}', { params: { path: { petId: 4711 } } }),
      client.DELETE('/categories/{categoryId}', { params: { path: { categoryId: 1 } } }),
      // @ts-expect-error the category has to be a number
      client.POST('/pets', { body: { name: 'Nori', categoryId: 'cats' } }),
      // @ts-expect-error there is no such status
      client.GET('/pets', { params: { query: { status: ['lost'] } } }),
    ]);
    expect(answers.map(({ error }) => [error?.status, error?.code])).toEqual([
      [404, 'pet_not_found'],
      [409, 'category_in_use'],
      [422, 'validation_failed'],
      [400, 'invalid_parameter'],
    ]);
  });
});

test('The types of the client are those that the document gives; "vitest run client --update" writes them anew', async () => {
  const ast = await openapiTypescript(DOCUMENT, { defaultNonNullable: false });
  const header =
    '// Generated from spec/openapi.yaml by openapi-typescript, see client.test.ts. Not to be edited.\n\n';
  await expect(format(header + astToString(ast))).toMatchFileSnapshot(TYPES);
});

/** The text in the project's own format, so that the check of formats needs no exception. */
function format(text: string): string {
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  const file = fileURLToPath(new URL(TYPES, import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'format', `--stdin-file-path=${file}`],
    {
      input: text,
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
