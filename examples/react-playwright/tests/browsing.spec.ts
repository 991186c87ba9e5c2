import type { Page } from '@playwright/test';
import { expect, test } from './shop.ts';

test('shows all animals, with their categories and stock', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('listitem')).toHaveCount(28);
  const budgerigar = page.getByRole('listitem').filter({ hasText: 'Budgerigar' });
  await expect(budgerigar).toContainText('Birds');
  await expect(budgerigar).toContainText('6 available');
});

test('filters by status and category, and a link shows the same', async ({ mock, page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: 'Available' }).check();
  await page.getByRole('radio', { name: 'Fish' }).check();
  await expect(page.getByRole('listitem')).toHaveText([/Neon tetra/, /Goldfish/]);
  mock.verify({ operation: 'listPets', query: { status: 'available', categoryId: '5' } });

  await page.reload();
  await expect(page.getByRole('radio', { name: 'Fish' })).toBeChecked();
  await expect(page.getByRole('listitem')).toHaveCount(2);
});

test('says so where nobody fits', async ({ mock, page }) => {
  await mock.seed({ pets: [] });
  await page.goto('/?status=sold');
  await expect(page.getByText('Nobody here who fits.')).toBeVisible();
});

test('opens an animal, and goes back to the list', async ({ page }) => {
  await page.goto('/?categoryId=4');
  await page.getByRole('link', { name: 'Budgerigar' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Budgerigar');
  await expect(page).toHaveTitle('Budgerigar · Whisker & Fin');
  await expect(page.getByText('Songbirds and parrots')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'Birds' })).toBeChecked();
});

test('offers no order for an animal that is reserved', async ({ mock, page }) => {
  await mock.seed({ pets: [{ id: 8, name: 'Nori', categoryId: 2, status: 'pending' }] });
  await page.goto('/pets/8');
  await expect(page.getByText('Nori cannot be ordered right now.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Order/ })).toHaveCount(0);
});

for (const width of [360, 1200]) {
  test(`keeps its layout with the longest texts, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.setExtraHTTPHeaders({ Prefer: 'variant=long' });
    await page.goto('/');
    const card = page.getByRole('listitem').first();
    await expect(card.getByRole('heading')).toHaveText(/.{300}/s);
    // The filters stay small, so that the first animal is in sight without scrolling.
    await expect(card).toBeInViewport({ ratio: 1 });
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);

    await page.goto('/pets/1');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/.{300}/s);
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  });
}

/** By how many pixels the page is wider than the window. */
function findOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
