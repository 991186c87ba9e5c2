import { describe, expect, test } from 'vitest';
import { type CheckReport, createMock } from '../src/index.ts';
import {
  inQuery,
  type Node,
  TEXT,
  toAnswer,
  toDocument,
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
