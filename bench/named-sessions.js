// Measures the named sessions of a mock: what one costs, and requests with and without a name; README.md says what and how.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from './command.js';
import { toSummary } from './figures.js';

const HELP = `Usage: node --expose-gc bench/named-sessions.js [options]

Begins 9,000 sessions over 1,000 entities, by a look at the journal, a GET and
a POST, and prints bytes and CPU time for each. Then sends the same requests
with and without the name of a session.

Options:
  --rounds <n>  how often everything is measured, 3 to 100 (default: 3)
  -h, --help    display this help
`;

const SESSIONS = 9_000;
const ENTITIES = 1_000;
const WARM_UP = 500;
const REQUESTS = 8_000;

/** A document with one resource, so that a POST changes nothing else. */
const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, group: { type: 'integer' } },
};
const json = (schema) => ({ content: { 'application/json': { schema } } });
const answer = (status, schema) => ({ responses: { [status]: { description: 'Fine', ...json(schema) } } });
const SPEC = {
  openapi: '3.0.3',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: {
        parameters: ['limit', 'group'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        ...answer(200, { type: 'array', items: THING }),
      },
      post: { requestBody: json({ ...THING, required: ['name'] }), ...answer(201, THING) },
    },
    '/things/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        ...answer(200, THING),
      },
    },
  },
};
const POST = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"New"}' };

const BEGINNINGS = [
  ['begin', async (session) => session.journal],
  ['begin, GET', (session) => session.fetch('/things/7')],
  ['begin, POST', (session) => session.fetch('/things', POST)],
];
const REQUEST_KINDS = [
  ['item', (index, headers) => [`/things/${1 + (index % 900)}?x=${index}`, { headers }]],
  ['list of 20', (index, headers) => [`/things?limit=20&x=${index}`, { headers }]],
  ['POST', (_, headers) => ['/things', { ...POST, headers: { ...POST.headers, ...headers } }]],
];

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await runCommand({ help: HELP, readOptions, run });

function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: { rounds: { type: 'string', default: '3' }, help: { type: 'boolean', short: 'h' } },
  });
  if (!values.help && globalThis.gc === undefined) throw new Error('Start node with --expose-gc');
  return { ...values, rounds: Number(values.rounds) };
}

async function run({ rounds }) {
  const { createMock } = await import('../dist/index.js');
  const things = Array.from({ length: ENTITIES }, (_, at) => ({
    id: at + 1,
    name: `Thing ${at}`,
    group: at % 6,
  }));
  const open = () => createMock({ spec: SPEC, fixtures: { things } });
  const lines = [];
  for (const [title, begin] of BEGINNINGS) {
    const samples = await repeat(rounds, async () => measureBeginning(await open(), begin));
    lines.push(`${title.padEnd(16)}${show(samples, 'bytes')} bytes  ${show(samples, 'time')} µs`);
  }
  for (const [title, toRequest] of REQUEST_KINDS) {
    const samples = await repeat(rounds, async () => ({ ratio: await compareRates(open, toRequest) }));
    lines.push(`${title.padEnd(16)}CPU time with a session, of that without: ${show(samples, 'ratio', 2)}`);
  }
  return { text: lines.join('\n') };
}

async function repeat(rounds, measure) {
  const samples = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await measure());
  return samples;
}

function show(samples, name, digits = 0) {
  return toSummary(
    samples.map((sample) => sample[name]),
    (value) => value.toFixed(digits),
  );
}

async function measureBeginning(mock, begin) {
  for (let index = 0; index < WARM_UP; index += 1) await begin(mock.session(`warm-${index}`));
  const before = heapUsed();
  const { user, system } = process.cpuUsage();
  for (let index = 0; index < SESSIONS; index += 1) await begin(mock.session(`s-${index}`));
  const after = process.cpuUsage();
  const time = (after.user + after.system - user - system) / SESSIONS;
  const bytes = (heapUsed() - before) / SESSIONS;
  await mock.close();
  return { bytes, time };
}

async function compareRates(open, toRequest) {
  const mock = await open();
  const spend = async (headers) => {
    const { user, system } = process.cpuUsage();
    for (let index = 0; index < REQUESTS; index += 1) await mock.fetch(...toRequest(index, headers));
    const after = process.cpuUsage();
    return after.user + after.system - user - system;
  };
  const [other, named] = [{ 'X-Other': 'one' }, { 'X-Mock-Session': 'one' }];
  const spent = new Map([
    [other, 0],
    [named, 0],
  ]);
  // Whatever comes second meets the garbage of the first.
  for (const headers of [other, named, other, named, named, other, other, named, named, other]) {
    const time = await spend(headers);
    spent.set(headers, spent.get(headers) + time);
  }
  await mock.close();
  return spent.get(named) / spent.get(other);
}

function heapUsed() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
