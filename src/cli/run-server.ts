import type { MockNotice, Settings } from '../core/service/service.ts';
import { COMMAND_OPTIONS } from '../core/service/service.ts';
import { isUrl } from '../document/document.ts';
import type { Mock } from '../mock/mock.ts';
import { readVersion } from '../package-files.ts';
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
import { type Config, type ConfigSources, loadConfig } from './config.ts';
import { loadMock, toMockOptions } from './load-mock.ts';
import { createLog, toFailureEntry } from './log.ts';
import type { LogEntry } from './log-entry.ts';
import { closeWithNotice, isColored, listenForKeys, openOverview, type Terminal } from './terminal.ts';
import { type Watcher, watchFiles } from './watch.ts';

/** Serves until a signal or a key ends it. Resolves to whether requests covered enough of the contract. */
export async function runServer(
  terminal: Terminal,
  flags: Record<string, unknown>,
  ignored: readonly string[],
): Promise<boolean> {
  // Listen for signals first, so that one that arrives during startup also ends the server in good order.
  const stopped = terminal.stopped();
  const sources = { flags, env: terminal.env, cwd: terminal.cwd };
  const config = await loadConfig(sources);
  const { settings } = config;
  let served: Mock | undefined;
  const { log, watch: watchExchange } = createLog(
    {
      level: settings.logLevel,
      format: settings.logFormat,
      color: settings.color && isColored(terminal),
    },
    terminal.out,
    () => served?.document.credentialNames ?? [],
    terminal.soon,
  );
  const ignoredEntries = withExplainHint([toIgnoredEntry(config.warnings)]);
  ignoredEntries.forEach(log);
  const callbacks = {
    onNotice: (notice: MockNotice) => log(toNoticeEntry(notice)),
    onError: (error: unknown) => log(toFailureEntry(error)),
  };
  const mock = await loadMock(
    terminal,
    settings,
    { ...toMockOptions(settings), ...callbacks },
    watchExchange,
  );
  served = mock;
  const watcher = settings.watch ? await watch(mock, config, sources, log) : undefined;
  try {
    const { url } = await mock.listen({ port: settings.port, host: settings.host });
    log(toUnusedArgumentsEntry(ignored));
    withExplainHint([toNotesEntry(mock), toWarningsEntry(mock)], ignoredEntries.length > 0).forEach(log);
    const open = () => openOverview(terminal, url);
    const quit = listenForKeys(terminal, settings, { open, reset: mock.reset });
    const hint = quit && `Ctrl+C stops it. ${quit.hint}`;
    log(toStartEntry(mock, readVersion(), url, { cwd: terminal.cwd, settings, ...(hint && { hint }) }));
    if (settings.open) await open();
    await Promise.race([stopped, ...(quit ? [quit.pressed] : [])]);
    quit?.release();
  } finally {
    await watcher?.close();
    await closeWithNotice(mock, log);
  }
  if (settings.report.length === 0 && settings.minCoverage === 0) return true;
  const { settleCoverage } = await import('./settle-coverage.ts');
  return settleCoverage(mock.coverage(), settings, terminal);
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
  // Read the settings one after the other too, so that earlier ones cannot overwrite later ones.
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
