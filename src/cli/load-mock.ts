import v8 from 'node:v8';
import { COMMAND_OPTIONS, LOG_LEVELS, type MockOptions, type Settings } from '../core/service/service.ts';
import { isUrl, loadReader } from '../document/document.ts';
import { createWatchedMock, type Mock } from '../mock/mock.ts';
import { loadConfig } from './config.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds after which a user wonders what the command is waiting for. */
const NOTICE_MS = 1000;

/** Creates a mock. Prints on stderr what it waits for if the document takes long to arrive. */
export async function loadMock(
  terminal: Terminal,
  settings: Settings,
  options: MockOptions,
  watch?: Parameters<typeof createWatchedMock>[1],
): Promise<Mock> {
  const text = toNotice(settings);
  const notice = text === undefined ? undefined : setTimeout(() => terminal.err(`${text}\n`), NOTICE_MS);
  // Compiled code that is kept from an earlier start holds only for the flags that it was compiled with, so load it before they change.
  if (settings.spec !== undefined) await loadReader(settings.spec);
  // Loading runs once, so V8 would optimize its functions for nothing: with 2,000 operations that is a third of the processor time.
  v8.setFlagsFromString('--no-opt');
  try {
    return await createWatchedMock(options, watch);
  } finally {
    v8.setFlagsFromString('--opt');
    clearTimeout(notice);
  }
}

/** Prints warnings of a command that does not log. */
export function printWarnings(terminal: Terminal, warnings: readonly string[]): void {
  for (const warning of warnings) terminal.err(`${warning}\n`);
}

/** The words for a wait; `undefined` for a document on this machine, and for a log that hides them. */
function toNotice({ spec = '', logLevel }: Settings): string | undefined {
  if (LOG_LEVELS.indexOf(logLevel) < LOG_LEVELS.indexOf('info')) return undefined;
  if (isUrl(spec)) return `fetching ${spec} ...`;
  return spec === '-' ? 'reading the document from standard input; Ctrl+D ends it ...' : undefined;
}

/** The settings that `createMock` takes. */
export function toMockOptions(settings: Settings): MockOptions {
  const names = COMMAND_OPTIONS.filter(({ scope }) => scope === 'both').map(({ name }) => name);
  const shared = Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
  // A mock that listens on a name also answers its control requests under that name.
  return { ...shared, allowedHosts: [...settings.allowedHosts, settings.host] };
}

/** Reads the settings of a command that does not log. */
export async function loadSettings(terminal: Terminal, flags: Record<string, unknown>): Promise<Settings> {
  const { settings, warnings } = await loadConfig({ flags, env: terminal.env, cwd: terminal.cwd });
  printWarnings(terminal, warnings);
  return settings;
}
