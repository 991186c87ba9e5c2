import { SetupError } from '../base/problem.ts';
import type { MockNotice, Settings } from '../core/service/service.ts';
import type { Mock } from '../mock/mock.ts';
import { readVersion } from '../package-files.ts';
import { findAddresses } from './addresses.ts';
import { toNotesEntry, toNoticeEntry, toStartEntry, toWarningsEntry } from './announce.ts';
import { loadMock, loadSettings, toMockOptions } from './load-mock.ts';
import { createLog, toFailureEntry } from './log.ts';
import { isColored, type Terminal } from './terminal.ts';
import { toVariable } from './variables.ts';

/** A mock that listens for the commands of `exec`. */
export interface ExecMock {
  readonly mock: Mock;
  readonly url: string;
  readonly settings: Settings;
}

/**
 * Starts a mock on a free port of this machine, unless flags name another address. It logs to stderr, and only its own failures
 * unless a flag or the environment names a level.
 */
export async function startExecMock(
  terminal: Terminal,
  flags: Readonly<Record<string, unknown>>,
): Promise<ExecMock> {
  for (const name of ['watch', 'open'])
    if (flags[name] !== undefined)
      throw new SetupError('option-conflict', `--${name} is for a server, not for exec. Leave it out.`, {
        usage: true,
      });
  const isLogged = flags.logLevel !== undefined || terminal.env[toVariable('logLevel')] !== undefined;
  const settings = await loadSettings(terminal, {
    ...{ port: '0', host: '127.0.0.1' },
    ...(!isLogged && { logLevel: 'error' }),
    ...flags,
  });
  const { logLevel: level, logFormat: format } = settings;
  let served: Mock | undefined;
  const { log, watch } = createLog(
    { level, format, color: settings.color && isColored(terminal) },
    terminal.err,
    () => served?.document.credentialNames ?? [],
  );
  const callbacks = {
    onNotice: (notice: MockNotice) => log(toNoticeEntry(notice)),
    onError: (error: unknown) => log(toFailureEntry(error)),
  };
  const mock = await loadMock(terminal, settings, { ...toMockOptions(settings), ...callbacks }, watch);
  served = mock;
  const { port, host } = settings;
  const listening = await mock.listen({ port, host }).catch(async (cause: unknown) => {
    await mock.close();
    throw cause;
  });
  for (const entry of [toNotesEntry(mock), toWarningsEntry(mock)]) log(entry);
  log(toStartEntry(mock, readVersion(), listening.url, { cwd: terminal.cwd, settings, hint: '' }));
  return { mock, url: findAddresses(listening.url).local, settings };
}
