import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions, SetupError } from '../src/index.ts';
import { parseError, readError } from './support/errors.ts';
import { type Answer, dial as dialPort, get, type Line, post } from './support/line.ts';

const MIB = 1024 * 1024;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function open(options?: MockOptions): Promise<{ mock: Mock; url: string; port: number }> {
  const mock = await createMock(options);
  const { url, port } = await mock.listen();
  closing.push(() => mock.close());
  return { mock, url, port };
}

async function dial(port: number): Promise<Line> {
  const line = await dialPort(port);
  closing.push(() => line.socket.destroy());
  return line;
}

const PET = '{"name":"Waffles","categoryId":1}';

async function countPets(url: string): Promise<string | null> {
  return (await fetch(`${url}/pets`, { method: 'HEAD' })).headers.get('x-total-count');
}

function expectError({ status, headers, body }: Answer): string {
  expect(headers.get('content-type')).toBe('application/json');
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(body));
  expect(headers.get('access-control-allow-origin')).toBe('*');
  return parseError(body, status).code;
}

describe('what is no HTTP', () => {
  it.each([
    ['a line of text', 'Is anybody there?\r\n\r\n'],
    ['a TLS handshake', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ['a method that was never registered', 'FOO /pets HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a method in lower case', 'get /pets HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a version from the future', 'GET /pets HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['a path without a slash', 'GET pets HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a path with a blank', 'GET /pets and more HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', 'GET /pets HTTP/1.1\r\nHost: localhost\r\nNonsense\r\n\r\n'],
    ['a header with a null byte', 'GET /pets HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n'],
    ['a length that is no number', 'POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: ten\r\n\r\n'],
    ['a negative length', 'POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', get('/pets', 'Content-Length: 3', 'Content-Length: 4')],
    ['a length beside chunks', get('/pets', 'Content-Length: 3', 'Transfer-Encoding: chunked')],
    ['no Host', 'GET /pets HTTP/1.1\r\n\r\n'],
  ])('%s is answered 400, as an Error object', async (_, text) => {
    const { url, port } = await open();
    const line = await dial(port);
    line.send(text);
    const answer = await line.answer();
    expect(answer.status).toBe(400);
    expect(expectError(answer)).toBe('malformed_request');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await line.rest()).toBe('');
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });

  it('is refused in the middle of a body in chunks, and nothing is created', async () => {
    const { url, port } = await open();
    const before = await countPets(url);
    const line = await dial(port);
    line.send(
      'POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    line.send(`${PET.length.toString(16)}\r\n${PET}\r\n`, 'not-a-size\r\n');
    const answer = await line.answer();
    expect(answer.status).toBe(400);
    expect(expectError(answer)).toBe('malformed_request');
    expect(await countPets(url)).toBe(before);
  });

  it('gets no headers of CORS if they are switched off', async () => {
    const { port } = await open({ cors: false });
    const line = await dial(port);
    line.send('nonsense\r\n\r\n');
    expect([...(await line.answer()).headers.keys()].filter((name) => name.startsWith('access-'))).toEqual(
      [],
    );
  });
});

describe('requests beyond the limits', () => {
  it.each([
    ['one header of 20 KiB', get('/pets', `X-Long: ${'x'.repeat(20_000)}`)],
    [
      'a thousand headers',
      get('/pets', ...Array.from({ length: 1000 }, (_, i) => `X-Header-${i}: ${'x'.repeat(20)}`)),
    ],
    ['a URL of 20 KiB', get(`/pets?q=${'x'.repeat(20_000)}`)],
  ])('%s are answered 431, as an Error object', async (_, text) => {
    const { url, port } = await open();
    const line = await dial(port);
    line.send(text);
    const answer = await line.answer();
    expect(answer.status).toBe(431);
    expect(expectError(answer)).toBe('headers_too_large');
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });

  it('takes a URL of 8000 bytes (RFC 9110 section 4.1)', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get(`/pets/1?q=${'x'.repeat(8000)}`));
    expect((await line.answer()).status).toBe(200);
  });

  it.each([
    ['with its length', { 'Content-Length': String(2 * MIB) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('a body of 2 MiB %s is answered 413, and the client can read that', async (_, headers) => {
    const { url, port } = await open();
    const before = await countPets(url);
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/pets',
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    const piece = Buffer.alloc(64 * 1024, ' ');
    for (let sent = 0; sent < 2 * MIB; sent += piece.length) request.write(piece);
    request.end();
    const [response] = await once(request, 'response');
    const body = (await response.setEncoding('utf8').toArray()).join('');
    expect(response.statusCode).toBe(413);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(parseError(body, 413).code).toBe('body_too_large');
    expect(await countPets(url)).toBe(before);
  });

  it('a body of 2 MiB is answered 413 to fetch, too', async () => {
    const { url } = await open();
    const response = await fetch(`${url}/pets`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: ' '.repeat(2 * MIB),
    });
    expect(response.status).toBe(413);
    expect((await readError(response)).code).toBe('body_too_large');
  });
});

describe('Expect', () => {
  it('a body within the limit is asked for, then taken', async () => {
    const { port } = await open();
    const line = await dial(port);
    const text = post('/pets', PET, 'Expect: 100-continue');
    line.send(text.slice(0, -PET.length));
    expect((await line.answer()).status).toBe(100);
    line.send(PET);
    expect((await line.answer()).status).toBe(201);
  });

  it('a body beyond the limit is refused before it is sent', async () => {
    const { url, port } = await open();
    const before = await countPets(url);
    const line = await dial(port);
    line.send(
      `POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${2 * MIB}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const answer = await line.answer();
    expect(answer.status).toBe(413);
    expect(expectError(answer)).toBe('body_too_large');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await line.rest()).toBe('');
    expect(await countPets(url)).toBe(before);
  });

  it('an expectation that nobody knows is answered 417, as an Error object', async () => {
    const { url, port } = await open();
    const before = await countPets(url);
    const line = await dial(port);
    line.send(post('/pets', PET, 'Expect: a-miracle'));
    const answer = await line.answer();
    expect(answer.status).toBe(417);
    expectError(answer);
    expect(await countPets(url)).toBe(before);
  });
});

describe('HEAD', () => {
  it.each([
    '/pets',
    '/pets/1',
    '/pets/4711',
    '/pets/x',
    '/nope',
    '/store/inventory/summary',
    '/pets?limit=2',
  ])('of %s is answered like GET, without content', async (path) => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get(path), get(path).replace('GET', 'HEAD'), get('/categories/1'));
    const full = await line.answer();
    const head = await line.answer({ head: true });
    expect(Number(full.headers.get('content-length'))).toBe(Buffer.byteLength(full.body));
    expect(full.body.length).toBeGreaterThan(0);
    const stable = ({ headers }: Answer) => [...headers].filter(([name]) => name !== 'date');
    expect(head.status).toBe(full.status);
    expect(stable(head)).toEqual(stable(full));
    // Had there been content, it would stand before this answer.
    expect((await line.answer()).body).toContain('"name":"Dogs"');
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/pets', 204, 'GET, HEAD, OPTIONS, POST'],
    ['/pets/1', 204, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/pets/not-an-id', 204, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/store/inventory/summary', 204, 'GET, HEAD, OPTIONS'],
    ['*', 204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['http://localhost/categories', 204, 'GET, HEAD, OPTIONS, POST'],
  ])('of %s is answered %d, with Allow', async (path, status, allow) => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get(path).replace('GET', 'OPTIONS'), get('/pets/1'));
    const answer = await line.answer();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.has('content-length')).toBe(false);
    expect((await line.answer()).status).toBe(200);
  });

  it.each(['/nope', '/pets/'])('of the unknown path %s is answered 404', async (path) => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get(path).replace('GET', 'OPTIONS'));
    const answer = await line.answer();
    expect(answer.status).toBe(404);
    expect(expectError(answer)).toBe('path_not_found');
  });
});

describe('the request target', () => {
  it.each([
    ['http://localhost/pets/1', 200],
    ['HTTP://EXAMPLE.COM:8080/pets/1', 200],
    ['https://user@example.com/pets/1?x=http://other/', 200],
    ['http://localhost/pets?limit=0', 400],
    ['http://localhost', 200],
    ['http://localhost?limit=1', 200],
    ['/http://localhost/pets', 404],
    ['*', 404],
    ['/pets/1#fragment', 200],
    ['/pets/1?', 200],
    ['/pets/1?x=1?y=2', 200],
    ['/pets/../pets/1', 404],
    ['//localhost/pets', 404],
  ])('GET %s is answered %d', async (target, status) => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get(target));
    const answer = await line.answer();
    expect(answer.status).toBe(status);
    if (status >= 400) expectError(answer);
  });
});

describe('methods', () => {
  it.each([
    ['PROPFIND', '/pets', 501, 'method_not_implemented'],
    ['QUERY', '/pets', 405, 'method_not_allowed'],
    ['M-SEARCH', '*', 404, 'path_not_found'],
    ['TRACE', '/pets', 405, 'method_not_allowed'],
  ])('%s %s is answered %d', async (method, path, status, code) => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get(path).replace('GET', method));
    const answer = await line.answer();
    expect(answer.status).toBe(status);
    expect(expectError(answer)).toBe(code);
    expect(answer.headers.has('allow')).toBe(status === 405);
  });

  it('CONNECT is answered with an Error object', async () => {
    const { url, port } = await open();
    const line = await dial(port);
    line.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    const answer = await line.answer();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectError(answer);
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });

  it('an upgrade is passed over, as RFC 9110 section 7.8 allows', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get('/pets/1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'));
    expect((await line.answer()).status).toBe(200);
  });
});

describe('connections', () => {
  it('keep alive for the next request, also after an error', async () => {
    const { port } = await open();
    const line = await dial(port);
    const statuses: number[] = [];
    for (const text of [
      get('/pets/1'),
      get('/nope'),
      post('/pets', '{'),
      post('/pets', PET),
      get('/pets/29'),
    ]) {
      line.send(text);
      statuses.push((await line.answer()).status);
    }
    expect(statuses).toEqual([200, 404, 400, 201, 200]);
  });

  it('end when the client ends them, not after a time', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get('/pets/1'));
    const { headers } = await line.answer();
    expect(headers.get('connection')).toBe('keep-alive');
    // Where there is a time, it is announced.
    expect(headers.has('keep-alive')).toBe(false);
  });

  it('are closed when the client asks for it, or speaks HTTP/1.0', async () => {
    const { port } = await open();
    for (const text of [get('/pets/1', 'Connection: close'), 'GET /pets/1 HTTP/1.0\r\n\r\n']) {
      const line = await dial(port);
      line.send(text);
      expect((await line.answer()).status).toBe(200);
      expect(await line.rest()).toBe('');
    }
  });

  it('answer pipelined requests in their order, though the first one waits', async () => {
    const { port } = await open({ errors: [{ operation: 'getPet', delay: 60 }] });
    const line = await dial(port);
    line.send(get('/pets/1') + get('/categories/1') + get('/nope'));
    const answers = [await line.answer(), await line.answer(), await line.answer()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(answers[0]?.body).toContain('"name":"Biscuit"');
  });

  // RFC 9112 section 9.3.2: only safe methods may be processed in parallel.
  it('carry pipelined writes out before what comes after them', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.send(post('/categories', '{"name":"Insects"}') + get('/categories/9'));
    const answers = [await line.answer(), await line.answer()];
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
  });

  it('a client that goes away in the middle of its body leaves the server healthy and the state as it was', async () => {
    const { url, port } = await open();
    const before = await countPets(url);
    for (let i = 0; i < 5; i++) {
      const line = await dial(port);
      line.send(post('/pets', `${PET}${' '.repeat(1000)}`).slice(0, -900));
      await wait(5);
      line.socket.resetAndDestroy();
    }
    await wait(20);
    expect(await countPets(url)).toBe(before);
  });

  it('a client that half-closes after its request still gets the answer', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get('/pets/1'));
    line.socket.end();
    expect((await line.answer()).status).toBe(200);
  });

  it('a client that does not wait for its answer leaves the server healthy', async () => {
    const { url, port } = await open({ delay: 30 });
    const line = await dial(port);
    line.send(get('/pets/1'));
    await wait(5);
    line.socket.resetAndDestroy();
    await wait(60);
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });

  it('take a body that comes byte by byte', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.socket.setNoDelay(true);
    for (const byte of post('/pets', PET)) {
      line.send(byte);
      await new Promise(setImmediate);
    }
    expect((await line.answer()).status).toBe(201);
  });

  it('read a preference, or an Accept, that is split over two header lines', async () => {
    const { port } = await open();
    const line = await dial(port);
    line.send(get('/pets/1', 'Prefer: respond-async', 'Prefer: code=404'));
    expect((await line.answer()).status).toBe(404);
    line.send(get('/pets/1', 'Accept: application/xml', 'Accept: application/json'));
    expect((await line.answer()).status).toBe(200);
  });
});

describe('close', () => {
  it('lets open requests end, then refuses new ones', async () => {
    const { mock, url, port } = await open({ delay: 150 });
    const line = await dial(port);
    line.send(get('/pets/1'));
    await wait(50);
    const started = performance.now();
    const closed = mock.close();
    const answer = await line.answer();
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"name":"Biscuit"');
    expect(answer.headers.get('connection')).toBe('close');
    await closed;
    expect(performance.now() - started).toBeLessThan(2000);
    expect(await line.rest()).toBe('');
    await expect(fetch(`${url}/pets/1`)).rejects.toThrow('fetch failed');
  });

  it('does not wait for connections that were kept alive', async () => {
    const { mock, port } = await open();
    const line = await dial(port);
    line.send(get('/pets/1'));
    await line.answer();
    const started = performance.now();
    await mock.close();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(await line.rest()).toBe('');
  });

  it('does not wait for connections on which nothing was ever asked, as browsers open them', async () => {
    const { mock, port } = await open();
    const line = await dial(port);
    const started = performance.now();
    await mock.close();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(await line.rest()).toBe('');
  });

  it('can be called again, on the mock and on what it listens with', async () => {
    const mock = await createMock();
    const listening = await mock.listen();
    await listening.close();
    await listening.close();
    await mock.close();
    await mock.close();
    expect((await mock.fetch('/pets/1')).status).toBe(200);
  });

  it('frees the port, on which the mock can listen again and be closed again', async () => {
    const { mock, port } = await open();
    await mock.close();
    const again = await mock.listen({ port });
    closing.push(() => again.close());
    expect((await fetch(`${again.url}/pets/1`)).status).toBe(200);
    await mock.close();
    await expect(fetch(`${again.url}/pets/1`)).rejects.toThrow('fetch failed');
  });

  it('closes a server that is about to listen, whose listen() rejects', async () => {
    const { mock, port } = await open();
    await mock.close();
    const listening = mock.listen({ port });
    const refused = expect(listening).rejects.toMatchObject({ code: 'mock-closed' });
    await mock.close();
    await expect(fetch(`http://127.0.0.1:${port}/pets/1`)).rejects.toThrow('fetch failed');
    await refused;
    const again = await mock.listen({ port });
    closing.push(() => mock.close());
    expect((await fetch(`${again.url}/pets/1`)).status).toBe(200);
  });

  it('does not reject where the port of such a server is taken', async () => {
    const { port } = await open();
    const mock = await createMock();
    const refused = expect(mock.listen({ port })).rejects.toMatchObject({ code: 'port-taken' });
    await mock.close();
    await refused;
  });

  it('leaves a server alone that was asked for after it', async () => {
    const { mock } = await open();
    const closed = mock.close();
    const { url } = await mock.listen();
    closing.push(() => mock.close());
    await closed;
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });

  it('resolves in every call only once all servers are closed', async () => {
    const { mock, port } = await open({ delay: 150 });
    const line = await dial(port);
    line.send(get('/pets/1'));
    await wait(50);
    await Promise.all(
      [mock.close(), mock.close(), mock[Symbol.asyncDispose]()].map(async (closed) => {
        await closed;
        expect(mock.journal).toHaveLength(1);
      }),
    );
    expect((await line.answer()).status).toBe(200);
  });
});

describe('listen', () => {
  it('says which port it took, on 127.0.0.1 unless told otherwise', async () => {
    const mock = await createMock();
    const { url, host, port } = await mock.listen();
    closing.push(() => mock.close());
    expect(port).toBeGreaterThan(0);
    expect(host).toBe('127.0.0.1');
    expect(url).toBe(`http://127.0.0.1:${port}`);
  });

  it('serves one mock on several ports, with one state', async () => {
    const { mock, url } = await open();
    const second = await mock.listen();
    await fetch(`${url}/pets/1`, { method: 'DELETE' });
    expect((await fetch(`${second.url}/pets/1`)).status).toBe(404);
  });

  it('refuses a taken port in a sentence that names --port', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    closing.push(() => blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const mock = await createMock();
    const error = await mock.listen({ port }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SetupError);
    expect((error as Error).message).toMatch(new RegExp(`^Port ${port} is taken\\. .*--port`));
  });

  it('refuses an address that is not of this machine in a sentence that names --host', async () => {
    const mock = await createMock();
    // 192.0.2.0/24 is for documentation (RFC 5737).
    const error = await mock.listen({ host: '192.0.2.1' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SetupError);
    expect((error as Error).message).toMatch(/192\.0\.2\.1\. .*--host/);
  });

  it('refuses a port that is none in a sentence that names --port', async () => {
    const mock = await createMock();
    const error = await mock.listen({ port: 70_000 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SetupError);
    expect((error as Error).message).toMatch(/70000.*--port/);
  });

  const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );

  it('serves on an IPv6 address, where the machine has one', async () => {
    const mock = await createMock();
    if (!hasIPv6) {
      await expect(mock.listen({ host: '::1' })).rejects.toThrow(/--host/);
      return;
    }
    const { url, port } = await mock.listen({ host: '::1' });
    closing.push(() => mock.close());
    expect(url).toBe(`http://[::1]:${port}`);
    expect((await fetch(`${url}/pets/1`)).status).toBe(200);
  });
});
