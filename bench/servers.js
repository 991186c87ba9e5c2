import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fromHere('../bin/petstore-mock.js');
const BUILT = fromHere('../dist/petstore-mock.cjs');
const DOCUMENT = fromHere('../spec/openapi.yaml');
const PRISM = fromHere('node_modules/@stoplight/prism-cli/dist/index.js');

export const OURS = {
  key: 'ours',
  title: 'petstore-mock',
  toArguments: (port) => [LAUNCHER, '--port', String(port), '--log-level', 'silent'],
};

/** petstore-mock with another document. */
export function toServer(document) {
  return {
    key: document,
    title: `petstore-mock with ${document}`,
    toArguments: (port) => [...OURS.toArguments(port), '--spec', document],
  };
}

/** What the bare server needs to know is recorded from petstore-mock first, into the file `answers`. */
export const BARE = {
  key: 'bare',
  title: 'bare',
  toArguments: (port, { answers }) => [fromHere('bare-server.js'), String(port), answers],
};

/** As bare, but it keeps what is POSTed. */
const STATEFUL = {
  key: 'stateful',
  title: 'bare with a Map',
  toArguments: (port, { answers }) => [fromHere('stateful-server.js'), String(port), answers],
};

/** Fastify with three routes that send the same recorded answers. */
export const FASTIFY = {
  key: 'fastify',
  title: 'Fastify',
  toArguments: (port, { answers }) => [fromHere('fastify-server.js'), String(port), answers],
};

/** Scalar's mock server, answering from the examples of the document. */
export const SCALAR = {
  key: 'scalar',
  title: 'Scalar',
  toArguments: (port) => [fromHere('scalar-server.js'), String(port), DOCUMENT],
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

/** The fastest first. */
export const PEERS = [BARE, STATEFUL, FASTIFY, SCALAR, PRISM_MOCK];

/** Those that replay what petstore-mock answered. */
export const REPLAYERS = [BARE, STATEFUL, FASTIFY];

export const SERVERS = [OURS, ...PEERS];

const PACKAGES = ['@hono/node-server', '@scalar/mock-server', '@stoplight/prism-cli', 'fastify'];

/** Throws an Error that names the remedy if a server is not installed or not built. */
export function checkInstalled() {
  if (!existsSync(BUILT))
    throw new Error('petstore-mock is not built: run `npm run build` in the project first');
  for (const name of PACKAGES)
    if (!existsSync(fromHere(`node_modules/${name}`)))
      throw new Error(`${name} is not installed: run \`npm ci --prefix bench\` first`);
}

function fromHere(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
