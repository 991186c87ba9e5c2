// The least that a server on node:http does that remembers: it reads a body, keeps what is in it under the next id, and answers with
// that. It checks nothing, and replays all else as bare-server.js does.
// Usage: node stateful-server.js PORT ANSWERS.json
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);
const answers = new Map(
  JSON.parse(readFileSync(file, 'utf8')).map(({ method, path, status, headers, body }) => [
    `${method} ${path}`,
    { status, headers: Object.fromEntries(headers), body },
  ]),
);
const entities = new Map();
let nextId = JSON.parse([...answers].find(([name]) => name.startsWith('POST'))[1].body).id;

createServer((incoming, outgoing) => {
  const answer = answers.get(`${incoming.method} ${incoming.url}`);
  if (!answer) {
    outgoing.writeHead(404).end();
    return;
  }
  if (incoming.method !== 'POST') {
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.body);
    return;
  }
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    const given = JSON.parse(Buffer.concat(chunks).toString());
    const entity = Object.freeze(Object.assign({ id: nextId++ }, given));
    entities.set(String(entity.id), entity);
    const body = JSON.stringify(entity);
    const own = {
      Location: `${incoming.url}/${entity.id}`,
      'Content-Length': String(Buffer.byteLength(body)),
    };
    outgoing.writeHead(answer.status, Object.assign({}, answer.headers, own));
    outgoing.end(body);
  });
}).listen(Number(port), '127.0.0.1');
