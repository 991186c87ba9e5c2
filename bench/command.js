import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll } from './child.js';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/**
 * Runs a measurement as a command: `readOptions` reads its flags or throws an Error with a sentence about a wrong one, `run` gets
 * them with a folder for its files and gives the text to print, and whether it is `complete`. Resolves to the exit code.
 */
export async function runCommand({ help, readOptions, run }, argv = process.argv.slice(2)) {
  let options;
  try {
    options = readOptions(argv);
  } catch (error) {
    console.error(`${error.message}. See --help.`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  try {
    const { text, complete = true } = await run(options, createFolder());
    console.log(text);
    return complete ? 0 : 1;
  } catch (error) {
    console.error(`Nothing was measured: ${error.message}.`);
    return 1;
  }
}

/** What a part of a run that stands alone prints. */
export function toText({ rounds }, { ratios, figures }) {
  return `Medians of ${rounds} rounds (lowest - highest)\n\n${ratios}\n\n${figures}`;
}

/** A folder for the run, which goes, as every server does, however this process ends. */
function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-bench-'));
  process.once('exit', () => {
    killAll();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code));
  return folder;
}
