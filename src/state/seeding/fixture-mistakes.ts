import { SetupError } from '../../base/problem.ts';
import type { SetupCode } from '../../base/setup-code.ts';

/** One mistake in fixtures. */
interface FixtureMistake {
  /** File, line and entity. Called only for mistakes that are shown, because finding a line is slow. */
  readonly place: () => string;
  /** A clause: `pet.name is required`. */
  readonly reason: string;
  readonly remedy: string;
}

/** Collects the mistakes of all fixtures, so that one start reports all of them. */
export interface FixtureMistakes {
  add(mistake: FixtureMistake): void;
  /** Adds a file that cannot be read. */
  addError(error: unknown): void;
  /** Throws a SetupError if there are any. */
  throwIfAny(): void;
}

const SHOWN_MISTAKES = 20;

export function createFixtureMistakes(): FixtureMistakes {
  const shown: { readonly alone: string; readonly listed: string; readonly code?: SetupCode }[] = [];
  let count = 0;
  const show = (toText: () => (typeof shown)[number]) => {
    count += 1;
    if (shown.length < SHOWN_MISTAKES) shown.push(toText());
  };
  return {
    add({ place, reason, remedy }) {
      show(() => {
        const end = reason.endsWith('?') ? '' : '.';
        const text = `${place()}: ${reason}${end}`;
        return { alone: `${text} ${remedy}`, listed: text };
      });
    },
    addError(error) {
      if (!(error instanceof SetupError)) throw error;
      show(() => ({ alone: error.message, listed: error.message, code: error.code }));
    },
    throwIfAny() {
      const [first] = shown;
      if (!first) return;
      if (count === 1) throw new SetupError(first.code ?? 'fixtures-invalid', first.alone);
      const lines = shown.map(({ listed }) => `  ${listed.replaceAll('\n', '\n  ')}`);
      const more = count > shown.length ? [`  ... and ${count - shown.length} more`] : [];
      throw new SetupError(
        'fixtures-invalid',
        [`The fixtures have ${count} mistakes:`, ...lines, ...more, REMEDY_FOR_ALL].join('\n'),
      );
    },
  };
}

const REMEDY_FOR_ALL = 'Correct them there, or start without entities: --empty.';
