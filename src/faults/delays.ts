import type { Operation, OperationTable } from '../operations/operations.ts';
import { SetupError } from '../problem.ts';

/** The bounds of a delay, in milliseconds. */
type DelayBounds = readonly [from: number, to: number];

/** Milliseconds, or a range to pick each delay from. */
export type Delay = number | DelayBounds;

/** A delay of every answer, or delays by operationId or label; `*` stands for all other operations. */
export type DelayOption = Delay | Readonly<Record<string, Delay>>;

/** Every operation that the delays do not name. */
export const ALL_OTHERS = '*';

/** The delays of a service. */
export interface Delays {
  /** Whether no answer waits. */
  readonly none: boolean;
  of(operation: Operation): DelayBounds;
}

/** Builds delays from their option. Throws a SetupError for an unknown operation. */
export function buildDelays(option: DelayOption, table: Pick<OperationTable, 'find' | 'hint'>): Delays {
  const { [ALL_OTHERS]: all = 0, ...named } = isByOperation(option) ? option : { [ALL_OTHERS]: option };
  const others = toBounds(all);
  const bounds = new Map(
    Object.entries(named).map(([name, delay]) => {
      const operation = table.find(name);
      if (operation) return [operation, toBounds(delay)];
      const message = `The delay of ${name} names an unknown operation.${table.hint(name)} "petstore-mock routes" lists the operations.`;
      throw new SetupError('delay-invalid', message, { usage: true });
    }),
  );
  return {
    none: [others, ...bounds.values()].every(([, to]) => to === 0),
    of: (operation) => bounds.get(operation) ?? others,
  };
}

function isByOperation(option: DelayOption): option is Readonly<Record<string, Delay>> {
  return typeof option === 'object' && !Array.isArray(option);
}

function toBounds(delay: Delay): DelayBounds {
  return typeof delay === 'number' ? [delay, delay] : delay;
}
