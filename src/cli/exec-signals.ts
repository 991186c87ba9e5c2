import type { RunningProgram } from './run-program.ts';
import type { Terminal } from './terminal.ts';

/** The signals that this process gets while commands run. */
export interface Signals {
  /** The first one, if any has come. */
  readonly first: NodeJS.Signals | undefined;
  /** Sends every signal on, unless the system has sent it to the programs too. */
  forwardTo(programs: readonly RunningProgram[]): void;
  release(): void;
}

/** Keeps signals from ending this process. */
export function listenForSignals({ onSignal }: Terminal): Signals {
  let first: NodeJS.Signals | undefined;
  let programs: readonly RunningProgram[] = [];
  /** One that came before the programs ran. */
  let early: NodeJS.Signals | undefined;
  const release = onSignal?.((signal, isShared) => {
    first ??= signal;
    if (programs.length === 0) early = signal;
    if (isShared) return;
    for (const program of programs) program.kill(signal);
  });
  return {
    get first() {
      return first;
    },
    forwardTo(running) {
      programs = running;
      if (early !== undefined) for (const program of programs) program.kill(early);
    },
    release: () => release?.(),
  };
}
