import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadDocument } from '../src/document/document.ts';
import { createMock } from '../src/index.ts';
import { buildOperationTable, templateNames } from '../src/model/operations/operations.ts';
import { placeOperations } from '../src/model/resources/places.ts';
import { inferResources, type ResourceAction } from '../src/model/resources/resources.ts';
import { json } from './support/adapters.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  type Node,
  TEXT,
  toAnswer,
  toDocument,
  toList,
  toObject,
  toOperation,
  toReference,
} from './support/small-documents.ts';

const RUNS = 150;
const ENTITY = toObject({ id: INTEGER, name: TEXT }, 'id', 'name');
const NEW = toObject({ name: TEXT }, 'name');

const WORDS = 'user users userId order orders book books data api v1 admin profile auth login guide'.split(
  ' ',
);
const VERBS = 'add new edit delete find findAll show list search getMyGuides createGuide delete-user'.split(
  ' ',
);
const CALLS = 'users.list users.create users.info users.update users.delete order.list books.'.split(' ');
const ODD = ['__proto__', 'constructor', 'toString', '..json', 'a.b.c', 'get', 'series', '-', '~'];
const PARAMETERS = ['{id}', '{userId}', '{slug}', '{order_id}', '{constructor}'];

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 4, arbitrary: fc.constantFrom(...PARAMETERS) },
  { weight: 3, arbitrary: fc.constantFrom(...VERBS) },
  { weight: 1, arbitrary: fc.constantFrom(...CALLS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD) },
);

/** A path template of random words, verbs, parameters and slashes. No two of its parameters have one name. */
const template = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.boolean())
  .filter(([segments]) => {
    const parameters = segments.filter((each) => each.startsWith('{'));
    return new Set(parameters).size === parameters.length;
  })
  .map(([segments, ends]) => `/${segments.join('/')}${ends ? '/' : ''}`);

const SCHEMAS: readonly (Node | undefined)[] = [
  undefined,
  {},
  { type: 'object' },
  ENTITY,
  toReference('User'),
  toList(toReference('User')),
  toList(TEXT),
  toObject({ data: toReference('User'), code: INTEGER }),
  toObject({ data: {}, code: INTEGER }, 'data'),
  toObject({ items: toList(toReference('User')), total: INTEGER }, 'items'),
];

const schema = fc.constantFrom(...SCHEMAS);
const status = fc.constantFrom(200, 200, 201, 204);
const key = fc.constantFrom<Node | undefined>(
  undefined,
  undefined,
  inQuery('id', INTEGER, { required: true }),
  inQuery('userId', TEXT),
);

interface Random {
  readonly method: string;
  readonly answer: Node | undefined;
  readonly status: number;
  readonly body: Node | undefined;
  readonly key: Node | undefined;
}

const operation: fc.Arbitrary<Random> = fc.record({
  method: fc.constantFrom('get', 'post', 'put', 'patch', 'delete'),
  answer: schema,
  status,
  body: fc.constantFrom(undefined, NEW, ENTITY, {}, toList(NEW), toReference('User')),
  key,
});

const path = fc.record({
  template,
  operations: fc.uniqueArray(operation, { minLength: 1, maxLength: 4, selector: ({ method }) => method }),
});

/** A document whose paths have no two templates for the same requests. */
const document = fc
  .uniqueArray(path, {
    minLength: 1,
    maxLength: 10,
    selector: (each) => each.template.replace(/\{\w+\}/g, '{}'),
  })
  .map((paths) =>
    toDocument(
      Object.fromEntries(paths.map((each) => [each.template, toPathItem(each.template, each.operations)])),
      { User: ENTITY },
    ),
  );

function toPathItem(own: string, operations: readonly Random[]): Node {
  const parameters = templateNames(own).map((name) => inPath(name, name === 'slug' ? TEXT : INTEGER));
  return {
    parameters,
    ...Object.fromEntries(
      operations.map(({ method, answer, status: code, body, key: inside }) => [
        method,
        toOperation(
          toAnswer(code, code === 204 ? undefined : answer),
          method === 'get' || method === 'delete' ? undefined : body,
          inside ? [inside] : [],
        ),
      ]),
    ),
  };
}

