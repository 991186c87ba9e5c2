import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createMock } from 'petstore-mock';
import { handlers } from 'petstore-mock/msw';
import { buy, toEuros } from './shop.js';

const server = setupServer(http.get('https://rates.example.com/usd-eur', () => HttpResponse.json(0.5)));
let mock;
let session;

before(async () => {
  mock = await createMock();
  server.listen({ onUnhandledRequest: 'error' });
});
beforeEach((context) => {
  session = mock.session(context.name.replace(/\W+/g, '-'));
  server.use(...handlers(session, { baseUrl: 'https://api.example.com/v1' }));
});
afterEach(() => {
  server.resetHandlers();
  session.end();
});
after(() => server.close());

test('buys a pet', async () => {
  const { petId, quantity } = await buy(1);
  assert.deepEqual({ petId, quantity }, { petId: 1, quantity: 1 });
  session.verify({ operation: 'placeOrder', times: 1 });
});

test('says why a pet cannot be bought', async () => {
  await assert.rejects(buy(404), /404/);
});

test('loses the connection', async () => {
  session.fail('placeOrder', 'reset');
  await assert.rejects(buy(1), TypeError);
});

test('leaves other services to other handlers', async () => {
  assert.equal(await toEuros(10), 5);
});
