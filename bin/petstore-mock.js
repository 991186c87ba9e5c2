#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// Before the first regular expression is compiled: any that backtracks too much is matched in linear time from then on.
v8.setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

// Where Node can keep what it has compiled, the next start is quicker.
module.enableCompileCache?.();
const { main } = await import('../dist/cli.js');
process.exitCode = await main(process.argv.slice(2));
