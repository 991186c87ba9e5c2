import { test } from 'petstore-mock/vitest';
import { describe, expect } from 'vitest';
import { buy, findPet } from './pet-store.ts';

test('buys a pet', async ({ mock }) => {
  expect(await buy(mock.url, 1)).toMatchObject({ id: 1, name: 'Biscuit' });
  mock.verify({ operation: 'placeOrder', body: { petId: 1 } });
});

test('sells a pet only once', async ({ mock }) => {
  await buy(mock.url, 1);
  expect(await buy(mock.url, 1)).toBeUndefined();
});

test('tries again where the store is overloaded', async ({ mock }) => {
  mock.fail('getPet', { status: 503, times: 1 });
  expect(await findPet(mock.url, 1)).toMatchObject({ name: 'Biscuit' });
  mock.verify({ operation: 'getPet', times: 2 });
});

// Each has a state of its own, so they may run at once.
describe.concurrent('Pets that a test seeds', () => {
  for (const name of ['Nori', 'Miso', 'Tofu']) {
    test(`are found: ${name}`, async ({ mock, expect }) => {
      await mock.seed({ pets: [{ id: 1, name, categoryId: 1, status: 'available' }] });
      expect(await findPet(mock.url, 1)).toMatchObject({ name });
    });
  }
});

const slow = test.extend({ mockOptions: { delay: 20 } });

slow('has options of its own', async ({ mock }) => {
  const started = performance.now();
  await mock.fetch('/pets');
  expect(performance.now() - started).toBeGreaterThan(15);
});
