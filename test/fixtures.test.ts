import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Status = 'available' | 'pending' | 'sold';
type Pet = { id: number; name: string; categoryId: number; status: Status };
type Category = { id: number; name: string; description: string };
type Order = { id: number; petId: number; quantity: number; shipDate: string; complete: boolean };
type InventoryItem = { petId: number; quantity: number; status: Status };

const STATUSES: Status[] = ['available', 'pending', 'sold'];

const pets: Pet[] = JSON.parse(read('pets'));
const categories: Category[] = JSON.parse(read('categories'));
const orders: Order[] = JSON.parse(read('orders'));
const inventory: InventoryItem[] = JSON.parse(read('inventory'));

/** Each pet with all that the rules look at. */
const cases = pets.map((pet) => ({
  ...pet,
  entry: inventory.find(({ petId }) => petId === pet.id),
  open: orders.filter(({ petId, complete }) => petId === pet.id && !complete),
  completed: orders.filter(({ petId, complete }) => petId === pet.id && complete),
}));

describe('the fixture files', () => {
  test.each([
    ['categories', categories, 6],
    ['pets', pets, 26],
    ['orders', orders, 12],
    ['inventory', inventory, 26],
  ])('%s has one entity a line, and enough of them', (name, entities, least) => {
    expect(entities.length).toBeGreaterThanOrEqual(least);
    const lines = read(name).trimEnd().split('\n');
    expect(lines.slice(1, -1).map((line) => JSON.parse(line.replace(/,$/, '')))).toEqual(entities);
  });

  test.each([
    ['categories', categories],
    ['pets', pets],
    ['orders', orders],
  ])('%s has the ids from 1 on, in order', (_, entities) => {
    expect(entities.map(({ id }) => id)).toEqual(entities.map((_, index) => index + 1));
  });

  test.each([
    ['categories', categories, { id: 'number', name: 'string', description: 'string' }],
    ['pets', pets, { id: 'number', name: 'string', categoryId: 'number', status: 'string' }],
    [
      ...(['orders', orders] as const),
      { id: 'number', petId: 'number', quantity: 'number', shipDate: 'string', complete: 'boolean' },
    ],
    ['inventory', inventory, { petId: 'number', quantity: 'number', status: 'string' }],
  ])('%s has every field of the schema, with its type', (_, entities: readonly object[], fields) => {
    for (const entity of entities) {
      const types = Object.entries(entity).map(([name, value]) => [name, typeof value]);
      expect(Object.fromEntries(types)).toEqual(fields);
      expect(
        Object.values(entity).filter((value) => typeof value === 'number' && !Number.isInteger(value)),
      ).toEqual([]);
    }
  });

  test('name each pet and each category once', () => {
    for (const names of [pets, categories].map((entities) => entities.map(({ name }) => name))) {
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name.trim() === '')).toEqual([]);
    }
  });

  test('name nobody and nothing that could be reached', () => {
    for (const name of ['pets', 'categories', 'orders', 'inventory'])
      expect(read(name)).not.toMatch(/@|https?:/);
  });

  test('date the orders within 2026, in UTC, in the order in which they ship', () => {
    const dates = orders.map(({ shipDate }) => shipDate);
    expect(dates.filter((date) => !/^2026-.+Z$/.test(date))).toEqual([]);
    expect(dates.filter((date) => new Date(date).toISOString() !== date.replace('Z', '.000Z'))).toEqual([]);
    expect(dates).toEqual([...dates].sort());
  });
});

describe('the store of the fixtures', () => {
  test('has pets of every status in every category that has pets', () => {
    const stocked = categories.filter(({ id }) => pets.some(({ categoryId }) => categoryId === id));
    for (const { id, name } of stocked) {
      const statuses = new Set(
        pets.filter(({ categoryId }) => categoryId === id).map(({ status }) => status),
      );
      expect([name, ...[...statuses].sort()]).toEqual([name, ...STATUSES]);
    }
    expect(stocked.length).toBeGreaterThanOrEqual(6);
  });

  test('has one category without pets, which can be deleted', () => {
    const empty = categories.filter(({ id }) => pets.every(({ categoryId }) => categoryId !== id));
    expect(empty).toHaveLength(1);
  });

  test('has a pet of every kind that a test could ask for', () => {
    const available = cases.filter(({ status }) => status === 'available');
    expect(available.filter(({ entry }) => entry?.quantity === 1).length).toBeGreaterThan(2);
    expect(available.filter(({ entry }) => (entry?.quantity ?? 0) > 1).length).toBeGreaterThan(2);
    expect(available.filter(({ open }) => open.length > 0)).not.toEqual([]);
    expect(available.filter(({ completed }) => completed.length > 0)).not.toEqual([]);
    expect(available.filter(({ open, completed }) => open.length + completed.length === 0)).not.toEqual([]);
    expect(cases.filter(({ open }) => open.length > 1)).not.toEqual([]);
    expect(cases.filter(({ open, completed }) => open.length > 0 && completed.length > 0)).not.toEqual([]);
  });

  test('has completed its orders in the order of their ids', () => {
    const firstOpen = orders.findIndex(({ complete }) => !complete);
    expect(orders.slice(firstOpen).filter(({ complete }) => complete)).toEqual([]);
  });

  test('has open and completed orders, of one and of several', () => {
    for (const complete of [true, false]) {
      const quantities = orders
        .filter((order) => order.complete === complete)
        .map(({ quantity }) => quantity);
      expect(quantities).toContain(1);
      expect(Math.max(...quantities)).toBeGreaterThan(1);
    }
  });
});

describe('the rules', () => {
  test.each(cases)('pet $id, $name, belongs to a category that exists', ({ categoryId }) => {
    expect(categories.map(({ id }) => id)).toContain(categoryId);
  });

  test.each(cases)('pet $id, $name, and its inventory entry have the same status', ({ status, entry }) => {
    expect(STATUSES).toContain(status);
    expect(entry?.status).toBe(status);
  });

  test('every pet has one inventory entry, and no entry is without its pet', () => {
    expect(inventory.map(({ petId }) => petId)).toEqual(pets.map(({ id }) => id));
  });

  test.each(cases.filter(({ status }) => status === 'available'))(
    'pet $id, $name, is available and has stock',
    ({ entry }) => {
      expect(entry?.quantity).toBeGreaterThanOrEqual(1);
    },
  );

  test.each(cases.filter(({ status }) => status === 'pending'))(
    'pet $id, $name, is pending: open orders have taken its stock',
    ({ entry, open }) => {
      expect(entry?.quantity).toBe(0);
      expect(open).not.toEqual([]);
    },
  );

  test.each(cases.filter(({ status }) => status === 'sold'))(
    'pet $id, $name, is sold: completed orders have taken its stock, and none is open',
    ({ entry, open, completed }) => {
      expect(entry?.quantity).toBe(0);
      expect(open).toEqual([]);
      expect(completed).not.toEqual([]);
    },
  );

  test.each(orders)('order $id is for at least one of a pet that exists', ({ petId, quantity }) => {
    expect(pets.map(({ id }) => id)).toContain(petId);
    expect(quantity).toBeGreaterThanOrEqual(1);
  });
});

function read(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8');
}
