import type { BrowserContext, Page, Route } from '@playwright/test';
import type { TestSession } from './test-session.ts';

export interface RouteOptions {
  /** The page or context whose requests are meant; those of the test unless given. */
  readonly on?: Page | BrowserContext;
  /** The start of the paths that the document does not have, such as `/api/v1`. */
  readonly prefix?: string;
}

/** The session of a test with pages. */
export interface PageSession extends TestSession {
  /** Answers the requests of pages that match a glob such as `https://api.example.com/**`, whatever their host. */
  route(url: string | RegExp, options?: RouteOptions): Promise<void>;
}

/** The contexts of tests that have one, by their sessions. */
const contexts = new WeakMap<TestSession, BrowserContext>();

/** Makes a context the one whose requests `route` is about. */
export function attachContext(session: PageSession, context: BrowserContext): void {
  contexts.set(session, context);
}

/** Adds to a session what pages need. */
export function toPageSession(session: TestSession): PageSession {
  return Object.assign(session, {
    async route(url: string | RegExp, { on = contexts.get(session), prefix = '' }: RouteOptions = {}) {
      if (!on) throw new Error('mock.route() needs a page: ask for the fixture `page`, or pass one as `on`.');
      await on.route(url, (route) => answer(route, session, prefix));
    },
  });
}

async function answer(route: Route, session: TestSession, prefix: string): Promise<void> {
  const settle = await ask(route, session, prefix).then(
    (answered) => () => route.fulfill(answered),
    // A fault that resets the connection.
    () => () => route.abort('connectionreset'),
  );
  await settle().catch((error: unknown) => {
    // The test may end before its pages have all their answers.
    if (!/has been closed|test ended/i.test(String(error))) throw error;
  });
}

async function ask(route: Route, session: TestSession, prefix: string) {
  const request = route.request();
  const url = new URL(request.url());
  const isBelow = prefix !== '' && url.pathname.startsWith(`${prefix}/`);
  if (isBelow) url.pathname = url.pathname.slice(prefix.length);
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'));
  const response = await session.fetch(url, {
    method: request.method(),
    headers: isBelow ? [...headers, ['X-Forwarded-Prefix', prefix]] : headers,
    body: request.postDataBuffer(),
  });
  const { origin } = request.headers();
  const cookies = response.headers.getSetCookie().join('\n');
  return {
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      // The test has named the host, so a page may use it as its own, also with cookies.
      ...(origin && {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      }),
      ...(cookies !== '' && { 'set-cookie': cookies }),
    },
    body: Buffer.from(await response.arrayBuffer()),
  };
}
