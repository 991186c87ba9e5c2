// Measures the store alone: many clones, and very many entities; README.md says what and how.
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand } from './command.js';
import { toSummary } from './figures.js';

const HELP = `Usage: node --expose-gc bench/sessions.js [options]

Clones a store of 1,000 entities 10,000 times, reads and writes one entity of
each clone, and prints bytes and time for a clone. Then measures the store
with very many entities beside a Map, or beside the store of another checkout.

Options:
  --rounds <n>        how often everything is measured, 3 to 100 (default: 3)
  --entities <n>      how many are very many (default: 1000000)
  --against <folder>  another checkout of the project, measured in turn
  -h, --help          display this help
`;

const CLONES = 10_000;
const FEW = 1_000;
const INDEXES = ['status', 'categoryId', 'ownerId'];
const STATUSES = ['available', 'pending', 'sold'];
const READS = 100_000;

const CHANGES = [
  ['clone, read', () => undefined],
  ['clone, read and change', (pets, id) => pets.put(String(id), { ...pets.get(String(id)), name: 'New' })],
  ['clone, read and create', (pets) => pets.put(String(pets.nextKey()), toPet(FEW + 1))],
];

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await runCommand({ help: HELP, readOptions, run });

function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string', default: '3' },
      entities: { type: 'string', default: '1000000' },
      against: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (!values.help && globalThis.gc === undefined) throw new Error('Start node with --expose-gc');
  return { ...values, rounds: Number(values.rounds), entities: Number(values.entities) };
}

async function run({ rounds, entities, against }, folder) {
  const ours = await loadStore(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'ours.mjs'));
  const other = against && (await loadStore(resolve(against), join(folder, 'other.mjs')));
  const clones = measureClones(ours);
  const samples = new Map();
  for (let round = 0; round < rounds; round += 1) {
    console.error(`sessions: round ${round + 1} of ${rounds}`);
    const stores = [ours, ...(other ? [other] : [])];
    // Whatever comes second meets the garbage of the first.
    if (round % 2 === 1) stores.reverse();
    for (const store of stores) {
      for (const [name, value] of measureMany(store, entities)) {
        const of = samples.get(name) ?? new Map();
        samples.set(name, of.set(store, [...(of.get(store) ?? []), value]));
      }
    }
  }
  return { text: `${clones}\n\n${toTable(samples, ours, other, entities)}` };
}

/** The store of a checkout, bundled into one file. */
async function loadStore(root, outfile) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(root, 'src/state/store/store.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const { createStore, diff } = await import(pathToFileURL(outfile).href);
  return {
    diff,
    open(indexes = INDEXES) {
      const store = createStore([{ name: 'pets', indexes }]);
      // What was a store once held sessions.
      return store.session?.() ?? store;
    },
  };
}

function toPet(id) {
  return { id, name: `Pet ${id}`, status: STATUSES[id % 3], categoryId: id % 6, ownerId: id % 1000 };
}

/** The CPU time of an action in nanoseconds, which other work on the machine disturbs less than the clock. */
function timeOf(action) {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

function heapUsed() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function measureClones({ open }) {
  const store = open();
  for (let id = 1; id <= FEW; id += 1) store.collection('pets').put(String(id), toPet(id));
  const lines = CHANGES.map(([title, change]) => {
    const clones = new Array(CLONES);
    const before = heapUsed();
    const time = timeOf(() => {
      for (let index = 0; index < CLONES; index += 1) {
        const clone = store.clone();
        const pets = clone.collection('pets');
        const id = 1 + ((index * 7919) % FEW);
        if (pets.get(String(id)).id !== id) throw new Error(`Pet ${id} is wrong`);
        change(pets, id);
        clones[index] = clone;
      }
    });
    const bytes = (heapUsed() - before) / clones.length;
    return toLine([title, `${Math.round(bytes)} bytes`, `${(time / CLONES / 1000).toFixed(1)} µs`]);
  });
  return [`${CLONES} clones of ${FEW} entities with ${INDEXES.length} indexes`, ...lines].join('\n');
}

/** Nanoseconds for one of each. */
function* measureMany(store, entities) {
  yield* measureKeys(store, entities, 'integer keys', (id) => String(id));
  yield* measureKeys(store, entities, 'text keys', (id) => `pet-${(id * 7919) % entities}`);
  yield* measurePages(store, entities);
  const map = new Map();
  for (let id = 1; id <= entities; id += 1) map.set(String(id), id);
  yield ['get of a Map', each(toSome(entities), (id) => map.get(String(id)))];
}

function* measureKeys({ open, diff }, entities, kind, toKey) {
  const empty = heapUsed();
  const store = open();
  const pets = store.collection('pets');
  const some = toSome(entities);
  yield [`${kind}: create`, fill(pets, entities, toKey)];
  yield [`${kind}: bytes an entity`, (heapUsed() - empty) / entities];
  yield [`${kind}: get`, each(some, (id) => pets.get(toKey(id)))];
  yield [`${kind}: change`, each(some, (id) => pets.put(toKey(id), toPet(id)))];
  if (store.clone) {
    const change = (clone, id) => clone.collection('pets').put(toKey(id), toPet(id));
    yield [`${kind}: clone and change`, each(some, (id) => change(store.clone(), id))];
    const before = store.snapshot();
    change(store, 7);
    const after = store.snapshot();
    yield [`${kind}: diff of one change`, each(some.slice(0, 1000), () => [...diff(before, after)])];
  }
  yield [`${kind}: delete`, each(some, (id) => pets.delete(toKey(id)))];
}

function* measurePages({ open }, entities) {
  const pets = open().collection('pets');
  fill(pets, entities, String);
  const some = toSome(entities);
  const take = (found, start) => found.slice(start, start + 20);
  yield ['page of 20', each(some, (id) => take(pets.all(), id))];
  yield ['last page of 20', each(some, () => take(pets.all(), entities - 20))];
  yield [
    'page of 20 that are sold',
    each(some, (id) => take(pets.having('status', 'sold'), Math.floor(id / 3))),
  ];
  yield ['page of 20 of an owner', each(some, (id) => take(pets.having('ownerId', String(id % 1000)), 40))];
  const walk = () => {
    for (const pet of pets.values()) if (!pet) throw new Error('A pet is missing');
  };
  yield ['walk over all', each([1, 2, 3], walk) / entities];
}

function fill(pets, entities, toKey) {
  const all = () => {
    for (let id = 1; id <= entities; id += 1) pets.put(toKey(id), toPet(id));
  };
  return timeOf(all) / entities;
}

function each(ids, action) {
  const all = () => {
    for (const id of ids) action(id);
  };
  return timeOf(all) / ids.length;
}

function toSome(entities) {
  return Array.from({ length: READS }, (_, index) => 1 + ((index * 48_271) % entities));
}

function toTable(samples, ours, other, entities) {
  const lines = [...samples].map(([name, of]) => {
    const [values, others] = [of.get(ours), of.get(other)];
    const digits = name.includes('walk') ? 1 : 0;
    const ratios = others && values?.map((value, round) => value / others[round]);
    return toLine([
      name,
      ...[values, others].map((each) => (each ? toSummary(each, (value) => value.toFixed(digits)) : '')),
      ratios ? toSummary(ratios, (value) => value.toFixed(2)) : '',
    ]);
  });
  const heading = [`${entities} entities`, 'ns', ...(other ? ['ns, the other', 'ratio'] : [])];
  return [toLine(heading), ...lines].join('\n');
}

function toLine([title, ...cells]) {
  return [title.padEnd(34), ...cells.map((cell) => cell.padEnd(24))].join('').trimEnd();
}
