import { connect } from 'node:net';
import { isSuccess, toExcerpt } from './exchange.js';

/** How much longer than asked for a load may last. */
const GRACE_MS = 10_000;
const HEADERS_END = Buffer.from('\r\n\r\n');

/**
 * Sends one request over and over on every connection, the next one as soon as the answer has come:
 * `{ answers, seconds }`. After `seconds` no new request is sent, and the open ones are still answered and counted.
 * Rejects on the first answer that is not 2xx, and when a connection ends or no answer comes.
 */
export async function applyLoad({ port, scenario, connections, seconds }) {
  const bytes = toBytes(port, scenario);
  const sockets = [];
  let answers = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const converse = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      sockets.push(socket);
      const receive = createReceiver();
      socket.on('connect', () => socket.write(bytes));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (chunk) => {
        try {
          if (!receive(chunk)) return;
        } catch (error) {
          reject(error);
          return;
        }
        answers += 1;
        if (performance.now() < until) socket.write(bytes);
        else resolve();
      });
    });
  const timeout = createTimeout(seconds * 1000 + GRACE_MS);
  try {
    await Promise.race([Promise.all(Array.from({ length: connections }, converse)), timeout.expired]);
    return { answers, seconds: (performance.now() - started) / 1000 };
  } finally {
    timeout.clear();
    for (const socket of sockets) socket.destroy();
  }
}

/**
 * Takes what arrives on a connection, and tells when an answer is complete. Throws if that is not 2xx.
 * It is this small because what the sender of a load costs is missing to the server on a machine of few cores.
 */
function createReceiver() {
  let pending;
  return (chunk) => {
    const received = pending ? Buffer.concat([pending, chunk]) : chunk;
    const headersEnd = received.indexOf(HEADERS_END);
    const length = headersEnd < 0 ? Number.POSITIVE_INFINITY : readLength(received, headersEnd);
    if (received.length < length) {
      pending = received;
      return false;
    }
    pending = undefined;
    const status = Number(received.latin1Slice(9, 12));
    if (isSuccess(status)) return true;
    throw new Error(`the server answered ${status}: ${toExcerpt(received.subarray(headersEnd))}`);
  };
}

/** The bytes of a whole answer. */
function readLength(received, headersEnd) {
  const headers = received.latin1Slice(0, headersEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
  if (length === undefined)
    throw new Error(`an answer had no Content-Length: ${headers.split('\r\n', 1)[0]}`);
  return headersEnd + HEADERS_END.length + Number(length);
}

function toBytes(port, { method, path, headers, body = '' }) {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

function createTimeout(milliseconds) {
  let timer;
  const expired = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`some requests had no answer after ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  return { expired, clear: () => clearTimeout(timer) };
}
