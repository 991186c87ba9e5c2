import { isatty } from 'node:tty';
import type { Settings } from '../core/service/service.ts';
import type { Mock } from '../mock/mock.ts';
import { findAddresses } from './addresses.ts';
import { createKeys, type KeyActions } from './keys.ts';
import type { LogEntry } from './log-entry.ts';
import { openBrowser } from './open-browser.ts';
import { createSoon, type Soon } from './soon.ts';

/** Everything that the command needs from its surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTTY: boolean;
  out(text: string): void;
  /** Prints the texts of one turn of the event loop together; absent where that gains nothing. */
  readonly soon?: Soon;
  err(text: string): void;
  /** Resolves when the user wants the server to stop. */
  stopped(): Promise<void>;
  /**
   * Calls back with each signal in place of ending, until the returned function is called. A shared one goes to the programs that
   * this one runs too.
   */
  readonly onSignal?: (listen: (signal: NodeJS.Signals, isShared: boolean) => void) => () => void;
  /** Calls back with each key that the user presses, until the returned function is called; absent without a keyboard. */
  readonly onKey?: ((press: (key: string) => void) => () => void) | undefined;
  /** Opens a URL in the user's browser; absent without one. */
  readonly open?: (url: string) => Promise<void>;
}

/** Whether to print colors: `NO_COLOR` forbids them, `FORCE_COLOR` asks for them without a terminal. */
export function isColored({ env, isTTY }: Terminal): boolean {
  const { NO_COLOR, FORCE_COLOR } = env;
  if (NO_COLOR) return false;
  return FORCE_COLOR === undefined || FORCE_COLOR === ''
    ? isTTY
    : FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
}

/** Opens the overview of a server. Prints its URL if no browser can be started. */
export async function openOverview(terminal: Terminal, url: string): Promise<void> {
  const { local } = findAddresses(url);
  try {
    await terminal.open?.(local);
  } catch (error) {
    terminal.err(`No browser could be opened (${(error as Error).message}). Open ${local} yourself.\n`);
  }
}

interface Keyboard {
  readonly hint: string;
  /** Resolves when the user wants to quit. */
  readonly pressed: Promise<void>;
  release(): void;
}

/** Lets keys act on the server; `undefined` without a keyboard, or where standard input is the document. */
export function listenForKeys(
  { onKey, isTTY, out }: Terminal,
  { spec, state, logLevel, logFormat }: Settings,
  { open, reset }: { open(): Promise<void> } & Pick<KeyActions, 'reset'>,
): Keyboard | undefined {
  if (!onKey || !isTTY || spec === '-' || logLevel === 'silent' || logFormat === 'json') return undefined;
  let release = () => {};
  let hint = '';
  const pressed = new Promise<void>((stop) => {
    const keys = createKeys({
      stop,
      open: () => void open(),
      reset() {
        reset();
        out(
          state === undefined
            ? 'The state is as it was at the start.\n'
            : `The state is that of a start without ${state}, and the file follows.\n`,
        );
      },
      say: (text) => out(`${text}\n`),
    });
    hint = keys.hint;
    release = onKey(keys.press);
  });
  return { hint, pressed, release: () => release() };
}

const NOTICE_MS = 300;

/** Closes a mock. Prints a notice if open requests keep it waiting. */
export async function closeWithNotice(mock: Mock, log: (entry: LogEntry) => void): Promise<void> {
  const text = 'Waiting up to 3 seconds for open requests. Ctrl+C ends them at once.';
  const notice = setTimeout(() => log({ level: 'info', text, data: { event: 'stopping' } }), NOTICE_MS);
  await mock.close();
  clearTimeout(notice);
}

/** Reads keys one by one from standard input. */
function onKey(press: (key: string) => void): () => void {
  const { stdin } = process;
  const read = (data: Buffer) => {
    for (const key of data.toString()) press(key);
  };
  stdin.setRawMode(true).on('data', read).resume();
  return () => {
    stdin.off('data', read).setRawMode(false).pause();
  };
}

/** A terminal sends Ctrl+C to all programs that run in it, and Windows ends a program that gets it from another one. */
function onSignal(listen: (signal: NodeJS.Signals, isShared: boolean) => void): () => void {
  const isInTerminal = process.platform === 'win32' || [0, 1, 2].some((stream) => isatty(stream));
  const heard = FORWARDED.map((signal) => {
    const hear = () => listen(signal, signal === 'SIGINT' && isInTerminal);
    process.on(signal, hear);
    return () => void process.off(signal, hear);
  });
  return () => {
    for (const release of heard) release();
  };
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal of this process. */
export function processTerminal(): Terminal {
  let serving = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the log may go, as in `petstore-mock | head`, or its disk may be full. The server continues for its clients.
    if (error.code !== 'EPIPE' && !serving) throw error;
  });
  const soon = createSoon(process.stdout);
  // This runs even if an uncaught error ends the process.
  process.on('exit', soon.flush);
  return {
    env: process.env,
    cwd: process.cwd(),
    isTTY: process.stdout.isTTY === true,
    out(text) {
      soon.flush();
      process.stdout.write(text);
    },
    soon,
    err(text) {
      soon.flush();
      process.stderr.write(text);
    },
    open: openBrowser,
    // `process.stdin.isTTY` would open it and stop its reads from waiting, so that a slow pipe could not be read as the document.
    onKey: isatty(0) ? onKey : undefined,
    onSignal,
    stopped: () =>
      new Promise((resolve) => {
        serving = true;
        // Only once: a second Ctrl+C kills a server whose open requests take too long.
        for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve());
      }),
  };
}
