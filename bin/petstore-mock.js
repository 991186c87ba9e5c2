#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// Before the first regular expression is compiled: any that backtracks too much is matched in linear time from then on.
v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const program = fileURLToPath(new URL('../dist/petstore-mock.cjs', import.meta.url));
if (existsSync(program)) {
  const require = createRequire(import.meta.url);
  // What is compiled is kept for the next start. Node 20 cannot do that by itself.
  if (module.enableCompileCache) module.enableCompileCache();
  else require('./code-cache.cjs').keepCompiledCode(dirname(program));
  const { main } = require(program);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  console.error(`petstore-mock is not built yet. Run "npm ci && npm run build" in ${folder}`);
  process.exitCode = 1;
}
