import { setupWorker } from 'msw/browser';
import { createMock } from 'petstore-mock/browser';
import { handlers } from 'petstore-mock/msw';
import spec from './api.json';

/** Answers the requests of the page below an address by a mock that runs in the page. */
export async function startMock(baseUrl) {
  const mock = await createMock({ spec, fixtures: { toys: [{ id: 1, name: 'Ball' }] } });
  await setupWorker(...handlers(mock, { baseUrl })).start({ onUnhandledRequest: 'bypass', quiet: true });
  // For tests and for the console of the browser.
  window.mock = mock;
}
