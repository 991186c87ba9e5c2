import { test as base, type TestAPI } from 'vitest';
import type { MockOptions } from '../index.ts';
import { describeFindings } from './describe-findings.ts';
import { createTestServer, type TestServer, type TestSession, toSessionName } from './test-session.ts';

export type { TestServer, TestSession };

declare module 'vitest' {
  /** The keys that a config may `provide`. */
  interface ProvidedContext {
    mockOptions: MockOptions;
  }
}

/** The additions to the context of a test. */
export interface MockFixtures {
  /**
   * The options of the mock. Give them with `test.extend({ mockOptions: {...} })`, or for a project with `provide: { mockOptions: {...} }`
   * in its config.
   */
  mockOptions: MockOptions;
  /** The mock of the worker. */
  mockServer: TestServer;
  /** A session of the test's own. It begins with the fixtures, and ends with the test. */
  mock: TestSession;
}

/** The `test` of Vitest with a mock. The worker creates it for the first test that asks for `mock`. */
export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockOptions: [{}, { injected: true, scope: 'worker' }],
  mockServer: [
    async ({ mockOptions }, use) => {
      const server = await createTestServer(mockOptions);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  mock: async ({ mockServer, task, onTestFailed }, use) => {
    const session = mockServer.begin(toSessionName(task.name, task.id));
    let findings: string | undefined;
    onTestFailed(() => {
      const error = task.result?.errors?.at(-1);
      if (error && findings !== undefined) error.message += `\n\n${findings}`;
    });
    await use(session);
    // The hook above runs when the session is over.
    if (task.result?.state === 'fail') findings = describeFindings(session.journal);
    session.end();
  },
});

/** The same, for those who prefer this name. */
export const it: TestAPI<MockFixtures> = test;
