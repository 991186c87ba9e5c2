import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runAtOnce, sortInSteps } from '../src/base/slices.ts';
import { createMock, type Mock } from '../src/index.ts';
import { json } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const COUNT = 100_000;
const THING = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, price: { type: 'number' } },
};
const inQuery = (name: string, type: string) => ({ name, in: 'query', schema: { type } });
const SPEC = documentOf({
  '/things': {
    get: {
      parameters: [inQuery('limit', 'integer'), inQuery('sort', 'string'), inQuery('price', 'number')],
      responses: jsonAnswer({ type: 'array', items: THING }),
    },
    post: {
      requestBody: { content: { 'application/json': { schema: { ...THING, required: [] } } } },
      responses: { 201: { description: 'Made' } },
    },
  },
  '/things/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: jsonAnswer(THING) },
  },
});
const THINGS = Array.from({ length: COUNT }, (_, index) => ({
  id: index + 1,
  name: `Thing ${(index * 7919) % COUNT}`,
  price: index % 100,
}));

/** Asks for something, and counts the turns of the event loop until the answer is there. */
async function countTurns<T>(ask: () => Promise<T>): Promise<{ answer: T; turns: number }> {
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const answer = await ask();
  isDone = true;
  return { answer, turns };
}

const readThings = (body: unknown) => body as readonly (typeof THINGS)[number][];

describe('A collection of many entities', () => {
  let mock: Mock;

  beforeAll(async () => {
    mock = await createMock({ spec: SPEC, fixtures: { things: THINGS } });
  });

  test.each<[string, string, (body: unknown) => unknown]>([
    ['a sorted page', '/things?sort=-name&limit=2', (body) => readThings(body).map(({ name }) => name)],
    ['the whole list', '/things', (body) => readThings(body).length],
    ['the state', '/__mock/state', (body) => (body as { things: unknown[] }).things.length],
    ['a list of the state', '/__mock/state/things', (body) => readThings(body).length],
  ])('lets others have their turn while it answers with %s', async (what, path, look) => {
    await mock.fetch('/__mock/health');
    const { answer, turns } = await countTurns(async () => (await mock.fetch(path)).json());
    expect(look(answer)).toEqual(what === 'a sorted page' ? ['Thing 99999', 'Thing 99998'] : COUNT);
    // One turn for each slice; it was none, or one to load the control API.
    expect(turns).toBeGreaterThan(2);
  });
});

test('A change of a long list is refused where its client knows another one', async () => {
  const mock = await createMock({ spec: SPEC, fixtures: { things: THINGS.slice(0, 6000) } });
  const etag = (await mock.fetch('/things')).headers.get('ETag') ?? '';
  const change = async (tag: string) => {
    const init = json('POST', { name: 'New', price: 1 });
    return (await mock.fetch('/things', { ...init, headers: { ...init.headers, 'If-Match': tag } })).status;
  };
  expect([await change('"other"'), await change(etag), await change(etag)]).toEqual([412, 201, 412]);
});

describe('What changes while a long list is made', () => {
  let mock: Mock;

  beforeAll(async () => {
    mock = await createMock({ spec: SPEC, fixtures: { things: THINGS } });
  });

  beforeEach(() => mock.reset());

  test.each([
    ['/things?sort=-price&limit=100001', 'a sorted list'],
    ['/things', 'a whole list'],
  ])('is not in it, but in the next one: %s', async (path) => {
    const asked = mock.fetch(path);
    const made = await mock.fetch('/things', json('POST', { id: COUNT + 1, name: 'New', price: 1 }));
    expect(made.status).toBe(201);
    expect(((await (await asked).json()) as unknown[]).length).toBe(COUNT);
    expect(((await (await mock.fetch(path)).json()) as unknown[]).length).toBe(COUNT + 1);
  });

  test('is not in a state that is read', async () => {
    await mock.fetch('/__mock/health');
    const asked = mock.fetch('/__mock/state');
    // The control API looks at its request before it reads.
    await new Promise((resolve) => setTimeout(resolve, 0));
    await mock.fetch('/things', json('POST', { name: 'New' }));
    const { things } = (await (await asked).json()) as { things: unknown[] };
    expect([COUNT, COUNT + 1]).toContain(things.length);
  });
});

describe('Sorting in steps', () => {
  test.each([0, 1, 999, 1000, 1001, 2500, 7777])('sorts %d items stably', (length) => {
    const items = Array.from({ length }, (_, index) => ({ key: (index * 7919) % 13, index }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(runAtOnce(sortInSteps(items, compare))).toEqual(items.toSorted(compare));
  });
});
