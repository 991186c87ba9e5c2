import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fromHere('../bin/petstore-mock.js');
const BUILT = fromHere('../dist/cli.js');
const DOCUMENT = fromHere('../spec/openapi.yaml');
const PRISM = fromHere('node_modules/@stoplight/prism-cli/dist/index.js');

export const OURS = {
  key: 'ours',
  title: 'petstore-mock',
  toArguments: (port) => [LAUNCHER, '--port', String(port), '--log-level', 'silent'],
};

/** What the bare server needs to know is recorded from petstore-mock first, into the file `answers`. */
export const BARE = {
  key: 'bare',
  title: 'bare',
  toArguments: (port, { answers }) => [fromHere('bare-server.js'), String(port), answers],
};

/** Prism in one process, as silent as petstore-mock, answering from the examples of the document. */
export const PRISM_MOCK = {
  key: 'prism',
  title: 'Prism',
  toArguments: (port) => [
    ...[PRISM, 'mock', DOCUMENT, '--host', '127.0.0.1', '--port', String(port)],
    ...['--multiprocess', 'false', '--verboseLevel', 'silent'],
  ],
};

export const SERVERS = [BARE, OURS, PRISM_MOCK];

/** Throws an Error that names the remedy if a server is not installed or not built. */
export function checkInstalled() {
  if (!existsSync(BUILT)) throw new Error('petstore-mock is not built: run `npm ci` in the project first');
  if (!existsSync(PRISM)) throw new Error('Prism is not installed: run `npm ci --prefix bench` first');
}

function fromHere(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
