// Measures petstore-mock over collections of growing size; README.md says what and how.
import { copyFileSync, createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from './child.js';
import { runCommand, toText } from './command.js';
import { toSummary } from './figures.js';
import { readPeakMemory } from './process-stats.js';
import { OURS } from './servers.js';
import { addLoad, createTotal, inTurns, toSlices } from './turns.js';

const HELP = `Usage: node bench/entities.js [options]

Starts petstore-mock with 100 pets and with very many, and measures both in
turn. Prints server CPU per request and requests per second, first as ratios
to the 100.

Options:
  --rounds <n>    how often everything is measured, 3 to 100 (default: 3)
  --entities <n>  how many are very many (default: 1000000)
  -h, --help      display this help
`;

const FEW = 100;
const STATUSES = ['available', 'pending', 'sold'];
const CONNECTIONS = 8;
const WARM_UP_SECONDS = 1;
const SECONDS = 2;
const ACCEPT = { Accept: 'application/json' };
const FIGURES = [
  ['rate', 'requests/s', 0],
  ['cpu', 'µs CPU/request', 1],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const run = async (options, folder) => ({ text: toText(options, await measureEntities(options, folder)) });
  process.exitCode = await runCommand({ help: HELP, readOptions, run });
}

function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string', default: '3' },
      entities: { type: 'string', default: '1000000' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return {
    help: values.help,
    rounds: readNumber('rounds', values.rounds, 3, 100),
    entities: readNumber('entities', values.entities, FEW + 1, 10_000_000),
  };
}

function readNumber(name, text, least, most) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}, got "${text}"`);
}

/** The requests, POST last because it changes how many there are. */
function toScenarios(entities) {
  const body = JSON.stringify({ name: 'One more', categoryId: 1 });
  const json = { ...ACCEPT, 'Content-Type': 'application/json' };
  // Each is to be looked for anew.
  const get = (title, path) => ({ title, method: 'GET', path, headers: ACCEPT, distinct: true });
  return [
    get('GET item', `/pets/${entities / 2}`),
    get('GET first page', '/pets?limit=20'),
    get('GET last page', `/pets?limit=20&offset=${entities - 20}`),
    get('GET filtered page', `/pets?status=sold&limit=20&offset=${Math.floor(entities / 10)}`),
    get('GET sorted page', `/pets?sort=-name&limit=20&offset=${entities / 2}`),
    { title: 'POST', method: 'POST', path: '/pets', headers: json, body },
  ];
}

/** Measures both collections, from fixtures in `folder`: tables of `{ ratios, figures }`. */
export async function measureEntities({ rounds, entities }, folder) {
  const servers = [];
  for (const count of [FEW, entities]) {
    const fixtures = await writeFixtures(join(folder, String(count)), count);
    console.error(`starting with ${count} pets`);
    const server = {
      ...OURS,
      // The entities that the POSTs of many seconds leave are more than a client may usually make a mock hold.
      toArguments: (port) => [
        '--max-old-space-size=8192',
        ...OURS.toArguments(port),
        ...['--fixtures', fixtures, '--memory', '8192'],
      ],
    };
    const scenarios = toScenarios(count);
    const child = await startServer(server, { folder }, scenarios[0]);
    servers.push({ count, child, scenarios, samples: scenarios.map(() => []) });
  }
  for (let round = 0; round < rounds; round += 1) {
    console.error(`entities: round ${round + 1} of ${rounds}`);
    for (const index of servers[0].scenarios.keys()) await measureInTurns(servers, index);
  }
  const report = toReport(servers);
  await Promise.all(servers.map(({ child }) => child.stop()));
  return report;
}

/** Measures one scenario on all servers, and adds to their samples. */
async function measureInTurns(servers, index) {
  const tasks = servers.map(({ child, scenarios }) => ({
    pid: child.pid,
    load: { port: child.port, scenario: scenarios[index], connections: CONNECTIONS },
    total: createTotal(),
  }));
  await inTurns(tasks, 1, (task) => addLoad(createTotal(), task, WARM_UP_SECONDS));
  const slices = toSlices(SECONDS);
  await inTurns(tasks, slices, (task) => addLoad(task.total, task, SECONDS / slices));
  for (const [at, { total }] of tasks.entries()) {
    const { answers, seconds, cpuSeconds } = total;
    servers[at].samples[index].push({ rate: answers / seconds, cpu: (cpuSeconds * 1e6) / answers });
  }
}

/** Pets alone: the mock makes up the rest. */
async function writeFixtures(folder, count) {
  mkdirSync(folder);
  copyFileSync(new URL('../fixtures/categories.json', import.meta.url), join(folder, 'categories.json'));
  for (const name of ['inventory', 'orders']) writeFileSync(join(folder, `${name}.json`), '[]');
  const file = createWriteStream(join(folder, 'pets.json'));
  for (let id = 1; id <= count; id += 1) {
    const pet = { id, name: `Pet ${id}`, categoryId: (id % 6) + 1, status: STATUSES[id % STATUSES.length] };
    file.write(`${id === 1 ? '[' : ','}${JSON.stringify(pet)}\n`);
  }
  await new Promise((resolve) => file.end(']', resolve));
  return folder;
}

function toReport([few, many]) {
  const counts = [few, many].map(({ count }) => count.toLocaleString('en-US'));
  const toTable = (heading, toCells) =>
    [
      toLine(heading),
      ...few.scenarios.map(({ title }, index) =>
        toLine([title, ...FIGURES.flatMap(([key, , digits]) => toCells(index, key, digits))]),
      ),
    ].join('\n');
  const valuesOf = ({ samples }, index, key) => samples[index].map((sample) => sample[key]);
  const ratiosOf = (index, key) => {
    const base = valuesOf(few, index, key);
    return valuesOf(many, index, key).map((value, round) => value / base[round]);
  };
  const ratios = toTable(
    [`${counts[1]} : ${counts[0]}`, ...FIGURES.map(([, unit]) => unit)],
    (index, key) => [toFixed(ratiosOf(index, key), 2)],
  );
  const figures = toTable(
    ['', ...FIGURES.flatMap(([, unit]) => counts.map((count) => `${unit}, ${count}`))],
    (index, key, digits) => [few, many].map((server) => toFixed(valuesOf(server, index, key), digits)),
  );
  const memory = [few, many].map(({ child }) => String(Math.round(readPeakMemory(child.pid))));
  return { ratios, figures: `${figures}\n${toLine(['peak memory, MiB', ...memory])}` };
}

function toFixed(values, digits) {
  return toSummary(values, (value) => value.toFixed(digits));
}

function toLine([title, ...cells]) {
  return [title.padEnd(20), ...cells.map((cell) => cell.padEnd(28))].join('').trimEnd();
}
