// The floor under every server on node:http: it looks an answer up and sends it. Knows no state and checks nothing.
// Usage: node bare-server.js PORT ANSWERS.json
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Bodies stay strings, which node:http sends a little faster than buffers.
const [port, file] = process.argv.slice(2);
const answers = new Map(
  JSON.parse(readFileSync(file, 'utf8')).map(({ method, path, status, headers, body }) => [
    `${method} ${path}`,
    { status, headers: Object.fromEntries(headers), body },
  ]),
);

createServer((incoming, outgoing) => {
  if (incoming.method !== 'POST') {
    send(incoming, outgoing);
    return;
  }
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    // What any server must do to have the body in one piece.
    Buffer.concat(chunks);
    send(incoming, outgoing);
  });
}).listen(Number(port), '127.0.0.1');

function send({ method, url }, outgoing) {
  const answer = answers.get(`${method} ${url}`);
  if (!answer) {
    outgoing.writeHead(404).end();
    return;
  }
  outgoing.writeHead(answer.status, answer.headers);
  outgoing.end(answer.body);
}
