// Measures petstore-mock beside a bare node:http server and Prism; README.md says what and how.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll } from './child.js';
import { createFigures } from './figures.js';
import { estimateSeconds, measureRound, rehearse } from './measure.js';
import { HELP, readOptions } from './options.js';
import { toReport } from './report.js';
import { checkInstalled } from './servers.js';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

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
  const figures = createFigures(options.rounds);
  console.error(`This takes about ${Math.ceil(estimateSeconds(options) / 60)} minutes. Ctrl+C stops it.`);
  const working = await rehearse(context, figures);
  const servers = working.map(({ server }) => server);
  for (let round = 0; round < options.rounds; round += 1) {
    console.error(`round ${round + 1} of ${options.rounds}`);
    await measureRound(rotate(servers, round), context, options, figures);
  }
  console.log(toReport({ figures, working, options }));
  return figures.reasons().length === 0 ? 0 : 1;
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

/** No server is the first one in every round. */
function rotate(servers, round) {
  const first = round % servers.length;
  return [...servers.slice(first), ...servers.slice(0, first)];
}
