import { describe } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';

/** Asks a mock: a path, and what `fetch` takes. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** A way to reach a mock. */
export interface Adapter {
  readonly name: string;
  /** A fresh mock; it is closed when the test that asked for it ends. */
  open(options?: MockOptions): Promise<{ readonly ask: Ask; readonly mock: Mock }>;
}

const inProcess: Adapter = {
  name: 'in process',
  async open(options) {
    const mock = await createMock(options);
    return { mock, ask: (path, init) => mock.fetch(path, init) };
  },
};

const adapters: readonly Adapter[] = [
  inProcess,
  {
    name: 'over a socket',
    async open(options) {
      const mock = await createMock(options);
      const { url } = await mock.listen({ port: 0 });
      closing.push(() => mock.close());
      return { mock, ask: (path, init) => fetch(url + path, init) };
    },
  },
];

const closing: (() => Promise<void>)[] = [];

/** Runs a suite once for each adapter. */
export function describeAdapters(title: string, suite: (adapter: Adapter) => void): void {
  describe.each(adapters)(`${title}, $name`, (adapter) => {
    suite(adapter);
  });
}

/** Runs a suite in process only: for what is decided before an answer is sent, which a socket would only show again. */
export function describeInProcess(title: string, suite: (adapter: Adapter) => void): void {
  describe(title, () => suite(inProcess));
}

/** Closes every server that the tests opened; for `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}

/** A request with a JSON body. */
export function json(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } };
}
