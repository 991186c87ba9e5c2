import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

type Keywords = Record<string, unknown>;
type Ref = { $ref: string };
type Example = { summary: string; value: unknown };
type Media = { schema: Ref; examples: Record<string, Ref> };
type Content = Record<string, Media>;
type Parameter = { name: string; in: string; required?: boolean; schema: Keywords; example: unknown };
type Response = { description: string; headers?: Record<string, Ref>; content?: Content };
type Operation = Keywords & {
  operationId: string;
  tags: string[];
  summary: string;
  deprecated?: boolean;
  parameters?: Ref[];
  requestBody?: Ref;
  responses: Record<string, Ref | Response>;
};
type PathItem = Record<string, Operation> & { parameters?: Ref[] };
type Document = Keywords & {
  info: Keywords;
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Keywords> } & Record<string, Record<string, unknown>>;
};
type Entity = Record<string, unknown>;

const source = read('spec/openapi.yaml');
const document: Document = parse(source);

/** A validator that knows the whole document by the name `spec`. */
const ajv = new Ajv({ allErrors: true, keywords: Object.keys(document) });
formats.default(ajv);
ajv.addSchema({ ...document, $id: 'spec' });

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every operation with its method and path, in the order of the document. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => {
    const operation = item[method] as Operation;
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      parameters: parameters.map((ref) => follow<Parameter>(ref)),
      body: operation.requestBody && follow<{ required: boolean; content: Content }>(operation.requestBody),
      responses: Object.entries(operation.responses).map(([status, response]) => ({
        status,
        ...follow<Response>(response),
      })),
    };
  }),
);

/** Every media type object of every body, with where it is and the status if it is an answer's. */
const media = operations.flatMap(({ id, body, responses }) => [
  ...Object.entries(body?.content ?? {}).map(([type, content]) => ({
    where: `${id} takes ${type}`,
    id,
    status: '',
    type,
    ...content,
  })),
  ...responses.flatMap(({ status, content = {} }) =>
    Object.entries(content).map(([type, body]) => ({
      where: `${id} answers ${status}`,
      id,
      status,
      type,
      ...body,
    })),
  ),
]);
const errors = media.filter(({ status }) => /^[45]|^default$/.test(status));
const successes = media.filter(({ status }) => status.startsWith('2'));

describe('the document', () => {
  test('is OpenAPI 3.0.3 in version 1.0.0, under the MIT licence, without authentication', () => {
    expect(document.openapi).toBe('3.0.3');
    expect(document.info).toMatchObject({ version: '1.0.0', license: { name: 'MIT' } });
    expect(document.servers).toMatchObject([{ url: 'http://127.0.0.1:4010' }]);
    expect(document.security).toEqual([]);
  });

  test('is valid by an independent checker', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  test('reads from the general to the particular', () => {
    const order = ['openapi', 'info', 'servers', 'security', 'tags', 'x-tagGroups', 'paths', 'components'];
    expect(Object.keys(document)).toEqual(order);
  });

  test('holds no reference that leads nowhere and no component that nothing uses', () => {
    const used = new Set([...source.matchAll(/\$ref: '#\/components\/(\w+\/\w+)'/g)].map(([, name]) => name));
    const defined = Object.entries(document.components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `${kind}/${name}`),
    );
    expect([...used].sort()).toEqual(defined.sort());
    expect(source.match(/\$ref/g)?.length).toBe(source.match(/\$ref: '#\/components\/\w+\/\w+'/g)?.length);
  });

  test('groups its tags as the navigation sections Pets and Store', () => {
    expect(document['x-tagGroups']).toEqual([
      { name: 'Pets', tags: ['pets', 'categories'] },
      { name: 'Store', tags: ['orders', 'inventory'] },
    ]);
    expect(document.tags.map(({ name }) => name)).toEqual(['pets', 'categories', 'orders', 'inventory']);
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  });
});

