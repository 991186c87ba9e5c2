import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, SetupError } from '../src/index.ts';
import { json } from './support/adapters.ts';

/** File name → text. */
type Files = Readonly<Record<string, string>>;

const CATEGORIES = '[\n  { "id": 1, "name": "Dogs" }\n]\n';
const PETS = `[
  { "id": 1, "name": "Ada", "categoryId": 1, "status": "available" },
  { "id": 2, "name": "Bo", "categoryId": 1, "status": "sold" }
]
`;
const WHOLE: Files = { 'categories.json': CATEGORIES, 'pets.json': PETS };

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe('fixtures that are broken', () => {
  test.each<[what: string, files: Files, file: string, line: number | undefined, says: RegExp]>([
    [
      'a file of no resource',
      { 'dogs.json': '[]' },
      'dogs.json',
      undefined,
      /no resource "dogs".*pets.*Rename/,
    ],
    ['a file in the wrong case', { 'Pets.json': '[]' }, 'Pets.json', undefined, /no resource "Pets"/],
    ['a list that is none', { 'pets.json': '\n{ "id": 1 }' }, 'pets.json', 1, /expected a list of pets/],
    ['an empty file', { 'pets.json': '' }, 'pets.json', 1, /expected a list of pets/],
    ['a list of text', { 'pets.json': '[\n"Ada"]' }, 'pets.json', 2, /expected an object/],
    ['a list of nothing', { 'pets.json': '[\n\nnull]' }, 'pets.json', 3, /expected an object/],
    ['a list of lists', { 'pets.json': '[\n[]]' }, 'pets.json', 2, /object/],
    [
      'a missing field',
      { 'pets.json': '[\n  { "id": 1,\n    "name": "Ada" }\n]' },
      'pets.json',
      2,
      /pet\.categoryId is required/,
    ],
    [
      'a field of the wrong type',
      { 'pets.json': PETS.replace('"Bo"', '7') },
      'pets.json',
      3,
      /pet\.name must be string/,
    ],
    [
      'a status that there is not',
      { 'pets.json': PETS.replace('sold', 'lost') },
      'pets.json',
      3,
      /pet\.status must be one of available, pending, sold/,
    ],
    [
      'an id that is text',
      { 'pets.json': PETS.replace('2', '"2"') },
      'pets.json',
      3,
      /pet\.id must be integer/,
    ],
    ['an id with a fraction', { 'pets.json': PETS.replace('2', '2.5') }, 'pets.json', 3, /pet\.id must be/],
    [
      'an id that no number holds',
      { 'pets.json': PETS.replace('2', '9007199254740993') },
      'pets.json',
      3,
      /pet\.id must be/,
    ],
    ['an id twice', { 'pets.json': PETS.replace('2', '1') }, 'pets.json', 3, /\bid 1 is taken already/],
    ['a date that is none', { 'orders.json': '[{"id":1,"shipDate":"soon"}]' }, 'orders.json', 1, /date-time/],
    ['JSON that ends too soon', { 'pets.json': '[\n  { "id": 1,' }, 'pets.json', 2, /\bline 2, column \d+: /],
    [
      'a comma too few',
      { 'pets.json': '[\n  {"id": 1}\n  {"id": 2}\n]' },
      'pets.json',
      3,
      /\bline 3, column \d+/,
    ],
    ['YAML that is none', { 'pets.yaml': '- id: 1\n  name: Ada\n name: x\n' }, 'pets.yaml', 3, /\bline 3/],
    ['a name twice in YAML', { 'pets.yml': '- id: 1\n  name: Ada\n  name: Bo\n' }, 'pets.yml', 3, /\bline 3/],
    [
      'a wrong type in YAML',
      { 'pets.yaml': '# Pets\n- { id: 1, name: Ada, categoryId: 1 }\n- id: 2\n  name: 7\n  categoryId: 1\n' },
      'pets.yaml',
      3,
      /pet\.name must be string/,
    ],
  ])('by %s are refused, and where it is', async (_, files, file, line, says) => {
    const message = await refusal(files);
    expect(message).toContain(join(directory, file));
    expect(message).toMatch(says);
    if (line !== undefined) expect(message).toMatch(new RegExp(`\\bline ${line}\\b`));
  });

  test.each<[what: string, files: Files, says: RegExp]>([
    [
      'a pet in a category that does not exist',
      { ...WHOLE, 'pets.json': PETS.replace('"categoryId": 1, "status": "sold"', '"categoryId": 7') },
      /pet 2 .*category 7/,
    ],
    [
      'an entry with another status than its pet',
      { ...WHOLE, 'inventory.json': '[{ "petId": 2, "quantity": 0, "status": "pending" }]' },
      /pet 2 is sold.* pending/,
    ],
    [
      'a pet that is available without stock',
      { ...WHOLE, 'inventory.json': '[{ "petId": 1, "quantity": 0, "status": "available" }]' },
      /pet 1 is available.* stock/,
    ],
    [
      'stock below zero',
      { ...WHOLE, 'inventory.json': '[{ "petId": 2, "quantity": -1, "status": "sold" }]' },
      /pet 2 .*below 0/,
    ],
    [
      'an entry of no pet',
      { ...WHOLE, 'inventory.json': '[{ "petId": 7, "quantity": 0, "status": "sold" }]' },
      /pet 7, which does not exist/,
    ],
    ['an open order of no pet', { ...WHOLE, 'orders.json': '[{ "id": 4, "petId": 7 }]' }, /order 4 .*pet 7/],
    ['an order of nothing', { ...WHOLE, 'orders.json': '[{ "id": 4 }]' }, /order 4 /],
    [
      'an order of less than one',
      { ...WHOLE, 'orders.json': '[{ "id": 4, "petId": 1, "quantity": 0 }]' },
      /order 4 .*below 1/,
    ],
  ])('by %s are refused, and what contradicts what', async (_, files, says) => {
    const message = await refusal(files);
    expect(message).toContain(directory);
    expect(message).toMatch(says);
  });

  test('by a contradiction are refused with file and line, as by any other mistake', async () => {
    const message = await refusal({ ...WHOLE, 'pets.json': PETS.replace('1, "status": "sold"', '7') });
    expect(message).toContain(join(directory, 'pets.json'));
    expect(message).toMatch(/\bline 3\b/);
  });

  test('by an integer that would be rounded are refused, wherever it is', async () => {
    const message = await refusal({
      ...WHOLE,
      'pets.json': PETS.replace('"Bo",', '"Bo", "chip": { "no": 9007199254740993 },'),
    });
    expect(message).toMatch(/pets\.json.*\bline 3\b.*chip/);
  });

  test.each([
    ['pets.json', 'pets.yaml'],
    ['pets.yaml', 'pets.yml'],
  ])('by the two files %s and %s for one resource are refused', async (one, other) => {
    const message = await refusal({ 'categories.json': CATEGORIES, [one]: PETS, [other]: '[]' });
    expect(message).toContain(join(directory, other));
    expect(message).toMatch(/two files for "pets"/);
  });

  test('by a directory in the place of a file are refused', async () => {
    await mkdir(join(directory, 'pets.json'));
    expect(await refusal({})).toMatch(/pets\.json is a directory/);
  });
});

