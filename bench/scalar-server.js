// Scalar's mock server with the document; it logs nothing by itself. Usage: node scalar-server.js PORT DOCUMENT
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { createMockServer } from '@scalar/mock-server';

const [port, file] = process.argv.slice(2);
const app = await createMockServer({ document: readFileSync(file, 'utf8') });
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) });
