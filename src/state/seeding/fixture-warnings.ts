import { type SetupWarning, toSetupWarning } from '../../base/setup-code.ts';

/** Collects what is probably a mistake in fixtures, each kind once. */
interface FixtureWarnings {
  /** Adds what is probably wrong with a property of an entity. */
  add(place: () => string, location: string, message: string, code: SetupWarning): void;
  /** A sentence for each of them. */
  texts(): string[];
}

const SHOWN_WARNINGS = 20;

/** Creates the warnings of fixtures. `notes` are about the fixtures as a whole. */
export function createFixtureWarnings(notes: readonly string[]): FixtureWarnings {
  const byLocation = new Map<string, { readonly text: string; readonly code: SetupWarning; count: number }>();
  let others = 0;
  return {
    add(place, location, message, code) {
      // `post.lines[3].amuont` is the same mistake in every line.
      const kind = location.replace(/\[\d+\]/g, '[]');
      const known = byLocation.get(kind);
      if (known) known.count += 1;
      else if (byLocation.size < SHOWN_WARNINGS)
        byLocation.set(kind, { text: `${place()}: ${location} ${message}`, code, count: 1 });
      else others += 1;
    },
    texts() {
      const found = Array.from(byLocation.values(), ({ text, code, count }) =>
        toSetupWarning(count === 1 ? text : `${text} (${count} times in these fixtures)`, code),
      );
      const more = others === 0 ? [] : [`... and ${others} more properties that are probably wrong`];
      return [...notes, ...found, ...more];
    },
  };
}
