import { isIP, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readNetworks } from '../src/core/service/network-readers.ts';
import { createMock, type MockOptions } from '../src/index.ts';
import { closeAll, describeAdapters } from './support/adapters.ts';
import { runCommand } from './support/run-command.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await closeAll();
});

/** Where a socket of Node finds its `remoteAddress`, which is no property that could be replaced. */
interface Peer {
  _getpeername(): { readonly address: string | undefined };
}

/** Asks the control API over a socket, whose other end has the address `peer`. */
async function askFrom(peer: string | undefined, options: MockOptions, headers: Record<string, string> = {}) {
  await using mock = await createMock(options);
  const { url } = await mock.listen();
  vi.spyOn(Socket.prototype as unknown as Peer, '_getpeername').mockReturnValue({ address: peer });
  const [control, ...others] = await Promise.all(
    ['/__mock/journal', '/__mock/health', '/pets/1', '/__mock/sessions/one/pets/1', '/'].map((path) =>
      fetch(url + path, { headers: { ...headers, Connection: 'close' } }),
    ),
  );
  // Everything but the control API stays open to all.
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { message = '' } = (await (control as Response).json()) as { message?: string };
  return { status: control?.status, message };
}

const LAN = { allowControlFrom: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'] };
const TOKEN = { controlToken: 'open-sesame' };

/** The address of the peer, the networks that are let in, the headers, and the status. */
const PEERS: readonly (readonly [
  peer: string | undefined,
  options: MockOptions,
  headers: Record<string, string>,
  status: number,
])[] = [
  ['127.0.0.1', {}, {}, 200],
  ['127.9.9.9', {}, {}, 200],
  ['::1', {}, {}, 200],
  ['::ffff:127.0.0.1', {}, {}, 200],
  ['192.0.2.7', {}, {}, 403],
  ['::ffff:192.0.2.7', {}, {}, 403],
  ['2001:db8::7', {}, {}, 403],
  ['10.0.0.1', {}, {}, 403],
  // A connection that is gone has no peer any more.
  [undefined, {}, {}, 403],
  // Networks.
  ['192.0.2.7', LAN, {}, 200],
  ['::ffff:192.0.2.7', LAN, {}, 200],
  ['192.0.3.7', LAN, {}, 403],
  ['2001:db8:7::1', LAN, {}, 200],
  ['2001:db9::1', LAN, {}, 403],
  ['198.51.100.7', LAN, {}, 200],
  ['198.51.100.8', LAN, {}, 403],
  ['127.0.0.1', LAN, {}, 200],
  ['10.1.2.3', { allowControlFrom: ['private'] }, {}, 200],
  ['172.17.0.1', { allowControlFrom: ['private'] }, {}, 200],
  ['::ffff:172.17.0.1', { allowControlFrom: ['private'] }, {}, 200],
  ['172.32.0.1', { allowControlFrom: ['private'] }, {}, 403],
  ['192.168.65.1', { allowControlFrom: ['private'] }, {}, 200],
  ['169.254.1.1', { allowControlFrom: ['private'] }, {}, 200],
  ['fd12:3456::1', { allowControlFrom: ['private'] }, {}, 200],
  ['fe80::1%eth0', { allowControlFrom: ['private'] }, {}, 200],
  ['fe80::1%eth0', {}, {}, 403],
  ['203.0.113.9', { allowControlFrom: ['private'] }, {}, 403],
  ['203.0.113.9', { allowControlFrom: ['all'] }, {}, 200],
  ['2001:db8::7', { allowControlFrom: ['all'] }, {}, 200],
  [undefined, { allowControlFrom: ['all'] }, {}, 403],
  // The token opens it to every machine.
  ['203.0.113.9', TOKEN, { Authorization: 'Bearer open-sesame' }, 200],
  ['203.0.113.9', TOKEN, { Authorization: 'Bearer open' }, 403],
  ['203.0.113.9', TOKEN, {}, 403],
  // A proxy on this machine says who asks. What it says closes, and never opens.
  ['127.0.0.1', {}, { 'X-Forwarded-For': '127.0.0.1' }, 200],
  ['127.0.0.1', {}, { 'X-Forwarded-For': '::1, ::ffff:127.0.0.1' }, 200],
  ['127.0.0.1', {}, { 'X-Forwarded-For': '[::1]:5000, 127.0.0.1:80' }, 200],
  ['127.0.0.1', {}, { 'X-Forwarded-For': '203.0.113.9' }, 403],
  ['127.0.0.1', {}, { 'X-Forwarded-For': '203.0.113.9, 127.0.0.1' }, 403],
  ['127.0.0.1', {}, { 'X-Forwarded-For': '127.0.0.1, 203.0.113.9:4711' }, 403],
  ['127.0.0.1', {}, { 'X-Forwarded-For': 'unknown' }, 403],
  ['127.0.0.1', {}, { Forwarded: 'for=127.0.0.1;proto=https, for="[::1]:4711"' }, 200],
  ['127.0.0.1', {}, { Forwarded: 'proto=https;host=example.com' }, 200],
  ['127.0.0.1', {}, { Forwarded: 'for=203.0.113.9' }, 403],
  ['127.0.0.1', {}, { Forwarded: 'proto=http; FOR="[2001:db8::7]:4711"' }, 403],
  ['127.0.0.1', {}, { Forwarded: 'for=_hidden' }, 403],
  ['127.0.0.1', {}, { Forwarded: 'for=127.0.0.1;x=", for=203.0.113.9' }, 403],
  ['127.0.0.1', LAN, { 'X-Forwarded-For': '192.0.2.7' }, 200],
  ['203.0.113.9', {}, { 'X-Forwarded-For': '127.0.0.1' }, 403],
  ['203.0.113.9', {}, { Forwarded: 'for=127.0.0.1' }, 403],
  ['203.0.113.9', LAN, { 'X-Forwarded-For': '192.0.2.7' }, 403],
  ['127.0.0.1', TOKEN, { 'X-Forwarded-For': '203.0.113.9', Authorization: 'Bearer open-sesame' }, 200],
];

describe('The control API', () => {
  test.each(PEERS)('for %s with %j and %j answers %i', async (peer, options, headers, status) => {
    expect(await askFrom(peer, options, headers)).toMatchObject({ status });
  });

  test('names the way in to a machine that it refuses', async () => {
    const { message } = await askFrom('::ffff:172.17.0.1', {});
    expect(message).toBe(
      'The control API answers only this machine, and the request came from 172.17.0.1. Let it in with "--allow-control-from 172.17.0.1", or start the mock with --control-token, and send the token as "Authorization: Bearer <token>".',
    );
    expect((await askFrom('127.0.0.1', LAN, { 'X-Forwarded-For': '203.0.113.9' })).message).toContain(
      'The control API answers only this machine and those of --allow-control-from, and the request came from 203.0.113.9.',
    );
    expect((await askFrom('127.0.0.1', {}, { Forwarded: 'for=_hidden' })).message).toContain(
      'and the request came from an unknown address. Start the mock with --control-token,',
    );
  });

  test('keeps out foreign names and pages from machines that are let in', async () => {
    const options = { allowControlFrom: ['all'] };
    const headers = { Origin: 'https://attacker.test' };
    expect((await askFrom('203.0.113.9', options, headers)).status).toBe(403);
  });

  test.each(findOwnAddresses())('answers this machine under its own address %s', async (address) => {
    await using mock = await createMock();
    const { url } = await mock.listen({ host: address });
    expect((await fetch(`${url}/__mock/journal`)).status).toBe(200);
    const every = await mock.listen({ host: '0.0.0.0' });
    expect((await fetch(`http://${address}:${every.port}/__mock/journal`)).status).toBe(200);
  });
});

/** The addresses of this machine in its networks. */
function findOwnAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
}

