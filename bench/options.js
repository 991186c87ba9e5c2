import { parseArgs } from 'node:util';

const FLAGS = {
  rounds: { default: 3, least: 3, most: 100, whole: true },
  seconds: { default: 2, least: 1, most: 60, whole: false },
  entities: { default: 100_000, least: 101, most: 10_000_000, whole: true },
  connections: { default: 16, least: 1, most: 512, whole: true },
};

export const HELP = `Usage: node bench/bench.js [options]

Measures petstore-mock beside bare node:http servers, Fastify, Scalar and
Prism, alternating between them, then over collections and documents of
growing size. Prints ratios first, then the figures behind them, and writes
both to bench/RESULTS.md.

Options:
  --rounds <n>       how often everything is measured, 3 to 100 (default: 3)
  --seconds <s>      how long each load is measured, 1 to 60 (default: 2)
  --entities <n>     how many entities are many, from 101 (default: 100000)
  --connections <n>  how many connections ask at once, 1 to 512 (default: 16)
  -h, --help         display this help

Exit codes: 0 all was measured, 1 something was not, 2 a wrong flag.
`;

/** The options of a run, or `{ help: true }`. Throws an Error with a sentence for the user on a wrong flag. */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(Object.keys(FLAGS).map((name) => [name, { type: 'string' }])),
    },
  });
  if (values.help) return { help: true };
  return Object.fromEntries(
    Object.entries(FLAGS).map(([name, flag]) => [name, readNumber(name, flag, values[name])]),
  );
}

function readNumber(name, { default: fallback, least, most, whole }, text) {
  if (text === undefined) return fallback;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  throw new Error(
    `--${name} must be a${whole ? ' whole' : ''} number from ${least} to ${most}, got "${text}"`,
  );
}
