/** Two options of which the first makes the second useless. */
interface OptionConflict {
  readonly winner: 'empty' | 'stateless';
  readonly loser: 'fixtures';
}

/** Finds options that exclude each other: no fixtures are read for an empty mock, or for one without state. */
export function findConflict(options: Readonly<Record<string, unknown>>): OptionConflict | undefined {
  if (options.fixtures === undefined) return undefined;
  if (options.empty === true) return { winner: 'empty', loser: 'fixtures' };
  return options.stateless === true ? { winner: 'stateless', loser: 'fixtures' } : undefined;
}

/** Words the message for two options that exclude each other. */
export function toConflict(
  { winner, loser }: OptionConflict,
  write: (name: string) => string = (name) => name,
): string {
  const why = winner === 'empty' ? 'an empty mock has no entities' : 'a mock without state has no entities';
  return `${write(winner)} and ${write(loser)} exclude each other: ${why} to start with. Remove one of the two.`;
}
