import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from '../base/problem.ts';
import { mergeCoverage, readShards } from '../mock/coverage/coverage.ts';
import { splitCommandLine } from './exec-arguments.ts';
import { checkNames, toEnvironment } from './exec-environment.ts';
import { type ExecMock, startExecMock } from './exec-mock.ts';
import { readFailOn, toExecReport } from './exec-report.ts';
import { listenForSignals, type Signals } from './exec-signals.ts';
import { type Program, runProgram, toSignalCode } from './run-program.ts';
import { settleCoverage } from './settle-coverage.ts';
import { toSetupMessage } from './setup-message.ts';
import type { Terminal } from './terminal.ts';

/** The options of `exec` beside those of a server. */
export interface ExecOptions {
  /** Further variables for the URL. */
  readonly env?: readonly string[];
  readonly failOn: string;
  /** Whether every word of the command is a command line of its own. */
  readonly parallel?: boolean;
}

/**
 * Runs a command against a mock of its own, and reports how it uses the contract. Resolves to the exit code: that of the command, or 1
 * if it is 0 and the report fails.
 */
export async function runExec(
  terminal: Terminal,
  flags: Readonly<Record<string, unknown>>,
  command: readonly string[],
  { env: names = [], failOn, parallel = false }: ExecOptions,
): Promise<number> {
  // Listen for signals first, so that one that arrives during startup also counts.
  const signals = listenForSignals(terminal);
  let mock: ExecMock['mock'] | undefined;
  const shards = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
  try {
    const failing = readFailOn(failOn);
    checkNames(names);
    const commands = parallel ? toSessions(command) : [{ words: command, path: '' }];
    const started = await startExecMock(terminal, flags);
    mock = started.mock;
    const programs = commands.map(({ words, path }) => {
      const url = path === '' ? started.url : `${started.url}${started.settings.controlPath}${path}`;
      return { words, env: toEnvironment(terminal, url, names, shards), cwd: terminal.cwd, reads: !parallel };
    });
    if (signals.first !== undefined) return toSignalCode(signals.first);
    const ends = await runAll(programs, signals);
    const errors = ends.filter((end) => end instanceof SetupError);
    for (const error of errors) terminal.err(`${toSetupMessage(error)}\n`);
    if (errors.length === ends.length) return toCode(errors[0]);
    const own = mock.coverage();
    // Tests may have had mocks of their own, in their processes.
    const report = mergeCoverage([own, ...(await readShards(shards, own.document.title))]);
    const { text, failed } = toExecReport(report, failing);
    terminal.err(`${text}\n`);
    const isEnough = await settleCoverage(report, started.settings, terminal);
    return ends.map(toCode).find(isFailure) ?? (failed || !isEnough ? 1 : 0);
  } finally {
    signals.release();
    await mock?.close();
    await rm(shards, { recursive: true, force: true });
  }
}

type End = number | SetupError;

/** Runs programs side by side. Resolves to the exit code of each, or to the reason why it did not start. */
async function runAll(programs: readonly Program[], signals: Signals): Promise<End[]> {
  const running = await Promise.all(programs.map(runProgram));
  signals.forwardTo(running);
  return await Promise.all(
    running.map(({ ended }) =>
      ended.catch((error: unknown) => {
        if (error instanceof SetupError) return error;
        throw error;
      }),
    ),
  );
}

/** The exit code, as shells give it for a program that they cannot start. */
function toCode(end: End | undefined): number {
  if (typeof end === 'number') return end;
  return end?.code === 'command-missing' ? 127 : 126;
}

function isFailure(code: number): boolean {
  return code !== 0;
}

/** Splits command lines, and gives each a session that is named after it. */
function toSessions(lines: readonly string[]): { readonly words: string[]; readonly path: string }[] {
  const used = new Set(['default']);
  return lines.map((line) => {
    const name = line
      .replace(/[^\w.~-]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, MOST_CHARACTERS);
    let unique = name;
    for (let number = 2; unique === '' || used.has(unique); number += 1) unique = `${name}-${number}`;
    used.add(unique);
    return { words: splitCommandLine(line), path: `/sessions/${unique}` };
  });
}

/** Leaves room for a number. */
const MOST_CHARACTERS = 100;
