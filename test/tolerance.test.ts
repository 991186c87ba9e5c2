import { afterEach, expect, test } from 'vitest';
import { buildParameter } from '../src/model/operations/parameters.ts';
import { createSchemaReader } from '../src/schema/schema.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

afterEach(closeAll);

const THING = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    part: { $ref: '#/components/schemas/Missing' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Missing' } },
  },
};

describeAdapters('what no client can meet', ({ open }) => {
  test('a reference without a target inside a schema allows any value, and is reported', async () => {
    const spec = documentOf({
      '/things': {
        get: { responses: jsonAnswer({ type: 'array', items: THING }) },
        post: { requestBody: jsonBody(THING), responses: jsonAnswer(THING) },
      },
    });
    const { ask, mock } = await open({ spec, empty: true });
    const sent = { name: 'Kettle', part: { any: [1] }, parts: ['x', 2] };
    expect(await (await ask('/things', json('POST', sent))).json()).toMatchObject(sent);
    expect(mock.document.notes.map(({ code, effect }) => [code, effect])).toContainEqual([
      'reference-dangling',
      'ignored',
    ]);
  });

  test('a path parameter that the path does not have is not asked for', async () => {
    const parameters = [{ name: 'thingId', in: 'path', required: true, schema: { type: 'string' } }];
    const spec = documentOf({
      '/health': { get: { parameters, responses: jsonAnswer({ type: 'object' }) } },
    });
    const { ask } = await open({ spec });
    expect((await ask('/health')).status).toBe(200);
  });

  test('an enum of languages takes whatever a browser sends', async () => {
    const spec = documentOf({ '/greeting': { get: { parameters: [LANGUAGE], responses: jsonAnswer({}) } } });
    const { ask } = await open({ spec });
    for (const header of ['en-US,en;q=0.9', 'ja', '*', ',,;q=x']) {
      const { status } = await ask('/greeting', { headers: { 'Accept-Language': header } });
      expect([header, status]).toEqual([header, 200]);
    }
  });
});

const LANGUAGE = {
  name: 'Accept-Language',
  in: 'header',
  required: true,
  schema: { type: 'string', enum: ['en', 'de-AT', 'fr'] },
};

test.each([
  ['en-US,en;q=0.9,fr;q=0.8', 'en'],
  ['de', 'de-AT'],
  ['DE-at', 'de-AT'],
  ['de;q=0.2, fr', 'fr'],
  ['*', 'en'],
  ['ja,zh;q=0.5', 'en'],
  ['en;q=0,fr', 'fr'],
])('Accept-Language: %s is read as %s', (header, expected) => {
  const { read } = buildParameter(createSchemaReader({}), 'header', LANGUAGE);
  const headers = { 'accept-language': header };
  expect(read({ headers, path: {}, query: undefined, declared: [] })).toEqual({ value: expected });
});

function jsonBody(schema: object): object {
  return { content: { 'application/json': { schema } } };
}