describe('the schemas of the specification', () => {
  const NEW_PET = [
    'name       | string    |       | yes | The animal’s name',
    'categoryId | integer   | int64 | yes | ID of the category the animal belongs to',
    'status     | PetStatus |       | no  | Status of the pet',
  ];
  const NEW_CATEGORY = [
    'name        | string |  | yes | Category name, for example a kind of animal',
    'description | string |  | no  | Short description of the category',
  ];
  const ID = 'id | integer | int64 | yes | Unique identifier assigned on creation';

  const OBJECTS: Record<string, string[]> = {
    NewPet: NEW_PET,
    Pet: [...NEW_PET, ID],
    NewCategory: NEW_CATEGORY,
    Category: [...NEW_CATEGORY, ID],
    Order: [
      'id       | integer | int64     | no | Unique order identifier',
      'petId    | integer | int64     | no | ID of the animal in this order',
      'quantity | integer |           | no | Number of units ordered',
      'shipDate | string  | date-time | no | Expected or actual ship date, ISO 8601',
      'complete | boolean |           | no | Whether the order has been fulfilled',
    ],
    InventoryItem: [
      'petId    | integer   | int64 | yes | ID of the animal this entry tracks',
      'quantity | integer   |       | yes | Current stock count',
      'status   | PetStatus |       | yes | Status of the entry',
    ],
    InventoryUpdate: ['quantity | integer |  | yes | The new stock count'],
    Error: [
      'code    | string  |  | yes | Machine-readable error code',
      'message | string  |  | yes | Human-readable description of the error',
      'status  | integer |  | yes | The HTTP status code',
    ],
  };

  test.each(Object.entries(OBJECTS))('%s has exactly the fields of its table', (name, rows) => {
    expect(fieldsOf(schema(name))).toEqual(rows.map((row) => row.replace('’', "'").split('|').map(trim)));
  });

  test('Pet and Category are their input shapes and more', () => {
    expect(schema('Pet')).toMatchObject({ allOf: [{ $ref: '#/components/schemas/NewPet' }, {}] });
    expect(schema('Category')).toMatchObject({ allOf: [{ $ref: '#/components/schemas/NewCategory' }, {}] });
  });

  test('PetStatus is one of three strings', () => {
    expect(schema('PetStatus')).toMatchObject({ type: 'string', enum: ['available', 'pending', 'sold'] });
  });

  test('Pets is an array of Pet', () => {
    expect(schema('Pets')).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Pet' } });
  });

  test.each([...Object.keys(OBJECTS), 'PetStatus', 'Pets'])('%s has no constraint of our own', (name) => {
    const shape = ['type', 'format', 'description', 'properties', 'required', 'items', 'allOf', '$ref'];
    const stated = new Set(name === 'PetStatus' ? [...shape, 'enum'] : shape);
    expect(keywordsOf(schema(name)).filter((keyword) => !stated.has(keyword))).toEqual([]);
  });
});

describe('our own schemas', () => {
  test.each([
    ['PetPatch', ['name', 'categoryId', 'status'], []],
    ['NewOrder', ['petId', 'quantity', 'shipDate', 'complete'], ['petId']],
    ['OrderPatch', ['quantity', 'shipDate', 'complete'], []],
    ['PetProfile', ['category', 'inventory'], ['category', 'inventory']],
    ['InventorySummary', ['available', 'pending', 'sold'], ['available', 'pending', 'sold']],
  ])('%s has its fields and asks for no more than it needs', (name, fields, required) => {
    const { allOf = [] } = schema(name) as { allOf?: Keywords[] };
    const own = allOf.at(-1) ?? schema(name);
    expect(Object.keys(own.properties as Keywords)).toEqual(fields);
    expect(own.required ?? []).toEqual(required);
  });

  test.each([
    ['PetPatch', { status: null }, true],
    ['PetPatch', { status: 'lost' }, false],
    ['PetPatch', { name: null }, false],
    ['OrderPatch', { shipDate: null }, true],
    ['OrderPatch', { shipDate: 'tomorrow' }, false],
    ['OrderPatch', { complete: null }, false],
    ['NewOrder', {}, false],
    ['NewOrder', { petId: 1 }, true],
    ['PetProfile', { id: 1, name: 'Biscuit', categoryId: 1 }, false],
  ])('%s given %j is valid: %s', (name, value, valid) => {
    expect(violations({ $ref: `#/components/schemas/${name}` }, value).length === 0).toBe(valid);
  });
});

