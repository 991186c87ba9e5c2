// `npm start`: builds what has changed, and runs the command in this process.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PART } from './bundle.js';

const PARENT_CHECK_MS = 250;
const LOAD_PARTS_MS = 1_000;

// `$PPID` is the process of npm, because between npm and this process is a shell. On Windows it is just these letters.
const npm = Number(process.argv.splice(2, 1)[0]);
const parent = process.ppid;

const { status } = spawnSync(process.execPath, ['build.js'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// Killing npm does not always kill what it runs, and a server that nobody can reach through npm would keep its port.
const watch = setInterval(() => {
  if (process.ppid === parent && isAlive(npm)) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, PARENT_CHECK_MS);
watch.unref();

// The next build takes the parts of this program away, so this one loads all of them once it has started.
const require = createRequire(import.meta.url);
setTimeout(() => {
  for (const name of readdirSync('dist')) if (PART.test(name)) require(`./dist/${name}`);
}, LOAD_PARTS_MS).unref();

await import('./bin/petstore-mock.js');

function isAlive(pid) {
  try {
    return Number.isNaN(pid) || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
