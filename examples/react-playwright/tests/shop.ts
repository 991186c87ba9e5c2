import { test as base, expect } from 'petstore-mock/playwright';

export { expect };

/** The shop, whose API is the mock in the session of the test. A test seeds and breaks it before it opens a page. */
export const test = base.extend({
  page: async ({ mock, page }, use) => {
    await page.addInitScript((url) => {
      window.SHOP_API = url;
    }, mock.url);
    await use(page);
  },
});