/** The parameters that an action takes its keys from. */
function namesIn({ key: own, parents, within }: ResourceAction): string[] {
  const named = typeof own === 'object' ? ['query' in own ? own.query : own.parameter] : [];
  return [
    ...named,
    ...parents.map(({ parameter }) => parameter),
    ...within.map(({ parameter }) => parameter),
  ];
}

describe('However a document lays out its paths', () => {
  test('every operation has one place, and its action takes only what its path has', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (spec) => {
        const { operations } = buildOperationTable(await loadDocument(spec));
        expect(placeOperations(operations).map(({ declared }) => declared)).toEqual(operations);
        const { resources, actions } = inferResources(operations);
        for (const { path: own, id, parameters } of operations) {
          const action = actions.get(id);
          if (!action) continue;
          expect(resources.get(action.resource.name)).toBe(action.resource);
          const known = new Set([...templateNames(own), ...parameters.map(({ name }) => name)]);
          expect(namesIn(action).filter((name) => !known.has(name))).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('every operation answers, whatever it is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.constantFrom({}, { name: 'Kim' }, { id: 1, name: 'Kim' }),
        async (spec, body) => {
          const mock = await createMock({ spec });
          for (const { method, path: own } of mock.operations) {
            const url = `${own.replace(/\{\w+\}/g, '1')}?id=1`;
            const sendsBody = method !== 'GET' && method !== 'DELETE';
            const { status: found } = await mock.fetch(url, sendsBody ? json(method, body) : { method });
            expect([method, own, found < 500]).toEqual([method, own, true]);
          }
        },
      ),
      { numRuns: RUNS },
    );
  }, 120_000);
});

test('A call that cannot name its item answers without state', async () => {
  const user = toReference('User');
  const spec = toDocument(
    {
      '/users.list': { get: toOperation(toAnswer(200, toList(user))) },
      '/users.create': { post: toOperation(toAnswer(201, user), NEW) },
      '/users.info': { get: toOperation(toAnswer(200, user)) },
      '/users.update': { post: toOperation(toAnswer(200, user), NEW) },
      '/users.delete': { post: toOperation(toAnswer(200)) },
    },
    { User: ENTITY },
  );
  const mock = await createMock({ spec });
  expect((await mock.fetch('/users.info')).status).toBe(200);
  expect((await mock.fetch('/users.update', json('POST', { name: 'Kim' }))).status).toBe(200);
  expect((await mock.fetch('/users.delete', { method: 'POST' })).status).toBe(200);
  expect((await mock.check()).violations).toEqual([]);
});

test('A call by GET takes the key from whichever parameter it declares', async () => {
  const user = toReference('User');
  const spec = toDocument(
    {
      '/users.list': { get: toOperation(toAnswer(200, toList(user))) },
      '/users.create': { post: toOperation(toAnswer(201, user), NEW) },
      '/users.info': { get: toOperation(toAnswer(200, user), undefined, [inQuery('user_id', INTEGER)]) },
    },
    { User: ENTITY },
  );
  const mock = await createMock({ spec });
  const created = await (await mock.fetch('/users.create', json('POST', { name: 'Kim' }))).json();
  const { id } = created as { readonly id: number };
  expect(await (await mock.fetch(`/users.info?user_id=${id}`)).json()).toEqual(created);
  expect((await mock.fetch('/users.info?user_id=4711')).status).toBe(404);
});

test('A key in the body is sent beside the parents in the path', async () => {
  const spec = toDocument({
    '/{shop}/books': {
      parameters: [inPath('shop')],
      get: toOperation(toAnswer(200, toList(ENTITY))),
      post: toOperation(toAnswer(201, ENTITY), NEW),
      patch: toOperation(toAnswer(200, ENTITY), ENTITY),
    },
  });
  expect((await (await createMock({ spec })).check()).violations).toEqual([]);
});
