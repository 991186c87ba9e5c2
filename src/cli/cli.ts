import { Command, CommanderError, Option } from 'commander';
import { isUrl } from '../document/document.ts';
import type { Mock } from '../mock.ts';
import { readVersion } from '../package-files.ts';
import { SetupError } from '../problem.ts';
import type { Settings } from '../service/service.ts';
import { COMMAND_OPTIONS } from '../service/service.ts';
import { addAgainst } from './against.ts';
import {
  toIgnoredEntry,
  toNotesEntry,
  toNoticeEntry,
  toReloadEntry,
  toReloadFailureEntry,
  toStartEntry,
  toUnusedArgumentsEntry,
  toWarningsEntry,
  withExplainHint,
} from './announce.ts';
import { type CheckSettings, runCheck } from './check.ts';
import { type Config, type ConfigSources, loadConfig } from './config.ts';
import { readCommandDocument, readDocument } from './document-argument.ts';
import { runExec } from './exec.ts';
import { splitExec } from './exec-arguments.ts';
import { addExec } from './exec-flags.ts';
import { explain } from './explain.ts';
import { FLAGS, givenFlags } from './flags.ts';
import { HELP_END } from './help.ts';
import {
  closeWithNotice,
  isColored,
  listenForKeys,
  openOverview,
  processTerminal,
  type Terminal,
} from './terminal.ts';

export type { Terminal } from './terminal.ts';

import { loadMock, loadSettings, printWarnings, toMockOptions } from './load-mock.ts';
import { createLog, type LogEntry, toFailureEntry } from './log.ts';
import { translateArguments } from './prism-arguments.ts';
import { REPORT_FORMATS } from './report.ts';
import { formatResources, formatRoutes } from './routes.ts';
import { toSetupMessage, toUsageMessage } from './setup-message.ts';
import { type Watcher, watchFiles } from './watch.ts';

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

function buildProgram(
  terminal: Terminal,
  { ignored, command }: GivenArguments,
  exit: (code: number) => void,
): Command {
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
  program.action(() => {
    return runServer(terminal, { ...givenFlags(program), ...readDocument(program) }, ignored);
  });
  program
    .command('routes')
    .argument('[document...]', 'the document, like --spec')
    .description('list the operations, with marks on deprecated and unstable ones')
    .option(
      '--resources',
      'list the resources instead, with their keys, their actions and why they have state, and the operations without state',
    )
    .action((words: string[], { resources = false }: { resources?: boolean }) =>
      printRoutes(terminal, flagsOf(program, 'routes', words), resources ? formatResources : formatRoutes),
    );
  addAgainst(program.command('check'))
    .argument('[document...]', 'the document, like --spec')
    .description('check that every answer conforms to the document; exit with 1 if one does not')
    .addOption(
      new Option('--format <format>', 'the format of the report').choices(REPORT_FORMATS).default('table'),
    )
    .option('--output <file>', 'write the report to a file and print only its last line')
    .action(async (words: string[], wanted: CheckSettings) => {
      if (!(await runCheck(terminal, () => flagsOf(program, 'check', words), wanted))) exit(1);
    });
  addExec(program, command, async (words, options) =>
    exit(await runExec(terminal, flagsOf(program, 'exec', words), command, options)),
  );
  program
    .command('explain')
    .allowExcessArguments(false)
    .description(
      'explain a code from the output, with an example and the remedy; without one, list all codes',
    )
    .argument('[code]', 'the code, such as reference-dangling')
    .action((code: string | undefined) => terminal.out(`${explain(code)}\n`));
  return program;
}

/** The flags of a command, with the document among its words. */
function flagsOf(program: Command, name: string, words: readonly string[]): Record<string, unknown> {
  return { ...givenFlags(program), ...readCommandDocument(program, name, words) };
}

async function runServer(
  terminal: Terminal,
  flags: Record<string, unknown>,
  ignored: readonly string[],
): Promise<void> {
  // Listen for signals first, so that one that arrives during startup also ends the server in good order.
  const stopped = terminal.stopped();
  const sources = { flags, env: terminal.env, cwd: terminal.cwd };
  const config = await loadConfig(sources);
  const { settings } = config;
  const { log, logExchange } = createLog(
    {
      level: settings.logLevel,
      format: settings.logFormat,
      color: settings.color && isColored(terminal),
    },
    terminal.out,
  );
  const ignoredEntries = withExplainHint([toIgnoredEntry(config.warnings)]);
  ignoredEntries.forEach(log);
  const mock = await loadMock(terminal, settings, {
    ...toMockOptions(settings),
    ...(logExchange && { onExchange: logExchange }),
    onNotice: (notice) => log(toNoticeEntry(notice)),
    onError: (error) => log(toFailureEntry(error)),
  });
  const watcher = settings.watch ? await watch(mock, config, sources, log) : undefined;
  try {
    const { url } = await mock.listen({ port: settings.port, host: settings.host });
    log(toUnusedArgumentsEntry(ignored));
    withExplainHint([toNotesEntry(mock), toWarningsEntry(mock)], ignoredEntries.length > 0).forEach(log);
    const open = () => openOverview(terminal, url);
    const quit = listenForKeys(terminal, settings, { open, reset: mock.reset });
    const hint = quit && `Ctrl+C stops it. ${quit.hint}`;
    log(toStartEntry(mock, readVersion(), url, { cwd: terminal.cwd, ...(hint && { hint }) }));
    if (settings.open) await open();
    await Promise.race([stopped, ...(quit ? [quit.pressed] : [])]);
    quit?.release();
  } finally {
    await watcher?.close();
    await closeWithNotice(mock, log);
  }
}

async function watch(
  mock: Mock,
  config: Config,
  sources: ConfigSources,
  log: (entry: LogEntry | undefined) => void,
): Promise<Watcher> {
  const reload = async () => {
    try {
      const { settings, file } = await loadConfig(sources);
      const options = toMockOptions(settings);
      // Watch these even if they fail to load: the next edit may correct them.
      const named = [options.spec, options.fixtures].filter(
        (path) => typeof path === 'string' && !isUrl(path),
      );
      watcher.watch([...new Set([...filesToWatch(mock, file), ...(named as string[])])]);
      const dropped = await mock.reload(options);
      watcher.watch(filesToWatch(mock, file));
      log(toReloadEntry(mock, dropped, findFixed(config.settings, settings)));
      withExplainHint([toNotesEntry(mock), toWarningsEntry(mock)]).forEach(log);
    } catch (error) {
      log(toReloadFailureEntry(error));
    }
  };
  // Reload one after the other, so that a slow reload cannot overwrite a later one.
  let last: Promise<void> = Promise.resolve();
  const watcher = await watchFiles(filesToWatch(mock, config.file), {
    onChange: () => {
      last = last.then(reload);
    },
    onError: (error) => log(toReloadFailureEntry(error)),
  });
  return watcher;
}

function filesToWatch({ files }: Mock, configFile: string | undefined): string[] {
  return configFile === undefined ? [...files] : [...files, configFile];
}

/** The names of the settings that changed, but take effect only after a restart. */
function findFixed(before: Settings, after: Settings): string[] {
  const fixed = COMMAND_OPTIONS.filter((option) => option.fixed).map(({ name }) => name);
  return fixed.filter((name) => before[name as keyof Settings] !== after[name as keyof Settings]);
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
  terminal.out(`${format(mock)}\n`);
}
