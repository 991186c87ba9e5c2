import { request } from 'node:http';

const TIMEOUT_MS = 10_000;

/** What node:http adds by itself, from the connection and the time of day. */
const ADDED_BY_NODE = new Set(['connection', 'date', 'keep-alive']);

/** Asks once, over a connection of its own: `{ status, headers, body }`, with the headers as pairs, in order. */
export function exchange(port, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { host: '127.0.0.1', port, method, path, agent: false, signal };
    const outgoing = request({ ...options, headers: { ...headers, ...length } }, (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode,
          headers: toPairs(incoming.rawHeaders).filter(([name]) => !ADDED_BY_NODE.has(name.toLowerCase())),
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** As `exchange`, but an answer other than 2xx is an error. */
export async function exchangeSuccessfully(port, scenario) {
  const answer = await exchange(port, scenario);
  if (isSuccess(answer.status)) return answer;
  throw new Error(
    `${scenario.method} ${scenario.path} was answered ${answer.status}: ${toExcerpt(answer.body)}`,
  );
}

export function isSuccess(status) {
  return status >= 200 && status < 300;
}

/** The beginning of a body, on one line. */
export function toExcerpt(body) {
  return body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ').trim() || '(no content)';
}

function toPairs(rawHeaders) {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []));
}
