import { existsSync, readFileSync } from 'node:fs';

/** The unit of CPU times in /proc: USER_HZ, which Linux fixes at 100 a second towards programs. */
const TICK_SECONDS = 0.01;

/** Whether this system tells the CPU time and memory of other processes in /proc, as Linux does. */
export function hasProcessStats() {
  return existsSync('/proc/self/stat') && existsSync('/proc/self/status');
}

/** The CPU time of this machine since it started, and what its host gave to others of it: `{ total, stolen }`, in ticks; undefined if not told. */
export function readStolenTime() {
  const fields = readFile('stat')?.split('\n', 1)[0].split(/\s+/).slice(1, 9).map(Number);
  return fields && { total: fields.reduce((sum, ticks) => sum + ticks, 0), stolen: fields[7] };
}

/** The CPU seconds that all threads of a process have used so far, in user and system mode; undefined if not told. */
export function readCpuSeconds(pid) {
  const text = readFile(`${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field, the command in parentheses, may hold spaces; the third field is the first one behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[14 - 3]) + Number(fields[15 - 3])) * TICK_SECONDS;
}

/** The most memory that a process ever had resident, in MiB; undefined if not told. */
export function readPeakMemory(pid) {
  const kibibytes = readFile(`${pid}/status`)?.match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}

function readFile(path) {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
