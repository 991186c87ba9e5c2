import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { whileAwake } from './awake.js';
import { startServer } from './child.js';
import { exchangeSuccessfully } from './exchange.js';
import { FIGURES, toP99 } from './figures.js';
import { applyPacedLoad } from './load.js';
import { hasProcessStats, readPeakMemory } from './process-stats.js';
import { SCENARIOS } from './scenarios.js';
import { OURS, REPLAYERS, SERVERS } from './servers.js';
import { add, addLoad, createTotal, inTurns, toSlices } from './turns.js';

const WARM_UP_SECONDS = 2;
const FIRST = SCENARIOS[0];
const ALL = FIGURES.map(({ key }) => key);
const NO_STATS = 'Server CPU and memory were not measured: this system has no /proc.';

/** What documents and collections of growing size take in a round. */
const SIZES_SECONDS = 40;

/** About how long a run takes, in seconds. */
export function estimateSeconds({ rounds, seconds }) {
  return (
    rounds * (SIZES_SECONDS + SCENARIOS.length * SERVERS.length * (2 * seconds + WARM_UP_SECONDS) + 10) + 10
  );
}

/**
 * Starts each server once and asks it everything once: records petstore-mock's answers for the servers that replay them,
 * checks that they do, and brings all files into the system's cache. Nothing of it counts.
 * Returns the servers that work and the bytes of their answers; the figures of the others are refused.
 */
export async function rehearse(context, figures) {
  const recorded = await askEverything(OURS, context);
  // Requests that differ in a header alone are one route.
  const records = recorded.map(toRecord).filter((_, index) => !SCENARIOS[index].distinct);
  await writeFile(context.answers, JSON.stringify(records));
  const working = [];
  for (const server of SERVERS) {
    try {
      const answers = server === OURS ? recorded : await askEverything(server, context);
      if (REPLAYERS.includes(server) && !isDeepStrictEqual(answers.map(toContent), recorded.map(toContent))) {
        throw new Error(`${server.title} does not replay the answers of petstore-mock`);
      }
      working.push({ server, sizes: answers.map(({ body }) => body.length) });
    } catch (error) {
      figures.refuse(ALL, server, error.message);
    }
  }
  return working;
}

/** One round: the starts, one server at a time; then each load, on all servers in turns. */
export async function measureRound(all, context, options, figures) {
  const servers = all.filter((server) => !ALL.every((figure) => figures.isRefused(figure, server)));
  for (const server of servers) await measureStart(server, context, figures);
  const started = [];
  try {
    for (const server of servers) {
      const child = await attempt(ALL, server, figures, () => startServer(server, context, FIRST));
      if (child) started.push({ server, child });
    }
    for (const scenario of SCENARIOS) {
      if (scenario.method !== 'GET') noteMemory('memory gets', started, figures);
      await measureLoads(started, scenario, options, figures);
    }
    noteMemory('memory all', started, figures);
  } finally {
    await Promise.all(started.map(({ child }) => child.stop()));
  }
}

async function askEverything(server, context) {
  const child = await startServer(server, context, FIRST);
  try {
    const answers = [];
    for (const scenario of SCENARIOS) answers.push(await exchangeSuccessfully(child.port, scenario));
    return answers;
  } finally {
    await child.stop();
  }
}

function toRecord({ status, headers, body }, index) {
  const { method, path } = SCENARIOS[index];
  return { method, path, status, headers, body: body.toString() };
}

/** An answer without what a framework may write in its own way: case and order of headers, and the only charset of JSON. */
function toContent({ status, headers, body }) {
  const pairs = headers.map(([name, value]) => [name.toLowerCase(), value.replace('; charset=utf-8', '')]);
  return { status, headers: Object.fromEntries(pairs), body };
}

async function measureStart(server, context, figures) {
  await attempt(['start'], server, figures, async () => {
    const child = await startServer(server, context, FIRST);
    await child.stop();
    figures.add('start', server, child.milliseconds);
  });
}

/** Loads all servers with one scenario, each as often as the others, in turns that are too short for the machine to change between them. */
async function measureLoads(started, scenario, { seconds, connections }, figures) {
  const slices = toSlices(seconds);
  const tasks = started.map(({ server, child }) => ({
    server,
    pid: child.pid,
    load: { port: child.port, scenario, connections },
    warmUp: createTotal(),
    measured: createTotal(),
    paced: createTotal(),
  }));
  const attemptAll = (action) => (task) =>
    attempt(toNames(scenario), task.server, figures, () =>
      action(task).catch((error) => {
        throw new Error(`${task.server.title}, ${scenario.title}: refused, because ${error.message}`);
      }),
    );
  const warmUp = attemptAll((task) => addLoad(task.warmUp, task, WARM_UP_SECONDS));
  const measure = attemptAll((task) => addLoad(task.measured, task, seconds / slices));
  const pace = attemptAll(async ({ load, measured, paced }) => {
    const rate = measured.answers / measured.seconds / 2;
    add(paced, await applyPacedLoad({ ...load, seconds: seconds / slices, rate }));
  });
  await inTurns(tasks, 1, warmUp);
  await inTurns(tasks, slices, measure);
  await whileAwake(() => inTurns(tasks, slices, pace));
  for (const task of tasks)
    if (!figures.isRefused(`rate ${scenario.key}`, task.server)) note(task, scenario, figures);
}

/** The figures that a load gives. Memory after a load that failed compares with nothing. */
function toNames({ key, method }) {
  const own = [`rate ${key}`, `p99 ${key}`, `paced ${key}`, `cpu ${key}`, `busy ${key}`];
  return method === 'POST' ? [...own, 'posts', 'memory all'] : [...own, 'memory gets', 'memory all'];
}

function note({ server, warmUp, measured, paced }, { key, method }, figures) {
  figures.add(`rate ${key}`, server, measured.answers / measured.seconds);
  figures.add(`p99 ${key}`, server, toP99(paced.latencies));
  figures.add(`paced ${key}`, server, paced.answers / paced.seconds);
  if (method === 'POST') figures.add('posts', server, warmUp.answers + measured.answers + paced.answers);
  if (measured.cpuSeconds === undefined) {
    figures.refuse([`cpu ${key}`, `busy ${key}`], server, NO_STATS);
    return;
  }
  figures.add(`cpu ${key}`, server, (measured.cpuSeconds * 1e6) / measured.answers);
  figures.add(`busy ${key}`, server, (measured.cpuSeconds * 100) / measured.seconds);
}

function noteMemory(figure, started, figures) {
  for (const { server, child } of started) {
    const peak = readPeakMemory(child.pid);
    const reason = hasProcessStats() ? `${server.title} ended during the run` : NO_STATS;
    if (peak !== undefined) figures.add(figure, server, peak);
    else if (!figures.isRefused(figure, server)) figures.refuse([figure], server, reason);
  }
}

/** Does it, or refuses the figures that it would have given. What was refused in an earlier round is left. */
async function attempt(names, server, figures, action) {
  if (names.every((name) => figures.isRefused(name, server))) return undefined;
  try {
    return await action();
  } catch (error) {
    figures.refuse(names, server, error.message);
    return undefined;
  }
}
