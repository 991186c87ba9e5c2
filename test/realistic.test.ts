import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { toSnake } from '../src/model/resources/snake-case.ts';
import type { PropertyHint } from '../src/state/seeding/property-hint.ts';
import { createRealistic } from '../src/state/seeding/realistic-values.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';

const SEEDS = { own: 'a', object: 'b' };

/** Things, each with a key and one property; the items have it alone. */
function thingsWith(name: string, schema: object): object {
  const thing = {
    type: 'object',
    required: ['id', name],
    properties: { id: { type: 'integer' }, [name]: schema },
  };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  return documentOf({
    '/things': { get: { responses: jsonAnswer({ type: 'array', items: thing }) } },
    '/things/{id}': { parameters, get: { responses: jsonAnswer(thing) } },
  });
}

async function valuesOf(name: string, schema: object): Promise<unknown[]> {
  const mock = await createMock({ spec: thingsWith(name, schema) });
  const things = (await (await mock.fetch('/things')).json()) as Record<string, unknown>[];
  expect(things).toHaveLength(10);
  return things.map((thing) => thing[name]);
}

const TEXT = { type: 'string' };
const YEAR = new Date().getUTCFullYear();

describe('faker', () => {
  test('is not shared: what others draw from theirs stays the same', async () => {
    const { faker } = await import('@faker-js/faker/locale/en');
    faker.seed(1);
    const alone = faker.person.fullName();
    faker.seed(1);
    await valuesOf('name', TEXT);
    expect(faker.person.fullName()).toBe(alone);
  });
});

