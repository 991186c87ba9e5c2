import { expect, test } from 'petstore-mock/playwright';

test('buys a pet', async ({ request, mock }) => {
  const ordered = await request.post('/store/orders', { data: { petId: 1, quantity: 1 } });
  expect(ordered.status()).toBe(201);
  mock.verify({ operation: 'placeOrder', body: { petId: 1 } });
});

test('begins with the same pets in every test', async ({ request }) => {
  expect(await (await request.get('/pets/1')).json()).toMatchObject({ status: 'available' });
});
