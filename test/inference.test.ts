import { describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import {
  INTEGER,
  inPath,
  inQuery,
  type Node,
  TEXT,
  toAnswer,
  toCrud,
  toDocument,
  toList,
  toObject,
  toOperation,
  toReference,
} from './support/small-documents.ts';

const PET = toObject({ id: INTEGER, name: TEXT }, 'id', 'name');
const NEW_PET = toObject({ name: TEXT }, 'name');
const UUID = { type: 'string', format: 'uuid' };

/** Name, key and actions of each resource, in one line. */
type Lines = readonly string[];

async function infer(paths: Node, schemas: Node = {}): Promise<Lines> {
  const mock = await createMock({ spec: toDocument(paths, schemas) });
  return mock.resources.map(({ name, key, actions }) => `${name} by ${key}: ${actions.join(' ')}`);
}

const ALL = 'list create read replace update remove';
const item = (schema: unknown = PET) => ({
  parameters: [inPath('id')],
  get: toOperation(toAnswer(200, schema)),
});
const list = (schema: unknown) => ({ get: toOperation(toAnswer(200, schema)) });

describe('resources are inferred from', () => {
  const pets = toReference('Pet');
  test.each<[what: string, paths: Node, expected: Lines]>([
    ['a collection and its items', toCrud('/pets', inPath('id'), PET), [`pets by id: ${ALL}`]],
    [
      'a bare list and items',
      { '/pets': list(toList(PET)), '/pets/{id}': item() },
      ['pets by id: list read'],
    ],
    ...['data', 'items', 'results', 'pets', 'records'].map((name): [string, Node, Lines] => [
      `a list in "${name}"`,
      { '/pets': list(toObject({ [name]: toList(PET), total: INTEGER })), '/pets/{id}': item() },
      ['pets by id: list read'],
    ]),
    [
      'a list in HAL',
      { '/pets': list(toObject({ _embedded: toObject({ pets: toList(PET) }) })), '/pets/{id}': item() },
      ['pets by id: list read'],
    ],
    [
      'an item in "data"',
      { '/pets': list(toList(PET)), '/pets/{id}': item(toObject({ data: PET })) },
      ['pets by id: list read'],
    ],
    [
      'an item under its own name, and bodies like it',
      {
        '/pets': {
          ...list(toObject({ pets: toList(PET), petsCount: INTEGER })),
          post: toOperation(toAnswer(201, toObject({ pet: PET })), toObject({ pet: NEW_PET })),
        },
        '/pets/{id}': item(toObject({ pet: PET })),
      },
      ['pets by id: list create read'],
    ],
    [
      'entities that show no key, which the path alone names',
      toCrud('/pets', inPath('n'), toObject({ colour: TEXT })),
      [`pets by n: ${ALL}`],
    ],
    [
      'a list and a POST without items',
      { '/pets': { ...list(toList(PET)), post: toOperation(toAnswer(201, PET), NEW_PET) } },
      ['pets by id: list create'],
    ],
    [
      'an item that can be deleted, without a collection',
      { '/pets/{id}': { ...item(), delete: toOperation(toAnswer(204)) } },
      ['pets by id: read remove'],
    ],
    [
      'a POST on an item, which updates',
      {
        '/pets': list(toList(PET)),
        '/pets/{id}': { ...item(), post: toOperation(toAnswer(200, PET), NEW_PET) },
      },
      ['pets by id: list read update'],
    ],
    [
      'a PUT and a PATCH on a collection with the key in the body',
      {
        '/pets': {
          ...list(toList(PET)),
          put: toOperation(toAnswer(200, PET), PET),
          patch: toOperation(toAnswer(200, PET), PET),
        },
        '/pets/{id}': item(),
      },
      ['pets by id: list replace update read'],
    ],
    [
      'one thing that can be read and changed',
      {
        '/settings': {
          ...list(toObject({ theme: TEXT })),
          put: toOperation(toAnswer(200, toObject({ theme: TEXT })), toObject({ theme: TEXT })),
        },
      },
      ['settings by undefined: read replace'],
    ],
    [
      'one thing below an item',
      {
        ...toCrud('/pets', inPath('petId'), PET),
        '/pets/{petId}/owner': {
          parameters: [inPath('petId')],
          ...list(NEW_PET),
          put: toOperation(toAnswer(200, NEW_PET), NEW_PET),
        },
      },
      [`pets by id: ${ALL}`, 'owner by undefined: read replace'],
    ],
    [
      'a collection below items',
      {
        ...toCrud('/owners', inPath('ownerId'), PET),
        ...toCrud('/owners/{ownerId}/toys', inPath('toyId'), PET, { above: [inPath('ownerId')] }),
      },
      [`owners by id: ${ALL}`, `toys by id: ${ALL}`],
    ],
    [
      'a collection below what is no resource',
      toCrud('/{tenant}/pets', inPath('id'), PET, { above: [inPath('tenant', TEXT)] }),
      [`pets by id: ${ALL}`],
    ],
    [
      'two versions of one',
      { ...toCrud('/v1/pets', inPath('id'), PET), ...toCrud('/v2/pets', inPath('id'), PET) },
      [`pets by id: ${ALL}`, `v2.pets by id: ${ALL}`],
    ],
    [
      'entities of several kinds',
      toCrud('/pets', inPath('id'), {
        oneOf: [
          toObject({ id: INTEGER, lives: INTEGER }, 'id'),
          toObject({ id: INTEGER, barks: TEXT }, 'id'),
        ],
      }),
      [`pets by id: ${ALL}`],
    ],
    [
      'entities that hold their like',
      toCrud('/nodes', inPath('id'), toReference('Node')),
      [`nodes by id: ${ALL}`],
    ],
    [
      'entities that hold their like without end',
      toCrud('/nodes', inPath('id'), toReference('Endless')),
      [`nodes by id: ${ALL}`],
    ],
    [
      'another list of the same entities',
      { ...toCrud('/pets', inPath('id'), pets), '/pets/findByStatus': list(toList(pets)) },
      [`pets by id: ${ALL}`],
    ],
    [
      'a path of names that objects have',
      toCrud('/constructor', inPath('id'), PET),
      [`constructor by id: ${ALL}`],
    ],
    ['a path called __proto__', toCrud('/__proto__', inPath('id'), PET), [`__proto__ by id: ${ALL}`]],
    [
      'a path called data, with entities that have data',
      toCrud('/data', inPath('id'), toObject({ id: INTEGER, data: TEXT })),
      [`data by id: ${ALL}`],
    ],
  ])('%s', async (_, paths, expected) => {
    const schemas = {
      Pet: PET,
      Node: toObject(
        { id: INTEGER, parent: toReference('Node'), children: toList(toReference('Node')) },
        'id',
      ),
      Endless: toObject({ id: INTEGER, parent: toReference('Endless') }, 'id', 'parent'),
    };
    expect(await infer(paths, schemas)).toEqual(expected);
  });

  test.each<[what: string, paths: Node]>([
    ['a list alone', { '/pets': list(toList(PET)) }],
    ['an item alone', { '/pets/{id}': item() }],
    ['one thing that nobody changes', { '/health': list(toObject({ status: TEXT })) }],
    ['a list of texts', { '/tags': { ...list(toList(TEXT)), post: toOperation(toAnswer(201), TEXT) } }],
    [
      'entities told apart by yes and no',
      toCrud('/pets', inPath('id'), toObject({ id: { type: 'boolean' } })),
    ],
  ])('%s, which stays without state and answers all the same', async (_, paths) => {
    const mock = await createMock({ spec: toDocument(paths) });
    expect(mock.resources).toEqual([]);
    expect((await mock.check()).violations).toEqual([]);
  });
});

describe('the key of an entity', () => {
  test.each<[parameter: string, properties: Node, key: string]>([
    ['id', { id: INTEGER, name: TEXT }, 'id'],
    ['petId', { id: INTEGER, petId: INTEGER }, 'petId'],
    ['petId', { id: INTEGER }, 'id'],
    ['petId', { pet_id: INTEGER }, 'pet_id'],
    ['pet-id', { petId: INTEGER }, 'petId'],
    ['pet_id', { petId: TEXT }, 'petId'],
    ['petid', { petId: TEXT }, 'petId'],
    ['petID', { petId: INTEGER }, 'petId'],
    ['PetId', { petID: INTEGER }, 'petID'],
    ['id', { petId: INTEGER }, 'petId'],
    ['id', { _id: TEXT }, '_id'],
    ['id', { uuid: UUID }, 'uuid'],
    ['petUuid', { uuid: UUID, name: TEXT }, 'uuid'],
    ['slug', { id: INTEGER, slug: TEXT }, 'slug'],
    ['username', { id: INTEGER, login: TEXT }, 'login'],
    ['name', { name: TEXT }, 'name'],
    ['pet', { id: INTEGER, name: TEXT }, 'id'],
    ['pet_number', { id: INTEGER, number: INTEGER }, 'number'],
    ['constructor', { constructor: TEXT }, 'constructor'],
  ])('named by {%s} among %j is %s', async (parameter, properties, key) => {
    const entity = toObject(properties, key);
    const mock = await createMock({
      spec: toDocument(toCrud('/pets', inPath(parameter, properties[key]), entity)),
    });
    expect(mock.resources.map((resource) => resource.key)).toEqual([key]);
    const [first] = (await (await mock.fetch('/pets')).json()) as [Record<string, string>];
    expect((await mock.fetch(`/pets/${first[key]}`)).status).toBe(200);
  });

  test.each([
    ['people', 'person_not_found'],
    ['statuses', 'status_not_found'],
    ['series', 'series_not_found'],
    ['user-groups', 'user_group_not_found'],
    ['userGroups', 'user_group_not_found'],
    ['indices', 'index_not_found'],
    ['children', 'child_not_found'],
    ['toString', 'to_string_not_found'],
  ])('that is missing in /%s is told as %s', async (name, code) => {
    const mock = await createMock({ spec: toDocument(toCrud(`/${name}`, inPath('id'), PET)), empty: true });
    expect(await (await mock.fetch(`/${name}/1`)).json()).toMatchObject({ status: 404, code });
  });
});

test('a resource says why it is one', async () => {
  const settings = toObject({ theme: TEXT });
  const mock = await createMock({
    spec: toDocument({
      ...toCrud('/pets', inPath('petId'), PET),
      '/toys': { ...list(toList(PET)), post: toOperation(toAnswer(201, PET), NEW_PET) },
      '/settings': { ...list(settings), patch: toOperation(toAnswer(200, settings), settings) },
    }),
  });
  expect(
    mock.resources.map(({ name, collectionPath, itemPath, reason }) => [
      name,
      collectionPath,
      itemPath,
      reason,
    ]),
  ).toEqual([
    ['pets', '/pets', '/pets/{petId}', 'GET /pets/{petId} answers an object whose "id" is named by {petId}'],
    ['toys', '/toys', undefined, 'GET /toys answers a list of objects with "id", and POST adds to it'],
    ['settings', '/settings', undefined, 'GET /settings answers one object, and PATCH changes it'],
  ]);
});

describe('a parameter that is called like a property and like a paging word', () => {
  const entity = toObject(
    { id: INTEGER, size: INTEGER, count: INTEGER, order: INTEGER, label: TEXT, page: TEXT },
    'id',
  );
  const entities = [1, 2, 3, 4].map((id) => ({
    id,
    size: id,
    count: id % 2,
    order: 5 - id,
    page: `p${id}`,
    label: 'x',
  }));
  test.each<[query: string, parameters: readonly Node[], ids: readonly number[], why: string]>([
    ['size=2', [inQuery('size', INTEGER)], [2], 'filters'],
    ['size=2', [inQuery('size', { type: 'integer', default: 3 })], [1, 2], 'pages where it has a default'],
    ['', [inQuery('size', { type: 'integer', default: 3 })], [1, 2, 3], 'pages by its default'],
    ['count=1', [inQuery('count', INTEGER)], [1, 3], 'filters'],
    ['order=4', [inQuery('order', INTEGER)], [1], 'filters'],
    [
      'sort=id&order=desc',
      [inQuery('sort'), inQuery('order', { type: 'string', enum: ['asc', 'desc'] })],
      [4, 3, 2, 1],
      'turns the order where it can be asc and desc',
    ],
    [
      'page=2&limit=3',
      [inQuery('page', INTEGER), inQuery('limit', INTEGER)],
      [4],
      'pages where the property is text',
    ],
    ['page=p2', [inQuery('page')], [2], 'filters where both are text'],
  ])('?%s %#', async (query, parameters, ids, why) => {
    const spec = toDocument(toCrud('/things', inPath('id'), entity, { query: parameters }));
    const mock = await createMock({ spec, empty: true });
    for (const each of entities)
      await mock.fetch('/things', {
        method: 'POST',
        body: JSON.stringify(each),
        headers: { 'Content-Type': 'application/json' },
      });
    const found = (await (await mock.fetch(`/things?${query}`)).json()) as { id: number }[];
    expect([why, found.map(({ id }) => id)]).toEqual([why, ids]);
  });
});