describe('a generated property looks like what its name or format says', () => {
  test.each<[name: string, schema: object, looks: RegExp]>([
    ['token_type', TEXT, /^bearer$/],
    ['expires_in', { type: 'integer' }, /^3600$/],
    ['userAgent', TEXT, /^\w+\/\d/],
    ['colorCode', TEXT, /^#[0-9a-f]{6}$/],
    ['weekday', TEXT, /day$/],
    ['trackingNumber', TEXT, /^[A-Z]{2}\d{9}[A-Z]{2}$/],
    ['invoice_number', TEXT, /^[A-Z]-\d{6}$/],
    ['paymentMethod', TEXT, /^(card|paypal|bank_transfer|cash)$/],
    ['commit', TEXT, /^[0-9a-f]{40}$/],
    ['created_by', TEXT, /^\S+ \S+$/],
    ['flightNumber', TEXT, /^[A-Z]{2}\d{3}$/],
    ['seat', TEXT, /^\d+[A-Z]$/],
    ['otp', TEXT, /^\d{6}$/],
    ['path', TEXT, /^\//],
    ['success', { type: 'boolean' }, /^true$/],
    ['is_deleted', { type: 'boolean' }, /^false$/],
    ['firstName', TEXT, /^[A-Z][\w'-]+$/],
    ['last_name', TEXT, /^[A-Z][\w'-]+/],
    ['email', TEXT, /^[\w.+-]+@example\.(com|net|org)$/],
    ['contact', { ...TEXT, format: 'email' }, /^[\w.+-]+@example\.(com|net|org)$/],
    ['phoneNumber', TEXT, /^\+1\d{3}55501\d\d$/],
    ['city', TEXT, /^[A-Z]/],
    ['street', TEXT, /^\d+ [A-Z]/],
    ['country', TEXT, /^\p{Lu}/u],
    ['countryCode', TEXT, /^[A-Z]{2}$/],
    ['zipCode', TEXT, /^\d{5}$/],
    ['company', TEXT, /^[A-Z]/],
    ['currency', TEXT, /^[A-Z]{3}$/],
    ['colour', TEXT, /^[a-z ]+$/],
    ['title', TEXT, /^[A-Z].* .* /],
    ['description', TEXT, / .* .* /],
    ['name', TEXT, /^[A-Z].* [A-Z]/],
    ['website', TEXT, /^https:\/\/example\.com\//],
    ['homepage', { ...TEXT, format: 'uri' }, /^https:\/\/example\.com\//],
    ['photoUrl', { ...TEXT, format: 'uri' }, /^data:image\/svg\+xml,%3Csvg/],
    ['avatar', TEXT, /^data:image\/svg\+xml,%3Csvg/],
    ['code', { ...TEXT, format: 'uuid' }, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
    ['slug', TEXT, /^[a-z]+(-[a-z]+)+$/],
    ['price', TEXT, /^\d+\.\d\d$/],
    ['createdAt', TEXT, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/],
    ['remark', { ...TEXT, format: 'made-up' }, / .* /],
    ['whatever', { ...TEXT, maxLength: 40 }, /^[A-Z][a-z]+.* [A-Z][a-z]+$/],
    ['status', { ...TEXT, enum: ['new', 'used'] }, /^(new|used)$/],
  ])('%s: %j', async (name, schema, looks) => {
    for (const value of await valuesOf(name, schema)) expect(String(value)).toMatch(looks);
  });

  test.each<[name: string, schema: object, from: number, to: number]>([
    ['price', { type: 'number' }, 1, 500],
    ['totalAmount', { type: 'integer' }, 1, 500],
    ['quantity', { type: 'integer' }, 1, 20],
    ['age', { type: 'integer' }, 18, 80],
    ['rating', { type: 'integer' }, 1, 5],
    ['year', { type: 'integer' }, YEAR - 20, YEAR],
    ['latitude', { type: 'number' }, -90, 90],
  ])('%s: %j is a number from %d to %d', async (name, schema, from, to) => {
    for (const value of (await valuesOf(name, schema)) as number[]) {
      expect(value).toBeGreaterThanOrEqual(from);
      expect(value).toBeLessThanOrEqual(to);
      if (name === 'price') expect(value).toBe(Number(value.toFixed(2)));
    }
  });

  test.each<[name: string, from: string, to: string]>([
    ['createdAt', `${YEAR - 1}-01-01`, `${YEAR}-01-01`],
    ['updated_at', `${YEAR - 1}-01-01`, `${YEAR}-01-01`],
    ['dueDate', `${YEAR + 1}-01-01`, `${YEAR + 2}-01-03`],
    ['birthday', `${YEAR - 71}-01-01`, `${YEAR - 17}-01-01`],
  ])('%s is a date from %s to %s', async (name, from, to) => {
    for (const format of ['date', 'date-time']) {
      for (const value of (await valuesOf(name, { ...TEXT, format })) as string[]) {
        expect(value >= from && value <= to).toBe(true);
      }
    }
  });

  test('and the fields of one person belong together', async () => {
    const generateRealistic = createRealistic();
    const read = (name: string, own: string) =>
      String(generateRealistic({ name, owner: 'user', type: 'string' }, { own, object: 'one' }));
    expect(read('full_name', 'a')).toBe(`${read('first_name', 'b')} ${read('last_name', 'c')}`);
    const letters = read('first_name', 'b').replace(/\W/g, '').toLowerCase();
    expect(read('email', 'd')).toContain(letters);
  });

  test.each<[owner: string, name: string, looks: RegExp]>([
    ['user', 'name', /^[A-Z][\w'-]+ [A-Z]/],
    ['country', 'name', /^\p{Lu}/u],
    ['colour', 'name', /^[a-z ]+$/],
    ['product', 'name', /^\w+ \w+ \w+/],
    ['book', 'title', /\w/],
  ])('and the one that it belongs to: %s.%s', async (owner, name, looks) => {
    const generateRealistic = createRealistic();
    expect(generateRealistic({ owner, name, type: 'string' }, SEEDS)).toMatch(looks);
  });
});

describe('the schema has the last word', () => {
  test.each<[name: string, schema: object]>([
    ['email', { ...TEXT, pattern: '^[A-Z]{4}$' }],
    ['description', { ...TEXT, maxLength: 9 }],
    ['city', { ...TEXT, minLength: 40 }],
    ['quantity', { type: 'integer', minimum: 500 }],
    ['price', { type: 'number', maximum: 0.5 }],
    ['createdAt', { ...TEXT, format: 'time' }],
    ['rating', { type: 'number', multipleOf: 7 }],
    ['name', { ...TEXT, enum: ['a'] }],
  ])('%s: %j', async (name, schema) => {
    expect(await valuesOf(name, schema)).toHaveLength(10);
    const { Ajv } = await import('ajv');
    const { default: addFormats } = await import('ajv-formats');
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    for (const value of await valuesOf(name, schema)) expect(ajv.validate(schema, value)).toBe(true);
  });
});

describe('a generateRealistic', () => {
  test('draws the same for the same seeds, whatever it drew before, and fails for no name', async () => {
    const generateRealistic = createRealistic();
    const fields: fc.Arbitrary<PropertyHint> = fc.record({
      name: fc.oneof(fc.string(), fc.constantFrom('email', 'name', 'price', 'due_date', 'address')),
      owner: fc.oneof(fc.string(), fc.constantFrom('user', 'product', 'order')),
      type: fc.constantFrom('string', 'number', 'integer'),
      format: fc.oneof(fc.constant(undefined), fc.constantFrom('date', 'uri', 'uuid', 'constructor')),
    });
    fc.assert(
      fc.property(fields, fields, fc.string(), (field, other, own) => {
        const seeds = { own, object: 'o' };
        const value = generateRealistic(field, seeds);
        generateRealistic(other, SEEDS);
        expect(generateRealistic(field, seeds)).toEqual(value);
      }),
    );
  });

  test.each([
    ['dueDate', 'due_date'],
    ['due-date', 'due_date'],
    ['DueDate', 'due_date'],
    ['_due', 'due'],
  ])('reads the name %s as %s', (name, snake) => {
    expect(toSnake(name)).toBe(snake);
  });
});
