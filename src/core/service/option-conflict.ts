/** Two options of which the first makes the second useless. */
interface OptionConflict {
  readonly winner: 'empty' | 'stateless';
  readonly loser: 'fixtures' | 'state';
}

/** Finds options that exclude each other: no fixtures are read for an empty mock, and neither fixtures nor a state file for one without state. */
export function findConflict(options: Readonly<Record<string, unknown>>): OptionConflict | undefined {
  const { fixtures, state, empty, stateless } = options;
  if (fixtures !== undefined && empty === true) return { winner: 'empty', loser: 'fixtures' };
  if (stateless !== true) return undefined;
  if (fixtures !== undefined) return { winner: 'stateless', loser: 'fixtures' };
  return state === undefined ? undefined : { winner: 'stateless', loser: 'state' };
}

/** Words the message for two options that exclude each other. */
export function toConflict(
  { winner, loser }: OptionConflict,
  write: (name: string) => string = (name) => name,
): string {
  const why = {
    fixtures: `${winner === 'empty' ? 'an empty mock' : 'a mock without state'} has no entities to start with`,
    state: 'a mock without state has nothing to keep',
  }[loser];
  return `${write(winner)} and ${write(loser)} exclude each other: ${why}. Remove one of the two.`;
}
