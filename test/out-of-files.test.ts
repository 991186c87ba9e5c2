import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { onceLoaded } from '../src/base/once.ts';
import { startServer } from './support/command.ts';

/** Few enough for the connections of a test to take all of them, and enough for a start. */
const FILES = 64;

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Asks over one connection, which was there before the others took what was left. */
function askOver(agent: Agent, url: string): (path: string, body?: string, type?: string) => Promise<Answer> {
  return async (path, body, type = 'application/json') => {
    const headers = body === undefined ? {} : { 'Content-Type': type };
    const asked = request(url + path, { agent, method: body === undefined ? 'GET' : 'POST', headers });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    const text = String(Buffer.concat(await answer.toArray()));
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], text };
  };
}

/** What needs a part of the mock that is loaded late: a validator, made-up entities, the control API, a document in YAML, a sample. */
const LATE: readonly (readonly [path: string, body?: string, status?: number])[] = [
  ['/authors'],
  ['/books', '{"title":"Emma","authorId":1}', 201],
  ['/__mock/journal'],
  ['/openapi.yaml'],
];

describe('A mock without a file descriptor for what it loads late', () => {
  test('answers 503 for now, and as usual once there are some', async () => {
    const server = await startServer(
      `sh -c 'ulimit -n ${FILES}; exec node bin/petstore-mock.js --port 0 --no-auth --spec examples/bookshop.yaml'`,
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const others: Socket[] = [];
    try {
      const ask = askOver(agent, server.url);
      expect((await ask('/__mock/health')).status).toBe(200);
      for (let count = 0; count < FILES; count++) {
        others.push(connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}));
      }
      await wait(500);
      for (const round of [1, 2])
        for (const [path, body] of LATE) {
          const { status, retryAfter, text } = await ask(path, body);
          expect([round, path, status, retryAfter]).toEqual([round, path, 503, '1']);
          expect(text).toContain('too_many_open_files');
        }
      expect((await ask('/__mock/health')).status).toBe(200);
      for (const other of others) other.destroy();
      await wait(500);
      for (const [path, body, expected = 200] of LATE) {
        const { status, text } = await ask(path, body);
        expect([path, status, text]).toEqual([path, expected, expect.any(String)]);
      }
      expect(server.output()).toContain(
        'raise "ulimit -n". Then send the request again. [too_many_open_files]',
      );
    } finally {
      for (const other of others) other.destroy();
      agent.destroy();
      await server.stop();
    }
  });
});

describe('What is loaded once', () => {
  test('is kept, and loaded again only after a failure', async () => {
    let calls = 0;
    const load = onceLoaded(async () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return calls;
    });
    await expect(Promise.all([load(), load()])).rejects.toThrow('not yet');
    expect(await Promise.all([load(), load(), load()])).toEqual([2, 2, 2]);
  });
});
