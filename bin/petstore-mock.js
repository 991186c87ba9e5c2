#!/usr/bin/env node
import module from 'node:module';

// Where Node can keep what it has compiled, the next start is quicker.
module.enableCompileCache?.();
const { main } = await import('../dist/cli.js');
process.exitCode = await main(process.argv.slice(2));
