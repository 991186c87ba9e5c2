import { applyLoad } from './load.js';
import { readCpuSeconds } from './process-stats.js';

/** Long enough for thousands of answers, and so short that two servers meet the same machine. */
const SLICE_SECONDS = 0.25;

/** In how many slices a time is measured. */
export function toSlices(seconds) {
  return Math.ceil(seconds / SLICE_SECONDS);
}

/** Does `action` with each of `tasks`, `times` times; who is first in one turn is last in the next. */
export async function inTurns(tasks, times, action) {
  for (let turn = 0; turn < times; turn += 1)
    for (const task of turn % 2 === 0 ? tasks : [...tasks].reverse()) await action(task);
}

/** What several loads come to. `cpuSeconds` is undefined where the system does not tell. */
export function createTotal() {
  return { answers: 0, seconds: 0, cpuSeconds: 0, latencies: [] };
}

export function add(total, { answers, seconds, latencies = [] }) {
  total.answers += answers;
  total.seconds += seconds;
  for (const each of latencies) total.latencies.push(each);
}

/** Loads a server as fast as it answers, and adds what came of it, with the CPU time that the server took. */
export async function addLoad(total, { pid, load }, seconds) {
  const before = readCpuSeconds(pid);
  add(total, await applyLoad({ ...load, seconds }));
  const after = readCpuSeconds(pid);
  total.cpuSeconds =
    before === undefined || after === undefined ? undefined : total.cpuSeconds + after - before;
}