describe('the directory of the fixtures', () => {
  test('that does not exist is refused', async () => {
    const missing = join(directory, 'nowhere');
    await expect(createMock({ fixtures: missing })).rejects.toThrow(
      `There are no fixtures at ${missing}. Check the path.`,
    );
  });

  test('may be one file with all resources', async () => {
    const all = `{ "categories": ${CATEGORIES}, "pets": ${PETS} }`;
    for (const [name, text] of [
      ['all.json', all],
      ['all.yaml', all],
      ['all.txt', all],
    ] as const) {
      await write({ [name]: text });
      const mock = await createMock({ fixtures: join(directory, name) });
      expect(await read(mock, '/pets')).toHaveLength(2);
      expect(mock.files).toContain(join(directory, name));
    }
  });

  test.each([
    ['a list', PETS, /all\.json: line 1: expected an object with a list of entities for each resource/],
    ['nothing', '', /all\.json: line 1: expected an object/],
    ['an unknown resource', '{\n"dogs": [] }', /all\.json: line 2: #\/dogs: .*no resource "dogs"/],
    ['a list that is none', '{ "pets": {} }', /all\.json: line 1: #\/pets: expected a list of pets/],
    ['a wrong entity', '{ "pets": [\n{ "id": 1 }] }', /all\.json: line 2: #\/pets\/0: pet\.\w+ is required/],
    ['no syntax', '{ "pets": [', /all\.json: line 1/],
    [
      'a contradiction',
      `{ "categories": [], "pets": ${PETS} }`,
      /all\.json: line \d: #\/pets\/\d: pet \d is in category 1/,
    ],
  ])('may not be one file with %s', async (_, text, says) => {
    await write({ 'all.json': text });
    await expect(createMock({ fixtures: join(directory, 'all.json') })).rejects.toThrow(says);
  });

  test('may hold files that are no fixtures', async () => {
    await write({ ...WHOLE, 'README.md': '# Our fixtures', '.gitkeep': '', 'pets.json.bak': 'nonsense' });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/pets')).toHaveLength(2);
  });

  test('may be empty, and so is the store then', async () => {
    const mock = await createMock({ fixtures: directory });
    for (const path of ['/pets', '/categories', '/store/orders', '/store/inventory']) {
      expect([path, await read(mock, path)]).toEqual([path, []]);
    }
  });
});

describe('fixtures in YAML', () => {
  test('are the same as in JSON', async () => {
    await write({
      'categories.yml': '- { id: 1, name: Dogs, description: "yes" }\n',
      'pets.yaml': [
        '# Two pets',
        '- id: 1',
        '  name: Ada',
        '  categoryId: 1',
        '  status: pending',
        '  chip: &chip { no: [1, null, 0.5] }',
        '- { id: 2, name: "on", categoryId: 1, status: sold, chip: *chip }',
      ].join('\n'),
      'orders.json': '[{ "id": 5, "petId": 2, "shipDate": "2026-10-02T09:00:00Z", "complete": true }]',
    });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/categories')).toEqual([{ id: 1, name: 'Dogs', description: 'yes' }]);
    expect(await read(mock, '/pets')).toEqual([
      { id: 1, name: 'Ada', categoryId: 1, status: 'pending', chip: { no: [1, null, 0.5] } },
      { id: 2, name: 'on', categoryId: 1, status: 'sold', chip: { no: [1, null, 0.5] } },
    ]);
    expect(await read(mock, '/store/orders')).toEqual([
      { id: 5, petId: 2, shipDate: '2026-10-02T09:00:00Z', complete: true, quantity: 1 },
    ]);
  });

  test('may have a date without quotes', async () => {
    await write({ ...WHOLE, 'orders.yaml': '- id: 1\n  petId: 1\n  shipDate: 2026-10-02T09:00:00Z\n' });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/store/orders/1')).toMatchObject({ shipDate: '2026-10-02T09:00:00Z' });
  });
});

describe('fixtures that leave something out', () => {
  test('get an inventory entry for every pet, and a status for every pet', async () => {
    await write({
      'categories.json': CATEGORIES,
      'pets.json': JSON.stringify([
        { id: 1, name: 'a', categoryId: 1 },
        { id: 2, name: 'b', categoryId: 1, status: 'available' },
        { id: 3, name: 'c', categoryId: 1, status: 'pending' },
        { id: 4, name: 'd', categoryId: 1, status: 'sold' },
      ]),
    });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/store/inventory')).toEqual([
      { petId: 1, quantity: 1, status: 'available' },
      { petId: 2, quantity: 1, status: 'available' },
      { petId: 3, quantity: 0, status: 'pending' },
      { petId: 4, quantity: 0, status: 'sold' },
    ]);
    expect(await read(mock, '/pets/1')).toEqual({ id: 1, name: 'a', categoryId: 1, status: 'available' });
    expect(await read(mock, '/store/orders')).toEqual([]);
  });

  test('take the status of a pet from its entry', async () => {
    await write({
      'categories.json': CATEGORIES,
      'pets.json': '[{ "id": 1, "name": "a", "categoryId": 1 }]',
      'inventory.json': '[{ "petId": 1, "quantity": 0, "status": "sold" }]',
    });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/pets/1')).toMatchObject({ status: 'sold' });
    expect(await read(mock, '/store/inventory/1')).toEqual({ petId: 1, quantity: 0, status: 'sold' });
  });

  test('have open orders of one, unless they say otherwise', async () => {
    await write({ ...WHOLE, 'orders.json': '[{ "id": 3, "petId": 1 }]' });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/store/orders')).toEqual([{ id: 3, petId: 1, quantity: 1, complete: false }]);
  });

  test('may keep the completed orders of pets that are gone', async () => {
    await write({ ...WHOLE, 'orders.json': '[{ "id": 3, "petId": 9, "quantity": 1, "complete": true }]' });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/store/orders/3')).toMatchObject({ petId: 9 });
  });

  test('are listed in the order of the ids, with what was added', async () => {
    await write({ ...WHOLE, 'inventory.json': '[{ "petId": 2, "quantity": 0, "status": "sold" }]' });
    const mock = await createMock({ fixtures: directory });
    const inventory = (await read(mock, '/store/inventory')) as { petId: number }[];
    expect(inventory.map(({ petId }) => petId)).toEqual([1, 2]);
  });
});

describe('the ids of fixtures', () => {
  test('may be in any order in the file; the lists are in the order of the ids', async () => {
    const category = (id: number) => ({ id, name: `Category ${id}` });
    await write({ 'categories.json': JSON.stringify([10, 2, 1].map(category)) });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, '/categories')).toEqual([1, 2, 10].map(category));
  });

  test('may have gaps; new ones go on above the highest', async () => {
    await write({ 'categories.json': '[{ "id": 40, "name": "a" }, { "id": 7, "name": "b" }]' });
    const mock = await createMock({ fixtures: directory });
    const created = await mock.fetch('/categories', json('POST', { name: 'c' }));
    expect(created.headers.get('location')).toBe('/categories/41');
  });

  test.each([0, -3, 2 ** 53 - 1])('may be %i, which is found and does not disturb new ones', async (id) => {
    await write({ 'categories.json': JSON.stringify([{ id, name: 'odd' }]) });
    const mock = await createMock({ fixtures: directory });
    expect(await read(mock, `/categories/${id}`)).toEqual({ id, name: 'odd' });
    expect((await mock.fetch(`/categories/${BigInt(id) + 1n}`)).status).toBe(404);
    const created = await mock.fetch('/categories', json('POST', { name: 'c' }));
    expect(created.headers.get('location')).toBe('/categories/1');
  });
});

