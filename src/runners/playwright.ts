import { writeFile } from 'node:fs/promises';
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test';
import type { MockOptions } from '../index.ts';
import { describeFindings } from './describe-findings.ts';
import { attachContext, type PageSession, type RouteOptions, toPageSession } from './page-session.ts';
import { createTestServer, type TestServer, type TestSession, toSessionName } from './test-session.ts';

export { expect } from '@playwright/test';
export type { PageSession, RouteOptions, TestServer, TestSession };

/** The fixtures of each test. */
export interface MockFixtures {
  /** A session of the test's own. It begins with the fixtures, and ends with the test. */
  mock: PageSession;
}

/** The fixtures that the tests of a worker share. */
export interface MockWorkerFixtures {
  /** The options of the mock: `use: { mockOptions: {...} }` in the config, or `test.use` at the top of a file. */
  mockOptions: MockOptions;
  /** The mock of the worker. */
  mockServer: TestServer;
}

/** The `test` of Playwright with a mock. The worker creates it for its first test. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MockWorkerFixtures
> = base.extend<MockFixtures, MockWorkerFixtures>({
  mockOptions: [{}, { option: true, scope: 'worker' }],
  mockServer: [
    async ({ mockOptions }, use) => {
      const server = await createTestServer(mockOptions);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  mock: async ({ mockServer }, use, testInfo) => {
    const { title, testId, retry } = testInfo;
    const session = toPageSession(mockServer.begin(toSessionName(title, `${testId}-${retry}`)));
    await use(session);
    if (testInfo.status !== testInfo.expectedStatus) await attachJournal(session, testInfo);
    session.end();
  },
  // A project without an app is one of API tests, so that `request` is for the mock.
  baseURL: async ({ baseURL, mockServer }, use) => {
    await use(baseURL ?? mockServer.url);
  },
  // In the base URL, a session would be lost: `/pets` replaces the whole path. With an app, every host
  // would get the header, and browsers ask for it in a preflight that other hosts refuse.
  extraHTTPHeaders: async ({ baseURL, extraHTTPHeaders, mock, mockServer }, use) => {
    const own = baseURL === mockServer.url ? { 'X-Mock-Session': mock.name } : {};
    await use({ ...extraHTTPHeaders, ...own });
  },
  context: async ({ context, mock }, use) => {
    attachContext(mock, context);
    await use(context);
  },
});

async function attachJournal(session: TestSession, testInfo: TestInfo): Promise<void> {
  if (session.journal.length === 0) return;
  // A file of its own is among the artifacts of a pipeline, whatever the reporter.
  const path = testInfo.outputPath('petstore-mock.har');
  await writeFile(path, JSON.stringify(session.har()));
  // Not by `attach`, which would copy the file beside it.
  testInfo.attachments.push({ name: 'petstore-mock.har', path, contentType: 'application/har+json' });
  const findings = describeFindings(session.journal);
  // Reporters print an attachment that is text.
  if (findings !== undefined) {
    await testInfo.attach('petstore-mock', { body: findings, contentType: 'text/plain' });
  }
}
