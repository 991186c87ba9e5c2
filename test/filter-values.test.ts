import { describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  type Node,
  TEXT,
  toCrud,
  toDocument,
  toObject,
} from './support/small-documents.ts';

describe('A property without values of its own', () => {
  const open = async (filter: Node) => {
    const thing = toObject({ id: INTEGER, state: INTEGER, mood: TEXT }, 'id', 'state', 'mood');
    const mock = await createMock({
      spec: toDocument(toCrud('/things', inPath('id'), thing, { query: [filter] })),
    });
    return (await (await mock.fetch('/things')).json()) as { readonly [name: string]: unknown }[];
  };

  test('has those that its list is filtered by', async () => {
    const moods = (await open(inQuery('mood', { type: 'string', enum: ['good', 'bad', 'all'] }))).map(
      ({ mood }) => mood,
    );
    expect([...new Set(moods)].sort()).toEqual(['bad', 'good']);
  });

  test('is shown by a list that selects one of them by default', async () => {
    const things = await open(inQuery('state', { type: 'integer', enum: [0, 1], default: 1 }));
    expect(things.length).toBeGreaterThan(0);
    for (const { state } of things) expect(state).toBe(1);
  });

  test('is left alone by values of another type', async () => {
    const things = await open(inQuery('state', { type: 'string', enum: ['open', 'done'] }));
    for (const { state } of things) expect(state).toEqual(expect.any(Number));
  });
});