describe('the operations', () => {
  test('are those of the table, with their marks and their successes', () => {
    const marks = ({ operation }: (typeof operations)[number]) =>
      [operation.deprecated ? 'deprecated' : '', operation['x-stability'] ?? ''].join('');
    const shape = ({ responses }: (typeof operations)[number]) =>
      responses
        .filter(({ status }) => status.startsWith('2'))
        .map(({ status, content }) => [status, nameOf(content?.['application/json']?.schema)].join(' '))
        .join();
    const rows = operations.map((operation) =>
      [
        operation.method,
        operation.path,
        operation.id,
        nameOf(operation.body?.content['application/json']?.schema),
        shape(operation),
        marks(operation),
      ].map(trim),
    );
    expect(sorted(rows)).toEqual(
      sorted(
        [
          'GET    | /pets                    | listPets            |                 | 200 Pets             |',
          'POST   | /pets                    | createPet           | NewPet          | 201 Pet              |',
          'GET    | /pets/{petId}            | getPet              |                 | 200 Pet              | deprecated',
          'PUT    | /pets/{petId}            | replacePet          | NewPet          | 200 Pet              |',
          'PATCH  | /pets/{petId}            | updatePet           | PetPatch        | 200 Pet              |',
          'DELETE | /pets/{petId}            | deletePet           |                 | 204                  |',
          'GET    | /pets/{petId}/profile    | getPetProfile       |                 | 200 PetProfile       | beta',
          'GET    | /categories              | listCategories      |                 | 200 Categories       |',
          'POST   | /categories              | createCategory      | NewCategory     | 201 Category         |',
          'GET    | /categories/{categoryId} | getCategory         |                 | 200 Category         |',
          'PUT    | /categories/{categoryId} | replaceCategory     | NewCategory     | 200 Category         |',
          'DELETE | /categories/{categoryId} | deleteCategory      |                 | 204                  |',
          'GET    | /store/orders            | listOrders          |                 | 200 Orders           |',
          'POST   | /store/orders            | placeOrder          | NewOrder        | 201 Order            |',
          'GET    | /store/orders/{orderId}  | getOrder            |                 | 200 Order            |',
          'PATCH  | /store/orders/{orderId}  | updateOrder         | OrderPatch      | 200 Order            |',
          'DELETE | /store/orders/{orderId}  | cancelOrder         |                 | 204                  |',
          'GET    | /store/inventory         | listInventory       |                 | 200 Inventory        |',
          'GET    | /store/inventory/summary | getInventorySummary |                 | 200 InventorySummary | experimental',
          'GET    | /store/inventory/{petId} | getInventoryItem    |                 | 200 InventoryItem    |',
          'PUT    | /store/inventory/{petId} | updateInventory     | InventoryUpdate | 200 InventoryItem    |',
        ].map((row) => row.split('|').map(trim)),
      ),
    );
  });

  test('take the query parameters of the table and no others', () => {
    const rows = operations.flatMap(({ id, parameters }) =>
      parameters.filter((one) => one.in === 'query').map((one) => `${id} ${one.name} ${typeOf(one.schema)}`),
    );
    expect(rows).toEqual([
      'listPets status PetStatus[]',
      'listPets categoryId int64',
      'listPets sort string',
      'listPets limit integer',
      'listPets offset integer',
      'listOrders petId int64',
      'listOrders complete boolean',
      'listInventory status PetStatus[]',
    ]);
    expect(operations.flatMap(({ parameters }) => parameters.filter((one) => one.required)).length).toBe(
      operations.filter(({ path }) => path.includes('{')).length,
    );
  });

  test('take pages and an order on pets alone, with bounds that let nothing senseless in', () => {
    const parameters = operations.find(({ id }) => id === 'listPets')?.parameters ?? [];
    const [status, , sort, limit, offset] = parameters;
    expect(status).toMatchObject({ style: 'form', explode: true });
    expect(sort?.schema.enum).toEqual(
      ['id', 'name', 'categoryId', 'status'].flatMap((field) => [field, `-${field}`]),
    );
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1 });
    expect(offset?.schema).toEqual({ type: 'integer', minimum: 0, default: 0 });
  });

  test.each(operations)('$id says what it is for, under a tag that exists', ({ operation }) => {
    expect(operation.summary).toMatch(/^[A-Z].{7,}[^.]$/);
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
    expect(operation.tags).toHaveLength(1);
  });

  test.each(operations)('$id declares 4xx answers and a default, each an Error', ({ id, responses }) => {
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status.startsWith('4'))).not.toEqual([]);
    expect(statuses).toContain('default');
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    for (const { type, schema } of errors.filter((one) => one.id === id)) {
      expect([type, nameOf(schema)]).toEqual(['application/json', 'Error']);
    }
    expect(responses.filter(({ description }) => !description)).toEqual([]);
  });

  test.each(operations)('$id declares the 4xx answers that follow from its shape', (one) => {
    const query = one.parameters.length > 0;
    const expected = [
      query || one.body ? '400' : '',
      one.path.includes('{') ? '404' : '',
      one.method === 'DELETE' ? '' : '406',
      ...(one.body ? ['413', '415', '422'] : []),
    ].filter(Boolean);
    const declared = one.responses.map(({ status }) => status).filter((status) => /^4/.test(status));
    expect(declared.filter((status) => status !== '409')).toEqual(expected);
  });

  test('can conflict where a rule can refuse them', () => {
    const conflicting = operations.filter(({ responses }) =>
      responses.some(({ status }) => status === '409'),
    );
    expect(conflicting.map(({ id }) => id).sort()).toEqual(
      [
        'replacePet',
        'updatePet',
        'deletePet',
        'deleteCategory',
        'placeOrder',
        'updateOrder',
        'cancelOrder',
      ].sort(),
    );
  });

  test('take a PATCH as a JSON merge patch or as plain JSON, to the same schema', () => {
    for (const { body } of operations.filter(({ method }) => method === 'PATCH')) {
      expect(Object.keys(body?.content ?? {})).toEqual(['application/merge-patch+json', 'application/json']);
      expect(body?.content['application/json']).toEqual(body?.content['application/merge-patch+json']);
    }
  });

  test('declare the headers that their successes carry', () => {
    const rows = operations.flatMap(({ id, responses }) =>
      responses
        .filter(({ status, headers }) => status.startsWith('2') && headers)
        .map(({ status, headers = {} }) => [id, status, ...Object.keys(headers)].join(' ')),
    );
    expect(rows).toEqual([
      'listPets 200 X-Total-Count Link',
      'createPet 201 Location',
      'getPet 200 Deprecation Sunset Link Warning',
      'getPetProfile 200 X-Stability',
      'createCategory 201 Location',
      'placeOrder 201 Location',
      'getInventorySummary 200 X-Stability',
    ]);
  });

  test('deprecate getPet on a date, until a date, for a successor that exists', () => {
    const getPet = operations.find(({ id }) => id === 'getPet');
    expect(getPet?.operation).toMatchObject({
      'x-deprecated-at': '2026-06-01',
      'x-sunset': '2027-06-30',
      'x-replaced-by': 'getPetProfile',
      'x-deprecation-link': 'https://petstore.example/deprecations#getPet',
      'x-sunset-link': 'https://petstore.example/deprecations#sunset-policy',
    });
    const headers = document.components.headers as Record<string, { example?: string }>;
    expect(headers.Deprecation?.example).toBe(`@${Date.parse('2026-06-01T00:00:00Z') / 1000}`);
    expect(headers.Sunset?.example).toBe(new Date('2027-06-30T00:00:00Z').toUTCString());
    expect(operations.map(({ id }) => id)).toContain(getPet?.operation['x-replaced-by']);
  });
});

