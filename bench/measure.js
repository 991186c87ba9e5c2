import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { whileAwake } from './awake.js';
import { startServer } from './child.js';
import { exchangeSuccessfully } from './exchange.js';
import { FIGURES, toP99 } from './figures.js';
import { applyLoad, applyPacedLoad } from './load.js';
import { hasProcessStats, readCpuSeconds, readPeakMemory } from './process-stats.js';
import { SCENARIOS } from './scenarios.js';
import { OURS, REPLAYERS, SERVERS } from './servers.js';

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

/** One round: the starts, one server at a time; then each load, on one server after the other. */
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
      for (const entry of started) await measureLoad(entry, scenario, options, figures);
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

async function measureLoad({ server, child }, scenario, options, figures) {
  const { key, title, method } = scenario;
  const [rate, ofProcess] = [`rate ${key}`, [`cpu ${key}`, `busy ${key}`]];
  const [p99, pace] = [`p99 ${key}`, `paced ${key}`];
  const total = method === 'POST' ? ['posts'] : [];
  // Memory after a load that failed compares with nothing.
  const memory = method === 'GET' ? ['memory gets', 'memory all'] : ['memory all'];
  await attempt([rate, p99, pace, ...ofProcess, ...total, ...memory], server, figures, async () => {
    const load = { port: child.port, scenario, connections: options.connections };
    const { warmUp, measured, paced, cpuSeconds } = await warmUpAndMeasure(
      child.pid,
      load,
      options.seconds,
    ).catch((error) => {
      throw new Error(`${server.title}, ${title}: refused, because ${error.message}`);
    });
    figures.add(rate, server, measured.answers / measured.seconds);
    figures.add(p99, server, toP99(paced.latencies));
    figures.add(pace, server, paced.answers / paced.seconds);
    const answers = warmUp.answers + measured.answers + paced.answers;
    for (const figure of total) figures.add(figure, server, answers);
    if (cpuSeconds === undefined) {
      figures.refuse(ofProcess, server, NO_STATS);
      return;
    }
    figures.add(ofProcess[0], server, (cpuSeconds * 1e6) / measured.answers);
    figures.add(ofProcess[1], server, (cpuSeconds * 100) / measured.seconds);
  });
}

async function warmUpAndMeasure(pid, load, seconds) {
  const warmUp = await applyLoad({ ...load, seconds: WARM_UP_SECONDS });
  const before = readCpuSeconds(pid);
  const measured = await applyLoad({ ...load, seconds });
  const after = readCpuSeconds(pid);
  const rate = measured.answers / measured.seconds / 2;
  const paced = await whileAwake(() => applyPacedLoad({ ...load, seconds, rate }));
  const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
  return { warmUp, measured, paced, cpuSeconds };
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
