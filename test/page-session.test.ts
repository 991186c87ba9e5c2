import type { BrowserContext, Page, Route } from '@playwright/test';
import { afterEach, expect, test } from 'vitest';
import type { MockOptions } from '../src/index.ts';
import {
  attachContext,
  type PageSession,
  type RouteOptions,
  toPageSession,
} from '../src/runners/page-session.ts';
import { createTestServer } from '../src/runners/test-session.ts';

// The real browser is in examples/playwright. Here a page is what Playwright hands to a route.

interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Fulfilled {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function open(options?: MockOptions): Promise<PageSession> {
  const server = await createTestServer(options);
  closing.push(server.close);
  return toPageSession(server.begin('page'));
}

type Handler = (route: Route) => Promise<void>;

/** A page, and the function by which it asks. */
function createPage(fulfill = async (_: Fulfilled): Promise<void> => {}) {
  let handler: Handler | undefined;
  const page: Pick<Page, 'route'> = {
    async route(_, given) {
      handler = given as Handler;
      return { dispose: async () => {}, [Symbol.asyncDispose]: async () => {} };
    },
  };
  const ask = async ({ url, method = 'GET', headers = {}, body }: Asked) => {
    const answers: (Fulfilled | string)[] = [];
    const request = {
      url: () => url,
      method: () => method,
      headers: () => headers,
      allHeaders: async () => ({ ':authority': 'x', ...headers }),
      postDataBuffer: () => (body === undefined ? null : Buffer.from(body)),
    };
    const route = {
      request: () => request,
      async fulfill(answer: Fulfilled) {
        answers.push(answer);
        await fulfill(answer);
      },
      async abort(reason: string) {
        answers.push(reason);
      },
    };
    await handler?.(route as unknown as Route);
    expect(answers).toHaveLength(1);
    return answers[0];
  };
  return { page: page as Page, ask };
}

async function askIn(session: PageSession, asked: Asked, options?: RouteOptions) {
  const { page, ask } = createPage();
  await session.route('**', { on: page, ...options });
  return ask(asked);
}

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

const cases: [what: string, asked: Asked, options: RouteOptions | undefined, answer: object][] = [
  ['a path', { url: 'https://api.example/pets/1' }, undefined, { status: 200 }],
  ['a query', { url: 'https://api.example/pets?limit=x' }, undefined, { status: 400 }],
  ['a body', { url: 'https://api.example/pets', ...POST, body: '{}' }, undefined, { status: 422 }],
  ['a path below the prefix', { url: 'https://api.example/v1/pets/1' }, { prefix: '/v1' }, { status: 200 }],
  ['a path beside the prefix', { url: 'https://api.example/v10/pets/1' }, { prefix: '/v1' }, { status: 404 }],
  [
    'a link below the prefix',
    {
      url: 'https://api.example/v1/pets',
      ...POST,
      body: '{"name":"Nori","categoryId":1}',
    },
    { prefix: '/v1' },
    { status: 201, headers: { location: '/v1/pets/29' } },
  ],
  [
    'a page of another origin, which may send cookies',
    { url: 'https://api.example/pets/1', headers: { origin: 'https://app.example' } },
    undefined,
    {
      status: 200,
      headers: {
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-credentials': 'true',
      },
    },
  ],
];

test.each(cases)('A page is answered in the session of the test: %s', async (_, asked, options, answer) => {
  const session = await open();
  expect(await askIn(session, asked, options)).toMatchObject(answer);
  expect(session.journal).toHaveLength(1);
});

test('A page sees that its connection was reset', async () => {
  const session = await open({ faults: ['getPet=reset'] });
  expect(await askIn(session, { url: 'https://api.example/pets/1' })).toBe('connectionreset');
});

test('A page that is closed before it is answered fails no test', async () => {
  const session = await open();
  const closed = createPage(() =>
    Promise.reject(new Error('Target page, context or browser has been closed')),
  );
  await session.route('**', { on: closed.page });
  expect(await closed.ask({ url: 'https://api.example/pets/1' })).toMatchObject({ status: 200 });
  const broken = createPage(() => Promise.reject(new Error('Invalid header')));
  await session.route('**', { on: broken.page });
  await expect(broken.ask({ url: 'https://api.example/pets/1' })).rejects.toThrow('Invalid header');
});

test('The pages of a test are those of its context', async () => {
  const session = await open();
  await expect(session.route('**')).rejects.toThrow('needs a page');
  const { page, ask } = createPage();
  attachContext(session, page as unknown as BrowserContext);
  await session.route('**');
  expect(await ask({ url: 'https://api.example/pets/1' })).toMatchObject({ status: 200 });
});

test('A mock for tests leaves nothing behind', async () => {
  const server = await createTestServer();
  const session = server.begin('one');
  expect((await fetch(`${session.url}/pets/1`)).status).toBe(200);
  await server.close();
  await expect(fetch(session.url)).rejects.toThrow();
});
