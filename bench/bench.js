// Measures everything, and writes it to RESULTS.md; README.md says what and how.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.js';
import { measureEntities } from './entities.js';
import { estimateSeconds } from './measure.js';
import { HELP, readOptions } from './options.js';
import { measureRequests } from './requests.js';
import { toMachine, toResults } from './results.js';
import { checkInstalled } from './servers.js';
import { measureSizes } from './sizes.js';

const RESULTS = new URL('RESULTS.md', import.meta.url);

const PARTS = [
  { title: 'Beside its peers', run: measureRequests },
  { title: 'Documents of growing size', run: (options, { folder }) => measureSizes(options, folder) },
  { title: 'Collections of growing size', run: (options, { folder }) => measureEntities(options, folder) },
];

process.exitCode = await runCommand({ help: HELP, readOptions, run: measure });

async function measure(options, folder) {
  checkInstalled();
  const context = { folder, answers: join(folder, 'answers.json') };
  const machine = toMachine();
  console.error(`This takes about ${Math.ceil(estimateSeconds(options) / 60)} minutes. Ctrl+C stops it.`);
  const parts = [];
  for (const { title, run } of PARTS)
    parts.push({ title, ...(await attempt(title, () => run(options, context))) });
  const text = toResults(parts, machine, options);
  writeFileSync(RESULTS, text);
  return { text, complete: parts.every(({ complete }) => complete) };
}

/** A part that fails leaves the others their figures. */
async function attempt(title, run) {
  try {
    return { complete: true, ...(await run()) };
  } catch (error) {
    return { complete: false, notes: `Not measured: ${title}: ${error.message}` };
  }
}
