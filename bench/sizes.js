// Measures petstore-mock over documents of growing size; README.md says what and how.
import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './child.js';
import { runCommand, toText } from './command.js';
import { createDeepDocument, DEEP_PATH } from './deep-document.js';
import { createCircularDocument, createDocument, PROBED_PATH, toYaml } from './documents.js';
import { toSummary } from './figures.js';
import { readPeakMemory } from './process-stats.js';
import { toServer } from './servers.js';
import { addLoad, createTotal, inTurns, toSlices } from './turns.js';

const HELP = `Usage: node bench/sizes.js [options]

Starts petstore-mock with documents of 10, 500 and 2,000 operations, the last
one also in YAML, one of circular schemas, one as big and deep as the largest public ones, and one of
yours, in turn. Prints start time, memory and requests per second, first as
ratios to the document of 10 operations.

Options:
  --rounds <n>   how often everything is measured, 3 to 100 (default: 3)
  --spec <file>  a document of yours
  --path <path>  what to GET from it, a path that is answered 2xx
  -h, --help     display this help
`;

const CONNECTIONS = 8;
/** After a start there is more to compile and to collect, the bigger the document. */
const WARM_UP_SECONDS = 2;
const SECONDS = 1;
const FIGURES = [
  ['milliseconds', 'start to first answer, ms'],
  ['memory', 'peak memory, MiB'],
  ['rate', 'requests/s'],
  ['cpu', 'µs CPU/request'],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const run = async (options, folder) => ({ text: toText(options, await measureSizes(options, folder)) });
  process.exitCode = await runCommand({ help: HELP, readOptions, run });
}

/** Measures the documents, from files in `folder`: tables of `{ ratios, figures }`. */
export async function measureSizes(options, folder) {
  return toReport(await measure(toDocuments(options, folder), options, folder));
}

function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string', default: '3' },
      spec: { type: 'string' },
      path: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 3 || rounds > 100)
    throw new Error(`--rounds must be a whole number from 3 to 100, got "${values.rounds}"`);
  if ((values.spec === undefined) !== (values.path === undefined))
    throw new Error('--spec and --path belong together');
  return { ...values, rounds };
}

function toDocuments({ spec, path }, folder) {
  const generated = [
    ['10 operations', createDocument(10)],
    ['500 operations', createDocument(500)],
    ['2,000 operations', createDocument(2000)],
    ['2,000 in YAML', createDocument(2000), PROBED_PATH, toYaml],
    ['circular', createCircularDocument(1000)],
    ['deep', createDeepDocument(), DEEP_PATH],
  ].map(([title, document, probed = PROBED_PATH, write = toJson], index) => {
    const file = join(folder, `${index}.${write === toYaml ? 'yaml' : 'json'}`);
    writeFileSync(file, write(document));
    return { title, file, path: probed };
  });
  const all = spec === undefined ? generated : [...generated, { title: spec, file: resolve(spec), path }];
  return all.map((entry) => ({ ...entry, megabytes: statSync(entry.file).size / 1e6, samples: [] }));
}

function toJson(document) {
  return JSON.stringify(document, undefined, 1);
}

/** Every document, round by round: the starts, one at a time; then the loads, in turns. */
async function measure(documents, { rounds }, folder) {
  for (let round = 0; round < rounds; round += 1) {
    console.error(`documents: round ${round + 1} of ${rounds}`);
    await measureRound(documents, folder);
  }
  return documents;
}

async function measureRound(documents, folder) {
  const tasks = [];
  try {
    for (const document of documents) {
      const scenario = { method: 'GET', path: document.path, headers: {}, distinct: true };
      const child = await startServer(toServer(document.file), { folder }, scenario);
      const load = { port: child.port, scenario, connections: CONNECTIONS };
      tasks.push({ document, child, pid: child.pid, load, total: createTotal() });
    }
    const slices = toSlices(SECONDS);
    await inTurns(tasks, 1, (task) => addLoad(createTotal(), task, WARM_UP_SECONDS));
    await inTurns(tasks, slices, (task) => addLoad(task.total, task, SECONDS / slices));
    for (const { document, child, total } of tasks)
      document.samples.push({
        milliseconds: child.milliseconds,
        memory: readPeakMemory(child.pid),
        rate: total.answers / total.seconds,
        cpu: (total.cpuSeconds * 1e6) / total.answers,
      });
  } finally {
    await Promise.all(tasks.map(({ child }) => child.stop()));
  }
}

function toReport(documents) {
  const [first] = documents;
  const toTable = (title, toValue, digits) =>
    [
      toLine([title, 'MB', ...FIGURES.map(([, unit]) => unit)]),
      ...documents.map((document) => toRow(document, toValue, digits)),
    ].join('\n');
  return {
    ratios: toTable('ratio to the first', (sample, round, key) => sample[key] / first.samples[round][key], 2),
    figures: toTable('', (sample, _, key) => sample[key], 0),
  };
}

function toRow({ title, megabytes, samples }, toValue, digits) {
  const cells = FIGURES.map(([key]) =>
    toSummary(
      samples.map((sample, round) => toValue(sample, round, key)),
      (value) => value.toFixed(digits),
    ),
  );
  return toLine([title, megabytes.toFixed(1), ...cells]);
}

function toLine([title, size, ...cells]) {
  return [title.slice(-20).padEnd(21), size.padStart(6), '  ', ...cells.map((cell) => cell.padEnd(26))]
    .join('')
    .trimEnd();
}
