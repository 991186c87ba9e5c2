import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const SPINNER = fileURLToPath(new URL('spinner.js', import.meta.url));

/**
 * Does `action` while every core has something to do, of the lowest priority. A virtual machine's host takes a core away that
 * has nothing to do, and may be tens of milliseconds late in giving it back: that would be measured instead of the server.
 */
export async function whileAwake(action) {
  const spinners = Array.from({ length: availableParallelism() }, () => fork(SPINNER, { stdio: 'ignore' }));
  try {
    await Promise.all(spinners.map(toSpinning));
    return await action();
  } finally {
    await Promise.all(spinners.map(stop));
  }
}

function toSpinning(spinner) {
  return new Promise((resolve, reject) => {
    spinner.once('message', resolve);
    spinner.once('error', reject);
    spinner.once('exit', () => reject(new Error('a process that keeps a core awake ended by itself')));
  });
}

function stop(spinner) {
  if (spinner.exitCode !== null || spinner.signalCode !== null) return undefined;
  const ended = new Promise((resolve) => spinner.once('exit', resolve));
  spinner.kill('SIGKILL');
  return ended;
}
