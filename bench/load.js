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
export async function applyLoad(load) {
  let answers = 0;
  const started = performance.now();
  const until = started + load.seconds * 1000;
  await converse(load, ({ send, finish }) => ({
    begin: send,
    answered() {
      answers += 1;
      if (performance.now() < until) send();
      else finish();
    },
  }));
  return { answers, seconds: (performance.now() - started) / 1000 };
}

/**
 * As `applyLoad`, but at `rate` requests a second over all connections: `{ answers, seconds, latencies }`, those in
 * milliseconds. A request that has to wait for the answer before it has been late since it was due, so that
 * an answer that takes long shows in all that it holds up.
 */
export async function applyPacedLoad(load) {
  const latencies = [];
  const interval = (load.connections * 1000) / load.rate;
  const started = performance.now();
  const until = started + load.seconds * 1000;
  await converse(load, ({ send, finish }, index) => {
    let due = started + (interval * index) / load.connections;
    let since;
    let lag = 0;
    const sendSince = (time) => {
      since = time;
      send();
    };
    // What a timer of the sender is late is no fault of the server, neither here nor in what catches up on it.
    const sendLate = () => {
      const now = performance.now();
      lag = Math.max(0, now - due);
      sendSince(now);
    };
    return {
      begin: () => setTimeout(sendLate, due - performance.now()),
      answered() {
        const now = performance.now();
        latencies.push(now - since);
        due += interval;
        if (Math.max(due, now) >= until) finish();
        else if (due <= now) sendSince(Math.min(now, due + lag));
        else setTimeout(sendLate, due - now);
      },
    };
  });
  return { answers: latencies.length, seconds: (performance.now() - started) / 1000, latencies };
}

/** Opens the connections and leaves it to `toTalk` what each sends and when, until all have finished. */
async function converse({ port, scenario, connections, seconds }, toTalk) {
  const requests = toRequests(port, scenario);
  let sent = 0;
  const sockets = [];
  const open = (_, index) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      sockets.push(socket);
      const receive = createReceiver();
      const talk = toTalk(
        { send: () => socket.write(requests[sent++ % requests.length]), finish: resolve },
        index,
      );
      socket.on('connect', talk.begin);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (chunk) => {
        try {
          if (receive(chunk)) talk.answered();
        } catch (error) {
          reject(error);
        }
      });
    });
  const timeout = createTimeout(seconds * 1000 + GRACE_MS);
  try {
    await Promise.race([Promise.all(Array.from({ length: connections }, open)), timeout.expired]);
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

/** So many requests differ before the first one comes again: more than any server keeps answers to. */
const DISTINCT = 1000;

/** The bytes of one request; where each is to be another one, those of many. */
function toRequests(port, scenario) {
  if (!scenario.distinct) return [toBytes(port, scenario)];
  return Array.from({ length: DISTINCT }, (_, index) =>
    toBytes(port, { ...scenario, headers: { ...scenario.headers, 'X-Request-Id': String(index) } }),
  );
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
