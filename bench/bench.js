// Measures everything, and writes it to RESULTS.md; README.md says what and how.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll } from './child.js';
import { measureEntities } from './entities.js';
import { estimateSeconds } from './measure.js';
import { HELP, readOptions } from './options.js';
import { measureRequests } from './requests.js';
import { toMachine, toResults } from './results.js';
import { checkInstalled } from './servers.js';
import { measureSizes } from './sizes.js';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const RESULTS = new URL('RESULTS.md', import.meta.url);

const PARTS = [
  { title: 'Beside its peers', run: measureRequests },
  { title: 'Documents of growing size', run: (options, { folder }) => measureSizes(options, folder) },
  { title: 'Collections of growing size', run: (options, { folder }) => measureEntities(options, folder) },
];

process.exitCode = await main(process.argv.slice(2));

async function main(argv) {
  let options;
  try {
    options = readOptions(argv);
  } catch (error) {
    console.error(`${error.message}. See --help.`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    checkInstalled();
    return await measure(options);
  } catch (error) {
    console.error(`Nothing was measured: ${error.message}.`);
    return 1;
  }
}

async function measure(options) {
  const context = createContext();
  const machine = toMachine();
  console.error(`This takes about ${Math.ceil(estimateSeconds(options) / 60)} minutes. Ctrl+C stops it.`);
  const parts = [];
  for (const { title, run } of PARTS)
    parts.push({ title, ...(await attempt(title, () => run(options, context))) });
  const results = toResults(parts, machine, options);
  writeFileSync(RESULTS, results);
  console.log(results);
  return parts.every(({ complete }) => complete) ? 0 : 1;
}

/** A part that fails leaves the others their figures. */
async function attempt(title, run) {
  try {
    return { complete: true, ...(await run()) };
  } catch (error) {
    return { complete: false, notes: `Not measured: ${title}: ${error.message}` };
  }
}

/** A folder for the run, which goes, as every server does, however this process ends. */
function createContext() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-bench-'));
  process.once('exit', () => {
    killAll();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code));
  return { folder, answers: join(folder, 'answers.json') };
}
