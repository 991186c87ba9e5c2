#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// Before the first regular expression is compiled: any that backtracks too much is matched in linear time from then on.
v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

// Where Node can keep what it has compiled, the next start is quicker.
module.enableCompileCache?.();

const program = fileURLToPath(new URL('../dist/petstore-mock.cjs', import.meta.url));
if (existsSync(program)) {
  const { main } = createRequire(import.meta.url)(program);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  console.error(`petstore-mock is not built yet. Run "npm ci && npm run build" in ${folder}`);
  process.exitCode = 1;
}
