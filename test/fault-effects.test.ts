import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock, type FaultEffect } from '../src/index.ts';
import { closeAll, describeAdapters, json } from './support/adapters.ts';

afterAll(closeAll);

const by = (effect: FaultEffect, more: object = {}) => ({
  headers: { 'X-Mock-Fault': JSON.stringify({ effect, ...more }) },
});

/** The usual answer to `/pets/1`. */
const BODY = '{"id":1,"name":"Biscuit","categoryId":1,"status":"available"}';

describeAdapters('The effect', ({ open }) => {
  test('reset breaks the connection, and nothing is carried out', async () => {
    const { ask, mock } = await open();
    const created = ask('/pets', { ...json('POST', { name: 'Rex', categoryId: 1 }, by('reset').headers) });
    await expect(created).rejects.toThrow(TypeError);
    await expect(ask('/pets/1', by('reset'))).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect((await ask('/pets/29')).status).toBe(404);
    expect(mock.journal[0]).toMatchObject({ status: 0, source: 'fault', fault: { effect: 'reset' } });
  });

  test('timeout never answers', async () => {
    const { ask, mock } = await open();
    const asked = ask('/pets/1', { ...by('timeout'), signal: AbortSignal.timeout(80) });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(mock.journal[0]).toMatchObject({ status: 0, source: 'fault', fault: { effect: 'timeout' } });
    expect((await ask('/pets/1')).status).toBe(200);
  });

  test('empty leaves the body out, though the request was carried out', async () => {
    const { ask } = await open();
    const response = await ask('/pets', json('POST', { name: 'Rex', categoryId: 1 }, by('empty').headers));
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      201,
      '0',
      '',
    ]);
    expect(await (await ask('/pets/29')).json()).toMatchObject({ name: 'Rex' });
  });

  test.each([
    [{}, 30],
    [{ bytes: 5 }, 5],
    [{ bytes: 0 }, 0],
  ])('truncate ends the body early: %j', async (more, length) => {
    const { ask } = await open();
    const response = await ask('/pets/1', by('truncate', more));
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(BODY.length)]);
    let text = '';
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const piece of response.body ?? []) text += decoder.decode(piece as Uint8Array);
    })();
    await expect(reading).rejects.toThrow(TypeError);
    expect(text).toBe(BODY.slice(0, length));
  });

  test.each(['/pets/1', '/pets', '/pets/999', '/store/inventory'])(
    'malformed spoils the JSON of %s',
    async (path) => {
      const { ask } = await open();
      const [usual, response] = [await ask(path), await ask(path, by('malformed'))];
      expect(response.status).toBe(usual.status);
      const text = await response.text();
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    },
  );

  test('drip sends so many bytes a second', async () => {
    const { ask } = await open();
    const started = performance.now();
    const response = await ask('/pets/1', by('drip', { bytesPerSecond: 200 }));
    expect(performance.now() - started).toBeLessThan(250);
    expect(await response.text()).toBe(BODY);
    // 61 bytes in pieces of 20, the first one at once.
    expect(performance.now() - started).toBeGreaterThan(280);
  });

  test('of a dripping answer ends when the client leaves', async () => {
    const { ask } = await open();
    const response = await ask('/pets', by('drip', { bytesPerSecond: 10 }));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await ask('/pets/1')).status).toBe(200);
  });

  test('joins a status and a delay', async () => {
    const { ask } = await open({
      faults: [{ operation: 'getPet', status: 503, effect: 'malformed', delay: [20, 30] }],
    });
    const started = performance.now();
    const response = await ask('/pets/1');
    expect(performance.now() - started).toBeGreaterThan(18);
    expect(response.status).toBe(503);
    expect(await response.text()).toMatch(/^\{"code":"service_unavailable".*,$/);
  });

  test.each<FaultEffect>(['empty', 'truncate', 'malformed', 'drip'])(
    '%s leaves the 410 whole that a request gets whose session ended meanwhile',
    async (effect) => {
      const { ask } = await open();
      const fault = JSON.stringify({
        effect,
        delay: 60_000,
        ...(effect === 'drip' && { bytesPerSecond: 1 }),
      });
      const asked = ask('/pets/1', { headers: { 'X-Mock-Session': 'one', 'X-Mock-Fault': fault } });
      await expect.poll(async () => (await ask('/__mock/sessions/one')).status).toBe(200);
      await ask('/__mock/sessions/one', { method: 'DELETE' });
      const response = await asked;
      expect([response.status, await response.json()]).toMatchObject([410, { code: 'session_ended' }]);
    },
  );

  test.each<FaultEffect>(['empty', 'truncate', 'malformed', 'drip'])(
    '%s leaves an answer without body as it is',
    async (effect) => {
      const { ask } = await open();
      const deleted = await ask('/categories/8', { method: 'DELETE', ...by(effect) }).catch(() => undefined);
      if (deleted) expect([deleted.status, await deleted.text().catch(() => '')]).toEqual([204, '']);
      expect((await ask('/categories/8')).status).toBe(404);
      const head = await ask('/pets/1', { method: 'HEAD', ...by(effect) }).catch(() => undefined);
      if (head) expect(head.status).toBe(200);
    },
  );
});

/** Sends bytes and resolves to all that comes back, until the connection ends. */
function exchange(port: number, sent: string): Promise<{ received: string; error: string | undefined }> {
  return new Promise((resolve) => {
    let received = '';
    let error: string | undefined;
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    socket.setTimeout(3000, () => socket.destroy());
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    socket.on('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code;
    });
    socket.on('close', () => resolve({ received, error }));
  });
}

const request = (path: string, fault = '', more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fault === '' ? '' : `X-Mock-Fault: ${fault}\r\n`}${more}\r\n`;

describe('On a connection', () => {
  test('a reset is one of TCP, after the answers to earlier requests', async () => {
    await using mock = await createMock();
    const { port } = await mock.listen();
    expect(await exchange(port, request('/pets/1', 'reset'))).toEqual({ received: '', error: 'ECONNRESET' });
    const slow = request('/pets/1', '{"delay":50}');
    const { received } = await exchange(port, slow + request('/pets/2', 'reset'));
    expect(received).toMatch(/"Biscuit"/);
    expect(received).not.toMatch(/"Luna"/);
  });

  test('a truncated answer ends it, and a later request is not answered', async () => {
    await using mock = await createMock();
    const { port } = await mock.listen();
    const { received } = await exchange(port, request('/pets/1', 'truncate') + request('/pets/2'));
    expect(received.split('\r\n\r\n')[1]).toBe(BODY.slice(0, 30));
  });

  test('a time-out holds neither the server nor other clients', async () => {
    const mock = await createMock();
    const { port, url } = await mock.listen();
    const hanging = Array.from({ length: 20 }, () => exchange(port, request('/pets/1', 'timeout')));
    const dripping = exchange(port, request('/pets', '{"effect":"drip","bytesPerSecond":1}'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
    const started = performance.now();
    await mock.close();
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await Promise.all(hanging)).map(({ received }) => received)).toEqual(Array(20).fill(''));
    expect((await dripping).received).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
