import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import {
  formatResources,
  formatRoutes,
  toNotesEntry,
  toReloadEntry,
  toReloadFailureEntry,
  toStartEntry,
} from './cli/announce.ts';
import { type CheckSettings, runCheck } from './cli/check.ts';
import { type Config, type ConfigSources, loadConfig } from './cli/config.ts';
import { EXAMPLES } from './cli/help.ts';
import { createLog, type LogEntry } from './cli/log.ts';
import { OPTIONS, type Settings } from './cli/options.ts';
import { REPORT_FORMATS } from './cli/report.ts';
import { type Watcher, watchFiles } from './cli/watch.ts';
import { createMock, type Mock } from './mock.ts';
import { SetupError } from './problem.ts';
import { isUrl } from './source.ts';
import type { WorldOptions } from './world.ts';

/** What the command line has to do with the world outside. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTTY: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Resolves when the user wants the server to stop. */
  stopped(): Promise<void>;
}

/** Runs the command and resolves to its exit code: 0, 1 for a mistake in what it was given, 2 for wrong usage. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  try {
    let code = 0;
    const program = buildProgram(terminal, () => {
      code = 1;
    });
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof SetupError) {
      terminal.err(`${error.message}\n`);
      return error.usage ? 2 : 1;
    }
    terminal.err(`petstore-mock failed; this is a fault of its own.\n${(error as Error).stack}\n`);
    return 1;
  }
}

const CONFIG_FLAG = [
  '--config <file>',
  'a JSON or YAML file with options (default: petstore-mock.config.json or .yaml)',
] as const;

function buildProgram(terminal: Terminal, fail: () => void): Command {
  const program = new Command('petstore-mock')
    .description('Serves a mock of the pet store, or of any OpenAPI document: real state, real errors.')
    .version(readVersion())
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()
    .showHelpAfterError('Run "petstore-mock --help" for the options there are.')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments();
  for (const { flag, description, initial, list } of OPTIONS) {
    if (flag === undefined) continue;
    const shown = initial === undefined || typeof initial !== 'number' ? '' : ` (default: ${initial})`;
    if (list) program.option(flag, description + shown, (value, former: string[] = []) => [...former, value]);
    else program.option(flag, description + shown);
  }
  program.option(...CONFIG_FLAG).action(() => {
    const [word] = program.args;
    if (word !== undefined) program.error(`error: there is no command "${word}"`);
    return serve(terminal, givenFlags(program));
  });
  program
    .command('routes')
    .allowExcessArguments(false)
    .description('list the operations of the document, deprecated and unstable ones marked')
    .option('--resources', 'list what has state instead: resources, their keys and actions, and why')
    .action(({ resources = false }: { resources?: boolean }) =>
      printRoutes(terminal, givenFlags(program), resources ? formatResources : formatRoutes),
    );
  program
    .command('check')
    .allowExcessArguments(false)
    .description('prove that every answer holds to the document; exit 1 if one does not')
    .addOption(
      new Option('--format <format>', 'the form of the report').choices(REPORT_FORMATS).default('table'),
    )
    .option('--output <file>', 'write the report to a file, and only its last line here')
    .action(async (wanted: CheckSettings) => {
      if (!(await check(terminal, givenFlags(program), wanted))) fail();
    });
  return program;
}

/** Only what was typed: a default of commander's must not win over the environment or the config file. */
function givenFlags(program: Command): Record<string, unknown> {
  const given = Object.entries(program.opts()).filter(
    ([name]) => program.getOptionValueSource(name) === 'cli',
  );
  return Object.fromEntries(given.map(([name, value]) => [name === 'error' ? 'errors' : name, value]));
}

async function serve(terminal: Terminal, flags: Record<string, unknown>): Promise<void> {
  // From here on a signal ends the server in good order, also one that comes while it starts.
  const stopped = terminal.stopped();
  const sources = { flags, env: terminal.env, cwd: terminal.cwd };
  const config = await loadConfig(sources);
  const { settings } = config;
  const { log, logExchange } = createLog(
    {
      level: settings.logLevel,
      format: settings.logFormat,
      color: settings.color && terminal.isTTY && !terminal.env.NO_COLOR,
    },
    terminal.out,
  );
  const mock = await createMock({
    ...toWorldOptions(settings),
    cors: settings.cors,
    ...(logExchange && { onExchange: logExchange }),
  });
  const watcher = settings.watch ? await watch(mock, config, sources, log) : undefined;
  try {
    const { url } = await mock.listen({ port: settings.port, host: settings.host });
    log(toNotesEntry(mock));
    log(toStartEntry(mock, readVersion(), url, terminal.cwd));
    await stopped;
  } finally {
    await watcher?.close();
    await mock.close();
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
      const options = toWorldOptions(settings);
      // Also what does not load yet: an edit may mend it.
      const named = [options.spec, options.fixtures].filter(
        (path) => typeof path === 'string' && !isUrl(path),
      );
      watcher.watch([...new Set([...filesToWatch(mock, file), ...(named as string[])])]);
      const dropped = await mock.reload(options);
      watcher.watch(filesToWatch(mock, file));
      log(toReloadEntry(mock, dropped, findFixed(config.settings, settings)));
      log(toNotesEntry(mock));
    } catch (error) {
      log(toReloadFailureEntry(error));
    }
  };
  // One reload after the other: a slow one must not finish behind a later one.
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

/** Settings that only a new start can change, and that differ. */
function findFixed(before: Settings, after: Settings): string[] {
  const fixed = ['port', 'host', 'watch', 'cors', 'logLevel', 'logFormat', 'color'] as const;
  return fixed.filter((key) => before[key] !== after[key]);
}

async function printRoutes(
  terminal: Terminal,
  flags: Record<string, unknown>,
  format: (mock: Mock) => string,
): Promise<void> {
  const { settings } = await loadConfig({ flags, env: terminal.env, cwd: terminal.cwd });
  const mock = await createMock({ ...toWorldOptions(settings), empty: true });
  terminal.out(`${format(mock)}\n`);
}

/** Whether nothing was found. */
async function check(
  terminal: Terminal,
  flags: Record<string, unknown>,
  wanted: CheckSettings,
): Promise<boolean> {
  const { settings } = await loadConfig({ flags, env: terminal.env, cwd: terminal.cwd });
  const mock = await createMock(toWorldOptions(settings));
  const onProgress = terminal.isTTY ? terminal.err : undefined;
  const { text, passed } = await runCheck(mock, wanted, terminal.cwd, onProgress);
  terminal.out(text);
  return passed;
}

function toWorldOptions({ spec, fixtures, ...settings }: Settings): WorldOptions {
  const { allowRemoteRefs, auth, empty, stateless, resources, seed, delay, errors, lifecycle } = settings;
  return {
    ...(spec !== undefined && { spec }),
    ...(fixtures !== undefined && { fixtures }),
    allowRemoteRefs,
    auth,
    empty,
    stateless,
    resources,
    seed,
    delay,
    errors,
    lifecycle,
  };
}

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function processTerminal(): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read the log has gone, as in `petstore-mock | head`; the clients have not.
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    env: process.env,
    cwd: process.cwd(),
    isTTY: process.stdout.isTTY === true,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    stopped: () =>
      new Promise((resolve) => {
        // Only once: a second Ctrl+C ends a server whose open requests take too long.
        process.once('SIGINT', () => resolve());
        process.once('SIGTERM', () => resolve());
      }),
  };
}
