import { describe, expect, it } from 'vitest';
import { createMock } from '../src/index.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const STRING = { type: 'string' };
const REFERENCE = { $ref: '#/components/schemas/Thing' };

/** The value that is made up for the schema `Thing`. */
async function generate(schema: object, seed = 1): Promise<unknown> {
  const spec = documentOf(
    { '/things/made': { post: { responses: jsonAnswer(REFERENCE) } } },
    { schemas: { Thing: schema } },
  );
  const response = await (await createMock({ spec, seed })).fetch('/things/made', { method: 'POST' });
  expect(response.status).toBe(200);
  return response.json();
}

const NODE = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: STRING,
    children: { type: 'array', items: REFERENCE },
    parent: REFERENCE,
  },
};

const LISTS = [
  { type: 'array', items: { type: 'object', properties: { a: STRING } } },
  { type: 'array', items: { type: 'object', properties: { b: STRING } } },
  { type: 'object', properties: { a: STRING } },
  { type: 'object', properties: { b: STRING } },
  { type: 'array', items: STRING },
];

describe.each([1, 2, 3])('with the seed %d', (seed) => {
  it('a schema that leads to itself has what it may have, and no null', async () => {
    const value = await generate(NODE, seed);
    expect(value).toMatchObject({
      name: expect.any(String),
      children: expect.any(Array),
      parent: expect.any(Object),
    });
    expect(JSON.stringify(value)).not.toContain('null');
  });

  it.each([
    ['one alternative that no other one takes', { oneOf: LISTS }],
    ['the same a level deeper', { oneOf: [{ not: {} }, { oneOf: LISTS }] }],
  ])('of alternatives the one is found that is alone: %s', async (_, schema) => {
    const value = (await generate(schema, seed)) as unknown[];
    expect([Array.isArray(value), value.length > 0, typeof value[0]]).toEqual([true, true, 'string']);
  });

  it.each([
    ['.*[0-9a-f]{8}.*', { minLength: 8, maxLength: 8 }, /^[0-9a-f]{8}$/],
    ['^.*-[a-z]{3}.*$', { maxLength: 4 }, /^-[a-z]{3}$/],
    ['^.*$', { maxLength: 20 }, /^[a-z]+ [a-z]+$/],
    ['^a\\.*$', { minLength: 2, maxLength: 2 }, /^a\.$/],
  ])('a text with a pattern is no longer than it may be: %s', async (pattern, limits, expected) => {
    expect(await generate({ type: 'string', pattern, ...limits }, seed)).toMatch(expected);
  });
});
