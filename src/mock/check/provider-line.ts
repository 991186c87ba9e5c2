import { SetupError } from '../../base/problem.ts';
import type { Ask } from './answer.ts';
import { askProvider } from './provider-ask.ts';
import { ProviderFailure } from './provider-failure.ts';
import type { Provider } from './provider-options.ts';

/** The way to a server, which may break. */
export interface ProviderLine {
  readonly ask: Ask;
  /** Whether several questions in a row got no answer. */
  readonly isDown: boolean;
}

/** A slow server may miss one question. */
const MOST_FAILURES = 3;

/** Counts the questions without an answer. `ask` rejects with a SetupError where the server has not answered any. */
export function watchLine(provider: Provider, hide: (text: string) => string): ProviderLine {
  const ask = askProvider(provider);
  let answers = 0;
  let failures = 0;
  return {
    async ask(request) {
      try {
        const response = await ask(request);
        answers += 1;
        failures = 0;
        return response;
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        failures += 1;
        if (answers > 0 || (error.isLate && failures < MOST_FAILURES)) throw error;
        const message = hide(`${provider.base} cannot be checked: ${error.message}.`);
        throw new SetupError('provider-unreachable', message, { cause: error });
      }
    },
    get isDown() {
      return failures >= MOST_FAILURES;
    },
  };
}
