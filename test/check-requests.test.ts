import { describe, expect, test } from 'vitest';
import { type CheckReport, createMock } from '../src/index.ts';
import {
  inPath,
  inQuery,
  type Node,
  TEXT,
  toAnswer,
  toDocument,
  toList,
  toObject,
  toOperation,
} from './support/small-documents.ts';

async function check(paths: Node, schemas: Node = {}): Promise<CheckReport> {
  const mock = await createMock({ spec: toDocument(paths, schemas) });
  return mock.check();
}

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const CHOICE = { anyOf: [{ type: 'string', enum: ['open', 'done'] }, { type: 'null' }] };

describe('The requests of the proof', () => {
  test('have no null in a query, which has no text for it', async () => {
    const schemas = { Choice: CHOICE };
    const reference = { $ref: '#/components/schemas/Choice' };
    const parameters = NAMES.flatMap((name) => [inQuery(name, CHOICE), inQuery(`${name}Too`, reference)]);
    const { violations } = await check(
      { '/things': { get: toOperation(toAnswer(200, TEXT), undefined, parameters) } },
      schemas,
    );
    expect(violations).toEqual([]);
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'have no null in a form of type %s',
    async (mediaType) => {
      const grant = { anyOf: [{ type: 'string', pattern: '^password$' }, { type: 'null' }] };
      const schema = toObject(Object.fromEntries(NAMES.map((name) => [name, grant])), 'one');
      const content = { [mediaType]: { schema, example: { one: 'password', two: null } } };
      const { violations, skipped } = await check({
        '/tokens': { post: { responses: toAnswer(200, TEXT), requestBody: { required: true, content } } },
      });
      expect(violations).toEqual([]);
      expect(skipped).toEqual([]);
    },
  );
});

const NUMBERED = toObject({ id: { type: 'number' }, name: TEXT }, 'id');

/** Things whose paths end with verbs, and call a number a text. */
const VERBS: Node = {
  '/things/show': { get: toOperation(toAnswer(200, toList(NUMBERED))) },
  '/things/update/{id}': {
    put: toOperation(toAnswer(201, NUMBERED), toObject({ name: TEXT }), [inPath('id', TEXT)]),
  },
};

describe('A key in a path', () => {
  test('is that of an entity, also below a verb', async () => {
    const { violations, operations } = await check(VERBS);
    expect(violations).toEqual([]);
    const update = operations.find(({ method }) => method === 'PUT');
    expect(update?.cases.map(({ status }) => status)).toEqual([201, 201]);
  });
});

const NOTE = toObject({ id: { type: 'integer' }, day: TEXT, mood: { type: 'integer' } }, 'id', 'day', 'mood');

/** Notes that are listed with these parameters alone, and made and changed with a body of their own. */
function toNotes(query: readonly Node[], list: Node = toList(NOTE)): Node {
  const input = toObject({ day: TEXT, mood: { type: 'integer' } }, 'day', 'mood');
  return {
    '/notes': {
      get: toOperation(toAnswer(200, list), undefined, query),
      post: toOperation(toAnswer(201, NOTE), input),
    },
    '/notes/{id}': { get: toOperation(toAnswer(200, NOTE), undefined, [inPath('id')]) },
  };
}

describe('A list of the proof', () => {
  test.each([
    ['a filter is required', inQuery('day', TEXT, { required: true })],
    ['a filter has a default', inQuery('mood', { type: 'integer', default: 77 })],
    ['a text to search for is required', inQuery('search', TEXT, { required: true })],
    ['a filter takes several values', inQuery('day', toList(TEXT), { required: true })],
  ])('is asked for the very entity where %s', async (_, parameter) => {
    const { violations, skipped, resources } = await check(toNotes([parameter]));
    expect(violations).toEqual([]);
    expect(skipped).toEqual([]);
    expect(resources[0]?.cases.map(({ name }) => name)).toEqual(['create', 'read', 'list']);
  });

  test('is left out where no value of a filter selects the entity', async () => {
    const { violations, skipped } = await check(
      toNotes([inQuery('mood', { type: 'string', enum: ['good', 'bad'], default: 'good' })]),
    );
    expect(violations).toEqual([]);
    expect(skipped).toEqual([
      expect.stringMatching(
        /^GET \/notes was not asked for the note \d+, because its parameter mood always selects and takes no value of it\.$/,
      ),
    ]);
  });
});

/** Visits, whose answers show their guest and nothing of themselves but the day. */
const GUEST = toObject({ _id: TEXT, name: TEXT }, '_id');
const VISIT = toObject({ _id: TEXT, guest: GUEST, day: TEXT }, '_id', 'guest');
const SHOWN = toObject({ guest: GUEST, day: TEXT }, 'guest');

describe('The life of an entity', () => {
  test('goes on with its own key, whatever its answers show', async () => {
    const { violations, resources } = await check({
      '/visits/my': { get: toOperation(toAnswer(200, toList(VISIT))) },
      '/visits': { post: toOperation(toAnswer(201, SHOWN), toObject({ guest: GUEST, day: TEXT }, 'guest')) },
      '/visits/{id}': {
        parameters: [inPath('id', TEXT)],
        patch: toOperation(toAnswer(200, SHOWN), VISIT),
        delete: toOperation(toAnswer(204)),
      },
    });
    expect(violations).toEqual([]);
    expect(resources[0]?.cases.map(({ name }) => name)).toContain('update');
  });

  test('may go on unchanged after null, which answers cannot show', async () => {
    const input = toObject({ name: { anyOf: [{ type: 'null' }, { type: 'null' }] } }, 'name');
    const shown = toObject({ id: { type: 'integer' }, name: TEXT }, 'id', 'name');
    const { violations, resources } = await check({
      '/things': { get: toOperation(toAnswer(200, toList(shown))) },
      '/things/{id}': {
        parameters: [inPath('id')],
        get: toOperation(toAnswer(200, shown)),
        put: toOperation(toAnswer(200, shown), input),
      },
    });
    expect(violations).toEqual([]);
    expect(resources[0]?.cases.map(({ name }) => name)).toContain('read after replace');
  });
});
