const { useMock } = require('petstore-mock/jest');
const { countAvailable } = require('./stock.js');

const mock = useMock({ seed: 7 });

test('counts the pets that can be bought', async () => {
  const before = await countAvailable(mock.url);
  await mock.fetch('/pets/1', { method: 'DELETE' });
  expect(await countAvailable(mock.url)).toBe(before - 1);
});

test('begins with the same pets in every test', async () => {
  expect((await mock.fetch('/pets/1')).status).toBe(200);
});

test('does not hide that the store is down', async () => {
  mock.fail('listPets', 503);
  await expect(countAvailable(mock.url)).rejects.toThrow('503');
});
