import { SCENARIOS } from './scenarios.js';

/** What is measured, once a round and server. `ratio` says under which heading the report compares it. */
export const FIGURES = [
  ...SCENARIOS.map(({ key, title }) => ({
    key: `rate ${key}`,
    title,
    unit: 'requests/s',
    ratio: 'Requests a second (higher is better)',
  })),
  ...SCENARIOS.map(({ key, title }) => ({
    key: `cpu ${key}`,
    title,
    unit: 'µs CPU/request',
    ratio: 'Server CPU per request (lower is better)',
  })),
  ...SCENARIOS.map(({ key, title }) => ({
    key: `p99 ${key}`,
    title,
    unit: 'ms, p99 at half of its own peak rate',
    ratio: 'p99 latency, each at half of its own peak rate (lower is better)',
  })),
  {
    key: 'start',
    title: 'spawn to first answer',
    unit: 'ms',
    ratio: 'Start (lower is better)',
  },
  {
    key: 'memory gets',
    title: 'after the GETs',
    unit: 'MiB peak memory',
    ratio: 'Peak memory (lower is better)',
  },
  {
    key: 'memory all',
    title: 'after the POSTs too',
    unit: 'MiB peak memory',
    ratio: 'Peak memory (lower is better)',
  },
  ...SCENARIOS.map(({ key, title }) => ({ key: `busy ${key}`, title, unit: '% of a core busy' })),
  ...SCENARIOS.map(({ key, title }) => ({
    key: `paced ${key}`,
    title,
    unit: 'requests/s when p99 was taken',
  })),
  { key: 'posts', title: 'POST', unit: 'requests in all, warm-up too' },
];

/** Keeps the figures of a run, and why some are missing. */
export function createFigures(rounds) {
  const samples = new Map();
  const refusals = new Map();
  const toId = (figure, server) => `${figure}, ${server.key}`;
  const isRefused = (figure, server) => refusals.has(toId(figure, server));
  const values = (figure, server) => {
    const found = samples.get(toId(figure, server)) ?? [];
    return isRefused(figure, server) || found.length < rounds ? undefined : found;
  };
  return {
    /** Adds the figure of the next round. */
    add(figure, server, value) {
      const id = toId(figure, server);
      samples.set(id, [...(samples.get(id) ?? []), value]);
    },
    /** A figure that could not be had in one round is refused for all of them. */
    refuse(figures, server, reason) {
      for (const figure of figures) refusals.set(toId(figure, server), reason);
    },
    isRefused,
    /** One value a round, or undefined. */
    values,
    /** The ratios of two servers, round by round, or undefined. */
    ratios(figure, server, other) {
      const own = values(figure, server);
      const others = values(figure, other);
      return own && others && own.map((value, round) => value / others[round]);
    },
    /** The reasons of all that is missing, each once. */
    reasons: () => [...new Set(refusals.values())],
  };
}

/** The value that 99 of 100 do not exceed. */
export function toP99(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1];
}

/** A summary as text: the middle (the lowest - the highest). */
export function toSummary(values, toText) {
  const { median, lowest, highest } = summarize(values);
  return `${toText(median)} (${toText(lowest)} - ${toText(highest)})`;
}

/** The middle, the lowest and the highest of some values. */
export function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  return { median: middle, lowest: sorted[0], highest: sorted[sorted.length - 1] };
}
