import type { JournalEntry } from 'petstore-mock';
import { expect, test } from './shop.ts';

test('orders an animal, once', async ({ mock, page }) => {
  await page.goto('/pets/4');
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
  await page.getByRole('button', { name: 'Order Budgerigar' }).dblclick();
  await expect(page.getByRole('status')).toContainText('Order 24 is on its way: 2 × Budgerigar.');
  await expect(page.getByText('4 available')).toBeVisible();
  mock.verify({ operation: 'placeOrder', body: { petId: 4, quantity: 2 }, times: 1 });
  expect(mock.diff().added).toHaveLength(1);
});

test('says that somebody was faster', async ({ mock, page }) => {
  await page.goto('/pets/1');
  const button = page.getByRole('button', { name: 'Order Biscuit' });
  await expect(button).toBeVisible();
  // Another customer takes the last one meanwhile.
  const headers = { 'Content-Type': 'application/json' };
  await mock.fetch('/store/orders', { method: 'POST', headers, body: '{"petId":1}' });
  await button.click();
  await expect(page.getByRole('alert')).toContainText('there are not that many left');
  await expect(page.getByText('Biscuit cannot be ordered right now.')).toBeVisible();
});

test('orders another number after a failure', async ({ mock, page }) => {
  mock.fail('placeOrder', { sequence: '503,ok' });
  await page.goto('/pets/4');
  await page.getByRole('button', { name: 'Order Budgerigar' }).click();
  await expect(page.getByRole('alert')).toContainText('The shop has a problem right now.');
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('3');
  await page.getByRole('button', { name: 'Order Budgerigar' }).click();
  await expect(page.getByRole('status')).toContainText('3 × Budgerigar');
  expect(new Set(findKeys(mock.verify({ operation: 'placeOrder', times: 2 }))).size).toBe(2);
});

test('says that the animal is reserved', async ({ mock, page }) => {
  mock.fail('placeOrder', { status: 409, code: 'pet_not_available' });
  await page.goto('/pets/1');
  await page.getByRole('button', { name: 'Order Biscuit' }).click();
  await expect(page.getByRole('alert')).toContainText('somebody was faster');
});

test('orders once, however often it has to try', async ({ mock, page }) => {
  mock.fail('placeOrder', { sequence: '503,500,ok' });
  await page.goto('/pets/4');
  await page.getByRole('button', { name: 'Order Budgerigar' }).click();
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(page.getByRole('alert')).toContainText('The shop has a problem right now.');
    await page.getByRole('button', { name: 'Try again' }).click();
  }
  await expect(page.getByRole('status')).toContainText('Thank you!');

  expect(new Set(findKeys(mock.verify({ operation: 'placeOrder', times: 3 }))).size).toBe(1);
  expect(mock.diff().added).toHaveLength(1);
});

/** The keys by which the API knows a repeated request. */
function findKeys(entries: readonly JournalEntry[]): unknown[] {
  return entries.map(({ request }) => request.headers['idempotency-key']);
}
