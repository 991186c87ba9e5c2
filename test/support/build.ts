import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the program before all tests, if something has changed: many of them start the command, or load what the build prepares. */
export function setup(): void {
  execFileSync(process.execPath, ['build.js'], { cwd: ROOT, stdio: 'inherit' });
}
