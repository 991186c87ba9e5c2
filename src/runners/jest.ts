import type { MockOptions } from '../index.ts';
import { describeFindings } from './describe-findings.ts';
import { createTestServer, type TestServer, type TestSession, toSessionName } from './test-session.ts';

export type { TestSession };

/**
 * Creates a mock for the tests of this file, or of the `describe` that calls it. Each test has a session of its own, which begins with the
 * fixtures and ends with the test. Returns the session of the test that runs.
 */
export function useMock(options: MockOptions = {}): TestSession {
  const { beforeAll, beforeEach, afterEach, afterAll, expect } = findGlobals();
  let server: TestServer | undefined;
  let session: TestSession | undefined;
  let tests = 0;
  beforeAll(async () => {
    server = await createTestServer(options);
  });
  beforeEach(() => {
    tests += 1;
    session = server?.begin(toSessionName(expect.getState().currentTestName ?? 'test', String(tests)));
  });
  afterEach(() => {
    const findings = session && hasFailed() ? describeFindings(session.journal) : undefined;
    session?.end();
    session = undefined;
    if (findings !== undefined) throw new Findings(findings);
  });
  afterAll(() => server?.close());
  return delegate(() => (isConcurrent(expect) ? 'concurrent' : session));
}

/** Jest shows it below the failure of the test. */
class Findings extends Error {
  override readonly name = 'Findings';

  constructor(text: string) {
    super(text);
    // Its place in this file would help nobody.
    this.stack = text;
  }
}

const NO_HOOKS =
  'Jest runs no hooks for such a test, so it has no session. Use test, or give it a mock of its own: const mock = await createMock();';

/** The globals of Jest. Their own types would be a package that not every user has. */
interface JestGlobals {
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
  readonly expect: Expect;
}

interface Expect {
  getState(): {
    readonly currentTestName?: string;
    readonly currentConcurrentTestName?: () => string | undefined;
    readonly currentTestIdentity?: () => { readonly concurrent?: boolean } | undefined;
  };
}

type Hook = (run: () => void | Promise<void>) => void;

function findGlobals(): JestGlobals {
  const globals = globalThis as Partial<JestGlobals>;
  if (globals.beforeAll && globals.expect) return globals as JestGlobals;
  throw new Error(
    'useMock() needs the globals of Jest: call it in a test file, with the setting injectGlobals on.',
  );
}

/** The state of jest-circus. Its symbol is not registered, so it can only be found by its name. */
interface CircusState {
  readonly currentlyRunningTest?: { readonly errors: readonly unknown[] };
}

/** Whether the test that runs has failed. Jest says so to test environments only, and projects have one of their own. */
function hasFailed(): boolean {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const state: CircusState | undefined = symbol && Reflect.get(globalThis, symbol);
  return (state?.currentlyRunningTest?.errors.length ?? 0) > 0;
}

/** Whether the code that runs belongs to `test.concurrent`, for which Jest runs no `beforeEach` and no `afterEach`. */
function isConcurrent(expect: Expect): boolean {
  const { currentTestIdentity, currentConcurrentTestName } = expect.getState();
  // Versions of Jest that do not expose the test have names for concurrent ones only.
  return currentTestIdentity
    ? currentTestIdentity()?.concurrent === true
    : currentConcurrentTestName?.() !== undefined;
}

/** An object with the members of the session that is current whenever one of them is used. */
function delegate(find: () => TestSession | 'concurrent' | undefined): TestSession {
  return new Proxy({} as TestSession, {
    get(_, name) {
      const session = find();
      if (typeof session === 'object') return Reflect.get(session, name);
      // Jest itself looks at symbols and at `toJSON` when it prints a value.
      if (typeof name === 'symbol' || name === 'toJSON') return undefined;
      if (session === 'concurrent') throw new Error(`mock.${name} is used in test.concurrent. ${NO_HOOKS}`);
      throw new Error(`mock.${name} is used outside of a test, where the mock has no session.`);
    },
  });
}
