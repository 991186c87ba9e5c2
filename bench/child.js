import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { exchangeSuccessfully } from './exchange.js';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 2;
const MOST_SAID = 100_000;

/** What would give a server other options than the ones that are measured. */
const FOREIGN_VARIABLES = /^(NODE_OPTIONS|NODE_ENV|PETSTORE_MOCK_.*)$/;

const running = new Set();

/** Ends, at once, every server that still runs. */
export function killAll() {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts a server on a free port and waits for its first answer to `scenario`: `{ pid, port, milliseconds, stop }`,
 * with the time from spawn to that answer. A server that ends, hangs or answers an error is stopped and is an Error.
 */
export async function startServer(server, context, scenario) {
  const port = await findFreePort();
  const started = performance.now();
  const child = spawn(process.execPath, server.toArguments(port, context), {
    // A folder of its own, where there is no config file to find.
    cwd: context.folder,
    env: withoutForeignVariables(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  const ended = watchEnd(child);
  try {
    await Promise.race([waitForAnswer(port, scenario, started + START_TIMEOUT_MS), ended.early]);
  } catch (error) {
    await stop(child, ended.always);
    throw new Error(`${server.title} did not start: ${error.message}`);
  }
  const milliseconds = performance.now() - started;
  return { pid: child.pid, port, milliseconds, stop: () => stop(child, ended.always) };
}

/** `early` rejects with what the server said on stderr, `always` only resolves. */
function watchEnd(child) {
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    if (said.length < MOST_SAID) said += text;
  });
  const early = new Promise((_, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      reject(new Error(`it ended with ${signal ?? `code ${code}`}: ${toOneLine(said)}`)),
    );
  });
  // A server that ends later, in the middle of a load, is noticed by the load.
  const always = early.catch(() => running.delete(child));
  return { early, always };
}

async function waitForAnswer(port, scenario, deadline) {
  while (performance.now() < deadline) {
    try {
      return await exchangeSuccessfully(port, scenario);
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
      await wait(POLL_MS);
    }
  }
  throw new Error(`no answer within ${START_TIMEOUT_MS / 1000} s`);
}

async function stop(child, ended) {
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(kill);
}

/** The beginning, where Node tells an error, and the end, where others do. */
function toOneLine(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 800 ? `${line.slice(0, 400)} [...] ${line.slice(-400)}` : line;
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function withoutForeignVariables(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !FOREIGN_VARIABLES.test(name)));
}