describe('the examples', () => {
  test.each(media)('$where: has named examples, and each holds to its schema', ({ schema, examples }) => {
    expect(Object.keys(examples)).not.toEqual([]);
    for (const [name, { summary, value }] of examplesOf(examples)) {
      expect([name, violations(schema, value)]).toEqual([name, []]);
      expect(summary).toMatch(/^[A-Z]/);
    }
  });

  test.each(errors)('$where: names its examples after their codes, with its status', (one) => {
    const values = examplesOf(one.examples).map(([name, { value }]) => [name, value as Entity] as const);
    expect(values.map(([name]) => name)).toEqual(values.map(([, { code }]) => code));
    if (one.status === 'default')
      expect(values[0]?.[1]).toMatchObject({ code: 'internal_error', status: 500 });
    else expect(values.filter(([, { status }]) => String(status) !== one.status)).toEqual([]);
    for (const [, { message }] of values) expect(message).toMatch(/^([A-Z].*\.|(body|path|query)\.\S+: .+)$/);
  });

  test('name the same code with the same status everywhere', () => {
    const statuses = new Map<unknown, unknown>();
    for (const { code, status } of errorValues()) {
      expect([code, statuses.get(code) ?? status]).toEqual([code, status]);
      statuses.set(code, status);
    }
  });

  test.each(operations.filter(({ body }) => body))('$id: an example taken is an example answered', (one) => {
    const [success] = successes.filter(({ id }) => id === one.id);
    const taken = Object.keys(one.body?.content['application/json']?.examples ?? {});
    expect(Object.keys(success?.examples ?? {}).filter((name) => !taken.includes(name))).toEqual([]);
  });

  test.each(operations.flatMap(({ parameters }) => parameters))('of the parameter $name fit it', (one) => {
    expect(violations(one.schema, one.example)).toEqual([]);
  });

  const FIXTURES: Record<string, string> = { pets: 'id', categories: 'id', orders: 'id', inventory: 'petId' };

  test.each([
    ['listPets', 'pets'],
    ['getPet', 'pets'],
    ['listCategories', 'categories'],
    ['getCategory', 'categories'],
    ['listOrders', 'orders'],
    ['getOrder', 'orders'],
    ['listInventory', 'inventory'],
    ['getInventoryItem', 'inventory'],
  ])('of %s show what the store starts with', (id, name) => {
    const key = FIXTURES[name] ?? '';
    const entities = fixture(name);
    for (const entity of successValues(id).flat()) {
      expect(entity).toEqual(entities.find((one) => one[key] === (entity as Entity)[key]));
    }
  });

  test('of getPetProfile and getInventorySummary agree with what the store starts with', () => {
    for (const profile of successValues('getPetProfile') as Entity[]) {
      const { category, inventory, ...pet } = profile;
      expect(pet).toEqual(fixture('pets').find(({ id }) => id === pet.id));
      expect(category).toEqual(fixture('categories').find(({ id }) => id === pet.categoryId));
      expect(inventory).toEqual(fixture('inventory').find(({ petId }) => petId === pet.id));
    }
    const count = (status: string) => fixture('inventory').filter((entry) => entry.status === status).length;
    expect(successValues('getInventorySummary')).toEqual([
      { available: count('available'), pending: count('pending'), sold: count('sold') },
    ]);
  });

  test.each([
    ['createPet', 'pets'],
    ['createCategory', 'categories'],
    ['placeOrder', 'orders'],
  ])('of %s have the next id', (id, name) => {
    for (const value of successValues(id)) expect(value).toMatchObject({ id: fixture(name).length + 1 });
  });
});

