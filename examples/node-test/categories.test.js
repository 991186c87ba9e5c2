import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createMock } from 'petstore-mock';

let mock;
let session;

before(async () => {
  mock = await createMock();
});
beforeEach((context) => {
  session = mock.session(context.name.replace(/\W+/g, '-'));
});
afterEach(() => session.end());
after(() => mock.close());

test('removes a category without pets', async () => {
  await session.seed({ categories: [{ id: 9, name: 'Dragons' }], pets: [] });
  const removed = await session.fetch('/categories/9', { method: 'DELETE' });
  assert.equal(removed.status, 204);
});

test('begins with the fixtures', async () => {
  const { categories } = await session.state();
  assert.ok(categories.length > 1);
  session.verify({ operation: 'deleteCategory', times: 0 });
});
