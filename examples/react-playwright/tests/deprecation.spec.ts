import { expect, test } from './shop.ts';

test('tells developers about a deprecated operation', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Biscuit' }).click();
  const notice = page.getByRole('complementary', { name: 'Deprecated operations' });
  await expect(notice).toContainText('/pets/1 is deprecated since 1 June 2026 and ends on 30 June 2027');
  await expect(notice).toContainText('Use /pets/1/profile.');
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toHaveCount(0);
});

test('stays open after the sunset, by the successor', async ({ mock, page }) => {
  mock.clock.freeze('2027-07-01');
  mock.sunset('gone');
  await page.clock.setFixedTime('2027-07-01');
  await page.goto('/pets/1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Biscuit');
  await expect(page.getByRole('complementary')).toContainText('ended on 30 June 2027');
  mock.verify({ operation: 'getPetProfile', path: { petId: 1 }, times: 1 });
});
