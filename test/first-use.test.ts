import { afterEach, describe, expect, test, vi } from 'vitest';
import { createDocument } from '../bench/documents.js';
import { loadDocument } from '../src/document/document.ts';
import { createMock } from '../src/index.ts';
import { documentOf } from './support/documents.ts';

const converted: string[] = [];

vi.mock('@stoplight/http-spec/oas3', async (load) => {
  const original = await load<typeof import('@stoplight/http-spec/oas3')>();
  return {
    ...original,
    transformOas3Operation: (options: Parameters<typeof original.transformOas3Operation>[0]) => {
      // Parameters are converted by themselves, in an operation of a path that no document here has.
      if (options.name !== '/') converted.push(`${options.method} ${options.name}`);
      return original.transformOas3Operation(options);
    },
  };
});

afterEach(() => {
  converted.length = 0;
});

describe('An operation is converted when it is first used', () => {
  const open = () => createMock({ spec: createDocument(2000) });

  test('and none of 2,000 is at load, though their resources are known', async () => {
    const mock = await open();
    expect([mock.operations.length, mock.resources.length]).toEqual([2000, 400]);
    expect(converted).toEqual([]);
  });

  test('once, and alone where there is no state', async () => {
    const mock = await createMock({ spec: createDocument(2000), stateless: true });
    for (const path of ['/things-7/summary', '/things-7/summary?again']) {
      expect((await mock.fetch(path)).status).toBe(200);
    }
    expect(converted).toEqual(['get /things-7/summary']);
  });

  test('with those that tell what its resource begins with', async () => {
    const mock = await open();
    expect((await mock.fetch('/things-7')).status).toBe(200);
    expect(new Set(converted)).toEqual(new Set(['get /things-7', 'post /things-7', 'get /things-7/{id}']));
  });

  test('and the shape of the errors of all takes no more than the first that has it', async () => {
    const mock = await open();
    expect(await (await mock.fetch('/nothing')).json()).toMatchObject({ code: 'path_not_found' });
    expect(converted).toEqual(['get /things-0/summary']);
  });

  test('and so is a shared schema', async () => {
    const { root } = await loadDocument(createDocument(10));
    const { schemas } = root.components;
    const [one, other] = Object.values(Object.getOwnPropertyDescriptors(schemas));
    expect([one?.value, other?.value]).toEqual([undefined, undefined]);
    expect((schemas as Record<string, unknown>).Thing0).toMatchObject({ key: 'Thing0', type: 'object' });
    expect(one?.get?.()).toBe(one?.get?.());
  });
});

describe('What an operation says of itself without being converted', () => {
  const SCHEMA = { type: 'object', properties: { id: { type: 'integer', format: 'int32' } } };
  const ANSWER = { description: '', content: { 'application/json': { schema: SCHEMA } } };
  const spec = documentOf(
    {
      '/things/{id}': {
        put: {
          requestBody: { $ref: '#/components/requestBodies/Thing' },
          responses: {
            200: { $ref: '#/components/responses/Alias' },
            '4xx': { $ref: '#/components/responses/Thing' },
            default: { description: '' },
          },
        },
      },
    },
    {
      schemas: { Thing: SCHEMA },
      headers: { Count: { schema: { type: 'integer' } } },
      requestBodies: {
        Thing: {
          content: {
            'text/plain': {},
            'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
          },
        },
      },
      responses: {
        Alias: { $ref: '#/components/responses/Thing' },
        Thing: { ...ANSWER, headers: { 'X-Count': { $ref: '#/components/headers/Count' }, 'X-B': {} } },
      },
    },
  );

  test('is what it is converted to', async () => {
    const { root } = await loadDocument(spec);
    const [operation] = root.operations;
    const outline = operation?.outline;
    expect(converted).toEqual([]);
    const responses = operation?.responses ?? [];
    expect(outline?.codes).toEqual(responses.map(({ code }) => code));
    expect(outline?.headerNames()).toEqual(
      responses.flatMap(({ headers }) => headers?.map(({ name }) => name)),
    );
    for (const { code, contents } of responses)
      expect(contents).toMatchObject(outline?.answerContents(code) ?? []);
    const [own] = outline?.answerContents('200') ?? [];
    expect(own?.schema).toBe(responses[0]?.contents?.[0]?.schema);
    expect(own?.schema).toMatchObject({ properties: { id: { maximum: 2 ** 31 - 1 } } });
    expect(outline?.bodyContents()).toEqual([
      { mediaType: 'text/plain' },
      { mediaType: 'application/json', schema: { $ref: '#/components/schemas/Thing' } },
    ]);
  });
});
