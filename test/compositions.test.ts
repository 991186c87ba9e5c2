import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { json } from './support/adapters.ts';
import {
  INTEGER,
  type Node,
  TEXT,
  toAnswer,
  toDocument,
  toOperation,
  toReference,
} from './support/small-documents.ts';

const SPEC = fileURLToPath(new URL('./documents/closed-compositions.yaml', import.meta.url));

const CLOSED = { additionalProperties: false };
const A: Node = { type: 'object', required: ['a'], properties: { a: INTEGER } };
const B: Node = { type: 'object', required: ['b'], properties: { b: TEXT } };

/** A mock with one operation, which takes a body of a schema. */
function open(schema: unknown, components: Node = {}): Promise<Mock> {
  const paths = { '/checks': { post: toOperation(toAnswer(204), schema) } };
  return createMock({ spec: toDocument(paths, components) });
}

async function takes(mock: Mock, body: unknown): Promise<boolean> {
  const { status } = await mock.fetch('/checks', json('POST', body));
  expect([204, 422]).toContain(status);
  return status === 204;
}

function codesOf({ document }: Mock): string[] {
  return document.notes.map(({ code }) => code);
}

describe('A composition of closed parts', () => {
  const components = {
    ClosedA: { ...A, ...CLOSED },
    Both: { allOf: [toReference('ClosedA'), { ...B, ...CLOSED }] },
  };
  test.each<[string, unknown]>([
    ['of which one is closed', { allOf: [A, { ...B, ...CLOSED }] }],
    ['of which another one is closed', { allOf: [{ ...A, ...CLOSED }, B] }],
    ['that is closed itself', { allOf: [A], ...B, ...CLOSED }],
    ['of a closed component', { allOf: [toReference('ClosedA'), B] }],
    ['of a closed composition', { allOf: [toReference('Both'), { description: 'Both of them' }] }],
    ['inside another one', { allOf: [{ allOf: [{ ...A, ...CLOSED }] }, { ...B, ...CLOSED }] }],
  ])('%s allows the properties of all parts, and no others', async (_, schema) => {
    const mock = await open(schema, components);
    expect(await takes(mock, { a: 1, b: 'b' })).toBe(true);
    expect(await takes(mock, { a: 1, b: 'b', c: true })).toBe(false);
    expect(await takes(mock, { a: 1 })).toBe(false);
    expect(await takes(mock, { a: 'one', b: 'b' })).toBe(false);
    expect(codesOf(mock)).toContain('composition-closed');
  });

  test('leaves its components closed where they stand alone', async () => {
    const paths = {
      '/both': { post: toOperation(toAnswer(204), toReference('Both')) },
      '/checks': { post: toOperation(toAnswer(204), toReference('ClosedA')) },
    };
    const mock = await createMock({ spec: toDocument(paths, components) });
    expect((await mock.fetch('/both', json('POST', { a: 1, b: 'b' }))).status).toBe(204);
    expect(await takes(mock, { a: 1, b: 'b' })).toBe(false);
    expect(await takes(mock, { a: 1 })).toBe(true);
  });

  test('allows the names that match a pattern of any part', async () => {
    const patterns = { type: 'object', patternProperties: { '^x-': INTEGER } };
    const mock = await open({ allOf: [patterns, { ...B, ...CLOSED }] });
    expect(await takes(mock, { b: 'b', 'x-one': 1 })).toBe(true);
    expect(await takes(mock, { b: 'b', 'x-one': 'one' })).toBe(false);
    expect(await takes(mock, { b: 'b', 'y-one': 1 })).toBe(false);
  });

  test('allows the properties of the alternatives of a part', async () => {
    const mock = await open({
      allOf: [{ ...A, ...CLOSED }, { oneOf: [B, { ...B, properties: { b: INTEGER } }] }],
    });
    expect(await takes(mock, { a: 1, b: 2 })).toBe(true);
    expect(await takes(mock, { a: 1, c: 2 })).toBe(false);
  });

  test('may contain itself', async () => {
    const loop: Node = {
      allOf: [
        toReference('Loop'),
        { ...A, ...CLOSED },
        { properties: { b: { allOf: [toReference('Loop'), B] } } },
      ],
    };
    const mock = await open(toReference('Loop'), { Loop: loop });
    expect(await takes(mock, { a: 1 })).toBe(true);
    expect(await takes(mock, { a: 1, c: 1 })).toBe(false);
    const knot: Record<string, unknown> = { ...A, ...CLOSED };
    knot.allOf = [knot, B];
    await expect(open(knot)).rejects.toThrow(/contains itself/);
  });

  test('is reported once', async () => {
    const { document } = await createMock({ spec: SPEC });
    const places = document.notes.map(({ place }) => place);
    expect(new Set(places).size).toBe(places.length);
    expect(document.notes.map(({ effect, what }) => `${effect} ${what}`)).toEqual(
      Array(4).fill('changed allOf'),
    );
  });
});

describe('A composition is left as it is', () => {
  test.each<[string, unknown]>([
    ['without a closed part', { allOf: [A, B] }],
    ['with the same properties in each part', { allOf: [{ ...A, ...CLOSED }, { required: ['a'] }] }],
    ['of one closed component', { allOf: [{ ...A, ...CLOSED }], description: 'It.' }],
  ])('%s', async (_, schema) => {
    expect(codesOf(await open(schema))).toEqual([]);
  });
});

test('A generated answer has the properties of all parts of a closed composition', async () => {
  const mock = await createMock({ spec: SPEC });
  const kilns = (await (await mock.fetch('/kilns')).json()) as Node[];
  for (const kiln of kilns)
    expect(kiln).toMatchObject({ name: expect.any(String), degrees: expect.any(Number) });
  expect((await mock.check()).violations).toEqual([]);
});
