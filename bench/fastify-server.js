// Fastify with one route for each recorded request: it routes, parses the JSON of a body, and sends the recorded answer.
// Usage: node fastify-server.js PORT ANSWERS.json
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const [port, file] = process.argv.slice(2);
const app = fastify();
for (const { method, path, status, headers, body } of JSON.parse(readFileSync(file, 'utf8'))) {
  const sent = Object.fromEntries(headers);
  app.route({
    method,
    url: path.split('?', 1)[0],
    handler: (_, reply) => reply.code(status).headers(sent).send(body),
  });
}
await app.listen({ host: '127.0.0.1', port: Number(port) });