describeAdapters('The control API, asked by what forwards requests', ({ open }) => {
  test('is closed to a client of another machine', async () => {
    const { ask } = await open();
    const forwarded = { headers: { 'X-Forwarded-For': '203.0.113.9' } };
    expect((await ask('/__mock/journal')).status).toBe(200);
    expect((await ask('/__mock/journal', forwarded)).status).toBe(403);
    expect((await ask('/__mock/sessions/one/__mock/journal', forwarded)).status).toBe(403);
    expect((await ask('/pets/1', forwarded)).status).toBe(200);
  });
});

describe('The networks of --allow-control-from', () => {
  test.each([
    ['private', ['private']],
    ['all', ['all']],
    ['10.0.0.0/8, 192.0.2.7,private', ['10.0.0.0/8', '192.0.2.7', 'private']],
    [
      ['10.0.0.0/8,all', '::1'],
      ['10.0.0.0/8', 'all', '::1'],
    ],
    ['::ffff:10.0.0.0/104', ['::ffff:10.0.0.0/104']],
    [[], []],
  ])('read %j', (given, value) => {
    expect(readNetworks(given)).toEqual({ value });
  });

  test.each([
    '',
    'public',
    '10.0.0.0/33',
    '10.0.0',
    '::1/129',
    '10.0.0.0/',
    '[::1]',
    'fe80::1%eth0',
    '1/2/3',
  ])('refuse %j', (given) => {
    expect(readNetworks(given)).toEqual({
      mistake: `must be addresses, networks like 10.0.0.0/8, private or all, not ${JSON.stringify(given)}`,
    });
  });

  const part = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string());
  test('take every address that Node knows, and no other', () => {
    fc.assert(
      fc.property(
        part.filter((text) => !/[,%\s]/.test(text) && text !== 'all' && text !== 'private'),
        (text) => {
          const [address = '', bits = '0', ...more] = text.split('/');
          const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
          const isValid = more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
          expect('value' in readNetworks(text)).toBe(isValid);
        },
      ),
    );
  });
});

describe('The start', () => {
  const started = async (...args: string[]) => (await runCommand(['--port', '0', ...args])).out;

  test('says what is open to other machines, and how a container opens the rest', async () => {
    expect(await started('--host', '0.0.0.0')).toContain(
      [
        '  open        to other machines: the API, its sessions and the overview',
        '  control     this machine alone; in a container, --allow-control-from private lets its host in',
      ].join('\n'),
    );
    expect(await started('--host', '0.0.0.0', '--allow-control-from', 'private,192.0.2.7')).toContain(
      '  control     this machine, private, 192.0.2.7\n',
    );
    expect(await started('--host', '0.0.0.0', '--control-token', 'open-sesame')).toContain(
      '  control     this machine, and whoever sends the token\n',
    );
    expect(await started('--host', '0.0.0.0', '--no-control')).toContain('  control     off\n');
    expect(await started()).not.toMatch(/^ {2}(open|control) /m);
  });
});
