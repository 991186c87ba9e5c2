import { expect, test } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('listitem')).toHaveText(['Ball']);
});

const add = async (page, name) => {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button').click();
};

test('adds a toy', async ({ page }) => {
  await add(page, 'Kite');
  await expect(page.getByRole('status')).toHaveText('Added Kite.');
  await expect(page.getByRole('listitem')).toHaveText(['Ball', 'Kite']);
  expect(await page.evaluate(() => window.mock.journal.length)).toBe(3);
});

test('shows what the contract refuses', async ({ page }) => {
  await add(page, 'X');
  await expect(page.getByRole('status')).toContainText('must NOT have fewer than 3 characters');
});

test('shows that the connection was lost', async ({ page }) => {
  await page.evaluate(() => window.mock.fail('addToy', 'reset'));
  await add(page, 'Kite');
  await expect(page.getByRole('status')).toHaveText('The connection was lost.');
});

test('gets the 404 of the mock for a path that the document does not have', async ({ page }) => {
  const message = await page.evaluate(async () => {
    const response = await fetch('https://api.example.com/v1/toy');
    return [response.status, (await response.json()).message].join(' ');
  });
  expect(message).toContain('404 The document has no path /toy. Did you mean /toys?');
});

test('sees bytes, headers and the ETag of an answer', async ({ page }) => {
  const statuses = await page.evaluate(async () => {
    const first = await fetch('https://api.example.com/v1/toys');
    const headers = { 'If-None-Match': first.headers.get('ETag') };
    const second = await fetch('https://api.example.com/v1/toys', { headers });
    const head = await fetch('https://api.example.com/v1/toys', { method: 'HEAD' });
    return [first.status, second.status, head.status];
  });
  expect(statuses).toEqual([200, 304, 200]);
});

test('reaches the session that a cookie of the page names', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    await window.cookieStore.set('mock_session', 'one');
    await fetch('https://api.example.com/v1/toys', { credentials: 'include' });
    return window.mock.session('one').journal.length;
  });
  expect(seen).toBe(1);
});
