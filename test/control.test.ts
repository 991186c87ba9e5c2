import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { closeAll, describeAdapters } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const DOCUMENTS = fileURLToPath(new URL('./documents/', import.meta.url));
const TEXT = { type: 'string' };

afterEach(closeAll);

/** Forty members, each of which has forty members again, without end. */
const WIDE = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`member${index}`, { $ref: '#/components/schemas/Wide' }]),
);

describeAdapters('What the mock says about itself', ({ open }) => {
  test('is an overview at the root, for tools and for people', async () => {
    const { ask } = await open();
    const response = await ask('/');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const overview = await response.json();
    expect(overview).toMatchObject({
      name: 'petstore-mock',
      document: 'Pet Store',
      links: { openapi: '/openapi.json', yaml: '/openapi.yaml', health: '/__mock/health' },
    });
    expect(overview).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ name: 'pets' })]),
    });
    const page = await ask('/', { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>Pet Store</h1>');
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('is its health, and leaves no trace', async () => {
    const { ask, mock } = await open();
    const health = await (await ask('/__mock/health')).json();
    expect(health).toEqual({
      status: 'ok',
      name: 'petstore-mock',
      version: expect.stringMatching(/^\d/),
      uptime: expect.any(Number),
    });
    await ask('/');
    expect(mock.journal).toEqual([]);
  });

  test('is its document, which can be served again', async () => {
    const { ask, mock } = await open({ spec: `${DOCUMENTS}accounts.yaml` });
    const spec = (await (await ask('/openapi.json')).json()) as object;
    const again = await createMock({ spec });
    expect(again.operations).toEqual(mock.operations);
    const yaml = await ask('/openapi.yaml');
    expect(yaml.headers.get('content-type')).toBe('application/yaml');
    expect(await yaml.text()).toMatch(/^openapi: 3\.0\.3\n/);
  });

  test('gives way to the document', async () => {
    const answer = { get: { responses: jsonAnswer({ type: 'string', enum: ['own'] }) } };
    const { ask } = await open({
      spec: documentOf({ '/': answer, '/openapi.json': answer, '/__mock/health': answer }),
    });
    for (const path of ['/', '/openapi.json', '/__mock/health'])
      expect(await (await ask(path)).json()).toBe('own');
    const page = {
      ...answer,
      parameters: [{ name: 'page', in: 'path', required: true, schema: TEXT }],
    };
    const { ask: other } = await open({ spec: documentOf({ '/{page}': page, '/__mock/{page}': page }) });
    expect(await (await other('/openapi.json')).json()).toBe('own');
    expect(await (await other('/__mock/health')).json()).toMatchObject({ status: 'ok' });
  });

  test('answers nothing but GET and HEAD', async () => {
    const { ask } = await open();
    expect((await ask('/', { method: 'POST' })).status).toBe(404);
    expect((await ask('/__mock/health', { method: 'DELETE' })).status).toBe(405);
  });
});

describe('The lines for the shell', () => {
  test('send what the document asks for, to entities that exist', async () => {
    const mock = await createMock();
    const { operations } = (await (await mock.fetch('http://localhost/')).json()) as {
      operations: { id: string; curl: string }[];
    };
    const lines = Object.fromEntries(operations.map(({ id, curl }) => [id, curl]));
    expect(lines.listPets).toBe('curl http://localhost/pets');
    expect(lines.getPet).toBe('curl http://localhost/pets/1');
    expect(lines.createPet).toBe(
      `curl -X POST http://localhost/pets -H 'Content-Type: application/json' -d '{"name":"text","categoryId":1}'`,
    );
  });

  test.each([
    ['texts that are long at least', { ...TEXT, minLength: 1e9 }],
    ['forty members with forty members each', { $ref: '#/components/schemas/Wide' }],
  ])('stay short for a body of %s', async (_, schema) => {
    const post = {
      requestBody: { content: { 'application/json': { schema } } },
      responses: jsonAnswer(TEXT),
    };
    const schemas = { Wide: { type: 'object', required: Object.keys(WIDE), properties: WIDE } };
    const mock = await createMock({ spec: documentOf({ '/a': { post } }, { schemas }) });
    const response = await mock.fetch('/');
    expect(response.status).toBe(200);
    const { operations } = (await response.json()) as { operations: { curl: string }[] };
    expect(operations[0]?.curl.length).toBeLessThan(3000);
  });

  test('hold a text that no URL can', async () => {
    const id = { name: 'id', in: 'path', required: true, schema: { ...TEXT, default: '\ud800' } };
    const page = { name: 'page', in: 'query', required: true, schema: { ...TEXT, default: '\udc00' } };
    const spec = documentOf({ '/a/{id}': { get: { parameters: [id, page], responses: jsonAnswer(TEXT) } } });
    const response = await (await createMock({ spec })).fetch('/');
    expect(response.status).toBe(200);
    const { operations } = (await response.json()) as { operations: { curl: string }[] };
    expect(operations[0]?.curl).toBe(`curl 'http://localhost/a/%EF%BF%BD?page=%EF%BF%BD'`);
  });

  test('quote whatever the document says', async () => {
    const evil = `'; rm -rf / #<script>alert(1)</script>&"`;
    const spec = documentOf({
      '/a': {
        get: {
          summary: evil,
          parameters: [{ name: 'q', in: 'header', required: true, schema: { ...TEXT, example: evil } }],
          responses: jsonAnswer(TEXT),
        },
      },
    });
    const mock = await createMock({ spec });
    const { operations } = (await (await mock.fetch('/')).json()) as { operations: { curl: string }[] };
    expect(operations[0]?.curl).toBe(
      `curl http://localhost/a -H 'q: '\\''; rm -rf / #<script>alert(1)</script>&"'`,
    );
    const page = await (await mock.fetch('/', { headers: { Accept: 'text/html' } })).text();
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;');
  });
});
