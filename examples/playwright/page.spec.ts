import { expect, test } from 'petstore-mock/playwright';

test.beforeEach(async ({ mock, page }) => {
  // The page has the address of its API in its code.
  await mock.route('https://api.pets.example/**');
  await page.goto('/');
});

test('sells a pet', async ({ mock, page }) => {
  await page.getByRole('listitem').filter({ hasText: 'Biscuit' }).getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('You have bought Biscuit.');
  mock.verify({ operation: 'placeOrder', times: 1 });
});

test('says that a pet was sold meanwhile', async ({ mock, page }) => {
  mock.fail('placeOrder', 409);
  await page.getByRole('listitem').filter({ hasText: 'Biscuit' }).getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('Somebody was faster.');
});

test('shows the pets that a test seeds', async ({ mock, page }) => {
  await mock.seed({ pets: [{ id: 7, name: 'Nori', categoryId: 1, status: 'available' }] });
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('listitem')).toContainText('Nori');
});
