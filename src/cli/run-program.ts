import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { toProgramError } from './missing-program.ts';

/** A program to run with the streams of this process. */
export interface Program {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether it may read standard input. */
  readonly reads: boolean;
}

/** A program that was started. */
export interface RunningProgram {
  /**
   * Resolves to its exit code, or to 128 and the number of the signal that ended it. Rejects with a SetupError if it could not be
   * started.
   */
  readonly ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a program without a shell. */
export async function runProgram({ words, env, cwd, reads }: Program): Promise<RunningProgram> {
  // It starts the .cmd files of Windows, such as npm, and escapes their arguments.
  const { default: spawn } = await import('cross-spawn');
  const [name = '', ...args] = words;
  const toError = (cause: unknown) => toProgramError(cause, { name, env, cwd });
  try {
    const stdio = [reads ? 'inherit' : 'ignore', 'inherit', 'inherit'] as const;
    const child = spawn(name, args, { cwd, env: { ...env }, stdio: [...stdio] });
    return { ended: waitFor(child, toError), kill: (signal) => void child.kill(signal) };
  } catch (cause) {
    return { ended: toError(cause).then((error) => Promise.reject(error)), kill: () => {} };
  }
}

/** On Windows, a missing program is an error in place of an exit. A signal that cannot be sent is not a reason to fail. */
function waitFor(child: ChildProcess, toError: (cause: unknown) => Promise<Error>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve(code ?? toSignalCode(signal ?? 'SIGTERM')));
    child.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.syscall !== 'kill') void toError(cause).then(reject);
    });
  });
}

/** The exit code that shells give for a signal. */
export function toSignalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
