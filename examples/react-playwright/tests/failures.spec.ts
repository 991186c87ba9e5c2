import { expect, test } from './shop.ts';

test('shows a toast while the API is down, and recovers', async ({ mock, page }) => {
  mock.fail('listPets', { sequence: '503,ok' });
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('The shop has a problem right now.');
  await expect(page.getByText('Our animals are hiding.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('listitem')).toHaveCount(28);
  await expect(page.getByRole('alert')).toBeEmpty();
});

test('shows a toast when the connection breaks', async ({ mock, page }) => {
  mock.fail('listInventory', 'reset');
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('The shop cannot be reached.');
});

test('shows a toast when the answer is cut off', async ({ mock, page }) => {
  mock.fail('listPets', { effect: 'malformed' });
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('The answer of the shop was cut off.');
});

test('shows placeholders while the list drips in', async ({ mock, page }) => {
  mock.fail('listPets', { effect: 'drip', bytesPerSecond: 700 });
  await page.goto('/', { waitUntil: 'commit' });
  const list = page.getByRole('list', { name: 'Animals' });
  await expect(list).toHaveAttribute('aria-busy', 'true');
  await expect(list.locator('.skeleton')).toHaveCount(8);
  await expect(page.getByRole('listitem')).toHaveCount(28);
  await expect(list.locator('.skeleton')).toHaveCount(0);
});

test('says that an animal is gone, and does not offer to try again', async ({ page }) => {
  await page.goto('/pets/4711');
  await expect(page.getByRole('alert')).toContainText('This animal is no longer with us.');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});
