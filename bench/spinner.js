// Keeps a core busy without taking it from anything else, until the process that forked it goes.
import { execFileSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';

const SLICE_MS = 5;

setPriority(constants.priority.PRIORITY_LOW);
try {
  // Linux gives other work a core on which only such processes run as if it were free.
  execFileSync('chrt', ['--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' });
} catch {
  // The low priority has to do where there is no such command.
}
process.once('disconnect', () => process.exit());
process.send('spinning');
spin();

function spin() {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until);
  setImmediate(spin);
}
