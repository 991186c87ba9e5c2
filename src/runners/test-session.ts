import { createMock, type Mock, type MockOptions, type MockSession } from '../index.ts';

/** The session of one test: everything that a session of the library has, and its address. */
export interface TestSession extends MockSession {
  /** The base URL of the session over HTTP, without a slash at its end. */
  readonly url: string;
}

/** A mock that serves the tests of one worker. */
export interface TestServer {
  /** The mock itself, whose default session no test uses. */
  readonly mock: Mock;
  /** The address of the default session. */
  readonly url: string;
  /** Begins the session of a test. */
  begin(name: string): TestSession;
  close(): Promise<void>;
}

/** Creates a mock that listens on a free port of this machine. */
export async function createTestServer(options: MockOptions = {}): Promise<TestServer> {
  const mock = await createMock(options);
  const { url } = await mock.listen();
  const sessions = `${url}${options.controlPath ?? '/__mock'}/sessions`;
  return {
    mock,
    url,
    // A copy would read the journal once, and a session reads it at each access.
    begin: (name) => Object.assign(mock.session(name), { url: `${sessions}/${name}` }),
    close: () => mock.close(),
  };
}

const MOST_TITLE = 60;
const MOST_ID = 60;

/** Makes the name of a session from the title of a test, for people, and from its id, which no other test has. */
export function toSessionName(title: string, id: string): string {
  const words = title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${words.slice(0, MOST_TITLE)}~${id.replace(/[^\w.-]+/g, '-').slice(-MOST_ID)}`;
}
