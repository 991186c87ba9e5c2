// Serves the page, as the development server of an app does.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(new URL('index.html', import.meta.url));

createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html').end(page);
}).listen(process.env.PORT ?? 5173, 'localhost');
