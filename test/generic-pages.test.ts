import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';
import { INTEGER, type Node, TEXT, toAnswer, toOperation } from './support/small-documents.ts';

const SPEC = fileURLToPath(new URL('./documents/generic-pages.yaml', import.meta.url));

type Json = Readonly<Record<string, unknown>>;

async function send(ask: Ask, method: string, path: string, body?: unknown) {
  const answer = await ask(path, body === undefined ? { method } : json(method, body));
  const text = await answer.text();
  return { status: answer.status, value: (text === '' ? {} : JSON.parse(text)) as Json };
}

afterEach(closeAll);

describeInProcess('A generic page', ({ open }) => {
  test('lists the entities that its anchor names, through their lives', async () => {
    const { ask } = await open({ spec: SPEC });
    const mirrors = [{ width: 3, parts: [{ width: 1 }] }];
    const born = await send(ask, 'POST', '/telescopes', { name: 'Far', mirrors });
    expect(born).toMatchObject({ status: 201, value: { data: { name: 'Far', mirrors } } });
    const own = `/telescopes/${(born.value.data as Json).id}`;
    expect((await send(ask, 'GET', own)).value).toEqual(born.value);
    const changed = (await send(ask, 'PUT', own, { name: 'Near' })).value;
    expect(changed.data).toMatchObject({ name: 'Near' });
    const page = (await send(ask, 'GET', '/telescopes')).value;
    expect(page.items).toContainEqual(changed.data);
    expect(page.paging).toMatchObject({ total: (page.items as Json[]).length });
    expect((await send(ask, 'DELETE', own)).status).toBe(204);
    expect((await send(ask, 'GET', own)).status).toBe(404);
    expect((await send(ask, 'GET', '/telescopes')).value.items).not.toContainEqual(changed.data);
  });

  test('has other items where another anchor stands', async () => {
    const { ask } = await open({ spec: SPEC });
    const born = (await send(ask, 'POST', '/stars', { name: 'Vega', magnitude: 0.03 })).value;
    const changed = (await send(ask, 'PATCH', `/stars/${born.id}`, { name: 'Vega', magnitude: 0.02 })).value;
    expect(changed).toEqual({ ...born, magnitude: 0.02 });
    expect((await send(ask, 'GET', '/stars')).value.items).toContainEqual(changed);
    expect((await send(ask, 'DELETE', `/stars/${born.id}`)).status).toBe(204);
    expect((await send(ask, 'GET', `/stars/${born.id}`)).status).toBe(404);
  });

  test('is answered as the document says', async () => {
    const { mock } = await open({ spec: SPEC });
    expect(mock.document.notes).toEqual([]);
    expect((await mock.check()).violations).toEqual([]);
  });
});

describe('A dynamic reference', () => {
  const to = (name: string) => ({ $dynamicRef: `#${name}` });
  const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const bind = (name: string, schema: Node) => ({ $defs: { bound: { $dynamicAnchor: name, ...schema } } });

  function open(schema: unknown, schemas: Node = {}): Promise<Mock> {
    const paths = { '/checks': { post: toOperation(toAnswer(204), schema) } };
    const info = { title: 'Small', version: '1' };
    return createMock({ spec: { openapi: '3.1.0', info, paths, components: { schemas } } });
  }

  async function takes(mock: Mock, body: unknown): Promise<boolean> {
    const { status } = await mock.fetch('/checks', json('POST', body));
    expect([204, 422]).toContain(status);
    return status === 204;
  }

  const box = { type: 'object', properties: { in: to('item'), box: component('Box') }, ...bind('item', {}) };

  test.each<[string, unknown, Node, unknown, unknown]>([
    [
      'goes to the schema around it',
      component('Tree'),
      { Tree: { $dynamicAnchor: 'node', type: 'object', properties: { next: to('node'), size: INTEGER } } },
      { next: { size: 1 } },
      { next: { size: 'one' } },
    ],
    [
      'goes to the outermost anchor',
      { ...component('Box'), ...bind('item', INTEGER) },
      { Box: box },
      { box: { in: 1 } },
      { box: { in: 'one' } },
    ],
    [
      'goes to its own default',
      component('Box'),
      { Box: { ...box, ...bind('item', TEXT) } },
      { box: { in: 'one' } },
      { box: { in: 1 } },
    ],
    [
      'goes through other schemas',
      { ...component('Outer'), ...bind('item', INTEGER) },
      { Outer: { type: 'object', properties: { box: component('Box') } }, Box: box },
      { box: { in: 1 } },
      { box: { in: 'one' } },
    ],
    [
      'may be a plain one',
      { $dynamicRef: '#/components/schemas/Box' },
      { Box: { type: 'object', properties: { in: INTEGER } } },
      { in: 1 },
      { in: 'one' },
    ],
    [
      'reaches a closed part',
      { allOf: [component('Closed'), { properties: { out: TEXT } }], ...bind('item', INTEGER) },
      { Closed: { type: 'object', properties: { in: to('item') }, additionalProperties: false } },
      { in: 1, out: 'one' },
      { in: 'one', out: 'one' },
    ],
    [
      'without a target allows anything',
      { type: 'object', properties: { in: to('nothing') }, required: ['in'] },
      {},
      { in: 1 },
      {},
    ],
  ])('%s', async (_, schema, schemas, good, bad) => {
    const mock = await open(schema, schemas);
    expect(await takes(mock, good)).toBe(true);
    expect(await takes(mock, bad)).toBe(false);
  });

  test('has a schema of its own for each anchor, however many refer to each other', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Page${index}`);
    const pages = names.map((name, index) => [
      name,
      {
        type: 'object',
        properties: {
          items: { type: 'array', items: to('item') },
          next: component(names[(index + 1) % 30] ?? ''),
        },
        ...bind(`item`, index % 2 === 0 ? TEXT : INTEGER),
      },
    ]);
    const mock = await open(component('Page0'), Object.fromEntries(pages));
    expect(await takes(mock, { next: { next: { items: ['one'] } } })).toBe(true);
    expect(await takes(mock, { next: { items: [1] } })).toBe(false);
  });

  test('is bound in another file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
    try {
      const answer = `{ '204': { description: Done } }`;
      const body = `{ content: { application/json: { schema: { $ref: 'pages.yaml#/Numbers' } } } }`;
      const paths = `paths: { /checks: { post: { requestBody: ${body}, responses: ${answer} } } }`;
      await writeFile(
        join(directory, 'pages.yaml'),
        `Page: { type: object, properties: { items: { type: array, items: { $dynamicRef: '#item' } } } }
Numbers: { $ref: '#/Page', $defs: { own: { $dynamicAnchor: item, $ref: '#/Number' } } }
Number: { type: integer }`,
      );
      await writeFile(
        join(directory, 'main.yaml'),
        `openapi: 3.1.0\ninfo: { title: Small, version: '1' }\n${paths}`,
      );
      const mock = await createMock({ spec: join(directory, 'main.yaml') });
      expect(await takes(mock, { items: [1] })).toBe(true);
      expect(await takes(mock, { items: ['one'] })).toBe(false);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