describe('spec/README.md', () => {
  const readme = read('spec/README.md');
  const listed = [...readme.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(
    ([, code, status]) => `${code} ${status}`,
  );

  test('lists every error code of the examples with its status', () => {
    const used = new Set([...errorValues()].map(({ code, status }) => `${code} ${status}`));
    expect([...used].filter((one) => !listed.includes(one))).toEqual([]);
  });

  test('lists each code once, in the order of the statuses', () => {
    const statuses = listed.map((one) => Number(one.split(' ')[1]));
    expect(new Set(listed).size).toBe(listed.length);
    expect(statuses).toEqual([...statuses].sort());
  });

  test('gives every error code that a rule names', () => {
    const codes = listed.map((one) => one.split(' ')[0]);
    const named = [...readme.matchAll(/\b(?:400|404|409|422) `(\w+)`/g)].map(([, code]) => code);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((code) => !codes.includes(code))).toEqual([]);
  });

  test.each([
    'list of operations',
    'length limits and further constraints',
    'transitions',
    'parameters and bodies of GET /pets/{petId}',
    'parameters and bodies of GET /store/orders',
    'sunset date',
    'further endpoints',
    'authentication',
    'events, webhooks or notifications',
    'mapping of conditions to codes',
    'rate limits',
    'pagination',
    'size limits',
    'time-outs',
    'version scheme',
  ])('has a row for the open point: %s', (point) => {
    const rows = readme.split('\n').filter((line) => /^\| \d \|/.test(line) && line.includes(point));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.split(' | ').map(trim)).not.toContain('');
  });

  test('numbers its business rules without a gap', () => {
    const numbers = [...readme.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

function fixture(name: string): Entity[] {
  return JSON.parse(read(`fixtures/${name}.json`));
}

function trim(cell: unknown): string {
  return String(cell).trim();
}

function sorted(rows: string[][]): string[] {
  return rows.map((row) => row.join(' | ')).sort();
}

/** What a reference points to, or the value itself if it is none. */
function follow<T>(value: Ref | T): T {
  const { $ref } = value as Ref;
  if ($ref === undefined) return value as T;
  const [, , kind = '', name = ''] = $ref.split('/');
  const target = document.components[kind]?.[name];
  if (target === undefined) throw new Error(`${$ref} leads nowhere.`);
  return target as T;
}

function nameOf(ref: Ref | undefined): string {
  return ref?.$ref.split('/').at(-1) ?? '';
}

function schema(name: string): Keywords {
  const found = document.components.schemas[name];
  if (!found) throw new Error(`The document has no schema ${name}.`);
  return found;
}

/** The fields of an object schema as rows: name, type, format, required, meaning. */
function fieldsOf(schema: Keywords): string[][] {
  const { allOf = [], properties = {}, required = [] } = schema;
  const own = Object.entries(properties as Record<string, Keywords>).map(([name, field]) => [
    name,
    field.type ? String(field.type) : typeOf(field),
    String(field.format ?? ''),
    (required as string[]).includes(name) ? 'yes' : 'no',
    String(field.description ?? ''),
  ]);
  return [...(allOf as (Ref | Keywords)[]).flatMap((part) => fieldsOf(follow<Keywords>(part))), ...own];
}

/** A type in a word: `int64`, `boolean`, `PetStatus`, `PetStatus[]`. */
function typeOf(schema: Keywords): string {
  const { allOf, items, format, type, $ref } = schema;
  if ($ref) return nameOf(schema as Ref);
  if (items) return `${typeOf(items as Keywords)}[]`;
  if (allOf) return (allOf as Keywords[]).map(typeOf).join(' & ');
  return String(format ?? type);
}

/** Every keyword that a schema uses at any depth; the names of its properties are none. */
function keywordsOf(schema: Keywords): string[] {
  const { properties = {}, allOf = [], items } = schema;
  const inner = [
    ...Object.values(properties as Keywords),
    ...(allOf as unknown[]),
    ...(items ? [items] : []),
  ];
  return [...Object.keys(schema), ...inner.flatMap((part) => keywordsOf(part as Keywords))];
}

/** Why a value does not hold to the schema; `nullable` is a keyword of Ajv's own. */
function violations(schema: Keywords | Ref, value: unknown): string[] {
  return ajv.validate(inDocument(schema), value) ? [] : [ajv.errorsText()];
}

/** A schema of the document as one that stands outside of it. */
function inDocument(schema: Keywords): Keywords {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"spec#/'));
}

function examplesOf(examples: Record<string, Ref>): [string, Example][] {
  return Object.entries(examples).map(([name, example]) => [name, follow<Example>(example)]);
}

function successValues(id: string): unknown[] {
  return successes
    .filter((one) => one.id === id)
    .flatMap(({ examples }) => examplesOf(examples))
    .map(([, { value }]) => value);
}

function errorValues(): Entity[] {
  return errors.flatMap(({ examples }) => examplesOf(examples)).map(([, { value }]) => value as Entity);
}
