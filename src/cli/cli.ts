import { Command, CommanderError, Option } from 'commander';
import { escapeControlsInLines } from '../base/printable.ts';
import { SetupError } from '../base/problem.ts';
import type { Mock } from '../mock/mock.ts';
import { readVersion } from '../package-files.ts';
import { addAgainst } from './against.ts';
import type { CheckSettings } from './check.ts';
import { readCommandDocument, readDocument } from './document-argument.ts';
import { splitExec } from './exec-arguments.ts';
import { addExec } from './exec-flags.ts';
import { FLAGS, givenFlags } from './flags.ts';
import { HELP_END } from './help.ts';
import { processTerminal, type Terminal } from './terminal.ts';

export type { Terminal } from './terminal.ts';

import { loadMock, loadSettings, printWarnings, toMockOptions } from './load-mock.ts';
import { translateArguments } from './prism-arguments.ts';
import { REPORT_FORMATS } from './report.ts';
import { runServer } from './run-server.ts';
import { toSetupMessage, toUsageMessage } from './setup-message.ts';

/** Runs the command. Resolves to its exit code: 0, 1 for a document, fixtures or a port that cannot be used, 2 for wrong usage. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  try {
    let code = 0;
    const exec = splitExec(argv);
    const { argv: words, ignored } = translateArguments(exec?.argv ?? argv);
    const program = buildProgram(terminal, { ignored, command: exec?.command ?? [] }, (ended) => {
      code = ended;
    });
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof SetupError) {
      terminal.err(`${toSetupMessage(error)}\n`);
      return error.usage ? 2 : 1;
    }
    terminal.err(
      `petstore-mock crashed. This is a bug in petstore-mock itself.\n${(error as Error).stack}\n`,
    );
    return 1;
  }
}

interface GivenArguments {
  /** The flags of Prism that change nothing here. */
  readonly ignored: readonly string[];
  /** The command of `exec`. */
  readonly command: readonly string[];
}

/** A program with everything that its commands need. */
interface ProgramParts extends GivenArguments {
  readonly program: Command;
  readonly terminal: Terminal;
  /** Sets the exit code. */
  readonly exit: (code: number) => void;
}

function buildProgram(terminal: Terminal, given: GivenArguments, exit: (code: number) => void): Command {
  const program = new Command('petstore-mock')
    .description('Serves a mock of the pet store, or of any OpenAPI document: real state, real errors.')
    .version(readVersion())
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => write(toUsageMessage(text)),
    })
    .configureHelp({
      subcommandTerm: (command) => `${command.name()} [${command.registeredArguments[0]?.name()}]`,
    })
    .exitOverride()
    .showHelpAfterError('Run "petstore-mock --help" for a list of all commands and options.')
    .addHelpText('after', HELP_END)
    .allowExcessArguments();
  for (const { flag } of FLAGS) program.addOption(flag);
  program.action(async () => {
    const flags = { ...givenFlags(program), ...readDocument(program) };
    if (!(await runServer(terminal, flags, given.ignored))) exit(1);
  });
  for (const add of [addRoutes, addCheck, addRunner, addReport, addExplain])
    add({ ...given, program, terminal, exit });
  return program;
}

function addRoutes({ program, terminal }: ProgramParts): void {
  program
    .command('routes')
    .argument('[document...]', 'the document, like --spec')
    .description('list the operations, with marks on deprecated and unstable ones')
    .option(
      '--resources',
      'list the resources instead, with their keys, their actions and why they have state, and the operations without state',
    )
    .action(async (words: string[], { resources = false }: { resources?: boolean }) => {
      const { formatResources, formatRoutes } = await import('./routes.ts');
      await printRoutes(
        terminal,
        flagsOf(program, 'routes', words),
        resources ? formatResources : formatRoutes,
      );
    });
}

function addCheck({ program, terminal, exit }: ProgramParts): void {
  addAgainst(program.command('check'))
    .argument('[document...]', 'the document, like --spec')
    .description('check that every answer conforms to the document; exit with 1 if one does not')
    .addOption(
      new Option('--format <format>', 'the format of the report').choices(REPORT_FORMATS).default('table'),
    )
    .option('--output <file>', 'write the report to a file and print only its last line')
    .action(async (words: string[], wanted: CheckSettings) => {
      const { runCheck } = await import('./check.ts');
      if (!(await runCheck(terminal, () => flagsOf(program, 'check', words), wanted))) exit(1);
    });
}

function addRunner({ program, terminal, command, exit }: ProgramParts): void {
  addExec(program, command, async (words, options) => {
    const { runExec } = await import('./exec.ts');
    exit(await runExec(terminal, flagsOf(program, 'exec', words), command, options));
  });
}

function addReport({ program, terminal, exit }: ProgramParts): void {
  program
    .command('report')
    .argument('<files...>', 'the reports, which --report has written as .json')
    .description(
      'merge the coverage of several runs, such as shards; print it, and write it where --report says',
    )
    .action(async (files: string[]) => {
      const { mergeReports } = await import('./merge-reports.ts');
      if (!(await mergeReports(terminal, givenFlags(program), files))) exit(1);
    });
}

function addExplain({ program, terminal }: ProgramParts): void {
  program
    .command('explain')
    .allowExcessArguments(false)
    .description(
      'explain a code from the output, with an example and the remedy; without one, list all codes',
    )
    .argument('[code]', 'the code, such as reference-dangling')
    .action(async (code: string | undefined) => {
      const { explain } = await import('./explain.ts');
      terminal.out(`${explain(code)}\n`);
    });
}

/** The flags of a command, with the document among its words. */
function flagsOf(program: Command, name: string, words: readonly string[]): Record<string, unknown> {
  return { ...givenFlags(program), ...readCommandDocument(program, name, words) };
}

async function printRoutes(
  terminal: Terminal,
  flags: Record<string, unknown>,
  format: (mock: Mock) => string,
): Promise<void> {
  const settings = await loadSettings(terminal, flags);
  // No entity is shown, so none is read.
  const { fixtures: _, state: __, ...options } = toMockOptions(settings);
  const mock = await loadMock(terminal, settings, { ...options, empty: true });
  printWarnings(terminal, mock.warnings);
  terminal.out(`${escapeControlsInLines(format(mock))}\n`);
}