async function write(files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

/** The message of the SetupError that the files are refused with: one line, with a remedy after what is wrong. */
async function refusal(files: Files): Promise<string> {
  await write(files);
  const error: unknown = await createMock({ fixtures: directory }).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(SetupError);
  const { message } = error as SetupError;
  // A mistake in the syntax is shown in a frame below.
  expect(message).toMatch(/^[^\n]+[.!?] [A-Z][^\n]*\.(\n[ >] *\d* \|.*)*$/);
  return message;
}

async function read(mock: Mock, path: string): Promise<unknown> {
  const response = await mock.fetch(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

describe('fixtures in code', () => {
  const fixtures = () => ({
    categories: [{ id: 1, name: 'Dogs' }],
    pets: [{ id: 1, name: 'Ada', categoryId: 1, status: 'available' }],
  });

  test('are the first entities, again after a reset and a reload', async () => {
    const given = fixtures();
    const mock = await createMock({ fixtures: given });
    const [first] = given.pets;
    if (first) first.name = 'Changed later';
    await mock.fetch('/pets', json('POST', { name: 'Rex', categoryId: 1 }));
    expect(await read(mock, '/pets')).toHaveLength(2);
    mock.reset();
    expect(await read(mock, '/pets')).toMatchObject([{ id: 1, name: 'Ada' }]);
    await mock.reload({ fixtures: { ...fixtures(), pets: [] } });
    expect(await read(mock, '/pets')).toEqual([]);
    expect(mock.files.join()).not.toContain('fixtures');
  });

  test('are dated as JSON is', async () => {
    const mock = await createMock({
      fixtures: { ...fixtures(), orders: [{ id: 1, petId: 1, quantity: 1, shipDate: new Date(0) }] },
    });
    expect(await read(mock, '/store/orders')).toMatchObject([{ shipDate: '1970-01-01T00:00:00.000Z' }]);
  });

  test('are refused where they are not plain data', async () => {
    const fixtures = { pets: [{ id: 1n }] };
    await expect(createMock({ fixtures })).rejects.toThrow(/^The fixtures are not plain data: .*BigInt/);
  });

  test.each<[given: object, says: string | RegExp]>([
    [{ dogs: [] }, /^the fixtures: #\/dogs: the document has no resource "dogs"\./],
    [{ pets: 1 }, 'the fixtures: #/pets: expected a list of pets. Put the entities into [ ].'],
    [{ pets: [{ id: 1 }] }, /^the fixtures: #\/pets\/0: pet\.\w+ is required/],
    [{ ['__proto__']: [] }, /no resource "__proto__"/],
  ])('are refused with their place: %j', async (given, says) => {
    await expect(createMock({ fixtures: given as never })).rejects.toThrow(says);
  });
});
